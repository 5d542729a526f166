package spec

// Some sources write a line of its own for every change of some variables. A
// value that another line shows to have changed then says that lines are missing:
// the code that changes it and the code that writes the line are the same.

// announcedChanges looks for such a change in what a line claims, and takes it for
// what it is: what its server did meanwhile is not known.
func (m *Machine) announcedChanges(s *Server, a *Action) {
	what, from, to := m.unannounced(s, a, &a.Before, a.Kind == AdvanceCommitIndex)
	if what == "" && !changesRole(a) {
		what, from, to = m.unannounced(s, a, &a.After, a.Kind == AdvanceCommitIndex)
	}
	if a.Kind == ApplyConfiguration || (a.Before.Has|a.After.Has)&HasConfig != 0 {
		s.applies = a.Kind == ApplyConfiguration
	}
	m.check(ChangeHasLine, Is(what == ""))
	if what == "" {
		return
	}
	b := m.flaw(ChangeHasLine, s)
	b.Message = sprintf("the %s of server %s went from %s to %s without the line that always goes with it; lines are missing before this one",
		what, m.name(s.ID), from, to)
	b.Fields = []Field{FieldServer}
	m.finish(b, sprintf("shows %s %s", what, to))
	s.gap()
	s.gone = true
}

// unannounced returns the first change that one side of an action claims without
// being the line for it, and the values.
func (m *Machine) unannounced(s *Server, a *Action, c *State, commits bool) (what, from, to string) {
	p := &m.Group.Profile
	switch known := c.Has & s.Known; {
	case p.RolesAnnounced && known&HasTerm != 0 && c.CurrentTerm > s.CurrentTerm:
		return "term", sprintf("%d", s.CurrentTerm), sprintf("%d", c.CurrentTerm)
	case p.RolesAnnounced && known&HasRole != 0 && c.Role != s.Role && c.Role != PreCandidate:
		return "role", s.Role.String(), c.Role.String()
	case p.RolesAnnounced && !commits && known&HasCommit != 0 && c.CommitIndex > s.CommitIndex && s.is(Leader) == Holds:
		return "commit index", sprintf("%d", s.CommitIndex), sprintf("%d", c.CommitIndex)
	case p.RolesAnnounced && p.ConfigOnApply && c.Has&HasConfig != 0 && s.Config != 0 && c.Config != s.Config && !s.applies:
		return "configuration", m.configText(m.config(s)), m.configText(m.Group.ConfigOf(c.Config))
	case p.EntriesAnnounced && known&HasLastIndex != 0 && c.LastIndex > s.Log.Index+1:
		return "last index", sprintf("%d", s.Log.Index), sprintf("%d", c.LastIndex)
	}
	return "", "", ""
}

// changesRole says whether an action is one that may change the role or the term.
func changesRole(a *Action) bool {
	switch a.Kind {
	case Restart, Timeout, BecomePreCandidate, BecomeLeader, BecomeFollower:
		return true
	}
	return a.Flags&Restarted != 0
}
