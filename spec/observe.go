package spec

// How the values that a line claims are compared with what is known. A claim
// that differs from the view means that something happened between the lines;
// it is allowed if some legal step could have led there. A claim about a
// variable that was unknown is adopted.

// observe compares the claims of one side of an action, in the order in which
// the variables depend on each other.
func (m *Machine) observe(s *Server, c *State) {
	if c.Has&HasCommit != 0 && c.CommitIndex < s.CommitIndex && m.restartedUnseen(s, c) {
		m.restart(s)
		s.Known, s.Role = 0, UnknownRole
	}
	if c.Has&HasTerm != 0 && (c.CurrentTerm != s.CurrentTerm || !s.knows(HasTerm)) {
		m.observeTerm(s, c)
	}
	if c.Has&(HasRole|HasVote|HasConfig) != 0 {
		m.observeStanding(s, c)
	}
	if c.Has&(HasSnapshot|HasLastIndex|HasLastTerm|HasCommittable) != 0 {
		m.observePositions(s, c)
	}
	if c.Has&HasCommit != 0 && (c.CommitIndex != s.CommitIndex || !s.knows(HasCommit)) {
		m.observeCommit(s, c.CommitIndex)
	}
	if c.Has&(HasApplied|HasFirstIndex) != 0 {
		if c.Has&HasApplied != 0 {
			m.observeApplied(s, c.AppliedIndex)
		}
		if c.Has&HasFirstIndex != 0 {
			m.observeFirstIndex(s, c.FirstIndex)
		}
	}
}

// restartedUnseen says whether a line shows a server as it is after a restart
// that no line has shown: a follower that has forgotten its commit index, down to
// what its snapshot covers.
func (m *Machine) restartedUnseen(s *Server, c *State) bool {
	begins := uint64(0)
	if s.knows(HasSnapshot) {
		begins = s.Snapshot
	}
	role := s.Role
	if c.Has&HasRole != 0 {
		role = c.Role
	}
	if !s.knows(HasCommit) || c.CommitIndex != begins || role != Follower || !m.Group.shows(ShowsRestart) ||
		c.Has&HasApplied != 0 && c.AppliedIndex > begins || c.Has&HasTerm != 0 && s.knows(HasTerm) && c.CurrentTerm < s.CurrentTerm {
		return false
	}
	m.check(RestartShown, Fails)
	b := m.flaw(RestartShown, s)
	b.Message = sprintf("the commit index of server %s, a follower, is back at %d, with which it starts; it was %d, and no line shows a restart",
		m.name(s.ID), begins, s.CommitIndex)
	m.becauseOf(b, s, varCommit)
	b.Fields = []Field{FieldCommit}
	m.finish(b, sprintf("shows commit index %d", c.CommitIndex))
	return true
}

// observeStanding compares what a server is and whom it follows.
func (m *Machine) observeStanding(s *Server, c *State) {
	if c.Has&HasRole != 0 && (c.Role != s.Role || !s.knows(HasRole)) {
		m.observeRole(s, c.Role)
	}
	if c.Has&HasVote != 0 {
		m.observeVote(s, c.VotedFor)
	}
	if c.Has&HasConfig != 0 && c.Config != s.Config {
		m.observeConfig(s, c)
	}
}

// observePositions compares the ends of the log.
func (m *Machine) observePositions(s *Server, c *State) {
	if c.Has&HasSnapshot != 0 {
		m.observeSnapshot(s, c)
	}
	if c.Has&(HasLastIndex|HasLastTerm) != 0 {
		m.observeLog(s, c)
	}
	if c.Has&HasCommittable != 0 {
		s.Committable = c.Committable
		s.Known |= HasCommittable
	}
}

// observeTerm: a term that rose is UpdateTerm, by a message that need not be
// shown; a term never falls, except that a crash may take what nobody has seen.
func (m *Machine) observeTerm(s *Server, c *State) {
	term := c.CurrentTerm
	switch {
	case !s.knows(HasTerm):
		if m.check(RestartKeepsTerm, s.kept(term >= s.durable.term)) {
			m.lostTerm(s, term)
		}
		m.setTerm(s, term)
		s.Known &^= HasVote // what it had voted may have been in an earlier term
	case term > s.CurrentTerm && c.Has&HasRole != 0 && (c.Role == Candidate || c.Role == Leader):
		m.campaigned(s, c)
	case term > s.CurrentTerm:
		m.take(&UpdateTermStep, m.with(Step{Server: s, Term: term}))
		if c.Has&HasRole == 0 {
			s.Known &^= HasRole // it may have gone on to be a candidate
			s.Role = UnknownRole
		}
		if c.Has&HasVote == 0 {
			s.Known &^= HasVote // or have given its vote
		}
	case term < s.CurrentTerm:
		// The invariant Term Monotonicity reports it.
		m.setTerm(s, term)
		m.quiet = true
		s.Known &^= HasVote | HasRole
	}
}

// campaigned takes a server that shows for the first time that it has begun an
// election, or won it, at some time since its last line.
func (m *Machine) campaigned(s *Server, c *State) {
	TimeoutStep.Effect(m, m.with(Step{Server: s, Term: c.CurrentTerm}))
	s.VotesComplete = false // some may have come before the line
	if c.Role == Leader {
		s.Known &^= HasRole
		s.Role = UnknownRole
	}
}

func (m *Machine) lostTerm(s *Server, term uint64) {
	b := m.breach(RestartKeepsTerm, s)
	b.Message = sprintf("server %s restarted in term %d; it had been in term %d, and others have acted on that",
		m.name(s.ID), term, s.durable.term)
	m.becauseOf(b, s, varRole)
	m.because(b, s.durable.termRef, s.ID, Nil, true, sprintf("another server receives a message of its term %d", s.durable.term), "")
	b.Fields = []Field{FieldTerm}
	b.Allowed = sprintf("any term ≥ %d", s.durable.term)
	b.Help = "the term is persisted before a message that carries it leaves (Raft Figure 2)"
	m.finish(b, sprintf("is in term %d", term))
	m.fact(Fact{Kind: TermMoved, Server: s.ID, Term: term, Old: s.durable.term})
}

// observeRole: any server may be a follower; a leader or a candidate must have
// become one in this very term.
func (m *Machine) observeRole(s *Server, r Role) {
	if !s.knows(HasRole) {
		m.adoptRole(s, r)
		return
	}
	truth := Holds
	switch {
	case r == Candidate && s.Role != PreCandidate, r == Leader && s.Role != Candidate:
		truth = Fails
	case r == Candidate:
		truth = Unknown
	case r == PreCandidate && s.Role == Leader:
		truth = Fails
	}
	if m.check(RoleGraph, truth) {
		b := m.breach(RoleGraph, s)
		b.Message = sprintf("server %s is %s in term %d; it was %s in that term, and no step leads from one to the other",
			m.name(s.ID), r, s.CurrentTerm, s.Role)
		m.becauseOf(b, s, varRole)
		m.becauseOf(b, s, varTerm)
		b.Fields = []Field{FieldRole, FieldTerm}
		m.finish(b, sprintf("shows role %s", r))
	}
	if r == Leader {
		m.winsElection(s)
		return
	}
	m.setRole(s, r)
}

// adoptRole takes a role that was unknown. Who is leader now has won its term
// at some time, with votes that nobody has shown.
func (m *Machine) adoptRole(s *Server, r Role) {
	m.setRole(s, r)
	s.VotesComplete, s.MatchComplete = false, false
	s.VotesGranted, s.VotesResponded = Set{}, Set{}
	if r == Leader {
		clear(s.MatchIndex) // those of an earlier leadership, which a follower may still act upon
	}
	if r == Leader && s.knows(HasTerm) {
		m.Lineage.Lead(s.CurrentTerm, s.ID, Tip{}, false, m.ref)
		m.fact(Fact{Kind: Elected, Server: s.ID, Term: s.CurrentTerm})
	}
}

// observeVote: a vote is set at most once in a term, and never taken back.
func (m *Machine) observeVote(s *Server, candidate ID) {
	switch {
	case !s.knows(HasVote):
		if v, ok := s.durable.vote(s.CurrentTerm); ok && s.knows(HasTerm) {
			rule := RestartKeepsVote
			if s.lives == v.life {
				rule = VoteKept // no restart has been shown since
			}
			if m.check(rule, s.kept(candidate == v.candidate)) {
				m.lostVote(rule, s, candidate, v)
			}
		}
	case s.VotedFor == candidate:
		m.check(VoteKept, Holds)
		return
	case s.VotedFor == Nil, !s.knows(HasTerm), s.inbox.highestTerm > s.CurrentTerm && !m.action.showsTerm():
		// A vote that was given between the lines, or in a term that is not shown.
		m.check(VoteKept, Unknown)
	default:
		if m.check(VoteKept, Fails) {
			b := m.breach(VoteKept, s)
			b.Message = sprintf("server %s shows votedFor %s in term %d; it had voted for %s in that term",
				m.name(s.ID), m.name(candidate), s.CurrentTerm, m.name(s.VotedFor))
			m.becauseOf(b, s, varTerm)
			m.becauseOf(b, s, varVote)
			b.Fields = []Field{FieldTerm, FieldVote}
			b.Allowed = sprintf("votedFor %s, or any vote after term %d", m.name(s.VotedFor), s.CurrentTerm)
			m.finish(b, sprintf("shows votedFor %s", m.name(candidate)))
		}
	}
	m.setVote(s, candidate)
}

func (m *Machine) lostVote(r *Rule, s *Server, candidate ID, v vote) {
	b := m.breach(r, s)
	deed, why := "restarted with", sprintf("and %s has seen it", m.name(v.candidate))
	if r == VoteKept {
		deed, why = "shows", "and that is not taken back"
	}
	b.Message = sprintf("server %s %s votedFor %s in term %d; it had voted for %s in that term, %s",
		m.name(s.ID), deed, m.name(candidate), s.CurrentTerm, m.name(v.candidate), why)
	m.because(b, v.ref, s.ID, v.candidate, true, sprintf("its vote of term %d is received or on disk", v.term), "")
	m.becauseOf(b, s, varRole)
	b.Fields = []Field{FieldTerm, FieldVote}
	b.Allowed = sprintf("votedFor %s in term %d", m.name(v.candidate), v.term)
	b.Help = "the vote is persisted before the answer leaves (Raft Figure 2)"
	m.finish(b, sprintf("shows votedFor %s", m.name(candidate)))
}

// observeApplied: what is applied only grows in one incarnation.
func (m *Machine) observeApplied(s *Server, applied uint64) {
	truth := Unknown
	if s.knows(HasApplied) {
		truth = Is(applied >= s.Applied)
	}
	if m.check(ApplyInOrder, truth) {
		b := m.breach(ApplyInOrder, s)
		b.Message = sprintf("server %s shows lastApplied %d; it had applied up to %d", m.name(s.ID), applied, s.Applied)
		b.Fields = []Field{FieldApplied}
		b.Allowed = sprintf("lastApplied of at least %d until a restart", s.Applied)
		m.finish(b, sprintf("shows lastApplied %d", applied))
	}
	if m.check(ApplyCommitted, m.withinCommit(s, applied)) {
		b := m.breach(ApplyCommitted, s)
		b.Message = sprintf("server %s shows lastApplied %d; its commit index is %d", m.name(s.ID), applied, s.CommitIndex)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldApplied, FieldCommit}
		m.finish(b, sprintf("shows lastApplied %d", applied))
	}
	s.Applied = applied
	s.Known |= HasApplied
}
