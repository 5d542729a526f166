package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSamples checks every samples/<adapter>/<case>/trace* and compares what is
// printed with want.txt beside it.
func TestSamples(t *testing.T) {
	traces, err := filepath.Glob("../../samples/*/*/trace*")
	require.NoError(t, err)
	require.NotEmpty(t, traces)
	for _, trace := range traces {
		dir := filepath.Dir(trace)
		t.Run(strings.TrimPrefix(dir, "../../samples/"), func(t *testing.T) {
			t.Chdir(dir)
			out, summary, code := tracecheck(t, "check", filepath.Base(trace))
			compare(t, "want.txt", fmt.Sprintf("%s%sexit %d\n", out, summary, code))
		})
	}
}

// TestDecodedSamples: what decode prints checks with the same verdict, at the
// same lines and under the same rules.
func TestDecodedSamples(t *testing.T) {
	traces, err := filepath.Glob("../../samples/*/*/trace*")
	require.NoError(t, err)
	for _, trace := range traces {
		if strings.Contains(trace, "/kraft") {
			continue // the native format is Raft's
		}
		t.Run(strings.TrimPrefix(filepath.Dir(trace), "../../samples/"), func(t *testing.T) { sameDecoded(t, trace) })
	}
}

func sameDecoded(t *testing.T, trace string) {
	decoded, _, code := tracecheck(t, "decode", trace)
	require.Zero(t, code)
	path := filepath.Join(t.TempDir(), "trace.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(decoded), 0o644))
	want, _, wantCode := tracecheck(t, "check", "-q", trace)
	got, _, gotCode := tracecheck(t, "check", "-q", "-a", "native", path)
	require.Equal(t, wantCode, gotCode)
	require.Equal(t, headlines(want), headlines(got))
}

// headlines are the first lines and the line numbers of the findings.
func headlines(text string) (lines []string) {
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "violation") {
			lines = append(lines, l)
		} else if strings.HasPrefix(l, "   --> ") {
			lines = append(lines, l[strings.LastIndexByte(l, ':'):])
		}
	}
	return lines
}

// TestSharedTraces checks the real traces that are too many to keep here: the
// healthy ones conform to the last line, and each mutant is found where it shows.
func TestSharedTraces(t *testing.T) {
	const shared = "../../../shared/traces"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared traces are not beside this checkout")
	}
	for _, dir := range []string{"etcd-raft", "ccf", "ccf/raw", "hashicorp-wrapped/*"} {
		traces, err := filepath.Glob(filepath.Join(shared, dir, "*.ndjson*"))
		require.NoError(t, err)
		for _, trace := range traces {
			if strings.Contains(trace, "large") && testing.Short() {
				continue
			}
			t.Run(strings.TrimPrefix(trace, shared+"/"), func(t *testing.T) {
				out, summary, code := tracecheck(t, "check", "--strict", trace)
				require.Zero(t, code, "%s%s", out, summary)
				require.Contains(t, summary, "+ 0 unrecognised + 0 damaged")
				if !strings.Contains(trace, "large") {
					sameDecoded(t, trace)
				}
			})
		}
	}
}

// TestMutants holds the table of the known bugs: the rule of the first finding
// and its line, and the invariants that break with it.
func TestMutants(t *testing.T) {
	for _, c := range []struct {
		name  string
		line  int
		rule  string
		other []string // further findings: "rule:line"
	}{
		{"double-vote", 51, "V01", []string{"I08:52"}},
		{"commit-prev-term", 340, "C02", []string{"I04:590", "I05:636"}},
		{"no-truncate", 252, "L02", []string{"I07:204", "I03:223"}},
		{"stale-log-vote", 98, "V03", []string{"I04:108"}},
		{"commit-past-quorum", 80, "C01", []string{"I07:81"}},
		{"hardstate-lost", 78, "P02", []string{"I06:78"}},
		{"minority-leader", 44, "V07", []string{"I01:54"}},
		{"wrong-prev-term", 429, "L01", []string{"I03:429"}},
		{"apply-differs", 154, "I05", nil},
		{"campaign-same-term", 53, "V05", []string{"I08:59"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, code := tracecheck(t, "check", "-q", "../../samples/etcd-raft/mutant-"+c.name+"/trace.ndjson")
			require.Equal(t, 1, code)
			var got []string
			lines := strings.Split(out, "\n")
			for i, l := range lines {
				if strings.HasPrefix(l, "violation ") {
					at := lines[i+1]
					got = append(got, strings.Fields(l)[1]+at[strings.LastIndexByte(at, ':'):])
				}
			}
			require.Equal(t, fmt.Sprintf("%s:%d", c.rule, c.line), got[0])
			for _, o := range c.other {
				require.Contains(t, got, o)
			}
		})
	}
}

// TestSharedFaults holds what is found in the streams of a hashicorp/raft over a
// faulty storage, and of one over a correct storage that breaks State Machine
// Safety by itself: the first finding and its line.
func TestSharedFaults(t *testing.T) {
	const shared = "../../../shared/traces"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared traces are not beside this checkout")
	}
	for path, first := range map[string]string{
		"hashicorp-faulty/vote-amnesia/wrapped/all.ndjson":              "line 213, P02",
		"hashicorp-faulty/corrupt-entry/wrapped/all.ndjson":             "line 115, I05",
		"hashicorp-realbug/snapshot-stale-suffix/wrapped/all.ndjson.gz": "line 6083, L12",
	} {
		_, summary, code := tracecheck(t, "check", filepath.Join(shared, path))
		require.Equal(t, 1, code)
		require.Contains(t, summary, "first at "+first)
		sameDecoded(t, filepath.Join(shared, path))
	}
}

// TestDisturbedNumbers removes, repeats and moves lines of a healthy trace of
// several servers whose lines are numbered: none of it is taken for a fault.
func TestDisturbedNumbers(t *testing.T) {
	data, err := os.ReadFile("../../samples/hashicorp-wrapped/cluster/trace.ndjson")
	require.NoError(t, err)
	lines := strings.SplitAfter(strings.TrimSpace(string(data))+"\n", "\n")
	lines = lines[:len(lines)-1]
	path := filepath.Join(t.TempDir(), "trace.ndjson")
	const known = 60 // until then the numbers may be those of one server of several
	for i := known; i+1 < len(lines); i += 13 {
		j := min(i+1+i%29, len(lines)-1)
		for how, d := range map[string][][]string{
			"without":   {lines[:i], lines[i+1:]},
			"again":     {lines[:j], lines[i : i+1], lines[j:]},
			"late":      {lines[:i], lines[i+1 : j+1], lines[i : i+1], lines[j+1:]},
			"from":      {lines[i:]},
			"up to":     {lines[:i]},
			"a stretch": {lines[:i], lines[j:]},
		} {
			require.NoError(t, os.WriteFile(path, []byte(strings.Join(slices.Concat(d...), "")), 0o644))
			out, _, code := tracecheck(t, "check", "-q", path)
			require.NotContains(t, out, "violation", "%s line %d", how, i+1)
			require.Contains(t, []int{0, 4}, code)
		}
	}
}

// TestSharedLogs: production logs of healthy clusters are no violation, and of a
// hashicorp/raft that forgets votes its logs show that much.
func TestSharedLogs(t *testing.T) {
	const shared = "../../../shared/traces"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared traces are not beside this checkout")
	}
	for pattern, want := range map[string]int{
		"etcd-server/*.log.gz": 0, "hashicorp/*/*.log": 0, "hashicorp-realbug/*/logs/*.log": 0,
		"hashicorp-faulty/corrupt-entry/logs/*.log": 0, "hashicorp-faulty/vote-amnesia/logs/*.log": 1,
	} {
		logs, err := filepath.Glob(filepath.Join(shared, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, logs, pattern)
		for _, log := range logs {
			out, summary, code := tracecheck(t, "check", log)
			require.Equal(t, want, code, "%s: %s%s", log, out, summary)
			require.Contains(t, summary, "+ 0 unrecognised + 0 damaged")
		}
	}
}

// TestDisturbedTraces removes, repeats and moves each line of a healthy trace:
// whatever comes of it, nothing crashes and every finding names a line.
func TestDisturbedTraces(t *testing.T) {
	data, err := os.ReadFile("../../samples/etcd-raft/split-vote/trace.ndjson")
	require.NoError(t, err)
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	path := filepath.Join(t.TempDir(), "trace.ndjson")
	for i := range lines {
		rest := append(append([]string{}, lines[:i]...), lines[i+1:]...)
		for _, d := range [][]string{
			rest,
			append(append(append([]string{}, lines[:i]...), lines[i]), lines[i:]...),
			append(append(append([]string{}, rest[:(i*7)%len(rest)]...), lines[i]), rest[(i*7)%len(rest):]...),
		} {
			require.NoError(t, os.WriteFile(path, []byte(strings.Join(d, "")), 0o644))
			out, _, code := tracecheck(t, "check", "-q", path)
			require.Contains(t, []int{0, 1, 4}, code)
			require.Equal(t, strings.Count(out, "\n   --> "), strings.Count(out, "\n  rule    "))
			require.NotContains(t, out, ":0\n")
		}
	}
}

// TestDamagedText: what happens to the text of a conforming trace on its way is a
// finding about the trace, or none, and never a violation.
func TestDamagedText(t *testing.T) {
	data, err := os.ReadFile("../../samples/etcd-raft/replication/trace.ndjson")
	require.NoError(t, err)
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	at := func(i int, line string) string {
		return strings.Join(lines[:i], "") + line + "\n" + strings.Join(lines[i:], "")
	}
	path := filepath.Join(t.TempDir(), "trace.ndjson")
	for name, c := range map[string]struct {
		text string
		rule string // of the finding about the trace; empty if nothing is lost
	}{
		"D5 last line cut":     {string(data[:len(data)-40]), "Q03"},
		"D12 invalid UTF-8":    {at(20, "caf\xe9"), "Q02"},
		"D12 a line of 1 MB":   {at(20, strings.Repeat("x", 1<<20)), ""},
		"D12 binary":           {at(20, "\x00\x01\x02"), "Q02"},
		"D13 a key twice":      {strings.Replace(string(data), `"tag":"trace"`, `"tag":"trace","tag":"trace"`, 1), "Q04"},
		"D14 an id above 2^53": {at(20, `{"tag":"trace","id":9007199254740993}`), ""},
		"D15 one time for all": {regexp.MustCompile(`"ts":[^,]*`).ReplaceAllString(string(data), `"ts":1`), ""},
		"CRLF, BOM and blank":  {"\ufeff" + strings.ReplaceAll(string(data), "\n", "\r\n\r\n"), ""},
	} {
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o644))
		out, summary, code := tracecheck(t, "check", path)
		require.NotEqual(t, 1, code, "%s: %s%s", name, out, summary)
		require.NotContains(t, out, "violation ", name)
		if c.rule != "" {
			require.Contains(t, out, "trace "+c.rule, name)
		}
	}
}
