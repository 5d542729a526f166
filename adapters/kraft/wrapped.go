package kraft

import (
	"bytes"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// A log that was copied from a page or a terminal has long messages broken into
// several lines. Where a message ends too early it is held, and read together with
// the lines that follow until it is whole; a line that has a time or a node of its
// own says that it was cut.

const whyWrapped = "goes on in the next line"

// In how many lines, and how many bytes, a message is looked for.
const (
	maxParts = 12
	maxHeld  = 1 << 16
)

// hold keeps a line whose message goes on.
func (d *decoder) hold(line []byte) bool {
	if len(line) > maxHeld {
		return false
	}
	d.held, d.parts = append(d.held[:0], bytes.TrimRight(line, " \r")...), 1
	return true
}

// goesOn reads what is held together with the next line. It is not done if that
// line has to be read by itself.
func (d *decoder) goesOn(rec *ingest.Record, a *spec.Action) (out adapters.Outcome, done bool) {
	line := bytes.TrimSpace(rec.Data)
	if _, own := find(line); own || clock(line) != 0 || len(d.held)+len(line) > maxHeld {
		d.held = d.held[:0]
		out, cut := d.line(rec.Data, a)
		if cut && d.hold(rec.Data) {
			out = adapters.Outcome{Verdict: adapters.Ignored, Why: whyWrapped}
		}
		if out.Warn == nil {
			out.Warn = adapters.CutLine // of the line before
		}
		return out, true
	}
	before := len(d.held)
	for _, between := range [...]string{" ", ""} { // it was broken at a space, or anywhere
		d.held = append(append(d.held[:before], between...), line...)
		if out, cut := d.line(d.held, a); !cut {
			d.held = d.held[:0]
			return out, true
		}
	}
	if d.parts++; d.parts >= maxParts {
		d.held = d.held[:0]
		return adapters.Outcome{Verdict: adapters.Damaged, Why: "a message of the quorum is cut"}, true
	}
	d.held = append(append(d.held[:before], ' '), line...)
	return adapters.Outcome{Verdict: adapters.Ignored, Why: whyWrapped}, true
}
