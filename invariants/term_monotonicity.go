package invariants

import "github.com/tracecheck/tracecheck/spec"

// TermMonotonicity: currentTerm never decreases. Across a restart that holds as
// far as anybody has seen the term: one that was entered and lost in the crash
// before anything that carries it was received has never existed.
var TermMonotonicity = &Invariant{
	Rule: spec.Rule{
		ID: "I06", Name: "term-monotonicity",
		Statement: "the current term of a server never decreases",
		Formula:   "∀ i ∈ Server: currentTerm'[i] ≥ currentTerm[i]",
		Doc:       "A server that returns to an older term can vote in it again and accept a deposed leader. Across a restart it holds for what others have heard of; a term that was entered and never told may be lost with the crash.",
		Breaks:    "a is in term 7; a is in term 6. Or: others hear from a in term 7; a restarts in term 6",
		Allowed:   "a enters term 8 and crashes before anybody hears of it; a restarts in term 7",
		Causes:    "the term set from a message instead of the greater of the two, a term that is written late, a restored backup",
		Cite:      "Raft §5.1 · raft.tla UpdateTerm, Timeout",
		Needs:     spec.ShowsTerm,
		Faults:    "F04 F05",
	},
	Facts: []spec.FactKind{spec.TermMoved},
	New:   func() Check { return &termMonotonicity{} },
}

type termMonotonicity struct{}

func (*termMonotonicity) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	if !decide(t, spec.Is(f.Term >= f.Old)) {
		return nil
	}
	b := m.NewBreach(&TermMonotonicity.Rule, f.Server)
	b.Message = sprintf("the term of server %s went from %d to %d", m.Name(f.Server), f.Old, f.Term)
	m.BecauseTerm(b, f.Server)
	b.Fields = []spec.Field{spec.FieldTerm}
	b.Allowed = sprintf("any term ≥ %d", f.Old)
	return m.Finish(b, sprintf("is in term %d", f.Term))
}
