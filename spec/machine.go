package spec

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

	// Elections, Restarts, MaxTerm and MaxCommit are counted for the report.
	Elections, Restarts uint64
	MaxTerm, MaxCommit  uint64

	contents Contents
	configs  configLog
	servers  []*Server // by ID; servers[0] is unused
	tallies  []Tally   // by slot of the rule

	ref    Ref     // the line of the present action
	action *Action // the present action
	actor  *Server
	quiet  bool    // this action already had a breach: adopt, do not check
	steps  [4]Step // see with
	nSteps int
	tips   [32]Tip // see reachable
}

// Tally counts how often a rule could be decided.
type Tally struct{ Verified, Assumed, Broken uint64 }

// New returns the machine of a group of which nothing is known yet. It
// remembers sent messages as fingerprints.
func New(g *Group) *Machine {
	return NewOver(g, NewFingerprints())
}

// NewOver returns a machine over a given network.
func NewOver(g *Group, net Network) *Machine {
	return &Machine{
		Group: g, Lineage: NewLineage(), Net: net,
		servers: make([]*Server, 1, 8), tallies: make([]Tally, len(Rules)),
	}
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
func (m *Machine) Tally(r *Rule) Tally { return m.tallies[r.slot] }

// Gap says that lines were lost: whatever any server did meanwhile is unknown.
// What was a fact stays one.
func (m *Machine) Gap() {
	for _, s := range m.servers[min(1, len(m.servers)):] {
		if s != nil {
			s.Known, s.Log.Run, s.Role = 0, 0, UnknownRole
			s.forgetConfig()
			s.VotesComplete, s.MatchComplete = false, false
			s.late.waiting = false
			s.inbox.complete = false
			s.inbox.leaderCommit = ^uint64(0)
			s.inbox.highestTerm = ^uint64(0)
		}
	}
	m.configs.n = 0 // later ones may have been missed
	if f, ok := m.Net.(*Fingerprints); ok {
		f.Forget()
	}
}

// check counts a rule's decision and reports whether it is a breach.
func (m *Machine) check(r *Rule, t Truth) bool {
	if m.quiet {
		return false
	}
	tally := &m.tallies[r.slot]
	switch t {
	case Holds:
		tally.Verified++
	case Unknown:
		tally.Assumed++
	default:
		tally.Broken++
		return true
	}
	return false
}

// Step replays one action. a.Server must not be Nil.
func (m *Machine) Step(a *Action) {
	m.Facts, m.Breaches = m.Facts[:0], m.Breaches[:0]
	m.ref, m.action, m.quiet = a.Ref, a, false
	s := m.server(a.Server)
	m.actor = s
	if a.Flags&Restarted != 0 && a.Kind != Restart {
		m.restart(s)
		s.Known, s.Role = 0, UnknownRole // it may have gone on from there unseen
	}
	if s.late.waiting {
		m.announceCommit(s)
	}
	m.observe(s, &a.Before)
	switch a.Kind {
	case Restart:
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
	m.observe(s, &a.After)
	if a.Kind == Send {
		m.send(s, a)
	}
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
	}
	if c.Has&HasVote != 0 && c.VotedFor != Nil && s.knows(HasTerm) {
		m.fixVote(s, s.CurrentTerm, c.VotedFor, m.ref)
	}
	if c.Has&HasLastIndex != 0 {
		m.fixLog(s, s.Log, m.ref)
	}
}
