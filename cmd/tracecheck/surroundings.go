package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tracecheck/tracecheck/report"
)

// surroundings writes findings together with the n source lines before and
// after each, as --context asks. A finding waits until the lines after it have
// been read.
type surroundings struct {
	n    int
	w    io.Writer
	text report.TextOptions

	files   map[string]*recent
	now     *recent // the file of the present line
	waiting []*surrounded
}

// recent is the present line of a file and the last n before it, the oldest first.
type recent struct {
	before  [][]byte
	present []byte
}

// surrounded is a finding with the lines around its own.
type surrounded struct {
	finding *report.Finding
	file    *recent
	lines   [][]byte
	first   uint64 // the number of lines[0]
	missing int    // lines after it that are still to come
}

// line is told of each line, and of its file, before it is checked.
func (s *surroundings) line(file string, line []byte) error {
	r := s.files[file]
	if r == nil {
		r = &recent{}
		if s.files == nil {
			s.files = make(map[string]*recent)
		}
		s.files[file] = r
	}
	if r.present != nil {
		if len(r.before) == s.n {
			r.before = r.before[1:]
		}
		r.before = append(r.before, r.present)
	}
	r.present, s.now = clip(line), r
	for _, w := range s.waiting {
		if w.missing > 0 && w.file == r {
			w.lines = append(w.lines, r.present)
			w.missing--
		}
	}
	for len(s.waiting) > 0 && s.waiting[0].missing <= 0 && !s.waiting[0].finding.Waiting {
		if err := s.write(); err != nil {
			return err
		}
	}
	return nil
}

// finding is told of a finding about the present line, or, without its text, an
// earlier one.
func (s *surroundings) finding(f *report.Finding) {
	if f.Line == nil {
		s.waiting = append(s.waiting, &surrounded{finding: f})
		return
	}
	r := s.now
	lines := append(append([][]byte(nil), r.before...), r.present)
	s.waiting = append(s.waiting, &surrounded{
		finding: f, file: r, lines: lines, first: f.Pos.Line - uint64(len(r.before)), missing: s.n,
	})
}

// flush ends a trace: nothing follows the findings that wait.
func (s *surroundings) flush() error {
	for len(s.waiting) > 0 {
		if err := s.write(); err != nil {
			return err
		}
	}
	s.files, s.now = nil, nil
	return nil
}

// write writes the finding that has waited longest.
func (s *surroundings) write() error {
	w := s.waiting[0]
	s.waiting = s.waiting[1:]
	if err := report.Text(s.w, w.finding, s.text); err != nil {
		return err
	}
	if len(w.lines) == 0 {
		return nil
	}
	var b bytes.Buffer
	last := w.first + uint64(len(w.lines)) - 1
	width := len(fmt.Sprint(last))
	for i, line := range w.lines {
		mark, number := ' ', w.first+uint64(i)
		if number == w.finding.Pos.Line {
			mark = '>'
		}
		fmt.Fprintf(&b, "%c %*d | %s\n", mark, width, number, line)
	}
	b.WriteByte('\n')
	_, err := s.w.Write(b.Bytes())
	return err
}

// clipped is how much of a line the context shows, in bytes.
const clipped = 120

// clip copies the beginning of a line, made fit for a terminal.
func clip(line []byte) []byte {
	more := len(line) > clipped
	line = bytes.ToValidUTF8(line[:min(len(line), clipped)], []byte("\uFFFD"))
	line = bytes.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '·'
		}
		return r
	}, line)
	if more {
		line = append(line, "…"...)
	}
	return line
}
