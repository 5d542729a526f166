package spec

// How a log that a line shows is explained. A log grows at its end; a follower
// removes what conflicts with its leader; a leader only appends. raft.tla takes
// Conflict and NoConflict steps one entry at a time; a line shows where they
// have led.

// observeLog compares the end of a log that a line claims with the view.
func (m *Machine) observeLog(s *Server, c *State) {
	index, term := c.LastIndex, uint64(0)
	if c.Has&HasLastTerm != 0 {
		term = c.LastTerm
	}
	if c.Has&HasLastIndex == 0 {
		return // a term without its index says nothing about a position
	}
	if t, ok := m.appendsInOrder(s, index, term); ok {
		m.appendOrdinary(s, t)
	} else {
		m.compareLog(s, index, term)
	}
	s.logShown()
}

func (m *Machine) compareLog(s *Server, index, term uint64) {
	if !s.knows(HasLastIndex) {
		m.adoptLog(s, index, term)
		return
	}
	if index == s.Log.Index && m.sameLast(s, index, term) {
		return
	}
	switch {
	case m.bootstraps(s):
		m.bootstrap(s, index, term)
	case s.knows(HasRole) && s.Role == Leader:
		m.leaderLog(s, index, term)
	case s.inbox.snapshot.Type != NoMessage && s.inbox.snapshot.LogIndex == index:
		m.restoreSnapshot(s, index, max(term, s.inbox.snapshot.LogTerm))
	default:
		m.followerLog(s, index, term)
	}
}

// sameLast says whether a log whose length has not changed is still the same
// log, as far as the line tells. Without a term a follower may have replaced its
// last entries by as many others; then its last term is unknown until it says
// more.
func (m *Machine) sameLast(s *Server, index, term uint64) bool {
	if term != 0 {
		switch m.Lineage.HasTerm(s.Log, index, term) {
		case Holds:
			return true
		case Unknown:
			s.Log = m.saw(s, index, term)
			return true
		}
		return false
	}
	if s.Role == Leader || index == 0 {
		return true
	}
	const whole = MsgTerm | MsgLogIndex | MsgEntries
	for k := 0; ; k++ {
		r := s.inbox.append(k)
		if r == nil || r.Ref < s.last[varLog].ref {
			return true
		}
		if r.Has&whole != whole {
			m.moved(s, varLog, index, index)
			s.Log.Run = 0 // what it has replaced is not told
			return true
		}
		if !s.knows(HasTerm) || r.Term != s.CurrentTerm || r.Entries == 0 || r.LogIndex+r.Entries != index {
			continue
		}
		t, known := m.Lineage.Branch(m.Lineage.Find(r.Term), index)
		if known && t == s.Log {
			continue
		}
		if m.logOk(s.Log, r.LogIndex, r.LogTerm) == Fails {
			continue
		}
		// Either it was ignored or it replaced the end of the log.
		m.moved(s, varLog, index, index)
		s.Log.Run = 0
		return true
	}
}

// bootstraps says whether a log may be filled without a leader: an
// implementation that writes its first configuration into every log.
func (m *Machine) bootstraps(s *Server) bool {
	return m.Group.Profile.BootstrapTerm > 0 && s.Log.Index == 0 &&
		(!s.knows(HasTerm) || s.CurrentTerm <= m.Group.Profile.BootstrapTerm)
}

func (m *Machine) bootstrap(s *Server, index, term uint64) {
	if term == 0 && !s.knows(HasTerm) {
		m.setLog(s, Tip{Index: index}) // a leader of a later term may have sent it
		return
	}
	if term == 0 {
		term = m.Group.Profile.BootstrapTerm
	}
	t, agrees := m.Lineage.Extend(Tip{}, term, m.ref)
	if !agrees {
		m.diverged(s, 1, term)
	}
	r := m.Lineage.Run(t.Run)
	r.End = max(r.End, index)
	m.setLog(s, Tip{index, t.Run})
}

// leaderLog: a leader's log grows by entries of its own term. That it loses
// entries is for the invariant Leader Append-Only to report.
func (m *Machine) leaderLog(s *Server, index, term uint64) {
	if index <= s.Log.Index {
		t := Tip{Index: index}
		if term != 0 {
			t = m.saw(s, index, term)
		} else if at, known := m.Lineage.At(s.Log, index); known {
			t = at
		}
		m.quiet = true
		m.setLog(s, t)
		return
	}
	own := s.CurrentTerm
	if term != 0 {
		if m.check(LeaderEntryTerm, Is(term == own)) {
			b := m.breach(LeaderEntryTerm, s)
			b.Message = sprintf("leader %s of term %d shows a new last entry %d@%d; a leader's new entries have its own term",
				m.name(s.ID), own, index, term)
			m.becauseOf(b, s, varTerm)
			b.Fields = []Field{FieldTerm, FieldLastIndex, FieldLastTerm}
			m.finish(b, sprintf("shows last entry %d@%d", index, term))
			m.setLog(s, m.saw(s, index, term))
			return
		}
	}
	t, agrees := m.Lineage.Extend(s.Log, own, m.ref)
	if !agrees {
		m.diverged(s, s.Log.Index+1, own)
	}
	if t.Run != 0 {
		r := m.Lineage.Run(t.Run)
		r.End = max(r.End, index)
	}
	m.setLog(s, Tip{index, t.Run})
}

// followerLog: the log of a server that is not leader changes only by what a
// leader of its term has sent it.
func (m *Machine) followerLog(s *Server, index, term uint64) {
	if s.knows(HasCommit) && index < min(s.CommitIndex, s.Log.Index) {
		t, _ := m.Lineage.At(s.Log, index)
		if term != 0 {
			t.Run = m.Lineage.Find(term)
		}
		m.keepsCommitted(s, t) // the graver of what may be wrong with it
	}
	f := m.explainLog(s, index, term)
	if m.dropsUnsigned(s, index) {
		f.truth = Unknown
	}
	if f.rule != nil && m.check(f.rule, f.truth) {
		m.explainFollower(s, index, term, &f)
	}
	if f.truth == Holds && f.request != nil {
		// What explains the log has been decided with it.
		m.check(PrevMatch, Holds)
		if f.rule == TruncateAtConflict {
			m.check(TruncateNeedsConflict, Holds)
		}
	}
	if term != 0 && f.tip.Run == 0 {
		f.tip = m.saw(s, index, term)
	}
	m.keepsCommitted(s, f.tip)
	m.setLog(s, f.tip)
}

// dropsUnsigned says whether a log was cut back no further than to the last
// entry that may end a commit. Where only signatures may, what follows the last
// one is dropped with a new term.
func (m *Machine) dropsUnsigned(s *Server, index uint64) bool {
	return m.Group.Profile.SignedCommits && s.knows(HasCommittable) && index >= s.Committable && index < s.Log.Index
}

// follow is how a change of a follower's log is explained.
type follow struct {
	tip     Tip // the log after the change, its run zero if it cannot be told
	truth   Truth
	rule    *Rule
	request *received // the request that comes nearest to explaining it
	common  Tip       // what the old log shares with the leader's
}

// explainLog looks for a received request that turns the present log into one
// that ends at index. Requests are tried from the last one back.
func (m *Machine) explainLog(s *Server, index, term uint64) follow {
	old := s.Log
	none := follow{tip: Tip{Index: index}, truth: Unknown, rule: AppendNeedsRequest}
	if !m.Group.shows(ShowsReceives) || !s.knows(HasTerm) {
		return m.plausible(s, index, term, none)
	}
	branch := m.Lineage.Find(s.CurrentTerm)
	worst := follow{tip: none.tip, truth: Fails, rule: AppendNeedsRequest}
	if index < old.Index {
		worst.rule = TruncateNeedsConflict
	}
	for k := 0; ; k++ {
		r := s.inbox.append(k)
		if r == nil {
			break
		}
		if r.Term != s.CurrentTerm {
			continue
		}
		f := m.byRequest(s, r, branch, index, term)
		switch f.truth {
		case Holds:
			return f
		case Unknown:
			if worst.truth == Fails {
				worst = f
			}
		case Fails:
			if worst.truth == Fails && worst.request == nil {
				worst = f
			}
		}
	}
	if worst.truth == Fails && (!s.inbox.whole() ||
		worst.request == nil && s.inbox.forgotten() && index <= s.inbox.reach) {
		worst.truth = Unknown
	}
	if worst.truth == Fails {
		worst = m.explainByMany(s, index, term, worst)
	}
	if worst.truth == Fails && worst.rule == AppendNeedsRequest && index > s.Log.Index && (s.mayCome(index) || !m.Group.shows(ShowsRole) && !s.knows(HasRole)) {
		worst.truth = Unknown
	}
	if at, known := m.Lineage.At(old, index); known && worst.tip.Run == 0 && index < old.Index {
		worst.tip = at
	}
	return worst
}

// byRequest says whether handling a request, wholly or in part, leads from the
// present log to one that ends at index.
func (m *Machine) byRequest(s *Server, r *received, branch RunID, index, term uint64) follow {
	old, end := s.Log, r.LogIndex+r.Entries
	f := follow{tip: Tip{Index: index}, request: r}
	leaderAt, known := m.Lineage.Branch(branch, index)
	if known && (term == 0 || m.Lineage.Run(leaderAt.Run).Term == term) {
		f.tip = leaderAt
	}
	ok := m.logOk(old, r.LogIndex, r.LogTerm)
	if r.Has&(MsgLogIndex|MsgLogTerm) != MsgLogIndex|MsgLogTerm {
		ok = Unknown
	}
	if ok == Fails {
		f.rule, f.truth = PrevMatch, Fails
		if end < index {
			f.rule = AppendNeedsRequest
		}
		return f
	}
	common, commonKnown := m.commonWith(old, branch, end)
	f.common = common
	switch {
	case index > old.Index:
		f.rule = AppendNeedsRequest
		f.truth = Is(end >= index && r.LogIndex <= old.Index).And(ok)
		if end < index {
			f.rule, f.truth = AppendNeedsRequest, Fails
		}
	case !commonKnown:
		f.rule, f.truth = TruncateNeedsConflict, Unknown
	case common.Index >= min(old.Index, end):
		// The request's entries are all there already: nothing may go.
		f.rule, f.truth = TruncateNeedsConflict, Fails
	case index < common.Index:
		f.rule, f.truth = TruncateAtConflict, Fails
	case index <= end:
		f.rule, f.truth = TruncateAtConflict, ok
		if index == common.Index {
			f.tip = common
		}
	default:
		f.rule, f.truth = TruncateAtConflict, Fails
	}
	if f.truth == Holds && term != 0 && f.tip.Run != 0 && m.Lineage.Run(f.tip.Run).Term != term {
		f.truth, f.rule, f.tip = Fails, AppendNeedsRequest, Tip{Index: index}
	}
	return f
}

// commonWith is what a log shares with the log of a leader, as far as end.
func (m *Machine) commonWith(log Tip, branch RunID, end uint64) (Tip, bool) {
	b, known := m.Lineage.Branch(branch, min(end, max(log.Index, 1)))
	if !known || branch == 0 {
		return Tip{}, false
	}
	if log.Index == 0 {
		return Tip{}, true
	}
	return m.Lineage.Common(log, b)
}

// plausible guesses the log after a change for a source that does not show what
// was received: nothing is judged, and the run is told only where it is sure.
func (m *Machine) plausible(s *Server, index, term uint64, f follow) follow {
	if term != 0 {
		return f
	}
	if index < s.Log.Index {
		if at, known := m.Lineage.At(s.Log, index); known {
			f.tip = at
		}
	}
	return f
}

// explainFollower writes the breach of a follower's log that nothing explains.
func (m *Machine) explainFollower(s *Server, index, term uint64, f *follow) {
	b := m.breach(f.rule, s)
	last := sprintf("%d", index)
	if term != 0 {
		last = sprintf("%d@%d", index, term)
	}
	r := f.request
	if r != nil {
		m.because(b, r.Ref, s.ID, r.From, false,
			sprintf("receives AppendEntries term %d, prev %d@%d, %d entries", r.Term, r.LogIndex, r.LogTerm, r.Entries), "")
	}
	switch f.rule {
	case PrevMatch:
		at, _ := m.Lineage.At(s.Log, r.LogIndex)
		had := m.tip(at) + " there"
		if r.LogIndex > s.Log.Index {
			had = "no entry there, its log ends at " + m.tip(s.Log)
		}
		b.Message = sprintf("server %s took entries that follow %d@%d, and its log ends at %s now; it had %s",
			m.name(s.ID), r.LogIndex, r.LogTerm, last, had)
		b.Allowed = sprintf("%s → %s refuse", m.name(s.ID), m.name(r.From))
		if at.Run != 0 && r.LogIndex <= s.Log.Index {
			m.fact(Fact{Kind: Diverged, Server: s.ID, Index: r.LogIndex + 1, Term: r.Term, Tip: at})
		}
	case TruncateNeedsConflict:
		b.Message = sprintf("server %s shortened its log from %s to %s; no entry that its leader sent conflicts with one of its own",
			m.name(s.ID), m.tip(s.Log), last)
		b.Allowed = sprintf("a log that still ends at %s or later", m.tip(s.Log))
		b.Help = "cutting the log at the end of every request, instead of at the first conflict, looks like this when an old request comes late"
	case TruncateAtConflict:
		b.Message = sprintf("server %s changed its log from %s to %s; it shares everything up to %s with its leader, and the leader's entries end at %d",
			m.name(s.ID), m.tip(s.Log), last, m.tip(f.common), r.LogIndex+r.Entries)
		b.Allowed = sprintf("removing what follows %s and appending the leader's entries up to %d", m.tip(f.common), r.LogIndex+r.Entries)
	default:
		b.Message = sprintf("the log of server %s, %s, went from %s to %s; no request of term %d brought such entries",
			m.name(s.ID), s.Role, m.tip(s.Log), last, s.CurrentTerm)
	}
	m.becauseOf(b, s, varLog)
	b.Fields = []Field{FieldLastIndex, FieldLastTerm, FieldMessageIndex}
	m.finish(b, sprintf("shows a log that ends at %s", last))
}

// keepsCommitted checks that nothing which the server knew to be committed has
// gone from its log.
func (m *Machine) keepsCommitted(s *Server, t Tip) {
	if !s.knows(HasCommit) || s.CommitIndex == 0 {
		return
	}
	truth := m.Lineage.Same(s.Log, t, min(s.CommitIndex, s.Log.Index))
	if m.check(TruncateKeepsCommitted, truth) {
		b := m.breach(TruncateKeepsCommitted, s)
		b.Message = sprintf("server %s changed its log from %s to %s; everything up to %d was committed",
			m.name(s.ID), m.tip(s.Log), m.tip(t), s.CommitIndex)
		m.becauseOf(b, s, varLog)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldLastIndex, FieldCommit}
		b.Allowed = sprintf("removing entries after %d only", s.CommitIndex)
		m.finish(b, sprintf("shows a log that ends at %s", m.tip(t)))
	}
}

// adoptLog takes the end of a log that was unknown: the first line of a server,
// or the first after a restart. What the server cannot have lost is checked.
func (m *Machine) adoptLog(s *Server, index, term uint64) {
	p := s.durable.log
	if p.Index > 0 {
		truth := Is(index >= p.Index)
		last := sprintf("%d", index)
		if index == p.Index && term != 0 && !s.durable.rewritten {
			truth, last = m.Lineage.HasTerm(p, index, term), sprintf("%d@%d", index, term)
		}
		kept := s.kept(truth != Fails)
		if kept == Fails && m.mayHaveCut(s, term) {
			kept = Unknown
		}
		if m.check(RestartKeepsLog, kept) {
			b := m.breach(RestartKeepsLog, s)
			b.Message = sprintf("the log of server %s ends at %s after a restart; it had acknowledged %s",
				m.name(s.ID), last, m.tip(p))
			m.because(b, s.durable.logRef, s.ID, Nil, true, sprintf("its acknowledgement of %d is received", p.Index), "")
			m.becauseOf(b, s, varRole)
			b.Fields = []Field{FieldLastIndex}
			b.Allowed = sprintf("a log that ends at %d or later", p.Index)
			b.Help = "entries are persisted before they are acknowledged (Raft Figure 2)"
			m.finish(b, sprintf("shows a log that ends at %d", index))
		}
	}
	t := Tip{Index: index}
	switch {
	case term != 0:
		t = m.saw(s, index, term)
	case s.Log.Run != 0 && index <= s.Log.Index && !s.durable.rewritten && !s.durable.challenged:
		if at, known := m.Lineage.At(s.Log, index); known {
			t = at
		}
	case p.Index == index:
		t = p
	}
	before := s.Log
	s.Log = t
	s.Known |= HasLastIndex
	m.moved(s, varLog, 0, index)
	if s.inbox.complete && !s.gone && (m.Group.shows(ShowsConfig) || m.Group.shows(ShowsConfigLog)) && t.Run != 0 && m.Lineage.Same(t, before, t.Index) == Holds {
		m.configFromLog(s) // it has come back with what it had
	}
}
