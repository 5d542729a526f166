package spec

// How the lines of a trace about replication become small steps.

// clientRequest replays a leader that appends. A tentative line says only that
// it was begun; the log shows later whether it came to anything.
func (m *Machine) clientRequest(s *Server, a *Action) {
	if m.leadsInOrder(s, a) {
		m.check(LeaderEntryTerm, Unknown)
		m.setLog(s, m.Lineage.grow(s.Log))
		return
	}
	st := m.with(Step{Server: s})
	if c := &a.After; c.Has&HasCommit != 0 && s.knows(HasRole|HasCommit|HasLastIndex) && s.Role == Leader &&
		c.CommitIndex > s.CommitIndex && c.CommitIndex <= s.Log.Index {
		m.observeCommit(s, c.CommitIndex) // appending moves no commit index: it moved before, and by what was in force then
	}
	if a.Kind == ChangeConfiguration || hasConfigEntry(a.Entries) {
		m.changeConfiguration(s, a)
	}
	if a.Flags&Tentative != 0 || len(a.Entries) == 0 && a.After.Has&HasLastIndex != 0 {
		m.guard(&ClientRequestStep, st)
		return
	}
	if len(a.Entries) == 0 {
		m.take(&ClientRequestStep, st)
		return
	}
	for i := range a.Entries {
		e := &a.Entries[i]
		st.Term, st.Index = e.Term, e.Index
		if s.knows(HasLastIndex) && e.Index != 0 && e.Index <= s.Log.Index && m.Lineage.HasTerm(s.Log, e.Index, e.Term) != Fails {
			m.noteEntry(s, e) // shown a second time
			continue
		}
		if s.knows(HasLastIndex) && e.Index != 0 {
			m.follows(s, e)
		}
		m.take(&ClientRequestStep, st)
		m.noteEntry(s, e)
	}
}

// follows checks that an entry follows the last one.
func (m *Machine) follows(s *Server, e *Entry) {
	if e.Index != s.Log.Index+1 {
		m.notContiguous(s, e)
		return
	}
	m.check(Contiguous, Holds)
}

// notContiguous reports an entry that does not follow the last one, and lets
// the log go on from there.
func (m *Machine) notContiguous(s *Server, e *Entry) {
	if e.Index <= s.Log.Index {
		if s.Role == Leader {
			m.quiet = true // Leader Append-Only reports it
		}
		if at, known := m.Lineage.At(s.Log, e.Index-1); known || e.Index == 1 {
			m.setLog(s, at)
		} else {
			m.setLog(s, Tip{Index: e.Index - 1})
		}
		return
	}
	if m.check(Contiguous, Fails) {
		b := m.breach(Contiguous, s)
		b.Message = sprintf("server %s wrote entry %d; its log ends at %s, so %d entries are missing between",
			m.name(s.ID), e.Index, m.tip(s.Log), e.Index-s.Log.Index-1)
		m.becauseOf(b, s, varLog)
		b.Fields = []Field{FieldEntryIndex}
		b.Allowed = sprintf("entry %d", s.Log.Index+1)
		m.finish(b, sprintf("writes entry %d", e.Index))
	}
	m.setLog(s, Tip{Index: e.Index - 1})
}

// noteEntry keeps what a line shows of an entry's contents: a fact about the
// entry, whoever shows it.
func (m *Machine) noteEntry(s *Server, e *Entry) {
	if e.Index == 0 {
		return
	}
	at, known := m.Lineage.At(s.Log, e.Index)
	if !known || e.Term != 0 && m.Lineage.Run(at.Run).Term != e.Term {
		return
	}
	if e.HasHash {
		if earlier, by, agrees := m.contents.Put(at, e.Hash, m.ref, s.ID); !agrees {
			m.fact(Fact{Kind: Content, Server: s.ID, Peer: by, Tip: at, Index: e.Index, Hash: e.Hash, Earlier: earlier})
		}
	}
	if e.Kind == Configuration && e.Config != 0 {
		if was := m.configs.add(at, e.Config, m.ref, s.ID); was != nil && !m.sameVoters(was.config, e.Config) {
			m.fact(Fact{Kind: Content, Server: s.ID, Peer: was.by, Tip: at, Index: e.Index, Earlier: was.ref})
		}
		if at == s.Log {
			m.configFromLog(s) // one further back may have been followed by others unseen
		}
	}
}

// store replays entries that are written to a log, by whatever made them: a
// leader's own, or a follower's from a request.
func (m *Machine) store(s *Server, a *Action) {
	if !s.knows(HasLastIndex) {
		e := &a.Entries[0]
		if e.Index > 0 {
			m.adoptStored(s, e.Index-1)
		}
	}
	for i := range a.Entries {
		m.storeEntry(s, &a.Entries[i])
	}
	s.logShown()
}

// adoptStored takes the end of an unknown log from the first entry written to it.
func (m *Machine) adoptStored(s *Server, index uint64) {
	s.Log = Tip{Index: index}
	s.Known |= HasLastIndex
}

func (m *Machine) storeEntry(s *Server, e *Entry) {
	if e.Index == 0 {
		return
	}
	if e.Index <= s.Log.Index && e.Term != 0 {
		switch m.Lineage.HasTerm(s.Log, e.Index, e.Term) {
		case Holds:
			m.noteEntry(s, e)
			return
		case Unknown:
			if e.Index == s.Log.Index {
				s.Log = m.saw(s, e.Index, e.Term)
				m.noteEntry(s, e)
				return
			}
		}
	}
	if e.Index != s.Log.Index+1 {
		old := s.Log
		if e.Index <= old.Index && s.Role != Leader {
			to, _ := m.Lineage.At(old, e.Index-1)
			m.keepsCommitted(s, to)
		}
	}
	m.follows(s, e)
	m.entryAllowed(s, e)
	if e.Term == 0 {
		m.setLog(s, Tip{Index: e.Index})
		return
	}
	m.appendEntry(s, e.Term)
	m.noteEntry(s, e)
}

// entryAllowed checks an entry that is about to be appended: its term, and where
// it can have come from.
func (m *Machine) entryAllowed(s *Server, e *Entry) {
	if e.Term == 0 {
		return
	}
	m.entersUnseen(s, e.Term)
	if s.knows(HasTerm) && m.check(EntryTermAtMostCurrent, Is(e.Term <= max(s.CurrentTerm, m.Group.Profile.BootstrapTerm))) {
		b := m.breach(EntryTermAtMostCurrent, s)
		b.Message = sprintf("server %s of term %d wrote entry %d@%d; no entry has a term above its server's",
			m.name(s.ID), s.CurrentTerm, e.Index, e.Term)
		m.becauseOf(b, s, varTerm)
		b.Fields = []Field{FieldEntryTerm, FieldTerm}
		m.finish(b, sprintf("writes entry %d@%d", e.Index, e.Term))
	}
	truth := Unknown
	last, known := m.Lineage.Term(s.Log)
	if known {
		truth = Is(e.Term >= last)
	}
	if m.check(TermsNondecreasing, truth) {
		b := m.breach(TermsNondecreasing, s)
		b.Message = sprintf("server %s wrote entry %d@%d after %s; terms never fall along a log",
			m.name(s.ID), e.Index, e.Term, m.tip(s.Log))
		m.becauseOf(b, s, varLog)
		b.Fields = []Field{FieldEntryTerm}
		m.finish(b, sprintf("writes entry %d@%d", e.Index, e.Term))
	}
	if e.Term <= m.Group.Profile.BootstrapTerm {
		return
	}
	if s.knows(HasRole|HasTerm) && s.Role == Leader {
		if m.check(LeaderEntryTerm, Is(e.Term == s.CurrentTerm)) {
			b := m.breach(LeaderEntryTerm, s)
			b.Message = sprintf("leader %s of term %d wrote entry %d@%d; a leader's new entries have its own term",
				m.name(s.ID), s.CurrentTerm, e.Index, e.Term)
			m.becauseOf(b, s, varTerm)
			b.Fields = []Field{FieldTerm, FieldEntryTerm}
			m.finish(b, sprintf("writes entry %d@%d", e.Index, e.Term))
		}
		return
	}
	m.entryFromRequest(s, e)
}

// entryFromRequest checks that an entry which a follower writes was in a request
// of its leader.
func (m *Machine) entryFromRequest(s *Server, e *Entry) {
	truth := Unknown
	if m.Group.shows(ShowsReceives) && s.inbox.whole() && s.knows(HasTerm|HasRole) {
		truth = Fails
		for k := 0; truth == Fails; k++ {
			r := s.inbox.append(k)
			if r == nil {
				if s.inbox.forgotten() && e.Index <= s.inbox.reach || s.mayCome(e.Index) {
					truth = Unknown
				}
				break
			}
			if r.Has&(MsgLogIndex|MsgEntries) != MsgLogIndex|MsgEntries {
				truth = Unknown
			} else if e.Index > r.LogIndex && e.Index <= r.LogIndex+r.Entries {
				truth = m.broughtBy(r, e)
			}
		}
	}
	if m.check(AppendNeedsRequest, truth) {
		b := m.breach(AppendNeedsRequest, s)
		b.Message = sprintf("server %s, %s, wrote entry %d@%d; no request that it received holds entry %d",
			m.name(s.ID), s.Role, e.Index, e.Term, e.Index)
		m.becauseOf(b, s, varRole)
		m.becauseOf(b, s, varLog)
		b.Fields = []Field{FieldEntryIndex, FieldRole}
		m.finish(b, sprintf("writes entry %d@%d", e.Index, e.Term))
	}
}

// broughtBy says whether the entry that a request has at an index is the one
// that was written there, as far as the log of its leader is known.
func (m *Machine) broughtBy(r *received, e *Entry) Truth {
	at, known := m.Lineage.Branch(m.Lineage.Find(r.Term), e.Index)
	return Is(!known || at.Run == 0 || m.Lineage.Run(at.Run).Term == e.Term)
}

// sendAppend replays a leader that sends a piece of its log.
func (m *Machine) sendAppend(s *Server, a *Action) {
	msg := &a.Message
	if hasLog(msg.Has) && msg.Has&MsgEntries != 0 && msg.LogIndex == 0 && msg.Entries == 0 {
		m.sendHeartbeat(s, msg) // no consistency check: it says nothing of the log
		m.Net.Send(msg)
		return
	}
	if s.knows(HasLastIndex) && hasLog(msg.Has) && s.Log.Run == 0 && s.Log.Index == msg.LogIndex && msg.LogTerm != 0 {
		s.Log = m.saw(s, msg.LogIndex, msg.LogTerm)
	}
	m.tellsCommit(s, msg)
	m.take(&AppendEntriesStep, m.with(Step{Server: s, Peer: msg.To, Message: msg, Term: msg.Term}))
	m.claimsLead(s.ID, msg)
	m.sendsEntries(s, a)
}

// sendsEntries checks the entries that a request carries, where the line shows
// them, and makes facts of them.
func (m *Machine) sendsEntries(s *Server, a *Action) {
	for i := range a.Entries {
		e := &a.Entries[i]
		if e.Index == 0 {
			continue // it is not told which entry it is
		}
		if e.Term != 0 && s.knows(HasLastIndex) {
			if m.check(SendsOwnLog, m.Lineage.HasTerm(s.Log, e.Index, e.Term)) {
				at, _ := m.Lineage.At(s.Log, e.Index)
				b := m.breach(SendsOwnLog, s)
				b.Message = sprintf("leader %s sent %s entry %d@%d; its own log has %s there",
					m.name(s.ID), m.name(a.Message.To), e.Index, e.Term, m.tip(at))
				if !m.becauseInstalled(b, s, e, at) {
					m.becauseOf(b, s, varLog)
				}
				b.Fields = []Field{FieldEntryIndex, FieldEntryTerm}
				m.finish(b, sprintf("sends entry %d@%d", e.Index, e.Term))
			}
		}
		if e.Term != 0 {
			t := Tip{e.Index, m.Lineage.Find(e.Term)}
			m.fact(Fact{Kind: Sent, Server: s.ID, Term: a.Message.Term, Tip: t, Index: e.Index})
		}
		m.noteEntry(s, e)
	}
}

// claimsLead makes it a fact that the sender of a leader's message leads the
// message's term.
func (m *Machine) claimsLead(id ID, msg *Message) {
	if msg.Has&MsgTerm == 0 || id == Nil {
		return
	}
	if run := m.Lineage.Find(msg.Term); run != 0 && m.Lineage.Run(run).Leader == id {
		return
	}
	m.Lineage.Lead(msg.Term, id, Tip{}, false, m.ref)
	m.fact(Fact{Kind: Elected, Server: id, Term: msg.Term})
}

// tellsCommit takes what a leader tells others for its own commit index, if its
// lines have not shown that it moved: it is judged like any other commit.
func (m *Machine) tellsCommit(s *Server, msg *Message) {
	if msg.Has&MsgCommit != 0 && s.knows(HasRole|HasCommit) && s.Role == Leader && msg.Commit > s.CommitIndex &&
		(m.action.Before.Has|m.action.After.Has)&HasCommit == 0 {
		m.observeCommit(s, msg.Commit)
	}
}

func (m *Machine) sendHeartbeat(s *Server, msg *Message) {
	m.tellsCommit(s, msg)
	st := m.with(Step{Server: s, Peer: msg.To, Message: msg, Term: msg.Term})
	for _, i := range [...]int{fromLeader, ownCommit} {
		m.guardOne(&AppendEntriesStep, &AppendEntriesStep.Guards[i], st)
	}
	m.claimsLead(s.ID, msg)
}

func (m *Machine) sendSnapshot(s *Server, msg *Message) {
	st := m.with(Step{Server: s, Peer: msg.To, Message: msg, Term: msg.Term})
	m.guardOne(&AppendEntriesStep, &AppendEntriesStep.Guards[fromLeader], st)
	m.claimsLead(s.ID, msg)
	truth := Unknown
	if msg.Has&MsgLogIndex != 0 {
		truth = m.withinCommit(s, msg.LogIndex)
	}
	if m.check(SnapshotCommitted, truth) {
		b := m.breach(SnapshotCommitted, s)
		b.Message = sprintf("leader %s sent %s a snapshot up to %d; its commit index is %d",
			m.name(s.ID), m.name(msg.To), msg.LogIndex, s.CommitIndex)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldCommit, FieldMessageEntries, FieldSnapshotIndex}
		m.finish(b, sprintf("sends a snapshot up to %d", msg.LogIndex))
	}
}

// receiveFromLeader replays the arrival of a leader's message.
func (m *Machine) receiveFromLeader(s *Server, a *Action) {
	msg := &a.Message
	m.claimsLead(msg.From, msg)
	if msg.Type != HeartbeatRequest {
		current := uint64(0)
		if s.knows(HasTerm) {
			current = s.CurrentTerm
		}
		s.inbox.add(msg, m.ref, current)
		m.challenge(s, msg)
	}
	s.inbox.leaderCommit = max(s.inbox.leaderCommit, msg.Commit)
	if msg.Has&MsgCommit == 0 && msg.Type != InstallSnapshotRequest {
		s.inbox.leaderCommit = ^uint64(0) // it may have told any
	}
	for i := range a.Entries {
		e := &a.Entries[i]
		if e.Index == 0 || e.Term == 0 || !e.HasHash {
			continue
		}
		t := Tip{e.Index, m.Lineage.Find(e.Term)}
		if t.Run == 0 {
			continue
		}
		if earlier, by, agrees := m.contents.Put(t, e.Hash, m.ref, s.ID); !agrees {
			m.fact(Fact{Kind: Content, Server: s.ID, Peer: by, Tip: t, Index: e.Index, Hash: e.Hash, Earlier: earlier})
		}
	}
}

// sendAppendResponse replays a follower's answer. With success it says that its
// log is the leader's, up to the index that it names.
func (m *Machine) sendAppendResponse(s *Server, msg *Message) {
	if msg.Has&MsgSuccess == 0 {
		return
	}
	if !msg.Success {
		m.rejectsTruly(s, msg)
		return
	}
	if msg.To != s.ID {
		if m.check(StepDownOnAppend, m.acceptsAs(s, msg)) {
			b := m.breach(StepDownOnAppend, s)
			b.Message = sprintf("server %s accepted entries of leader %s in term %d while it was %s itself",
				m.name(s.ID), m.name(msg.To), msg.Term, s.Role)
			m.becauseOf(b, s, varRole)
			b.Fields = []Field{FieldRole, FieldMessageTerm, FieldMessageResult}
			b.Allowed = "becoming Follower before it answers"
			m.finish(b, "accepts")
		}
	}
	if msg.Has&MsgMatch == 0 || msg.Match == 0 || !s.knows(HasLastIndex) {
		return
	}
	leader, known := m.Lineage.Branch(m.Lineage.Find(msg.Term), msg.Match)
	if msg.Match > s.Log.Index {
		if m.check(AckMatchesLog, m.ackPending(s, leader, known, msg.Match)) {
			m.explainAck(s, msg, "its log ends at "+m.tip(s.Log))
		}
		return
	}
	if !known || msg.To == s.ID {
		m.check(AckMatchesLog, Is(true))
		return
	}
	truth := m.Lineage.Same(s.Log, leader, msg.Match)
	if truth == Unknown && s.Log.Run == 0 && msg.Match == s.Log.Index {
		s.Log = leader // the answer settles what the last entry is
	}
	if truth == Fails {
		truth = m.ackPending(s, leader, known, msg.Match)
	}
	if m.check(AckMatchesLog, truth) {
		at, _ := m.Lineage.At(s.Log, msg.Match)
		m.explainAck(s, msg, sprintf("it has %s where the leader has %s", m.tip(at), m.tip(leader)))
	}
}

func (m *Machine) acceptsAs(s *Server, msg *Message) Truth {
	if !s.knows(HasRole|HasTerm) || msg.Has&(MsgTerm|MsgMatch) != MsgTerm|MsgMatch || msg.Match == 0 || msg.Term != s.CurrentTerm {
		return Unknown
	}
	if s.Role == Candidate || s.Role == PreCandidate {
		if (m.action.Before.Has|m.action.After.Has)&HasRole == 0 {
			// It has returned to follower by the request, which no line need show.
			m.take(&ReturnToFollowerStep, m.with(Step{Server: s}))
			return Unknown
		}
	}
	return Is(s.Role == Follower)
}

func (m *Machine) explainAck(s *Server, msg *Message, but string) {
	b := m.breach(AckMatchesLog, s)
	b.Message = sprintf("server %s told leader %s of term %d that it holds the log up to %d; %s",
		m.name(s.ID), m.name(msg.To), msg.Term, msg.Match, but)
	if r := s.inbox.append(0); r != nil {
		m.because(b, r.Ref, s.ID, r.From, false,
			sprintf("receives AppendEntries term %d, prev %d@%d, %d entries", r.Term, r.LogIndex, r.LogTerm, r.Entries), "")
	}
	m.becauseOf(b, s, varLog)
	b.Fields = []Field{FieldLastIndex, FieldMessageIndex, FieldMessageResult}
	b.Allowed = "an acknowledgement of what its log shares with the leader's"
	m.finish(b, sprintf("acknowledges %d", msg.Match))
}

// rejectsTruly checks what a refusing follower says of its own log. Refusing
// itself is always allowed.
func (m *Machine) rejectsTruly(s *Server, msg *Message) {
	if !hasLog(msg.Has) || msg.LogTerm == 0 || !s.knows(HasLastIndex) {
		return
	}
	truth := m.overLogs(s, func() Truth { return m.Lineage.HasTerm(s.Log, msg.LogIndex, msg.LogTerm) })
	if m.check(ConflictRemoved, truth) {
		at, _ := m.Lineage.At(s.Log, msg.LogIndex)
		b := m.breach(ConflictRemoved, s)
		b.Message = sprintf("server %s says that its entry %d has term %d; by what it has acknowledged it holds %s, so it kept an entry that conflicts with its leader's",
			m.name(s.ID), msg.LogIndex, msg.LogTerm, m.tip(at))
		m.because(b, s.durable.logRef, s.ID, Nil, true, "its acknowledgement of "+m.tip(s.durable.log)+" is received", "")
		m.becauseOf(b, s, varLog)
		b.Fields = []Field{FieldLastIndex, FieldMessageLogTerm, FieldMessageResult}
		b.Allowed = sprintf("entry %s", m.tip(at))
		m.finish(b, sprintf("refuses and shows its entry %d@%d", msg.LogIndex, msg.LogTerm))
		m.keptConflict(s, at)
		s.Log = Tip{Index: s.Log.Index}
	}
}

// keptConflict makes facts of a server that never held an entry which its log, by
// its own word, holds: what it has acknowledged counted for nothing, and what it
// has appended since follows another entry than it does elsewhere.
func (m *Machine) keptConflict(s *Server, at Tip) {
	if s.durable.log.Index >= at.Index {
		m.fact(Fact{Kind: Disowned, Server: s.ID, Term: s.CurrentTerm, Tip: at, Index: at.Index})
	}
	if s.Log.Index <= at.Index {
		return // it holds nothing after it
	}
	f := Fact{Kind: Diverged, Server: s.ID, Index: at.Index + 1, Tip: at}
	if next, known := m.Lineage.At(s.Log, f.Index); known {
		f.Term = m.Lineage.Run(next.Run).Term
	}
	if grew := &s.last[varLog]; grew.from <= at.Index && grew.to > at.Index {
		f.Earlier = grew.ref
	}
	m.fact(f)
}

// receiveAck replays a leader that hears what a follower holds.
func (m *Machine) receiveAck(s *Server, msg *Message) {
	if msg.Has&MsgSuccess == 0 {
		s.MatchComplete = false
		return
	}
	if m.hearsInOrder(s, msg) {
		m.hear(s, msg)
		return
	}
	m.take(&HandleAckStep, m.with(Step{Server: s, Peer: msg.From, Message: msg}))
}
