package spec_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/spec"
)

var update = flag.Bool("update", false, "write the tables of docs/model.md anew")

// extensions are explorations beyond raft.tla's letter, in which the invariants
// hold all the same. TLC's counts say nothing about them.
var extensions = []struct {
	what   string
	bound  string
	change func(v *spec.Variant)
}{
	{"a candidate votes for itself at once", "h2", func(v *spec.Variant) { v.Profile.SelfVoteOnTimeout = true }},
	{"a candidate votes for itself at once", "b2", func(v *spec.Variant) { v.Profile.SelfVoteOnTimeout = true }},
	{"matchIndex never falls within a leadership", "b2", func(v *spec.Variant) { v.Profile.MatchAsLastSaid = false }},
	{"terms begin with 0", "b2", func(v *spec.Variant) { v.StartTerm = 0 }},
	{"up to two entries in one message", "h2", func(v *spec.Variant) { v.Batch = 2 }},
	{"a joint configuration: {a, b} and {b, c}", "g3", func(v *spec.Variant) {
		v.Quorums = []spec.Set{spec.SetOf(1, 2), spec.SetOf(2, 3)}
	}},
	{"all of these but the joint configuration", "h2", func(v *spec.Variant) {
		v.Profile = spec.Profile{SelfVoteOnTimeout: true}
		v.StartTerm, v.Batch = 0, 2
	}},
}

// ownBounds are bounds for which TLC has no count: small ones with two elections.
var ownBounds = []spec.Bound{
	{Name: "k3", Servers: 3, Values: 1, MaxTerm: 3, MaxLog: 1, MaxMsgs: 1, MaxCopy: 1},
	{Name: "n3", Servers: 3, Values: 1, MaxTerm: 3, MaxLog: 1, MaxMsgs: 1, MaxCopy: 1, Faults: true},
	{Name: "m2", Servers: 2, Values: 1, MaxTerm: 3, MaxLog: 1, MaxMsgs: 2, MaxCopy: 1},
}

// three makes the searches of three servers shorter: each candidate has its own
// vote, without a message to itself.
func three(b spec.Bound, v spec.Variant) spec.Variant {
	v.Profile.SelfVoteOnTimeout = v.Profile.SelfVoteOnTimeout || b.Servers == 3 && b.MaxTerm == 3
	return v
}

func boundOf(t *testing.T, name string) spec.Bound {
	for _, b := range bounds {
		if b.Name == name {
			return b.Bound
		}
	}
	for _, b := range ownBounds {
		if b.Name == name {
			return b
		}
	}
	t.Fatalf("no bound is called %s", name)
	return spec.Bound{}
}

// TestExtensions explores each extension and writes or compares its table.
func TestExtensions(t *testing.T) {
	var b strings.Builder
	b.WriteString("| change | bound | distinct states | states generated | depth | breach |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, e := range extensions {
		v := spec.Letter
		e.change(&v)
		o := explore(boundOf(t, e.bound), v, 0)
		require.Empty(t, o.Breach, "%s: after %s", e.what, o.Step)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | none |\n", e.what, e.bound, number(o.Distinct), number(o.Generated), o.Depth)
	}
	compareTable(t, "extensions", b.String())
}

// teeth are the guards that an exploration leaves out one at a time, the bound
// at which that is looked at in every run, and the rule that is broken there;
// empty where nothing is.
var teeth = []struct {
	bound  string
	breach string
	drops  []spec.Dropped
	why    string
}{
	{"m2", "", []spec.Dropped{{Step: "Timeout", Rule: "role-graph"}}, "a leader that campaigns anew enters a new term like any other"},
	{"a2", "vote-once", []spec.Dropped{{Step: "Timeout", Rule: "term-increments-per-election"}}, ""},
	{"m2", "", []spec.Dropped{{Step: "RequestVote", Rule: "vote-request-from-candidate"}}, "only a candidate becomes leader, and its Timeout has cleared older votes"},
	{"k3", "leader-completeness", []spec.Dropped{{Step: "RequestVote", Rule: "candidate-offers-own-log"}}, ""},
	{"m2", "", []spec.Dropped{{Step: "HandleRequestVoteRequest", Rule: "request-term-not-stale"}}, "the vote counts in the voter's own term, where it is the only one"},
	{"a2", "vote-once", []spec.Dropped{{Step: "HandleRequestVoteRequest", Rule: "one-vote-per-term"}}, ""},
	{"k3", "leader-completeness", []spec.Dropped{{Step: "HandleRequestVoteRequest", Rule: "up-to-date"}}, ""},
	{"a2", "log-matching", []spec.Dropped{{Step: "BecomeLeader", Rule: "role-graph"}}, ""},
	{"a2", "election-safety", []spec.Dropped{{Step: "BecomeLeader", Rule: "election-quorum"}}, ""},
	{"a2", "log-matching", []spec.Dropped{{Step: "ClientRequest", Rule: "entry-origin"}}, ""},
	{"k3", "log-matching", []spec.Dropped{{Step: "ClientRequest", Rule: "leader-entry-term"}}, ""},
	{"a2", "election-safety", []spec.Dropped{{Step: "AppendEntries", Rule: "append-from-leader"}}, ""},
	{"k3", "", []spec.Dropped{{Step: "AppendEntries", Rule: "sends-own-commit"}}, "not within this bound, where a follower that holds the entry makes a quorum with its leader"},
	{"k3", "commit-within-log", []spec.Dropped{{Step: "HandleAppendEntriesRequest", Rule: "prev-match"}}, ""},
	{"h2", "commit-within-log", []spec.Dropped{{Step: "Conflict", Rule: "truncate-needs-conflict"}}, ""},
	{"k3", "log-matching", []spec.Dropped{{Step: "NoConflict", Rule: "contiguous"}}, ""},
	{"m2", "", []spec.Dropped{{Step: "HandleAppendEntriesResponse", Rule: "match-within-leader-log"}}, "the other guards imply it here"},
	{"k3", "", []spec.Dropped{{Step: "AdvanceCommitIndex", Rule: "commit-quorum"}}, "leader-commit-current-term asks for a quorum as well"},
	{"k3", "commit-safety", []spec.Dropped{{Step: "AdvanceCommitIndex", Rule: "leader-commit-current-term"}}, ""},
	{"a2", "commit-safety", []spec.Dropped{{Step: "AdvanceCommitIndex", Rule: "commit-quorum"}, {Step: "AdvanceCommitIndex", Rule: "leader-commit-current-term"}}, ""},
	{"k3", "election-safety", []spec.Dropped{{Step: "Receive", Rule: "drop-stale-response"}}, ""},
	{"k3", "commit-within-log", []spec.Dropped{{Step: "Receive", Rule: "refuse-stale-request"}}, ""},
	{"m2", "", []spec.Dropped{{Step: "Receive", Rule: "update-term"}}, "not within this bound"},
	{"b2", "vote-once", []spec.Dropped{{Step: "Restart", Rule: "keeps-vote"}}, ""},
	{"b2", "term-monotonicity", []spec.Dropped{{Step: "Restart", Rule: "keeps-term"}}, ""},
	{"n3", "leader-completeness", []spec.Dropped{{Step: "Restart", Rule: "keeps-log"}}, ""},
}

// TestTeeth: an exploration without a guard that matters finds a breach.
func TestTeeth(t *testing.T) {
	var b strings.Builder
	b.WriteString("| left out | bound | breach | by the step | states until then | depth |\n| --- | --- | --- | --- | --- | --- |\n")
	outcomes := make([]spec.Outcome, len(teeth))
	var wait sync.WaitGroup
	room := make(chan struct{}, 2)
	for i, tooth := range teeth {
		bound := boundOf(t, tooth.bound)
		wait.Go(func() {
			room <- struct{}{}
			v := three(bound, spec.Letter)
			v.Dropped = tooth.drops
			outcomes[i] = explore(bound, v, 0)
			<-room
		})
	}
	wait.Wait()
	for i, tooth := range teeth {
		o := outcomes[i]
		require.Equal(t, tooth.breach, o.Breach, "without %v", tooth.drops)
		var names []string
		for _, d := range tooth.drops {
			names = append(names, d.Step+": "+d.Rule)
		}
		breach, step := o.Breach, o.Step
		if breach == "" {
			breach, step = "none: "+tooth.why, "-"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %d |\n", strings.Join(names, " and "), tooth.bound, breach, step, number(o.Distinct), o.Depth)
	}
	compareTable(t, "teeth", b.String())
}

// number writes 1234567 as 1,234,567.
func number(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// compareTable holds a table against the one of that name in docs/model.md, or
// writes it there.
func compareTable(t *testing.T, name, table string) {
	const page = "../docs/model.md"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, "%s has lost its table %s", page, name)
	was, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s has lost the end of its table %s", page, name)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(before+begin+table+end+after), 0o644))
		return
	}
	require.Equal(t, table, was, "%s is not what the explorer finds; make docs writes it anew", page)
}
