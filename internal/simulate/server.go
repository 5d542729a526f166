package simulate

import (
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

// server is one server: what is on its disk, and what is not.
type server struct {
	id spec.ID

	// On disk.
	term     uint64
	vote     spec.ID
	log      []spec.Entry // what follows the snapshot
	snapshot spec.Entry   // the last entry that the snapshot covers, Config being the configuration up to it

	role     spec.Role
	commit   uint64
	applied  uint64
	votes    spec.Set
	next     map[spec.ID]uint64
	match    map[spec.ID]uint64
	transfer bool // its candidacy was begun by a leadership transfer
}

// last is the last entry of the log, or of the snapshot if the log is empty.
func (s *server) last() spec.Entry {
	if n := len(s.log); n > 0 {
		return s.log[n-1]
	}
	return s.snapshot
}

// at returns the entry at an index, and whether the log still holds it.
func (s *server) at(index uint64) (spec.Entry, bool) {
	switch {
	case index == s.snapshot.Index:
		return s.snapshot, true
	case index < s.snapshot.Index || index > s.last().Index:
		return spec.Entry{}, false
	}
	return s.log[index-s.snapshot.Index-1], true
}

// termAt returns the term of the entry at an index that the log holds.
func (s *server) termAt(index uint64) uint64 {
	e, _ := s.at(index)
	return e.Term
}

// from returns up to n entries from an index on.
func (s *server) from(index uint64, n int) []spec.Entry {
	if index > s.last().Index {
		return nil
	}
	rest := s.log[index-s.snapshot.Index-1:]
	return slices.Clone(rest[:min(n, len(rest))])
}

// config returns the configuration in force: the last one in the log.
func (s *server) config() (id spec.ConfigID, index uint64) {
	for _, e := range slices.Backward(s.log) {
		if e.Kind == spec.Configuration {
			return e.Config, e.Index
		}
	}
	return s.snapshot.Config, 0
}

// state is what the server would show of itself.
func (s *server) state() spec.State {
	c, _ := s.config()
	return spec.State{
		Has: spec.HasRole | spec.HasTerm | spec.HasVote | spec.HasLastIndex | spec.HasLastTerm | spec.HasCommit |
			spec.HasApplied | spec.HasConfig,
		Role: s.role, CurrentTerm: s.term, VotedFor: s.vote, LastIndex: s.last().Index, LastTerm: s.last().Term,
		CommitIndex: s.commit, AppliedIndex: s.applied, Config: c,
	}
}
