package invariants

import "github.com/tracecheck/tracecheck/spec"

// StateMachineSafety: no two servers apply different entries at one index. What
// a server hands to its application counts as applied; so does, for a source
// that shows nothing else, what it takes as committed.
var StateMachineSafety = &Invariant{
	Rule: spec.Rule{
		ID: "I05", Name: "state-machine-safety",
		Statement: "if a server has applied an entry at an index, no server ever applies another entry at that index",
		Formula:   "∀ i, j ∈ Server, n ≤ Min(commitIndex[i], commitIndex[j]): log[i][n] = log[j][n]",
		Doc:       "It is what the application sees: states that differ. A client's being told counts as much as applying.",
		Breaks:    "a commits 4@2 at index 4; b commits 4@3. Or: a and b apply index 5 with different contents",
		Allowed:   "a commits 4@2; b's log holds 4@3 uncommitted and will be overwritten",
		Causes:    "any of the others first: look for the earliest finding of I01, I04, C01, C02, C04",
		Cite:      "Raft §5.4.3, Figure 3",
		Needs:     spec.ShowsCommit | spec.ShowsLastIndex,
		Faults:    "F61 F65 F67",
	},
	Facts: []spec.FactKind{spec.Committed, spec.Applied},
	New:   func() Check { return &stateMachineSafety{} },
}

type stateMachineSafety struct {
	spine   spine
	applied spec.Contents // hashes of what was applied, by index alone
}

func (c *stateMachineSafety) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	switch f.Kind {
	case spec.Committed:
		if f.Tip.Run == 0 || m.Group.Profile.CommitFactsLate && !f.Final {
			if f.Tip.Run == 0 {
				t.Assumed++
			}
			return nil
		}
		return c.position(m, f, t, "takes as committed")
	case spec.Applied:
		if f.Tip.Run != 0 {
			if b := c.position(m, f, t, "applies"); b != nil {
				return b
			}
		}
		if f.Known {
			return c.content(m, f, t)
		}
	}
	return nil
}

func (c *stateMachineSafety) position(m *spec.Machine, f *spec.Fact, t *spec.Tally, deed string) *spec.Breach {
	if c.spine.follows(m, f.Tip) {
		t.Verified++
		if f.Tip.Index > c.spine.tip.Index {
			c.spine = spine{f.Tip, f.Server, f.Ref}
		}
		return nil
	}
	if !decide(t, c.spine.agrees(m, f.Tip)) {
		c.spine.grow(f.Tip, f.Server, f.Ref)
		return nil
	}
	index := min(c.spine.tip.Index, f.Tip.Index)
	was, _ := m.Lineage.At(c.spine.tip, index)
	now, _ := m.Lineage.At(f.Tip, index)
	b := m.NewBreach(&StateMachineSafety.Rule, f.Server)
	other := m.TipText(was)
	if other == m.TipText(now) {
		other = "another " + other + ", of a log that has parted from this one,"
	}
	b.Message = sprintf("server %s %s %s at index %d; server %s has %s as committed at that index",
		m.Name(f.Server), deed, m.TipText(now), index, m.Name(c.spine.server), other)
	m.Because(b, c.spine.ref, c.spine.server, sprintf("commits %s", m.TipText(c.spine.tip)))
	b.Fields = []spec.Field{spec.FieldCommit, spec.FieldEntryIndex, spec.FieldEntryTerm}
	b.Allowed = sprintf("%s at index %d", m.TipText(was), index)
	return m.Finish(b, sprintf("%s %s", deed, m.TipText(now)))
}

func (c *stateMachineSafety) content(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	earlier, by, agrees := c.applied.Put(spec.Tip{Index: f.Index}, f.Hash, f.Ref, f.Server)
	if !decide(t, spec.Is(agrees)) {
		return nil
	}
	b := m.NewBreach(&StateMachineSafety.Rule, f.Server)
	b.Message = sprintf("server %s applied an entry at index %d whose contents differ from what server %s applied there",
		m.Name(f.Server), f.Index, m.Name(by))
	m.Because(b, earlier, by, sprintf("applies index %d, with other contents", f.Index))
	b.Fields = []spec.Field{spec.FieldEntryIndex, spec.FieldEntryHash}
	return m.Finish(b, sprintf("applies index %d", f.Index))
}
