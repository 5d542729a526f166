package mutate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/replay"
)

// harmless are the damages after which nothing may look like a violation. After
// the others a line that is missing, repeated or out of place can be told from a
// fault only where another line gives it away.
var harmless = []string{"D4", "D5", "D9"}

// TestDamage damages conforming traces and counts what is made of them.
func TestDamage(t *testing.T) {
	const runs = 300
	var b strings.Builder
	b.WriteString("| damage | what happens | runs | with a Q finding | with a violation |\n| --- | --- | --- | --- | --- |\n")
	for _, d := range Damages {
		violations, quality := 0, 0
		for seed := range uint64(runs) {
			trace := Simulated(simulate.Random(seed+5000, 600))
			trace.Damage(d)
			c := replay.New(trace.Groups, replay.Options{})
			for i := range trace.Actions {
				c.Step(&trace.Actions[i])
			}
			s := c.Finish()
			violations += int(min(s.Violations, 1))
			quality += int(min(s.Quality, 1))
		}
		for _, id := range harmless {
			require.False(t, id == d.ID && violations > 0, "%s: %d", id, violations)
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d |\n", d.ID, d.What, runs, quality, violations)
	}
	compare(t, "<!-- damage -->", b.String())
}
