package replay_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// file is the lines of one server in memory.
type file struct {
	lines []replay.Line
	next  int
}

func (f *file) Ahead(k int) *replay.Line {
	if f.next+k >= len(f.lines) {
		return nil
	}
	return &f.lines[f.next+k]
}

func (f *file) Take() { f.next++ }

// trace is a run of a cluster: its actions in the order in which they happened.
type trace struct {
	groups  *spec.Groups
	actions []spec.Action
}

func simulated(seed uint64, g *simulate.Glimpse) *trace {
	t := &trace{groups: &spec.Groups{}}
	simulate.Run(t.groups, simulate.Random(seed, 400), func(a *spec.Action) {
		if g != nil {
			t.groups.List[0].Shows = g.Shows
			if !g.See(a) {
				return
			}
		}
		b := *a
		b.Entries = slices.Clone(a.Entries)
		t.actions = append(t.actions, b)
	})
	return t
}

// split puts the lines of each server into a file of its own, with the time by its
// clock: the actions are a millisecond apart, and each clock is wrong by up to most.
func (t *trace) split(seed uint64, most, grain int64) (names []string, files []*file, skew []int64) {
	draw := rand.New(rand.NewPCG(seed, 5))
	for id := 1; id <= t.groups.List[0].Servers(); id++ {
		names = append(names, t.groups.List[0].NameOf(spec.ID(id)))
		files = append(files, &file{})
		skew = append(skew, 0)
		if most > 0 {
			skew[id-1] = draw.Int64N(2*most) - most
		}
	}
	for i := range t.actions {
		a := &t.actions[i]
		if a.Server == spec.Nil {
			continue
		}
		at := 1e18 + int64(i)*1e6 + skew[a.Server-1]
		f := files[a.Server-1]
		f.lines = append(f.lines, replay.Line{Action: a, Time: at - at%grain, Grain: grain})
	}
	return names, files, skew
}

func merge(t *trace, names []string, files []*file) *replay.Merge {
	var lines []replay.Lines
	for _, f := range files {
		lines = append(lines, f)
	}
	return replay.NewMerge(t.groups, names, lines)
}

// checked replays the merged lines.
func checked(t *trace, m *replay.Merge, files []*file) (s *replay.Summary, n int) {
	c := replay.New(t.groups, replay.Options{})
	for {
		i := m.Next()
		if i < 0 {
			return c.Finish(), n
		}
		f := files[i]
		n++
		if shown := f.lines[f.next-1].Action; shown != nil {
			a := *shown
			c.Step(&a)
		}
	}
}

const tenMinutes = int64(600e9)

// TestMergedConforms: whatever the clocks say, the files of a correct cluster conform,
// and every message is received after it was sent.
func TestMergedConforms(t *testing.T) {
	for seed := range seeds(400) {
		for _, most := range []int64{0, 50e6, tenMinutes} {
			for _, grain := range []int64{1, 1e9} {
				tr := simulated(seed, nil)
				names, files, _ := tr.split(seed, most, grain)
				m := merge(tr, names, files)
				s, n := checked(tr, m, files)
				require.Equal(t, len(tr.actions), n)
				what := fmt.Sprintf("seed %d, clocks wrong by up to %d, grain %d", seed, most, grain)
				for _, f := range s.Findings {
					require.Fail(t, "not conforming", "%s: action %d %s %s: %s", what, f.Ref, f.Rule.ID, f.Rule.Name, f.Message)
				}
				require.Equal(t, replay.Conforms, s.Verdict, what)
				require.Zero(t, m.Forced, what)
			}
		}
	}
}

// TestMergedGlimpsesConform: nor does it matter how much the lines show.
func TestMergedGlimpsesConform(t *testing.T) {
	for seed := range seeds(400) {
		for _, most := range []int64{0, 50e6, tenMinutes} {
			g := simulate.RandomGlimpse(seed)
			tr := simulated(seed, g)
			names, files, _ := tr.split(seed, most, 1)
			s, _ := checked(tr, merge(tr, names, files), files)
			for _, f := range s.Findings {
				if !f.Rule.Quality() {
					t.Errorf("seed %d, shows %v, skew %d: action %d %s %s: %s", seed, g.Shows, most, f.Ref, f.Rule.ID, f.Rule.Name, f.Message)
				}
			}
		}
	}
}

// TestMergedByOtherNamesConforms: files that are named otherwise than the servers of their
// lines, where the first lines of some show no server, and begin late.
func TestMergedByOtherNamesConforms(t *testing.T) {
	for seed := range seeds(400) {
		tr := simulated(seed, simulate.RandomGlimpse(seed))
		names, files, _ := tr.split(seed, 50e6, 1)
		draw := rand.New(rand.NewPCG(seed, 7))
		for i, f := range files {
			if draw.IntN(2) == 0 || len(f.lines) == 0 {
				continue
			}
			names[i] = fmt.Sprintf("file%d", i)
			f.lines = f.lines[draw.IntN(len(f.lines)):]
			for k := range min(len(f.lines), draw.IntN(30)) {
				f.lines[k].Action = nil
			}
		}
		s, _ := checked(tr, merge(tr, names, files), files)
		for _, f := range s.Findings {
			if !f.Rule.Quality() {
				t.Errorf("seed %d: action %d %s %s: %s", seed, f.Ref, f.Rule.ID, f.Rule.Name, f.Message)
			}
		}
	}
}

// TestMergedWithoutSomeConforms: files that are missing, begin late or have lost
// lines in the middle are no violation either.
func TestMergedWithoutSomeConforms(t *testing.T) {
	forced := uint64(0)
	for seed := range seeds(400) {
		tr := simulated(seed, nil)
		names, files, _ := tr.split(seed, tenMinutes, 1)
		draw := rand.New(rand.NewPCG(seed, 6))
		switch draw.IntN(3) {
		case 0:
			k := draw.IntN(len(files))
			names, files = slices.Delete(names, k, k+1), slices.Delete(files, k, k+1)
		case 1:
			f := files[draw.IntN(len(files))]
			f.lines = f.lines[draw.IntN(len(f.lines)):]
		default:
			for range 3 {
				f := files[draw.IntN(len(files))]
				k := draw.IntN(len(f.lines))
				f.lines = slices.Delete(f.lines, k, k+draw.IntN(min(5, len(f.lines)-k)))
			}
		}
		m := merge(tr, names, files)
		s, _ := checked(tr, m, files)
		for _, f := range s.Findings {
			if !f.Rule.Quality() {
				t.Errorf("seed %d: action %d %s %s: %s", seed, f.Ref, f.Rule.ID, f.Rule.Name, f.Message)
			}
		}
		forced += m.Forced
	}
	require.NotZero(t, forced)
}

func seeds(of int) uint64 {
	if testing.Short() {
		return uint64(of / 20)
	}
	return uint64(of)
}
