package etcdraft

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// sharedTraces holds traces of real clusters, outside the project.
const sharedTraces = "../../../shared/traces"

// readTrace reads a file of the shared traces, or skips the test where the
// project stands alone.
func readTrace(t testing.TB, name string) []byte {
	path := filepath.Join(sharedTraces, filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skip("needs the shared traces: " + path + " is not there")
	}
	require.NoError(t, err)
	if strings.HasSuffix(name, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		data, err = io.ReadAll(r)
		require.NoError(t, err)
	}
	return data
}

// TestSharedTraces decodes every trace of a real cluster: each line is an action
// of the one cluster in its file, and nothing in it is doubtful. In one file a
// node crashes before it has written anything, so that its second start looks
// like that of another cluster until it receives a message.
func TestSharedTraces(t *testing.T) {
	for _, dir := range []string{"etcd-raft", "etcd-raft-mutants"} {
		files, err := os.ReadDir(filepath.Join(sharedTraces, dir))
		if os.IsNotExist(err) {
			t.Skip("needs the shared traces: " + sharedTraces + " is not there")
		}
		require.NoError(t, err)
		for _, f := range files {
			if strings.HasPrefix(f.Name(), "large-") && testing.Short() {
				continue
			}
			t.Run(dir+"/"+f.Name(), func(t *testing.T) { decodeTrace(t, dir+"/"+f.Name()) })
		}
	}
}

func decodeTrace(t *testing.T, name string) {
	data := readTrace(t, name)
	require.NotEmpty(t, data)
	var groups spec.Groups
	var a spec.Action
	d := newDecoder(&groups)
	n := uint64(0)
	for line := range bytes.Lines(data) {
		n++
		rec := ingest.Record{Data: bytes.TrimSuffix(line, []byte("\n")), Ref: ingest.MakeRef(0, n)}
		a.Reset()
		if out := d.Decode(&rec, &a); out != (adapters.Outcome{}) {
			t.Fatalf("line %d: %+v\n%s", n, out, rec.Data)
		}
		if a.Ref != rec.Ref || a.Server == spec.Nil {
			t.Fatalf("line %d becomes %+v\n%s", n, a, rec.Data)
		}
	}
	want := 1
	if strings.HasSuffix(name, "hardstate-lost.ndjson") {
		want = 2
	}
	require.Len(t, groups.List, want, "clusters in the file")
}

// TestOneAfterAnother puts traces of clusters of different sizes into one, as the
// output of a test run is: each is a group of its own, to the line.
func TestOneAfterAnother(t *testing.T) {
	var groups spec.Groups
	var a spec.Action
	d := newDecoder(&groups)
	names := []string{
		"tiny-5n-split", "small-3n-restart", "tiny-1n", "small-3n-snapshot", "tiny-1n", "small-5n-partition",
	}
	for i, name := range names {
		n := 0
		for line := range bytes.Lines(readTrace(t, "etcd-raft/"+name+".ndjson")) {
			n++
			a.Reset()
			require.Equal(t, adapters.Outcome{}, d.Decode(&ingest.Record{Data: line}, &a))
			require.Equal(t, i, int(a.Group), "%s:%d", name, n)
		}
	}
	require.Len(t, groups.List, len(names))
}

func TestSniff(t *testing.T) {
	const start = `{"name":"InitState","nid":"1","state":{"term":0,"vote":"0","commit":0},"role":"StateFollower","log":0,"conf":[[],[]]}`
	for _, c := range []struct {
		want  int
		name  string
		lines []string
	}{
		{100, "a trace", []string{`{"ts":1.5,"tag":"trace","event":` + start + `}`}},
		{100, "after other lines", []string{"starting", `{"msg":"hello"}`, `{"tag":"trace","event":` + start + `}`}},
		{80, "events alone", []string{start}},
		{80, "apply lines alone", []string{`{"tag":"apply","event":{"name":"Apply","nid":"1","index":1,"term":1}}`}},
		{0, "a cut line", []string{`{"ts":1.5,"tag":"trace","event":` + start}},
		{0, "events of something else", []string{`{"tag":"trace","event":{"name":"Elected","nid":"1"}}`}},
		{0, "CCF", []string{`{"h_ts":"1","msg":{"function":"become_leader","state":{"node_id":"0","current_view":2}},"tag":"raft_trace"}`}},
		{0, "text", []string{"2026-01-01 raft2026/01/01 INFO: 1 became leader at term 2"}},
		{0, "nothing", nil},
	} {
		var lines [][]byte
		for _, l := range c.lines {
			lines = append(lines, []byte(l))
		}
		require.Equal(t, c.want, Adapter.Sniff(lines), c.name)
	}
}

// FuzzDecode looks for lines that make a decoder panic, give an outcome without
// its reason, or an action that no machine could take. Two lines are decoded, so
// that the second meets what the first left behind.
func FuzzDecode(f *testing.F) {
	for _, line := range exampleLines(f) {
		f.Add(line, line)
	}
	f.Add([]byte(`{"tag":"trace","event":{"name":"InitState","nid":1e400,"log":-1,"conf":[null,[3]]}}`), []byte(`{"tag"`))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var groups spec.Groups
		var a spec.Action
		d := Adapter.New(&groups)
		for _, line := range [][]byte{first, second, first} {
			before := bytes.Clone(line)
			a.Reset()
			out := d.Decode(&ingest.Record{Data: line, Ref: 7}, &a)
			require.Equal(t, before, line, "the line was written to")
			if out.Verdict != adapters.Checked {
				require.NotEmpty(t, out.Why)
				continue
			}
			require.Less(t, int(a.Group), len(groups.List))
			g := groups.List[a.Group]
			require.NotEqual(t, spec.Nil, a.Server)
			require.NotEqual(t, "0", g.NameOf(a.Server))
			require.NotEmpty(t, a.Name())
			require.Zero(t, a.Before.Has&a.After.Has, "a claim on both sides")
			for _, s := range []*spec.State{&a.Before, &a.After} {
				require.Zero(t, s.Has&^all)
				if s.Has&spec.HasConfig != 0 {
					require.NotEmpty(t, g.ConfigOf(s.Config).Quorums)
				}
			}
			for field := range spec.NumFields {
				start, end := d.Span(line, field)
				require.True(t, 0 <= start && start <= end && end <= len(line))
			}
		}
	})
}

// FuzzReader holds the reader against gjson: it accepts the same lines, but for
// such as nest without reason, and finds the same text in them.
func FuzzReader(f *testing.F) {
	for _, line := range exampleLines(f) {
		f.Add(line)
	}
	f.Add([]byte(`{"a":[1,-0.5e+7,true,null,"\u00e9\n",{}, []], "":""} `))
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.Count(line, []byte("[")) > maxDepth || bytes.Count(line, []byte("{")) > maxDepth {
			t.Skip()
		}
		r := newReader(line)
		r.skip()
		require.Equal(t, gjson.ValidBytes(line), r.end())
		if !r.end() || !gjson.ParseBytes(line).IsObject() {
			return
		}
		r = newReader(line)
		r.open()
		gjson.ParseBytes(line).ForEach(func(key, v gjson.Result) bool {
			require.True(t, r.more())
			require.Equal(t, key.Str, r.key)
			require.Equal(t, v.Raw, r.raw())
			return true
		})
		require.False(t, r.more())
		require.True(t, r.end())
	})
}

// TestDeepLine: a line that nests more deeply than any event is damaged, however
// long it is, and costs no stack.
func TestDeepLine(t *testing.T) {
	line := []byte(`{"tag":` + strings.Repeat("[", ingest.MaxLine-8))
	var a spec.Action
	out := newDecoder(new(spec.Groups)).Decode(&ingest.Record{Data: line}, &a)
	require.Equal(t, damaged(whyNotValid), out)
}

// exampleLines returns the trace lines of testdata.
func exampleLines(t testing.TB) (lines [][]byte) {
	paths, err := filepath.Glob("testdata/decode/*.txt")
	require.NoError(t, err)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range bytes.Lines(data) {
			if line[0] == '{' {
				lines = append(lines, bytes.TrimSpace(line))
			}
		}
	}
	require.NotEmpty(t, lines)
	return lines
}
