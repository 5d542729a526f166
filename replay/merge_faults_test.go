package replay_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/internal/mutate"
	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/replay"
)

// named says whether a run has a violation, and whether one of them is of the rules.
func named(s *replay.Summary, rules []string) (any, right bool) {
	for _, f := range s.Findings {
		if !f.Rule.Quality() {
			any, right = true, right || slices.Contains(rules, f.Rule.ID)
		}
	}
	return any, right
}

// TestMergedFaults: a fault that is found in the whole trace is found in the files of
// the servers, by one of the same rules, whatever the clocks say.
func TestMergedFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("plants some hundred faults")
	}
	whole, split, other := 0, 0, 0
	for _, f := range mutate.Faults {
		for seed, planted := uint64(0), 0; seed < 60 && planted < 4; seed++ {
			o := simulate.Random(seed, 1000)
			o.Spare = 1
			m := mutate.Simulated(o)
			if m.Plant(f) < 0 {
				continue
			}
			planted++
			c := replay.New(m.Groups, replay.Options{})
			for i := range m.Actions {
				a := m.Actions[i]
				c.Step(&a)
			}
			_, found := named(c.Finish(), f.Rules)
			if !found {
				continue
			}
			whole++
			tr := &trace{groups: m.Groups, actions: m.Actions}
			names, files, _ := tr.split(seed, tenMinutes, 1)
			s, _ := checked(tr, merge(tr, names, files), files)
			some, right := named(s, f.Rules)
			switch {
			case right:
				split++
			case some:
				other++
			default:
				t.Logf("%s, seed %d: not found in the files of the servers", f.ID, seed)
			}
		}
	}
	t.Logf("%d found in the whole trace; in the files %d by the same rules, %d by another", whole, split, other)
	require.GreaterOrEqual(t, 100*(split+other), 97*whole)
	require.GreaterOrEqual(t, 100*split, 95*whole)
}

// TestMergedDamage: damaged files are hardly more often taken for a fault than the
// damaged trace that holds all lines; never if the lines are numbered, if lines only
// came late, and if all votes are missing.
func TestMergedDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("damages some thousand traces")
	}
	for _, d := range mutate.Damages {
		if d.ID == "D10" {
			continue // such a file is read from its end
		}
		for lines := range mutate.NumLines {
			whole, split := 0, 0
			for seed := range uint64(100) {
				m := mutate.Simulated(simulate.Random(seed+5000, 600))
				m.Damage(d.Do, lines)
				c := replay.New(m.Groups, replay.Options{})
				for i := range m.Actions {
					a := m.Actions[i]
					c.Step(&a)
				}
				whole += int(min(1, c.Finish().Violations))
				tr := &trace{groups: m.Groups, actions: m.Actions}
				names, files, _ := tr.split(seed, tenMinutes, 1)
				s, _ := checked(tr, merge(tr, names, files), files)
				split += int(min(1, s.Violations))
			}
			t.Logf("%s, lines %d: %d of 100 a violation as a whole, %d as files", d.ID, lines, whole, split)
			require.LessOrEqual(t, split, whole+5)
			if lines == mutate.Numbered || slices.Contains([]string{"D3", "D4", "D5", "D9"}, d.ID) {
				require.Zero(t, split)
			}
		}
	}
}
