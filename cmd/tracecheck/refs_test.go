package main

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/spec"
)

// TestRefs: positions rise in the merged order and lead back to the line.
func TestRefs(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for _, files := range []int{1, 2, 3, 8, 300} {
		r := newRefs(files)
		lines := make([]uint64, files)
		last := spec.Ref(0)
		for range 1000 {
			file := draw.IntN(files)
			lines[file]++
			ref := r.next(file, lines[file])
			require.Greater(t, ref, last)
			gotFile, gotLine := r.split(ref)
			require.Equal(t, file, gotFile)
			require.Equal(t, lines[file], gotLine)
			last = ref
		}
	}
	r := newRefs(3)
	r.turns = 1<<(64-refLine-2) - 1
	for range 3 {
		r.next(2, 7)
		file, line := r.split(r.next(1, 5))
		require.Equal(t, 1, file)
		require.EqualValues(t, 5, line)
	}
}
