package replay

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/spec"
)

// at is a line that shows what the clock of its server says.
func at(a spec.Action, clock uint64) spec.Action {
	a.Seq, a.Flags = clock, spec.ClockSeq
	return a
}

// unsent is the arrival of a message that no line sends, from a server with lines.
func unsent(from, to spec.ID) spec.Action {
	return spec.Action{Kind: spec.Receive, Server: to, Message: spec.Message{
		Type: spec.HeartbeatRequest, From: from, To: to, Term: 1, Has: spec.MsgTerm | spec.MsgCommit,
	}}
}

// TestDamageCastsDoubt: what breaks a rule near lines that are out of order is no
// violation, whichever comes first, and the answer is that nothing can be said.
func TestDamageCastsDoubt(t *testing.T) {
	falls := []spec.Action{at(term(1, 5), 10), at(term(1, 3), 11)}
	late := at(term(2, 1), 4)
	for name, lines := range map[string][]spec.Action{
		"before": {at(term(2, 1), 5), late, falls[0], falls[1]},
		"after":  {at(term(2, 1), 5), falls[0], falls[1], late},
	} {
		c, line := cluster(t, Options{})
		for _, a := range lines {
			line(a)
		}
		s := c.Finish()
		require.Equal(t, Inconclusive, s.Verdict, name)
		require.Zero(t, s.Violations, name)
		require.Equal(t, uint64(1), s.Doubtful, name)
		for _, f := range s.Findings {
			require.True(t, f.Rule.Quality(), "%s: %s", name, f.Message)
		}
	}
}

// TestDoubtIsNear: damage far away changes nothing, and until it is known to be far
// the finding waits.
func TestDoubtIsNear(t *testing.T) {
	c, line := cluster(t, Options{})
	line(at(term(2, 1), 5))
	line(term(1, 5))
	found := line(term(1, 3))
	require.Len(t, found, 1)
	for range near {
		require.True(t, found[0].Waiting)
		line(term(3, 1))
	}
	line(term(3, 1))
	require.False(t, found[0].Waiting)
	line(at(term(2, 1), 4))
	s := c.Finish()
	require.Equal(t, Violation, s.Verdict)
	require.Equal(t, uint64(1), s.Violations)
	require.Zero(t, s.Doubtful)
}

// TestMissingSendDoubtsWhatIsWanting: a message that nobody sent excuses a step
// whose cause is missing, and not one that contradicts itself; and it excuses
// nothing where each missing line would be known.
func TestMissingSendDoubtsWhatIsWanting(t *testing.T) {
	wants := spec.Action{Kind: spec.Observe, Server: 1, After: spec.State{
		Has: spec.HasLastIndex | spec.HasCommit, LastIndex: 3, CommitIndex: 9,
	}}
	for _, counted := range []bool{false, true} {
		c, line := cluster(t, Options{})
		c.groups.List[0].Counted = counted
		line(term(2, 1))
		line(term(3, 5))
		line(wants)
		line(term(3, 3))
		line(unsent(2, 3))
		s := c.Finish()
		require.Equal(t, Violation, s.Verdict)
		require.Equal(t, map[bool]uint64{false: 1, true: 0}[counted], s.Doubtful)
		require.Equal(t, map[bool]uint64{false: 1, true: 2}[counted], s.Violations)
	}
}

// TestMostlyPassedOver: of a trace whose lines are mostly out of order nothing is
// said.
func TestMostlyPassedOver(t *testing.T) {
	c, line := cluster(t, Options{})
	for clock := uint64(100); clock > 50; clock-- {
		line(at(term(1, clock), clock))
	}
	require.Equal(t, Inconclusive, c.Finish().Verdict)
}
