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
		Doc:       "Only then will every later leader hold the entry, whatever happens. It says of the whole step what C01 and C02 say of its two halves, and is judged when others can act on the commit.",
		Breaks:    "5 voters; 2@2 is on three, nothing of term 4; the leader of term 4 commits 2",
		Allowed:   "5 voters; 2@2 and 3@4 are on three; the leader of term 4 commits 2 and 3",
		Causes:    "see C01 and C02",
		Cite:      "Raft §5.3, §5.4.2, Figure 8 · raft.tla AdvanceCommitIndex",
		Needs:     spec.ShowsCommit | spec.ShowsReceives | spec.ShowsConfig,
		Faults:    "F16 F55 F56 F57",
	},
	Facts: []spec.FactKind{spec.Committed},
	New:   func() Check { return &commitSafety{} },
}

type commitSafety struct{}

func (*commitSafety) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	if !f.Leader || f.Final {
		return nil
	}
	if !decide(t, f.Quorum) {
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
