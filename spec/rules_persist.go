package spec

// The rules about persistence and restarts.
var (
	RestartKeepsVote = &Rule{
		ID: "P01", Name: "restart-vote-kept",
		Statement: "a restart keeps every vote that its candidate has received",
		Formula:   "Restart(i) ∧ j received votedFor[i] = j of term t ∧ currentTerm'[i] = t ⇒ votedFor'[i] = j",
		Doc:       "What nobody has received may be forgotten with the crash, nothing else.",
		Breaks:    "a's vote of term 5 for b is received; a restarts in term 5 without a vote",
		Allowed:   "a's vote was still queued when it crashed",
		Causes:    "the answer leaves before the write, vote and term are written apart",
		Cite:      "Raft Figure 2: persistent state",
		Needs:     ShowsVote | ShowsRestart,
		Faults:    "F03 F99",
	}
	RestartKeepsTerm = &Rule{
		ID: "P02", Name: "restart-term-kept",
		Statement: "a restart falls below no term in which another server has heard from it",
		Formula:   "Restart(i) ∧ j received m from i ⇒ currentTerm'[i] ≥ m.mterm",
		Doc:       "A term that nobody has heard of may be forgotten with the crash.",
		Breaks:    "others hear from a in term 5; a restarts in term 4",
		Allowed:   "a entered term 5 and crashed before it sent anything",
		Causes:    "the term is written late, or to a disk that was replaced",
		Cite:      "Raft Figure 2: persistent state",
		Needs:     ShowsTerm | ShowsRestart,
		Faults:    "F04 F30",
	}
	RestartKeepsLog = &Rule{
		ID: "P03", Name: "restart-log-kept",
		Statement: "a restart keeps every entry whose acknowledgement the leader has received",
		Formula:   "Restart(i) ∧ j received [msource ↦ i, msuccess ↦ TRUE, mmatchIndex ↦ n] ⇒ Len(log'[i]) ≥ n, with the same entries",
		Doc:       "An acknowledged entry may be committed. What was never acknowledged may be lost.",
		Breaks:    "a acknowledges 12; a restarts with a log that ends at 7",
		Allowed:   "a's log ended at 12 and nothing above 7 was acknowledged",
		Causes:    "acknowledged before it is synced, a disk that was replaced",
		Cite:      "Raft Figure 2: persistent state",
		Needs:     ShowsLastIndex | ShowsRestart | ShowsReceives,
		Faults:    "F30 F95",
	}
	TermPersistedFirst = &Rule{
		ID: "P04", Name: "term-persisted-first",
		Statement: "a message leaves only after its term is on stable storage",
		Formula:   "i sends m ⇒ the term on i's stable storage ≥ m.mterm",
		Doc:       "Who receives the message acts on the sender's being in that term. If a crash takes it back, the sender can be in an older term again, and vote again.",
		Breaks:    "1 sends a vote request of term 6; the last term on its disk is 5",
		Allowed:   "1 writes term 6 to its disk; 1 sends a vote request of term 6",
		Causes:    "messages sent while the write is under way, a write that is not synced",
		Cite:      "Raft Figure 2: updated on stable storage before responding",
		Needs:     ShowsPersist | ShowsSends,
		Faults:    "F94",
	}
	VotePersistedFirst = &Rule{
		ID: "P05", Name: "vote-persisted-first",
		Statement: "a vote leaves only after it is on stable storage",
		Formula:   "i sends j [mvoteGranted ↦ TRUE, mterm ↦ t] ⇒ i's stable storage holds votedFor = j of term t",
		Doc:       "A candidate counts the vote. If a crash takes it back, the voter can give another in the same term. A candidate's own vote is written before it asks for others.",
		Breaks:    "2 grants 1 its vote of term 6; on its disk is term 6 without a vote",
		Allowed:   "2 writes term 6, votedFor 1; 2 grants 1 its vote",
		Causes:    "answer and write started together, the own vote counted in memory only",
		Cite:      "Raft Figure 2: updated on stable storage before responding",
		Needs:     ShowsPersist | ShowsSends | ShowsVote,
		Faults:    "F93 F06 F98",
	}
)
