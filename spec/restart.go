package spec

// RestartStep is raft.tla's Restart: volatile state is gone, and currentTerm,
// votedFor and log are as they were. Replay then forgets those too, down to what
// the server cannot have lost, since a crash may come before a write.
var RestartStep = Transition{
	Name: "Restart",
	Doc:  "a server starts again from stable storage",
	Effect: func(m *Machine, st *Step) {
		s := st.Server
		m.setRole(s, Follower)
		s.VotesResponded, s.VotesGranted = Set{}, Set{}
		for j := range s.MatchIndex {
			s.MatchIndex[j], s.NextIndex[j] = 0, 1
		}
		s.CommitIndex = 0
	},
}

// restart replays a server that starts. What it read back shows in its claims.
func (m *Machine) restart(s *Server) {
	if s.Known != 0 || s.last[varRole].ref != 0 { // not the first line of it
		m.Restarts++
	}
	s.lives++
	m.fact(Fact{Kind: Incarnated, Server: s.ID})
	s.Known &= HasRole
	m.take(&RestartStep, m.with(Step{Server: s}))
	s.moveMark(m, varRole)
	s.Known = HasRole
	s.forgetConfig()
	s.late = lateCommit{}
	s.VotesComplete, s.MatchComplete = false, false
	in := &s.inbox
	in.reach, in.snapshot, in.complete, in.termless = 0, received{}, true, false
	in.appends.empty()
	in.votes.empty()
	in.logSeen, in.logTerm = in.nEntries, 0
}

// moveMark makes the present line the one that changed a variable last.
func (s *Server) moveMark(m *Machine, variable int) {
	s.last[variable] = change{ref: m.ref, kind: Restart, from: uint64(s.Role), to: uint64(s.Role)}
}

// persistedFirst checks that what a message depends on is on stable storage
// before the message is sent, for sources that show persistence.
func (m *Machine) persistedFirst(s *Server, msg *Message) {
	if !m.Group.shows(ShowsPersist) || msg.Has&MsgTerm == 0 {
		return
	}
	switch msg.Type {
	case PreVoteRequest, PreVoteResponse, TimeoutNow:
		return
	}
	truth := Is(s.durable.term >= msg.Term)
	if truth == Fails && !s.durable.shown {
		truth = Unknown
	}
	if m.check(TermPersistedFirst, truth) {
		b := m.breach(TermPersistedFirst, s)
		b.Message = sprintf("server %s sent a %s of term %d; the last term on its stable storage is %d",
			m.name(s.ID), msg.Type, msg.Term, s.durable.term)
		m.because(b, s.durable.termRef, s.ID, Nil, true, sprintf("term %d is persisted", s.durable.term), "")
		b.Fields = []Field{FieldMessageTerm}
		b.Allowed = fmtPersist("the term", msg.Term)
		m.finish(b, sprintf("sends %s", msg.Type))
	}
	candidate := msg.To
	switch {
	case msg.Type == RequestVoteRequest && m.Group.Profile.AsksBeforeVoting:
		return
	case msg.Type == RequestVoteRequest:
		candidate = s.ID
	case msg.Type != RequestVoteResponse || !msg.Success:
		return
	}
	v, ok := s.durable.vote(msg.Term)
	truth = Is(ok && v.candidate == candidate)
	if !ok && (!s.durable.shown || s.durable.since >= msg.Term || !m.Group.shows(ShowsVote)) {
		truth = Unknown
	}
	if m.check(VotePersistedFirst, truth) {
		b := m.breach(VotePersistedFirst, s)
		b.Message = sprintf("server %s sent a %s of term %d; its vote for %s is not on its stable storage",
			m.name(s.ID), msg.Type, msg.Term, m.name(candidate))
		if ok {
			m.because(b, v.ref, s.ID, v.candidate, true, sprintf("its vote of term %d is persisted", v.term), "")
		}
		b.Fields = []Field{FieldMessageTerm, FieldMessageResult}
		b.Allowed = fmtPersist("the vote", msg.Term)
		m.finish(b, sprintf("sends %s", msg.Type))
	}
}

func fmtPersist(what string, term uint64) string {
	return sprintf("persisting %s of term %d first", what, term)
}
