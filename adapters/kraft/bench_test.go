package kraft

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// BenchmarkTrace decodes and replays a recording at level TRACE.
func BenchmarkTrace(b *testing.B) {
	text, err := os.ReadFile("../../samples/kraft/4.4-truncation-trace/trace.log")
	require.NoError(b, err)
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		groups := &spec.Groups{}
		d := Adapter.New(groups)
		var m *spec.Machine
		var a spec.Action
		var rec ingest.Record
		for i, l := range lines {
			a.Reset()
			rec.Data = l
			if out := d.Decode(&rec, &a); out.Verdict != adapters.Checked {
				continue
			}
			if m == nil {
				m = spec.New(groups.List[0])
			}
			a.Ref = ingest.MakeRef(0, uint64(i+1))
			m.Step(&a)
		}
	}
	b.ReportMetric(float64(b.N*len(lines))/b.Elapsed().Seconds(), "lines/s")
}
