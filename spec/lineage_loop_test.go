package spec

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLineageThatContradictsItself: runs that follow each other in a ring, as the
// lines of a broken server may claim, end a walk instead of making it endless.
func TestLineageThatContradictsItself(t *testing.T) {
	l := NewLineage()
	a, b := l.Open(3), l.Open(5)
	l.runs[a].root(Tip{7, b}, 1)
	l.runs[b].root(Tip{7, a}, 1)
	at, known := l.At(Tip{7, a}, 4)
	require.False(t, known)
	require.Equal(t, uint64(4), at.Index)
	_, known = l.Common(Tip{4, a}, Tip{7, b})
	require.False(t, known)
	require.Equal(t, Unknown, l.Same(Tip{7, a}, Tip{7, b}, 5))
}
