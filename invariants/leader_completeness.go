package invariants

import "github.com/tracecheck/tracecheck/spec"

// LeaderCompleteness: what is committed in a term is in the log of every leader
// of a later term. It is checked from both sides: when a leader is elected,
// against what is known to be committed in earlier terms; and when a commit
// shows, against the leaders of later terms that are known already, since lines
// may come in either order.
var LeaderCompleteness = &Invariant{
	Rule: spec.Rule{
		ID: "I04", Name: "leader-completeness",
		Statement: "an entry that is committed in a term is in the log of every leader of a later term",
		Formula:   "∀ committed (n, t), ∀ leader l of term t' > t: log[l][n].term = t",
		Doc:       "Otherwise the new leader overwrites what clients were told. It is checked when a leader is elected, when it sends entries, and when an older commit shows later.",
		Breaks:    "8@2 is committed; a server whose log ends at 7@2 becomes leader of term 3, or sends 8@1",
		Allowed:   "8@2 is committed; a server whose log ends at 8@2 becomes leader of term 3. Or: 8@2 is on one server only; one without it becomes leader",
		Causes:    "a vote for an older log (V03), a voter that has lost entries (P03), a commit without a quorum (C01) or by counting an old term (C02)",
		Cite:      "Raft §5.4, Figure 3",
		Needs:     spec.ShowsRole | spec.ShowsLastIndex | spec.ShowsLogTerms | spec.ShowsCommit,
		Faults:    "F07 F08 F28 F30 F53 F55 F62",
	},
	Facts: []spec.FactKind{spec.Elected, spec.Committed, spec.Sent},
	New:   func() Check { return &leaderCompleteness{} },
}

type leaderCompleteness struct {
	commits []commitOf   // ascending in term and index: what was committed by the end of each term
	leaders []electedLog // ascending in term: the logs with which leaders were elected
	told    uint64       // the highest term whose leader has been reported
}

type commitOf struct {
	term   uint64
	tip    spec.Tip
	server spec.ID
	ref    spec.Ref
}

type electedLog struct {
	term   uint64
	leader spec.ID
	log    spec.Tip
	ref    spec.Ref
}

// keptCommits bounds both memories; what is older is covered by what is kept,
// but for a leader or a commit that shows that much later.
const keptCommits = 256

func (c *leaderCompleteness) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	switch f.Kind {
	case spec.Elected:
		if f.Known {
			return c.elected(m, f, t)
		}
	case spec.Committed:
		if f.Tip.Run != 0 {
			return c.committed(m, f, t)
		}
	case spec.Sent:
		return c.sent(m, f, t)
	}
	return nil
}

// before returns what is known to be committed in terms below term.
func (c *leaderCompleteness) before(term uint64) *commitOf {
	for i := len(c.commits) - 1; i >= 0; i-- {
		if c.commits[i].term < term {
			return &c.commits[i]
		}
	}
	return nil
}

func (c *leaderCompleteness) elected(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	c.keepLeader(f)
	k := c.before(f.Term)
	if k == nil {
		t.Verified++ // nothing is known to be committed that it could lack
		return nil
	}
	if !decide(t, m.Lineage.Same(f.Tip, k.tip, k.tip.Index)) {
		return nil
	}
	c.told = max(c.told, f.Term)
	b := m.NewBreach(&LeaderCompleteness.Rule, f.Server)
	at, _ := m.Lineage.At(f.Tip, k.tip.Index)
	b.Message = sprintf("server %s became leader of term %d with a log that ends at %s; %s is committed since term %d, and this log does not hold it",
		m.Name(f.Server), f.Term, m.TipText(f.Tip), m.TipText(k.tip), k.term)
	if at.Run != 0 && k.tip.Index <= f.Tip.Index {
		b.Message = sprintf("server %s became leader of term %d with %s in its log; %s is committed since term %d",
			m.Name(f.Server), f.Term, m.TipText(at), m.TipText(k.tip), k.term)
	}
	m.Because(b, k.ref, k.server, sprintf("commits %s", m.TipText(k.tip)))
	b.Fields = []spec.Field{spec.FieldAction, spec.FieldRole, spec.FieldTerm, spec.FieldLastIndex}
	b.Allowed = sprintf("a leader whose log holds %s", m.TipText(k.tip))
	return m.Finish(b, sprintf("becomes leader with log %s", m.TipText(f.Tip)))
}

func (c *leaderCompleteness) committed(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	c.keepCommit(f)
	for i := len(c.leaders) - 1; i >= 0 && c.leaders[i].term > f.Term; i-- {
		l := &c.leaders[i]
		if l.term <= c.told || !decide(t, m.Lineage.Same(l.log, f.Tip, f.Tip.Index)) {
			continue
		}
		c.told = max(c.told, l.term)
		b := m.NewBreach(&LeaderCompleteness.Rule, f.Server)
		b.Message = sprintf("server %s committed %s in term %d; server %s was elected leader of term %d with a log that ends at %s and does not hold it",
			m.Name(f.Server), m.TipText(f.Tip), f.Term, m.Name(l.leader), l.term, m.TipText(l.log))
		m.Because(b, l.ref, l.leader, sprintf("becomes leader of term %d with log %s", l.term, m.TipText(l.log)))
		b.Fields = []spec.Field{spec.FieldCommit, spec.FieldTerm}
		return m.Finish(b, sprintf("commits %s", m.TipText(f.Tip)))
	}
	return nil
}

// sent: a leader offers an entry where another one is committed. Its log then
// lacked the committed entry when it was elected, whatever the trace showed.
func (c *leaderCompleteness) sent(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	k := c.before(f.Term)
	if k == nil || f.Index > k.tip.Index || f.Tip.Run == 0 || f.Term <= c.told {
		return nil
	}
	if !decide(t, m.Lineage.Same(f.Tip, k.tip, f.Index)) {
		return nil
	}
	c.told = f.Term
	at, _ := m.Lineage.At(k.tip, f.Index)
	b := m.NewBreach(&LeaderCompleteness.Rule, f.Server)
	b.Message = sprintf("leader %s of term %d sends entry %s; %s is committed at that index",
		m.Name(f.Server), f.Term, m.TipText(f.Tip), m.TipText(at))
	m.Because(b, k.ref, k.server, sprintf("commits %s", m.TipText(k.tip)))
	m.BecauseLeader(b, f.Term)
	b.Fields = []spec.Field{spec.FieldEntryIndex, spec.FieldEntryTerm, spec.FieldMessageIndex}
	b.Allowed = sprintf("sending %s", m.TipText(at))
	return m.Finish(b, sprintf("sends %s", m.TipText(f.Tip)))
}

func (c *leaderCompleteness) keepLeader(f *spec.Fact) {
	i := len(c.leaders)
	for i > 0 && c.leaders[i-1].term > f.Term {
		i--
	}
	c.leaders = append(c.leaders, electedLog{})
	copy(c.leaders[i+1:], c.leaders[i:])
	c.leaders[i] = electedLog{f.Term, f.Server, f.Tip, f.Ref}
	if len(c.leaders) > 2*keptCommits {
		c.leaders = append(c.leaders[:0], c.leaders[keptCommits:]...)
	}
}

// keepCommit notes what is committed by a term. A commit of an older term that
// shows late raises the later terms' too, so the list stays ascending.
func (c *leaderCompleteness) keepCommit(f *spec.Fact) {
	i := len(c.commits)
	if i > 0 && c.commits[i-1].term == f.Term {
		if last := &c.commits[i-1]; f.Tip.Index > last.tip.Index {
			*last = commitOf{f.Term, f.Tip, f.Server, f.Ref}
		}
		return
	}
	for i > 0 && c.commits[i-1].term > f.Term {
		i--
	}
	if i > 0 && c.commits[i-1].tip.Index >= f.Tip.Index {
		return
	}
	k := commitOf{f.Term, f.Tip, f.Server, f.Ref}
	if i > 0 && c.commits[i-1].term == f.Term {
		c.commits[i-1] = k
		i--
	} else {
		c.commits = append(c.commits, commitOf{})
		copy(c.commits[i+1:], c.commits[i:])
		c.commits[i] = k
	}
	for i+1 < len(c.commits) && c.commits[i+1].tip.Index <= k.tip.Index {
		c.commits = append(c.commits[:i+1], c.commits[i+2:]...)
	}
	if len(c.commits) > 2*keptCommits {
		c.commits = append(c.commits[:0], c.commits[keptCommits:]...)
	}
}
