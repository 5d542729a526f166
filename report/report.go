package report

import (
	"cmp"
	"fmt"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// Report is everything that a report may show of one trace.
type Report struct {
	Tool    string // "tracecheck"
	Version string
	Trace   string // the name of the trace, as given on the command line; "<stdin>"
	Adapter string
	Files   string // which files were put together, and as what; empty for a file by itself
	How     string // how the adapter was chosen: "detected from the first 64 lines", "given with -a"

	Lines   Lines
	Summary *replay.Summary
	Groups  *spec.Groups

	// Incomplete is why the trace was not read to its end: "interrupted", or the
	// error that ended the reading. Empty if it was.
	Incomplete string

	// Findings are those of the Summary with their positions and source lines.
	Findings []Finding
}

// Lines accounts for every line that was read:
// Read = Checked + Ignored + Unrecognised + Damaged.
type Lines struct {
	Read, Checked, Ignored, Unrecognised, Damaged uint64
	Blank                                         uint64 // the part of Ignored that was empty
	Reasons                                       []Reason
}

// Reason counts lines that were ignored or damaged for one reason, sorted by
// kind and name.
type Reason struct {
	Kind  string // "ignored", "damaged", "unrecognised"
	Name  string
	Count uint64
	First Position
}

// Position is a resolved [spec.Ref].
type Position struct {
	Source string `json:"source"`         // file name as given, "<stdin>", or archive member
	Line   uint64 `json:"line"`           // from 1; an offset is from 0
	Unit   string `json:"unit,omitempty"` // "offset" if Line is one; empty if it is a line
}

// String is a position for people.
func (p Position) String() string {
	if p.Unit != "" {
		return fmt.Sprintf("%s %s %d", p.Source, p.Unit, p.Line)
	}
	return fmt.Sprintf("%s:%d", p.Source, p.Line)
}

// within is String without the source.
func (p Position) within() string {
	return fmt.Sprintf("%s %d", cmp.Or(p.Unit, "line"), p.Line)
}

// Finding is a [replay.Finding] with what the reader of a report needs beside it.
type Finding struct {
	*replay.Finding
	Pos  Position
	Last Position // of the last folded repeat; zero if there is none
	Line []byte   // the source line at Pos; nil if there is none
	// Spans are the places in Line that show the breach, in order, without overlap.
	Spans [][2]int
	Why   []Evidence
}

// Evidence is a [spec.Evidence] with its position resolved.
type Evidence struct {
	spec.Evidence
	Pos Position
}
