package main

import (
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// interrupt is what Ctrl-C asks for: stop reading and say what is known so far.
// A second one ends the program at once.
type interrupt struct {
	asked   atomic.Bool
	done    chan struct{} // closed when it is asked for
	signals chan os.Signal
}

func catchInterrupt() *interrupt {
	in := &interrupt{done: make(chan struct{}), signals: make(chan os.Signal, 1)}
	signal.Notify(in.signals, os.Interrupt)
	go func() {
		if _, ok := <-in.signals; ok {
			signal.Stop(in.signals)
			in.asked.Store(true)
			close(in.done)
		}
	}()
	return in
}

func (in *interrupt) release() {
	signal.Stop(in.signals)
	close(in.signals)
}

// stdin returns a reader of r that ends when the interrupt comes, even while r
// is silent, as the log of an idle cluster may be for hours.
func (in *interrupt) stdin(r io.Reader) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		_, err := io.Copy(pw, r)
		pw.CloseWithError(err)
	}()
	go func() {
		<-in.done
		pw.Close()
	}()
	return pr
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
