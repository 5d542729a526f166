package spec

// Protocol is the reference machine of another protocol of the family, such as
// KRaft. It stands on a [Machine], which keeps for it what is the same: the
// lineage of all logs, the facts that the invariants look at, the breaches and
// the words for them. A group whose decoder has set [Group.Protocol] has one.
type Protocol interface {
	// Step replays one action, whose [Action.Own] is of the protocol's own type.
	// What became a fact or a breach it hands to the Machine.
	Step(a *Action)

	// Gap says that lines were lost: what any server did meanwhile is unknown.
	Gap()

	// Tally returns how often a rule was decided; ok is false if the protocol
	// does not have that rule.
	Tally(r *Rule) (t Tally, ok bool)

	// Standing returns what is known of a server's term and commit index after the
	// last action; ok is false if no line has shown the server.
	Standing(server ID) (s Standing, ok bool)

	// StepName names the step that an action is, and View writes what was known
	// of a server before it; both for the breaches of invariants.
	StepName(a *Action) string
	View(server ID) string
}

// Standing returns what is known of a server after the last action; ok is false if
// no line has shown it.
func (m *Machine) Standing(id ID) (s Standing, ok bool) {
	if m.protocol != nil {
		return m.protocol.Standing(id)
	}
	if server := m.Server(id); server != nil {
		return server.Standing, true
	}
	return s, false
}

// Ref returns the line of the present action.
func (m *Machine) Ref() Ref { return m.ref }

// AddFact records what became a fact with the present action.
func (m *Machine) AddFact(f Fact) { m.fact(f) }

// AddBreach records a breach of a rule of a [Protocol].
func (m *Machine) AddBreach(b *Breach) { m.Breaches = append(m.Breaches, b) }

// Judges reports whether a rule of the protocol is one that this machine checks,
// rather than one of another protocol.
func (m *Machine) Judges(r *Rule) bool {
	if m.protocol != nil {
		_, own := m.protocol.Tally(r)
		return own
	}
	return r.slot < uint(len(Rules)) && Rules[r.slot] == r
}
