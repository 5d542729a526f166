package spec

// Ref is the position of a line of a trace: compact, ordered within one source,
// and opaque here, as a token.Pos is in go/token. Package ingest makes Refs and
// resolves them. The zero Ref is no position.
type Ref uint64

// Breach says that a step is not allowed, or that an invariant is broken. It is
// a value and never an error: errors are for input that cannot be read.
type Breach struct {
	Rule    *Rule
	Group   uint32
	Server  ID
	Ref     Ref    // the line at which it shows
	Message string // one sentence that stands alone, without position and rule
	Step    string // the specification's step, "HandleRequestVoteRequest(4 ← 3, term 2)"
	Before  string // the acting server before the step, "server 4: Follower  term 2  votedFor 2  log 5@1  commit 5"

	// Why is the causal slice: the earlier lines that, with this one, make the
	// breach, oldest first. It always ends with the line at Ref.
	Why []Evidence

	Fields  []Field // what in the line at Ref shows it
	Allowed string  // what would have been allowed here
	Help    string  // the only place that guesses

	// LinesMissing: of [MessageSent], that the line which sent the message may be
	// missing, since nothing would have told of that.
	LinesMissing bool
}

// Evidence is one line of a breach's causal slice and what it contributes.
type Evidence struct {
	Ref    Ref
	Server string // who acted, by its name in the trace
	Peer   string // the other end of the message; empty if there is none
	Sends  bool   // Server → Peer; otherwise Server ← Peer
	What   string // "grants", "becomes candidate", "RequestVote term 2, last 5@1"
	Change string // the variables that it changed, "votedFor none→2"
}

// Field names a piece of a trace line, so that a report can point at it.
type Field uint8

// The fields that a line may hold.
const (
	FieldAction Field = iota // the name of the event
	FieldServer
	FieldPeer
	FieldRole
	FieldTerm
	FieldVote
	FieldLastIndex
	FieldLastTerm
	FieldCommit
	FieldApplied
	FieldConfig
	FieldMessageTerm
	FieldMessageIndex // prevLogIndex, lastLogIndex, lastIncludedIndex, the acknowledged index
	FieldMessageLogTerm
	FieldMessageEntries
	FieldMessageCommit
	FieldMessageResult // granted, success, reject
	FieldEntryIndex
	FieldEntryTerm
	FieldEntryHash
	FieldSnapshotIndex
	FieldSnapshotTerm
	FieldLeaderMatch // matchIndex of the peer
	NumFields
)
