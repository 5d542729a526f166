package ingest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStamps(t *testing.T) {
	at := time.Date(2026, 12, 1, 5, 17, 20, 503e6, time.UTC)
	second := at.Truncate(time.Second)
	noYear := time.Date(1970, 12, 1, 5, 17, 20, 0, time.UTC)
	for line, want := range map[string]Stamp{
		`{"level":"info","ts":"2026-12-01T05:17:20.503Z","msg":"x"}`:                {at.UnixNano(), 1e6},
		`{"@level":"info","@timestamp":"2026-12-01T06:17:20.503000+01:00"}`:         {at.UnixNano(), 1e3},
		`{"seq":1,"ts":1796102240503000000,"node":"n1"}`:                            {at.UnixNano(), 1},
		`{"ts":1796102240.503,"msg":"x"}`:                                           {at.UnixNano(), 1e6},
		`{"time":1796102240503}`:                                                    {at.UnixNano(), 1e6},
		`{"time": "2026-12-01 02:17:20,503-0300"}`:                                  {at.UnixNano(), 1e6},
		`2026-12-01T05:17:20.503Z [INFO]  raft: x`:                                  {at.UnixNano(), 1e6},
		`    2026/12/01 05:17:20 [INFO] raft: x`:                                    {second.UnixNano(), 1e9},
		`2026-12-01 05:17:20.503 +0000 [x]`:                                         {at.UnixNano(), 1e6},
		`raft-0 | [2026-12-01 05:17:20,503] INFO`:                                   {at.UnixNano(), 1e6},
		`Dec  1 05:17:20 host consul[17203]: raft: x`:                               {noYear.UnixNano(), 1e9},
		`I1201 05:17:20.000000   1 raft.go:3] x`:                                    {noYear.UnixNano(), 1e3},
		`2026-12-01T05:17:20.503000000Z stdout F {"ts":"2026-12-01T05:17:19.000Z"}`: {at.UnixNano(), 1},
	} {
		var s Stamps
		for range 2 { // once searched for, once where it was
			got, ok := s.Read([]byte(line))
			require.True(t, ok, line)
			require.Equal(t, want, got, "%s: %s", line, time.Unix(0, got.Time).UTC())
		}
		require.Equal(t, want.Time > 1e18, want.HasYear())
	}
	var s Stamps
	for _, line := range []string{
		"", "{", `{"ts":12}`, `{"ts":null}`, "raft: 1234-56-78T00:00:00", "2026-12-01", "2026-13-01T05:17:20Z", "Dec", "I1201 ",
		`{"h_ts":17,"msg":"x"}`, "12026-12-01T05:17:20Z", `{"ts":17961022405030000001}`,
	} {
		_, ok := s.Read([]byte(line))
		require.False(t, ok, line)
	}
	for day := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2030; day = day.AddDate(0, 0, 1) {
		got, ok := s.Read([]byte(day.Format("2006/01/02 15:04:05")))
		require.True(t, ok)
		require.Equal(t, day.UnixNano(), got.Time)
	}
}

func FuzzStamps(f *testing.F) {
	f.Add([]byte("2026-12-01T05:17:20.503Z"), []byte(`{"ts":1796102240.503}`))
	f.Fuzz(func(_ *testing.T, a, b []byte) {
		var s Stamps
		s.Read(a)
		s.Read(b)
		s.Read(a)
	})
}

func BenchmarkStamps(b *testing.B) {
	line := []byte(`{"level":"info","ts":"2026-12-01T05:17:20.503Z","msg":"trace","tag":"trace"}`)
	var s Stamps
	for b.Loop() {
		s.Read(line)
	}
}
