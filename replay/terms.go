package replay

import "github.com/tracecheck/tracecheck/spec"

// A term begins with the election of one server, and others enter it by a message
// that goes back to that. So a line that shows a server in a term in which none has
// been waits for the one that begins it, even if the messages between are not shown.

// begins says whether a line may show a server in a new term by itself: one that
// begins an election, or has won one, or reads back what it was in before.
func begins(a *spec.Action) bool {
	switch a.Kind {
	case spec.Timeout, spec.BecomePreCandidate, spec.BecomeLeader, spec.Restart:
		return true
	case spec.Send:
		return a.Message.Type == spec.RequestVoteRequest || a.Message.Type == spec.PreVoteRequest
	}
	return a.After.Has&spec.HasRole != 0 && a.After.Role != spec.Follower
}

// term is the highest term in which a server of a group has been.
func (m *Merge) term(group uint32) uint64 {
	for int(group) >= len(m.terms) {
		m.terms = append(m.terms, 0)
	}
	return m.terms[group]
}

// begun notes that a server of a group is in a term, and wakes who waits for that.
func (m *Merge) begun(group uint32, term uint64) {
	m.terms[group] = term
	for i := range m.streams {
		s := &m.streams[i]
		if s.enters != 0 && s.enters <= term && s.line.Action.Group == group {
			s.enters = 0
		}
	}
}

// beginsSoon says whether another stream begins a term of a group within the window.
// It is unknown if that is not seen and the lines go on behind it.
func (m *Merge) beginsSoon(self int, group uint32, term uint64) spec.Truth {
	truth := spec.Fails
	for i := range m.streams {
		s := &m.streams[i]
		if i == self || s.line == nil {
			continue
		}
		for k := 1; ; k++ {
			if k == window {
				truth = spec.Unknown
				break
			}
			l := s.lines.Ahead(k)
			if l == nil {
				break
			}
			a := l.Action
			if a != nil && a.Group == group && begins(a) && a.After.Has&spec.HasTerm != 0 && a.After.CurrentTerm >= term {
				return spec.Holds
			}
		}
	}
	return truth
}
