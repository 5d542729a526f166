package spec

// The rules about membership.
var (
	OneChangeAtATime = &Rule{
		ID: "M01", Name: "one-change-at-a-time",
		Statement: "a leader proposes a configuration only when the one before is committed",
		Cite:      "thesis §4.1",
		Needs:     ShowsConfigLog | ShowsCommit,
		Faults:    "F81 F87",
	}
	ChangeAfterOwnCommit = &Rule{
		ID: "M02", Name: "change-after-own-commit",
		Statement: "a leader proposes a configuration only after an entry of its own term is committed",
		Cite:      "Ongaro, raft-dev 2015, on single-server membership changes",
		Needs:     ShowsConfigLog | ShowsCommit | ShowsRole,
		Faults:    "F82",
	}
	SingleStepOrJoint = &Rule{
		ID: "M03", Name: "single-step-or-joint",
		Statement: "a configuration follows another by one voter more or less, or through a joint configuration with it",
		Cite:      "Raft §6 · thesis §4.1",
		Needs:     ShowsConfig,
		Faults:    "F83 F87",
	}
)
