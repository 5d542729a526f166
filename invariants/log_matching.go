package invariants

import "github.com/tracecheck/tracecheck/spec"

// LogMatching: an entry is identified by its index and term, and so is
// everything before it. The machine keeps one lineage for all logs, so the
// breach appears exactly when a piece of some log contradicts it, or when two
// lines give one entry different contents.
var LogMatching = &Invariant{
	Rule: spec.Rule{
		ID: "I03", Name: "log-matching",
		Statement: "if two logs hold an entry with the same index and term, they are identical up to and including it",
		Formula:   "∀ i, j ∈ Server, n: log[i][n].term = log[j][n].term ⇒ log[i][1..n] = log[j][1..n]",
		Doc:       "It makes one comparison of a last entry a comparison of whole logs. It is broken where an entry follows another one than it does elsewhere, or has other contents.",
		Breaks:    "a holds 1@1 2@1 3@3; b holds 1@1 2@2 3@3. Or: a's entry 9@6 and b's entry 9@6 differ in contents",
		Allowed:   "a holds 1@1 2@1 3@3; b holds 1@1 2@2",
		Causes:    "entries taken without their predecessor (L01), two leaders of one term (I01), a disk that returns other bytes than were written",
		Cite:      "Raft §5.3, Figure 3",
		Needs:     spec.ShowsLastIndex | spec.ShowsLogTerms,
		Faults:    "F33 F36 F43 F96 F74",
	},
	Facts: []spec.FactKind{spec.Diverged, spec.Content},
	New:   func() Check { return &logMatching{} },
	Held:  (*spec.Machine).LogsMoved,
}

type logMatching struct{}

func (*logMatching) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	switch f.Kind {
	case spec.Diverged:
		t.Broken++
		if f.Earlier != 0 {
			return since(m, f)
		}
		b := m.NewBreach(&LogMatching.Rule, f.Server)
		b.Message = sprintf("the log of server %s contradicts the others: it holds, or says that it holds, %d@%d after an entry that does not precede it elsewhere",
			m.Name(f.Server), f.Index, f.Term)
		m.BecauseLeader(b, f.Term)
		b.Fields = []spec.Field{spec.FieldLastIndex, spec.FieldLastTerm, spec.FieldEntryIndex, spec.FieldEntryTerm}
		return m.Finish(b, sprintf("claims %d@%d", f.Index, f.Term))
	case spec.Content:
		t.Broken++
		b := m.NewBreach(&LogMatching.Rule, f.Server)
		b.Message = sprintf("entry %s of server %s has other contents than the entry of that index and term had before",
			m.TipText(f.Tip), m.Name(f.Server))
		m.Because(b, f.Earlier, f.Peer, "the entry "+m.TipText(f.Tip)+" is shown with other contents")
		b.Fields = []spec.Field{spec.FieldEntryIndex, spec.FieldEntryTerm, spec.FieldEntryHash}
		return m.Finish(b, "shows "+m.TipText(f.Tip))
	}
	return nil
}

// since writes the breach of a log that an earlier line made differ, which shows
// only now.
func since(m *spec.Machine, f *spec.Fact) *spec.Breach {
	b := m.NewBreachAt(f.Earlier, &LogMatching.Rule, f.Server)
	b.Message = sprintf("the log of server %s contradicts the others since this line, as a later one shows: it holds %d@%d, which follows %s elsewhere, and %s it never held",
		m.Name(f.Server), f.Index, f.Term, m.TipText(f.Tip), m.TipText(f.Tip))
	m.BecauseLeader(b, f.Term)
	m.BecauseLog(b, f.Server)
	return m.Finish(b, sprintf("shows that it does not hold %s", m.TipText(f.Tip)))
}
