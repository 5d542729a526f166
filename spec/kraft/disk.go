package kraft

import "github.com/tracecheck/tracecheck/spec"

// A server that has been in an epoch and starts in epoch 0, with neither a vote
// nor a leader, has an empty disk. What that means the line alone does not say:
//
//   - it is a server of another cluster, which was made anew and writes to the
//     same log file: nothing that it says has to do with what was before;
//   - it is an observer, which may forget everything;
//   - it is a voter with another directory id, and so another voter (KIP-853);
//   - it is the same voter, without its log and its vote.
//
// So what it shows is no fact for the invariants until another line tells that
// the cluster is still the same one.

// emptyStart is a start from an empty disk of which it is not known yet whether it
// is in the cluster of before.
type emptyStart struct {
	ref       spec.Ref
	was       State // what its disk held before
	wasRef    spec.Ref
	high      uint64 // its high watermark before, if known
	knewHigh  bool
	cluster   uint32
	voter     bool // it was one, and its id is all that identifies it
	onlyVoter bool
	reached   bool    // it has learnt a high watermark since
	others    []*node // those that were known then and have not begun anew since
}

// startsEmpty notices that a server starts from an empty disk.
func (m *Machine) startsEmpty(n *node, to *State) bool {
	empty := to.HasEpoch && to.Epoch == 0 && to.Name == Unattached && to.Vote.ID == spec.Nil && to.Leader == spec.Nil
	if !empty || !n.stable.HasEpoch || n.stable.Epoch == 0 {
		return false
	}
	e := &emptyStart{
		ref: m.base.Ref(), was: n.stable, wasRef: n.stableRef, high: n.topHigh, knewHigh: n.topHigh > 0, cluster: n.cluster,
		voter:     (n.stood || n.voters.Known && n.voters.Set.Has(n.id)) && !n.voters.Directories && to.Voters.Set.Has(n.id),
		onlyVoter: n.voters.Set.Len() == 1,
	}
	for _, o := range m.nodes {
		if o == nil {
			continue
		}
		if o != n && o.empty == nil && o.stable.HasEpoch {
			e.others = append(e.others, o)
		}
		if o.empty != nil { // that one has begun anew too
			o.empty.forget(n)
		}
	}
	m.check(VoterKeepsDisk, spec.Unknown)
	n.lives++
	n.as = m.base.Group.Server([]byte(sprintf("%s (disk %d)", m.base.Name(n.id), n.lives+1)))
	if n.as == spec.Nil {
		n.as = n.id
	}
	n.empty, n.stable, n.attempt, n.stood, n.cluster, n.topHigh = e, State{}, State{}, false, 0, 0
	return true
}

func (e *emptyStart) forget(n *node) {
	for i, o := range e.others {
		if o == n {
			e.others = append(e.others[:i], e.others[i+1:]...)
			return
		}
	}
}

// otherGoesOn: a server that has not begun anew takes a step, so its cluster is
// the one of before for those that have.
func (m *Machine) otherGoesOn(n *node) {
	if n.empty != nil {
		return
	}
	for _, o := range m.nodes {
		if o == nil || o.empty == nil {
			continue
		}
		for _, other := range o.empty.others {
			if other == n {
				m.sameCluster(o, "takes another step in the cluster of before")
				break
			}
		}
	}
}

// ofCluster: a vote request names its cluster.
func (m *Machine) ofCluster(n *node, cluster uint32) {
	if cluster == 0 {
		return
	}
	n.cluster = cluster
	if n.empty != nil && n.empty.cluster == cluster {
		m.sameCluster(n, "gets a vote request of the cluster of before")
	}
}

// longLog is how much must have been committed before for the first high watermark
// after the start to tell anything: a server may start late in a new cluster.
const longLog = 10_000

// reaches: a cluster that was made anew begins at offset 0; the first high
// watermark in it does not reach what was known before.
func (m *Machine) reaches(n *node, high uint64) {
	n.topHigh = max(n.topHigh, high)
	if e := n.empty; e != nil && !e.onlyVoter && e.knewHigh {
		if high >= e.high && e.high >= longLog && !e.reached {
			m.sameCluster(n, sprintf("learns at once that the high watermark is %d", high))
			return
		}
		e.reached = true
	}
}

// sameCluster: a server that started from an empty disk did so in the cluster of
// before. As a voter that is known by its id alone it has forgotten its vote, and
// what it held may be committed no more.
func (m *Machine) sameCluster(n *node, what string) {
	e := n.empty
	n.empty = nil
	if m.check(VoterKeepsDisk, spec.Is(!e.voter)) {
		b := m.base.NewBreachAt(e.ref, VoterKeepsDisk, n.id)
		m.base.AddBreach(b)
		b.Message = sprintf("voter %s starts in epoch 0 with an empty disk; it was in epoch %d of the same cluster", m.base.Name(n.id), e.was.Epoch)
		m.because(b, e.wasRef, n.id, "is "+m.text(&e.was))
		m.because(b, e.ref, n.id, "starts in epoch 0")
		b.Allowed = sprintf("a start in epoch %d or a later one", e.was.Epoch)
		b.Help = "a voter whose disk is lost is to be removed and added again with another directory id (KIP-853)"
		m.base.Finish(b, what)
	}
}
