package spec

// The rules about snapshots and compaction.
var (
	SnapshotCommitted = &Rule{
		ID: "S01", Name: "snapshot-at-most-applied",
		Statement: "a snapshot covers only what is committed and applied",
		Cite:      "Raft §7",
		Needs:     ShowsSnapshots | ShowsCommit,
		Faults:    "F70",
	}
	SnapshotTerm = &Rule{
		ID: "S02", Name: "snapshot-term",
		Statement: "a snapshot's lastIncludedTerm is the term of the entry at its lastIncludedIndex",
		Cite:      "Raft §7, Figure 13",
		Needs:     ShowsSnapshots | ShowsLogTerms,
		Faults:    "F71",
	}
	CompactCovered = &Rule{
		ID: "S03", Name: "compact-at-most-snapshot",
		Statement: "a log is discarded only as far as a snapshot covers it",
		Cite:      "Raft §7",
		Needs:     ShowsSnapshots,
		Faults:    "F72",
	}
	InstallKeepsCommitted = &Rule{
		ID: "S04", Name: "install-keeps-committed",
		Statement: "installing a snapshot removes no committed entry that follows it",
		Cite:      "Raft Figure 13, rule 6",
		Needs:     ShowsSnapshots | ShowsCommit,
		Faults:    "F73",
	}
	InstallKeepsApplied = &Rule{
		ID: "S05", Name: "install-keeps-applied",
		Statement: "installing a snapshot never takes the state machine back",
		Cite:      "Raft §7",
		Needs:     ShowsSnapshots | ShowsApply,
		Faults:    "F76",
	}
	StaleSnapshotRefused = &Rule{
		ID: "S06", Name: "stale-snapshot-refused",
		Statement: "a snapshot from the leader of an older term is refused",
		Cite:      "Raft Figure 13, rule 1",
		Needs:     ShowsSnapshots | ShowsTerm | ShowsReceives,
		Faults:    "F75",
	}
	LogFollowsSnapshot = &Rule{
		ID: "S07", Name: "log-follows-snapshot",
		Statement: "a log begins no later than right after its snapshot",
		Cite:      "Raft §7",
		Needs:     ShowsSnapshots,
		Faults:    "F78",
	}
)
