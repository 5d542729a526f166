package main

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLiveFindingsDoNotWait: a finding of a live trace is told although the log falls
// silent right after it and nothing has settled it, and is not told twice when it
// stands. Reading it is what the test waits for.
func TestLiveFindingsDoNotWait(t *testing.T) {
	data, err := os.ReadFile("../../samples/etcd-raft/mutant-double-vote/trace.ndjson")
	require.NoError(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	stdin, log := io.Pipe()
	found, stdout := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run([]string{"check", "-q", "-"}, stdin, stdout, io.Discard)
		stdout.Close()
	}()
	_, err = io.WriteString(log, strings.Join(lines[:51], ""))
	require.NoError(t, err)
	told := bufio.NewScanner(found)
	require.True(t, told.Scan())
	require.Contains(t, told.Text(), "violation V01")
	go func() {
		_, _ = io.WriteString(log, strings.Join(lines[51:], ""))
		log.Close()
	}()
	for told.Scan() {
		require.NotContains(t, told.Text(), "violation V01")
	}
	require.Equal(t, 1, <-ended)
}
