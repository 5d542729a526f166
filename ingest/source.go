package ingest

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

// chunk is how much is read at a time.
const chunk = 256 << 10

// keptOfLong is how much of a line longer than [MaxLine] is delivered.
const keptOfLong = 4 << 10

// Source is a stream of lines: a file, or standard input.
type Source struct {
	name   string
	number int
	size   int64

	raw    *counter
	packed bool
	closer io.Closer
	r      io.Reader

	buf        []byte // buf[start:end] is read and not delivered
	start, end int
	line       uint64
	from       uint64 // read backwards: the number of the last line and 1; else 0
	eof        bool
	err        error

	feed Feed  // in place of r and buf; else nil
	rows []Row // read from feed and not delivered
}

// counter counts the bytes that were read from the underlying file.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Open opens a path; "-" is standard input. The number is put into every [spec.Ref].
func Open(path string, number int) (*Source, error) {
	if path == "-" {
		return NewReader(os.Stdin, "<stdin>", number)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s: is a folder", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	s, err := NewReader(f, path, number)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.closer = f
	if info.Mode().IsRegular() {
		s.size = info.Size()
	}
	return s, nil
}

// NewReader returns a Source over any reader. Gzip, zstd and bzip2 are seen by
// their first bytes, whatever the name says, and so is UTF-16, in which some
// editors and consoles of Windows save a log.
func NewReader(r io.Reader, name string, number int) (*Source, error) {
	s := &Source{name: name, number: number, size: -1, raw: &counter{r: r}}
	peek := bufio.NewReaderSize(s.raw, 64<<10) // what one read of a file brings is what Head shows
	head, err := peek.Peek(4)
	if err != nil && err != io.EOF && len(head) == 0 {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.r = peek
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		s.r, err = gzip.NewReader(peek)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		var z *zstd.Decoder
		z, err = zstd.NewReader(peek, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		s.r = z
	case bytes.HasPrefix(head, []byte("BZh")):
		s.r, err = bzip2.NewReader(peek), nil
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		s.r, err = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(peek), nil
	default:
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.packed = s.r != io.Reader(peek)
	s.buf = make([]byte, chunk)
	return s, nil
}

// Packed says whether the bytes of the file are not those of its lines.
func (s *Source) Packed() bool { return s.packed }

// Name returns the name for reports.
func (s *Source) Name() string { return s.name }

// Lines returns how many lines were delivered.
func (s *Source) Lines() uint64 { return s.line }

// Size returns the bytes of the underlying file, or -1 if that is not known.
func (s *Source) Size() int64 { return s.size }

// Offset returns how many bytes of the underlying file were read.
func (s *Source) Offset() int64 { return s.raw.n }

// Err returns what ended the reading, with the name and the line reached; nil
// at a proper end.
func (s *Source) Err() error { return s.err }

// Close closes the underlying file.
func (s *Source) Close() error {
	if s.closer == nil {
		return nil
	}
	return s.closer.Close()
}

// Next reads the next line into rec. It returns false at the end, or after an
// error, once everything that came before was delivered.
func (s *Source) Next(rec *Record) bool {
	if s.feed != nil {
		return s.nextRow(rec)
	}
	scanned := 0
	for {
		if i := bytes.IndexByte(s.buf[s.start+scanned:s.end], '\n'); i >= 0 {
			n := scanned + i
			if n > MaxLine {
				return s.skipLong(rec)
			}
			s.deliver(rec, s.buf[s.start:s.start+n], 0)
			s.start += n + 1
			return true
		}
		scanned = s.end - s.start
		if s.eof {
			if scanned == 0 {
				return false
			}
			s.deliver(rec, s.buf[s.start:s.end], Unterminated)
			s.start = s.end
			return true
		}
		if scanned > MaxLine {
			return s.skipLong(rec)
		}
		s.fill()
	}
}

// skipLong delivers the beginning of a line that is too long and passes over the
// rest of it.
func (s *Source) skipLong(rec *Record) bool {
	kept := bytes.Clone(s.buf[s.start : s.start+keptOfLong])
	flaws := TooLong
	for {
		if i := bytes.IndexByte(s.buf[s.start:s.end], '\n'); i >= 0 {
			s.start += i + 1
			break
		}
		s.start, s.end = 0, 0
		if s.eof {
			flaws |= Unterminated
			break
		}
		s.fill()
	}
	s.deliver(rec, kept, flaws)
	return true
}

// fill reads once more, making room as needed.
func (s *Source) fill() {
	if s.end == len(s.buf) {
		if s.start > 0 {
			copy(s.buf, s.buf[s.start:s.end])
			s.start, s.end = 0, s.end-s.start
		} else {
			s.buf = append(s.buf, make([]byte, len(s.buf))...)
		}
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	if err != nil {
		s.eof = true
		if !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			s.err = fmt.Errorf("%s:%d: %w", s.name, s.line, err)
		}
	}
}

func (s *Source) deliver(rec *Record, line []byte, flaws Flaws) {
	s.line++
	if s.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	number := s.line
	if s.from > 0 {
		number = s.from - number
	}
	rec.Data, rec.Ref, rec.Flaws = line, MakeRef(s.number, number), flaws|flawsOf(line)
}

// flawsOf looks for bytes that no text log holds. Nearly every line is plain
// ASCII without control bytes, which eight bytes at a time tell.
func flawsOf(line []byte) (f Flaws) {
	const high, blanks = 0x8080808080808080, 0x2020202020202020
	i := 0
	for ; i+8 <= len(line); i += 8 {
		x := binary.LittleEndian.Uint64(line[i:])
		if (x|((x-blanks)&^x))&high != 0 {
			break // a byte of 0x80 and above, or one below a blank
		}
	}
	ascii := true
	for _, b := range line[i:] {
		if b >= utf8.RuneSelf {
			ascii = false
		} else if b < ' ' && b != '\t' && b != 0x1b {
			f |= Binary
		}
	}
	if !ascii && !utf8.Valid(line) {
		f |= InvalidUTF8
	}
	return f
}

// Head returns up to n of the first lines without consuming them, as far as one
// buffer holds them. It waits for the first whole line and no longer.
func (s *Source) Head(n int) [][]byte {
	if s.feed != nil {
		return s.headRows(n)
	}
	for !s.eof && s.end < len(s.buf) && bytes.IndexByte(s.buf[s.start:s.end], '\n') < 0 {
		s.fill()
	}
	var lines [][]byte
	rest := bytes.TrimPrefix(s.buf[s.start:s.end], []byte("\xef\xbb\xbf"))
	for len(lines) < n && len(rest) > 0 {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole && len(lines) > 0 && !s.eof {
			break
		}
		lines = append(lines, bytes.TrimSuffix(line, []byte("\r")))
		rest = after
	}
	return lines
}
