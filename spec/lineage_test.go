package spec

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestLineageAgainstLogs grows a few logs as Raft would, keeps each of them as a
// plain list of terms as well, and asks both the same questions.
func TestLineageAgainstLogs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := NewLineage()
		logs := make([][]uint64, 3) // by server: the terms of its entries
		tips := make([]Tip, 3)
		term := uint64(0)
		for range rapid.IntRange(1, 12).Draw(t, "terms") {
			// A new leader appends to its own log; others take its log up to some
			// point. Nobody else ever appends in that term.
			term += uint64(rapid.IntRange(1, 3).Draw(t, "step"))
			leader := rapid.IntRange(0, 2).Draw(t, "leader")
			_, agrees := l.Lead(term, ID(leader+1), tips[leader], true, 1)
			require.True(t, agrees)
			for range rapid.IntRange(0, 4).Draw(t, "entries") {
				tips[leader], agrees = l.Extend(tips[leader], term, 1)
				require.True(t, agrees)
				logs[leader] = append(logs[leader], term)
			}
			follower := rapid.IntRange(0, 2).Draw(t, "follower")
			upTo := rapid.IntRange(0, len(logs[leader])).Draw(t, "upTo")
			at, known := l.Branch(l.Find(term), uint64(upTo))
			if follower != leader && known {
				tips[follower], logs[follower] = at, append([]uint64{}, logs[leader][:upTo]...)
			}
		}
		for i := range logs {
			require.Equal(t, uint64(len(logs[i])), tips[i].Index)
			for n := range logs[i] {
				require.Equal(t, Holds, l.HasTerm(tips[i], uint64(n+1), logs[i][n]))
			}
			require.Equal(t, Fails, l.HasTerm(tips[i], uint64(len(logs[i])+1), term))
			for j := range logs {
				common := 0
				for common < min(len(logs[i]), len(logs[j])) && logs[i][common] == logs[j][common] {
					common++
				}
				got, known := l.Common(tips[i], tips[j])
				require.True(t, known)
				require.Equal(t, uint64(common), got.Index)
				for n := 1; n <= min(len(logs[i]), len(logs[j])); n++ {
					require.Equal(t, Is(n <= common), l.Same(tips[i], tips[j], uint64(n)))
				}
			}
		}
	})
}

// TestLineageSaysUnknown: what no line has shown is not known, and not guessed.
func TestLineageSaysUnknown(t *testing.T) {
	l := NewLineage()
	run, agrees := l.Lead(8, 1, Tip{}, false, 1) // its leader is known, its log is not
	require.True(t, agrees)
	_, known := l.Branch(run, 9)
	require.False(t, known)
	seen, agrees := l.Saw(12, 8, 2)
	require.True(t, agrees)
	require.Equal(t, Holds, l.HasTerm(seen, 12, 8))
	require.Equal(t, Unknown, l.HasTerm(seen, 11, 8))
	require.Equal(t, Unknown, l.Same(seen, Tip{Index: 12}, 12))
}

// TestLineageDiverges: an entry of a term that follows another entry than it
// does elsewhere is the breach of Log Matching.
func TestLineageDiverges(t *testing.T) {
	l := NewLineage()
	a, _ := l.Extend(Tip{}, 1, 1)
	b, _ := l.Extend(a, 2, 2)
	_, agrees := l.Extend(a, 3, 3)
	require.True(t, agrees)
	_, agrees = l.Extend(b, 3, 4)
	require.False(t, agrees)
}

func TestTruth(t *testing.T) {
	require.Equal(t, Fails, Unknown.And(Fails))
	require.Equal(t, Unknown, Holds.And(Unknown))
	require.Equal(t, Holds, Unknown.Or(Holds))
	require.Equal(t, Unknown, Fails.Or(Unknown))
}

// TestSet crosses the border of what is held inline.
func TestSet(t *testing.T) {
	s := SetOf(1, 63, 64, 200)
	require.Equal(t, []ID{1, 63, 64, 200}, s.Members())
	u := s
	u.Remove(64)
	require.True(t, s.Has(64))
	require.False(t, u.Has(64))
	require.Equal(t, 3, s.Both(u))
	require.False(t, s.Equal(u))
}
