package mutate

import (
	"math/rand/v2"
	"slices"

	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/spec"
)

// Trace is a run of a cluster that conforms, with the state of the acting server
// around each action.
type Trace struct {
	Groups  *spec.Groups
	Group   *spec.Group
	Actions []spec.Action

	before, after []spec.State
	draw          *rand.Rand
}

// Simulated returns the whole trace of a simulated run.
func Simulated(o simulate.Options) *Trace {
	t := &Trace{Groups: &spec.Groups{}, draw: rand.New(rand.NewPCG(o.Seed, 3))}
	simulate.Run(t.Groups, o, func(a *spec.Action) {
		kept := *a
		kept.Entries = slices.Clone(a.Entries)
		t.Actions = append(t.Actions, kept)
	})
	t.Group = t.Groups.List[0]
	t.view()
	return t
}

// From returns a trace of which these are the actions, in order. It has one group,
// and what its lines do not show of a server is what the reference machine knows
// of it by then.
func From(groups *spec.Groups, actions []spec.Action, seed uint64) *Trace {
	t := &Trace{Groups: groups, Group: groups.List[0], Actions: actions, draw: rand.New(rand.NewPCG(seed, 3))}
	t.before, t.after = make([]spec.State, len(actions)), make([]spec.State, len(actions))
	m := spec.New(t.Group)
	for i := range actions {
		t.before[i] = known(m, actions[i].Server)
		m.Step(&actions[i])
		t.after[i] = known(m, actions[i].Server)
	}
	return t
}

// known is what a machine knows of a server.
func known(m *spec.Machine, id spec.ID) (s spec.State) {
	v := m.Server(id)
	if v == nil {
		return s
	}
	term, _ := m.Lineage.Term(v.Log)
	s = spec.State{
		Has: v.Known, Role: v.Role, VotedFor: v.VotedFor, Config: v.Config, CurrentTerm: v.CurrentTerm,
		LastIndex: v.Log.Index, LastTerm: term, CommitIndex: v.CommitIndex, AppliedIndex: v.Applied,
		SnapshotIndex: v.Snapshot, FirstIndex: v.FirstIndex,
	}
	if v.Config != 0 {
		s.Has |= spec.HasConfig
	}
	if s.LastTerm != 0 || s.LastIndex == 0 && s.Has&spec.HasLastIndex != 0 {
		s.Has |= spec.HasLastTerm
	}
	return s
}

// view works out the states around each action.
func (t *Trace) view() {
	t.before, t.after = make([]spec.State, len(t.Actions)), make([]spec.State, len(t.Actions))
	now := make(map[spec.ID]spec.State)
	for i := range t.Actions {
		a := &t.Actions[i]
		s := now[a.Server]
		simulate.Merge(&s, &a.Before)
		t.before[i] = s
		if a.Kind == spec.Restart {
			s = spec.State{}
		}
		simulate.Merge(&s, &a.After)
		t.after[i] = s
		now[a.Server] = s
	}
}

// pick returns one of the actions for which fits holds, -1 if there is none.
func (t *Trace) pick(fits func(i int, a *spec.Action) bool) int {
	var at []int
	for i := range t.Actions {
		if fits(i, &t.Actions[i]) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return -1
	}
	return at[t.draw.IntN(len(at))]
}

// next returns the first action of a server after i for which fits holds, -1 if
// there is none before the server restarts.
func (t *Trace) next(i int, fits func(a *spec.Action) bool) int {
	id := t.Actions[i].Server
	for k := i + 1; k < len(t.Actions); k++ {
		a := &t.Actions[k]
		switch {
		case a.Server != id:
		case fits(a):
			return k
		case a.Kind == spec.Restart:
			return -1
		}
	}
	return -1
}

// insert puts actions behind action i and returns the place of the last.
func (t *Trace) insert(i int, actions ...spec.Action) int {
	t.Actions = slices.Insert(t.Actions, i+1, actions...)
	return i + len(actions)
}

// remove takes action i away.
func (t *Trace) remove(i int) { t.Actions = slices.Delete(t.Actions, i, i+1) }

// number gives every action its line, and its number among its server's lines.
func (t *Trace) number() {
	lines := make(map[spec.ID]uint64)
	for i := range t.Actions {
		a := &t.Actions[i]
		lines[a.Server]++
		a.Ref, a.Seq = spec.Ref(i+1), lines[a.Server]
	}
}

// unknown is the configuration of a server of which none is known: it has no voters.
var unknown = &spec.Config{Quorums: []spec.Set{{}}}

// config is the configuration of a state.
func (t *Trace) config(s *spec.State) *spec.Config {
	if c := t.Group.ConfigOf(s.Config); c != nil {
		return c
	}
	return unknown
}

// voters is the first set of the configuration of a state.
func (t *Trace) voters(s *spec.State) spec.Set {
	return t.config(s).Quorums[0]
}

// other returns a voter that is not id.
func (t *Trace) other(s *spec.State, id spec.ID) spec.ID {
	members := t.voters(s).Members()
	for {
		if m := members[t.draw.IntN(len(members))]; m != id {
			return m
		}
	}
}

// spare returns a server that is in no configuration, or Nil.
func (t *Trace) spare(s *spec.State) spec.ID {
	c := t.config(s)
	for id := spec.ID(t.Group.Servers()); id > 0; id-- {
		if !c.IsVoter(id) && !c.Learners.Has(id) {
			return id
		}
	}
	return spec.Nil
}
