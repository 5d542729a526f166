package spec

// MessageType is the kind of a message between two servers.
type MessageType uint8

// The messages of Raft and of its common extensions.
const (
	NoMessage MessageType = iota
	RequestVoteRequest
	RequestVoteResponse
	PreVoteRequest
	PreVoteResponse
	AppendEntriesRequest
	AppendEntriesResponse
	HeartbeatRequest // an AppendEntries that is not a consistency check: etcd's MsgHeartbeat
	HeartbeatResponse
	InstallSnapshotRequest
	InstallSnapshotResponse
	TimeoutNow // leadership transfer: the receiver may campaign at once (thesis §3.10)
	NumMessageTypes
)

var messageTypeNames = [NumMessageTypes]string{
	"", "RequestVoteRequest", "RequestVoteResponse", "PreVoteRequest", "PreVoteResponse",
	"AppendEntriesRequest", "AppendEntriesResponse", "HeartbeatRequest", "HeartbeatResponse",
	"InstallSnapshotRequest", "InstallSnapshotResponse", "TimeoutNow",
}

func (t MessageType) String() string { return messageTypeNames[t] }

// MessageFields says which fields of a [Message] the trace shows.
type MessageFields uint16

// One bit for each optional field of [Message].
const (
	MsgTerm MessageFields = 1 << iota
	MsgLogIndex
	MsgLogTerm
	MsgEntries
	MsgLastTerm
	MsgCommit
	MsgSuccess
	MsgMatch
	MsgID
	MsgTransfer
	MsgLeaderMatch
)

// Message is one message, seen when it is sent or received. From and To are the
// two ends whichever side saw it. A field whose bit is not in Has is unknown.
type Message struct {
	Type     MessageType
	Success  bool // RequestVoteResponse: granted; AppendEntriesResponse: accepted
	Transfer bool // a vote request that comes from a leadership transfer, so that a lease does not bar it
	Has      MessageFields
	From, To ID
	Term     uint64

	// LogIndex and LogTerm are an (index, term) of the log of the sender of a
	// request: lastLogIndex and lastLogTerm of a vote request, prevLogIndex and
	// prevLogTerm of AppendEntries, lastIncludedIndex and lastIncludedTerm of
	// InstallSnapshot. In a rejecting AppendEntriesResponse they are what the
	// receiver says of its own log at LogIndex; in a granting RequestVoteResponse,
	// where the line shows it, the end of the candidate's log.
	LogIndex, LogTerm uint64

	Entries     uint64 // AppendEntries: number of entries
	LastTerm    uint64 // AppendEntries: term of the last entry, where the message tells
	Commit      uint64 // AppendEntries, Heartbeat: leaderCommit
	Match       uint64 // AppendEntriesResponse: the last index that the receiver says it shares with the leader
	LeaderMatch uint64 // matchIndex[From or To], as the leader on whose line this is keeps it, before the step; not a part of the message
	ID          uint64 // identity of the message, equal at both ends
}
