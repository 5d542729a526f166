package kraft

import (
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/metadata"
)

// Machine is the reference machine of one quorum.
type Machine struct {
	base    *spec.Machine
	nodes   []*node // by ID; nodes[0] is unused
	decided []spec.Tally
	action  *Action
	acting  *node
	was     State // of the acting server, before the action

	asked     request
	snapshots []snapshot // ascending in end offset
	batches   []held     // a ring by base offset; nil until the first batch on a disk
	elected   uint64     // the latest epoch whose LeaderChange was read
}

// request is the latest vote request that a line has shown.
type request struct {
	Vote
	ref spec.Ref
}

// New returns the machine of a quorum over the core's machine; it is what
// [spec.Group.Protocol] is set to.
func New(base *spec.Machine) spec.Protocol {
	return &Machine{base: base, nodes: make([]*node, 1, 8), decided: make([]spec.Tally, len(WithRecords))}
}

// node is what is known of a server, a voter or an observer.
type node struct {
	id spec.ID
	as spec.ID // who it is to the invariants: with a new disk it is somebody else

	state State // the last one shown; Unknown where lines are missing
	ref   spec.Ref

	stable    State // what quorum-state holds
	stableRef spec.Ref
	attempt   State // what was being written to it; Unknown if nothing was
	lives     int   // starts from an empty disk
	empty     *emptyStart
	cluster   uint32 // whose requests it has answered; 0 is not known
	time      uint64 // of its latest line

	voters Voters // in force, as far as shown
	fixed  bool   // no line has shown another set than the first
	stood  bool   // it was a voter: it has been prospective, a candidate or a leader

	high    uint64 // its high watermark is at least that, in this incarnation
	hasHigh bool
	highRef spec.Ref
	told    uint64         // the high watermark that was made a fact last
	open    []*spec.Breach // that stand only if its state was the one shown
	topHigh uint64         // the highest that it ever had on this disk

	end    uint64 // in this epoch its log as leader ends there, or later
	hasEnd bool
	endRef spec.Ref

	start    uint64 // where the log ended when it was elected in epoch startOf
	startOf  uint64
	startRef spec.Ref

	disk  diskLog         // the log on its disk, as far as read
	image *metadata.Image // what its records come to; nil without any
	load  *metadata.Image // the same of a snapshot that is being read
	ends  uint64          // the end offset of the snapshot that was told of last
	ready *metadata.Image // that of a snapshot that was read whole, up to which the log has not come yet

	describedOf  uint64 // the epoch that controllers said it leads, and its high watermark in it
	described    uint64
	describedRef spec.Ref
}

func (m *Machine) node(id spec.ID) *node {
	for int(id) >= len(m.nodes) {
		m.nodes = append(m.nodes, nil)
	}
	n := m.nodes[id]
	if n == nil {
		n = &node{id: id, as: id, fixed: true}
		m.nodes[id] = n
	}
	return n
}

// Step implements [spec.Protocol].
func (m *Machine) Step(a *spec.Action) {
	own, ok := a.Own.(*Action)
	if !ok {
		return
	}
	n := m.node(a.Server)
	m.action, m.acting, m.was = own, n, n.state
	m.inTime(n, own.Time)
	switch own.Kind {
	case Transition:
		m.transition(n, own)
	case Attempt:
		m.attempted(n, own)
	case VoteDecided:
		m.voteDecided(n, own)
	case LeadersHigh:
		m.leadersHigh(n, own)
	case FollowersHigh:
		m.followersHigh(n, own)
	case Truncated:
		m.truncated(n, own)
	case SnapshotLoaded:
		m.snapshotLoaded(n, own)
	case SnapshotTaken:
		m.snapshotTaken(n, own)
	case LeaderAppended:
		m.leaderAppended(n, own)
	case FollowerAppended:
		m.followerAppended(n, own)
	case VotersChanged:
		n.learn(own.Voters)
	case BecameActive:
		m.becameActive(n, own)
	case LeaderSeen:
		if own.Leader != spec.Nil && own.HasEpoch {
			m.leads(n, own.Leader, own.Epoch, 0, false)
		}
	case ClusterNamed:
		m.ofCluster(n, own.Vote.Cluster)
	case LinesMissing:
		n.lose()
	case LogBegins:
		m.logBegins(n, own)
	case BatchHeld, LeaderChangeHeld:
		m.batchHeld(n, own)
	case SnapshotHeld:
		m.snapshotOnDisk(n, own)
	case RecordHeld:
		m.recordHeld(n, own)
	case SnapshotRecordHeld:
		m.snapshotRecordHeld(n, own)
	case EpochListed:
		m.epochListed(n, own)
	case QuorumStateHeld:
		m.quorumStateHeld(n, own)
	case QuorumDescribed:
		m.quorumDescribed(own)
	case ReplicaDescribed:
		m.replicaDescribed(own)
	}
}

// Gap implements [spec.Protocol].
func (m *Machine) Gap() {
	for _, n := range m.nodes {
		if n != nil {
			n.lose()
		}
	}
}

// lose forgets what may have changed unseen. What is on the disk is at least
// what was there.
func (n *node) lose() {
	n.state, n.attempt = State{}, State{}
	n.hasHigh, n.hasEnd, n.open = false, false, n.open[:0]
	n.disk, n.describedRef = diskLog{}, 0
	n.image, n.load, n.ready = nil, nil, nil
	if n.stable.Name != Unknown {
		n.stable = State{Name: Unknown, Epoch: n.stable.Epoch, HasEpoch: n.stable.HasEpoch}
	}
}

// backwards is by how many milliseconds a line may be earlier than the one before
// it: threads take the time before they write.
const backwards = 500

// inTime notices lines that are out of order, or a clock that was set back. What
// was known of the server is of another time then.
func (m *Machine) inTime(n *node, time uint64) {
	if time == 0 {
		return
	}
	if n.time > time+backwards {
		b := m.breach(spec.TimeGoesOn, n, spec.FieldAction)
		b.Message = sprintf("a line of server %s is %.3f s earlier than the one before it", m.base.Name(n.id), float64(n.time-time)/1000)
		m.finish(b, "goes back in time")
		n.lose()
		n.stable = State{}
	}
	n.time = time
}

// learn takes in the voters that a line shows.
func (n *node) learn(v Voters) {
	if !v.Known || v.Set.Len() == 0 {
		return
	}
	if n.voters.Known && !n.voters.Set.Equal(v.Set) {
		n.fixed = false
	}
	v.Directories = v.Directories || n.voters.Directories
	n.voters = v
}

// Tally implements [spec.Protocol].
func (m *Machine) Tally(r *spec.Rule) (spec.Tally, bool) {
	rules := WithRecords
	if m.base.Group.Shows&spec.ShowsContents == 0 {
		rules = Rules
	}
	for i := range rules {
		if rules[i] == r {
			return m.decided[i], true
		}
	}
	return spec.Tally{}, false
}

// check counts what a rule was found to be, and reports whether it is a breach.
func (m *Machine) check(r *spec.Rule, t spec.Truth) bool {
	for i := range WithRecords {
		if WithRecords[i] != r {
			continue
		}
		return m.decide(i, t)
	}
	panic("kraft: rule " + r.ID + " is not listed")
}

// decide counts what the rule at a place in [WithRecords] was found to be, and reports whether it
// is a breach.
func (m *Machine) decide(i int, t spec.Truth) bool {
	switch t {
	case spec.Holds:
		m.decided[i].Verified++
	case spec.Unknown:
		m.decided[i].Assumed++
	case spec.Fails:
		m.decided[i].Broken++
	}
	return t == spec.Fails
}

// breach begins a breach at the present line.
func (m *Machine) breach(r *spec.Rule, n *node, fields ...spec.Field) *spec.Breach {
	b := m.base.NewBreach(r, n.id)
	b.Fields = fields
	m.base.AddBreach(b)
	return b
}

// unsure begins a breach that rests on the state which the server showed last. If
// the line of a step between were missing it would be none; so it waits until the
// server's next step, which says which state it goes out from.
func (m *Machine) unsure(r *spec.Rule, n *node) *spec.Breach {
	b := m.base.NewBreach(r, n.id)
	if len(n.open) < 64 {
		n.open = append(n.open, b)
	}
	return b
}

// settle lets what is open stand, or drops it.
func (m *Machine) settle(n *node, stands bool) {
	for _, b := range n.open {
		if stands {
			m.base.AddBreach(b)
		}
	}
	n.open = n.open[:0]
}

func (m *Machine) because(b *spec.Breach, ref spec.Ref, id spec.ID, what string) {
	m.base.Because(b, ref, id, what)
}

// finish ends the evidence with the present line.
func (m *Machine) finish(b *spec.Breach, what string) { m.base.Finish(b, what) }

// StepName implements [spec.Protocol].
func (m *Machine) StepName(a *spec.Action) string {
	own, ok := a.Own.(*Action)
	if !ok {
		return a.Name()
	}
	s := kindNames[own.Kind] + "(" + m.base.Name(a.Server)
	if own.Kind == Transition || own.Kind == Attempt {
		s += ", " + own.From.Name.String() + " → " + own.To.Name.String()
	}
	return s + ")"
}

// Standing implements [spec.Protocol]: the epoch and the high watermark.
func (m *Machine) Standing(server spec.ID) (s spec.Standing, ok bool) {
	if int(server) >= len(m.nodes) || m.nodes[server] == nil {
		return s, false
	}
	n := m.nodes[server]
	if n.state.HasEpoch {
		s.Known, s.CurrentTerm = s.Known|spec.HasTerm, n.state.Epoch
	} else if n.disk.known {
		s.Known, s.CurrentTerm = s.Known|spec.HasTerm, n.disk.epoch
	}
	if n.hasHigh {
		s.Known, s.CommitIndex = s.Known|spec.HasCommit, n.high
	} else if n.describedRef != 0 {
		s.Known, s.CommitIndex = s.Known|spec.HasCommit, n.described
	}
	return s, true
}

// View implements [spec.Protocol].
func (m *Machine) View(server spec.ID) string {
	if int(server) >= len(m.nodes) || m.nodes[server] == nil {
		return ""
	}
	if d := &m.nodes[server].disk; d.known || d.end > 0 {
		return "server " + m.base.Name(server) + ": " + d.text()
	}
	s := &m.nodes[server].state
	if n := m.acting; n != nil && n.id == server {
		s = &m.was
	}
	return "server " + m.base.Name(server) + ": " + m.text(s)
}
