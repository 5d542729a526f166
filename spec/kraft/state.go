package kraft

import (
	"fmt"

	"github.com/tracecheck/tracecheck/spec"
)

var sprintf = fmt.Sprintf

// Name is the name of a server's state.
type Name uint8

// The states of Kafka's QuorumState. Voted is that of versions up to 3.8,
// Prospective that of 4.0 and later. Null is no state, before the first.
const (
	Unknown Name = iota
	Null
	Unattached
	Voted
	Prospective
	Candidate
	Leader
	Follower
	Resigned
	numNames
)

func (n Name) String() string {
	return [numNames]string{"?", "null", "Unattached", "Voted", "Prospective", "Candidate", "Leader", "Follower", "Resigned"}[n]
}

// Columns is a set of columns of the table of transitions: which versions of
// Kafka may have written a line.
type Columns uint8

// The columns.
const (
	Before39 Columns = 1 << iota // 3.3 to 3.8
	Kafka39
	Since40
	AnyVersion = Before39 | Kafka39 | Since40
)

// State is a state as a line prints it. What the line does not print is not known.
type State struct {
	Name     Name
	Versions Columns // those that print it so; 0 is any
	HasEpoch bool
	Epoch    uint64

	HasLeader bool
	Leader    spec.ID // spec.Nil: none is known

	HasVote bool
	Vote    Key // ID spec.Nil: none was given

	Voters Voters

	HasHigh  bool // the line prints it
	KnowHigh bool // and it is not empty
	High     uint64

	HasStart bool
	Start    uint64 // of a Leader: the end offset of its log when it was elected

	HasBallots bool // of a Candidate: who is known to have granted
	Granted    spec.Set
	Asked      spec.Set
	Directory  uint32 // the server's own; 0 is not told
}

// same reports whether two printed states may be the same one.
func (s *State) same(t *State) bool {
	return s.Name == t.Name && (!s.HasEpoch || !t.HasEpoch || s.Epoch == t.Epoch)
}

// text writes a state for people.
func (m *Machine) text(s *State) string {
	t := s.Name.String()
	if s.HasEpoch {
		t += sprintf("  epoch %d", s.Epoch)
	}
	if s.HasLeader {
		t += "  leader " + m.base.Name(s.Leader)
	}
	if s.HasVote {
		t += "  votedKey " + m.base.Name(s.Vote.ID)
	}
	return t
}
