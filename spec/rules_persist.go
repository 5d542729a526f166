package spec

// The rules about persistence and restarts.
var (
	RestartKeepsVote = &Rule{
		ID: "P01", Name: "restart-vote-kept",
		Statement: "a restart keeps every vote that its candidate has received",
		Cite:      "Raft Figure 2: persistent state",
		Needs:     ShowsVote | ShowsRestart,
		Faults:    "F03 F99",
	}
	RestartKeepsTerm = &Rule{
		ID: "P02", Name: "restart-term-kept",
		Statement: "a restart falls below no term in which another server has heard from it",
		Cite:      "Raft Figure 2: persistent state",
		Needs:     ShowsTerm | ShowsRestart,
		Faults:    "F04 F30",
	}
	RestartKeepsLog = &Rule{
		ID: "P03", Name: "restart-log-kept",
		Statement: "a restart keeps every entry whose acknowledgement the leader has received",
		Cite:      "Raft Figure 2: persistent state",
		Needs:     ShowsLastIndex | ShowsRestart | ShowsReceives,
		Faults:    "F30 F95",
	}
	TermPersistedFirst = &Rule{
		ID: "P04", Name: "term-persisted-first",
		Statement: "a message leaves only after its term is on stable storage",
		Cite:      "Raft Figure 2: updated on stable storage before responding",
		Needs:     ShowsPersist | ShowsSends,
		Faults:    "F94",
	}
	VotePersistedFirst = &Rule{
		ID: "P05", Name: "vote-persisted-first",
		Statement: "a vote leaves only after it is on stable storage",
		Cite:      "Raft Figure 2: updated on stable storage before responding",
		Needs:     ShowsPersist | ShowsSends | ShowsVote,
		Faults:    "F93 F06",
	}
)
