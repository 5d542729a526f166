package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/spec"
)

// TestTail: what a writer does to its log, step by step; each step happens when all of the one before was read. Nothing is
// lost, and no two lines become one.
func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node.log")
	var writer *os.File
	create := func() {
		var err error
		writer, err = os.Create(path)
		require.NoError(t, err)
	}
	write := func(text string) {
		_, err := writer.WriteString(text)
		require.NoError(t, err)
	}
	create()
	write("a\nb\n")
	steps := []func(){
		func() { write("c\n") },
		func() { write("half a ") },
		func() { write("line\n") },
		func() { // renamed; the writer has not noticed yet
			require.NoError(t, os.Rename(path, path+".1"))
			require.NoError(t, os.WriteFile(path, nil, 0o644))
			write("late\n")
		},
		func() { create(); write("new file\n") },
		func() { // renamed without a new file for a while
			write("cut")
			require.NoError(t, os.Rename(path, path+".1"))
		},
		func() { create(); write("after cut\n") },
		func() { // copied and truncated
			require.NoError(t, os.Truncate(path, 0))
			_, err := writer.Seek(0, 0)
			require.NoError(t, err)
			write("x\n")
		},
		func() { write("end\n") },
	}
	tail, err := NewTail(path, nil)
	require.NoError(t, err)
	waits := 0
	tail.wait = func() bool { // nothing is left to read
		if waits++; waits%2 == 1 { // a look in vain
			return true
		}
		if len(steps) == 0 {
			return false
		}
		steps[0]()
		steps = steps[1:]
		return true
	}
	src, err := NewReader(tail, path, 0)
	require.NoError(t, err)
	var got []string
	var rec Record
	for src.Next(&rec) {
		got = append(got, string(rec.Data))
	}
	require.NoError(t, src.Err())
	require.Equal(t, []string{"a", "b", "c", "half a line", "late", "new file", "cut", "after cut", "x", "end"}, got)
	require.Zero(t, tail.Behind())
	require.NoError(t, tail.Close())
	_, err = NewTail(filepath.Join(t.TempDir(), "none"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestTailOfMany: every line of a log that is rotated again and again while it is read is delivered once and in order.
func TestTailOfMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node.log")
	const rounds, each = 50, 200
	round := 0
	write := func() {
		var b strings.Builder
		for i := range each {
			fmt.Fprintf(&b, "%d\n", round*each+i)
		}
		if round > 0 {
			require.NoError(t, os.Rename(path, fmt.Sprintf("%s.%d", path, round)))
		}
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
		round++
	}
	write()
	tail, err := NewTail(path, nil)
	require.NoError(t, err)
	defer tail.Close()
	tail.wait = func() bool {
		if round == rounds {
			return false
		}
		write()
		return true
	}
	src, err := NewReader(tail, path, 0)
	require.NoError(t, err)
	var rec Record
	lines := 0
	for src.Next(&rec) {
		require.Equal(t, fmt.Sprint(lines), string(rec.Data))
		lines++
		_, number := SplitRef(spec.Ref(rec.Ref))
		require.EqualValues(t, lines, number)
	}
	require.Equal(t, rounds*each, lines)
}
