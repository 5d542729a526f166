package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tracecheck/tracecheck/spec"
)

// A Feed brings records that are not lines of a file, such as those of a topic.
type Feed interface {
	// Next returns the next record, whose value is valid until the call after it, and
	// io.EOF at the end. It may wait.
	Next() (Row, error)
	// Ready says whether Next returns without waiting.
	Ready() bool
	Close() error
}

// A Placer is a [Feed] of several files: it says in which of them, and at which offset there, a row stands.
type Placer interface {
	Place(offset uint64) (file string, at uint64)
}

// Row is one record of a [Feed].
type Row struct {
	Value  []byte
	Offset uint64 // its position, from 0
	// Aside says why the record is no line of the trace, such as the marker that ends
	// a transaction; empty if it is one.
	Aside string
	// Lost says that records are missing from Offset on; there is no value.
	Lost bool
}

// NewFeed returns a Source over records. Their offsets stand in place of line numbers.
func NewFeed(f Feed, name string, number int) *Source {
	return &Source{name: name, number: number, size: -1, raw: &counter{}, closer: f, feed: f}
}

// Offsets says whether positions are offsets, from 0, and not lines, from 1.
func (s *Source) Offsets() bool { return s.feed != nil }

// Place is where a record of a [Feed] stands: the name of its source and its offset.
func (s *Source) Place(ref spec.Ref) (source string, offset uint64) {
	if p, ok := s.feed.(Placer); ok {
		return p.Place(SplitOffset(ref))
	}
	return s.name, SplitOffset(ref)
}

// SplitOffset returns the offset of a record of a [Feed]. A Ref holds it plus 1, since
// 0 is no position.
func SplitOffset(ref spec.Ref) uint64 {
	_, n := SplitRef(ref)
	return n - 1
}

// pull reads one row from the feed. It reports false at the end.
func (s *Source) pull() bool {
	if s.eof {
		return false
	}
	row, err := s.feed.Next()
	if err != nil {
		s.eof = true
		if !errors.Is(err, io.EOF) {
			s.err = fmt.Errorf("%s: %w", s.name, err)
		}
		return false
	}
	row.Value = bytes.TrimRight(bytes.Clone(row.Value), "\r\n")
	s.raw.n += int64(len(row.Value))
	s.rows = append(s.rows, row)
	return true
}

// nextRow is Next over a feed.
func (s *Source) nextRow(rec *Record) bool {
	if len(s.rows) == 0 && !s.pull() {
		return false
	}
	row := s.rows[0]
	s.rows = s.rows[1:]
	s.line++
	*rec = Record{Data: row.Value, Ref: MakeRef(s.number, row.Offset+1), Aside: row.Aside}
	switch {
	case row.Lost:
		rec.Flaws = Lost
	case len(row.Value) > MaxLine:
		rec.Data, rec.Flaws = row.Value[:keptOfLong], TooLong
	default:
		rec.Flaws = flawsOf(unbroken(row.Value))
	}
	return true
}

// unbroken has blanks in place of the line ends within a record, which JSON may have.
func unbroken(value []byte) []byte {
	if bytes.IndexByte(value, '\n') < 0 {
		return value
	}
	value = bytes.ReplaceAll(value, []byte("\n"), []byte(" "))
	return bytes.ReplaceAll(value, []byte("\r"), []byte(" "))
}

// headRows is Head over a feed. It waits for the first record and no longer.
func (s *Source) headRows(n int) (lines [][]byte) {
	for i := 0; len(lines) < n; i++ {
		if i == len(s.rows) && (len(lines) > 0 && !s.feed.Ready() || !s.pull()) {
			break
		}
		if row := s.rows[i]; row.Aside == "" && !row.Lost {
			lines = append(lines, row.Value)
		}
	}
	return lines
}
