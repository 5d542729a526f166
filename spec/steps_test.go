package spec

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFollowerSteps takes a request that conflicts through raft.tla's own small
// steps: a candidate returns to follower, removes its conflicting entries one by
// one, and appends the leader's.
func TestFollowerSteps(t *testing.T) {
	groups := &Groups{}
	g := groups.Get("", Profile{}, ^Facts(0))
	g.Server([]byte("a"))
	m := New(g)
	s := m.server(1)
	s.Known, s.Role, s.CurrentTerm = HasRole|HasTerm|HasLastIndex, Candidate, 4
	for _, term := range []uint64{1, 2, 2} {
		m.appendEntry(s, term)
	}
	require.Equal(t, Holds, m.logOk(s.Log, 1, 1))
	require.Equal(t, Fails, m.logOk(s.Log, 2, 3))

	ReturnToFollowerStep.Effect(m, &Step{Server: s})
	require.Equal(t, Follower, s.Role)

	conflict, entry := &Step{Server: s, Index: 2, Term: 3}, &Step{Server: s, Index: 2, Term: 3}
	for range 2 {
		require.Equal(t, Holds, m.Enabled(&ConflictStep, conflict))
		require.Equal(t, Fails, m.Enabled(&NoConflictStep, entry))
		ConflictStep.Effect(m, conflict)
	}
	require.Equal(t, Fails, m.Enabled(&ConflictStep, conflict))
	require.Equal(t, Holds, m.Enabled(&NoConflictStep, entry))
	NoConflictStep.Effect(m, entry)
	require.Equal(t, "2@3", m.tip(s.Log))
}
