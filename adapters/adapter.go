package adapters

import (
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// Adapter describes a source of traces. It is a constant value; adapters are
// listed in an explicit slice in cmd/tracecheck.
type Adapter struct {
	Name  string     // as given to -a
	Title string     // one line: what it reads
	Doc   string     // a few sentences: how the source is switched on, what it cannot show
	Shows spec.Facts // what the source shows when nothing is left out

	// Rules are the rules of its protocol beside the invariants; nil is those of Raft.
	Rules []*spec.Rule

	// Sniff looks at the first lines of a source, at most 64, and returns how
	// sure it is that they are its own: 0 not at all, 100 certain.
	Sniff func(lines [][]byte) int

	// New returns a decoder for one trace. Names, configurations and groups are
	// interned in groups, which is the decoder's to fill.
	New func(groups *spec.Groups) Decoder
}

// Decoder turns the lines of one trace into actions, in order.
type Decoder interface {
	// Decode reads one record. If it returns [Checked] it has filled a, which the
	// caller has reset; the group of a.Group exists in the groups then. It never
	// panics, whatever the bytes are.
	Decode(rec *ingest.Record, a *spec.Action) Outcome

	// Span finds what the field f is written as in a line that Decode has
	// understood: line[start:end], or 0, 0 if it is not there. It is called for
	// findings only and may be slow.
	Span(line []byte, f spec.Field) (start, end int)
}

// Introduced is a [Decoder] of traces whose lines may not say whose they are. It
// is told before the first line, and only if the source is a file, what the file
// is called and which lines are the first.
type Introduced interface {
	Introduce(file string, head [][]byte)
}

// Verdict is what became of a line. Every line gets exactly one.
type Verdict uint8

const (
	// Checked: the line is an action and was replayed.
	Checked Verdict = iota
	// Ignored: the line is known to say nothing about the protocol; Why names
	// which kind of line it is.
	Ignored
	// Unrecognised: the line is well formed and the adapter does not know it.
	Unrecognised
	// Damaged: the line cannot be read; Why says what is wrong with it.
	Damaged
)

// Outcome is a [Verdict] with its reason. Why is one of a small number of
// constant strings, so that outcomes can be counted by it.
type Outcome struct {
	Verdict Verdict
	Why     string
	Warn    *spec.Rule // a Q rule that a readable line breaks, such as a key that stands twice; else nil
}
