package mapping

import (
	"bytes"

	"github.com/tracecheck/tracecheck/spec"
)

// places are the keys of a row whose captured value shows a field: first those of
// the state, then those of the message or the entry.
var places = [spec.NumFields][]string{
	spec.FieldTerm: {"currentTerm"}, spec.FieldRole: {"role"}, spec.FieldVote: {"votedFor", "to"},
	spec.FieldLastIndex: {"lastIndex"}, spec.FieldLastTerm: {"lastTerm"}, spec.FieldCommit: {"commitIndex", "index"},
	spec.FieldApplied: {"appliedIndex", "index"}, spec.FieldMessageTerm: {"term"}, spec.FieldPeer: {"from", "to", "peer"},
	spec.FieldMessageIndex: {"logIndex", "match"}, spec.FieldMessageLogTerm: {"logTerm"},
	spec.FieldMessageEntries: {"entries"}, spec.FieldMessageCommit: {"commit"}, spec.FieldMessageResult: {"success"},
	spec.FieldEntryIndex: {"index"}, spec.FieldEntryTerm: {"term"}, spec.FieldEntryHash: {"contents"},
	spec.FieldSnapshotIndex: {"snapshotIndex"}, spec.FieldSnapshotTerm: {"snapshotTerm"}, spec.FieldServer: {"server"},
}

// Span implements [adapters.Decoder]. Of a record of several lines only the last is
// at hand, so the whole of it is pointed at.
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	r := reading{line: line}
	if !d.mapping.unwrap(&r) {
		return 0, 0
	}
	base := bytes.Index(line, r.message)
	if base < 0 || len(r.message) == 0 {
		return 0, 0 // a JSON string that has to be unescaped
	}
	if !d.find(&r) {
		return base, base + len(r.message)
	}
	if f == spec.FieldAction {
		return base + r.match[0], base + r.match[1]
	}
	for _, key := range places[f] {
		name := r.row.variable(key)
		if i := r.row.pattern.SubexpIndex(name); i > 0 && r.match[2*i] >= 0 {
			return base + r.match[2*i], base + r.match[2*i+1]
		}
	}
	if f == spec.FieldTerm || f == spec.FieldMessageTerm || f == spec.FieldRole {
		return base + r.match[0], base + r.match[1]
	}
	return 0, 0
}

// variable is the name of the capture that a key gets; empty if it gets none.
func (r *row) variable(key string) string {
	for _, list := range [][]value{r.before, r.after, r.about, r.entry, {r.server, r.index, r.term, r.peer}} {
		for _, v := range list {
			if v.key == key && v.variable {
				return v.text
			}
		}
	}
	return key
}
