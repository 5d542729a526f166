package spec_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/spec"
)

var large = flag.Bool("large", false, "explore the bounds of millions of states too (make fidelity)")

// count is what TLC found within a bound on raft.tla, its history variables
// taken out.
type count struct{ distinct, generated, depth int }

// bounds are the bounds that TLC has explored.
var bounds = []struct {
	spec.Bound
	tlc   count
	large bool
}{
	{spec.Bound{Name: "a2", Servers: 2, Values: 1, MaxTerm: 2, MaxLog: 1, MaxMsgs: 1, MaxCopy: 1}, count{358, 1809, 27}, false},
	{spec.Bound{Name: "h2", Servers: 2, Values: 1, MaxTerm: 2, MaxLog: 2, MaxMsgs: 2, MaxCopy: 1}, count{12496, 71993, 45}, false},
	{spec.Bound{Name: "b2", Servers: 2, Values: 1, MaxTerm: 2, MaxLog: 1, MaxMsgs: 2, MaxCopy: 1, Faults: true}, count{13479, 134721, 32}, false},
	{spec.Bound{Name: "i1", Servers: 1, Values: 2, MaxTerm: 3, MaxLog: 3, MaxMsgs: 2, MaxCopy: 2, Faults: true}, count{14947, 116027, 23}, false},
	{spec.Bound{Name: "g3", Servers: 3, Values: 1, MaxTerm: 2, MaxLog: 1, MaxMsgs: 1, MaxCopy: 1}, count{341387, 2690854, 48}, false},
	{spec.Bound{Name: "c2", Servers: 2, Values: 2, MaxTerm: 3, MaxLog: 2, MaxMsgs: 2, MaxCopy: 1}, count{392371, 2509719, 52}, false},
	{spec.Bound{Name: "j2", Servers: 2, Values: 1, MaxTerm: 3, MaxLog: 1, MaxMsgs: 2, MaxCopy: 1, Faults: true}, count{506790, 5345223, 47}, false},
	{spec.Bound{Name: "e3", Servers: 3, Values: 1, MaxTerm: 2, MaxLog: 1, MaxMsgs: 1, MaxCopy: 1, Faults: true}, count{1931973, 22844275, 53}, true},
	{spec.Bound{Name: "f2", Servers: 2, Values: 1, MaxTerm: 3, MaxLog: 2, MaxMsgs: 2, MaxCopy: 2, Faults: true}, count{10601048, 118034159, 60}, true},
	{spec.Bound{Name: "d3", Servers: 3, Values: 1, MaxTerm: 2, MaxLog: 1, MaxMsgs: 2, MaxCopy: 1}, count{10838621, 92912659, 54}, true},
}

// explore explores one bound, with every invariant watching.
func explore(b spec.Bound, v spec.Variant, limit int) spec.Outcome {
	x := spec.Explorer{Bound: b, Variant: v, Limit: limit, Edge: judgeEdge, Point: judgePoint}
	return x.Explore()
}

// TestFidelity: within each bound the small steps of this package reach exactly
// as many states as raft.tla, through exactly as many successors, and no
// invariant fails in any of them. What was counted stands in docs/model.md.
func TestFidelity(t *testing.T) {
	const head = "| bound | servers | values | MaxTerm | MaxLog | MaxMsgs | MaxCopies | faults | distinct: TLC | ours | generated: TLC | ours | depth: TLC | ours |\n"
	tables := map[bool]string{}
	for _, of := range []bool{false, true} {
		tables[of] = head + strings.Repeat("| --- ", 14) + "|\n"
	}
	for _, b := range bounds {
		if b.large && !*large {
			continue // make fidelity explores them
		}
		o := explore(b.Bound, spec.Letter, 0)
		require.Empty(t, o.Breach, "%s: after %s", b.Name, o.Step)
		require.Equal(t, b.tlc, count{o.Distinct, o.Generated, o.Depth}, b.Name)
		faults := "no"
		if b.Faults {
			faults = "yes"
		}
		t.Logf("%s: %d distinct, %d generated, depth %d", b.Name, o.Distinct, o.Generated, o.Depth)
		tables[b.large] += fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %s | %s | %s | %s | %s | %d | %d |\n",
			b.Name, b.Servers, b.Values, b.MaxTerm, b.MaxLog, b.MaxMsgs, b.MaxCopy, faults,
			number(b.tlc.distinct), number(o.Distinct), number(b.tlc.generated), number(o.Generated), b.tlc.depth, o.Depth)
	}
	compareTable(t, "counts", tables[false])
	if *large {
		compareTable(t, "large counts", tables[true])
	}
}
