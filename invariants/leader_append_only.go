package invariants

import "github.com/tracecheck/tracecheck/spec"

// LeaderAppendOnly: a leader never overwrites or deletes entries of its log.
var LeaderAppendOnly = &Invariant{
	Rule: spec.Rule{
		ID: "I02", Name: "leader-append-only",
		Statement: "a leader never overwrites or deletes entries in its log; it only appends",
		Formula:   "∀ i ∈ Server: state[i] = Leader ∧ state'[i] = Leader ∧ currentTerm'[i] = currentTerm[i] ⇒ log[i] is a prefix of log'[i]",
		Doc:       "Followers copy the leader's log as it grows. A leader that has stepped down may be made to truncate.",
		Breaks:    "a leads term 5, its log ends at 5@5; its log ends at 3@1, or 4 is written again",
		Allowed:   "a leads term 5; b becomes leader of term 6; a becomes follower and replaces 4@5 by 4@6",
		Causes:    "entries of another leader accepted without stepping down, a failed write rolled back while leading, a snapshot installed by a leader",
		Cite:      "Raft §5.3, Figure 3",
		Needs:     spec.ShowsLastIndex | spec.ShowsRole,
		Faults:    "F39",
	},
	Facts: []spec.FactKind{spec.LogMoved},
	New:   func() Check { return &leaderAppendOnly{} },
}

type leaderAppendOnly struct{}

func (*leaderAppendOnly) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	truth := m.Lineage.Same(f.OldTip, f.Tip, f.OldTip.Index)
	if !decide(t, truth) {
		return nil
	}
	b := m.NewBreach(&LeaderAppendOnly.Rule, f.Server)
	b.Message = sprintf("server %s changed its log from %s to %s while it was leader of term %d",
		m.Name(f.Server), m.TipText(f.OldTip), m.TipText(f.Tip), f.Term)
	m.BecauseLeader(b, f.Term)
	b.Fields = []spec.Field{spec.FieldRole, spec.FieldLastIndex, spec.FieldEntryIndex}
	b.Allowed = sprintf("a log that still holds %s", m.TipText(f.OldTip))
	return m.Finish(b, sprintf("its log ends at %s", m.TipText(f.Tip)))
}
