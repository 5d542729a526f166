// Package toy is a small Raft whose steps are traced, to show how that is done.
//
// The Raft is in raft.go and election.go and replication.go, a network that
// loses and reorders messages in network.go. All that was added for the trace is
// instrument.go, and a line with trace.Step at each step. trace.ndjson beside it
// is what the test writes; `tracecheck check trace.ndjson` checks it.
package toy

import "math/rand/v2"

// The roles of a server.
const (
	Follower  = "Follower"
	Candidate = "Candidate"
	Leader    = "Leader"
)

// Entry is one entry of the log.
type Entry struct {
	Term    int
	Kind    string // command, or the noop with which a leader begins its term
	Command string
}

// Server is one server of the cluster, with the variables of the Raft paper.
type Server struct {
	ID    string
	peers []string
	net   *Network
	trace Trace
	rand  *rand.Rand

	// On stable storage: a crash keeps them.
	CurrentTerm int
	VotedFor    string
	Log         []Entry // Log[0] has index 1

	// A crash loses these.
	Role                     string
	CommitIndex, LastApplied int
	Applied                  []string // the state machine: all commands so far
	votes                    map[string]bool
	nextIndex, matchIndex    map[string]int
	quiet, patience          int // ticks without a leader, and how many are too many
}

// Start starts a server, or starts it again after a crash.
func (s *Server) Start() {
	s.Role, s.CommitIndex, s.LastApplied, s.Applied = Follower, 0, 0, nil
	s.wait()
	s.trace.Step(s, "Restart", nil)
}

// LastIndex is the index of the last entry.
func (s *Server) LastIndex() int { return len(s.Log) }

// TermAt is the term of the entry at an index; 0 before the first.
func (s *Server) TermAt(index int) int {
	if index == 0 {
		return 0
	}
	return s.Log[index-1].Term
}

// Tick is the passing of a little time.
func (s *Server) Tick() {
	s.quiet++
	switch {
	case s.Role == Leader:
		s.replicate()
	case s.quiet > s.patience:
		s.campaign()
	}
}

// wait begins a new election timeout.
func (s *Server) wait() { s.quiet, s.patience = 0, 10+s.rand.IntN(10) }

// Receive handles one message.
func (s *Server) Receive(m Message) {
	s.trace.Step(s, "Handle"+m.Type, fields{"message": m.fields()})
	if m.Term > s.CurrentTerm {
		s.follow(m.Term)
	}
	switch m.Type {
	case "RequestVoteRequest":
		s.answerVote(m)
	case "RequestVoteResponse":
		s.countVote(m)
	case "AppendEntriesRequest":
		s.store(m)
	case "AppendEntriesResponse":
		s.acknowledged(m)
	}
}

// follow makes the server a follower of a term, with a new vote if it is new.
func (s *Server) follow(term int) {
	if term > s.CurrentTerm {
		s.CurrentTerm, s.VotedFor = term, ""
	}
	s.Role = Follower
	s.trace.Step(s, "BecomeFollower", nil)
}

// apply hands committed entries to the state machine.
func (s *Server) apply() {
	for s.LastApplied < s.CommitIndex {
		e := s.Log[s.LastApplied]
		s.LastApplied++
		if e.Kind == "command" {
			s.Applied = append(s.Applied, e.Command)
		}
		s.trace.Step(s, "Apply", fields{"entry": e.fields(s.LastApplied)})
	}
}
