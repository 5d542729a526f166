package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
)

// split cuts a trace of several servers into the lines of each. A header is one of
// every server.
func split(trace []byte) map[string][][]byte {
	files := map[string][][]byte{}
	var header [][]byte
	for line := range bytes.Lines(trace) {
		if gjson.GetBytes(line, "tracecheck").Exists() {
			header = append(header, line)
		}
		for _, path := range []string{"node", "server", "event.nid", "msg.state.node_id"} {
			node := gjson.GetBytes(line, path).String()
			if node == "" {
				continue
			}
			if files[node] == nil {
				files[node] = slices.Clone(header)
			}
			files[node] = append(files[node], line)
		}
	}
	return files
}

var ts = regexp.MustCompile(`"ts":\d+`)

// shifted sets the clock of a line by some nanoseconds: its stamp is in them or, with
// ten digits before the point, in seconds.
func shifted(line []byte, by int64) []byte {
	return ts.ReplaceAllFunc(line, func(m []byte) []byte {
		at, _ := strconv.ParseInt(string(m[len(`"ts":`):]), 10, 64)
		if at < 1e10 {
			return fmt.Appendf(nil, `"ts":%d`, at+by/1e9)
		}
		return fmt.Appendf(nil, `"ts":%d`, at+by)
	})
}

// perServer writes the logs of the servers of a sample as scripts need them: in a
// folder each, as they are; with the clock of n2 ten minutes behind; with that of n1
// in rotated pieces; with that of n3 the newest line first.
func perServer(samples, dir string) error {
	trace, err := os.ReadFile(filepath.Join(samples, "hashicorp-wrapped/cluster/trace.ndjson"))
	if err != nil {
		return err
	}
	var errs error
	write := func(path string, data []byte) {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			errs = err
		} else if err := os.WriteFile(path, data, 0o644); err != nil {
			errs = err
		}
	}
	for node, lines := range split(trace) {
		all := bytes.Join(lines, nil)
		write("cluster/"+node+".ndjson", all)
		late, third := lines, len(lines)/3
		if node == "n2" {
			late = nil
			for _, l := range lines {
				late = append(late, shifted(l, -600e9))
			}
		}
		write("skewed/"+node+".ndjson", bytes.Join(late, nil))
		if node != "n1" {
			write("rotated/"+node+".log", all)
		} else {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			_, _ = z.Write(bytes.Join(lines[:third], nil)) // into memory
			_ = z.Close()
			write("rotated/n1.log.2.gz", packed.Bytes())
			write("rotated/n1.log.1", bytes.Join(lines[third:2*third], nil))
			write("rotated/n1.log", bytes.Join(lines[2*third:], nil))
		}
		if node == "n3" {
			slices.Reverse(lines)
		}
		write("newest/"+node+".ndjson", bytes.Join(lines, nil))
		if node != "n3" {
			write("newest-packed/"+node+".ndjson", bytes.Join(lines, nil))
			continue
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(bytes.Join(lines, nil)) // into memory
		_ = z.Close()
		write("newest-packed/n3.ndjson.gz", packed.Bytes())
	}
	return errs
}

// TestFilesOfOneServerEach: the logs of the servers have the verdict of the whole
// trace, under the same rules, whatever their clocks say.
func TestFilesOfOneServerEach(t *testing.T) {
	traces, err := filepath.Glob("../../samples/*/*/trace.ndjson")
	require.NoError(t, err)
	require.NotEmpty(t, traces)
	for _, path := range traces {
		if strings.Contains(path, "every-action") {
			continue // not what a cluster does
		}
		trace, err := os.ReadFile(path)
		require.NoError(t, err)
		if len(split(trace)) < 2 {
			continue
		}
		want, _, wantCode := tracecheck(t, "check", "-q", path)
		for seed := range int64(3) {
			dir := t.TempDir()
			for node, lines := range split(trace) {
				skew := seed * (int64(node[len(node)-1]-'0')*7%5 - 2) * 150e9
				var out []byte
				for _, l := range lines {
					out = append(out, shifted(l, skew)...)
				}
				require.NoError(t, os.WriteFile(filepath.Join(dir, node+".ndjson"), out, 0o644))
			}
			got, summary, code := tracecheck(t, "check", dir)
			require.Contains(t, summary, "one cluster of", path)
			require.Equal(t, wantCode, code, "%s, seed %d: %s%s", path, seed, got, summary)
			require.Equal(t, brokenRules(want), brokenRules(got), "%s, seed %d", path, seed)
		}
	}
}

// TestClusterReport: what is reported of several files follows the schema.
func TestClusterReport(t *testing.T) {
	dir := t.TempDir()
	samples, err := filepath.Abs("../../samples")
	require.NoError(t, err)
	require.NoError(t, perServer(samples, dir))
	out, _, code := tracecheck(t, "check", "-q", "-o", "json", filepath.Join(dir, "skewed"))
	require.Zero(t, code)
	schema, err := jsonschema.NewCompiler().Compile("../../docs/report.schema.json")
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(v))
	require.Contains(t, gjson.Get(out, "traces.0.files").Str, "one cluster of 3 servers")
	require.Equal(t, "clock-against-causality", gjson.Get(out, "traces.0.findings.0.rule.name").Str)
	require.Equal(t, filepath.Join(dir, "skewed", "n2.ndjson"), gjson.Get(out, "traces.0.findings.0.position.source").Str)
}

// brokenRules are the rules of the violations in a report, each once.
func brokenRules(text string) (rules []string) {
	for _, m := range regexp.MustCompile(`(?m)^violation (\S+)`).FindAllStringSubmatch(text, -1) {
		rules = append(rules, m[1])
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// BenchmarkCluster checks the logs of the servers of a trace as one cluster, and
// "whole" the same lines in one file: the difference is what the merge costs.
func BenchmarkCluster(b *testing.B) {
	const large = "../../../shared/traces/etcd-raft/large-3n-mixed.ndjson.gz"
	if _, err := os.Stat(large); err != nil {
		b.Skip("the trace is not beside this checkout")
	}
	src, err := ingest.Open(large, 0)
	require.NoError(b, err)
	dir := b.TempDir()
	files := map[string]*bytes.Buffer{"whole": {}}
	var rec ingest.Record
	lines := 0
	for ; src.Next(&rec); lines++ {
		node := gjson.GetBytes(rec.Data, "event.nid").Str
		if files[node] == nil {
			files[node] = &bytes.Buffer{}
		}
		for _, f := range []*bytes.Buffer{files[node], files["whole"]} {
			f.Write(rec.Data)
			f.WriteByte('\n')
		}
	}
	var each []string
	for node, data := range files {
		path := filepath.Join(dir, node)
		require.NoError(b, os.WriteFile(path, data.Bytes(), 0o644))
		if node != "whole" {
			each = append(each, path)
		}
	}
	slices.Sort(each)
	for name, paths := range map[string][]string{"whole": {filepath.Join(dir, "whole")}, "split": each} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				jobs, _, err := (&checkFlags{}).plan(paths)
				require.NoError(b, err)
				require.Len(b, jobs, 1)
				t, err := jobs[0].open(b.Context(), 0, nil, "")
				require.NoError(b, err)
				d := newDriver(t, replay.Options{})
				require.NoError(b, d.run())
				require.Equal(b, replay.Conforms, d.report.Summary.Verdict)
				require.NoError(b, t.close())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(lines), "ns/line")
		})
	}
}
