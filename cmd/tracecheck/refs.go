package main

import (
	"math/bits"

	"github.com/tracecheck/tracecheck/spec"
)

// refs makes the positions of the lines of several files, so that a line that comes
// later in the merged order has a higher one: evidence is listed by position. Above
// the number of the file and the line stands a count of how often the next line had
// a lower one than the line before. Once that is full, a thousand million lines on
// with three files, positions are in order within each file only.
type refs struct {
	files uint // bits of the number of a file
	turns uint64
	last  uint64 // the position of the last line, without the turns
}

// refLine is how many bits the number of a line has.
const refLine = 30

func newRefs(files int) *refs { return &refs{files: uint(bits.Len(uint(files)))} }

// next returns the position of the next line.
func (r *refs) next(file int, line uint64) spec.Ref {
	at := uint64(r.of(file, line))
	if at <= r.last && r.turns < 1<<(64-refLine-r.files)-1 {
		r.turns++
	}
	r.last = at
	return spec.Ref(r.turns<<(refLine+r.files) | at)
}

// of returns a position without a place in the order.
func (r *refs) of(file int, line uint64) spec.Ref {
	return spec.Ref(uint64(file)<<refLine | line&(1<<refLine-1))
}

// split is the inverse of next and of.
func (r *refs) split(ref spec.Ref) (file int, line uint64) {
	return int(uint64(ref) >> refLine & (1<<r.files - 1)), uint64(ref) & (1<<refLine - 1)
}
