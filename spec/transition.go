package spec

// Transition is one small step of the specification: what must hold for it, and
// what it changes. Guard and effect are separate, so that a model checker can
// ask what is enabled, and an explanation can say what else would have been
// allowed. Real events are refined into these steps.
type Transition struct {
	Name   string // as in raft.tla
	Doc    string
	Guards []Guard
	Effect func(m *Machine, st *Step)
}

// Guard is one condition of a transition, under the rule that demands it.
type Guard struct {
	Rule  *Rule
	Holds func(m *Machine, st *Step) Truth
	// Explain fills in a breach's message and evidence when the guard fails. It is
	// nil for the steps that replay takes in bulk (observelog.go explains those).
	Explain func(m *Machine, st *Step, b *Breach)
}

// Step is one use of a transition: who takes it, and with what.
type Step struct {
	Server  *Server
	Peer    ID       // the other server, where the step has one
	Message *Message // the message that is handled or sent; nil if there is none
	Term    uint64   // the term that is entered, or the term of the entry that is appended
	Index   uint64   // the index that is appended, removed, committed or acknowledged
	request *received
}

// with returns a Step with the given values. Steps are reused, so that none is
// allocated; a step that is under way and one that it takes on its way are two.
func (m *Machine) with(st Step) *Step {
	m.nSteps++
	p := &m.steps[m.nSteps%uint(len(m.steps))]
	*p = st
	return p
}

// Enabled says whether a transition is allowed now: whether all of its guards hold.
func (m *Machine) Enabled(t *Transition, st *Step) Truth {
	truth := Holds
	for i := range t.Guards {
		truth = truth.And(t.Guards[i].Holds(m, st))
	}
	return truth
}

// take checks every guard of a transition, reports those that fail, and applies
// the effect all the same: after a violation the machine goes on from what the
// trace says has happened.
func (m *Machine) take(t *Transition, st *Step) {
	m.guard(t, st)
	t.Effect(m, st)
}

// guard checks every guard of a transition and leaves its effect to what the
// trace shows later.
func (m *Machine) guard(t *Transition, st *Step) {
	guards := t.Guards
	for i := range guards {
		g := &guards[i]
		if m.check(g.Rule, g.Holds(m, st)) {
			m.refuse(t, g, st)
		}
	}
}

func (m *Machine) guardOne(t *Transition, g *Guard, st *Step) {
	if m.check(g.Rule, g.Holds(m, st)) {
		m.refuse(t, g, st)
	}
}

// refuse reports a guard that failed.
func (m *Machine) refuse(t *Transition, g *Guard, st *Step) {
	b := m.breach(g.Rule, st.Server)
	b.Step = m.describe(t, st)
	g.Explain(m, st, b)
}

// describe writes a step as the specification would: HandleRequestVoteRequest(4 ← 3, term 2).
func (m *Machine) describe(t *Transition, st *Step) string {
	s := t.Name + "(" + m.name(st.Server.ID)
	if st.Peer != Nil {
		arrow := " → "
		if st.Message != nil && st.Message.To == st.Server.ID || st.request != nil {
			arrow = " ← "
		}
		s += arrow + m.name(st.Peer)
	}
	term := st.Term
	if term == 0 && st.Message != nil {
		term = st.Message.Term
	}
	if term != 0 {
		s += sprintf(", term %d", term)
	}
	return s + ")"
}
