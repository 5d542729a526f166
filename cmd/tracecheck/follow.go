package main

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/tracecheck/tracecheck/ingest"
)

// mayFollow says why the jobs cannot be followed: only files can, each as a trace of its own.
func (f *checkFlags) mayFollow(jobs []*job) error {
	for _, j := range jobs {
		info, err := os.Stat(j.path)
		switch {
		case j.path == "-" || isTopic(j.path):
			return exit{2, fmt.Errorf("--follow is for files; %s is followed as it is, or with its own option", j.path)}
		case j.disks != nil:
			return exit{2, fmt.Errorf("--follow: %s is not a log of lines", j.title())}
		case err != nil:
			return exit{3, err}
		case !info.Mode().IsRegular():
			return exit{2, fmt.Errorf("--follow: %s is not a file", j.path)}
		}
	}
	return nil
}

// follow checks files that are being written, all at the same time, until it is interrupted. One of them has the turn, and
// gives it away while it waits for its next line; so everything else is as if there were one.
func (r *checkRun) follow(jobs []*job) error {
	r.turn = &sync.Mutex{}
	r.ended = make([]chan struct{}, len(jobs))
	errs := make([]error, len(jobs))
	panics := make(chan any, len(jobs))
	var all sync.WaitGroup
	for i := range jobs {
		r.ended[i] = make(chan struct{})
	}
	for i, j := range jobs {
		all.Go(func() {
			r.turn.Lock()
			defer r.turn.Unlock()
			defer close(r.ended[i])
			defer func() {
				if p := recover(); p != nil { // a bug of ours is told by the one who waits
					panics <- p
					r.interrupt.ask()
				}
			}()
			if errs[i] = r.trace(j, i); errs[i] != nil {
				r.interrupt.ask()
			}
		})
	}
	all.Wait()
	select {
	case p := <-panics:
		panic(p)
	default:
	}
	return errors.Join(errs...)
}

// afterThoseBefore waits for the traces before the one of that number, so that reports stand in their order.
func (r *checkRun) afterThoseBefore(number int) {
	if r.turn == nil || number == 0 {
		return
	}
	r.turn.Unlock()
	<-r.ended[number-1]
	r.turn.Lock()
}

// tail opens a file to be followed.
func (r *checkRun) tail(j *job, number int) (*trace, *pipe, error) {
	tail, err := ingest.NewTail(j.path, r.interrupt.ctx.Done())
	if err != nil {
		return nil, nil, err
	}
	if r.metrics != nil {
		r.metrics.traces[number].behind.Store(tail)
	}
	live := r.interrupt.stdin(tail)
	live.turn = r.turn
	t, err := openReader(live, j.path, j.path, number, r.adapter)
	return t, live, err
}
