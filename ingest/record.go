package ingest

import "github.com/tracecheck/tracecheck/spec"

// Record is one line of a source.
type Record struct {
	Data  []byte   // without the line end; valid until the next record is read
	Ref   spec.Ref // its position
	Flaws Flaws    // what is wrong with it as text
	Aside string   // why it is no line of the trace; see [Row]
}

// Flaws is the set of things that are wrong with a record as text.
type Flaws uint8

const (
	// TooLong: the line is longer than MaxLine bytes. Data holds its beginning.
	TooLong Flaws = 1 << iota
	// Unterminated: the last line has no line end. Alone it means little; with a
	// line that does not parse it means that the file was cut.
	Unterminated
	// InvalidUTF8: the line is not valid UTF-8.
	InvalidUTF8
	// Binary: the line holds NUL or other control bytes that no text log holds.
	Binary
	// Lost: it stands for records that are missing; see [Row].
	Lost
)

// MaxLine is the length in bytes of the longest line that is read whole. A
// longer one is damaged, and reading goes on after it.
const MaxLine = 16 << 20

// A Ref holds the number of the source in the upper 16 bits and the line,
// counted from 1, in the lower 48.
const lineBits = 48

// MakeRef returns the position of a line, counted from 1, of a source.
func MakeRef(source int, line uint64) spec.Ref {
	return spec.Ref(uint64(source)<<lineBits | line)
}

// SplitRef is the inverse of [MakeRef].
func SplitRef(ref spec.Ref) (source int, line uint64) {
	return int(ref >> lineBits), uint64(ref) & (1<<lineBits - 1)
}
