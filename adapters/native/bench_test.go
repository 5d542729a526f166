package native

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// appendEntries is a line as long as they come: everything that a receiver can
// tell of an AppendEntries with one entry.
const appendEntries = `{"action":"HandleAppendEntriesRequest","server":"n2","before":{"role":"Follower","currentTerm":3,` +
	`"votedFor":"n1","lastLogIndex":41,"lastLogTerm":3,"commitIndex":40,"config":["n1","n2","n3"]},"message":{"from":"n1",` +
	`"to":"n2","term":3,"prevLogIndex":41,"prevLogTerm":3,"entries":[{"index":42,"term":3,"kind":"command",` +
	`"hash":"8c7dd922ad47494f"}],"leaderCommit":41,"id":18446744073709551615}}`

func BenchmarkDecode(b *testing.B) {
	for name, line := range map[string]string{
		"short":         `{"action":"Timeout","server":"n1","after":{"currentTerm":2,"role":"Candidate","votedFor":"n1"}}`,
		"appendEntries": appendEntries,
	} {
		b.Run(name, func(b *testing.B) {
			d := Adapter.New(&spec.Groups{})
			rec := ingest.Record{Data: []byte(line)}
			var a spec.Action
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				a.Reset()
				if o := d.Decode(&rec, &a); o != (adapters.Outcome{}) {
					b.Fatal(o)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	groups := &spec.Groups{}
	var a spec.Action
	Adapter.New(groups).Decode(&ingest.Record{Data: []byte(appendEntries)}, &a)
	e := NewEncoder(io.Discard, groups)
	b.ReportAllocs()
	for b.Loop() {
		if err := e.Encode(&a); err != nil {
			b.Fatal(err)
		}
	}
}

// TestNoAllocation: reading a line allocates nothing once its names are known.
func TestNoAllocation(t *testing.T) {
	d := Adapter.New(&spec.Groups{})
	rec := ingest.Record{Data: []byte(appendEntries)}
	var a spec.Action
	require.Zero(t, testing.AllocsPerRun(100, func() {
		a.Reset()
		d.Decode(&rec, &a)
	}))
}
