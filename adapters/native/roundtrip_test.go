package native

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// TestRoundTrip: any action that is written and read again is the same action,
// in a group with the same name, profile, facts, servers and configurations.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := drawGroups(t)
		var out bytes.Buffer
		e := NewEncoder(&out, groups)
		again := &spec.Groups{}
		d := Adapter.New(again)
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			g := groups.List[rapid.IntRange(0, len(groups.List)-1).Draw(t, "group")]
			if rapid.Bool().Draw(t, "changes") {
				g.Shows ^= spec.ShowsVote // as an adapter that learns of it on the way
			}
			a := drawAction(t, g)
			out.Reset()
			require.NoError(t, e.Encode(&a))
			line := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
			require.NotContains(t, string(line), "\n")

			var b spec.Action
			require.Equal(t, adapters.Outcome{}, d.Decode(&ingest.Record{Data: line}, &b), "%s", line)
			h := again.List[b.Group]
			require.Equal(t, [3]any{g.Name, g.Profile, g.Shows}, [3]any{h.Name, h.Profile, h.Shows}, "%s", line)
			require.Equal(t, named(g, a), named(h, b), "%s", line)
		}
	})
}

// named is an action in words: two groups number their servers and
// configurations as they meet them.
func named(g *spec.Group, a spec.Action) string {
	names := func(s spec.Set) (names []string) {
		for _, id := range s.Members() {
			names = append(names, g.NameOf(id))
		}
		return names
	}
	config := func(id spec.ConfigID) string {
		c := g.ConfigOf(id)
		if c == nil {
			return "unknown"
		}
		text := ""
		for _, q := range c.Quorums {
			text += fmt.Sprintf("%q", sorted(names(q)))
		}
		return text + fmt.Sprintf(" learners %q", sorted(names(c.Learners)))
	}
	text := fmt.Sprintln(config(a.Before.Config), config(a.After.Config), g.NameOf(a.Before.VotedFor), g.NameOf(a.After.VotedFor),
		g.NameOf(a.Server), g.NameOf(a.Peer), g.NameOf(a.Message.From), g.NameOf(a.Message.To))
	entries := a.Entries
	a.Entries = nil
	for _, e := range entries {
		text += fmt.Sprintln("entry", config(e.Config))
		e.Config = 0
		text += fmt.Sprintf("%+v\n", e)
	}
	a.Group, a.Server, a.Peer, a.Message.From, a.Message.To = 0, 0, 0, 0, 0
	a.Before.VotedFor, a.After.VotedFor, a.Before.Config, a.After.Config = 0, 0, 0, 0
	return text + fmt.Sprintf("%+v", a)
}

// TestNotes: what a line without an action says is kept with its reason.
func TestNotes(t *testing.T) {
	var out bytes.Buffer
	e := NewEncoder(&out, &spec.Groups{})
	require.NoError(t, e.Skip("driver command"))
	require.NoError(t, e.Damaged("not valid JSON"))
	require.NoError(t, e.Unrecognised("unknown event"))
	require.Equal(t, `{"tracecheck":1,"skip":"driver command"}
{"damaged":"not valid JSON"}
{"unrecognised":"unknown event"}
`, out.String())

	groups := &spec.Groups{}
	require.Equal(t, []adapters.Outcome{
		{Verdict: adapters.Ignored, Why: "driver command"},
		{Verdict: adapters.Damaged, Why: "not valid JSON"},
		{Verdict: adapters.Unrecognised, Why: "unknown event"},
	}, outcomes(groups, bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))...))
	require.Empty(t, groups.List, "a note makes no group")
}

func TestHeaderOfEachGroup(t *testing.T) {
	groups := &spec.Groups{}
	var out bytes.Buffer
	e := NewEncoder(&out, groups)
	for _, name := range []string{"a", "b", "a"} {
		g := groups.Get(name, Presets["etcd-raft"], spec.ShowsTerm)
		a := spec.Action{Kind: spec.Stop, Group: g.Index, Server: g.Server([]byte("1"))}
		require.NoError(t, e.Encode(&a))
	}
	require.Equal(t, `{"tracecheck":1,"profile":"etcd-raft","shows":["terms"],"group":"a","action":"Stop","server":"1"}
{"tracecheck":1,"profile":"etcd-raft","shows":["terms"],"group":"b","action":"Stop","server":"1"}
{"group":"a","action":"Stop","server":"1"}
`, out.String())
}

// outcomes decodes lines and returns what became of each.
func outcomes(groups *spec.Groups, lines ...[]byte) (all []adapters.Outcome) {
	d := Adapter.New(groups)
	for _, line := range lines {
		var a spec.Action
		all = append(all, d.Decode(&ingest.Record{Data: line}, &a))
	}
	return all
}
