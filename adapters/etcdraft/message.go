package etcdraft

import "github.com/tracecheck/tracecheck/spec"

// messageTypes has the messages that raft traces. Pre-votes, MsgTimeoutNow and
// messages that never leave a node are not traced.
var messageTypes = map[string]spec.MessageType{
	"MsgApp":           spec.AppendEntriesRequest,
	"MsgAppResp":       spec.AppendEntriesResponse,
	"MsgHeartbeat":     spec.HeartbeatRequest,
	"MsgHeartbeatResp": spec.HeartbeatResponse,
	"MsgSnap":          spec.InstallSnapshotRequest,
	"MsgVote":          spec.RequestVoteRequest,
	"MsgVoteResp":      spec.RequestVoteResponse,
}

// message fills m from a traced message. All keys are always written; which of
// them say anything depends on the type. A key that a line lacks is unknown.
func (c *cluster) message(e *event, kind spec.MessageType, m *spec.Message) {
	w := &e.message
	m.Type = kind
	m.From, m.To = c.server(e, w.from), c.server(e, w.to)
	if w.term != 0 { // zero marks a message that did not come over the network
		m.Has |= spec.MsgTerm
		m.Term = w.term
	}
	switch kind {
	case spec.AppendEntriesRequest:
		m.LogIndex, m.LogTerm, m.Entries, m.Commit = w.index, w.logTerm, w.entries, w.commit
		m.Has |= given(e.has, msgIndex, spec.MsgLogIndex) | given(e.has, msgLogTerm, spec.MsgLogTerm) |
			given(e.has, msgEntries, spec.MsgEntries) | given(e.has, msgCommit, spec.MsgCommit)
	case spec.RequestVoteRequest:
		m.LogIndex, m.LogTerm = w.index, w.logTerm
		m.Has |= given(e.has, msgIndex, spec.MsgLogIndex) | given(e.has, msgLogTerm, spec.MsgLogTerm)
	case spec.HeartbeatRequest: // index and logTerm are zero and mean nothing
		m.Commit = w.commit
		m.Has |= given(e.has, msgCommit, spec.MsgCommit)
	case spec.InstallSnapshotRequest: // entries is the index of the snapshot; its term is not told
		m.LogIndex = w.entries
		m.Has |= given(e.has, msgEntries, spec.MsgLogIndex)
	case spec.RequestVoteResponse:
		m.Success = !w.reject
		m.Has |= given(e.has, msgReject, spec.MsgSuccess)
	case spec.AppendEntriesResponse:
		m.Success = !w.reject
		m.Has |= given(e.has, msgReject, spec.MsgSuccess)
		answer(e, m)
	}
}

// answer fills in what an MsgAppResp says of the receiver's log. An acceptance
// has in index the last index that is surely shared: the last of the request,
// the commit index for a request that ends before it, the end of the log after a
// snapshot, or zero, which says nothing, to a leader of an older term. A
// rejection repeats the request's index there; in rejectHint it has a lower
// index of the receiver's own log, and in logTerm the term of its entry there,
// or zero if it is compacted or not there.
func answer(e *event, m *spec.Message) {
	w := &e.message
	switch {
	case m.Has&spec.MsgSuccess == 0:
	case m.Success:
		m.Match = w.index
		m.Has |= given(e.has, msgIndex, spec.MsgMatch)
	case w.logTerm != 0 && e.has&msgRejectHint != 0:
		m.LogIndex, m.LogTerm = w.rejectHint, w.logTerm
		m.Has |= spec.MsgLogIndex | spec.MsgLogTerm
	}
}

// given returns field if key is among the keys of a line.
func given(has, key keys, field spec.MessageFields) spec.MessageFields {
	if has&key != 0 {
		return field
	}
	return 0
}
