package simulate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// TestSparseLinesConform: a correct cluster conforms if its lines leave out
// values that have changed, and if steps that show in what follows have no line:
// stepping down, a commit, an observation.
func TestSparseLinesConform(t *testing.T) {
	for seed := range seeds(1000) {
		draw := rand.New(rand.NewPCG(seed, 77))
		groups := &spec.Groups{}
		checker := replay.New(groups, replay.Options{})
		s := sparse{draw: draw, whole: draw.IntN(100), silent: make(map[spec.Kind]bool)}
		s.keeps = spec.StateFields(draw.Uint32()) | spec.HasConfig
		for _, k := range []spec.Kind{spec.BecomeFollower, spec.AdvanceCommitIndex, spec.Observe} {
			s.silent[k] = draw.IntN(2) == 0
		}
		simulate.Run(groups, simulate.Random(seed, 400), func(a *spec.Action) {
			a.Seq = 0 // lines that are left out are not missing
			groups.List[0].Shows = simulate.Shows
			if !s.see(a) {
				return
			}
			for _, f := range checker.Step(a) {
				require.Fail(t, "not conforming", "seed %d, %+v\naction %d %s: %s %s: %s\nbefore %s\nstep %s",
					seed, s, a.Ref, a.Name(), f.Rule.ID, f.Rule.Name, f.Message, f.Before, f.Step)
			}
		})
	}
}

// sparse leaves out values and lines.
type sparse struct {
	draw   *rand.Rand
	keeps  spec.StateFields   // the values that every line has
	whole  int                // percentage of the lines that have all values
	silent map[spec.Kind]bool // steps without a line, unless it has more to say
}

// see takes values from a line, and reports whether there is a line at all.
func (s *sparse) see(a *spec.Action) bool {
	if s.silent[a.Kind] && len(a.Entries) == 0 && a.Flags == 0 {
		return false
	}
	if s.draw.IntN(100) < s.whole || a.Flags&spec.Durable != 0 || a.Kind == spec.AdvanceCommitIndex {
		return true
	}
	a.Before.Has &= s.keeps
	a.After.Has &= s.keeps
	if a.After.Has&spec.HasLastIndex == 0 {
		a.After.Has &^= spec.HasLastTerm
	}
	return true
}
