package spec

// The steps of log replication: Raft §5.3; raft.tla ClientRequest,
// AppendEntries, HandleAppendEntriesRequest with its branches, and
// HandleAppendEntriesResponse. A message of a real system carries many entries;
// raft.tla's carries at most one. Replay takes the same small steps in bulk.

// ClientRequestStep appends one entry to a leader's log. Step.Term is the
// entry's term.
var ClientRequestStep = Transition{
	Name: "ClientRequest",
	Doc:  "a leader appends an entry of its own term to its log",
	Guards: []Guard{
		{EntryOrigin, func(m *Machine, st *Step) Truth {
			return st.Server.is(Leader)
		}, func(m *Machine, st *Step, b *Breach) {
			s := st.Server
			b.Message = sprintf("server %s appended a new entry in term %d; it is %s, and only the leader of a term creates entries",
				m.name(s.ID), s.CurrentTerm, s.Role)
			m.becauseOf(b, s, varRole)
			m.becauseOf(b, s, varTerm)
			b.Fields = []Field{FieldAction, FieldRole, FieldEntryTerm}
			m.finish(b, "appends a new entry")
		}},
		{LeaderEntryTerm, func(m *Machine, st *Step) Truth {
			if !st.Server.knows(HasTerm) || st.Term == 0 {
				return Unknown
			}
			return Is(st.Term == st.Server.CurrentTerm)
		}, func(m *Machine, st *Step, b *Breach) {
			s := st.Server
			b.Message = sprintf("leader %s of term %d appended an entry of term %d; a leader's new entries have its own term",
				m.name(s.ID), s.CurrentTerm, st.Term)
			m.becauseOf(b, s, varTerm)
			b.Fields = []Field{FieldTerm, FieldEntryTerm}
			b.Allowed = sprintf("an entry of term %d", s.CurrentTerm)
			m.finish(b, sprintf("appends an entry of term %d", st.Term))
		}},
	},
	Effect: func(m *Machine, st *Step) {
		s := st.Server
		if !s.knows(HasLastIndex) {
			return
		}
		term := st.Term
		if term == 0 {
			term = s.CurrentTerm
		}
		m.appendEntry(s, term)
	},
}

// AppendEntriesStep sends entries. Step.Message is the request.
var AppendEntriesStep = Transition{
	Name: "AppendEntries",
	Doc:  "a leader sends a piece of its own log, with the position that precedes it and its commit index",
	Guards: []Guard{
		{AppendFromLeader, func(m *Machine, st *Step) Truth {
			return st.Server.is(Leader)
		}, func(m *Machine, st *Step, b *Breach) {
			s := st.Server
			b.Message = sprintf("server %s sent %s to %s in term %d; it is %s, and only the leader of a term sends it",
				m.name(s.ID), st.Message.Type, m.name(st.Peer), st.Message.Term, s.Role)
			m.becauseOf(b, s, varRole)
			m.becauseOf(b, s, varTerm)
			b.Fields = []Field{FieldAction, FieldRole, FieldMessageTerm}
			m.finish(b, sprintf("sends %s", st.Message.Type))
		}},
		{SendsOwnLog, func(m *Machine, st *Step) Truth {
			s, msg := st.Server, st.Message
			if !hasLog(msg.Has) || !s.knows(HasLastIndex) {
				return Unknown
			}
			return m.Lineage.HasTerm(s.Log, msg.LogIndex, msg.LogTerm)
		}, func(m *Machine, st *Step, b *Breach) {
			s, msg := st.Server, st.Message
			at, _ := m.Lineage.At(s.Log, msg.LogIndex)
			b.Message = sprintf("leader %s sent %s entries that follow %d@%d; its own log has %s there and ends at %s",
				m.name(s.ID), m.name(st.Peer), msg.LogIndex, msg.LogTerm, m.tip(at), m.tip(s.Log))
			m.becauseOf(b, s, varLog)
			b.Fields = []Field{FieldLastIndex, FieldMessageIndex, FieldMessageLogTerm}
			m.finish(b, sprintf("sends entries after %d@%d", msg.LogIndex, msg.LogTerm))
		}},
		{SendsWithinLog, func(m *Machine, st *Step) Truth {
			s, msg := st.Server, st.Message
			if msg.Has&(MsgLogIndex|MsgEntries) != MsgLogIndex|MsgEntries || !s.knows(HasLastIndex) {
				return Unknown
			}
			return Is(msg.LogIndex+msg.Entries <= s.Log.Index)
		}, func(m *Machine, st *Step, b *Breach) {
			s, msg := st.Server, st.Message
			b.Message = sprintf("leader %s sent %s entries up to %d; its own log ends at %s",
				m.name(s.ID), m.name(st.Peer), msg.LogIndex+msg.Entries, m.tip(s.Log))
			m.becauseOf(b, s, varLog)
			b.Fields = []Field{FieldLastIndex, FieldMessageIndex, FieldMessageEntries}
			m.finish(b, sprintf("sends entries up to %d", msg.LogIndex+msg.Entries))
		}},
		{SendsOwnCommit, func(m *Machine, st *Step) Truth {
			s, msg := st.Server, st.Message
			if msg.Has&MsgCommit == 0 || !s.knows(HasCommit) {
				return Unknown
			}
			return Is(msg.Commit <= s.CommitIndex)
		}, func(m *Machine, st *Step, b *Breach) {
			s, msg := st.Server, st.Message
			b.Message = sprintf("leader %s told %s that %d is committed; its own commit index is %d",
				m.name(s.ID), m.name(st.Peer), msg.Commit, s.CommitIndex)
			m.becauseOf(b, s, varCommit)
			b.Fields = []Field{FieldCommit, FieldMessageCommit}
			b.Allowed = sprintf("a leaderCommit of at most %d", s.CommitIndex)
			m.finish(b, sprintf("sends leaderCommit %d", msg.Commit))
		}},
	},
	Effect: func(m *Machine, st *Step) { m.Net.Send(st.Message) },
}

// The guards of [AppendEntriesStep] that hold for a heartbeat or a snapshot too.
const (
	fromLeader = 0
	ownCommit  = 3
)

// ReturnToFollowerStep is the branch of HandleAppendEntriesRequest in which a
// candidate recognises the leader of its own term.
var ReturnToFollowerStep = Transition{
	Name:   "ReturnToFollower",
	Doc:    "a candidate that hears from the leader of its own term becomes Follower",
	Effect: func(m *Machine, st *Step) { m.setRole(st.Server, Follower) },
}

// ConflictStep removes the last entry of a log that conflicts with a request:
// the entry at Step.Index is of another term than the leader's, Step.Term.
var ConflictStep = Transition{
	Name: "Conflict",
	Doc:  "a follower removes its last entry while its entry at the request's position is of another term",
	Guards: []Guard{
		{TruncateNeedsConflict, func(m *Machine, st *Step) Truth {
			return m.conflicts(st.Server.Log, st.Index, st.Term)
		}, nil},
	},
	Effect: func(m *Machine, st *Step) {
		s := st.Server
		t, _ := m.Lineage.At(s.Log, s.Log.Index-1)
		m.setLog(s, t)
	},
}

// NoConflictStep appends the entry of a request to a log that ends right before
// it. Step.Index is the entry's index, Step.Term its term.
var NoConflictStep = Transition{
	Name: "NoConflict",
	Doc:  "a follower appends an entry whose predecessor is its last entry",
	Guards: []Guard{
		{Contiguous, func(m *Machine, st *Step) Truth {
			if !st.Server.knows(HasLastIndex) {
				return Unknown
			}
			return Is(st.Index == st.Server.Log.Index+1)
		}, nil},
	},
	Effect: func(m *Machine, st *Step) { m.appendEntry(st.Server, st.Term) },
}

// HandleAckStep is HandleAppendEntriesResponse with success: a leader learns
// what a follower holds. Step.Message is the response.
var HandleAckStep = Transition{
	Name: "HandleAppendEntriesResponse",
	Doc:  "a leader moves matchIndex and nextIndex by an answer of its own term",
	Guards: []Guard{
		{AckWithinLeaderLog, func(m *Machine, st *Step) Truth {
			s, msg := st.Server, st.Message
			if msg.Has&MsgMatch == 0 || !s.knows(HasLastIndex) {
				return Unknown
			}
			return Is(msg.Match <= s.Log.Index)
		}, func(m *Machine, st *Step, b *Breach) {
			s, msg := st.Server, st.Message
			b.Message = sprintf("server %s acknowledged %d to leader %s of term %d, whose log ends at %s",
				m.name(msg.From), msg.Match, m.name(s.ID), msg.Term, m.tip(s.Log))
			m.becauseOf(b, s, varLog)
			b.Fields = []Field{FieldLastIndex, FieldMessageIndex}
			m.finish(b, sprintf("receives the acknowledgement of %d", msg.Match))
		}},
	},
	Effect: func(m *Machine, st *Step) { m.hear(st.Server, st.Message) },
}

// hear is the effect of an answer: matchIndex and nextIndex of its sender.
func (m *Machine) hear(s *Server, msg *Message) {
	s.grow(msg.From)
	if !msg.Success {
		if s.NextIndex[msg.From] > 1 {
			s.NextIndex[msg.From]--
		}
		return
	}
	if msg.Has&MsgMatch == 0 {
		s.MatchComplete = false
		return
	}
	s.NextIndex[msg.From] = msg.Match + 1
	// raft.tla sets matchIndex to what the answer says. An old answer that comes
	// late would lower it there; within a term what was acknowledged stays
	// acknowledged, so outside of raft.tla's letter it does not.
	if msg.Match > s.MatchIndex[msg.From] || m.Group.Profile.MatchAsLastSaid {
		s.MatchIndex[msg.From] = msg.Match
		s.acks[msg.From] = m.ref
	}
}

// keeps compares what a leader shows of its matchIndex of a server with what it
// has heard. Of a server that was added anew it keeps 0, and what that one said
// before no longer counts. Where more is kept, a line with an answer may be missing;
// if none is, what the leader commits by it is judged.
func (m *Machine) keeps(s *Server, peer ID, kept uint64) {
	if !s.knows(HasRole|HasTerm) || s.Role != Leader || peer == s.ID {
		return
	}
	s.grow(peer)
	heard, truth := s.MatchIndex[peer], Unknown
	switch {
	case kept == heard:
		truth = Holds
	case kept == 0:
		s.MatchIndex[peer], s.acks[peer] = 0, 0
	case kept < heard:
		truth = Fails
	}
	if !m.check(MatchKeepsAcknowledged, truth) {
		return
	}
	b := m.breach(MatchKeepsAcknowledged, s)
	b.Message = sprintf("leader %s of term %d keeps %d as the matchIndex of %s, which has acknowledged %d",
		m.name(s.ID), s.CurrentTerm, kept, m.name(peer), heard)
	m.becauseOf(b, s, varRole)
	m.because(b, s.acks[peer], s.ID, peer, false, sprintf("receives the acknowledgement of %d", heard), "")
	b.Fields = []Field{FieldPeer, FieldLeaderMatch}
	b.Allowed = sprintf("matchIndex %d, or 0 if %s has been added anew", heard, m.name(peer))
	m.finish(b, sprintf("has matchIndex %d of %s", kept, m.name(peer)))
	s.MatchIndex[peer], s.acks[peer] = kept, m.ref
}

// logOk is raft.tla's logOk of HandleAppendEntriesRequest: the receiver has the
// entry that the request's entries follow.
func (m *Machine) logOk(log Tip, prevIndex, prevTerm uint64) Truth {
	if prevIndex == 0 {
		return Holds
	}
	return m.Lineage.HasTerm(log, prevIndex, prevTerm)
}

// conflicts says whether a log has an entry at index that is of another term.
func (m *Machine) conflicts(log Tip, index, term uint64) Truth {
	if index > log.Index {
		return Fails
	}
	switch m.Lineage.HasTerm(log, index, term) {
	case Holds:
		return Fails
	case Fails:
		return Holds
	}
	return Unknown
}

// appendEntry is the effect of appending one entry of a term.
func (m *Machine) appendEntry(s *Server, term uint64) {
	t, agrees := m.Lineage.Extend(s.Log, term, m.ref)
	if !agrees {
		m.diverged(s, s.Log.Index+1, term)
	}
	m.setLog(s, t)
}

// setLog is the effect of any change of a log.
func (m *Machine) setLog(s *Server, t Tip) {
	old := s.Log
	if s.knows(HasLastIndex) && old == t {
		return
	}
	m.moved(s, varLog, old.Index, t.Index)
	s.Log = t
	if s.knows(HasLastIndex) {
		m.configMoved(s, old)
		if s.Role == Leader {
			m.fact(Fact{Kind: LogMoved, Server: s.ID, Term: s.CurrentTerm, OldTip: old, Tip: t})
		}
		m.logsMoved++
		m.lowerPromise(s, t)
	}
	s.Known |= HasLastIndex
}

// lowerPromise notes that entries which the server had promised to keep are
// gone from its log. Whether that was allowed has been judged by then.
func (m *Machine) lowerPromise(s *Server, t Tip) {
	p := s.durable.log
	if p.Index == 0 {
		return
	}
	if p.Index <= t.Index && m.Lineage.Same(p, t, p.Index) != Fails {
		return
	}
	c, known := m.Lineage.Common(p, t)
	if !known {
		c = Tip{}
	}
	if c.Index < p.Index {
		s.durable.log, s.durable.rewritten, s.durable.lowered = c, true, s.CurrentTerm
	}
}

// diverged makes it a fact that a piece of a server's log contradicts what is
// known of the same entry elsewhere.
func (m *Machine) diverged(s *Server, index, term uint64) {
	m.fact(Fact{Kind: Diverged, Server: s.ID, Index: index, Term: term, Tip: s.Log})
}

// saw returns the position of an entry that a line names by index and term.
func (m *Machine) saw(s *Server, index, term uint64) Tip {
	if term == 0 {
		return Tip{Index: index}
	}
	t, agrees := m.Lineage.Saw(index, term, m.ref)
	if !agrees {
		m.diverged(s, index, term)
	}
	return t
}
