package replay

import (
	"fmt"
	"testing"

	"github.com/tracecheck/tracecheck/spec"
)

// endless is the lines of one server of a steady cluster, for ever: those of a few
// entries, again and again, moved along the log.
type endless struct {
	actions []spec.Action
	next    int
	round   uint64
	entries uint64 // in a round
	line    Line
	action  spec.Action
}

func (e *endless) Ahead(k int) *Line {
	if k > 0 {
		panic("everything has its send")
	}
	e.action = e.actions[e.next]
	move(&e.action, e.round*e.entries)
	e.line = Line{Action: &e.action, Time: int64(e.round*uint64(len(e.actions))) + int64(e.next), Grain: 1}
	return &e.line
}

func (e *endless) Take() {
	if e.next++; e.next == len(e.actions) {
		e.next = 0
		e.round++
	}
}

// move moves an action along the log.
func move(a *spec.Action, by uint64) {
	switch a.Message.Type {
	case spec.AppendEntriesRequest:
		a.Message.LogIndex += by
		a.Message.Commit += by
	case spec.AppendEntriesResponse:
		a.Message.Match += by
	}
	a.After.LastIndex += by
	a.After.CommitIndex += by
}

// steadyFiles are the lines of each server of a steady cluster.
func steadyFiles(servers int) *Merge {
	s, _ := newSteady(servers, 1000)
	var names []string
	var lines []Lines
	for id := spec.ID(1); int(id) <= servers; id++ {
		e := &endless{entries: 1}
		for _, a := range s.actions {
			if a.Server == id {
				e.actions = append(e.actions, a)
			}
		}
		names, lines = append(names, s.groups.List[0].NameOf(id)), append(lines, e)
	}
	return NewMerge(&s.groups, names, lines)
}

// BenchmarkMerge puts the lines of servers into one order and does nothing with them.
func BenchmarkMerge(b *testing.B) {
	for _, servers := range []int{3, 5, 51} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) {
			m := steadyFiles(servers)
			b.ReportAllocs()
			began := cpu()
			for b.Loop() {
				if m.Next() < 0 {
					b.Fatal("the end of what has none")
				}
			}
			b.ReportMetric(float64(cpu()-began)/float64(b.N), "cpu-ns/event")
			if m.Forced > 0 {
				b.Fatalf("%d receives went on before their sends", m.Forced)
			}
		})
	}
}

// TestMergeAllocatesNothing: no allocation per line in the steady state, and so
// memory that does not grow.
func TestMergeAllocatesNothing(t *testing.T) {
	m := steadyFiles(3)
	for range 500_000 {
		m.Next()
	}
	if n := testing.AllocsPerRun(100_000, func() { m.Next() }); n != 0 {
		t.Errorf("%v allocations per line", n)
	}
}
