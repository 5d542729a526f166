package mutate

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/replay"
)

var update = flag.Bool("update", false, "rewrite docs/faults.md")

// plants is how many plants of each fault are scored, and tries how many runs are
// looked through for places.
const plants, tries = 25, 400

// score is what the checker made of the plants of one fault.
type score struct {
	planted, caught, byRule, atLine int
	delays                          []int
	rules                           map[string]int // that named it first
	missed                          []string       // seeds of those that were not caught by the right rule
}

// play plants a fault in a run and notes the first violation.
func (s *score) play(f *Fault, seed uint64) {
	o := simulate.Random(seed, 1500)
	o.Spare = 1
	if slices.Contains(rare, f.ID) {
		o.Steps, o.Loss, o.Duplicate, o.Partitions, o.Snapshots, o.Changes, o.Joint = 2500, 0.1, 0.1, 0.01, 0.03, 0.03, seed%2 == 0
	}
	t := Simulated(o)
	at := t.Plant(f)
	if at < 0 {
		return
	}
	s.planted++
	c := replay.New(t.Groups, replay.Options{})
	for i := range t.Actions {
		c.Step(&t.Actions[i])
	}
	for _, found := range c.Finish().Findings {
		if found.Rule.Quality() {
			continue
		}
		line := int(found.Ref) - 1
		s.caught++
		s.rules[found.Rule.ID]++
		s.delays = append(s.delays, line-at)
		if line == at {
			s.atLine++
		}
		if slices.Contains(f.Rules, found.Rule.ID) {
			s.byRule++
		} else {
			s.missed = append(s.missed, fmt.Sprintf("seed %d: %s %s", seed, found.Rule.ID, found.Message))
		}
		return
	}
	s.missed = append(s.missed, fmt.Sprintf("seed %d: nothing", seed))
}

// TestFaults plants every fault again and again and holds the score against the
// table in docs/faults.md: of the plants at least 95 of 100 are caught by a rule
// that names the fault.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("plants some thousand faults")
	}
	scores := make([]*score, len(Faults))
	t.Run("plants", func(t *testing.T) {
		for k, f := range Faults {
			s := &score{rules: make(map[string]int)}
			scores[k] = s
			t.Run(f.ID, func(t *testing.T) {
				t.Parallel()
				for seed := uint64(0); seed < tries && s.planted < plants; seed++ {
					s.play(f, seed)
				}
				require.GreaterOrEqual(t, s.planted, 20, "runs that have a place for it")
				require.GreaterOrEqual(t, 100*s.byRule, 80*s.planted, "%v", s.missed)
			})
		}
	})
	planted, byRule := 0, 0
	for _, s := range scores {
		planted += s.planted
		byRule += s.byRule
	}
	require.GreaterOrEqual(t, 100*byRule, 95*planted)
	compare(t, "<!-- score -->", table(scores))
}

func table(scores []*score) string {
	var b strings.Builder
	b.WriteString("| fault | what goes wrong | rules | plants | caught | by its rule | at its line | median delay |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for k, f := range Faults {
		s := scores[k]
		slices.Sort(s.delays)
		median := "-"
		if n := len(s.delays); n > 0 {
			median = fmt.Sprint(s.delays[n/2])
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d | %s |\n",
			f.ID, f.What, strings.Join(f.Rules, " "), s.planted, s.caught, s.byRule, s.atLine, median)
	}
	return b.String()
}

// compare holds a generated part of docs/faults.md against the file, or writes it.
func compare(t *testing.T, mark, want string) {
	t.Helper()
	const path = "../../docs/faults.md"
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(file), mark+"\n")
	require.True(t, ok, "%s has no %s", path, mark)
	was, after, ok := strings.Cut(rest, mark+"\n")
	require.True(t, ok, "%s has no second %s", path, mark)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(before+mark+"\n"+want+mark+"\n"+after), 0o644))
		return
	}
	require.Equal(t, want, was, "run `make faults` and read the difference")
}
