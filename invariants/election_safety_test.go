package invariants

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/spec"
)

// TestElectionSafetyForgets: memory is bounded in whatever order the terms come,
// and a term that was forgotten is unknown rather than a breach.
func TestElectionSafetyForgets(t *testing.T) {
	groups := &spec.Groups{}
	m := spec.New(groups.Get("", spec.Profile{}, 0))
	for name, of := range map[string]func(i uint64) uint64{
		"rising":  func(i uint64) uint64 { return i + 1 },
		"falling": func(i uint64) uint64 { return 10*keptTerms - i },
		"sparse":  func(i uint64) uint64 { return (i + 1) << 30 },
	} {
		c := ElectionSafety.New().(*electionSafety)
		var tally spec.Tally
		for i := range uint64(4 * keptTerms) {
			require.Nil(t, c.Observe(m, &spec.Fact{Kind: spec.Elected, Server: 1, Term: of(i)}, &tally))
			require.LessOrEqual(t, len(c.leaders), keptTerms, name)
		}
		require.Zero(t, tally.Broken)
	}
}
