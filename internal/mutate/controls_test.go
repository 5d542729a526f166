package mutate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/replay"
)

// TestControls: what is allowed is not flagged, in 200 runs that show it.
func TestControls(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some thousand clusters")
	}
	const runs = 200
	flagged := make([]int, len(Controls))
	t.Run("runs", func(t *testing.T) {
		for k, control := range Controls {
			t.Run(control.What, func(t *testing.T) {
				t.Parallel()
				shown := 0
				for seed := uint64(1000); shown < runs && seed < 9000; seed++ {
					o := simulate.Random(seed, 600)
					o.Bootstrap = control.Bootstrap
					if control.Rare {
						o.Steps, o.Snapshots, o.Changes, o.Partitions = 1500, 0.03, 0.03, 0.01
					}
					trace := Simulated(o)
					if !control.Shows(trace) {
						continue
					}
					trace.number()
					shown++
					c := replay.New(trace.Groups, replay.Options{})
					for i := range trace.Actions {
						for _, f := range c.Step(&trace.Actions[i]) {
							t.Errorf("seed %d: %s %s", seed, f.Rule.ID, f.Message)
						}
					}
					if c.Finish().Verdict == replay.Violation {
						flagged[k]++
					}
				}
				require.Equal(t, runs, shown, "runs that show it")
			})
		}
	})
	var b strings.Builder
	b.WriteString("| control | runs | flagged |\n| --- | --- | --- |\n")
	for k, control := range Controls {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", control.What, runs, flagged[k])
	}
	compare(t, "<!-- controls -->", b.String())
}
