package invariants

import "github.com/tracecheck/tracecheck/spec"

// StateEqual: servers that have applied the same entries are in the same state.
// It finds what the entries cannot show: one that was applied twice after a
// restart, or a state machine that is not deterministic.
var StateEqual = &Invariant{
	Rule: spec.Rule{
		ID: "I09", Name: "state-equal",
		Statement: "after applying the entry at an index, the state machine of every server is the same",
		Formula:   "∀ i, j ∈ Server, n: state machine of i after 1..n = state machine of j after 1..n",
		Doc:       "Equal entries in equal order make equal states only if each is applied once and applying is deterministic. Only hashes of the whole state after Apply are compared, whichever server shows them first.",
		Breaks:    "a applies 9 and has the state 1f0e; b restarts, applies 8 a second time and then 9, and has the state 77c1",
		Allowed:   "a applies 9 and has the state 1f0e; b restarts, applies 1 to 9 and has the state 1f0e",
		Causes:    "the applied index is not saved together with the state, time or map order or a random number used while applying, an entry that fails on one server only",
		Cite:      "Raft §5.4.3, §8 · thesis §3.6: servers apply entries in log order to deterministic state machines",
		Needs:     spec.ShowsApply,
		Faults:    "F66",
	},
	Facts: []spec.FactKind{spec.StateShown},
	New:   func() Check { return &stateEqual{} },
}

type stateEqual struct {
	states spec.Contents // hashes by index alone
}

func (c *stateEqual) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	earlier, by, agrees := c.states.Put(spec.Tip{Index: f.Index}, f.Hash, f.Ref, f.Server)
	if !decide(t, spec.Is(agrees)) {
		return nil
	}
	b := m.NewBreach(&StateEqual.Rule, f.Server)
	b.Message = sprintf("the state machine of server %s after index %d is not what it was after that index before", m.Name(f.Server), f.Index)
	m.Because(b, earlier, by, sprintf("applies index %d, with another state after it", f.Index))
	b.Fields = []spec.Field{spec.FieldEntryIndex, spec.FieldEntryHash}
	b.Allowed = "the same state after the same index"
	return m.Finish(b, sprintf("applies index %d", f.Index))
}
