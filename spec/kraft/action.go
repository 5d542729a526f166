package kraft

import (
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/metadata"
)

// Kind is what an [Action] does.
type Kind uint8

// The kinds of actions. "Completed" and "attempted" are the words of the lines:
// an attempt is printed before the state is written to the disk.
const (
	Nothing            Kind = iota
	Transition              // To is the state now, From the one before; no From at a start
	Attempt                 // the same, before it is durable
	VoteDecided             // the server has answered the vote request in Vote
	LeadersHigh             // the leader's high watermark is Offset, computed from Ends
	FollowersHigh           // the follower's high watermark is Offset
	Truncated               // the log now ends at Offset, told by Leader
	SnapshotLoaded          // the log was replaced by a snapshot that ends at Offset, of Epoch
	SnapshotTaken           // a snapshot that ends at Offset, of Epoch, is written
	LeaderAppended          // the leader's log goes from Base to Offset in Epoch
	FollowerAppended        // the follower's log ends at Offset, whose last record is of Epoch
	VotersChanged           // the voters are Voters
	BecameActive            // the server's controller is active in Epoch; Offset is the next that it writes
	LeaderSeen              // the server's controller knows that Leader leads Epoch
	ClusterNamed            // the cluster is Vote.Cluster
	LinesMissing            // lines of the server are missing or out of order before this one
	LogBegins               // the log on the server's disk begins at Offset; Base is the latest end of a snapshot beside it, if HasEpoch
	BatchHeld               // the log on the server's disk holds the batch Base..Offset (exclusive) of Epoch
	LeaderChangeHeld        // and that batch begins with the LeaderChange record in Change
	SnapshotHeld            // the server's disk holds a snapshot that ends at Offset, of Epoch
	EpochListed             // leader-epoch-checkpoint says that Epoch starts at Offset
	QuorumStateHeld         // quorum-state holds Epoch, with Leader and the vote for Vote.Candidate, as far as it has them
	QuorumDescribed         // Leader leads Epoch and its high watermark is Offset, as a controller answers
	ReplicaDescribed        // the log of Leader ends at Offset, and it knows that the log of Vote.Candidate ends at Base
	RecordHeld              // and that batch holds the metadata record in Record
	SnapshotRecordHeld      // the snapshot that was read last holds Record; its control records are among them
	numKinds
)

var kindNames = [numKinds]string{
	"Observe", "Transition", "AttemptTransition", "HandleVoteRequest", "UpdateLeaderHighWatermark", "UpdateFollowerHighWatermark",
	"TruncateToEndOffset", "LoadSnapshot", "TakeSnapshot", "AppendAsLeader", "AppendAsFollower", "UpdateVoters",
	"BecomeActiveController", "HandleLeaderChange", "Start", "LinesMissing",
	"ReadLogStart", "ReadBatch", "ReadLeaderChange", "ReadSnapshot", "ReadLeaderEpochCheckpoint", "ReadQuorumState", "DescribeQuorum", "DescribeReplica",
	"ReadRecord", "ReadSnapshotRecord",
}

// Action is what one line says, in KRaft's terms. It is flat and reused from
// line to line.
type Action struct {
	Kind   Kind
	To     State
	From   State // From.Name is Null at a start, Unknown if the line does not tell
	Vote   Vote
	Leader spec.ID
	Time   uint64 // of the line by the server's clock, in milliseconds of any beginning; 0 is not told
	Epoch  uint64
	Base   uint64
	Offset uint64

	HasEpoch, HasOffset bool

	// Of LeadersHigh: the end offsets of the voters, descending, as the line lists
	// them, and which of them was taken.
	Ends   []VoterEnd
	Taken  int
	Listed bool

	Voters Voters

	// Of BatchHeld and LeaderChangeHeld: what the batch holds, as a checksum of its bytes from the attributes on, and
	// whether that is control records.
	Content uint32
	Control bool
	Fresh   bool // what is before the batch is not known
	Change  LeaderChange

	Record metadata.Record // of RecordHeld and SnapshotRecordHeld; Reset leaves it as it is
}

// LeaderChange is the record that begins an epoch (KIP-595). Where a tool prints only that there is one, Known is false.
type LeaderChange struct {
	Known            bool
	Leader           spec.ID
	Voters, Granting spec.Set
}

// VoterEnd is the end offset of a voter as its leader knows it.
type VoterEnd struct {
	ID    spec.ID
	End   uint64
	Known bool
}

// Vote is a vote request with the answer to it.
type Vote struct {
	Candidate Key
	Epoch     uint64 // the candidate's
	LastEpoch uint64 // of the last record of its log
	LastEnd   uint64 // the end offset of its log
	Pre       bool
	Granted   bool
	Known     bool // LastEpoch and LastEnd are told

	Cluster uint32 // the cluster whose request it is; 0 is not told
}

// Key is a voter's identity: its id, and the id of the directory that holds its
// log, which a new disk does not share. Directory 0 is not known.
type Key struct {
	ID        spec.ID
	Directory uint32
}

// Voters is a set of voters.
type Voters struct {
	Known       bool
	Set         spec.Set
	Directories bool // the line gives directory ids: kraft.version is 1
}

// Reset empties a for the next line and keeps the capacity of its lists.
func (a *Action) Reset() {
	*a = Action{Ends: a.Ends[:0], Record: a.Record}
}
