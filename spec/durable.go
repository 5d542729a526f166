package spec

// durable is what a server cannot lose any more: what another server has been
// seen to depend on, or what the trace says is on stable storage. A restart may
// forget everything else (the step was taken and the crash came before the
// write), and nothing of this.
type durable struct {
	term    uint64
	termRef Ref

	// shown: the trace has shown a term on stable storage. A vote of the term
	// since, or of an older one, may have been written before.
	shown bool
	since uint64

	votes [4]vote // of the highest terms, in no order; a free place has term 0

	// log is the highest position that the server has promised to keep: an
	// acknowledgement that its leader received. A later leader may still make the
	// server truncate it, which lowers the promise.
	log     Tip
	logRef  Ref
	logTerm uint64 // the term of that leader, or the latest in which the server was seen to hold the log

	// challenged: a leader of a later term has sent what may contradict the promise.
	// From then on the server may cut its log at any moment, so that what a crash
	// leaves may be what was promised, what was sent, or less than either.
	challenged bool

	// rewritten: entries were removed since the promise, so that after a crash
	// the log may be the old one or the new one.
	rewritten bool

	// lowered is the term in which a promise was lowered last: an acknowledgement
	// of an older term that arrives late speaks of a log that is no more.
	lowered uint64
}

type vote struct {
	term      uint64
	candidate ID
	life      uint64 // of the voter, when it became a fact
	ref       Ref
}

// vote returns the vote that is a fact for a term.
func (d *durable) vote(term uint64) (v vote, ok bool) {
	for _, v := range d.votes {
		if v.term == term && v.candidate != Nil {
			return v, true
		}
	}
	return vote{}, false
}

// keep remembers a vote in place of the one of the lowest term: an old message
// that comes late must not push out what still counts.
func (d *durable) keep(v vote) {
	lowest := &d.votes[0]
	for i := range d.votes {
		if d.votes[i].term < lowest.term {
			lowest = &d.votes[i]
		}
	}
	if v.term > lowest.term || lowest.candidate == Nil {
		*lowest = v
	}
}

// kept says whether what a server shows, where its value was not known, is what
// it cannot have lost. Where lines came out of order that cannot be judged.
func (s *Server) kept(ok bool) Truth {
	if !ok && s.gone {
		return Unknown
	}
	return Is(ok)
}

// fixTerm makes it a fact that s reached a term.
func (m *Machine) fixTerm(s *Server, term uint64, ref Ref) {
	if term > s.durable.term {
		s.durable.term, s.durable.termRef = term, ref
	}
}

// fixVote makes it a fact that s voted for a candidate in a term.
func (m *Machine) fixVote(s *Server, term uint64, candidate ID, ref Ref) {
	m.fixTerm(s, term, ref)
	m.fact(Fact{Kind: Voted, Server: s.ID, Peer: candidate, Term: term})
	if _, ok := s.durable.vote(term); ok {
		return
	}
	s.durable.keep(vote{term, candidate, s.lives, ref})
}

// fixLog makes it a fact that s holds the log up to t, as it said in a term.
func (m *Machine) fixLog(s *Server, t Tip, term uint64, ref Ref) {
	d := &s.durable
	switch {
	case t.Index > d.log.Index || t.Index == d.log.Index && t.Run != d.log.Run && t.Run != 0:
		d.log, d.logRef, d.logTerm, d.rewritten, d.challenged = t, ref, term, false, false
	case t == d.log && term > d.logTerm:
		d.logTerm, d.challenged = term, false
	}
}

// challenge notes a request after which the server may cut off what it has promised.
func (m *Machine) challenge(s *Server, msg *Message) {
	d := &s.durable
	if d.challenged || d.log.Index == 0 || msg.Has&MsgTerm != 0 && msg.Term <= d.logTerm {
		return
	}
	switch msg.Type {
	case InstallSnapshotRequest:
		d.challenged = true
	case AppendEntriesRequest:
		if msg.Has&MsgEntries != 0 && msg.Entries == 0 {
			return
		}
		end := min(d.log.Index, msg.LogIndex+msg.Entries)
		leaders, _ := m.Lineage.Branch(m.Lineage.Find(msg.Term), end)
		d.challenged = msg.Has&MsgLogIndex == 0 || m.Lineage.Same(d.log, leaders, end) != Holds
	}
}

// mayHaveCut says whether a leader of a later term than that of its promise may have
// made s cut its log: it has challenged it, or has done so where the trace does not look.
func (m *Machine) mayHaveCut(s *Server, term uint64) bool {
	d := &s.durable
	if d.challenged {
		return true
	}
	later := max(term, d.term)
	if s.knows(HasTerm) {
		later = max(later, s.CurrentTerm)
	}
	return later > d.logTerm && !m.Group.shows(ShowsReceives)
}

// seen makes facts of what a message shows about its sender, now that somebody
// has received it. Of one that is [Unplaced] only what never changes is a fact: the
// lines of its sender up to here may be older than the message.
func (m *Machine) seen(a *Action) {
	msg, ref := &a.Message, m.ref
	if msg.From == Nil || msg.Has&MsgTerm == 0 {
		return
	}
	from := m.server(msg.From)
	if a.Flags&Unplaced != 0 {
		if msg.Type == RequestVoteResponse && msg.Success && msg.Has&MsgSuccess != 0 {
			m.fact(Fact{Kind: Voted, Server: from.ID, Peer: msg.To, Term: msg.Term})
		}
		return
	}
	switch msg.Type {
	case PreVoteRequest, PreVoteResponse:
		// Its term is one that the sender has not entered.
		return
	case RequestVoteRequest:
		if p := &m.Group.Profile; p.SelfVoteOnTimeout && !p.AsksBeforeVoting {
			m.fixVote(from, msg.Term, msg.From, ref)
		}
	case RequestVoteResponse:
		if msg.Success && msg.Has&MsgSuccess != 0 {
			m.fixVote(from, msg.Term, msg.To, ref)
		}
	case AppendEntriesResponse:
		if msg.Success && msg.Has&MsgMatch != 0 && msg.Match > 0 && msg.Term >= from.durable.lowered {
			t, _ := m.Lineage.Branch(m.Lineage.Find(msg.Term), msg.Match)
			m.fixLog(from, t, msg.Term, ref)
		}
	}
	m.fixTerm(from, msg.Term, ref)
}
