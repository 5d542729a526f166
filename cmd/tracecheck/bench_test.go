package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
)

// benchTraces are long enough to be measured; the large one is not part of the
// project.
var benchTraces = []string{
	"../../samples/etcd-raft/membership/trace.ndjson",
	"../../samples/ccf/suffix-collision/trace.ndjson",
	"../../../shared/traces/etcd-raft/large-3n-mixed.ndjson.gz",
}

// BenchmarkScan reads the lines of each trace and does nothing with them: the
// yardstick for BenchmarkCheck in the same run.
func BenchmarkScan(b *testing.B) {
	eachTrace(b, func(b *testing.B, src *ingest.Source) {
		var rec ingest.Record
		for src.Next(&rec) {
		}
	})
}

// BenchmarkCheck takes each trace from its bytes to the verdict.
func BenchmarkCheck(b *testing.B) {
	eachTrace(b, func(b *testing.B, src *ingest.Source) {
		t, err := newTrace(src, "")
		require.NoError(b, err)
		d := newDriver(t, replay.Options{})
		require.NoError(b, d.run())
		require.Equal(b, replay.Conforms, d.report.Summary.Verdict)
	})
}

// eachTrace measures f over each trace, unpacked and in memory.
func eachTrace(b *testing.B, f func(*testing.B, *ingest.Source)) {
	for _, path := range benchTraces {
		b.Run(filepath.Base(filepath.Dir(path)), func(b *testing.B) {
			if _, err := os.Stat(path); err != nil {
				b.Skip("the trace is not beside this checkout: " + path)
			}
			src, err := ingest.Open(path, 0)
			require.NoError(b, err)
			var data bytes.Buffer
			var rec ingest.Record
			for src.Next(&rec) {
				data.Write(rec.Data)
				data.WriteByte('\n')
			}
			lines := float64(src.Lines())
			require.NoError(b, src.Close())
			b.SetBytes(int64(data.Len()))
			b.ReportAllocs()
			for b.Loop() {
				src, err := ingest.NewReader(bytes.NewReader(data.Bytes()), path, 0)
				require.NoError(b, err)
				f(b, src)
			}
			b.ReportMetric(lines*float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(data.Len())/lines, "bytes/event")
		})
	}
}
