package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// interrupt is what Ctrl-C asks for: stop reading and say what is known so far.
// A second one ends the program at once.
type interrupt struct {
	asked   atomic.Bool
	ctx     context.Context // done when it is asked for, and not before asked is set
	cancel  context.CancelFunc
	signals chan os.Signal
}

func catchInterrupt() *interrupt {
	in := &interrupt{signals: make(chan os.Signal, 1)}
	in.ctx, in.cancel = context.WithCancel(context.Background())
	signal.Notify(in.signals, os.Interrupt)
	go func() {
		if _, ok := <-in.signals; ok {
			signal.Stop(in.signals)
			in.ask()
		}
	}()
	return in
}

// ask is what a signal does.
func (in *interrupt) ask() {
	in.asked.Store(true)
	in.cancel()
}

func (in *interrupt) release() {
	signal.Stop(in.signals)
	close(in.signals)
	in.cancel()
}

// pipe reads what a running program writes, which may be silent for hours as the
// log of an idle cluster is. It ends when the interrupt comes.
type pipe struct {
	chunks chan []byte // filled by pump; closed at the end, with err set before
	err    error
	rest   []byte // of the last chunk
	done   <-chan struct{}
	tick   func() error // called by the reader every now and then, whether or not anything comes; nil at first
	ticked time.Time
	turn   *sync.Mutex // held by the reader, but while it waits; nil if there is nobody else
}

// tick is how often a pipe calls its tick.
const tick = 250 * time.Millisecond

// stdin returns a pipe that reads r.
func (in *interrupt) stdin(r io.Reader) *pipe {
	p := &pipe{chunks: make(chan []byte), done: in.ctx.Done()}
	go p.pump(r)
	return p
}

func (p *pipe) pump(r io.Reader) {
	for {
		chunk := make([]byte, 1<<16)
		n, err := r.Read(chunk)
		if n > 0 {
			select {
			case p.chunks <- chunk[:n]:
			case <-p.done:
				return
			}
		}
		if err != nil {
			p.err = err
			close(p.chunks)
			return
		}
	}
}

// Read implements [io.Reader].
func (p *pipe) Read(to []byte) (int, error) {
	if len(p.rest) == 0 {
		chunk, err := p.next()
		if err != nil {
			return 0, err
		}
		p.rest = chunk
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// next waits for the next chunk.
func (p *pipe) next() ([]byte, error) {
	timer := time.NewTicker(tick)
	defer timer.Stop()
	for {
		if now := time.Now(); p.tick != nil && now.Sub(p.ticked) >= tick {
			p.ticked = now
			if err := p.tick(); err != nil {
				return nil, err
			}
		}
		if chunk, err := p.await(timer.C); chunk != nil || err != nil {
			return chunk, err
		}
	}
}

// await waits for a chunk, the end, or the timer; then it returns neither.
func (p *pipe) await(timer <-chan time.Time) ([]byte, error) {
	if p.turn != nil {
		p.turn.Unlock()
		defer p.turn.Lock()
	}
	select {
	case chunk, ok := <-p.chunks:
		if !ok {
			return nil, p.err
		}
		return chunk, nil
	case <-p.done:
		return nil, io.EOF
	case <-timer:
		return nil, nil
	}
}

// colored says whether to colour what goes to w.
func colored(flag string, w io.Writer) bool {
	switch {
	case flag == "always":
		return true
	case flag == "never" || os.Getenv("NO_COLOR") != "":
		return false
	}
	return terminal(w)
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// progress is a bar on a terminal, for an input that takes longer than a second.
type progress struct {
	source *trace
	w      io.Writer
	began  time.Time
	lines  uint
	bar    *progressbar.ProgressBar
}

// line is told of each line that was read.
func (p *progress) line() {
	if p.lines++; p.lines&0xfff != 0 || p.source.size() <= 0 || !terminal(p.w) {
		return
	}
	if p.bar == nil {
		if time.Since(p.began) < time.Second {
			return
		}
		p.bar = progressbar.NewOptions64(p.source.size(),
			progressbar.OptionSetWriter(p.w), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetDescription(p.source.name()), progressbar.OptionThrottle(100*time.Millisecond))
	}
	_ = p.bar.Set64(p.source.offset()) // a bar that cannot be drawn is no reason to stop
}

// clear removes the bar before anything else is written.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
