package ingest

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// NewestFirst says whether the first lines of a source stand the newest first, as
// log viewers export them: nearly every stamp is earlier than the one before.
func NewestFirst(lines [][]byte) bool {
	var s Stamps
	last, later, earlier := int64(0), 0, 0
	for _, line := range lines {
		stamp, ok := s.Read(line)
		switch {
		case !ok:
			continue
		case last != 0 && stamp.Time > last:
			later++
		case last != 0 && stamp.Time < last:
			earlier++
		}
		last = stamp.Time
	}
	return earlier >= 5 && earlier >= 20*later
}

// OpenBackwards opens a file whose newest line stands first: the last line is read
// first. The lines keep their numbers. A file that is packed cannot be read so.
func OpenBackwards(path string, number int) (*Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := backwardsSource(f, path, number)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func backwardsSource(f *os.File, path string, number int) (*Source, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	lines, last, err := countLines(f)
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if size > 0 && last == '\n' {
		size--
	} else if size > 0 {
		lines++
	}
	s, err := NewReader(&backwards{f: f, start: size, done: info.Size() == 0}, path, number)
	if err != nil {
		return nil, err
	}
	s.closer, s.size, s.from = f, info.Size(), lines+1
	return s, nil
}

// countLines counts the line ends of a file, and returns its last byte.
func countLines(f *os.File) (n uint64, last byte, err error) {
	buf := make([]byte, chunk)
	for {
		k, err := f.Read(buf)
		n += uint64(bytes.Count(buf[:k], []byte{'\n'}))
		if k > 0 {
			last = buf[k-1]
		}
		if err == io.EOF {
			return n, last, nil
		}
		if err != nil {
			return n, last, err
		}
	}
}

// backwards reads the lines of a file from the last to the first.
type backwards struct {
	f     io.ReaderAt
	start int64  // of what was read
	buf   []byte // of that, what was not delivered
	out   []byte // a line that is being delivered
	done  bool
}

func (b *backwards) Read(p []byte) (int, error) {
	if len(b.out) == 0 {
		if err := b.line(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

// line makes the line before the last one ready, with its end.
func (b *backwards) line() error {
	for {
		if i := bytes.LastIndexByte(b.buf, '\n'); i >= 0 {
			b.out = append(append(b.out[:0:0], b.buf[i+1:]...), '\n')
			b.buf = b.buf[:i]
			return nil
		}
		if b.start == 0 {
			if b.done {
				return io.EOF
			}
			b.done = true
			b.out = append(b.buf, '\n')
			return nil
		}
		n := min(b.start, int64(max(chunk, len(b.buf))))
		more := make([]byte, int(n)+len(b.buf))
		if _, err := b.f.ReadAt(more[:n], b.start-n); err != nil {
			return err
		}
		copy(more[n:], b.buf)
		b.buf, b.start = more, b.start-n
	}
}
