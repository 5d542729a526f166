package replay

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/spec"
)

// cluster returns a Checker for three voters, and what a line of one of them is.
func cluster(t *testing.T, o Options) (*Checker, func(spec.Action) []*Finding) {
	t.Helper()
	groups := &spec.Groups{}
	g := groups.Get("", spec.Profile{SelfVoteOnTimeout: true}, ^spec.Facts(0)&^spec.ShowsPersist)
	for _, name := range []string{"a", "b", "c"} {
		g.Server([]byte(name))
	}
	c, ref := New(groups, o), spec.Ref(0)
	return c, func(a spec.Action) []*Finding {
		ref++
		a.Ref = ref
		return c.Step(&a)
	}
}

func term(server spec.ID, term uint64) spec.Action {
	return spec.Action{Kind: spec.Observe, Server: server, After: spec.State{Has: spec.HasTerm, CurrentTerm: term}}
}

// TestAfterIsOfTheServer: a violation is marked as a possible consequence where
// its own server already had one, and not because of another server.
func TestAfterIsOfTheServer(t *testing.T) {
	c, line := cluster(t, Options{})
	for server := spec.ID(1); server <= 2; server++ {
		line(term(server, 5))
		line(term(server, 3))
	}
	line(spec.Action{Kind: spec.Observe, Server: 1, After: spec.State{Has: spec.HasTerm | spec.HasCommit, CurrentTerm: 3, CommitIndex: 9}})
	line(spec.Action{Kind: spec.Observe, Server: 1, After: spec.State{Has: spec.HasCommit, CommitIndex: 4}})
	s := c.Finish()
	require.Len(t, s.Findings, 3)
	require.Equal(t, []bool{false, false, true}, []bool{s.Findings[0].After, s.Findings[1].After, s.Findings[2].After})
}

// TestDamageDoesNotHideViolations: findings about the trace have a limit of
// their own, so that however many there are the first violation is listed.
func TestDamageDoesNotHideViolations(t *testing.T) {
	c, line := cluster(t, Options{MaxFindings: 1})
	require.NotNil(t, c.Quality(&spec.Rule{ID: "Q98"}, 1, "flawed"))
	require.Nil(t, c.Quality(&spec.Rule{ID: "Q99"}, 2, "flawed"))
	line(term(1, 5))
	require.Len(t, line(term(1, 3)), 1)
	s := c.Finish()
	require.Equal(t, Violation, s.Verdict)
	require.Len(t, s.Findings, 2)
	require.Equal(t, uint64(2), s.Quality)
}

// TestNothingIsInconclusive: a trace without a decided rule is never a pass.
func TestNothingIsInconclusive(t *testing.T) {
	c, _ := cluster(t, Options{})
	require.Equal(t, Inconclusive, c.Finish().Verdict)
}
