package spec

import "slices"

// Machine is the reference state machine of one group.
//
// Step takes one action of the trace, refines it into the specification's small
// steps, checks their guards, and compares what the line claims with what the
// machine knows. After Step, Facts holds what became a fact and Breaches what
// was not allowed; both are emptied by the next Step.
type Machine struct {
	Group   *Group
	Lineage *Lineage
	Net     Network

	Facts    []Fact
	Breaches []*Breach

	// Counted for the report.
	Elections, Restarts uint64
	MaxTerm, MaxCommit  uint64
	PassedOver          uint64 // lines that were not replayed, being late or repeated

	contents Contents
	configs  configLog
	servers  []*Server // by ID; servers[0] is unused
	decided  []counts  // by slot of the rule
	inOrders [numOrdinary]uint64

	ref    Ref      // the line of the present action
	was    Standing // its server before it
	action *Action  // the present action
	quiet  bool     // this action already had a breach: adopt, do not check
	steps  [4]Step  // see with
	nSteps uint

	logsMoved uint64 // how often a log changed and its lineage was compared

	tips []Tip // see reachable

	counted counted // by agreed, the last time

	declared Facts       // what the group declared when lasting was worked out
	lasting  StateFields // what is still known of a variable when its line is over

	votesShown bool // somebody has been shown asking for votes

	longWay bool // decide every step guard by guard, as tests do to compare

	protocol Protocol // of the group, if it is not Raft's own
}

// counts counts what a rule was found to be, by Truth.
type counts [4]uint64

// Tally counts how often a rule could be decided.
type Tally struct{ Verified, Assumed, Broken uint64 }

// New returns the machine of a group of which nothing is known yet. It
// remembers sent messages as fingerprints.
func New(g *Group) *Machine {
	return NewOver(g, NewFingerprints())
}

// NewOver returns a machine over a given network.
func NewOver(g *Group, net Network) *Machine {
	m := &Machine{
		Group: g, Lineage: NewLineage(), Net: net,
		servers: make([]*Server, 1, 4), decided: make([]counts, len(Rules)),
	}
	if g.Protocol != nil {
		m.protocol = g.Protocol(m)
	}
	return m
}

// Server returns the view of a server, or nil if no line has shown it.
func (m *Machine) Server(id ID) *Server {
	if int(id) < len(m.servers) {
		return m.servers[id]
	}
	return nil
}

// server returns the view of a server, made on first use with everything unknown.
func (m *Machine) server(id ID) *Server {
	for int(id) >= len(m.servers) {
		m.servers = append(m.servers, nil)
	}
	s := m.servers[id]
	if s == nil {
		s = &Server{ID: id}
		m.servers[id] = s
	}
	return s
}

// Tally returns how often a rule of this package was decided.
func (m *Machine) Tally(r *Rule) Tally {
	if m.protocol != nil {
		t, _ := m.protocol.Tally(r)
		return t
	}
	if !m.Judges(r) {
		return Tally{}
	}
	n := &m.decided[r.slot]
	t := Tally{Verified: n[Holds], Assumed: n[Unknown], Broken: n[Fails]}
	for o, rules := range ordinaryRules {
		if slices.Contains(rules, r) {
			t.Verified += m.inOrders[o]
		}
	}
	return t
}

// LogsMoved returns how often a log changed, each time being compared with the
// lineage. Where it did not agree there is a fact that it [Diverged].
func (m *Machine) LogsMoved() uint64 { return m.logsMoved }

// Gap says that lines were lost: whatever any server did meanwhile is unknown.
// What was a fact stays one.
func (m *Machine) Gap() {
	m.LoseTrack()
	if f, ok := m.Net.(*Fingerprints); ok {
		f.Forget()
	}
}

// LoseTrack makes unknown what every server is now. What was sent is still
// expected to be all that arrives.
func (m *Machine) LoseTrack() {
	if m.protocol != nil {
		m.protocol.Gap()
		return
	}
	for _, s := range m.servers[min(1, len(m.servers)):] {
		if s != nil {
			s.gap()
		}
	}
}

// check counts a rule's decision and reports whether it is a breach.
func (m *Machine) check(r *Rule, t Truth) bool {
	if m.quiet {
		return false
	}
	m.decided[r.slot][t&3]++
	return t == Fails
}

// Step replays one action. a.Server must not be Nil.
func (m *Machine) Step(a *Action) {
	m.Facts, m.Breaches = m.Facts[:0], m.Breaches[:0]
	m.ref, m.action, m.quiet = a.Ref, a, false
	if m.protocol != nil {
		m.protocol.Step(a)
		return
	}
	s := m.Server(a.Server)
	if s == nil {
		s = m.server(a.Server)
	}
	s.acted = true
	if a.Seq != 0 && !m.inSequence(s, a) {
		return
	}
	if m.Group.Profile.RolesAnnounced && a.Kind != Restart && a.Flags&Restarted == 0 {
		m.announcedChanges(s, a)
	}
	m.was = s.Standing
	if a.Flags&Restarted != 0 && a.Kind != Restart {
		m.restart(s)
		s.Known, s.Role = 0, UnknownRole // it may have gone on from there unseen
	}
	if s.late.waiting {
		m.announceCommit(s)
	}
	if b := &a.Before; b.Has != 0 && (b.Has != HasTerm || b.CurrentTerm != s.CurrentTerm || !s.knows(HasTerm)) {
		m.observe(s, b)
	}
	switch a.Kind {
	case Restart:
		m.check(RestartShown, Holds)
		m.restart(s)
	case Timeout:
		m.timeout(s, a)
	case BecomePreCandidate:
		m.becomePreCandidate(s)
	case BecomeLeader:
		m.becomeLeader(s, a)
	case BecomeFollower:
		m.becomeFollower(s, a)
	case ClientRequest, ChangeConfiguration:
		m.clientRequest(s, a)
	case AdvanceCommitIndex:
		if a.Index != 0 && a.After.Has&HasCommit == 0 {
			a.After.Has |= HasCommit
			a.After.CommitIndex = a.Index
		}
	case Apply:
		m.apply(s, a)
	case Read:
		m.read(s, a)
	case Acknowledge:
		m.acknowledge(s, a)
	case Receive:
		m.receive(s, a)
	case TakeSnapshot:
		m.takeSnapshot(s, a)
	case InstallSnapshot:
		m.installSnapshot(s, a)
	case CompactLog:
		m.compactLog(s, a)
	case Observe:
		if len(a.Entries) > 0 {
			m.store(s, a)
		}
	}
	if a.After.Has != 0 {
		m.observe(s, &a.After)
	}
	if a.Kind == Send {
		m.send(s, a)
	}
	if a.Flags != 0 {
		m.flagged(s, a)
	}
	if m.declared != m.Group.Shows {
		m.declared, m.lasting = m.Group.Shows, lasting(m.Group.Shows)
	}
	if s.Known&^m.lasting != 0 {
		s.forget(s.Known &^ m.lasting)
	}
}

// flagged makes facts of what the flags of an action say of its After values.
func (m *Machine) flagged(s *Server, a *Action) {
	if a.Flags&Durable != 0 {
		m.durableClaims(s, &a.After)
	}
	if a.Flags&Persisting != 0 && s.knows(HasTerm|HasVote) {
		m.fact(Fact{Kind: Persisted, Server: s.ID, Peer: s.VotedFor, Term: s.CurrentTerm})
	}
	if a.Flags&HandsOut != 0 && s.knows(HasCommit) {
		m.handOut(s)
	}
}

// durableClaims makes facts of values that the trace says are on stable storage.
func (m *Machine) durableClaims(s *Server, c *State) {
	if c.Has&HasTerm != 0 {
		m.fixTerm(s, c.CurrentTerm, m.ref)
		if !s.durable.shown {
			s.durable.shown, s.durable.since = true, c.CurrentTerm
			if c.Has&HasVote != 0 && c.CurrentTerm > 0 {
				s.durable.since-- // nothing of this term is missing either
			}
		}
	}
	if c.Has&HasVote != 0 && c.VotedFor != Nil && s.knows(HasTerm) {
		m.fixVote(s, s.CurrentTerm, c.VotedFor, m.ref)
	}
	if c.Has&HasLastIndex != 0 {
		m.fixLog(s, s.Log, s.CurrentTerm, m.ref)
	}
}
