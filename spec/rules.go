package spec

// Rules are the rules of this package, the guards of the machine, in the order
// of their ids. The safety invariants are in package invariants.
var Rules = number(
	OneVotePerTerm,
	VoteKept,
	UpToDate,
	GrantAnswersRequest,
	TermIncrements,
	RoleGraph,
	ElectionQuorum,
	VoteInCurrentTerm,
	VoteRequestFromCandidate,
	CandidateOffersOwnLog,
	AppendFromLeader,
	StepDownOnAppend,
	TermHasCause,
	PreVoteUpToDate,
	MessageTerm,
	PrevMatch,
	ConflictRemoved,
	TruncateNeedsConflict,
	TruncateAtConflict,
	TruncateKeepsCommitted,
	AppendNeedsRequest,
	Contiguous,
	LeaderEntryTerm,
	TermsNondecreasing,
	EntryTermAtMostCurrent,
	AckMatchesLog,
	SendsOwnLog,
	SendsWithinLog,
	AckWithinLeaderLog,
	EntryOrigin,
	CommitQuorum,
	CommitCurrentTerm,
	FollowerCommitTold,
	FollowerCommitMatched,
	CommitWithinLog,
	CommitMonotonic,
	ApplyCommitted,
	ApplyInOrder,
	ApplyOwnLog,
	AckImpliesCommitted,
	ReadAfterOwnCommit,
	SendsOwnCommit,
	SignedCommit,
	SnapshotCommitted,
	SnapshotTerm,
	CompactCovered,
	InstallKeepsCommitted,
	InstallKeepsApplied,
	StaleSnapshotRefused,
	LogFollowsSnapshot,
	SnapshotWhole,
	OneChangeAtATime,
	ChangeAfterOwnCommit,
	SingleStepOrJoint,
	RestartKeepsVote,
	RestartKeepsTerm,
	RestartKeepsLog,
	TermPersistedFirst,
	VotePersistedFirst,
	MessageSent,
	RestartShown,
	LinesInSequence,
	TimeGoesOn,
	ChangeHasLine,
)

// number gives each rule its slot, by which the machine counts.
func number(rules ...*Rule) []*Rule {
	for i, r := range rules {
		r.slot = uint(i)
	}
	if len(rules) > maxRules {
		panic("spec: more rules than the machine has room to count")
	}
	return rules
}
