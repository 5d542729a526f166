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
		Doc:       "Commitment is the leader's to decide. A follower may stay behind what it was told, or hear of it through a snapshot.",
		Breaks:    "2 receives leaderCommit 3 at most; its commit index is 4",
		Allowed:   "2 receives leaderCommit 3; its commit index is 3, or 1 and later 3",
		Causes:    "the end of the own log taken for the commit index, acknowledgements counted by a follower, a request of an older term believed",
		Cite:      "raft.tla HandleAppendEntriesRequest: commitIndex' = m.mcommitIndex",
		Needs:     ShowsCommit | ShowsReceives,
		Faults:    "F58",
	}
	FollowerCommitMatched = &Rule{
		ID: "C04", Name: "follower-commit-matched",
		Statement: "a follower commits only what its log shares with its leader's",
		Doc:       "leaderCommit speaks of the leader's log. What follows the last entry that is known to match may be another entry here.",
		Breaks:    "2 holds 9@1 10@2, the leader of term 3 has 9@1 10@3; a request after 9@1 with no entries says leaderCommit 11; 2 commits 10",
		Allowed:   "the same request; 2 commits 9",
		Causes:    "min(leaderCommit, end of the own log) instead of min(leaderCommit, end of what matched)",
		Cite:      "Raft Figure 2: min(leaderCommit, index of last new entry)",
		Needs:     ShowsCommit | ShowsLogTerms | ShowsReceives,
		Faults:    "F58",
	}
	CommitWithinLog = &Rule{
		ID: "C05", Name: "commit-within-log",
		Statement: "no commit index is beyond the end of the log",
		Doc:       "What is committed is held by a majority, and this server cannot say of an entry that it does not have what it is. A server that restarts may know a commit index only if its log reaches it.",
		Breaks:    "log ends at 3; commit index 5",
		Allowed:   "log ends at 3; leaderCommit 5 arrives; commit index 3",
		Causes:    "leaderCommit taken as it is, a commit index that was stored and a log that was not, entries removed below it",
		Cite:      "Raft §5.3",
		Needs:     ShowsCommit | ShowsLastIndex,
		Faults:    "F60",
	}
	CommitMonotonic = &Rule{
		ID: "C06", Name: "commit-monotonic",
		Statement: "a commit index never falls while a server runs",
		Doc:       "What is committed stays so for ever. A restart may forget the index, which is not persistent state, and learn it again.",
		Breaks:    "a's commit index is 9; then 7, with no restart between",
		Allowed:   "a's commit index is 9; a restarts; its commit index is 0, then 7",
		Causes:    "a late request with a lower leaderCommit, an index recomputed after a membership change, a restored older snapshot",
		Cite:      "Raft Figure 2: commitIndex increases monotonically",
		Needs:     ShowsCommit,
		Faults:    "F59",
	}
	ApplyCommitted = &Rule{
		ID: "C07", Name: "apply-committed",
		Statement: "only committed entries are applied",
		Doc:       "An applied entry cannot be taken back from the state machine, and only a committed one is sure to stay.",
		Breaks:    "commit index 4; entry 5 is applied",
		Allowed:   "commit index 4; entries up to 4 are applied",
		Causes:    "applied when stored or when acknowledged, apply and commit raced without an order",
		Cite:      "Raft Figure 2: commitIndex > lastApplied",
		Needs:     ShowsApply | ShowsCommit,
		Faults:    "F63",
	}
	ApplyInOrder = &Rule{
		ID: "C08", Name: "apply-in-order",
		Statement: "entries are applied once and in order while a server runs",
		Doc:       "All servers apply the same entries in the same order, so that their states are equal. A snapshot that is installed stands for all entries up to its last; a restart begins anew.",
		Breaks:    "5 is applied; then 7, or 5 again",
		Allowed:   "5 is applied; a restart; 1 to 5 are applied again. Or: a snapshot up to 9 is installed; 10 is applied",
		Causes:    "lastApplied not moved with a snapshot, a batch applied twice after an error, two apply loops",
		Cite:      "Raft Figure 2: lastApplied",
		Needs:     ShowsApply,
		Faults:    "F64",
	}
	ApplyOwnLog = &Rule{
		ID: "C09", Name: "apply-own-log",
		Statement: "a server applies the entry that its log holds",
		Doc:       "What is applied must be what was agreed upon at that index, and that is what the log holds once it is committed.",
		Breaks:    "log holds 5@3; 5@2 is applied",
		Allowed:   "log holds 5@3; 5@3 is applied",
		Causes:    "applied from a cache that a truncation left as it was, an index shifted by compaction",
		Cite:      "Raft §5.3",
		Needs:     ShowsApply | ShowsLogTerms,
		Faults:    "F65",
	}
	AckImpliesCommitted = &Rule{
		ID: "C10", Name: "ack-implies-committed",
		Statement: "a client is told of success only after its entry is committed",
		Doc:       "A client that was told of success relies on it. Telling late, or never, is allowed.",
		Breaks:    "commit index 4; the client of entry 5 is told of success",
		Allowed:   "commit index 5; the client of entry 5 is told of success",
		Causes:    "answered when stored, answered by the index alone after another entry has taken it",
		Cite:      "Raft §5.3, §8",
		Needs:     ShowsClientAcks | ShowsCommit,
		Faults:    "F67",
	}
	ReadAfterOwnCommit = &Rule{
		ID: "C11", Name: "read-after-own-commit",
		Statement: "a leader serves reads only after it has committed an entry of its own term",
		Doc:       "A new leader holds all committed entries and does not know which they are until one of its own term is committed. Until then its state may lack what clients were told.",
		Breaks:    "1 becomes leader of term 3 with commit index 4; it serves a read before an entry of term 3 is committed",
		Allowed:   "1 becomes leader of term 3; entry 6@3 is committed; it serves a read",
		Causes:    "no empty entry at the start of a term, ReadIndex answered with the commit index of the term before",
		Cite:      "Raft §8 · thesis §6.4",
		Needs:     ShowsReads | ShowsCommit | ShowsRole,
		Faults:    "F68",
	}
	SendsOwnCommit = &Rule{
		ID: "C12", Name: "sends-own-commit",
		Statement: "a leader tells others of no commit index above its own",
		Doc:       "Followers commit what they are told. Telling less is allowed: a leader may tell a follower no more than that follower holds.",
		Breaks:    "leader's commit index is 4; it sends leaderCommit 5",
		Allowed:   "leader's commit index is 4; it sends leaderCommit 4, or 2",
		Causes:    "the end of the log sent instead of the commit index, an index that is sent before the quorum is counted",
		Cite:      "raft.tla AppendEntries: mcommitIndex",
		Needs:     ShowsCommit | ShowsSends,
		Faults:    "F56",
	}
	SignedCommit = &Rule{
		ID: "C13", Name: "commit-ends-with-signature",
		Statement: "where only signatures may end a commit, a leader commits up to a signature",
		Doc:       "In CCF what follows the last signature cannot be proved to a client and is rolled back by the next leader, so a commit ends with a signature.",
		Breaks:    "last signature of the leader's log at 3; it commits 4",
		Allowed:   "last signature at 3; it commits 3, and 1 to 2 with it",
		Causes:    "the quorum's index taken as it is, a signature that is counted before it is appended",
		Cite:      "CCF consensus: committable indices",
		Needs:     ShowsCommit,
		Faults:    "F56",
	}
)
