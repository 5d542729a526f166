package spec

// The rules about snapshots and compaction.
var (
	SnapshotCommitted = &Rule{
		ID: "S01", Name: "snapshot-at-most-applied",
		Statement: "a snapshot covers only what is committed and applied",
		Formula:   "i takes a snapshot that ends at n ⇒ n ≤ lastApplied[i] ≤ commitIndex[i]",
		Doc:       "What a snapshot covers is never looked at again, so nothing may be in it that can still be replaced. It is judged by lastApplied, or by the commit index where that is not shown.",
		Breaks:    "lastApplied 10; a snapshot up to 11 is taken",
		Allowed:   "lastApplied 10; a snapshot up to 10, or 3, is taken",
		Causes:    "the end of the log taken for the end of the snapshot, the index read before or after the state without a lock",
		Cite:      "Raft §7",
		Needs:     ShowsSnapshots | ShowsCommit,
		Faults:    "F70",
	}
	SnapshotTerm = &Rule{
		ID: "S02", Name: "snapshot-term",
		Statement: "a snapshot's lastIncludedTerm is the term of the entry at its lastIncludedIndex",
		Formula:   "i takes a snapshot s ⇒ s.lastIncludedTerm = log[i][s.lastIncludedIndex].term",
		Doc:       "The term is compared with prevLogTerm when entries follow the snapshot. With a wrong one good entries are refused, or bad ones taken.",
		Breaks:    "log holds 8@3; a snapshot ends at 8@2",
		Allowed:   "log holds 8@3; a snapshot ends at 8@3",
		Causes:    "the current term written instead of the entry's, the term looked up after the entry was discarded",
		Cite:      "Raft §7, Figure 13",
		Needs:     ShowsSnapshots | ShowsLogTerms,
		Faults:    "F71",
	}
	CompactCovered = &Rule{
		ID: "S03", Name: "compact-at-most-snapshot",
		Statement: "a log is discarded only as far as a snapshot covers it",
		Formula:   "i discards log[i][1..n] ⇒ n ≤ snapshot[i].lastIncludedIndex",
		Doc:       "What is discarded can be had from the snapshot only.",
		Breaks:    "snapshot up to 8; the log is discarded up to 9",
		Allowed:   "snapshot up to 8; the log is discarded up to 8, or 5, or not at all",
		Causes:    "compacted by lastApplied before the snapshot is written, a snapshot that failed and was counted",
		Cite:      "Raft §7",
		Needs:     ShowsSnapshots,
		Faults:    "F72",
	}
	InstallKeepsCommitted = &Rule{
		ID: "S04", Name: "install-keeps-committed",
		Statement: "installing a snapshot removes no committed entry that follows it",
		Formula:   "i installs s ∧ n > s.lastIncludedIndex ∧ n ≤ commitIndex[i] ⇒ log'[i][n] = log[i][n]",
		Doc:       "A snapshot may be late. If the log holds its last entry, what follows that stays; if not, the log was never the leader's and goes as a whole, which cannot be if something behind is committed.",
		Breaks:    "log 1..20@3, commit 20; a snapshot that ends at 15@2 replaces the log",
		Allowed:   "log 1..20@3; a snapshot that ends at 15@3 is installed, 16..20 stay. Or: log 6..8@2, commit 5; a snapshot up to 15@3 replaces it",
		Causes:    "the log is reset by every snapshot, snapshot and entries handled at the same time",
		Cite:      "Raft Figure 13, rule 6",
		Needs:     ShowsSnapshots | ShowsCommit,
		Faults:    "F73",
	}
	InstallKeepsApplied = &Rule{
		ID: "S05", Name: "install-keeps-applied",
		Statement: "installing a snapshot never takes the state machine back",
		Formula:   "i installs s ⇒ s.lastIncludedIndex ≥ lastApplied[i]",
		Doc:       "A state machine that goes back applies entries twice, and clients see old values.",
		Breaks:    "lastApplied 15; a snapshot up to 14 is installed",
		Allowed:   "lastApplied 15; a snapshot up to 14 arrives and is ignored; one up to 16 is installed",
		Causes:    "a delayed or repeated InstallSnapshot, a snapshot restored without comparing indexes",
		Cite:      "Raft §7",
		Needs:     ShowsSnapshots | ShowsApply,
		Faults:    "F76",
	}
	StaleSnapshotRefused = &Rule{
		ID: "S06", Name: "stale-snapshot-refused",
		Statement: "a snapshot from the leader of an older term is refused",
		Formula:   "i accepts InstallSnapshotRequest m ⇒ m.mterm = currentTerm'[i]",
		Doc:       "The leader of an older term may have a log that the present one has overwritten; its snapshot is refused as its entries are.",
		Breaks:    "3 is in term 5; it installs a snapshot that the leader of term 4 sent",
		Allowed:   "3 is in term 5; a snapshot of term 4 arrives; 3 answers with term 5 and keeps its state",
		Causes:    "the term is compared with the first chunk only, a transfer that goes on after the term has changed",
		Cite:      "Raft Figure 13, rule 1",
		Needs:     ShowsSnapshots | ShowsTerm | ShowsReceives,
		Faults:    "F75",
	}
	LogFollowsSnapshot = &Rule{
		ID: "S07", Name: "log-follows-snapshot",
		Statement: "a log begins no later than right after its snapshot",
		Formula:   "the first index that log[i] holds is f ⇒ f ≤ snapshot[i].lastIncludedIndex + 1",
		Doc:       "Otherwise entries between the two are missing for good. A log that begins before the end of its snapshot is only longer than it need be.",
		Breaks:    "snapshot up to 10; the log begins at 15",
		Allowed:   "snapshot up to 10; the log begins at 11, or at 4",
		Causes:    "a snapshot lost after the log was compacted, two files restored from different backups",
		Cite:      "Raft §7",
		Needs:     ShowsSnapshots,
		Faults:    "F78",
	}
	SnapshotWhole = &Rule{
		ID: "S08", Name: "snapshot-whole",
		Statement: "a snapshot is installed as its sender took it",
		Formula:   "i installs s that j sent ⇒ hash(s) at i = hash(s) at j",
		Doc:       "A server that installs half a snapshot has a state that no server ever had. The two are compared by their hashes, where both lines show one; snapshots of different servers may differ in their encoding and are not compared.",
		Breaks:    "1 takes a snapshot up to 6 with hash 1f0e and sends it; 3 installs a snapshot up to 6 with hash 77c1",
		Allowed:   "1 takes a snapshot up to 6 with hash 1f0e and sends it; 3 installs a snapshot up to 6 with hash 1f0e",
		Causes:    "a lost or repeated chunk, a transfer that is resumed in another snapshot, an end that is taken for complete",
		Cite:      "Raft Figure 13, rules 2 to 4",
		Needs:     ShowsSnapshots | ShowsReceives,
		Faults:    "F80",
	}
)
