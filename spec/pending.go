package spec

import "slices"

// A server that has received requests may have handled any of them by the time
// of a line that does not show its log. Such requests are pending: until the log
// is shown, what it holds is one of several things.

// logShown notes that a line shows the log of s.
func (s *Server) logShown() {
	in := &s.inbox
	in.logSeen, in.logTerm = in.nEntries, 0
	if s.knows(HasTerm) {
		in.logTerm = s.CurrentTerm
	}
}

// sureLog says whether the log of s is what the view has: no request has come
// since it was shown, or none that could have changed it.
func (m *Machine) sureLog(s *Server) bool {
	if s.inbox.nEntries == s.inbox.logSeen {
		return true
	}
	tips, all := m.reachable(s)
	return all && len(tips) == 1
}

// overLogs decides a guard on the log of s: it holds or fails if it does so for
// every log that s may have by now.
func (m *Machine) overLogs(s *Server, guard func() Truth) Truth {
	truth := guard()
	if truth == Unknown || s.inbox.nEntries == s.inbox.logSeen {
		return truth
	}
	tips, all := m.reachable(s)
	if !all {
		return Unknown
	}
	present := s.Log
	defer func() { s.Log = present }()
	for _, s.Log = range tips {
		if guard() != truth {
			return Unknown
		}
	}
	return truth
}

// withinCommit says whether an index is committed for s: at most its commit index,
// which may have moved since a line has shown it.
func (m *Machine) withinCommit(s *Server, index uint64) Truth {
	switch {
	case !s.knows(HasCommit):
		return Unknown
	case index <= s.CommitIndex:
		return Holds
	case m.action.Before.Has&HasCommit != 0:
		return Fails
	case m.action.After.Has&HasCommit != 0:
		if index <= m.action.After.CommitIndex {
			return Unknown // it may have moved before this line
		}
		return Fails
	case index <= s.inbox.leaderCommit, !s.knows(HasRole), !m.Group.shows(ShowsReceives):
		return Unknown
	case s.Role == Leader && m.agreed(s, index) != Fails, m.agreed(s, index) == Holds:
		return Unknown // by the acknowledgements that it has, or had before it stepped down
	}
	return Fails
}

// reachable returns what the log of s may be if any of the requests that it has
// received, one after the other, has been handled: first the log of the view.
// all is false if there may be more than that. The slice is reused.
func (m *Machine) reachable(s *Server) (tips []Tip, all bool) {
	in := &s.inbox
	tips = append(m.tips[:0], s.Log)
	all = in.whole() && m.Group.shows(ShowsReceives) && in.snapshot.Type == NoMessage &&
		in.nEntries-in.logSeen <= maxAppends
	for k := in.appends.kept() - 1; k >= 0; k-- {
		r := in.append(k)
		if !m.mayHandle(s, r) {
			continue
		}
		for _, old := range tips {
			t, known := m.handled(old, r)
			switch {
			case known && slices.Contains(tips, t):
			case !known || len(tips) == maxTips:
				all = false
			default:
				tips = append(tips, t)
			}
		}
	}
	m.tips = tips
	return tips, all
}

// maxTips is how many logs are followed.
const maxTips = 32

// mayHandle says whether a request can have been accepted since the log was
// shown: at its arrival and at that line the term was not above the request's,
// and now it is not below, if the line says.
func (m *Machine) mayHandle(s *Server, r *received) bool {
	return r.Term >= r.current && r.Term >= s.inbox.logTerm &&
		(!s.knows(HasTerm) || r.Term <= s.CurrentTerm || !m.action.showsTerm())
}

// showsTerm says whether a line shows the term of its server, other than by a
// message.
func (a *Action) showsTerm() bool { return (a.Before.Has|a.After.Has)&HasTerm != 0 }

// handled returns the log that ends with old after a request, and whether that
// is known. A request that is refused changes nothing.
func (m *Machine) handled(old Tip, r *received) (Tip, bool) {
	if r.Has&(MsgLogIndex|MsgLogTerm|MsgEntries) != MsgLogIndex|MsgLogTerm|MsgEntries {
		return old, false
	}
	switch m.logOk(old, r.LogIndex, r.LogTerm) {
	case Fails:
		return old, true
	case Unknown:
		return old, false
	}
	if r.Entries == 0 {
		return old, true
	}
	end := r.LogIndex + r.Entries
	leader, known := m.Lineage.Branch(m.Lineage.Find(r.Term), end)
	if !known {
		return old, false
	}
	common, known := m.Lineage.Common(old, leader)
	if !known {
		return old, false
	}
	if common.Index == end {
		return old, true
	}
	return leader, true
}

// explainByMany looks for requests that, handled one after the other, turn the
// present log into one that ends at index. It is asked where no single one does.
func (m *Machine) explainByMany(s *Server, index, term uint64, f follow) follow {
	tips, all := m.reachable(s)
	if !all {
		f.truth = Unknown
	}
	present := s.Log
	defer func() { s.Log = present }()
	for _, t := range tips {
		last, known := m.Lineage.Term(t)
		if t != present && t.Index == index && (term == 0 || known && last == term) {
			return follow{tip: t, truth: Holds, rule: AppendNeedsRequest, request: s.inbox.append(0)}
		}
		for k := 0; s.inbox.append(k) != nil; k++ {
			r := s.inbox.append(k)
			if !m.mayHandle(s, r) || t == present && r.Term == s.CurrentTerm {
				continue
			}
			s.Log = t // as if it had come that far
			switch g := m.byRequest(s, r, m.Lineage.Find(r.Term), index, term); g.truth {
			case Holds:
				return g
			case Unknown:
				f.truth = Unknown
			}
		}
	}
	return f
}

// ackPending looks for requests by which a server can hold its leader's log up to
// an index, where its lines have not shown that yet.
func (m *Machine) ackPending(s *Server, leader Tip, known bool, match uint64) Truth {
	if s.inbox.nEntries == s.inbox.logSeen {
		return Fails
	}
	tips, all := m.reachable(s)
	for k := len(tips) - 1; k >= 0; k-- {
		if t := tips[k]; t.Index >= match && known && m.Lineage.Same(t, leader, match) == Holds {
			m.setLog(s, t)
			return Holds
		}
	}
	if all && known {
		return Fails
	}
	m.setLog(s, leader) // its index at least
	return Unknown
}
