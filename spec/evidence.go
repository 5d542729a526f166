package spec

// What package invariants needs to write a breach.

// NewBreach begins a breach of an invariant at the present line. The fact may
// be about another server than the one that acts.
func (m *Machine) NewBreach(r *Rule, server ID) *Breach {
	b := &Breach{Rule: r, Group: m.Group.Index, Server: server, Ref: m.ref, Step: m.stepOf(m.action)}
	if m.protocol != nil {
		b.Before = m.protocol.View(server)
	}
	if s := m.Server(server); s != nil {
		b.Before = m.viewBefore(s)
	}
	return b
}

// NewBreachAt begins a breach that an earlier line made, and that only the present
// one shows. How things stood before that line is not told.
func (m *Machine) NewBreachAt(ref Ref, r *Rule, server ID) *Breach {
	return &Breach{Rule: r, Group: m.Group.Index, Server: server, Ref: ref}
}

// Because adds an earlier line to the evidence of a breach.
func (m *Machine) Because(b *Breach, ref Ref, server ID, what string) {
	m.because(b, ref, server, Nil, false, what, "")
}

// BecauseLeader adds the line that showed who leads a term.
func (m *Machine) BecauseLeader(b *Breach, term uint64) {
	if id := m.Lineage.Find(term); id != 0 {
		if r := m.Lineage.Run(id); r.Leader != Nil {
			m.because(b, r.Ref, r.Leader, Nil, false, sprintf("leads term %d", term), "")
		}
	}
}

// BecauseTerm adds the line that set a server's term.
func (m *Machine) BecauseTerm(b *Breach, server ID) {
	if s := m.Server(server); s != nil {
		m.becauseOf(b, s, varTerm)
		if s.durable.termRef != 0 {
			m.because(b, s.durable.termRef, s.ID, Nil, true, sprintf("another server hears of its term %d", s.durable.term), "")
		}
	}
}

// BecauseCommit adds the lines behind a leader's commit index.
func (m *Machine) BecauseCommit(b *Breach, server ID) {
	if s := m.Server(server); s != nil {
		m.becauseOf(b, s, varCommit)
		m.becauseAcks(b, s)
	}
}

// BecauseLog adds the line that changed a server's log last.
func (m *Machine) BecauseLog(b *Breach, server ID) {
	if s := m.Server(server); s != nil {
		m.becauseOf(b, s, varLog)
	}
}

// Counted returns who was found by [Machine.Agreed] to hold the log of a leader up
// to an index, with the leader itself, and the configuration that they are counted by.
func (m *Machine) Counted(leader ID, index uint64) (Set, *Config) {
	s := m.Server(leader)
	if c := &m.counted; c.leader == leader && c.index == index {
		return c.by, c.config
	}
	return m.holders(s, index), m.config(s)
}

// Finish orders the evidence and ends it with the present line.
func (m *Machine) Finish(b *Breach, what string) *Breach {
	m.finish(b, what)
	return b
}

// Name returns a server's name in the trace.
func (m *Machine) Name(id ID) string { return m.name(id) }

// TipText writes a log position as index@term.
func (m *Machine) TipText(t Tip) string { return m.tip(t) }

// Agreed says whether a quorum holds the log of a leader up to an index,
// together with an entry of the leader's own term.
func (m *Machine) Agreed(leader ID, index uint64) Truth {
	s := m.Server(leader)
	if s == nil || !s.knows(HasTerm|HasRole) || s.Role != Leader {
		return Unknown
	}
	run := m.Lineage.Find(s.CurrentTerm)
	if run == 0 || !m.Lineage.Run(run).Rooted {
		return Unknown
	}
	return m.agreed(s, max(index, m.Lineage.Run(run).Low))
}
