package spec

// How the lines of a trace about elections become small steps.

// timeout replays a server that begins an election.
func (m *Machine) timeout(s *Server, a *Action) {
	term := s.CurrentTerm + 1
	if a.After.Has&HasTerm != 0 {
		term = a.After.CurrentTerm
	} else if !s.knows(HasTerm) || s.inbox.highestTerm > s.CurrentTerm {
		// It may have entered another term since; its requests will show which.
		s.Known &^= HasTerm | HasVote
		s.Role, s.VotesComplete = Candidate, false
		s.Known |= HasRole
		return
	}
	m.take(&TimeoutStep, m.with(Step{Server: s, Term: term}))
}

// becomePreCandidate replays a server that begins a pre-vote: nothing but its
// role changes.
func (m *Machine) becomePreCandidate(s *Server) {
	if m.check(RoleGraph, s.mayCampaign()) {
		b := m.breach(RoleGraph, s)
		b.Message = sprintf("server %s began a pre-vote; it was Leader of term %d", m.name(s.ID), s.CurrentTerm)
		m.becauseOf(b, s, varRole)
		b.Fields = []Field{FieldAction, FieldRole}
		m.finish(b, "begins a pre-vote")
	}
	m.setRole(s, PreCandidate)
	s.asked = false
}

// is says whether s has a role, as far as that is known.
func (s *Server) is(r Role) Truth {
	if !s.knows(HasRole) {
		return Unknown
	}
	return Is(s.Role == r)
}

// mayCampaign says whether s may begin an election: any server may that is not
// leader. One that has received a higher term may have stepped down by it unseen.
func (s *Server) mayCampaign() Truth {
	if !s.knows(HasRole) || s.Role == Leader && s.inbox.highestTerm > s.CurrentTerm {
		return Unknown
	}
	return Is(s.Role != Leader)
}

// becomeLeader replays a server that wins its election. The line's term counts
// as observed before the step, since an election does not change it.
func (m *Machine) becomeLeader(s *Server, a *Action) {
	if a.After.Has&HasTerm != 0 {
		moved := !s.knows(HasTerm) || s.CurrentTerm != a.After.CurrentTerm
		m.observeTerm(s, &a.After)
		if moved {
			// The candidacy itself was not seen.
			s.Known &^= HasRole
			s.VotesComplete = false
		}
	}
	if s.knows(HasRole) && s.Role == Leader {
		return // said twice
	}
	if a.After.Has&HasConfig != 0 {
		m.observeConfig(s, &a.After)
	}
	if a.After.Has&(HasLastIndex|HasLastTerm) != 0 {
		m.observeLog(s, &a.After)
	}
	m.winsElection(s)
}

// winsElection takes the step of a candidate that becomes leader. Where no line
// has ever shown anybody asking for votes, one who wins must have asked all the
// same: such lines are missing.
func (m *Machine) winsElection(s *Server) {
	if m.Group.shows(ShowsSends) && !s.asked && !m.votesShown {
		s.VotesComplete = false
	}
	m.take(&BecomeLeaderStep, m.with(Step{Server: s, Term: s.CurrentTerm}))
}

// becomeFollower replays UpdateTerm, or stepping down within a term, which is
// always allowed.
func (m *Machine) becomeFollower(s *Server, a *Action) {
	if a.After.Has&HasTerm != 0 {
		m.observeTerm(s, &a.After)
	}
	m.setRole(s, Follower)
}

// send replays a message that is sent, or queued. The line's claims have been
// observed; a vote that is granted changes the voter only now.
func (m *Machine) send(s *Server, a *Action) {
	msg := &a.Message
	if msg.Has&MsgLeaderMatch != 0 {
		m.keeps(s, msg.To, msg.LeaderMatch)
	}
	if m.lastWords(s, msg) {
		m.Net.Send(msg)
		return
	}
	switch msg.Type {
	case RequestVoteRequest:
		m.carriesTerm(s, msg)
		m.learnLastTerm(s, msg)
		m.take(&RequestVoteStep, m.with(Step{Server: s, Peer: msg.To, Message: msg})) // and sends
	case RequestVoteResponse:
		m.sendVote(s, a, m.with(Step{Server: s, Peer: msg.To, Message: msg}))
	case PreVoteRequest:
		s.asked = true
		m.learnLastTerm(s, msg)
	case PreVoteResponse:
		m.sendPreVote(s, msg)
	case AppendEntriesRequest:
		if len(a.Entries) == 0 && m.sendsInOrder(s, msg) {
			m.Net.Send(msg)
			break
		}
		m.carriesTerm(s, msg)
		m.sendAppend(s, a) // and sends
	case HeartbeatRequest:
		m.carriesTerm(s, msg)
		m.sendHeartbeat(s, msg)
	case AppendEntriesResponse:
		if m.answersInOrder(s, msg) {
			break
		}
		m.carriesTerm(s, msg)
		m.sendAppendResponse(s, msg)
	case HeartbeatResponse:
		m.carriesTerm(s, msg)
	case InstallSnapshotRequest:
		m.carriesTerm(s, msg)
		m.sendSnapshot(s, msg)
	case InstallSnapshotResponse:
		m.carriesTerm(s, msg)
	}
	m.persistedFirst(s, msg)
	if msg.Type == AppendEntriesRequest || msg.Type == HeartbeatRequest {
		if to := m.Server(msg.To); to != nil {
			to.sendTo(msg)
		}
	}
	if msg.Type == RequestVoteResponse || msg.Type == AppendEntriesResponse {
		m.offers(s.ID, msg)
	}
	if msg.Type != RequestVoteRequest && msg.Type != AppendEntriesRequest {
		m.Net.Send(msg)
	}
}

// revealsTerm takes a message of its sender for the first sign of the term that
// the sender is in, where its own lines have not shown that.
func (m *Machine) revealsTerm(s *Server, msg *Message) {
	switch {
	case msg.Has&MsgTerm == 0 || m.action.showsTerm():
	case !s.knows(HasTerm):
		if msg.Term >= s.durable.term {
			m.setTerm(s, msg.Term)
		}
	default:
		m.entersUnseen(s, msg.Term)
	}
}

// entersUnseen takes a term that a line about s shows, other than as its own, for
// one that s has entered unseen, if there is cause for that.
func (m *Machine) entersUnseen(s *Server, term uint64) {
	if m.quiet || !s.knows(HasTerm) || term <= s.CurrentTerm || m.action.showsTerm() || m.termHasCause(s, term) == Fails {
		return
	}
	m.take(&UpdateTermStep, m.with(Step{Server: s, Term: term}))
	s.Known &^= HasRole | HasVote // nor has any line shown what else came of that term
	s.Role = UnknownRole
}

// lastWords says whether a message is one that a server which led its term, or
// was a candidate of it, sends when it is so no more, where that may happen. It is
// as good as one that was sent before and comes late.
func (m *Machine) lastWords(s *Server, msg *Message) bool {
	if !m.Group.Profile.SendsAfterStepDown {
		return false
	}
	past := s.knows(HasTerm) && msg.Term < s.CurrentTerm
	switch msg.Type {
	case AppendEntriesRequest, HeartbeatRequest, InstallSnapshotRequest:
		leader := Nil // not known, as in a trace that begins later
		if run := m.Lineage.Find(msg.Term); run != 0 {
			leader = m.Lineage.Run(run).Leader
		}
		unseen := Role(s.last[varRole].from) == UnknownRole // what it was before may have been the leader
		return leader == s.ID && (past || s.is(Leader) != Holds) || leader == Nil && (past || unseen && s.is(Leader) == Fails)
	case RequestVoteRequest:
		v, ok := s.durable.vote(msg.Term)
		return ok && v.candidate == s.ID && (past || s.is(Candidate) != Holds)
	}
	return false
}

// carriesTerm checks that a message carries its sender's term.
func (m *Machine) carriesTerm(s *Server, msg *Message) {
	if msg.Has&MsgTerm == 0 {
		return
	}
	known := s.knows(HasTerm)
	m.revealsTerm(s, msg)
	truth := Unknown
	if known {
		truth = Is(msg.Term == s.CurrentTerm)
	}
	if m.Group.Profile.ReplyInRequestTerm && msg.Type == AppendEntriesResponse && msg.Term < s.CurrentTerm {
		truth = Unknown
	}
	if m.check(MessageTerm, truth) {
		b := m.breach(MessageTerm, s)
		b.Message = sprintf("server %s sent %s a %s of term %d; its own term is %d",
			m.name(s.ID), m.name(msg.To), msg.Type, msg.Term, s.CurrentTerm)
		m.becauseOf(b, s, varTerm)
		b.Fields = []Field{FieldTerm, FieldMessageTerm}
		b.Allowed = sprintf("a message of term %d", s.CurrentTerm)
		m.finish(b, sprintf("sends %s of term %d", msg.Type, msg.Term))
	}
}

// sendVote replays the answer to a vote request. Refusing is always allowed.
func (m *Machine) sendVote(s *Server, a *Action, st *Step) {
	msg := &a.Message
	if msg.Has&MsgSuccess == 0 || !msg.Success {
		m.revealsTerm(s, msg)
		return
	}
	if s.knows(HasTerm) && msg.Has&MsgTerm != 0 && msg.Term > s.CurrentTerm {
		// UpdateTerm belongs to the handling of the request and need not be shown.
		m.take(&UpdateTermStep, m.with(Step{Server: s, Term: msg.Term}))
	}
	st.request = s.inbox.vote(RequestVoteRequest, msg.To, msg.Term)
	m.take(&GrantVoteStep, st)
	if msg.To != s.ID {
		truth := Is(st.request != nil)
		if truth == Fails && (!m.Group.shows(ShowsReceives) || !s.inbox.whole()) {
			truth = Unknown
		}
		if c := m.Server(msg.To); truth == Fails && c != nil && c.knows(HasTerm) && c.CurrentTerm >= msg.Term {
			truth = Unknown // the candidate is real: rather a line is missing than a request
		}
		if m.check(GrantAnswersRequest, truth) {
			b := m.breach(GrantAnswersRequest, s)
			b.Message = sprintf("server %s granted its vote to %s in term %d; it has received no request of that term from it",
				m.name(s.ID), m.name(msg.To), msg.Term)
			b.Fields = []Field{FieldAction, FieldPeer, FieldMessageTerm}
			b.Help = "a lost line with the request would look like this"
			m.finish(b, "grants")
		}
	}
}

// learnLastTerm takes the term of the last entry from a vote request, where the
// trace had not shown it before.
func (m *Machine) learnLastTerm(s *Server, msg *Message) {
	if !hasLog(msg.Has) || m.Group.Profile.SignedCommits {
		return
	}
	if !s.knows(HasLastIndex) {
		m.adoptLog(s, msg.LogIndex, msg.LogTerm)
	} else if !m.sureLog(s) {
		m.observeLog(s, &State{Has: HasLastIndex | HasLastTerm, LastIndex: msg.LogIndex, LastTerm: msg.LogTerm})
	} else if s.Log.Run == 0 && s.Log.Index == msg.LogIndex && msg.LogIndex > 0 {
		s.Log = m.saw(s, msg.LogIndex, msg.LogTerm)
	}
}

// sendPreVote replays the answer to a pre-vote request: a grant to a candidate
// with an older log gains nothing and is no safety breach, but no correct
// implementation gives it.
func (m *Machine) sendPreVote(s *Server, msg *Message) {
	if msg.Has&MsgSuccess == 0 || !msg.Success {
		return
	}
	r := s.inbox.vote(PreVoteRequest, msg.To, msg.Term)
	truth := Unknown
	if r != nil && hasLog(r.Has) && s.knows(HasLastIndex) {
		truth = m.overLogs(s, func() Truth { return m.upToDate(m.votingTip(s), r.LogIndex, r.LogTerm) })
	}
	if m.check(PreVoteUpToDate, truth) {
		b := m.breach(PreVoteUpToDate, s)
		b.Message = sprintf("server %s granted a pre-vote to %s, whose log ends at %s; its own ends at %s",
			m.name(s.ID), m.name(msg.To), position(r.LogIndex, r.LogTerm), m.tip(m.votingTip(s)))
		m.becauseOf(b, s, varLog)
		m.because(b, r.Ref, s.ID, msg.To, false, sprintf("receives PreVote, last %d@%d", r.LogIndex, r.LogTerm), "")
		b.Fields = []Field{FieldLastIndex, FieldMessageResult}
		m.finish(b, "grants a pre-vote")
	}
}

// receive replays the arrival of a message. What the receiver makes of it shows
// in its later lines: ignoring a message is always allowed, so nothing but the
// bookkeeping of answers changes here.
func (m *Machine) receive(s *Server, a *Action) {
	msg := &a.Message
	s.inbox.complete = true // what it handles from here on, it received here
	m.wasSent(s, msg)
	m.seen(a)
	if msg.Type != PreVoteRequest && (msg.Type != PreVoteResponse || !msg.Success) && msg.Has&MsgTerm != 0 {
		s.inbox.highestTerm = max(s.inbox.highestTerm, msg.Term)
	}
	if msg.Has&MsgTerm == 0 {
		s.inbox.highestTerm = ^uint64(0) // it may have been any
		s.inbox.termless = true
		s.VotesComplete, s.MatchComplete = false, false
	}
	current := s.knows(HasTerm) && msg.Has&MsgTerm != 0 && msg.Term == s.CurrentTerm
	switch msg.Type {
	case RequestVoteRequest, PreVoteRequest:
		s.inbox.add(msg, m.ref, 0)
		if msg.Type == RequestVoteRequest {
			m.mayVote(s.ID, msg)
		}
	case PreVoteResponse:
		s.asked = true
	case RequestVoteResponse:
		s.asked = true
		if current && s.Role == Candidate {
			m.take(&HandleVoteStep, m.with(Step{Server: s, Peer: msg.From, Message: msg}))
		}
	case AppendEntriesRequest, HeartbeatRequest, InstallSnapshotRequest:
		m.receiveFromLeader(s, a)
	case AppendEntriesResponse:
		if current && s.Role == Leader {
			if msg.Has&MsgLeaderMatch != 0 {
				m.keeps(s, msg.From, msg.LeaderMatch)
			}
			m.receiveAck(s, msg)
		}
	}
}

// wasSent checks that a received message was sent. A message that nobody sent is
// a sign that lines are missing, so it is a finding about the trace.
func (m *Machine) wasSent(s *Server, msg *Message) {
	truth := Unknown
	unsent := m.Group.Profile.VoteAnswersUnsent &&
		(msg.Type == RequestVoteResponse || msg.Type == PreVoteResponse || msg.Type == TimeoutNow)
	if m.Group.shows(ShowsSends|ShowsReceives) && msg.From != Nil && !unsent {
		truth = m.Net.WasSent(msg)
		if from := m.Server(msg.From); truth == Fails && (from == nil || !from.acted) {
			truth = Unknown // a trace without any line of the sender
		}
	}
	if m.check(MessageSent, truth) {
		b := m.flaw(MessageSent, s)
		b.Message = sprintf("server %s received a %s from %s that no line has sent; lines are missing before this one",
			m.name(s.ID), msg.Type, m.name(msg.From))
		b.Fields = []Field{FieldAction, FieldPeer}
		m.finish(b, sprintf("receives %s", msg.Type))
		from := m.server(msg.From)
		b.LinesMissing = !from.counts && !m.Group.Counted
		from.gap()
		from.gone = true
	}
}
