package kraft

import "github.com/tracecheck/tracecheck/spec"

// voteKept: within an epoch a vote neither changes its directory nor goes away.
// That it goes to another id is what vote-once says.
func (m *Machine) voteKept(n *node, from, to *State) {
	if !from.HasEpoch || !to.HasEpoch || from.Epoch != to.Epoch || !from.HasVote || !to.HasVote || from.Vote.ID == spec.Nil {
		return
	}
	x, y := from.Vote, to.Vote
	truth := spec.Holds
	switch {
	case y.ID == spec.Nil:
		// Up to 3.9 the vote is dropped when the epoch's leader is learnt.
		truth = spec.Is(to.Name == Follower && !to.Versions.atMost(Since40))
	case x.ID == y.ID && x.Directory != y.Directory && x.Directory != 0 && y.Directory != 0:
		truth = spec.Fails
	}
	if m.check(VoteKept, truth) {
		b := m.breach(VoteKept, n, spec.FieldVote)
		b.Message = sprintf("server %s has voted for %s in epoch %d, and now its vote of that epoch is another",
			m.base.Name(n.id), m.base.Name(x.ID), from.Epoch)
		if y.ID == spec.Nil {
			b.Message = sprintf("server %s has voted for %s in epoch %d, and now shows no vote of that epoch",
				m.base.Name(n.id), m.base.Name(x.ID), from.Epoch)
		}
		m.because(b, n.ref, n.id, "is "+m.text(&m.was))
		m.finish(b, "becomes "+m.text(to))
	}
}

// voterOnly: only a voter stands for election. Whom it counts votes of are the
// voters, as it knows them.
func (m *Machine) voterOnly(n *node, from, to *State) {
	truth := spec.Unknown
	switch {
	case to.HasBallots:
		truth = spec.Is(to.Asked.Has(n.id))
	case from.Voters.Known && from.Versions.atMost(Before39): // static voters
		truth = spec.Is(from.Voters.Set.Has(n.id))
	}
	if m.check(VoterStands, truth) {
		b := m.breach(VoterStands, n, spec.FieldConfig, spec.FieldRole)
		b.Message = sprintf("server %s stands for election in epoch %d and is not one of the voters", m.base.Name(n.id), to.Epoch)
		m.because(b, n.ref, n.id, "is "+m.text(&m.was))
		m.finish(b, "becomes "+m.text(to))
	}
}

// majority: a candidate that becomes leader has the votes of a majority.
func (m *Machine) majority(n *node, from, to *State) {
	truth := spec.Unknown
	if from.HasBallots {
		truth = spec.Is(from.Granted.Both(from.Asked)*2 > from.Asked.Len())
	}
	if m.check(LeaderHasMajority, truth) {
		b := m.breach(LeaderHasMajority, n, spec.FieldMessageResult, spec.FieldRole)
		b.Message = sprintf("server %s becomes leader of epoch %d with the votes of %d of %d voters",
			m.base.Name(n.id), to.Epoch, from.Granted.Both(from.Asked), from.Asked.Len())
		m.because(b, n.ref, n.id, "is "+m.text(&m.was))
		b.Allowed = sprintf("at least %d votes", from.Asked.Len()/2+1)
		m.finish(b, "becomes leader")
	}
}

// voteDecided: the server has answered a vote request.
func (m *Machine) voteDecided(n *node, a *Action) {
	v := &a.Vote
	m.ofCluster(n, v.Cluster)
	if !v.Pre && (!m.asked.Known || v.Epoch >= m.asked.Epoch) {
		m.asked = request{*v, m.base.Ref()}
	}
	if !v.Granted {
		return
	}
	m.grantsInState(n, v)
	if v.Known {
		m.grantsUpToDate(n, v)
		m.requestSane(n, v)
	}
	if !v.Pre {
		m.votes(n, v.Epoch, v.Candidate.ID)
	}
}

// grantsInState: in which states a vote is given.
func (m *Machine) grantsInState(n *node, v *Vote) {
	s := &n.state
	truth := spec.Unknown
	switch {
	case s.Name == Unknown || !s.HasEpoch || s.Epoch < v.Epoch: // the step to the request's epoch was not shown
	case v.Pre:
		truth = spec.Is(s.Name != Leader)
	case s.Epoch > v.Epoch:
		truth = spec.Fails
	case s.Name == Unattached || s.Name == Voted || s.Name == Prospective:
		truth = spec.Holds
	default:
		truth = spec.Fails
	}
	if m.check(GrantsInState, truth) {
		b := m.unsure(GrantsInState, n)
		b.Message = sprintf("server %s grants %s its vote of epoch %d while it is %s",
			m.base.Name(n.id), m.base.Name(v.Candidate.ID), v.Epoch, m.text(s))
		if v.Pre {
			b.Message = sprintf("server %s grants %s a pre-vote while it is %s", m.base.Name(n.id), m.base.Name(v.Candidate.ID), m.text(s))
		}
		m.because(b, n.ref, n.id, "becomes "+m.text(s))
		b.Allowed = "granting while Unattached, Voted or Prospective in that epoch"
		m.finish(b, "grants the vote")
	}
}

// grantsUpToDate: a candidate whose log ends before the voter's own high
// watermark lacks what is committed, whatever the epoch of its last record.
func (m *Machine) grantsUpToDate(n *node, v *Vote) {
	truth := spec.Unknown
	if n.hasHigh {
		truth = spec.Is(v.LastEnd >= n.high)
	}
	if m.check(GrantsUpToDate, truth) {
		b := m.breach(GrantsUpToDate, n, spec.FieldMessageIndex, spec.FieldMessageResult)
		b.Message = sprintf("server %s, whose high watermark is %d, grants a vote to %s, whose log ends at %d",
			m.base.Name(n.id), n.high, m.base.Name(v.Candidate.ID), v.LastEnd)
		m.because(b, n.highRef, n.id, sprintf("has high watermark %d", n.high))
		b.Allowed = sprintf("a candidate whose log ends at %d or later", n.high)
		m.finish(b, sprintf("grants a log that ends at %d", v.LastEnd))
	}
}

// requestSane: the last record of a candidate's log is of an earlier epoch.
func (m *Machine) requestSane(n *node, v *Vote) {
	truth := spec.Is(v.LastEpoch < v.Epoch || v.Pre && v.LastEpoch == v.Epoch)
	if m.check(RequestSane, truth) {
		b := m.breach(RequestSane, n, spec.FieldMessageLogTerm, spec.FieldMessageTerm)
		b.Message = sprintf("server %s grants a vote of epoch %d to %s, which says that its last record is of epoch %d",
			m.base.Name(n.id), v.Epoch, m.base.Name(v.Candidate.ID), v.LastEpoch)
		m.finish(b, "grants the vote")
	}
}

// becameActive: the controller of a leader becomes active when the leader's
// first batch, of its LeaderChange record, is committed and read.
func (m *Machine) becameActive(n *node, a *Action) {
	if a.HasEpoch {
		m.leads(n, n.id, a.Epoch, 0, false)
	}
	truth := spec.Unknown
	if a.HasOffset && a.HasEpoch && n.startOf == a.Epoch && n.startRef != 0 {
		truth = spec.Is(a.Offset > n.start)
	}
	if m.check(ActiveAfterLeaderChange, truth) {
		b := m.breach(ActiveAfterLeaderChange, n, spec.FieldLastIndex)
		b.Message = sprintf("the controller of server %s becomes active in epoch %d and writes at offset %d, before the record that begins the epoch at %d",
			m.base.Name(n.id), a.Epoch, a.Offset, n.start)
		m.because(b, n.startRef, n.id, sprintf("leads epoch %d from offset %d", a.Epoch, n.start))
		m.finish(b, sprintf("writes at offset %d", a.Offset))
	}
}
