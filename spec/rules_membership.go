package spec

// The rules about membership.
var (
	OneChangeAtATime = &Rule{
		ID: "M01", Name: "one-change-at-a-time",
		Statement: "a leader proposes a configuration only when the one before is committed",
		Formula:   "state[i] = Leader ∧ i appends a configuration at n ⇒ every configuration in log[i][1..n-1] lies at or below commitIndex[i]",
		Doc:       "Two changes at once can each be decided by a majority that does not meet the other. The two halves of a joint change follow each other in the same way.",
		Breaks:    "2@2 = {1,2,3,4} is appended, commit index 1; 3@2 = {1,2,3,4,5} is proposed",
		Allowed:   "2@2 = {1,2,3,4} is appended and committed; 3@2 = {1,2,3,4,5} is proposed",
		Causes:    "the check looks at the configuration in force and not at the log, it is lost with a change of leader",
		Cite:      "thesis §4.1",
		Needs:     ShowsConfigLog | ShowsCommit,
		Faults:    "F81 F87",
	}
	ChangeAfterOwnCommit = &Rule{
		ID: "M02", Name: "change-after-own-commit",
		Statement: "a leader proposes a configuration only after an entry of its own term is committed",
		Formula:   "state[i] = Leader ∧ i appends a configuration ⇒ ∃ n ≤ commitIndex[i]: log[i][n].term = currentTerm[i]",
		Doc:       "A change of an older leader may be in some logs, uncommitted and forgotten; an entry of the new leader's term that is committed rules it out. Without that, two changes of single servers can make two majorities that do not meet.",
		Breaks:    "1 becomes leader of term 3; nothing of term 3 is committed; it proposes a configuration",
		Allowed:   "1 becomes leader of term 3; 2@3 is committed; it proposes a configuration",
		Causes:    "no empty entry at the start of a term, the published single-server change before its correction of 2015",
		Cite:      "Ongaro, raft-dev 2015, on single-server membership changes",
		Needs:     ShowsConfigLog | ShowsCommit | ShowsRole,
		Faults:    "F82",
	}
	SingleStepOrJoint = &Rule{
		ID: "M03", Name: "single-step-or-joint",
		Statement: "a configuration follows another by one voter more or less, or through a joint configuration with it",
		Formula:   "a configuration C' that follows C: |C'.voters Δ C.voters| ≤ 1 ∨ C' is joint with C'.old = C ∨ (C is joint ∧ C' = C.new)",
		Doc:       "Each majority of the old configuration has to meet each majority of the new one. Learners do not vote and may change at will. A follower may pass several configurations at once.",
		Breaks:    "{1,2,3} is followed by {1,4,5}",
		Allowed:   "{1,2,3} is followed by {1,2,3,4}, or by {1,2,3}+{1,4,5} and then {1,4,5}",
		Causes:    "several changes put into one entry, a configuration set by an operator's command",
		Cite:      "Raft §6 · thesis §4.1",
		Needs:     ShowsConfig,
		Faults:    "F83 F87",
	}
)
