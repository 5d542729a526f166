package toy

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/native"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

var update = flag.Bool("update", false, "rewrite trace.ndjson")

// run takes a cluster of three through two elections: it commits three commands,
// crashes the leader with a fourth that it has told nobody, goes on without it,
// and takes it back.
func run(t *testing.T, seed uint64) (trace []byte, servers []*Server) {
	var out bytes.Buffer
	ids := []string{"n1", "n2", "n3"}
	net, servers := Cluster(seed, Trace{&out}, ids...)
	Trace{&out}.Begin(ids)
	for _, s := range servers {
		net.Servers[s.ID] = s
		s.Start()
	}
	until := func(what string, done func() bool) {
		for range 1000 {
			if done() {
				return
			}
			for _, s := range servers {
				if net.Servers[s.ID] != nil {
					s.Tick()
				}
			}
			net.Deliver()
		}
		require.Fail(t, "the cluster did not get there", "%s, seed %d", what, seed)
	}
	propose := func(command string) (leader *Server) {
		until("accepts "+command, func() bool {
			for _, s := range servers {
				if net.Servers[s.ID] != nil && s.Propose(command) {
					leader = s
					return true
				}
			}
			return false
		})
		return leader
	}
	applied := func(n int) func() bool {
		return func() bool {
			for _, s := range net.Servers {
				if len(s.Applied) < n {
					return false
				}
			}
			return true
		}
	}

	for i := range 3 {
		propose(fmt.Sprintf("set x %d", i))
	}
	until("three commands", applied(3))
	net.queue = nil
	old := propose("set x lost")
	net.queue = nil
	delete(net.Servers, old.ID)
	old.trace.Step(old, "Stop", nil)

	propose("set x 3")
	until("a command without the old leader", applied(4))
	net.Servers[old.ID] = old
	old.Start()
	propose("set x 4")
	until("a command with the old leader", applied(5))
	return out.Bytes(), servers
}

func TestLogsAgree(t *testing.T) {
	for seed := range uint64(50) {
		_, servers := run(t, seed)
		for _, s := range servers {
			require.Equal(t, []string{"set x 0", "set x 1", "set x 2", "set x 3", "set x 4"}, s.Applied, "%s, seed %d", s.ID, seed)
		}
	}
}

// TestTraceConforms: every line is understood, and no step is one that Raft does
// not allow.
func TestTraceConforms(t *testing.T) {
	for seed := range uint64(50) {
		trace, _ := run(t, seed)
		groups := &spec.Groups{}
		d := native.Adapter.New(groups)
		checker := replay.New(groups, replay.Options{})
		for i, line := range bytes.Split(bytes.TrimSpace(trace), []byte("\n")) {
			var a spec.Action
			o := d.Decode(&ingest.Record{Data: line, Ref: ingest.MakeRef(0, uint64(i+1))}, &a)
			require.Nil(t, o.Warn, "%s", line)
			if i == 0 {
				require.Equal(t, adapters.Outcome{Verdict: adapters.Ignored, Why: "header"}, o)
				continue
			}
			require.Equal(t, adapters.Checked, o.Verdict, "%s: %s", line, o.Why)
			a.Ref = ingest.MakeRef(0, uint64(i+1))
			for _, f := range checker.Step(&a) {
				t.Errorf("seed %d, line %d: %s: %s\n%s", seed, i+1, f.Rule.Name, f.Message, line)
			}
		}
		require.Equal(t, replay.Conforms, checker.Finish().Verdict)
	}
}

// TestTraceFile: trace.ndjson is what a run writes.
func TestTraceFile(t *testing.T) {
	trace, _ := run(t, 1)
	if *update {
		require.NoError(t, os.WriteFile("trace.ndjson", trace, 0o644))
	}
	want, err := os.ReadFile("trace.ndjson")
	require.NoError(t, err)
	require.Equal(t, string(want), string(trace), "run `go test ./samples/native/... -update` and read the difference")
}
