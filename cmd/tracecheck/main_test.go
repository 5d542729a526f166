package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

var update = flag.Bool("update", false, "rewrite want.txt and the generated pages")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tracecheck": main})
}

// TestScripts runs the command line as a user does.
func TestScripts(t *testing.T) {
	samples, err := filepath.Abs("../../samples")
	require.NoError(t, err)
	trace, err := os.ReadFile(filepath.Join(samples, "etcd-raft/replication/trace.ndjson"))
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Setenv("SAMPLES", samples)
			for name, data := range disfigured(trace) {
				if err := os.WriteFile(filepath.Join(e.WorkDir, name), data, 0o644); err != nil {
					return err
				}
			}
			return perServer(samples, e.WorkDir)
		},
	})
}

// exits runs a program and demands its exit status: exits 3 tracecheck check x.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status program [argument ...]")
	}
	code := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit status %d instead of %s", code, args[0])
	}
}

// disfigured returns a trace in the shapes in which files reach us, by name.
func disfigured(trace []byte) map[string][]byte {
	first, rest, _ := bytes.Cut(trace, []byte("\n"))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(trace) // into memory
	_ = z.Close()
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	nl := []byte("\n")
	return map[string][]byte{
		"packed.ndjson":       packed.Bytes(),
		"packed-cut.ndjson":   packed.Bytes()[:packed.Len()/2],
		"crlf.ndjson":         join([]byte("\xef\xbb\xbf"), bytes.ReplaceAll(trace, nl, []byte("\r\n"))),
		"unterminated.ndjson": bytes.TrimSuffix(trace, nl),
		"cut.ndjson":          trace[:len(trace)-100],
		"binary.ndjson":       join(bytes.Replace(first, []byte(`"msg":"trace"`), []byte("\"msg\":\"tr\xffce\""), 1), nl, rest),
		"garbage.ndjson":      join(first, nl, []byte("\x00\x01\x7fELF\xfe"), nl, []byte("{\x00\xff"), nl, rest),
		"twice.ndjson":        join(first, nl, first, nl, rest),
	}
}

// tracecheck runs the program in this process. How fast it was is left out of
// what it printed.
func tracecheck(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs)
	kept := []string{}
	for line := range strings.Lines(errs.String()) {
		if !strings.HasPrefix(line, "  speed ") {
			kept = append(kept, line)
		}
	}
	return out.String(), strings.Join(kept, ""), code
}

// compare compares a text with a file, or rewrites the file.
func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "run `make golden docs` and read the difference")
}

// TestEveryRuleIsDocumented: every rule says what it demands, where that stands
// and what a trace has to show for it.
func TestEveryRuleIsDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range allRules() {
		require.NotEmpty(t, r.Statement, r.ID)
		require.False(t, strings.HasSuffix(r.Statement, "."), r.ID)
		require.Regexp(t, `^[VLCSMPKDIQ]\d\d$`, r.ID)
		require.Regexp(t, `^[a-z]+(-[a-z]+)*$`, r.Name)
		require.False(t, seen[r.ID] || seen[r.Name], "%s %s stands twice", r.ID, r.Name)
		seen[r.ID], seen[r.Name] = true, true
		if !r.Quality() {
			require.NotEmpty(t, r.Cite, r.ID)
			require.NotZero(t, r.Needs, r.ID)
		}
	}
}

// TestEveryCommandHasExamples: two at least, each of the command itself.
func TestEveryCommandHasExamples(t *testing.T) {
	for _, c := range newRoot().Commands() {
		lines := strings.Split(c.Example, "\n")
		require.GreaterOrEqual(t, len(lines), 2, c.Name())
		for _, line := range lines {
			require.Contains(t, line, c.Name())
		}
	}
}

// TestInterrupt: an interrupt ends the reading although the log is silent, and
// what was found so far is told.
func TestInterrupt(t *testing.T) {
	data, err := os.ReadFile("../../samples/etcd-raft/replication/trace.ndjson")
	require.NoError(t, err)
	silent, log := io.Pipe()
	go func() {
		_, _ = log.Write(data) // returns when the program has taken it
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
	}()
	var out, errs bytes.Buffer
	code := run([]string{"check", "-o", "json", "-"}, silent, &out, &errs)
	require.Equal(t, 130, code)
	require.Contains(t, errs.String(), "interrupted: what follows is about the lines read so far")
	require.Contains(t, out.String(), `"incomplete": "interrupted"`)
}

// TestBugOfOurs: a panic is told with the line that was being checked.
func TestBugOfOurs(t *testing.T) {
	defer func(before []*adapters.Adapter) { sources = before }(sources)
	sources = append(sources, &adapters.Adapter{
		Name: "broken", Sniff: func([][]byte) int { return 0 },
		New: func(*spec.Groups) adapters.Decoder { return brokenDecoder{} },
	})
	_, errs, code := tracecheck(t, "check", "-a", "broken", "../../samples/etcd-raft/replication/trace.ndjson")
	require.Equal(t, 5, code)
	require.Contains(t, errs, "a bug of tracecheck itself at ../../samples/etcd-raft/replication/trace.ndjson:1: oh\n")
	require.Contains(t, errs, "please report it")
	require.Contains(t, errs, "brokenDecoder")
}

type brokenDecoder struct{ adapters.Decoder }

func (brokenDecoder) Decode(*ingest.Record, *spec.Action) adapters.Outcome { panic("oh") }

func TestSuggest(t *testing.T) {
	known := []string{"V01", "one-vote-per-term", "json", "ndjson"}
	require.Equal(t, ` (did you mean "V01"?)`, suggest("v1", known))
	require.Equal(t, ` (did you mean "ndjson"?)`, suggest("ndjso", known))
	require.Equal(t, ` (did you mean "one-vote-per-term"?)`, suggest("one-vote-per-tern", known))
	require.Equal(t, "", suggest("snapshot", known))
}
