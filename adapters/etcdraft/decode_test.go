package etcdraft

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// TestDecode runs the conversations of testdata: under each `decode` stand lines
// of a trace, and after them what each line becomes. A trace goes on through a
// file until `new` begins another. Lines may leave out what the logger writes
// around an event, as the adapter allows.
func TestDecode(t *testing.T) {
	datadriven.Walk(t, "testdata/decode", func(t *testing.T, path string) {
		var groups *spec.Groups
		var d *decoder
		begin := func() {
			groups = new(spec.Groups)
			d = newDecoder(groups)
		}
		begin()
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			var out strings.Builder
			switch td.Cmd {
			case "new":
				begin()
			case "decode":
				for _, line := range strings.Split(td.Input, "\n") {
					var a spec.Action
					outcome := d.Decode(&ingest.Record{Data: []byte(line)}, &a)
					writeOutcome(&out, groups, &a, outcome)
				}
			case "shows":
				for _, g := range groups.List {
					fmt.Fprintf(&out, "%q:", g.Name)
					for i, name := range spec.FactNames {
						if g.Shows>>i&1 != 0 {
							fmt.Fprintf(&out, " %s,", name)
						}
					}
					out.WriteByte('\n')
				}
			case "spans":
				line := []byte(td.Input)
				for f := range spec.NumFields {
					if start, end := d.Span(line, f); end > start {
						fmt.Fprintf(&out, "%s %s\n", fieldNames[f], line[start:end])
					}
				}
			default:
				td.Fatalf(t, "unknown command %s", td.Cmd)
			}
			return out.String()
		})
	})
}

func writeOutcome(out *strings.Builder, groups *spec.Groups, a *spec.Action, o adapters.Outcome) {
	defer out.WriteByte('\n')
	if o.Verdict != adapters.Checked {
		fmt.Fprintf(out, "%s: %s", [...]string{"checked", "ignored", "unrecognised", "damaged"}[o.Verdict], o.Why)
		return
	}
	g := groups.List[a.Group]
	if g.Name != "" {
		fmt.Fprintf(out, "[%s] ", g.Name)
	}
	fmt.Fprintf(out, "%s: %s", g.NameOf(a.Server), a.Name())
	for i, name := range []string{"tentative", "persisting", "durable", "hands out", "restarted"} {
		if a.Flags>>i&1 != 0 {
			fmt.Fprintf(out, " (%s)", name)
		}
	}
	if a.Index != 0 {
		fmt.Fprintf(out, " index %d", a.Index)
	}
	if a.Term != 0 {
		fmt.Fprintf(out, " term %d", a.Term)
	}
	writeMessage(out, g, &a.Message)
	for _, e := range a.Entries {
		fmt.Fprintf(out, " | entry %d@%d kind %d", e.Index, e.Term, e.Kind)
		if e.HasHash {
			fmt.Fprintf(out, " hash %016x", e.Hash)
		}
	}
	if a.HasHash {
		fmt.Fprintf(out, " | state hash %016x", a.Hash)
	}
	writeState(out, g, "before", &a.Before)
	writeState(out, g, "after", &a.After)
	if o.Warn != nil {
		fmt.Fprintf(out, " | warning %s", o.Warn.Name)
	}
}

func writeState(out *strings.Builder, g *spec.Group, side string, s *spec.State) {
	if s.Has == 0 {
		return
	}
	fmt.Fprintf(out, " | %s", side)
	if s.Has&spec.HasRole != 0 {
		fmt.Fprintf(out, " %s", s.Role)
	}
	if s.Has&spec.HasTerm != 0 {
		fmt.Fprintf(out, " term %d", s.CurrentTerm)
	}
	if s.Has&spec.HasVote != 0 {
		fmt.Fprintf(out, " vote %s", g.NameOf(s.VotedFor))
	}
	if s.Has&spec.HasLastIndex != 0 {
		fmt.Fprintf(out, " log %d", s.LastIndex)
	}
	if s.Has&spec.HasCommit != 0 {
		fmt.Fprintf(out, " commit %d", s.CommitIndex)
	}
	if s.Has&spec.HasConfig != 0 {
		out.WriteString(" config")
		for i, set := range g.ConfigOf(s.Config).Quorums {
			out.WriteString([]string{" ", "+"}[min(i, 1)])
			var names []string
			for _, id := range set.Members() {
				names = append(names, g.NameOf(id))
			}
			out.WriteString("{" + strings.Join(names, " ") + "}")
		}
	}
}

func writeMessage(out *strings.Builder, g *spec.Group, m *spec.Message) {
	if m.Type == spec.NoMessage {
		return
	}
	fmt.Fprintf(out, " %s→%s", g.NameOf(m.From), g.NameOf(m.To))
	for _, f := range []struct {
		bit  spec.MessageFields
		name string
		v    any
	}{
		{spec.MsgTerm, "term", m.Term}, {spec.MsgSuccess, "success", m.Success},
		{spec.MsgLogIndex, "logIndex", m.LogIndex}, {spec.MsgLogTerm, "logTerm", m.LogTerm},
		{spec.MsgEntries, "entries", m.Entries}, {spec.MsgCommit, "commit", m.Commit}, {spec.MsgMatch, "match", m.Match},
	} {
		if m.Has&f.bit != 0 {
			fmt.Fprintf(out, " %s %v", f.name, f.v)
		}
	}
}

var fieldNames = [spec.NumFields]string{
	"action", "server", "peer", "role", "term", "vote", "last index", "last term", "commit", "applied", "config",
	"message term", "message index", "message log term", "message entries", "message commit", "message result",
	"entry index", "entry term", "entry hash", "snapshot index", "snapshot term", "leader match",
}
