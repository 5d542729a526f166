package ingest

import (
	"io"
	"os"
	"sync/atomic"
	"time"
)

// Tail reads a file that is being written, and goes on when its end is reached: it waits for more, follows the name to a
// new file when the old one was renamed, and begins anew when the file was cut to nothing. It implements [io.Reader], so
// that lines are split and judged as those of any other source.
//
// A file that was renamed is read to its end, also what a program writes to it that has it open still, until something
// stands in the new one. What is lost is what a writer adds between the last look and a truncation, or in a file that is
// renamed twice between two looks.
type Tail struct {
	path string
	f    *os.File
	read atomic.Int64 // of the present file
	last byte         // that was read
	wait func() bool
}

// tailEvery is how often a file is looked at that has no more to read.
const tailEvery = 100 * time.Millisecond

// NewTail follows the file at path. done ends it: then Read returns io.EOF.
func NewTail(path string, done <-chan struct{}) (*Tail, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Tail{path: path, f: f, last: '\n', wait: func() bool {
		select {
		case <-done:
			return false
		case <-time.After(tailEvery):
			return true
		}
	}}, nil
}

// Read implements [io.Reader]. It returns as soon as there is something.
func (t *Tail) Read(p []byte) (int, error) {
	for {
		n, err := t.f.Read(p)
		if n > 0 {
			t.read.Add(int64(n))
			t.last = p[n-1]
			return n, nil
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		turned, err := t.turn()
		if err != nil {
			return 0, err
		}
		if turned && t.last != '\n' { // the line that was not ended is not to run into the next file's first
			t.last, p[0] = '\n', '\n'
			return 1, nil
		}
		if !turned && !t.wait() {
			return 0, io.EOF
		}
	}
}

// turn goes over to a new file, or to the start of the same one, if there is need to. It reports whether it did.
func (t *Tail) turn() (bool, error) {
	now, err := os.Stat(t.path)
	if err != nil { // it is between two files
		return false, nil
	}
	open, err := t.f.Stat()
	if err != nil {
		return false, err
	}
	if os.SameFile(now, open) {
		if open.Size() >= t.read.Load() {
			return false, nil
		}
		t.read.Store(0)
		_, err := t.f.Seek(0, io.SeekStart)
		return true, err
	}
	if now.Size() == 0 || open.Size() > t.read.Load() { // the writer may have the old one still
		return false, nil
	}
	next, err := os.Open(t.path)
	if err != nil {
		return false, nil // gone again
	}
	t.f.Close()
	t.f = next
	t.read.Store(0)
	return true, nil
}

// Behind is how many bytes of the file are yet to be read.
func (t *Tail) Behind() int64 {
	info, err := os.Stat(t.path)
	if err != nil {
		return 0
	}
	return max(0, info.Size()-t.read.Load())
}

// Close closes the file.
func (t *Tail) Close() error { return t.f.Close() }
