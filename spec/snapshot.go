package spec

// Snapshots and compaction: Raft §7, Figure 13.

// takeSnapshot replays a server that writes a snapshot of its own state.
func (m *Machine) takeSnapshot(s *Server, a *Action) {
	limit, name := s.Applied, "lastApplied"
	truth := Is(a.Index <= limit)
	applied := (a.Before.Has|a.After.Has)&HasApplied != 0 || m.Group.shows(ShowsApply)
	if !s.knows(HasApplied) || !applied || m.Group.Profile.AppliesCommandsOnly {
		limit, name = s.CommitIndex, "commitIndex"
		truth = m.withinCommit(s, a.Index)
	} else if truth == Fails && s.inbox.snapshot.Type != NoMessage && a.Index <= s.inbox.snapshot.LogIndex {
		truth = Unknown // it may have installed that one
	}
	if m.check(SnapshotCommitted, truth) {
		b := m.breach(SnapshotCommitted, s)
		b.Message = sprintf("server %s took a snapshot up to %d; its %s is %d", m.name(s.ID), a.Index, name, limit)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldSnapshotIndex}
		b.Allowed = sprintf("a snapshot up to %d", limit)
		m.finish(b, sprintf("takes a snapshot up to %d", a.Index))
	}
	if a.Term != 0 {
		truth = Unknown
		if s.knows(HasLastIndex) && a.Index <= s.Log.Index {
			truth = m.Lineage.HasTerm(s.Log, a.Index, a.Term)
		}
		if m.check(SnapshotTerm, truth) {
			at, _ := m.Lineage.At(s.Log, a.Index)
			b := m.breach(SnapshotTerm, s)
			b.Message = sprintf("server %s took a snapshot that ends at %d@%d; its log has %s there",
				m.name(s.ID), a.Index, a.Term, m.tip(at))
			m.becauseOf(b, s, varLog)
			b.Fields = []Field{FieldSnapshotIndex, FieldSnapshotTerm}
			m.finish(b, sprintf("takes a snapshot that ends at %d@%d", a.Index, a.Term))
		}
	}
	m.tookImage(s, a)
	s.Snapshot = max(s.Snapshot, a.Index)
	s.Known |= HasSnapshot
}

// tookImage keeps what the snapshot of a line holds. That the entry at its end is
// applied is a fact.
func (m *Machine) tookImage(s *Server, a *Action) {
	if !a.HasHash {
		return
	}
	if a.Term != 0 {
		m.fact(Fact{Kind: Applied, Server: s.ID, Tip: Tip{a.Index, m.Lineage.Find(a.Term)}, Index: a.Index, Term: a.Term})
	}
	again := s.image.index == a.Index
	s.image = image{a.Index, a.Hash, m.ref, again && (s.image.unknown || s.image.hash != a.Hash)}
}

// installsWhole compares a snapshot that is installed with the one that its
// sender took.
func (m *Machine) installsWhole(s *Server, a *Action, index uint64) {
	r := &s.inbox.snapshot
	if !a.HasHash {
		return
	}
	truth := Unknown
	var sent image
	if from := m.Server(r.From); r.Type != NoMessage && from != nil && r.LogIndex == index {
		if sent = from.image; sent.index == index && !sent.unknown {
			truth = Is(sent.hash == a.Hash)
		}
	}
	if m.check(SnapshotWhole, truth) {
		b := m.breach(SnapshotWhole, s)
		b.Message = sprintf("server %s installed a snapshot up to %d that is not the one which %s took", m.name(s.ID), index, m.name(r.From))
		m.because(b, sent.ref, r.From, Nil, true, sprintf("takes a snapshot up to %d", index), "")
		m.because(b, r.Ref, s.ID, r.From, false, sprintf("receives a snapshot up to %d", index), "")
		b.Fields = []Field{FieldSnapshotIndex, FieldEntryHash}
		m.finish(b, sprintf("installs a snapshot up to %d", index))
	}
	s.image = image{index, a.Hash, m.ref, false}
}

// installSnapshot replays a server that replaces its state by a snapshot that
// it received: the log is that snapshot alone, unless it holds the snapshot's
// last entry, in which case what follows that entry stays.
func (m *Machine) installSnapshot(s *Server, a *Action) {
	index, term := a.Index, a.Term
	if index == 0 {
		index, term = s.inbox.snapshot.LogIndex, s.inbox.snapshot.LogTerm
	}
	if index == 0 {
		s.Known &^= HasLastIndex | HasApplied
		return
	}
	truth := Unknown
	if s.knows(HasApplied) {
		truth = Is(index >= s.Applied)
	}
	if m.check(InstallKeepsApplied, truth) {
		b := m.breach(InstallKeepsApplied, s)
		b.Message = sprintf("server %s installed a snapshot up to %d; it had applied everything up to %d, so its state went back",
			m.name(s.ID), index, s.Applied)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldSnapshotIndex}
		b.Allowed = sprintf("ignoring a snapshot that ends before %d", s.Applied)
		m.finish(b, sprintf("installs a snapshot up to %d", index))
	}
	r := &s.inbox.snapshot
	if r.Has&MsgTerm != 0 {
		m.entersUnseen(s, r.Term)
	}
	if r.Type != NoMessage && r.Has&MsgTerm != 0 && s.knows(HasTerm) {
		if m.check(StaleSnapshotRefused, Is(r.Term == s.CurrentTerm)) {
			b := m.breach(StaleSnapshotRefused, s)
			b.Message = sprintf("server %s of term %d installed a snapshot that a leader of term %d sent",
				m.name(s.ID), s.CurrentTerm, r.Term)
			m.because(b, r.Ref, s.ID, r.From, false, sprintf("receives a snapshot of term %d", r.Term), "")
			m.becauseOf(b, s, varTerm)
			b.Fields = []Field{FieldTerm, FieldSnapshotIndex}
			m.finish(b, sprintf("installs a snapshot up to %d", index))
		}
	}
	m.installsWhole(s, a, index)
	m.restoreSnapshot(s, index, term)
	s.Applied = max(s.Applied, index)
	s.Known |= HasApplied
}

// restoreSnapshot is the effect of a snapshot on a server's log and commit index.
func (m *Machine) restoreSnapshot(s *Server, index, term uint64) {
	t := Tip{Index: index}
	if term != 0 {
		t = m.saw(s, index, term)
	} else if at, known := m.Lineage.Branch(m.Lineage.Find(s.CurrentTerm), index); known {
		t = at
	}
	s.inbox.snapshot = received{}
	if m.action == nil || m.action.After.Has&HasConfig == 0 {
		s.forgetConfig() // it came with the snapshot
	}
	s.Snapshot = max(s.Snapshot, index)
	s.Known |= HasSnapshot
	kept := m.keptBySnapshot(s, t)
	if kept == Holds {
		t = s.Log
	} else {
		s.installed = installed{ref: m.ref, tip: t}
		if s.knows(HasLastIndex) {
			s.installed.over = s.Log
		}
	}
	m.keepsFollowing(s, index, kept)
	if kept == Unknown && s.knows(HasLastIndex) {
		// What follows the snapshot's last entry is there still, or is not.
		s.Known &^= HasLastIndex
		m.lowerPromise(s, t)
	} else {
		m.setLog(s, t)
	}
	if s.knows(HasCommit) && s.CommitIndex < index {
		m.setCommit(s, index)
	}
}

// becauseInstalled explains an entry that a leader sent although its log has
// another one there, if that other one is in a snapshot that it has installed. It
// reports whether that is so.
func (m *Machine) becauseInstalled(b *Breach, s *Server, e *Entry, at Tip) bool {
	in := &s.installed
	if in.ref == 0 || in.ref == m.ref || e.Index > in.tip.Index {
		return false
	}
	b.Message = sprintf("leader %s sent %s entry %d@%d; the snapshot up to %s that it has installed has %s there",
		m.name(s.ID), m.name(m.action.Message.To), e.Index, e.Term, m.tip(in.tip), m.tip(at))
	what, change := sprintf("installs a snapshot up to %s", m.tip(in.tip)), ""
	if in.over.Index > 0 {
		change = sprintf("log %s→%s", m.tip(in.over), m.tip(in.tip))
	}
	m.because(b, in.ref, s.ID, Nil, false, what, change)
	if m.Lineage.HasTerm(in.over, e.Index, e.Term) == Holds {
		b.Help = sprintf("keeping the log, which ended at %s, under the snapshot instead of discarding it (Raft Figure 13, rule 7) looks like this", m.tip(in.over))
	}
	return true
}

// keptBySnapshot says whether a log holds a snapshot's last entry, so that what
// follows it stays.
func (m *Machine) keptBySnapshot(s *Server, t Tip) Truth {
	if !s.knows(HasLastIndex) {
		return Unknown
	}
	return m.overLogs(s, func() Truth { return m.Lineage.Same(s.Log, t, t.Index) })
}

// keepsFollowing checks that a snapshot up to index removes nothing committed.
func (m *Machine) keepsFollowing(s *Server, index uint64, kept Truth) {
	truth := Unknown
	switch {
	case kept == Holds, s.knows(HasCommit) && s.CommitIndex <= index:
		truth = Holds
	case kept == Fails && s.knows(HasCommit):
		truth = Fails
	}
	if m.check(InstallKeepsCommitted, truth) {
		b := m.breach(InstallKeepsCommitted, s)
		b.Message = sprintf("server %s replaced its log, which ended at %s, by a snapshot up to %d; everything up to %d was committed",
			m.name(s.ID), m.tip(s.Log), index, s.CommitIndex)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldSnapshotIndex, FieldLastIndex}
		b.Allowed = "keeping the entries that follow the snapshot's last entry"
		m.finish(b, sprintf("installs a snapshot up to %d", index))
	}
}

// observeSnapshot compares a snapshot that a line claims.
func (m *Machine) observeSnapshot(s *Server, c *State) {
	if c.SnapshotTerm != 0 && s.knows(HasLastIndex) && c.SnapshotIndex <= s.Log.Index {
		if m.check(SnapshotTerm, m.Lineage.HasTerm(s.Log, c.SnapshotIndex, c.SnapshotTerm)) {
			at, _ := m.Lineage.At(s.Log, c.SnapshotIndex)
			b := m.breach(SnapshotTerm, s)
			b.Message = sprintf("server %s shows a snapshot that ends at %d@%d; its log has %s there",
				m.name(s.ID), c.SnapshotIndex, c.SnapshotTerm, m.tip(at))
			b.Fields = []Field{FieldSnapshotIndex, FieldSnapshotTerm}
			m.finish(b, "shows its snapshot")
		}
	}
	s.Snapshot = c.SnapshotIndex
	s.Known |= HasSnapshot
}

// observeFirstIndex checks that a log has no gap after the snapshot.
func (m *Machine) observeFirstIndex(s *Server, first uint64) {
	truth := Unknown
	if s.knows(HasSnapshot) {
		truth = Is(first <= s.Snapshot+1)
	}
	if m.check(LogFollowsSnapshot, truth) {
		b := m.breach(LogFollowsSnapshot, s)
		b.Message = sprintf("the log of server %s begins at %d; its snapshot ends at %d, so entries are missing between",
			m.name(s.ID), first, s.Snapshot)
		b.Fields = []Field{FieldSnapshotIndex}
		b.Allowed = sprintf("a log that begins at %d or earlier", s.Snapshot+1)
		m.finish(b, sprintf("shows a log that begins at %d", first))
	}
	s.FirstIndex = first
	s.Known |= HasFirstIndex
}

// compactLog replays a prefix of the log that is discarded.
func (m *Machine) compactLog(s *Server, a *Action) {
	truth := Unknown
	if s.knows(HasSnapshot) {
		truth = Is(a.Index <= s.Snapshot)
	}
	if m.check(CompactCovered, truth) {
		b := m.breach(CompactCovered, s)
		b.Message = sprintf("server %s discarded its log up to %d; its snapshot covers %d", m.name(s.ID), a.Index, s.Snapshot)
		b.Fields = []Field{FieldEntryIndex}
		b.Allowed = sprintf("discarding up to %d", s.Snapshot)
		m.finish(b, sprintf("discards its log up to %d", a.Index))
	}
	s.FirstIndex = a.Index + 1
	s.Known |= HasFirstIndex
}
