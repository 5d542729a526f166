package spec

import "slices"

// The steps of commitment: Raft §5.3 and §5.4.2; raft.tla AdvanceCommitIndex,
// and the commit index of a follower in HandleAppendEntriesRequest.

// AdvanceCommitIndexStep commits entries at a leader. Step.Index is the new
// commit index.
var AdvanceCommitIndexStep = Transition{
	Name: "AdvanceCommitIndex",
	Doc:  "a leader commits what a quorum holds, up to an entry of its own term",
	Guards: []Guard{
		{CommitQuorum, func(m *Machine, st *Step) Truth {
			return m.agreed(st.Server, st.Index)
		}, func(m *Machine, st *Step, b *Breach) {
			s := st.Server
			set := m.holders(s, st.Index)
			b.Message = sprintf("leader %s committed %d in term %d; of %s only %s have acknowledged it",
				m.name(s.ID), st.Index, s.CurrentTerm, m.configText(m.config(s)), m.setText(set))
			m.becauseAcks(b, s)
			b.Fields = []Field{FieldAction, FieldCommit, FieldConfig}
			b.Allowed = sprintf("a commit index of at most %d", m.quorumIndex(s))
			m.finish(b, sprintf("commits %d", st.Index))
		}},
		{CommitCurrentTerm, func(m *Machine, st *Step) Truth {
			s := st.Server
			run := m.Lineage.Find(s.CurrentTerm)
			if run == 0 || !m.Lineage.Run(run).Rooted || !s.knows(HasTerm) {
				return Unknown
			}
			return m.agreed(s, max(st.Index, m.Lineage.Run(run).Low))
		}, func(m *Machine, st *Step, b *Breach) {
			s := st.Server
			at, _ := m.Lineage.At(s.Log, st.Index)
			b.Message = sprintf("leader %s of term %d committed %s by counting replicas; no entry of its own term is held by a quorum yet",
				m.name(s.ID), s.CurrentTerm, m.tip(at))
			m.becauseOf(b, s, varRole)
			m.becauseAcks(b, s)
			b.Fields = []Field{FieldAction, FieldTerm, FieldCommit}
			b.Allowed = sprintf("committing %d together with an entry of term %d (Raft Figure 8)", st.Index, s.CurrentTerm)
			m.finish(b, sprintf("commits %s", m.tip(at)))
		}},
	},
	Effect: func(m *Machine, st *Step) { m.setCommit(st.Server, st.Index) },
}

func (m *Machine) becauseAcks(b *Breach, s *Server) {
	for id, ref := range s.acks {
		if ref != 0 {
			m.because(b, ref, s.ID, ID(id), false, sprintf("receives the acknowledgement of %d", s.MatchIndex[id]), "")
		}
	}
}

// holders are the servers that have acknowledged an index to a leader.
func (m *Machine) holders(s *Server, index uint64) Set {
	var set Set
	for id, match := range s.MatchIndex {
		if match >= index {
			set.Add(ID(id))
		}
	}
	if !m.Group.Profile.SelfAck {
		set.Add(s.ID)
	}
	return set
}

// counted is who was found to hold a leader's log up to an index, and the
// configuration whose quorum was asked for.
type counted struct {
	leader ID
	index  uint64
	by     Set
	config *Config
}

// agreed says whether a quorum holds a leader's log up to an index: raft.tla's
// Agree(index) ∈ Quorum.
func (m *Machine) agreed(s *Server, index uint64) Truth {
	c := m.config(s)
	if c == nil || len(c.Quorums) == 0 {
		return Unknown
	}
	if s.knows(HasLastIndex) && index > s.Log.Index {
		return Fails
	}
	m.counted = counted{s.ID, index, m.holders(s, index), c}
	if c.Quorum(m.counted.by) {
		return Holds
	}
	if !s.MatchComplete || !m.Group.shows(ShowsReceives) || m.mayHold(s, c, index, m.counted.by) {
		return Unknown
	}
	return m.agreedBefore(s, index)
}

// agreedBefore says whether a quorum of the configuration before the one in force
// holds a leader's log up to an index, where that may count: see
// [Profile.CountsByFormerConfig].
func (m *Machine) agreedBefore(s *Server, index uint64) Truth {
	if !m.Group.Profile.CountsByFormerConfig {
		return Fails
	}
	now, ok := m.latest(s.Log)
	if !ok || index > now.tip.Index {
		return Fails
	}
	var former ConfigID
	if was, had := m.latestBefore(s.Log, now.tip.Index); had {
		former = was.config
	} else if s.shownIndex < now.tip.Index {
		former = s.shown
	}
	c := m.Group.ConfigOf(former)
	if c == nil || len(c.Quorums) == 0 {
		return Unknown
	}
	if !c.Quorum(m.counted.by) {
		return Fails
	}
	m.counted.config = c
	return Holds
}

// quorumIndex is the highest index that a quorum has acknowledged, for
// explanations.
func (m *Machine) quorumIndex(s *Server) uint64 {
	best := uint64(0)
	for _, match := range append([]uint64{s.Log.Index}, s.MatchIndex...) {
		if match > best && m.agreed(s, match) == Holds {
			best = match
		}
	}
	return max(best, s.CommitIndex)
}

// observeCommit compares a commit index that a line claims with the view.
func (m *Machine) observeCommit(s *Server, index uint64) {
	if !s.knows(HasCommit) {
		m.adoptCommit(s, index)
		return
	}
	if m.commitsInOrder(s, index) {
		m.commitOrdinary(s, index, Unknown)
		return
	}
	if m.leadsCommit(s, index) {
		m.commitOrdinary(s, index, Holds)
		return
	}
	if m.check(CommitMonotonic, Is(index > s.CommitIndex)) {
		b := m.breach(CommitMonotonic, s)
		b.Message = sprintf("the commit index of server %s went from %d to %d; what is committed stays committed",
			m.name(s.ID), s.CommitIndex, index)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldCommit}
		b.Allowed = sprintf("a commit index of at least %d until a restart", s.CommitIndex)
		m.finish(b, sprintf("shows commit index %d", index))
		m.moved(s, varCommit, s.CommitIndex, index)
		s.CommitIndex = index
		return
	}
	m.withinLog(s, index)
	switch {
	case s.knows(HasRole) && m.commitsByCount(s, index):
		m.signed(s, index)
		m.take(&AdvanceCommitIndexStep, m.with(Step{Server: s, Term: s.CurrentTerm, Index: index}))
	case s.knows(HasLastIndex|HasTerm) && s.CurrentTerm <= m.Group.Profile.BootstrapTerm:
		m.setCommit(s, index)
	case m.Group.Profile.BootstrapTerm > 0 && (!s.knows(HasTerm) || !s.knows(HasLastIndex) && s.CurrentTerm <= m.Group.Profile.BootstrapTerm):
		m.check(FollowerCommitTold, Unknown) // it may be what its log begins with
		m.setCommit(s, index)
	default:
		m.followerCommit(s, index)
		m.setCommit(s, index)
	}
}

// commitsByCount says whether a commit is one that a leader makes by counting
// acknowledgements. What it was told as a follower it may only show later.
func (m *Machine) commitsByCount(s *Server, index uint64) bool {
	return s.Role == Leader && (m.action.Kind == AdvanceCommitIndex || !s.inbox.told(index))
}

// adoptCommit takes a commit index that was unknown.
func (m *Machine) adoptCommit(s *Server, index uint64) {
	m.withinLog(s, index)
	m.moved(s, varCommit, 0, index)
	m.MaxCommit = max(m.MaxCommit, index)
	s.CommitIndex = index
	s.Known |= HasCommit
}

func (m *Machine) withinLog(s *Server, index uint64) {
	truth := Unknown
	if s.knows(HasLastIndex) {
		truth = m.overLogs(s, func() Truth { return Is(index <= s.Log.Index) })
	}
	if m.check(CommitWithinLog, truth) {
		b := m.breach(CommitWithinLog, s)
		b.Message = sprintf("server %s shows commit index %d; its log ends at %s", m.name(s.ID), index, m.tip(s.Log))
		m.becauseOf(b, s, varLog)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldCommit, FieldLastIndex}
		b.Allowed = sprintf("a commit index of at most %d", s.Log.Index)
		b.Help = "lost lines in which the log grew would look like this"
		m.finish(b, sprintf("shows commit index %d", index))
	}
}

// signed checks that a commit ends with an entry that may end one.
func (m *Machine) signed(s *Server, index uint64) {
	if !m.Group.Profile.SignedCommits || !s.knows(HasCommittable) {
		return
	}
	if m.check(SignedCommit, Is(index <= s.Committable)) {
		b := m.breach(SignedCommit, s)
		b.Message = sprintf("leader %s committed %d; the last signature in its log is at %d", m.name(s.ID), index, s.Committable)
		m.becauseOf(b, s, varLog)
		b.Fields = []Field{FieldCommit}
		m.finish(b, sprintf("commits %d", index))
	}
}

// followerCommit checks the commit index of a server that is not leader: its
// leader has told it, and it holds the leader's entries up to there.
func (m *Machine) followerCommit(s *Server, index uint64) {
	truth := Holds
	if s.inbox.leaderCommit == ^uint64(0) {
		truth = Unknown // lines were lost
	} else if index > s.inbox.leaderCommit {
		truth = Fails
		switch {
		case index <= s.Snapshot:
			truth = Holds // only what is committed is in a snapshot, and the server has that one after a restart too
		case s.inbox.snapshot.Type != NoMessage && index <= s.inbox.snapshot.LogIndex:
			truth = Holds
		case s.inbox.snapshot.Type != NoMessage && s.inbox.snapshot.Has&MsgLogIndex == 0:
			truth = Unknown
		case !m.Group.shows(ShowsReceives) || !s.inbox.complete || !s.knows(HasRole):
			truth = Unknown
		case index <= s.inbox.coming.commit && s.inbox.coming.term >= s.CurrentTerm:
			truth = Unknown
		case slices.ContainsFunc(s.MatchIndex, func(match uint64) bool { return match >= index }):
			truth = Unknown // it may have committed it as leader, before it stepped down
		}
	}
	if m.check(FollowerCommitTold, truth) {
		b := m.breach(FollowerCommitTold, s)
		b.Message = sprintf("server %s, %s, moved its commit index from %d to %d; the highest leaderCommit that it has received is %d",
			m.name(s.ID), s.Role, s.CommitIndex, index, s.inbox.leaderCommit)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldCommit}
		b.Allowed = sprintf("a commit index of at most %d", s.inbox.leaderCommit)
		m.finish(b, sprintf("shows commit index %d", index))
	}
	if !s.knows(HasLastIndex|HasTerm) || index > s.Log.Index {
		return
	}
	leader, known := m.Lineage.Branch(m.Lineage.Find(s.CurrentTerm), index)
	truth = Unknown
	if known {
		truth = m.Lineage.Same(s.Log, leader, index)
	}
	if truth == Fails && (m.toldEarlier(s, index) || !m.sureLog(s)) {
		truth = Unknown
	}
	if m.check(FollowerCommitMatched, truth) {
		at, _ := m.Lineage.At(s.Log, index)
		b := m.breach(FollowerCommitMatched, s)
		b.Message = sprintf("server %s committed %s; the leader of its term %d has %s there, so its log is not known to match that far",
			m.name(s.ID), m.tip(at), s.CurrentTerm, m.tip(leader))
		m.becauseOf(b, s, varLog)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldCommit, FieldLastIndex}
		b.Allowed = "min(leaderCommit, index of the last entry that matches the leader's)"
		m.finish(b, sprintf("shows commit index %d", index))
	}
}

// toldEarlier says whether the commit may rest on a leader of an earlier term.
func (m *Machine) toldEarlier(s *Server, index uint64) bool {
	r := s.inbox.append(0)
	return r == nil || r.Term != s.CurrentTerm
}

// setCommit is the effect of a commit index that moved: everything up to it is
// committed, and that is a fact.
func (m *Machine) setCommit(s *Server, index uint64) {
	m.moved(s, varCommit, s.CommitIndex, index)
	s.CommitIndex = index
	s.Known |= HasCommit
	m.MaxCommit = max(m.MaxCommit, index)
	if m.Group.Profile.CommitFactsLate {
		s.late = lateCommit{waiting: true, index: index}
		return
	}
	m.committed(s, index, false)
}

func (m *Machine) committed(s *Server, index uint64, final bool) {
	if index == 0 || !s.knows(HasLastIndex) || index > s.Log.Index {
		return
	}
	t, _ := m.Lineage.At(s.Log, index)
	if !m.sureLog(s) {
		t = Tip{Index: index}
	}
	term := s.CurrentTerm
	if !s.knows(HasTerm) {
		term = NoTerm
	}
	f := Fact{Kind: Committed, Server: s.ID, Term: term, Tip: t, Index: index,
		Leader: m.commitsByCount(s, index), Final: final, Known: t.Run != 0}
	if f.Leader && !final {
		f.Quorum = m.Agreed(s.ID, index)
	}
	m.fact(f)
}

// announceCommit makes facts of a commit that was shown on an earlier line.
func (m *Machine) announceCommit(s *Server) {
	s.late.waiting = false
	m.committed(s, s.late.index, false)
}

// handOut makes it a fact that the server's application sees everything up to
// the commit index.
func (m *Machine) handOut(s *Server) {
	m.committed(s, s.CommitIndex, true)
}

// apply replays one entry that is applied to the state machine.
func (m *Machine) apply(s *Server, a *Action) {
	if a.Index == 0 {
		return
	}
	if m.check(ApplyCommitted, m.withinCommit(s, a.Index)) {
		b := m.breach(ApplyCommitted, s)
		b.Message = sprintf("server %s applied entry %d; its commit index is %d", m.name(s.ID), a.Index, s.CommitIndex)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldEntryIndex}
		b.Allowed = sprintf("applying entries up to %d", s.CommitIndex)
		m.finish(b, sprintf("applies %d", a.Index))
	}
	if m.check(ApplyInOrder, m.nextToApply(s, a.Index)) {
		b := m.breach(ApplyInOrder, s)
		b.Message = sprintf("server %s applied entry %d; it had applied everything up to %d, and entries are applied once and in order",
			m.name(s.ID), a.Index, s.Applied)
		b.Fields = []Field{FieldEntryIndex}
		b.Allowed = sprintf("applying entry %d", s.Applied+1)
		m.finish(b, sprintf("applies %d", a.Index))
	}
	t := Tip{Index: a.Index}
	if a.Term != 0 {
		t.Run = m.Lineage.Find(a.Term)
		truth := Unknown
		if s.knows(HasLastIndex) && a.Index <= s.Log.Index {
			truth = m.overLogs(s, func() Truth { return m.Lineage.HasTerm(s.Log, a.Index, a.Term) })
		}
		if m.check(ApplyOwnLog, truth) {
			at, _ := m.Lineage.At(s.Log, a.Index)
			b := m.breach(ApplyOwnLog, s)
			b.Message = sprintf("server %s applied entry %d@%d; its log has %s there", m.name(s.ID), a.Index, a.Term, m.tip(at))
			m.becauseOf(b, s, varLog)
			b.Fields = []Field{FieldEntryIndex, FieldEntryTerm}
			m.finish(b, sprintf("applies %d@%d", a.Index, a.Term))
		}
	} else if s.knows(HasLastIndex) {
		t, _ = m.Lineage.At(s.Log, a.Index)
	}
	f := Fact{Kind: Applied, Server: s.ID, Tip: t, Index: a.Index, Term: a.Term}
	if len(a.Entries) > 0 && a.Entries[0].HasHash {
		f.Known, f.Hash = true, a.Entries[0].Hash
	}
	m.fact(f)
	if a.HasHash {
		m.fact(Fact{Kind: StateShown, Server: s.ID, Index: a.Index, Hash: a.Hash})
	}
	s.Applied = a.Index
	s.Known |= HasApplied
}

// nextToApply says whether an index is the next to apply. A snapshot that was
// received may have carried the state forward.
func (m *Machine) nextToApply(s *Server, index uint64) Truth {
	switch {
	case !s.knows(HasApplied):
		return Unknown
	case index == s.Applied+1:
		return Holds
	case index <= s.Applied:
		return Fails
	case m.Group.Profile.AppliesCommandsOnly:
		return Holds
	case !m.Group.shows(ShowsSnapshots):
		return Unknown
	case s.inbox.snapshot.Type != NoMessage && s.inbox.snapshot.LogIndex < index, s.Snapshot == index-1:
		return Unknown
	}
	return Fails
}

// read replays a read that a leader served from its own state.
func (m *Machine) read(s *Server, a *Action) {
	truth := Unknown
	if s.knows(HasRole|HasTerm|HasCommit|HasLastIndex) && s.Role == Leader {
		if at, known := m.Lineage.At(s.Log, s.CommitIndex); known && at.Index > 0 {
			truth = Is(m.Lineage.Run(at.Run).Term == s.CurrentTerm)
		} else if s.CommitIndex == 0 && s.Log.Index > 0 {
			truth = Fails // after a restart it knows of nothing that is committed
		}
		if run := m.Lineage.Find(s.CurrentTerm); truth == Fails && m.Lineage.Run(run).Rooted {
			truth = m.withinCommit(s, m.Lineage.Run(run).Low)
		}
	}
	if m.check(ReadAfterOwnCommit, truth) {
		at, _ := m.Lineage.At(s.Log, s.CommitIndex)
		b := m.breach(ReadAfterOwnCommit, s)
		b.Message = sprintf("leader %s of term %d served a read while its last committed entry was %s, before any of its own term",
			m.name(s.ID), s.CurrentTerm, m.tip(at))
		m.becauseOf(b, s, varRole)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldAction, FieldTerm, FieldCommit}
		b.Allowed = "reading after the no-op of its own term is committed (thesis §6.4)"
		m.finish(b, "serves a read")
	}
}

// acknowledge replays a client that is told that its entry is committed.
func (m *Machine) acknowledge(s *Server, a *Action) {
	truth := Unknown
	if a.Index != 0 {
		truth = m.withinCommit(s, a.Index)
	}
	if m.check(AckImpliesCommitted, truth) {
		b := m.breach(AckImpliesCommitted, s)
		b.Message = sprintf("server %s told a client that entry %d is committed; its commit index is %d",
			m.name(s.ID), a.Index, s.CommitIndex)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldEntryIndex}
		m.finish(b, sprintf("acknowledges %d to a client", a.Index))
	}
	if a.Term != 0 && a.Index != 0 {
		t := Tip{a.Index, m.Lineage.Find(a.Term)}
		m.fact(Fact{Kind: Committed, Server: s.ID, Term: s.CurrentTerm, Tip: t, Index: a.Index, Known: t.Run != 0, Final: true})
	}
}
