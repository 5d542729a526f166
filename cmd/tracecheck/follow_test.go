package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// running is what a program that is running has written.
type running struct {
	sync.Mutex
	bytes.Buffer
}

func (r *running) Write(p []byte) (int, error) {
	r.Lock()
	defer r.Unlock()
	return r.Buffer.Write(p)
}

func (r *running) text() string {
	r.Lock()
	defer r.Unlock()
	return r.Buffer.String()
}

// scraper asks for metrics at the address that the program has told.
type scraper struct {
	t    *testing.T
	errs *running
}

var metricsAt = regexp.MustCompile(`metrics at (http://\S+)`)

func (s *scraper) scrape() string {
	at := metricsAt.FindStringSubmatch(s.errs.text())
	if at == nil {
		return ""
	}
	answer, err := http.Get(at[1])
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(s.t, err)
	return string(text)
}

// until waits until the metrics have a line that begins so.
func (s *scraper) until(line string) (metrics string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		metrics = s.scrape()
		return strings.Contains(metrics, "\n"+line)
	}, time.Minute, time.Millisecond, "%s", line)
	return metrics
}

// TestFollow: files that grow, are renamed and truncated are read to the last line; findings are told while they are read,
// metrics tell how far it is, and an interrupt ends it with the reports in the order of the files.
func TestFollow(t *testing.T) {
	whole, err := os.ReadFile("../../samples/etcd-raft/mutant-double-vote/trace.ndjson")
	require.NoError(t, err)
	lines := strings.SplitAfter(strings.TrimSuffix(string(whole), "\n"), "\n")
	dir := t.TempDir()
	path, other := filepath.Join(dir, "a.ndjson"), filepath.Join(dir, "b.ndjson")
	healthy, err := os.ReadFile("../../samples/etcd-raft/replication/trace.ndjson")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(other, healthy, 0o644))
	require.NoError(t, os.WriteFile(path, nil, 0o644))

	var out, errs running
	code := make(chan int)
	go func() {
		code <- run([]string{"check", "--follow", "--metrics", "127.0.0.1:0", path, other}, strings.NewReader(""), &out, &errs)
	}()
	s := &scraper{t, &errs}
	read := 0
	write := func(flags, count int) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flags, 0o644)
		require.NoError(t, err)
		_, err = f.WriteString(strings.Join(lines[read:read+count], ""))
		require.NoError(t, err)
		require.NoError(t, f.Close())
		read += count
		s.until(fmt.Sprintf(`tracecheck_lines_total{trace=%q,verdict="checked"} %d`, path, read))
	}
	write(os.O_APPEND, 20)
	write(os.O_APPEND, 20)
	require.NoError(t, os.Rename(path, path+".1"))
	write(os.O_EXCL, 20)
	require.Eventually(t, func() bool { return strings.Contains(out.text(), "violation V01 ") }, time.Minute, time.Millisecond, "it is told of at once")
	write(os.O_TRUNC, 1)
	write(os.O_APPEND, len(lines)-read-1)
	last := s.until(fmt.Sprintf(`tracecheck_violations_waiting{rule="V01",trace=%q} `, path))
	for _, want := range []string{
		fmt.Sprintf(`tracecheck_lag_bytes{trace=%q} 0`, path),
		fmt.Sprintf(`tracecheck_violations_total{rule="I08",trace=%q} `, path),
		fmt.Sprintf(`tracecheck_term{group="",server="2",trace=%q} 4`, path),
		fmt.Sprintf(`tracecheck_commit_index{group="",server="1",trace=%q} 3`, other),
		fmt.Sprintf(`tracecheck_groups{trace=%q} 1`, other),
		fmt.Sprintf(`tracecheck_lines_total{trace=%q,verdict="damaged"} 0`, path),
	} {
		require.Contains(t, last, want)
	}

	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
	require.Equal(t, 130, <-code)
	text := errs.text()
	first, second := strings.Index(text, "violation: "+path), strings.Index(text, "conforms: "+other)
	require.True(t, first > 0 && second > first, "%s", text)
	require.Contains(t, text, fmt.Sprintf("%d read = %d checked", read, read))
}

// TestFollowWhat: only files of lines are followed.
func TestFollowWhat(t *testing.T) {
	for args, want := range map[string]string{
		"-":         "--follow is for files; - is followed as it is, or with its own option",
		t.TempDir(): "the folder holds no files",
		"/dev/null": "--follow: /dev/null is not a file",
		"none.log":  "no such file",
	} {
		_, errs, code := tracecheck(t, "check", "--follow", args)
		require.Contains(t, []int{2, 3}, code, args)
		require.Contains(t, errs, want)
	}
	_, errs, code := tracecheck(t, "check", "--metrics", "nowhere:1:2", "../../samples/etcd-raft/replication/trace.ndjson")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "--metrics: ")
}

// TestGroups: only the groups that are asked for are checked, and all lines are counted.
func TestGroups(t *testing.T) {
	line := func(group, server string, term int) string {
		return fmt.Sprintf(`{"action":"BecomeLeader","group":%q,"server":%q,"after":{"role":"Leader","currentTerm":%d}}`+"\n", group, server, term)
	}
	path := filepath.Join(t.TempDir(), "t.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(`{"tracecheck":1}`+"\n"+line("a", "1", 2)+line("b", "1", 2)+line("b", "2", 2)), 0o644))
	out, errs, code := tracecheck(t, "check", path)
	require.Equal(t, 1, code, out+errs)
	out, errs, code = tracecheck(t, "check", "--group", "b", path)
	require.Equal(t, 1, code, out+errs)
	require.Contains(t, errs, "1 ignored: of a group that is not asked for")
	out, errs, code = tracecheck(t, "check", "--group", "a", path)
	require.NotEqual(t, 1, code, out+errs)
	require.Contains(t, errs, "2 ignored: of a group that is not asked for")
	_, errs, code = tracecheck(t, "check", "--group", "c", path)
	require.Equal(t, 4, code, errs)
}
