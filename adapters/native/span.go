package native

import (
	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// spans says where a line may have what a finding points at; the first that is
// there counts.
var spans = [spec.NumFields][]string{
	spec.FieldAction:         {"action"},
	spec.FieldServer:         {"server"},
	spec.FieldPeer:           {"peer", "message.from", "message.to"},
	spec.FieldRole:           {"after.role", "before.role"},
	spec.FieldTerm:           {"after.currentTerm", "before.currentTerm"},
	spec.FieldVote:           {"after.votedFor", "before.votedFor"},
	spec.FieldLastIndex:      {"after.lastLogIndex", "before.lastLogIndex"},
	spec.FieldLastTerm:       {"after.lastLogTerm", "before.lastLogTerm"},
	spec.FieldCommit:         {"after.commitIndex", "before.commitIndex", "index"},
	spec.FieldApplied:        {"after.lastApplied", "before.lastApplied"},
	spec.FieldConfig:         {"after.config", "before.config", "entry.config", "entries.0.config"},
	spec.FieldMessageTerm:    {"message.term"},
	spec.FieldMessageIndex:   {"message.prevLogIndex", "message.lastLogIndex", "message.matchIndex", "message.lastIncludedIndex", "message.conflictIndex"},
	spec.FieldMessageLogTerm: {"message.prevLogTerm", "message.lastLogTerm", "message.lastIncludedTerm", "message.conflictTerm"},
	spec.FieldMessageEntries: {"message.entries"},
	spec.FieldMessageCommit:  {"message.leaderCommit"},
	spec.FieldMessageResult:  {"message.voteGranted", "message.success"},
	spec.FieldLeaderMatch:    {"message.leaderMatchIndex"},
	spec.FieldEntryIndex:     {"entry.index", "index", "entries.0.index", "message.entries.0.index"},
	spec.FieldEntryTerm:      {"entry.term", "term", "entries.0.term", "message.entries.0.term"},
	spec.FieldEntryHash:      {"entry.hash", "entries.0.hash", "message.entries.0.hash", "stateHash"},
	spec.FieldSnapshotIndex:  {"index", "after.snapshot.index", "before.snapshot.index", "message.lastIncludedIndex"},
	spec.FieldSnapshotTerm:   {"term", "after.snapshot.term", "before.snapshot.term", "message.lastIncludedTerm"},
}

// Span implements [adapters.Decoder].
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	for _, path := range spans[f] {
		if start, end = adapters.JSONSpan(line, path); end > start {
			return start, end
		}
	}
	return 0, 0
}
