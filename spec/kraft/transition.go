package kraft

import "github.com/tracecheck/tracecheck/spec"

// transition is a step of Kafka's QuorumState that has been completed.
func (m *Machine) transition(n *node, a *Action) {
	from, to := &a.From, &a.To
	switch from.Name {
	case Null:
		if n.stable.HasEpoch || n.state.Name != Unknown {
			m.base.Restarts++
		}
		m.restart(n, to)
	case Unknown:
		n.hasHigh, n.hasEnd = false, false // it may have started anew: the line would not tell
		if m.startsEmpty(n, to) {
			break
		}
		if to.HasEpoch {
			m.epochMoves(n, to.Epoch)
		}
	default:
		m.follows(n, from)
		m.otherGoesOn(n)
		m.observe(n, from)
		if from.HasEpoch && to.HasEpoch && to.Epoch < from.Epoch {
			n.stable.HasEpoch, n.stable.Epoch = true, max(n.stable.Epoch, from.Epoch)
			m.epochMoves(n, to.Epoch)
		} else {
			m.moves(n, from, to)
			if to.HasEpoch {
				m.epochMoves(n, to.Epoch)
			}
		}
	}
	if to.Name != Leader || n.state.Name != Leader {
		n.hasEnd = false
	}
	n.open = n.open[:0]
	n.state, n.ref = *to, m.base.Ref()
	n.learn(to.Voters)
	m.observe(n, to)
	m.claims(n, to)
	m.persist(n, to)
}

// follows: a transition goes out from the state that the one before went to.
// Where it does not, lines are missing.
func (m *Machine) follows(n *node, from *State) {
	if n.state.Name != Unknown && !n.state.same(from) {
		b := m.breach(spec.ChangeHasLine, n, spec.FieldRole)
		b.Message = sprintf("server %s goes on from %s; the line before left it as %s", m.base.Name(n.id), m.text(from), m.text(&n.state))
		m.because(b, n.ref, n.id, "becomes "+m.text(&n.state))
		m.finish(b, "is "+m.text(from))
	}
	shown := n.state.Name != Unknown && n.state.same(from)
	m.settle(n, shown)
	if !shown {
		n.lose()
	}
}

// attempted: the state is being written; a crash may leave the old one or the new.
func (m *Machine) attempted(n *node, a *Action) {
	if a.From.Name == Null && n.stable.HasEpoch && a.To.Epoch <= n.stable.Epoch {
		return // a start, in what is on the disk already
	}
	if a.From.Name != Null && n.state.Name != Unknown && a.From.Name != Unknown && !n.state.same(&a.From) {
		n.lose()
	}
	n.attempt = a.To
}

// persist notes what quorum-state holds now. Resigned and Prospective stand in
// memory only; but a vote that is given while Prospective is written.
func (m *Machine) persist(n *node, to *State) {
	n.attempt = State{}
	switch {
	case to.Name == Resigned && n.stable.HasEpoch && n.stable.Epoch == to.Epoch && n.stable.Name != Unknown:
	case to.Name == Resigned:
		n.stable, n.stableRef = State{Name: Leader, HasEpoch: to.HasEpoch, Epoch: to.Epoch}, m.base.Ref()
	case to.Name == Prospective:
		if to.HasVote && to.Vote.ID != spec.Nil && n.stable.Epoch == to.Epoch {
			n.stable.HasVote, n.stable.Vote = true, to.Vote
		}
	default:
		n.stable, n.stableRef = *to, m.base.Ref()
	}
}

// observe takes in the high watermark that a state prints.
func (m *Machine) observe(n *node, s *State) {
	if s.KnowHigh {
		m.highMoves(n, s.High, s.Epoch)
	}
}

// claims makes facts of what a state says: who leads its epoch, and whom the
// server has voted for in it.
func (m *Machine) claims(n *node, s *State) {
	if !s.HasEpoch {
		return
	}
	m.base.MaxTerm = max(m.base.MaxTerm, s.Epoch)
	switch s.Name {
	case Candidate:
		n.stood = true
		m.votes(n, s.Epoch, n.id)
	case Prospective:
		n.stood = true
	case Leader:
		n.stood = true
		m.base.Elections++
		if s.HasStart {
			n.start, n.startOf, n.startRef = s.Start, s.Epoch, m.base.Ref()
			n.end, n.hasEnd, n.endRef = s.Start, true, m.base.Ref()
		}
		m.leads(n, n.id, s.Epoch, s.Start, s.HasStart)
		return
	case Resigned:
		m.leads(n, n.id, s.Epoch, 0, false)
	}
	if s.HasVote && s.Vote.ID != spec.Nil {
		m.votes(n, s.Epoch, s.Vote.ID)
	}
	if s.HasLeader && s.Leader != spec.Nil {
		m.leads(n, s.Leader, s.Epoch, 0, false)
	}
}

// leads makes it a fact that a server leads an epoch, with a log that ended at
// start when it was elected. It is n that shows it.
func (m *Machine) leads(n *node, leader spec.ID, epoch, start uint64, known bool) {
	if n.empty != nil {
		return
	}
	tip := spec.Tip{Index: start}
	if known && m.asked.Known && m.asked.Candidate.ID == leader && m.asked.Epoch == epoch &&
		m.asked.LastEnd == start && m.asked.LastEpoch < epoch { // a run follows one of an earlier epoch
		tip.Run = m.base.Lineage.Open(m.asked.LastEpoch)
	}
	m.base.Lineage.Lead(epoch, leader, tip, known, m.base.Ref())
	m.fact(n, spec.Fact{Kind: spec.Elected, Server: leader, Term: epoch, Known: known, Tip: tip})
}

// fact shows the invariants what n has shown, unless it may be of another cluster.
func (m *Machine) fact(n *node, f spec.Fact) {
	if n.empty == nil {
		m.base.AddFact(f)
	}
}

func (m *Machine) votes(n *node, epoch uint64, candidate spec.ID) {
	m.fact(n, spec.Fact{Kind: spec.Voted, Server: n.as, Peer: candidate, Term: epoch})
}

// epochMoves shows the epoch of a server to the invariants. What is compared with
// is what it has on its disk, so it holds across restarts.
func (m *Machine) epochMoves(n *node, epoch uint64) {
	if n.stable.HasEpoch {
		m.fact(n, spec.Fact{Kind: spec.TermMoved, Server: n.as, Old: n.stable.Epoch, Term: epoch})
	}
}

// moves judges a transition by the table of QuorumState.
func (m *Machine) moves(n *node, from, to *State) {
	versions := AnyVersion
	for _, v := range [...]Columns{from.Versions, to.Versions} {
		if v != 0 {
			versions &= v
		}
	}
	if versions == 0 {
		versions = AnyVersion // a fork, which has states of several versions
	}
	truth := spec.Fails
	if !from.HasEpoch || !to.HasEpoch || from.Name == Unknown || to.Name == Unknown {
		truth = spec.Unknown
	}
	for v := Before39; truth == spec.Fails && v <= Since40; v <<= 1 {
		if versions&v != 0 {
			truth = truth.Or(m.allowed(v, n, from, to))
		}
	}
	if m.check(LegalTransition, truth) {
		b := m.breach(LegalTransition, n, spec.FieldRole, spec.FieldAction)
		b.Message = sprintf("server %s goes from %s to %s; Kafka has no such transition",
			m.base.Name(n.id), m.text(from), m.text(to))
		m.because(b, n.ref, n.id, "is "+m.text(&m.was))
		b.Allowed = allowedFrom(from.Name)
		m.finish(b, "becomes "+m.text(to))
	}
	m.voteKept(n, from, to)
	switch to.Name {
	case Candidate, Prospective:
		m.voterOnly(n, from, to)
	case Leader:
		m.majority(n, from, to)
	}
}

// allowed is one column of the table. Epochs do not fall here.
func (m *Machine) allowed(v Columns, n *node, from, to *State) spec.Truth {
	same, later := to.Epoch == from.Epoch, to.Epoch > from.Epoch
	f := from.Name
	switch to.Name {
	case Unattached:
		switch {
		case later:
			return spec.Holds
		case v == Before39:
			return spec.Fails
		case f == Follower && !n.stood: // of observers: KAFKA-20514
			return spec.Unknown
		case v == Since40 && f == Prospective:
			return spec.Holds
		}
		return spec.Is(f == Unattached && (!to.HasVote || !from.HasVote || from.Vote.ID == spec.Nil && to.Vote.ID != spec.Nil))
	case Voted:
		return spec.Is(v == Before39 && to.Vote.ID != n.id && (later || f == Unattached))
	case Prospective:
		return spec.Is(v == Since40 && same && (f == Unattached || f == Follower || f == Candidate || f == Resigned ||
			f == Prospective && (!to.HasVote || !from.HasVote || from.Vote.ID == spec.Nil && to.Vote.ID != spec.Nil)))
	case Candidate:
		one := spec.Is(to.Epoch == from.Epoch+1)
		if v == Since40 {
			return one.And(spec.Is(f == Prospective))
		}
		return one.And(spec.Is(f == Unattached || f == Voted || f == Candidate || f == Follower || f == Resigned))
	case Leader:
		return spec.Is(same && f == Candidate)
	case Follower:
		if to.HasLeader && to.Leader == n.id {
			return spec.Fails
		}
		switch {
		case later, f == Unattached, f == Voted, f == Candidate, f == Resigned:
			return spec.Holds // from Resigned: two leaders in one epoch, which the invariant says
		case f == Follower:
			return spec.Is(v != Before39)
		}
		return spec.Is(f == Prospective && v == Since40)
	case Resigned:
		return spec.Is(same && f == Leader)
	}
	return spec.Unknown
}

// atMost reports whether all versions of v are among w; without any it does not.
func (v Columns) atMost(w Columns) bool { return v != 0 && v&^w == 0 }

// allowedFrom says in words what the table allows.
func allowedFrom(f Name) string {
	switch f {
	case Leader:
		return "from Leader: Resigned in its epoch, Unattached or Follower in a later one"
	case Candidate:
		return "from Candidate: Leader or Follower in its epoch, Prospective (4.0) or Candidate of the next one (to 3.9), Unattached or Follower in a later one"
	case Resigned:
		return "from Resigned: Unattached or Follower in a later epoch, Candidate of the next one (to 3.9)"
	case Follower:
		return "from Follower: Prospective in its epoch (4.0), Candidate of the next one (to 3.9), Unattached or Follower in a later one"
	case Prospective:
		return "from Prospective: Unattached or Follower in its epoch, Candidate of the next one, Unattached or Follower in a later one"
	}
	return "from " + f.String() + ": Follower, Prospective (4.0) or a vote in its epoch, Candidate of the next one (to 3.9), Unattached or Follower in a later one"
}
