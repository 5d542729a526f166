package hashicorp

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// checkFile checks a log, of which every line has to be known, and returns the
// rules that it breaks with the numbers of the lines.
func checkFile(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	groups := &spec.Groups{}
	d := newDecoder(groups)
	d.Introduce(path, nil)
	c := replay.New(groups, replay.Options{})
	found := []string{}
	for n, text := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var a spec.Action
		o := d.Decode(&ingest.Record{Data: []byte(text)}, &a)
		require.LessOrEqual(t, o.Verdict, adapters.Ignored, "%s:%d: %s", path, n+1, o.Why)
		if o.Verdict == adapters.Checked {
			for _, f := range c.Step(&a) {
				found = append(found, fmt.Sprint(f.Rule.ID, " ", n+1))
			}
		}
	}
	return found
}

func BenchmarkDecode(b *testing.B) {
	for name, line := range map[string]string{
		"text":   stamp + `[DEBUG] agent.server.raft: vote granted: from=b term=5 tally=2`,
		"JSON":   `{"@level":"debug","@message":"vote granted","@module":"agent.server.raft","@timestamp":"2031-01-01T00:00:00.000004Z","from":"b","term":5,"tally":2}`,
		"Go log": `2018/05/02 00:59:56 [DEBUG] raft: Vote granted from b in term 5. Tally: 2`,
		"other":  stamp + `[INFO]  agent.server.serf.lan: serf: EventMemberJoin: n2 10.0.0.2`,
	} {
		b.Run(name, func(b *testing.B) {
			d := newDecoder(&spec.Groups{})
			rec := ingest.Record{Data: []byte(line)}
			var a spec.Action
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				a.Reset()
				d.Decode(&rec, &a)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
