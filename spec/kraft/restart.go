package kraft

import "github.com/tracecheck/tracecheck/spec"

// restart: the process begins in the state that quorum-state tells it.
func (m *Machine) restart(n *node, to *State) {
	n.hasHigh, n.hasEnd = false, false
	if !to.HasEpoch {
		return
	}
	if m.startsEmpty(n, to) {
		return
	}
	m.epochMoves(n, to.Epoch)
	if m.check(StartsFromQuorumState, m.startsFrom(n, to)) {
		b := m.breach(StartsFromQuorumState, n, spec.FieldRole, spec.FieldVote)
		s := &n.stable
		b.Message = sprintf("server %s starts as %s; before it ended it was %s", m.base.Name(n.id), m.text(to), m.text(s))
		if s.Name == Unknown {
			b.Message = sprintf("server %s starts as %s", m.base.Name(n.id), m.text(to))
		}
		m.because(b, n.stableRef, n.id, "is "+m.text(s))
		b.Allowed = startsAs(s.Name)
		m.finish(b, "starts as "+m.text(to))
	}
}

// startsFrom judges the state in which a process begins against what its
// quorum-state file holds.
func (m *Machine) startsFrom(n *node, to *State) spec.Truth {
	if to.Name == Leader || to.Name == Prospective {
		return spec.Fails // whatever the file holds
	}
	s := &n.stable
	if s.Name == Unknown || s.Epoch != to.Epoch || n.attempt.Name != Unknown {
		return spec.Unknown
	}
	switch {
	case s.Name == Leader:
		switch {
		case to.Name == Resigned:
			return spec.Holds
		case to.Name == Candidate || to.Name == Voted || to.Name == Unattached && to.HasLeader && to.Leader == spec.Nil:
			return spec.Fails
		}
		return spec.Unknown
	case to.Name == Resigned:
		if s.Name == Candidate {
			return spec.Unknown // it was elected, and ended before it could say so
		}
		return spec.Is(s.HasLeader && s.Leader == n.id)
	case s.HasLeader && s.Leader != spec.Nil:
		switch {
		case to.HasLeader:
			return spec.Is(to.Leader == s.Leader || to.Leader != spec.Nil) // another leader is the invariant's affair
		case to.Name == Voted:
			return spec.Fails
		}
		return spec.Unknown
	case s.Name == Candidate:
		if to.Name == Candidate {
			return spec.Holds
		}
		return spec.Is(!to.HasVote || to.Vote.ID != spec.Nil || to.HasLeader && to.Leader != spec.Nil)
	case s.HasVote && s.Vote.ID != spec.Nil:
		if !to.HasVote || to.HasLeader && to.Leader != spec.Nil {
			return spec.Unknown
		}
		return spec.Is(to.Vote.ID != spec.Nil) // a vote for another is the invariant's affair
	}
	return spec.Unknown
}

func startsAs(n Name) string {
	switch n {
	case Leader:
		return "Resigned in that epoch"
	case Candidate:
		return "Candidate in that epoch"
	case Follower:
		return "Follower of that leader, or Unattached with it"
	}
	return "what quorum-state holds, and never Leader or Prospective"
}
