package etcdraft

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// BenchmarkDecode decodes a real trace again and again: a node that is known by
// then would begin a new cluster, so starts are left out.
func BenchmarkDecode(b *testing.B) {
	var lines [][]byte
	size := 0
	for line := range bytes.Lines(readTrace(b, "etcd-raft/small-3n-clean.ndjson")) {
		if !bytes.Contains(line, []byte(`"InitState"`)) {
			lines = append(lines, bytes.TrimSuffix(line, []byte("\n")))
			size += len(line)
		}
	}
	var groups spec.Groups
	var a spec.Action
	var rec ingest.Record
	d := newDecoder(&groups)
	decodeAll := func() {
		for _, rec.Data = range lines {
			a.Reset()
			if d.Decode(&rec, &a).Verdict != adapters.Checked {
				b.Fatalf("not checked: %s", rec.Data)
			}
		}
	}
	decodeAll()
	require.Zero(b, testing.AllocsPerRun(1, decodeAll), "allocations in the steady state")
	b.ReportAllocs()
	b.SetBytes(int64(size / len(lines)))
	for n := 0; n < b.N; n += len(lines) {
		decodeAll()
	}
}
