package invariants

import "github.com/tracecheck/tracecheck/spec"

// ElectionSafety: at most one leader per term. Every message that only a leader
// sends counts as well as the election itself, so that two leaders are found
// even where one of the elections was not seen.
var ElectionSafety = &Invariant{
	Rule: spec.Rule{
		ID: "I01", Name: "election-safety",
		Statement: "at most one server is leader of a given term",
		Formula:   "∀ i, j ∈ Server: state[i] = Leader ∧ state[j] = Leader ∧ currentTerm[i] = currentTerm[j] ⇒ i = j",
		Doc:       "All of Raft rests on it: entries are named by index and term because a term has one leader. Sending what only a leader sends counts as leading. The order of lines does not matter.",
		Breaks:    "a becomes leader of term 5; b becomes leader of term 5, or sends AppendEntries of term 5",
		Allowed:   "a becomes leader of term 5; b becomes leader of term 6; a, which does not know it yet, sends AppendEntries of term 5",
		Causes:    "a vote given twice (V01, P01), votes counted wrongly (V07), two servers or two groups under one name in the trace",
		Cite:      "Raft §5.2, Figure 3 · raft.tla ElectionSafety",
		Needs:     spec.ShowsTerm | spec.ShowsRole,
		Faults:    "F17 F26 F27 F31",
	},
	Facts: []spec.FactKind{spec.Elected},
	New:   func() Check { return &electionSafety{leaders: make(map[uint64]leadership)} },
}

type electionSafety struct {
	leaders map[uint64]leadership
	top     uint64 // the highest term seen
	floor   uint64 // terms below may have been forgotten
	last    uint64 // the term looked at last, and who led it: most facts repeat it
	leader  spec.ID
}

type leadership struct {
	leader spec.ID
	ref    spec.Ref
}

// keptTerms bounds the memory: leaders of that many terms are remembered.
const keptTerms = 1 << 14

func (c *electionSafety) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	if f.Term == c.last && f.Server == c.leader {
		t.Verified++
		return nil
	}
	was, ok := c.leaders[f.Term]
	if !ok {
		if f.Term < c.floor {
			t.Assumed++
			return nil
		}
		c.remember(f)
		t.Verified++
		return nil
	}
	if !decide(t, spec.Is(was.leader == f.Server)) {
		c.last, c.leader = f.Term, f.Server
		return nil
	}
	b := m.NewBreach(&ElectionSafety.Rule, f.Server)
	b.Message = sprintf("server %s acts as leader of term %d; server %s is leader of that term",
		m.Name(f.Server), f.Term, m.Name(was.leader))
	m.Because(b, was.ref, was.leader, sprintf("leads term %d", f.Term))
	b.Fields = []spec.Field{spec.FieldAction, spec.FieldRole, spec.FieldTerm, spec.FieldMessageTerm}
	b.Allowed = sprintf("server %s alone as leader of term %d", m.Name(was.leader), f.Term)
	return m.Finish(b, sprintf("acts as leader of term %d", f.Term))
}

func (c *electionSafety) remember(f *spec.Fact) {
	c.top = max(c.top, f.Term)
	if len(c.leaders) >= keptTerms {
		// Forget all but the last terms, whatever the order in which they come:
		// what is left has at most half of the room, so this is rare.
		c.floor = max(c.floor, c.top-min(c.top, keptTerms/2-1))
		for term := range c.leaders {
			if term < c.floor {
				delete(c.leaders, term)
			}
		}
	}
	if f.Term >= c.floor {
		c.leaders[f.Term] = leadership{f.Server, f.Ref}
	}
	c.last, c.leader = f.Term, f.Server
}
