package invariants

import "github.com/tracecheck/tracecheck/spec"

// CommitSafety: a leader commits an entry only when a quorum of the
// configuration in force has acknowledged it, and with it an entry of the
// leader's own term. The acknowledgements are facts: within a term a follower
// never loses what it has acknowledged.
var CommitSafety = &Invariant{
	Rule: spec.Rule{
		ID: "I07", Name: "commit-safety",
		Statement: "a leader commits an entry only if a quorum holds it together with an entry of the leader's own term",
		Formula:   "commitIndex'[i] > commitIndex[i] ⇒ ∃ n ≥ commitIndex'[i]: log[i][n].term = currentTerm[i] ∧ {i} ∪ {k: matchIndex[i][k] ≥ n} ∈ Quorum",
		Doc:       "Only then will every later leader hold the entry, whatever happens. It says of the whole step what C01 and C02 say of its two halves, and is judged when others can act on the commit, and once more when one of those who were counted shows that it never held the entry.",
		Breaks:    "5 voters; 2@2 is on three, nothing of term 4; the leader of term 4 commits 2",
		Allowed:   "5 voters; 2@2 and 3@4 are on three; the leader of term 4 commits 2 and 3",
		Causes:    "see C01 and C02",
		Cite:      "Raft §5.3, §5.4.2, Figure 8 · raft.tla AdvanceCommitIndex",
		Needs:     spec.ShowsCommit | spec.ShowsReceives | spec.ShowsConfig,
		Faults:    "F16 F55 F56 F57",
	},
	Facts: []spec.FactKind{spec.Committed, spec.Disowned},
	New:   func() Check { return &commitSafety{} },
}

type commitSafety struct {
	counted []counted // a ring of the last ones
	n       int       // ever counted
}

// counted is a leader's commit with those who were counted for it.
type counted struct {
	leader  spec.ID
	term    uint64
	tip     spec.Tip
	holders spec.Set
	config  *spec.Config
	ref     spec.Ref
}

// remembered is how many commits are remembered in case that one of those who
// were counted turns out not to have held the entry. It shows soon or not at all,
// since the next request mends the log or is refused.
const remembered = 32

func (c *commitSafety) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	if f.Kind == spec.Disowned {
		return c.disowned(m, f, t)
	}
	if !f.Leader || f.Final {
		return nil
	}
	if !decide(t, f.Quorum) {
		if f.Quorum == spec.Holds {
			c.remember(m, f)
		}
		return nil
	}
	b := m.NewBreach(&CommitSafety.Rule, f.Server)
	b.Message = sprintf("leader %s of term %d acts on %s as committed; no quorum holds it together with an entry of that term",
		m.Name(f.Server), f.Term, m.TipText(f.Tip))
	m.BecauseLeader(b, f.Term)
	m.BecauseCommit(b, f.Server)
	b.Fields = []spec.Field{spec.FieldCommit, spec.FieldMessageCommit}
	return m.Finish(b, sprintf("acts on commit index %d", f.Index))
}

func (c *commitSafety) remember(m *spec.Machine, f *spec.Fact) {
	if c.n < remembered {
		c.counted = append(c.counted, counted{})
	}
	k := &c.counted[c.n%remembered]
	c.n++
	k.leader, k.term, k.tip, k.ref = f.Server, f.Term, f.Tip, f.Ref
	k.holders, k.config = m.Counted(f.Server, f.Index)
}

// disowned finds the first commit that an acknowledgement was counted for which
// has turned out to be untrue, if no quorum is left without it.
func (c *commitSafety) disowned(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	for i := max(0, c.n-remembered); i < c.n; i++ {
		k := &c.counted[i%remembered]
		if k.term != f.Term || k.tip.Index < f.Index || !k.holders.Has(f.Server) ||
			m.Lineage.Same(k.tip, f.Tip, f.Index) != spec.Holds {
			continue
		}
		left := k.holders
		left.Remove(f.Server)
		if k.config == nil || k.config.Quorum(left) {
			continue
		}
		t.Broken++
		b := m.NewBreachAt(k.ref, &CommitSafety.Rule, k.leader)
		b.Message = sprintf("leader %s of term %d acts on %s as committed; server %s was counted for it and, as a later line shows, never held %s, and without it there is no quorum",
			m.Name(k.leader), k.term, m.TipText(k.tip), m.Name(f.Server), m.TipText(f.Tip))
		m.BecauseLeader(b, k.term)
		m.Because(b, k.ref, k.leader, sprintf("acts on commit index %d", k.tip.Index))
		return m.Finish(b, sprintf("shows that it does not hold %s", m.TipText(f.Tip)))
	}
	return nil
}
