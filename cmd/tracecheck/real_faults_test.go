package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/native"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/internal/mutate"
	"github.com/tracecheck/tracecheck/spec"
)

// decoded is a real trace, as its adapter reads it.
func decoded(t *testing.T, path string, seed uint64) *mutate.Trace {
	tr, err := openTrace(context.Background(), path, 0, nil, "")
	require.NoError(t, err)
	defer tr.close()
	var actions []spec.Action
	var rec ingest.Record
	for {
		var a spec.Action
		out, ok := tr.next(&rec, &a)
		if !ok {
			break
		}
		if out.Verdict == adapters.Checked && a.Server != spec.Nil {
			a.Entries = slices.Clone(a.Entries)
			a.Seq, a.Flags = 0, a.Flags&^spec.ClockSeq
			actions = append(actions, a)
		}
	}
	require.NoError(t, tr.err())
	return mutate.From(tr.groups, actions, seed)
}

// inNative writes a trace in the native format.
func inNative(t *testing.T, trace *mutate.Trace) string {
	var b bytes.Buffer
	e := native.NewEncoder(&b, trace.Groups)
	for i := range trace.Actions {
		trace.Actions[i].Seq = 0
		require.NoError(t, e.Encode(&trace.Actions[i]))
	}
	return b.String()
}

// realScore is what was made of a fault in real traces.
type realScore struct{ planted, caught, byRule, atLine, doubted int }

// plant plants a fault in a real trace, and checks it as a user would.
func (s *realScore) plant(t *testing.T, f *mutate.Fault, source, path string, seed uint64) {
	trace := decoded(t, source, seed)
	was := inNative(t, trace)
	at := trace.Plant(f)
	if at < 0 {
		return
	}
	text := inNative(t, trace)
	if text == was {
		return // the source does not show what was changed
	}
	s.planted++
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	var out bytes.Buffer
	if run([]string{"check", "-q", "-a", "native", "-o", "json", path}, nil, &out, io.Discard) == 4 {
		s.doubted++
		return
	}
	for _, found := range gjson.GetBytes(out.Bytes(), "traces.0.findings").Array() {
		if found.Get("class").Str != "violation" {
			continue
		}
		s.caught++
		if slices.Contains(f.Rules, found.Get("rule.id").Str) {
			s.byRule++
		}
		if found.Get("position.line").Int() == int64(at)+1 {
			s.atLine++
		}
		return
	}
	t.Logf("%s in %s, seed %d: planted at line %d, nothing found", f.ID, source, seed, at+1)
}

// TestRealFaults plants faults in real traces of etcd-io/raft and CCF, and holds
// the score against the table in docs/faults.md.
func TestRealFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("plants some hundred faults")
	}
	var sources []string
	for _, pattern := range []string{"../../samples/etcd-raft/*/trace.*", "../../samples/ccf/*/trace.*"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, s := range found {
			if !strings.Contains(s, "mutant") {
				sources = append(sources, s)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "trace.ndjson")
	var rows strings.Builder
	var all realScore
	for _, f := range mutate.Faults {
		var s realScore
		for _, source := range sources {
			for seed := range uint64(3) {
				s.plant(t, f, source, path, seed)
			}
		}
		if s.planted > 0 {
			fmt.Fprintf(&rows, "| %s | %s | %d | %d | %d | %d | %d |\n", f.ID, f.What, s.planted, s.caught, s.byRule, s.atLine, s.doubted)
		}
		all.planted += s.planted
		all.caught += s.caught
		all.doubted += s.doubted
	}
	require.GreaterOrEqual(t, 100*(all.caught+all.doubted), 94*all.planted, "%+v", all)
	compareWithin(t, "../../docs/faults.md", "<!-- real -->\n",
		"| fault | what goes wrong | plants | caught | by its rule | at its line | inconclusive |\n| --- | --- | --- | --- | --- | --- | --- |\n"+rows.String())
}
