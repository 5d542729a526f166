package spec

// Kind is what an [Action] does. Together with the message's type it names a
// step of the specification: Receive of a RequestVoteRequest is
// HandleRequestVoteRequest. [Action.Name] gives that name.
type Kind uint8

// The kinds of actions.
const (
	Observe             Kind = iota // shows values without naming a step
	Restart                         // starts, or starts again, from stable storage
	Stop                            // ends; nothing follows until a Restart
	Timeout                         // begins an election: Candidate of the next term
	BecomePreCandidate              // begins a pre-vote (thesis §9.6); currentTerm stays
	BecomeLeader                    // wins the election of its term
	BecomeFollower                  // UpdateTerm, or stepping down within a term
	ClientRequest                   // a leader appends an entry
	ChangeConfiguration             // a leader appends a configuration entry
	ApplyConfiguration              // a configuration takes effect at a server
	AdvanceCommitIndex              // commitIndex moves
	Apply                           // an entry is applied to the state machine
	Read                            // a read is served
	Acknowledge                     // a client is told that its entry is committed
	Send                            // a message is sent, or queued for sending
	Receive                         // a message arrives, before it is handled
	DropMessage                     // the network loses a message
	DuplicateMessage                // the network copies a message
	TakeSnapshot                    // a server writes a snapshot of its own state
	InstallSnapshot                 // a server replaces its state by a snapshot that it received
	CompactLog                      // a prefix of the log is discarded
	TransferLeadership              // a leader begins to hand over to Peer
	NumKinds
)

// Role is the role of a server.
type Role uint8

// The roles. Raft's three, and the pre-candidate of thesis §9.6.
const (
	UnknownRole Role = iota
	Follower
	PreCandidate
	Candidate
	Leader
)

func (r Role) String() string {
	return [...]string{"?", "Follower", "PreCandidate", "Candidate", "Leader"}[r]
}

// StateFields says which fields of a [State] a line claims.
type StateFields uint16

// One bit for each field of [State].
const (
	HasRole StateFields = 1 << iota
	HasTerm
	HasVote
	HasLastIndex
	HasLastTerm
	HasCommit
	HasApplied
	HasConfig
	HasSnapshot // SnapshotIndex, and SnapshotTerm if it is not zero
	HasFirstIndex
	HasCommittable
)

// State is what one line claims about the variables of the acting server. Only
// the fields in Has are claimed. Whether the values are those before or after
// the step depends on where the State stands in the [Action]; an adapter gets
// that right for each field by itself, since real sources mix the two.
type State struct {
	Has           StateFields
	Role          Role
	VotedFor      ID // Nil: claims that no vote was given
	Config        ConfigID
	CurrentTerm   uint64
	LastIndex     uint64 // index of the last log entry, counting compacted ones; not a length
	LastTerm      uint64 // term of that entry
	CommitIndex   uint64
	AppliedIndex  uint64
	SnapshotIndex uint64 // last index that the server's snapshot covers
	SnapshotTerm  uint64 // its term; 0: not told
	FirstIndex    uint64 // first index that is still in the log
	Committable   uint64 // CCF: index of the last entry that may end a commit; LastIndex if there is no such notion
}

// EntryKind is what an entry holds.
type EntryKind uint8

// The kinds of entries.
const (
	UnknownEntry EntryKind = iota
	Command
	Configuration
	NoOp
	Signature // CCF: only these, and what precedes them, may be committed
)

// Entry is one log entry as a line shows it.
type Entry struct {
	Kind    EntryKind
	HasHash bool
	Config  ConfigID // of a Configuration entry, where the line tells
	Index   uint64
	Term    uint64 // 0: not told
	Hash    uint64 // of the contents
}

// ActionFlags qualify an [Action].
type ActionFlags uint16

const (
	// Tentative: the step was begun and may yet come to nothing, such as a
	// proposal that can still be dropped. Later lines show whether it happened.
	Tentative ActionFlags = 1 << iota
	// Persisting: the After values are handed to stable storage with this step.
	// It does not say that they have reached it.
	Persisting
	// Durable: the After values are on stable storage.
	Durable
	// HandsOut: everything up to the commit index is handed to the application.
	HandsOut
	// Restarted: the server restarted unseen before this step.
	Restarted
	// SparseSeq: Seq rises with every line of Server and may skip numbers, since
	// others are counted with it. It tells lines that come again or late, and no
	// more.
	SparseSeq
	// ClockSeq: Seq is what the clock of Server said, in whatever unit. Lines may
	// have the same reading; one with an earlier reading than the line before is
	// out of order, comes again, or shows that the clock was set back.
	ClockSeq
	// LinesLost: lines are missing right before this one, of whatever server.
	LinesLost
	// Unplaced: the lines of several servers were put into one order, and it is not
	// known where this one belongs: lines of others that stand later may be older. A
	// message that was received shows of its sender what was so at some time; a term
	// that is entered may have begun.
	Unplaced
	// SameLine: the line is the one before it to the byte, and nothing in it tells a
	// step that was taken twice from a line that was written twice.
	SameLine
)

// Action is what one line of a trace says. It is flat and is reused from line
// to line; a receiver keeps nothing of it.
type Action struct {
	Kind    Kind
	Flags   ActionFlags
	Group   uint32
	Server  ID // who acts
	Peer    ID // TransferLeadership: the target; otherwise see Message
	Ref     Ref
	Seq     uint64  // the number of the line among those of Server in this incarnation or ever, from 1 on; 0 if not told
	Before  State   // claims about Server before the step
	After   State   // claims about Server after the step
	Message Message // Send, Receive, DropMessage, DuplicateMessage

	// Index and Term are the log position that a step is about, 0 if not told:
	// the entry of Apply and Acknowledge, the index of AdvanceCommitIndex, the
	// last index of TakeSnapshot, InstallSnapshot and CompactLog, the index that
	// a Read reflects.
	Index, Term uint64

	// Entries are entries that the line shows: those of an AppendEntries
	// message, those written to the log by ClientRequest or Observe, the one
	// that Apply applies. The slice is reused.
	Entries []Entry

	// Hash is a hash of the whole state machine after Apply, or of a snapshot,
	// if HasHash.
	Hash    uint64
	HasHash bool

	// Own is what the line says in the terms of the group's own [Protocol]; nil in
	// a group of Raft. It points to memory that the decoder reuses.
	Own any
}

// Reset empties a for the next line and keeps its Entries' capacity.
func (a *Action) Reset() {
	entries := a.Entries[:0]
	*a = Action{Entries: entries}
}

var kindNames = [NumKinds]string{
	"Observe", "Restart", "Stop", "Timeout", "BecomePreCandidate", "BecomeLeader", "BecomeFollower",
	"ClientRequest", "ChangeConfiguration", "ApplyConfiguration", "AdvanceCommitIndex", "Apply", "Read",
	"Acknowledge", "Send", "Receive", "DropMessage", "DuplicateMessage", "TakeSnapshot", "InstallSnapshot",
	"CompactLog", "TransferLeadership",
}

func (k Kind) String() string { return kindNames[k] }

// sendNames and receiveNames are the specification's names of sending and of
// receiving each type of message.
var sendNames = [NumMessageTypes]string{
	"Send", "RequestVote", "RespondRequestVote", "RequestPreVote", "RespondPreVote",
	"AppendEntries", "RespondAppendEntries", "Heartbeat", "RespondHeartbeat",
	"SendSnapshot", "RespondInstallSnapshot", "SendTimeoutNow",
}

var receiveNames = [NumMessageTypes]string{
	"Receive", "HandleRequestVoteRequest", "HandleRequestVoteResponse", "HandlePreVoteRequest",
	"HandlePreVoteResponse", "HandleAppendEntriesRequest", "HandleAppendEntriesResponse",
	"HandleHeartbeatRequest", "HandleHeartbeatResponse", "HandleInstallSnapshotRequest",
	"HandleInstallSnapshotResponse", "HandleTimeoutNow",
}

// ActionName returns the specification's name for a step of kind k about a
// message of type t, such as "HandleRequestVoteRequest".
func ActionName(k Kind, t MessageType) string {
	switch k {
	case Send:
		return sendNames[t]
	case Receive:
		return receiveNames[t]
	}
	return kindNames[k]
}

// Name returns the specification's name of the step.
func (a *Action) Name() string { return ActionName(a.Kind, a.Message.Type) }
