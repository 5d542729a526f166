package etcdraft

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// paths says where a field stands in an event; a field that no event shows has
// no path. Where it depends on the event, path knows better.
var paths = [spec.NumFields]string{
	spec.FieldAction:         "name",
	spec.FieldServer:         "nid",
	spec.FieldRole:           "role",
	spec.FieldTerm:           "state.term",
	spec.FieldVote:           "state.vote",
	spec.FieldLastIndex:      "log",
	spec.FieldCommit:         "state.commit",
	spec.FieldConfig:         "conf",
	spec.FieldPeer:           "msg.to",
	spec.FieldMessageTerm:    "msg.term",
	spec.FieldMessageIndex:   "msg.index",
	spec.FieldMessageLogTerm: "msg.logTerm",
	spec.FieldMessageEntries: "msg.entries",
	spec.FieldMessageCommit:  "msg.commit",
	spec.FieldMessageResult:  "msg.reject",
	spec.FieldEntryIndex:     "index",
	spec.FieldEntryTerm:      "term",
	spec.FieldEntryHash:      "data",
}

// Span implements [adapters.Decoder].
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	event, prefix := gjson.GetBytes(line, "event"), "event."
	if !event.IsObject() {
		event, prefix = gjson.ParseBytes(line), ""
	}
	p := path(event, f)
	if p == "" {
		return 0, 0
	}
	return adapters.JSONSpan(line, prefix+p)
}

// path returns where a field stands in an event.
func path(event gjson.Result, f spec.Field) string {
	kind := event.Get("msg.type").Str
	switch {
	case f == spec.FieldPeer && strings.HasPrefix(event.Get("name").Str, "Receive"):
		return "msg.from"
	case kind == "MsgSnap" && (f == spec.FieldMessageIndex || f == spec.FieldSnapshotIndex):
		return "msg.entries"
	case kind == "MsgAppResp" && f == spec.FieldMessageIndex && event.Get("msg.reject").Bool():
		return "msg.rejectHint"
	}
	return paths[f]
}
