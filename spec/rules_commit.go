package spec

// The rules about commitment, application and reads.
var (
	CommitQuorum = &Rule{
		ID: "C01", Name: "commit-quorum",
		Statement: "a leader commits an entry only if a majority of its configuration has acknowledged it",
		Doc:       "Only then will every later leader have the entry. What counts is what the leader has heard, in this term, from voters.",
		Breaks:    "5 voters; two acknowledgements of 7, the leader's own included; commit 7",
		Allowed:   "5 voters; three acknowledgements of 7; commit 7",
		Causes:    "learners counted, own entries counted before they are written, an old configuration used",
		Cite:      "raft.tla AdvanceCommitIndex: Agree(index) ∈ Quorum · Raft §5.3",
		Needs:     ShowsCommit | ShowsReceives | ShowsConfig,
		Faults:    "F16 F50 F56 F57 F84 F86 F88",
	}
	CommitCurrentTerm = &Rule{
		ID: "C02", Name: "leader-commit-current-term",
		Statement: "a leader counts replicas only for entries of its own term; older ones are committed together with one of them",
		Doc:       "An entry of an older term can be on a majority and still be overwritten (Figure 8); an entry of the leader's own term protects it.",
		Breaks:    "leader of term 4 counts 3 of 5 for an entry of term 2 and commits it",
		Allowed:   "leader of term 4 commits an entry of term 2 together with one of term 4",
		Causes:    "no entry appended at the start of a term, the term check left out",
		Cite:      "raft.tla AdvanceCommitIndex: log[i][…].term = currentTerm[i] · Raft §5.4.2, Figure 8",
		Needs:     ShowsCommit | ShowsReceives | ShowsConfig | ShowsLastIndex,
		Faults:    "F55",
	}
	FollowerCommitTold = &Rule{
		ID: "C03", Name: "follower-commit-told",
		Statement: "a follower commits no further than a leader has told it",
		Cite:      "raft.tla HandleAppendEntriesRequest: commitIndex' = m.mcommitIndex",
		Needs:     ShowsCommit | ShowsReceives,
		Faults:    "F58",
	}
	FollowerCommitMatched = &Rule{
		ID: "C04", Name: "follower-commit-matched",
		Statement: "a follower commits only what its log shares with its leader's",
		Cite:      "Raft Figure 2: min(leaderCommit, index of last new entry)",
		Needs:     ShowsCommit | ShowsLogTerms | ShowsReceives,
		Faults:    "F58",
	}
	CommitWithinLog = &Rule{
		ID: "C05", Name: "commit-within-log",
		Statement: "no commit index is beyond the end of the log",
		Cite:      "Raft §5.3",
		Needs:     ShowsCommit | ShowsLastIndex,
		Faults:    "F60",
	}
	CommitMonotonic = &Rule{
		ID: "C06", Name: "commit-monotonic",
		Statement: "a commit index never falls while a server runs",
		Cite:      "Raft Figure 2: commitIndex increases monotonically",
		Needs:     ShowsCommit,
		Faults:    "F59",
	}
	ApplyCommitted = &Rule{
		ID: "C07", Name: "apply-committed",
		Statement: "only committed entries are applied",
		Cite:      "Raft Figure 2: commitIndex > lastApplied",
		Needs:     ShowsApply | ShowsCommit,
		Faults:    "F63",
	}
	ApplyInOrder = &Rule{
		ID: "C08", Name: "apply-in-order",
		Statement: "entries are applied once and in order while a server runs",
		Cite:      "Raft Figure 2: lastApplied",
		Needs:     ShowsApply,
		Faults:    "F64",
	}
	ApplyOwnLog = &Rule{
		ID: "C09", Name: "apply-own-log",
		Statement: "a server applies the entry that its log holds",
		Cite:      "Raft §5.3",
		Needs:     ShowsApply | ShowsLogTerms,
		Faults:    "F65",
	}
	AckImpliesCommitted = &Rule{
		ID: "C10", Name: "ack-implies-committed",
		Statement: "a client is told of success only after its entry is committed",
		Cite:      "Raft §5.3, §8",
		Needs:     ShowsClientAcks | ShowsCommit,
		Faults:    "F67",
	}
	ReadAfterOwnCommit = &Rule{
		ID: "C11", Name: "read-after-own-commit",
		Statement: "a leader serves reads only after it has committed an entry of its own term",
		Cite:      "Raft §8 · thesis §6.4",
		Needs:     ShowsReads | ShowsCommit | ShowsRole,
		Faults:    "F68",
	}
	SendsOwnCommit = &Rule{
		ID: "C12", Name: "sends-own-commit",
		Statement: "a leader tells others of no commit index above its own",
		Cite:      "raft.tla AppendEntries: mcommitIndex",
		Needs:     ShowsCommit | ShowsSends,
		Faults:    "F56",
	}
	SignedCommit = &Rule{
		ID: "C13", Name: "commit-ends-with-signature",
		Statement: "where only signatures may end a commit, a leader commits up to a signature",
		Cite:      "CCF consensus: committable indices",
		Needs:     ShowsCommit,
		Faults:    "F56",
	}
)
