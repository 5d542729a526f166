package native

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// TestBadLines: what is wrong with a line is said precisely, and only what makes
// it unreadable makes it damaged.
func TestBadLines(t *testing.T) {
	const number = " is not a whole number from 0 to 2^64-1"
	for _, c := range []struct{ line, want string }{
		{`{"action":"Timeout","server":"1","after":{"currentTerm":-1}}`, "damaged: currentTerm" + number},
		{`{"action":"Timeout","server":"1","after":{"currentTerm":1.5}}`, "damaged: currentTerm" + number},
		{`{"action":"Timeout","server":"1","after":{"currentTerm":1e3}}`, "damaged: currentTerm" + number},
		{`{"action":"Timeout","server":"1","after":{"currentTerm":18446744073709551616}}`, "damaged: currentTerm" + number},
		{`{"action":"Timeout","server":"1","after":{"currentTerm":"1"}}`, "damaged: currentTerm" + number},
		{`{"action":"Timeout","server":"1","after":{"currentTerm":null}}`, "damaged: currentTerm" + number},
		{`{"action":"Timeout","server":"1","after":{"role":"leader"}}`, "damaged: role is not Follower, PreCandidate, Candidate or Leader"},
		{`{"action":"Timeout","server":"1","after":{"config":"1"}}`, "damaged: config is not an object"},
		{`{"action":"Timeout","server":"1","after":{"config":{"voters":["1"],"quorums":[["1"]]}}}`, "damaged: config is not either voters or quorums"},
		{`{"action":"Timeout","server":"1","after":{"config":[["1"]]}}`, "damaged: config is not a server's name, a string or a whole number"},
		{`{"action":"Timeout","server":"1","after":7}`, "damaged: after is not an object"},
		{`{"action":"Timeout","server":"1","after":{"votedFor":-1}}`, "damaged: votedFor is not a server's name, a string or a whole number"},
		{`{"action":"Timeout"}`, "damaged: server is not a server's name, a string or a whole number"},
		{`{"action":"Timeout","server":""}`, "damaged: server is not a server's name, a string or a whole number"},
		{`{"action":"Timeout","server":1.0}`, "damaged: server is not a server's name, a string or a whole number"},
		{`{"action":"Timeout","server":"1","flags":["maybe"]}`, "damaged: flags is not a list of tentative, persisting, durable, hands-out, restarted, sparse-seq, clock-seq and lines-lost"},
		{`{"action":"Timeout","server":"1","group":[]}`, "damaged: group is not a string"},
		{`{"action":"Timeout","server":"1","skip":"x"}`, "damaged: a line is not both an action and one of skip, damaged and unrecognised"},
		{`{"action":"Timeout","server":"1","voters":["1"]}`, `damaged: profile, shows or voters is not in a header, a line with "tracecheck":1`},
		{`{"action":"Apply","server":"1","entry":{"index":1,"kind":"what"}}`, "damaged: kind is not command, config, noop or signature"},
		{`{"action":"Apply","server":"1","entry":{"index":1},"entries":[]}`, "damaged: entries is not in one place: the line, or its message"},
		{`{"action":"AppendEntries","server":"1","entries":[{}],"message":{"entries":[{}]}}`, "damaged: entries is not in one place: the line, or its message"},
		{`{"action":"AppendEntries","server":"1","message":{"type":"TimeoutNow"}}`, "damaged: type is not the name of a message that goes with the action"},
		{`{"action":"RespondRequestVote","server":"1","message":{"voteGranted":1}}`, "damaged: voteGranted is not true or false"},
		{`{"tracecheck":2}`, "damaged: tracecheck is not 1, the version of the format that this program reads"},
		{`{"tracecheck":1,"profile":"raftt"}`, "damaged: profile is not the name of one, or an object"},
		{`{"tracecheck":1,"shows":["sends"]}`, "damaged: shows is not a list of kinds of facts that docs/trace-format.md names"},
		{`{"tracecheck":1,"voters":3}`, "damaged: voters is not an object"},
		{`{"action":"Timeout","server":"1"`, "damaged: not valid JSON"},
		{`{"action":"Timeout","server":"1"}{}`, "damaged: not valid JSON"},
		{`{"action":` + strings.Repeat("[", 100_000), "damaged: not valid JSON"},
		{`{"damaged":"cut"}`, "damaged: cut"},

		{`{"action":"Timeuot","server":"1"}`, "unrecognised: unknown action"},
		{`{"action":"Send","server":"1"}`, "unrecognised: unknown action"},
		{`{"server":"1"}`, "unrecognised: no action"},
		{`{"unrecognised":true}`, "unrecognised: unrecognised"},
		{`Timeout`, "unrecognised: not a JSON object"},
		{strings.Repeat("[", 100_000), "unrecognised: not a JSON object"},

		{`{"tracecheck":1}`, "ignored: header"},
		{`{"skip":"driver command"}`, "ignored: driver command"},

		{`{"action":"Timeout","server":"1","aftr":{}}`, "checked, unknown-key"},
		{`{"action":"Timeout","server":"1","after":{"term":2}}`, "checked, unknown-key"},
		{`{"action":"RequestVote","server":"1","message":{"prevLogIndex":2}}`, "checked, unknown-key"},
		{`{"action":"Timeout","server":"1","server":"1"}`, "checked, duplicate-key"},
		{`{"action":"Timeout","server":"1","after":{"currentTerm":1,"currentTerm":1}}`, "checked, duplicate-key"},
		{`{"action":"Apply","server":"1","entry":{"index":1,"index":1}}`, "checked, duplicate-key"},
		{`{"action":"Heartbeat","server":"1","message":{"to":"2","to":"2"}}`, "checked, duplicate-key"},
		{`{"action":"Observe","server":"1","after":{"config":{"quorums":[["1"]],"quorums":[["1"]]}}}`, "checked, duplicate-key"},
		{`{"action":"Timeout","server":9007199254740993}`, "checked, inexact-number"},
		{`{"action":"Timeout","server":9007199254740992}`, "checked"},
		{`{"action":"Timeout","server":"1","_thread":7,"time":"noon","src":"raft.go:7"}`, "checked"},
		{"\t{\"action\" : \"Timeout\" , \"server\" : 1 }  ", "checked"},
	} {
		groups := &spec.Groups{}
		o := outcomes(groups, []byte(c.line))[0]
		got := []string{"checked", "ignored", "unrecognised", "damaged"}[o.Verdict]
		if o.Why != "" {
			got += ": " + o.Why
		}
		if o.Warn != nil {
			got += ", " + o.Warn.Name
		}
		require.Equal(t, c.want, got, "%.100s", c.line)
	}
}

// decodeOne decodes lines and returns the last as an action with its group.
func decodeOne(t *testing.T, lines ...string) (spec.Action, *spec.Group) {
	t.Helper()
	groups := &spec.Groups{}
	d := Adapter.New(groups)
	var a spec.Action
	for _, line := range lines {
		a.Reset()
		o := d.Decode(&ingest.Record{Data: []byte(line)}, &a)
		require.Nil(t, o.Warn, line)
		require.Less(t, o.Verdict, adapters.Unrecognised, "%s: %s", line, o.Why)
	}
	return a, groups.List[a.Group]
}

// TestShortForms: what a line leaves out because it is plain is filled in.
func TestShortForms(t *testing.T) {
	a, g := decodeOne(t, `{"action":"AppendEntries","server":1,"message":{"to":2,"prevLogIndex":7,"entries":[{"term":3},{"term":4}]}}`)
	require.Equal(t, "1", g.NameOf(a.Message.From), "who sends is one end of the message")
	require.Equal(t, uint64(2), a.Message.Entries)
	require.Equal(t, []spec.Entry{{Index: 8, Term: 3}, {Index: 9, Term: 4}}, a.Entries, "entries follow prevLogIndex")

	a, g = decodeOne(t, `{"action":"HandleAppendEntriesResponse","server":"1","message":{"from":"2"}}`)
	require.Equal(t, "1", g.NameOf(a.Message.To))

	a, _ = decodeOne(t, `{"action":"Apply","server":"1","entry":{"index":7,"term":3,"hash":"ff"},"stateHash":"00fe"}`)
	require.Equal(t, [2]uint64{7, 3}, [2]uint64{a.Index, a.Term})
	require.Equal(t, []spec.Entry{{Index: 7, Term: 3, HasHash: true, Hash: 0xff}}, a.Entries)
	require.Equal(t, uint64(0xfe), a.Hash)

	a, _ = decodeOne(t, `{"action":"Observe","server":"1","entry":{"config":["1"]}}`)
	require.Equal(t, spec.Configuration, a.Entries[0].Kind)
}

// TestNames: numbers and strings of the same digits are one server, in any way
// of writing "no vote".
func TestNames(t *testing.T) {
	a, g := decodeOne(t, `{"action":"Observe","server":7,"after":{"votedFor":"7"}}`)
	require.Equal(t, a.Server, a.After.VotedFor)
	require.Equal(t, "7", g.NameOf(a.Server))
	for _, none := range []string{"null", `""`} {
		a, _ = decodeOne(t, `{"action":"Observe","server":"1","after":{"votedFor":`+none+`}}`)
		require.Equal(t, spec.State{Has: spec.HasVote}, a.After)
	}
}

// TestIdentity: a message is one and the same if both ends write the same id.
func TestIdentity(t *testing.T) {
	id := func(text string) uint64 {
		a, _ := decodeOne(t, `{"action":"Heartbeat","server":"1","message":{"id":`+text+`}}`)
		return a.Message.ID
	}
	require.Equal(t, uint64(18446744073709551615), id("18446744073709551615"))
	require.Equal(t, id("42"), id(`"42"`))
	require.Equal(t, id(`"n1:42"`), id(`"n1:42"`))
	require.NotEqual(t, id(`"n1:42"`), id(`"n1:43"`))
}

// TestVoters: the header's configuration is that of each of its voters from the
// first line on and after a restart, until the trace shows another.
func TestVoters(t *testing.T) {
	const header = `{"tracecheck":1,"voters":["1","2","3"]}`
	voters := func(c spec.ConfigID, g *spec.Group) int {
		if c == 0 {
			return 0
		}
		return g.ConfigOf(c).Quorums[0].Len()
	}
	a, g := decodeOne(t, header, `{"action":"Timeout","server":"1"}`)
	require.Equal(t, 3, voters(a.Before.Config, g))
	a, _ = decodeOne(t, header, `{"action":"Timeout","server":"1"}`, `{"action":"Stop","server":"1"}`)
	require.Zero(t, a.Before.Has)
	a, g = decodeOne(t, header, `{"action":"Timeout","server":"1"}`, `{"action":"Restart","server":"1"}`)
	require.Equal(t, 3, voters(a.After.Config, g))
	a, _ = decodeOne(t, header, `{"action":"Timeout","server":"4"}`)
	require.Zero(t, a.Before.Has, "who is no voter learns its configuration elsewhere")
	for _, change := range []string{
		`{"action":"ChangeConfiguration","server":"1"}`,
		`{"action":"Observe","server":"1","after":{"config":["1","2"]}}`,
		`{"action":"ClientRequest","server":"1","entry":{"index":1,"kind":"config"}}`,
	} {
		a, _ = decodeOne(t, header, change, `{"tracecheck":1,"shows":["terms"]}`, `{"action":"Restart","server":"2"}`)
		require.Zero(t, a.After.Has, change)
	}
}

// TestHeaders: a header without a group speaks of every group without its own.
func TestHeaders(t *testing.T) {
	groups := &spec.Groups{}
	for _, o := range outcomes(groups,
		[]byte(`{"action":"Stop","server":"1","group":"early"}`),
		[]byte(`{"tracecheck":1,"profile":"etcd-raft","shows":["terms"]}`),
		[]byte(`{"tracecheck":1,"group":"own","profile":{"name":"paper","bootstrapTerm":1}}`),
		[]byte(`{"tracecheck":1,"profile":"ccf"}`),
		[]byte(`{"action":"Stop","server":"1","group":"own"}`),
		[]byte(`{"action":"Stop","server":"1","group":7}`),
	) {
		require.Less(t, o.Verdict, adapters.Unrecognised)
	}
	var got []string
	for _, g := range groups.List {
		got = append(got, g.Name+": "+g.Profile.Name)
		require.Equal(t, spec.ShowsTerm, g.Shows)
	}
	require.Equal(t, []string{"early: ccf", "own: paper", "7: ccf"}, got)
	require.Equal(t, uint64(1), groups.List[1].Profile.BootstrapTerm)
	require.False(t, groups.List[1].Profile.SelfVoteOnTimeout)

	_, g := decodeOne(t, `{"action":"Stop","server":"1"}`)
	require.Equal(t, Presets["raft"], g.Profile)
	require.Zero(t, g.Shows&(spec.ShowsSends|spec.ShowsReceives|spec.ShowsPersist), "nobody said that nothing is missing")
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		lines string
		want  int
	}{
		{`{"tracecheck":1}`, 100},
		{"started\n" + `{"action":"Timeout","server":"1"}`, 90},
		{`{"action":"Send"}`, 0},
		{`{"name":"Timeout"}`, 0},
		{`{"tracecheck":1`, 0},
	} {
		require.Equal(t, c.want, Adapter.Sniff(bytes.Split([]byte(c.lines), []byte("\n"))), c.lines)
	}
}

// TestSpan: a finding points at the value after the step rather than before it,
// and at the entry wherever it stands.
func TestSpan(t *testing.T) {
	line := []byte(`{"action":"AppendEntries","server":"1","before":{"currentTerm":1},"after":{"currentTerm":2},` +
		`"message":{"to":"2","term":3,"prevLogIndex":4,"entries":[{"index":5,"term":6}]}}`)
	d := Adapter.New(&spec.Groups{})
	for field, want := range map[spec.Field]string{
		spec.FieldAction: `"AppendEntries"`, spec.FieldTerm: "2", spec.FieldPeer: `"2"`, spec.FieldMessageTerm: "3",
		spec.FieldMessageIndex: "4", spec.FieldEntryIndex: "5", spec.FieldEntryTerm: "6", spec.FieldVote: "",
	} {
		start, end := d.Span(line, field)
		require.Equal(t, want, string(line[start:end]))
	}
	for field := range spec.NumFields {
		require.NotEmpty(t, spans[field], "field %d", field)
	}
}

func FuzzDecode(f *testing.F) {
	for _, line := range examples(f) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		groups := &spec.Groups{}
		d := Adapter.New(groups)
		var out bytes.Buffer
		e := NewEncoder(&out, groups)
		for range 2 { // the second reading meets what the first has left behind
			var a spec.Action
			o := d.Decode(&ingest.Record{Data: line}, &a)
			require.LessOrEqual(t, o.Verdict, adapters.Damaged)
			require.Equal(t, o.Verdict == adapters.Checked, o.Why == "")
			if o.Verdict == adapters.Checked {
				require.NoError(t, e.Encode(&a))
			}
		}
		for _, o := range outcomes(&spec.Groups{}, bytes.Split(out.Bytes(), []byte("\n"))...) {
			require.NotEqual(t, adapters.Damaged, o.Verdict, "%s: %s", out.Bytes(), o.Why)
		}
		for field := range spec.NumFields {
			start, end := d.Span(line, field)
			require.True(t, 0 <= start && start <= end && end <= len(line))
		}
	})
}
