package hashicorp

import (
	"bytes"

	"github.com/tracecheck/tracecheck/spec"
)

// spans maps the fields that findings point at to the keys of a line.
var spans = [spec.NumFields][]string{
	spec.FieldTerm: {"term", "current-term"}, spec.FieldMessageTerm: {"term"}, spec.FieldPeer: {"from", "peer", "id"},
	spec.FieldLastIndex: {"last-index", "to"}, spec.FieldLastTerm: {"last-term"},
	spec.FieldSnapshotIndex: {"index", "last-index"}, spec.FieldSnapshotTerm: {"last-term"},
	spec.FieldEntryIndex: {"to"}, spec.FieldServer: {"node", "leader", "follower"},
}

// Span implements [adapters.Decoder].
func (d *decoder) Span(data []byte, f spec.Field) (start, end int) {
	var l line
	if !l.readKnown(data) {
		return 0, 0
	}
	if f == spec.FieldAction || f == spec.FieldRole {
		return within(data, l.message)
	}
	for _, key := range spans[f] {
		if start, end = within(data, l.get(key)); end > start {
			return start, end
		}
	}
	return 0, 0
}

// within finds where a part of a line stands in it.
func within(data, part []byte) (start, end int) {
	at := cap(data) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(data) || !bytes.Equal(data[at:at+len(part)], part) {
		return 0, 0
	}
	return at, at + len(part)
}
