package mapping

import (
	"fmt"
	"strings"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// Describe says in one line of text what became of a line, as inline tests want it:
//
//	n1 BecomeLeader after.currentTerm=3 after.role=Leader
//	ignored: configuration
//	unrecognised
//	sentinel
func Describe(a *spec.Action, o adapters.Outcome, g *spec.Groups) string {
	switch {
	case o.Warn == adapters.ImplementationAlarm:
		return "sentinel"
	case o.Verdict == adapters.Ignored:
		return "ignored: " + o.Why
	case o.Verdict == adapters.Unrecognised:
		return "unrecognised"
	case o.Verdict == adapters.Damaged:
		return "damaged: " + o.Why
	}
	group := g.List[a.Group]
	var b strings.Builder
	if group.Name != "" {
		fmt.Fprintf(&b, "[%s] ", group.Name)
	}
	fmt.Fprintf(&b, "%s %s", group.NameOf(a.Server), a.Name())
	if a.Peer != spec.Nil {
		fmt.Fprintf(&b, " peer=%s", group.NameOf(a.Peer))
	}
	if a.Index > 0 {
		fmt.Fprintf(&b, " index=%d", a.Index)
	}
	if a.Term > 0 {
		fmt.Fprintf(&b, " term=%d", a.Term)
	}
	describeMessage(&b, &a.Message, group)
	describeState(&b, "before", &a.Before, group)
	describeState(&b, "after", &a.After, group)
	if a.Flags&spec.Durable != 0 {
		b.WriteString(" durable")
	}
	for _, e := range a.Entries {
		fmt.Fprintf(&b, " entry=%d", e.Index)
		if e.Term > 0 {
			fmt.Fprintf(&b, "@%d", e.Term)
		}
	}
	return b.String()
}

func describeMessage(b *strings.Builder, m *spec.Message, g *spec.Group) {
	if m.Type == spec.NoMessage {
		return
	}
	fmt.Fprintf(b, " from=%s to=%s", g.NameOf(m.From), g.NameOf(m.To))
	for _, f := range []struct {
		bit  spec.MessageFields
		name string
		n    any
	}{
		{spec.MsgTerm, "term", m.Term}, {spec.MsgLogIndex, "logIndex", m.LogIndex}, {spec.MsgLogTerm, "logTerm", m.LogTerm},
		{spec.MsgEntries, "entries", m.Entries}, {spec.MsgLastTerm, "lastTerm", m.LastTerm}, {spec.MsgCommit, "commit", m.Commit},
		{spec.MsgSuccess, "success", m.Success}, {spec.MsgMatch, "match", m.Match},
	} {
		if m.Has&f.bit != 0 {
			fmt.Fprintf(b, " %s=%v", f.name, f.n)
		}
	}
}

func describeState(b *strings.Builder, side string, s *spec.State, g *spec.Group) {
	for _, f := range []struct {
		bit  spec.StateFields
		name string
		v    any
	}{
		{spec.HasRole, "role", s.Role}, {spec.HasTerm, "currentTerm", s.CurrentTerm}, {spec.HasVote, "votedFor", g.NameOf(s.VotedFor)},
		{spec.HasLastIndex, "lastIndex", s.LastIndex}, {spec.HasLastTerm, "lastTerm", s.LastTerm}, {spec.HasCommit, "commitIndex", s.CommitIndex},
		{spec.HasApplied, "appliedIndex", s.AppliedIndex}, {spec.HasSnapshot, "snapshotIndex", s.SnapshotIndex},
		{spec.HasFirstIndex, "firstIndex", s.FirstIndex},
	} {
		if s.Has&f.bit != 0 {
			fmt.Fprintf(b, " %s.%s=%v", side, f.name, f.v)
		}
	}
}

// Run runs an inline test, and says what is different; empty if nothing is.
func (m *Mapping) Run(t Test) (differences []string) {
	groups := &spec.Groups{}
	d := m.Adapter().New(groups)
	if t.File != "" {
		d.(adapters.Introduced).Introduce(t.File, nil)
	}
	var a spec.Action
	for i, line := range t.Lines {
		a.Reset()
		outcome := d.Decode(&ingest.Record{Data: []byte(line)}, &a)
		got := Describe(&a, outcome, groups)
		switch {
		case i >= len(t.Want):
			differences = append(differences, fmt.Sprintf("line %d: nothing is wanted, got %q", i+1, got))
		case t.Want[i] != got:
			differences = append(differences, fmt.Sprintf("line %d: want %q\n        got  %q", i+1, t.Want[i], got))
		}
	}
	if len(t.Want) > len(t.Lines) {
		differences = append(differences, fmt.Sprintf("%d lines and %d wants", len(t.Lines), len(t.Want)))
	}
	return differences
}
