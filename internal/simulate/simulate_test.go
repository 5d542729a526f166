package simulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// check replays a run, or what a glimpse shows of it, and fails on any finding.
func check(t *testing.T, seed uint64, o simulate.Options, g *simulate.Glimpse) *replay.Summary {
	t.Helper()
	groups := &spec.Groups{}
	checker := replay.New(groups, replay.Options{})
	shows := simulate.Shows
	if g != nil {
		shows = g.Shows
	}
	simulate.Run(groups, o, func(a *spec.Action) {
		groups.List[0].Shows = shows
		if g != nil && !g.See(a) {
			return
		}
		for _, f := range checker.Step(a) {
			if g != nil && f.Rule.Quality() {
				continue // a trace that begins late lacks what was sent before
			}
			require.Fail(t, "not conforming", "seed %d, %+v, %+v\naction %d %s: %s %s: %s\nbefore %s\nstep %s",
				seed, o, g, a.Ref, a.Name(), f.Rule.ID, f.Rule.Name, f.Message, f.Before, f.Step)
		}
	})
	return checker.Finish()
}

// seeds is how many runs a test makes.
func seeds(of int) uint64 {
	if testing.Short() {
		return uint64(of / 20)
	}
	return uint64(of)
}

// TestWholeTracesConform: whatever a correct cluster does conforms.
func TestWholeTracesConform(t *testing.T) {
	for seed := range seeds(1000) {
		s := check(t, seed, simulate.Random(seed, 400), nil)
		require.Equal(t, replay.Conforms, s.Verdict, "seed %d", seed)
	}
}

// TestPartialTracesConform: whatever is shown of it, and from wherever on, is no
// violation; and a rule whose facts are not shown is not checkable.
func TestPartialTracesConform(t *testing.T) {
	for seed := range seeds(1000) {
		g := simulate.RandomGlimpse(seed)
		s := check(t, seed, simulate.Random(seed, 400), g)
		require.NotEqual(t, replay.Violation, s.Verdict, "seed %d", seed)
		if s.Actions == 0 {
			continue // it began after the end
		}
		for _, c := range s.Coverage {
			require.Equal(t, c.Rule.Needs&^g.Shows, c.Missing, "seed %d: %s", seed, c.Rule.Name)
		}
	}
}

// TestServersAloneConform: the lines of one server, as in a file of its own, are
// no violation, and no line of the others is missed.
func TestServersAloneConform(t *testing.T) {
	for seed := range seeds(1000) {
		var checkers []*replay.Checker
		groups := &spec.Groups{}
		simulate.Run(groups, simulate.Random(seed, 400), func(a *spec.Action) {
			for int(a.Server) >= len(checkers) {
				checkers = append(checkers, replay.New(groups, replay.Options{}))
			}
			for _, f := range checkers[a.Server].Step(a) {
				require.Fail(t, "not conforming", "seed %d, server %d, action %d %s: %s %s\nbefore %s", seed, a.Server, a.Ref, a.Name(),
					f.Rule.ID, f.Message, f.Before)
			}
		})
	}
}
