package spec_test

import (
	"slices"

	"github.com/tracecheck/tracecheck/invariants"
	"github.com/tracecheck/tracecheck/spec"
)

// How the invariants look at a search that branches. Their memory belongs to one
// history, so each is made anew for one edge or one state and told, as facts,
// everything that the state itself shows; docs/model.md says what that covers.

// judge shows facts to new checks and returns the name of the first rule that
// one of them finds broken.
func judge(m *spec.Machine, facts []spec.Fact, rules ...*invariants.Invariant) string {
	var tally spec.Tally
	for _, inv := range rules {
		check := inv.New()
		for i := range facts {
			if !slices.Contains(inv.Facts, facts[i].Kind) {
				continue
			}
			if b := check.Observe(m, &facts[i], &tally); b != nil {
				return b.Rule.Name
			}
		}
	}
	return ""
}

// judgeEdge is shown every step that is taken, with what it made a fact.
func judgeEdge(m *spec.Machine, before, after *spec.Server) string {
	if len(m.Facts) > 0 {
		r := judge(m, m.Facts, invariants.LeaderAppendOnly, invariants.LogMatching,
			invariants.TermMonotonicity, invariants.CommitSafety)
		if r != "" {
			return r
		}
	}
	if before.VotedFor == after.VotedFor && before.CurrentTerm == after.CurrentTerm {
		return ""
	}
	return judge(m, []spec.Fact{
		{Kind: spec.Voted, Server: before.ID, Term: before.CurrentTerm, Peer: before.VotedFor},
		{Kind: spec.Voted, Server: after.ID, Term: after.CurrentTerm, Peer: after.VotedFor},
	}, invariants.VoteOnce)
}

// judgePoint is shown every distinct state: what is committed, who leads, and
// who has led, since a request under way says so.
func judgePoint(m *spec.Machine, sent []spec.Message) string {
	var room [12]spec.Fact
	facts := room[:0]
	for id := spec.ID(1); m.Server(id) != nil; id++ {
		s := m.Server(id)
		if s.CommitIndex > 0 && s.CommitIndex <= s.Log.Index {
			at, known := m.Lineage.At(s.Log, s.CommitIndex)
			facts = append(facts, spec.Fact{Kind: spec.Committed, Server: id, Term: s.CurrentTerm,
				Tip: at, Index: at.Index, Known: known})
		}
		if s.CommitIndex > s.Log.Index {
			return spec.CommitWithinLog.Name
		}
	}
	for id := spec.ID(1); m.Server(id) != nil; id++ {
		if s := m.Server(id); s.Role == spec.Leader {
			facts = append(facts, spec.Fact{Kind: spec.Elected, Server: id, Term: s.CurrentTerm, Tip: s.Log, Known: true})
		}
	}
	for i := range sent {
		if msg := &sent[i]; msg.Type == spec.AppendEntriesRequest {
			facts = append(facts, spec.Fact{Kind: spec.Elected, Server: msg.From, Term: msg.Term})
		}
	}
	if len(facts) < 2 {
		return "" // these three compare two facts
	}
	return judge(m, facts, invariants.ElectionSafety, invariants.LeaderCompleteness, invariants.StateMachineSafety)
}
