package spec

// The rules about the log.
var (
	PrevMatch = &Rule{
		ID: "L01", Name: "prev-match",
		Statement: "a follower takes entries only if its log holds the entry that they follow",
		Doc:       "It is the induction step of Log Matching. A refusal is always allowed.",
		Breaks:    "log holds 8@4; entries after 8@6 are taken",
		Allowed:   "log holds 8@4; entries after 8@6 are refused",
		Causes:    "only the length is compared, a compacted prefix is trusted without its term",
		Cite:      "raft.tla HandleAppendEntriesRequest: logOk · Raft §5.3",
		Needs:     ShowsLastIndex | ShowsLogTerms | ShowsReceives,
		Faults:    "F33",
	}
	ConflictRemoved = &Rule{
		ID: "L02", Name: "conflict-removed",
		Statement: "a follower that has accepted entries holds no entry that conflicts with them",
		Cite:      "raft.tla HandleAppendEntriesRequest, conflict · Raft §5.3, Figure 2",
		Needs:     ShowsLogTerms | ShowsSends,
		Faults:    "F36",
	}
	TruncateNeedsConflict = &Rule{
		ID: "L03", Name: "truncate-needs-conflict",
		Statement: "a follower removes entries only if one of them conflicts with an entry that its leader sent",
		Doc:       "A request may be old or repeated: what follows its entries may have been acknowledged since.",
		Breaks:    "log 1..10; an old request with entry 5, which is there; 6..10 removed",
		Allowed:   "log 1..10@2; a request with 5@3; 5..10 removed",
		Causes:    "the log is cut after the last entry of every request",
		Cite:      "raft.tla HandleAppendEntriesRequest, conflict · Raft Figure 2",
		Needs:     ShowsLastIndex | ShowsReceives,
		Faults:    "F35 F48",
	}
	TruncateAtConflict = &Rule{
		ID: "L04", Name: "truncate-at-conflict",
		Statement: "a follower keeps what it shares with its leader, and what follows it ends where the request's entries end",
		Cite:      "raft.tla HandleAppendEntriesRequest · Raft Figure 2",
		Needs:     ShowsLastIndex | ShowsLogTerms | ShowsReceives,
		Faults:    "F38",
	}
	TruncateKeepsCommitted = &Rule{
		ID: "L05", Name: "no-truncate-committed",
		Statement: "an entry that a server knows to be committed is never removed from its log",
		Cite:      "Raft §5.4, Leader Completeness",
		Needs:     ShowsLastIndex | ShowsCommit,
		Faults:    "F37",
	}
	AppendNeedsRequest = &Rule{
		ID: "L06", Name: "append-needs-append-entries",
		Statement: "the log of a server that is not leader grows only by entries of a request that it received",
		Cite:      "raft.tla HandleAppendEntriesRequest, no conflict",
		Needs:     ShowsLastIndex | ShowsReceives,
		Faults:    "F42 F48",
	}
	Contiguous = &Rule{
		ID: "L07", Name: "contiguous",
		Statement: "entries are appended without gaps",
		Cite:      "raft.tla HandleAppendEntriesRequest: Len(log[i]) = m.mprevLogIndex",
		Needs:     ShowsLastIndex,
		Faults:    "F34 F47",
	}
	LeaderEntryTerm = &Rule{
		ID: "L08", Name: "leader-entry-term",
		Statement: "the new entries of a leader have its own term",
		Cite:      "raft.tla ClientRequest: term |-> currentTerm[i]",
		Needs:     ShowsLogTerms | ShowsRole,
		Faults:    "F40 F41",
	}
	TermsNondecreasing = &Rule{
		ID: "L09", Name: "log-terms-nondecreasing",
		Statement: "terms never fall along a log",
		Cite:      "Raft §5.3",
		Needs:     ShowsLogTerms,
		Faults:    "F44",
	}
	EntryTermAtMostCurrent = &Rule{
		ID: "L10", Name: "entry-term-at-most-current",
		Statement: "no entry has a term above its server's current term",
		Cite:      "raft.tla ClientRequest, UpdateTerm",
		Needs:     ShowsLogTerms | ShowsTerm,
		Faults:    "F45",
	}
	AckMatchesLog = &Rule{
		ID: "L11", Name: "ack-matches-log",
		Statement: "an acknowledgement names what the log really shares with the leader's",
		Cite:      "raft.tla HandleAppendEntriesRequest: mmatchIndex",
		Needs:     ShowsLastIndex | ShowsSends,
		Faults:    "F36 F49",
	}
	SendsOwnLog = &Rule{
		ID: "L12", Name: "sends-own-log",
		Statement: "a leader sends entries, and the position before them, as they stand in its own log",
		Cite:      "raft.tla AppendEntries: prevLogTerm, entries",
		Needs:     ShowsLogTerms | ShowsSends,
		Faults:    "F53",
	}
	SendsWithinLog = &Rule{
		ID: "L13", Name: "sends-within-log",
		Statement: "a leader sends no entry beyond the end of its log",
		Cite:      "raft.tla AppendEntries: SubSeq(log[i], …)",
		Needs:     ShowsLastIndex | ShowsSends,
		Faults:    "F53",
	}
	AckWithinLeaderLog = &Rule{
		ID: "L14", Name: "match-within-leader-log",
		Statement: "no acknowledgement of a term goes beyond the log of that term's leader",
		Cite:      "raft.tla HandleAppendEntriesResponse: matchIndex",
		Needs:     ShowsLastIndex | ShowsReceives,
		Faults:    "F52",
	}
	EntryOrigin = &Rule{
		ID: "L15", Name: "entry-origin",
		Statement: "only the leader of a term creates entries",
		Cite:      "raft.tla ClientRequest: state[i] = Leader",
		Needs:     ShowsRole,
		Faults:    "F41 F42",
	}
)
