package mutate

import (
	"fmt"
	"slices"
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
	b.WriteString("| damage | what happens | runs | Q finding | violation | stamped: Q finding | violation | numbered: Q finding | violation |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, d := range Damages {
		fmt.Fprintf(&b, "| %s | %s | %d", d.ID, d.What, runs)
		for lines := range NumLines {
			violations, quality := 0, 0
			for seed := range uint64(runs) {
				trace := Simulated(simulate.Random(seed+5000, 600))
				trace.Damage(d, lines)
				c := replay.New(trace.Groups, replay.Options{})
				for i := range trace.Actions {
					c.Step(&trace.Actions[i])
				}
				s := c.Finish()
				for i := range s.Findings {
					if f := &s.Findings[i]; lines == Numbered && !f.Rule.Quality() {
						t.Logf("%s, seed %d: %s %s", d.ID, seed, f.Rule.ID, f.Message)
					}
				}
				violations += int(min(s.Violations, 1))
				quality += int(min(s.Quality, 1))
			}
			if slices.Contains(harmless, d.ID) {
				require.Zero(t, violations, d.ID)
			}
			fmt.Fprintf(&b, " | %d | %d", quality, violations)
		}
		b.WriteString(" |\n")
	}
	compare(t, "<!-- damage -->", b.String())
}
