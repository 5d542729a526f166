package hashicorp

import (
	"unsafe"

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
		if start, end = within(data, l.message); end == start {
			start, end = within(data, l.text) // a sentence of an old version
		}
		return start, end
	}
	for _, key := range spans[f] {
		if start, end = within(data, l.get(key)); end > start {
			return start, end
		}
	}
	return 0, 0
}

// within finds where a part of a line stands in it: parts are slices of the line,
// but for a JSON string that has to be unescaped.
func within(data, part []byte) (start, end int) {
	if len(part) == 0 || len(data) == 0 {
		return 0, 0
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	at := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	if at < first || at+uintptr(len(part)) > first+uintptr(len(data)) {
		return 0, 0
	}
	return int(at - first), int(at-first) + len(part)
}
