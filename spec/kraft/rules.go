package kraft

import (
	"slices"

	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/metadata"
)

// Rules are the rules of KRaft beside the safety invariants, in the order of their ids.
var Rules = []*spec.Rule{
	LegalTransition, StartsFromQuorumState, VoteKept, GrantsInState, GrantsUpToDate, RequestSane, VoterStands,
	LeaderHasMajority, HighNeverFalls, HighBeyondEpochStart, HighIsMajoritys, HighCountsVoters,
	TruncationKeepsCommitted, SnapshotIDsAgree, LeaderAppendsAtEnd, AppendedEpoch, ActiveAfterLeaderChange, VoterKeepsDisk,
	BatchesContiguous, EpochsNeverFall, EpochBegins, ChangeOfMajority, LogsMatch, SnapshotOfOwnLog, HoldsCommitted,
	StartHasSnapshot, EpochListAgrees, ReplicaWithinLeaderLog,
}

// WithRecords are [Rules] and those of what metadata records say.
var WithRecords = slices.Concat(Rules, metadata.Rules)
