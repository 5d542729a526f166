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
		Doc:       "A follower that refuses a request may show what it has at the request's position. That is held against what it has acknowledged to the leader of the term before.",
		Breaks:    "b acknowledges 5..7 of term 3; b refuses a request and shows 6@2",
		Allowed:   "b acknowledges 5..7 of term 3; b refuses a request and shows 6@3",
		Causes:    "entries are appended without looking at what stands there, only the last entry is compared",
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
		Doc:       "What is shared with the leader may have been acknowledged, so it stays; what is left beyond the request's entries after a conflict was never the leader's. The log may be shown between removing and appending.",
		Breaks:    "log 1..5@1 6..9@2; a request with 6@3 after 5@1; the log ends at 4, or at 8",
		Allowed:   "log 1..5@1 6..9@2; a request with 6@3 after 5@1; the log ends at 6@3, or for a moment at 5@1",
		Causes:    "off by one at the conflict, only as many entries replaced as were sent, the prev entry removed too",
		Cite:      "raft.tla HandleAppendEntriesRequest · Raft Figure 2",
		Needs:     ShowsLastIndex | ShowsLogTerms | ShowsReceives,
		Faults:    "F38",
	}
	TruncateKeepsCommitted = &Rule{
		ID: "L05", Name: "no-truncate-committed",
		Statement: "an entry that a server knows to be committed is never removed from its log",
		Doc:       "A committed entry is in the log of every later leader, so no leader can make a follower remove it. If it goes, either the follower is wrong or the entry was never committed: look at the commit first.",
		Breaks:    "log 1..9@2, commit 8; a request with 6@3 after 5; the log ends at 6@3",
		Allowed:   "log 1..9@2, commit 5; a request with 6@3 after 5; the log ends at 6@3",
		Causes:    "the log is cut for a request of a leader that lacks the entry, a commit index taken from a leader without matching the log",
		Cite:      "Raft §5.4, Leader Completeness",
		Needs:     ShowsLastIndex | ShowsCommit,
		Faults:    "F37",
	}
	AppendNeedsRequest = &Rule{
		ID: "L06", Name: "append-needs-append-entries",
		Statement: "the log of a server that is not leader grows only by entries of a request that it received",
		Doc:       "Entries come from the leader of the present term alone. A server may ignore a request, or take only the beginning of its entries.",
		Breaks:    "2 receives entry 1 of term 1; its log ends at 3@1. Or: 2 is in term 2; it takes entries of a request of term 1",
		Allowed:   "2 receives entries 1..3 of term 1; its log ends at 3@1, at 2@1, or stays empty",
		Causes:    "entries created by a follower, a request of an older term accepted, a missing line with the request where the source does not say that it misses lines",
		Cite:      "raft.tla HandleAppendEntriesRequest, no conflict",
		Needs:     ShowsLastIndex | ShowsReceives,
		Faults:    "F42 F48",
	}
	Contiguous = &Rule{
		ID: "L07", Name: "contiguous",
		Statement: "entries are appended without gaps",
		Doc:       "A log with a gap cannot be compared by its last position, which all of Raft does. An index may be written again after the entries from there on were removed.",
		Breaks:    "log ends at 5; entry 8 is written",
		Allowed:   "log ends at 5; entries 6, 7 and 8 are written",
		Causes:    "batches written out of order, an index computed from a length after compaction, a request taken without its prev entry",
		Cite:      "raft.tla HandleAppendEntriesRequest: Len(log[i]) = m.mprevLogIndex",
		Needs:     ShowsLastIndex,
		Faults:    "F34 F47",
	}
	LeaderEntryTerm = &Rule{
		ID: "L08", Name: "leader-entry-term",
		Statement: "the new entries of a leader have its own term",
		Doc:       "The term of an entry names the leader that created it; two leaders that create entries of one term can create different ones at one index. Old entries keep their terms when a leader sends them.",
		Breaks:    "1 leads term 5; it appends 4@4",
		Allowed:   "1 leads term 5; it appends 4@5, and sends 1..3@1 as they are",
		Causes:    "an entry prepared in one term and appended in the next, the term read again after the leader was deposed",
		Cite:      "raft.tla ClientRequest: term |-> currentTerm[i]",
		Needs:     ShowsLogTerms | ShowsRole,
		Faults:    "F40 F41",
	}
	TermsNondecreasing = &Rule{
		ID: "L09", Name: "log-terms-nondecreasing",
		Statement: "terms never fall along a log",
		Doc:       "A leader's log only holds terms up to its own, and followers copy it, so along every log terms stay or rise. An entry of a lower term after a higher one was put there by mistake.",
		Breaks:    "log ends at 6@4; entry 7@3 is written",
		Allowed:   "log ends at 6@4; entry 7@4 or 7@9 is written; or 6@4 is removed and 6@5 written",
		Causes:    "entries of an old request appended after newer ones, terms that are stored apart from their entries",
		Cite:      "Raft §5.3",
		Needs:     ShowsLogTerms,
		Faults:    "F44",
	}
	EntryTermAtMostCurrent = &Rule{
		ID: "L10", Name: "entry-term-at-most-current",
		Statement: "no entry has a term above its server's current term",
		Doc:       "A server enters a term before it creates or receives an entry of it. The first configuration of a bootstrap may be there before the server enters its term.",
		Breaks:    "3 is in term 4; it writes 6@5",
		Allowed:   "3 is in term 4; a request of term 5 arrives; 3 enters term 5 and writes 6@5",
		Causes:    "entries stored before the term is, a request handled without UpdateTerm, a term that was lost in a restart",
		Cite:      "raft.tla ClientRequest, UpdateTerm",
		Needs:     ShowsLogTerms | ShowsTerm,
		Faults:    "F45",
	}
	AckMatchesLog = &Rule{
		ID: "L11", Name: "ack-matches-log",
		Statement: "an acknowledgement names what the log really shares with the leader's",
		Doc:       "The leader counts the acknowledgement towards a commit. Naming less than is shared is allowed.",
		Breaks:    "log ends at 8; 3 acknowledges 9. Or: 3 holds 7@2 where the leader of the term has 7@3; 3 acknowledges 7",
		Allowed:   "log ends at 9, as the leader's; 3 acknowledges 9, or 5",
		Causes:    "acknowledged before it is stored, a conflict that is kept, the end of the own log reported instead of the end of the request",
		Cite:      "raft.tla HandleAppendEntriesRequest: mmatchIndex",
		Needs:     ShowsLastIndex | ShowsSends,
		Faults:    "F36 F49",
	}
	SendsOwnLog = &Rule{
		ID: "L12", Name: "sends-own-log",
		Statement: "a leader sends entries, and the position before them, as they stand in its own log",
		Doc:       "Followers take what a leader sends for its log. If it differs, two servers end up with different entries under one index and term, or a committed one is overwritten.",
		Breaks:    "leader holds 1..4@1 5..6@3; it sends 5@2 after 4@1, or an entry after 5@2",
		Allowed:   "leader holds 1..4@1 5..6@3; it sends 5@3 after 4@1, or 6@3 after 5@3",
		Causes:    "a cache of entries that survives a truncation, a term looked up for the wrong index, a log whose end was not replaced by a snapshot",
		Cite:      "raft.tla AppendEntries: prevLogTerm, entries",
		Needs:     ShowsLogTerms | ShowsSends,
		Faults:    "F53",
	}
	SendsWithinLog = &Rule{
		ID: "L13", Name: "sends-within-log",
		Statement: "a leader sends no entry beyond the end of its log",
		Doc:       "An entry that the leader does not hold was not created by it. A request without entries may name the end of the log.",
		Breaks:    "leader's log ends at 7; it sends 7 to 9",
		Allowed:   "leader's log ends at 7; it sends 7, or nothing after 7",
		Causes:    "nextIndex beyond the end, entries sent while they are being removed, a batch with a wrong count",
		Cite:      "raft.tla AppendEntries: SubSeq(log[i], …)",
		Needs:     ShowsLastIndex | ShowsSends,
		Faults:    "F53",
	}
	AckWithinLeaderLog = &Rule{
		ID: "L14", Name: "match-within-leader-log",
		Statement: "no acknowledgement of a term goes beyond the log of that term's leader",
		Doc:       "A follower shares with its leader no more than the leader has. An acknowledgement of another term, or to another leader, is not meant.",
		Breaks:    "leader of term 4 has a log up to 7; it receives an acknowledgement of 9 of term 4",
		Allowed:   "leader of term 4 has a log up to 7; it receives an acknowledgement of 7, 5 or 7 again",
		Causes:    "the follower reports the end of its own log, an old answer of a server that was removed and added again, a leader that has lost entries",
		Cite:      "raft.tla HandleAppendEntriesResponse: matchIndex",
		Needs:     ShowsLastIndex | ShowsReceives,
		Faults:    "F52",
	}
	EntryOrigin = &Rule{
		ID: "L15", Name: "entry-origin",
		Statement: "only the leader of a term creates entries",
		Doc:       "Two servers that create entries of one term make two different ones at one index. A follower's entries come by AppendEntries.",
		Breaks:    "b leads term 6; a, follower in term 6, appends an entry of its own",
		Allowed:   "a leads term 5; it appends 4@5; then it steps down and appends nothing",
		Causes:    "a proposal that is still in a queue when the leader is deposed, proposals accepted by a server that only forwards them",
		Cite:      "raft.tla ClientRequest: state[i] = Leader",
		Needs:     ShowsRole,
		Faults:    "F41 F42",
	}
)
