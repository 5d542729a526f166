package spec

// The steps of leader election: Raft §5.2 and §5.4.1; raft.tla Timeout,
// RequestVote, HandleRequestVoteRequest, HandleRequestVoteResponse, BecomeLeader,
// UpdateTerm.

// TimeoutStep begins an election. Step.Term is the term that is entered.
var TimeoutStep = Transition{
	Name: "Timeout",
	Doc:  "a server that hears from no leader becomes Candidate of the next term; a leadership transfer does the same without the wait",
	Guards: []Guard{
		{RoleGraph, func(m *Machine, st *Step) Truth {
			return st.Server.mayCampaign()
		}, func(m *Machine, st *Step, b *Breach) {
			b.Message = sprintf("server %s became Candidate; it was Leader of term %d, and a leader becomes Follower first",
				m.name(st.Server.ID), st.Server.CurrentTerm)
			m.becauseOf(b, st.Server, varRole)
			b.Fields = []Field{FieldAction, FieldRole, FieldTerm}
			b.Allowed = "a leader steps down to Follower, and a follower begins an election"
			m.finish(b, "becomes candidate")
		}},
		{TermIncrements, func(m *Machine, st *Step) Truth {
			if !st.Server.knows(HasTerm) {
				return Unknown
			}
			return Is(st.Term > st.Server.CurrentTerm)
		}, func(m *Machine, st *Step, b *Breach) {
			s := st.Server
			b.Message = sprintf("server %s became Candidate in term %d; its term was already %d, and an election begins a new term",
				m.name(s.ID), st.Term, s.CurrentTerm)
			m.becauseOf(b, s, varTerm)
			m.becauseOf(b, s, varVote)
			b.Fields = []Field{FieldAction, FieldTerm, FieldVote}
			b.Allowed = sprintf("becoming Candidate of term %d", s.CurrentTerm+1)
			m.finish(b, sprintf("becomes candidate of term %d", st.Term))
		}},
	},
	Effect: func(m *Machine, st *Step) {
		s := st.Server
		s.asked = s.asked && s.Role == PreCandidate
		m.setTerm(s, st.Term)
		m.setRole(s, Candidate)
		vote := Nil
		s.VotesResponded, s.VotesGranted = Set{}, Set{}
		if m.Group.Profile.SelfVoteOnTimeout {
			vote = s.ID
			s.VotesResponded.Add(s.ID)
			s.VotesGranted.Add(s.ID)
		}
		m.setVote(s, vote)
		s.VotesComplete = true
	},
}

// RequestVoteStep sends a vote request. Step.Message is the request.
var RequestVoteStep = Transition{
	Name: "RequestVote",
	Doc:  "a candidate asks for a vote and shows the end of its log",
	Guards: []Guard{
		{VoteRequestFromCandidate, func(m *Machine, st *Step) Truth {
			return st.Server.is(Candidate)
		}, func(m *Machine, st *Step, b *Breach) {
			b.Message = sprintf("server %s asked %s for its vote while it was %s; only a Candidate does",
				m.name(st.Server.ID), m.name(st.Peer), st.Server.Role)
			m.becauseOf(b, st.Server, varRole)
			b.Fields = []Field{FieldAction, FieldRole}
			m.finish(b, "asks for a vote")
		}},
		{CandidateOffersOwnLog, func(m *Machine, st *Step) Truth {
			return m.ownLog(st.Server, st.Message)
		}, func(m *Machine, st *Step, b *Breach) {
			s, msg := st.Server, st.Message
			b.Message = sprintf("server %s asked for votes with a log that ends at %d@%d; its own ends at %s",
				m.name(s.ID), msg.LogIndex, msg.LogTerm, m.tip(m.votingTip(s)))
			m.becauseOf(b, s, varLog)
			b.Fields = []Field{FieldLastIndex, FieldMessageIndex, FieldMessageLogTerm}
			b.Allowed = sprintf("a request with %s", m.tip(m.votingTip(s)))
			m.finish(b, "asks for a vote")
		}},
	},
	Effect: func(m *Machine, st *Step) {
		st.Server.asked, m.votesShown = true, true
		m.Net.Send(st.Message)
	},
}

// GrantVoteStep is HandleRequestVoteRequest where the vote is granted.
// Step.Peer is the candidate, Step.Message the response or, for a model
// checker, the request.
var GrantVoteStep = Transition{
	Name: "HandleRequestVoteRequest",
	Doc:  "a server gives its vote of the term to a candidate whose log is at least as up to date as its own",
	Guards: []Guard{
		{VoteInCurrentTerm, func(m *Machine, st *Step) Truth {
			if !st.Server.knows(HasTerm) || st.Message.Has&MsgTerm == 0 {
				return Unknown
			}
			return Is(st.Message.Term == st.Server.CurrentTerm)
		}, func(m *Machine, st *Step, b *Breach) {
			s := st.Server
			b.Message = sprintf("server %s granted %s its vote of term %d; its own term is %d",
				m.name(s.ID), m.name(st.Peer), st.Message.Term, s.CurrentTerm)
			m.becauseOf(b, s, varTerm)
			b.Fields = []Field{FieldTerm, FieldMessageTerm, FieldMessageResult}
			b.Allowed = sprintf("%s → %s refuse (term %d)", m.name(s.ID), m.name(st.Peer), s.CurrentTerm)
			m.finish(b, sprintf("grants in term %d", st.Message.Term))
		}},
		{OneVotePerTerm, func(m *Machine, st *Step) Truth {
			s := st.Server
			if !s.knows(HasVote | HasTerm) {
				return Unknown
			}
			return Is(s.VotedFor == Nil || s.VotedFor == st.Peer)
		}, explainSecondVote},
		{UpToDate, func(m *Machine, st *Step) Truth {
			r := st.request
			if msg := st.Message; msg.Type == RequestVoteRequest {
				return m.upToDate(m.votingTip(st.Server), msg.LogIndex, msg.LogTerm)
			}
			if st.Peer == st.Server.ID {
				return Holds
			}
			if r == nil && hasLog(st.Message.Has) && st.Server.knows(HasLastIndex) {
				return m.upToDate(m.votingTip(st.Server), st.Message.LogIndex, st.Message.LogTerm)
			}
			if r == nil || !hasLog(r.Has) || !st.Server.knows(HasLastIndex) {
				return Unknown
			}
			return m.overLogs(st.Server, func() Truth { return m.upToDate(m.votingTip(st.Server), r.LogIndex, r.LogTerm) })
		}, func(m *Machine, st *Step, b *Breach) {
			s, r := st.Server, st.request
			own, index, term := m.votingTip(s), st.Message.LogIndex, st.Message.LogTerm
			if r != nil {
				index, term = r.LogIndex, r.LogTerm
			}
			b.Message = sprintf("server %s granted its vote to %s in term %d; the candidate's log ends at %s, its own at %s is more up to date",
				m.name(s.ID), m.name(st.Peer), st.Message.Term, position(index, term), m.tip(own))
			m.becauseOf(b, s, varLog)
			if r != nil {
				m.because(b, r.Ref, s.ID, st.Peer, false, sprintf("receives RequestVote term %d, last %d@%d", r.Term, index, term), "")
			}
			b.Fields = []Field{FieldLastIndex, FieldMessageResult}
			b.Allowed = sprintf("%s → %s refuse (term %d), or a grant to a candidate whose log ends at %s or later",
				m.name(s.ID), m.name(st.Peer), st.Message.Term, m.tip(own))
			m.finish(b, "grants")
		}},
	},
	Effect: func(m *Machine, st *Step) { m.setVote(st.Server, st.Peer) },
}

func explainSecondVote(m *Machine, st *Step, b *Breach) {
	s := st.Server
	b.Message = sprintf("server %s granted its vote to %s in term %d; it had already voted for %s",
		m.name(s.ID), m.name(st.Peer), s.CurrentTerm, m.name(s.VotedFor))
	m.becauseOf(b, s, varTerm)
	m.becauseOf(b, s, varVote)
	if st.request != nil {
		m.because(b, st.request.Ref, s.ID, st.Peer, false, sprintf("receives RequestVote term %d", st.request.Term), "")
	}
	b.Fields = []Field{FieldTerm, FieldVote, FieldMessageTerm, FieldMessageResult}
	b.Allowed = sprintf("%s → %s refuse (term %d), or any grant after %s reaches term ≥ %d",
		m.name(s.ID), m.name(st.Peer), s.CurrentTerm, m.name(s.ID), s.CurrentTerm+1)
	b.Help = sprintf("a restart of %s that lost its vote would look like this", m.name(s.ID))
	m.finish(b, "grants in the same term to another candidate")
}

// HandleVoteStep is HandleRequestVoteResponse: a candidate counts an answer.
// Step.Message is the response.
var HandleVoteStep = Transition{
	Name: "HandleRequestVoteResponse",
	Doc:  "a candidate counts an answer of its own term",
	Effect: func(m *Machine, st *Step) {
		s := st.Server
		s.VotesResponded.Add(st.Peer)
		if st.Message.Has&MsgSuccess == 0 {
			s.VotesComplete = false
		}
		if st.Message.Success {
			s.VotesGranted.Add(st.Peer)
			s.grow(st.Peer)
			s.grants[st.Peer] = m.ref
		}
	},
}

// BecomeLeaderStep ends a won election.
var BecomeLeaderStep = Transition{
	Name: "BecomeLeader",
	Doc:  "a candidate that a quorum has voted for becomes leader of its term",
	Guards: []Guard{
		{RoleGraph, func(m *Machine, st *Step) Truth {
			return st.Server.is(Candidate)
		}, func(m *Machine, st *Step, b *Breach) {
			s := st.Server
			b.Message = sprintf("server %s became Leader of term %d; it was %s, and only a Candidate becomes Leader",
				m.name(s.ID), s.CurrentTerm, s.Role)
			m.becauseOf(b, s, varRole)
			m.becauseOf(b, s, varTerm)
			b.Fields = []Field{FieldAction, FieldRole, FieldTerm}
			b.Allowed = "becoming Candidate of a higher term first"
			m.finish(b, "becomes leader")
		}},
		{ElectionQuorum, func(m *Machine, st *Step) Truth {
			s, c := st.Server, m.config(st.Server)
			if c == nil || len(c.Quorums) == 0 {
				return Unknown
			}
			if c.Quorum(s.VotesGranted) {
				return Holds
			}
			if !s.VotesComplete || !m.Group.shows(ShowsReceives|ShowsVote) || m.mayHaveVotes(s, c) {
				return Unknown
			}
			return Fails
		}, func(m *Machine, st *Step, b *Breach) {
			s, c := st.Server, m.config(st.Server)
			b.Message = sprintf("server %s became Leader of term %d with the votes of %s; that is no majority of %s",
				m.name(s.ID), s.CurrentTerm, m.setText(s.VotesGranted), m.configText(c))
			m.becauseOf(b, s, varTerm)
			for _, id := range s.VotesGranted.Members() {
				if int(id) < len(s.grants) {
					m.because(b, s.grants[id], s.ID, id, false, "receives a granted vote", "")
				}
			}
			b.Fields = []Field{FieldAction, FieldRole, FieldTerm, FieldConfig}
			b.Allowed = sprintf("staying Candidate until a majority of %s has granted in term %d", m.configText(c), s.CurrentTerm)
			b.Help = "lost lines with votes that were received would look like this"
			m.finish(b, sprintf("becomes leader of term %d", s.CurrentTerm))
		}},
	},
	Effect: func(m *Machine, st *Step) {
		s := st.Server
		m.setRole(s, Leader)
		for j := range s.MatchIndex {
			s.MatchIndex[j], s.NextIndex[j], s.acks[j] = 0, s.Log.Index+1, 0
		}
		s.MatchComplete = true
		m.elected(s)
	},
}

// UpdateTermStep enters a higher term that a message has shown. Step.Term is
// the term.
var UpdateTermStep = Transition{
	Name: "UpdateTerm",
	Doc:  "a server that hears of a higher term enters it as a follower that has not voted",
	Guards: []Guard{
		{TermHasCause, func(m *Machine, st *Step) Truth {
			if st.Term <= m.Group.Profile.BootstrapTerm {
				return Holds // written by the bootstrap
			}
			return m.termHasCause(st.Server, st.Term)
		},
			func(m *Machine, st *Step, b *Breach) {
				s := st.Server
				b.Message = sprintf("server %s entered term %d; no message that it received has a term above %d, and it began no election",
					m.name(s.ID), st.Term, s.inbox.highestTerm)
				m.becauseOf(b, s, varTerm)
				b.Fields = []Field{FieldTerm}
				b.Allowed = sprintf("staying in term %d; a pre-vote changes no term", s.CurrentTerm)
				m.finish(b, sprintf("is in term %d", st.Term))
			}},
	},
	Effect: func(m *Machine, st *Step) {
		m.setTerm(st.Server, st.Term)
		m.setRole(st.Server, Follower)
		m.setVote(st.Server, Nil)
	},
}

// termHasCause says whether a server has a reason to be in a higher term: a
// message that it received, where the source shows all of them and PreVote
// traffic as well.
func (m *Machine) termHasCause(s *Server, term uint64) Truth {
	if s.inbox.highestTerm == ^uint64(0) {
		return Unknown // lines were lost
	}
	if s.inbox.highestTerm >= term {
		return Holds
	}
	if !m.Group.shows(ShowsReceives|ShowsPreVote|ShowsRole) || !s.inbox.whole() {
		return Unknown
	}
	if m.MaxTerm >= term || m.action.Flags&Unplaced != 0 {
		return Unknown // the term is real: rather a line is missing than a message
	}
	return Fails
}

// upToDate is raft.tla's logOk of HandleRequestVoteRequest: a log that ends with
// (index, term) is at least as up to date as one that ends with own.
func (m *Machine) upToDate(own Tip, index, term uint64) Truth {
	last, known := m.Lineage.Term(own)
	if !known {
		return Unknown
	}
	return Is(term > last || term == last && index >= own.Index)
}

// votingTip is the log position that votes compare: the last entry, or the last
// one that may end a commit.
func (m *Machine) votingTip(s *Server) Tip {
	if !m.Group.Profile.SignedCommits {
		return s.Log
	}
	t, _ := m.Lineage.At(s.Log, s.Committable)
	return t
}

// ownLog says whether the log position in a vote request is the sender's own,
// and learns the term of its last entry where that was unknown.
func (m *Machine) ownLog(s *Server, msg *Message) Truth {
	if !hasLog(msg.Has) || !s.knows(HasLastIndex) {
		return Unknown
	}
	own := m.votingTip(s)
	if own.Index != msg.LogIndex {
		return Fails
	}
	return m.Lineage.HasTerm(own, msg.LogIndex, msg.LogTerm)
}

func hasLog(has MessageFields) bool { return has&(MsgLogIndex|MsgLogTerm) == MsgLogIndex|MsgLogTerm }

// shows reports whether the source shows all of the given kinds of facts.
func (g *Group) shows(f Facts) bool { return g.Shows&f == f }

// The effects on single variables. Each records what changed it.

func (m *Machine) setTerm(s *Server, term uint64) {
	if s.knows(HasTerm) && s.CurrentTerm == term {
		return
	}
	old := s.CurrentTerm
	if s.knows(HasTerm) {
		m.fact(Fact{Kind: TermMoved, Server: s.ID, Term: term, Old: old})
	}
	m.moved(s, varTerm, old, term)
	s.CurrentTerm = term
	s.Known |= HasTerm
	m.MaxTerm = max(m.MaxTerm, term)
}

func (m *Machine) setRole(s *Server, r Role) {
	if s.knows(HasRole) && s.Role == r {
		return
	}
	m.moved(s, varRole, uint64(s.Role), uint64(r))
	s.Role = r
	s.Known |= HasRole
}

func (m *Machine) setVote(s *Server, candidate ID) {
	if s.knows(HasVote) && s.VotedFor == candidate {
		return
	}
	if candidate != Nil {
		m.moved(s, varVote, uint64(s.VotedFor), uint64(candidate))
	}
	s.VotedFor = candidate
	s.Known |= HasVote
}

// elected makes it a fact that s leads its term.
func (m *Machine) elected(s *Server) {
	m.Elections++
	if !s.knows(HasTerm) {
		return
	}
	if !m.sureLog(s) {
		s.Known &^= HasLastIndex // until a line shows it
		s.Log.Run = 0
	}
	known := s.knows(HasLastIndex)
	second := false // that there are two is for Election Safety to say
	if run := m.Lineage.Find(s.CurrentTerm); run != 0 {
		first := m.Lineage.Run(run).Leader
		second = first != Nil && first != s.ID
	}
	_, agrees := m.Lineage.Lead(s.CurrentTerm, s.ID, s.Log, known, m.ref)
	if !agrees && !second {
		m.fact(Fact{Kind: Diverged, Server: s.ID, Term: s.CurrentTerm, Index: s.Log.Index + 1, Tip: s.Log})
	}
	m.fact(Fact{Kind: Elected, Server: s.ID, Term: s.CurrentTerm, Tip: s.Log, Known: known})
}
