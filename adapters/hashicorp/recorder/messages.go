package recorder

import "github.com/hashicorp/raft"

// What the lines show of messages, the same at both ends.

// heartbeat reports whether a request is no consistency check: it has no
// position, no entries and no commit index, and says nothing of the log.
func heartbeat(r *raft.AppendEntriesRequest) bool {
	return r.PrevLogEntry == 0 && len(r.Entries) == 0 && r.LeaderCommitIndex == 0
}

func appendRequest(r *raft.AppendEntriesRequest) (name string, message fields) {
	if heartbeat(r) {
		return "Heartbeat", fields{"term": r.Term}
	}
	return "AppendEntries", fields{"term": r.Term, "prevLogIndex": r.PrevLogEntry, "prevLogTerm": r.PrevLogTerm,
		"entries": entries(r.Entries), "leaderCommit": r.LeaderCommitIndex}
}

// appendResponse is the answer to a request. What it acknowledges follows from the
// request: its LastLog is the end of the log from before the append.
func appendResponse(r *raft.AppendEntriesRequest, response any) (fields, bool) {
	a, ok := response.(*raft.AppendEntriesResponse)
	if !ok {
		return nil, false
	}
	message := fields{"term": a.Term, "success": a.Success}
	if a.Success && !heartbeat(r) {
		message["matchIndex"] = r.PrevLogEntry + uint64(len(r.Entries))
	}
	return message, true
}

func voteRequest(r *raft.RequestVoteRequest) fields {
	return fields{"term": r.Term, "lastLogIndex": r.LastLogIndex, "lastLogTerm": r.LastLogTerm, "transfer": r.LeadershipTransfer}
}

func preVoteRequest(r *raft.RequestPreVoteRequest) fields {
	return fields{"term": r.Term, "lastLogIndex": r.LastLogIndex, "lastLogTerm": r.LastLogTerm}
}

func voteResponse(response any) (fields, bool) {
	switch a := response.(type) {
	case *raft.RequestVoteResponse:
		return fields{"term": a.Term, "voteGranted": a.Granted}, true
	case *raft.RequestPreVoteResponse:
		return fields{"term": a.Term, "voteGranted": a.Granted}, true
	}
	return nil, false
}

func snapshotRequest(r *raft.InstallSnapshotRequest) fields {
	return fields{"term": r.Term, "lastIncludedIndex": r.LastLogIndex, "lastIncludedTerm": r.LastLogTerm}
}

func snapshotResponse(response any) (fields, bool) {
	a, ok := response.(*raft.InstallSnapshotResponse)
	if !ok {
		return nil, false
	}
	return fields{"term": a.Term, "success": a.Success}, true
}
