package simulate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

// Cluster is a cluster that runs.
type Cluster struct {
	Group *spec.Group

	o       Options
	draw    *rand.Rand
	servers []*server // by ID - 1
	network []packet
	side    map[spec.ID]bool // which side of the partition
	parted  bool
	emit    func(*spec.Action)
	ref     spec.Ref
	lines   map[spec.ID]uint64
	value   uint64 // of the last command
}

// packet is a message on its way, with the entries that it carries.
type packet struct {
	message spec.Message
	entries []spec.Entry
	config  spec.ConfigID // InstallSnapshot: the configuration up to the snapshot
}

// Shows is what a whole trace shows.
const Shows = spec.ShowsTerm | spec.ShowsRole | spec.ShowsVote | spec.ShowsLastIndex | spec.ShowsLogTerms |
	spec.ShowsContents | spec.ShowsCommit | spec.ShowsApply | spec.ShowsSends | spec.ShowsReceives | spec.ShowsConfig |
	spec.ShowsConfigLog | spec.ShowsRestart | spec.ShowsSnapshots | spec.ShowsPreVote | spec.ShowsReads |
	spec.ShowsPersist | spec.ShowsClientAcks | spec.ShowsTransfer | spec.ShowsProgress

// Run lets a cluster run for o.Steps steps and gives every action to emit, which
// keeps nothing of it. The group is interned in groups.
func Run(groups *spec.Groups, o Options, emit func(*spec.Action)) {
	c := &Cluster{
		Group: groups.Get("", spec.Profile{Name: "raft", SelfVoteOnTimeout: true}, Shows),
		o:     o, draw: rand.New(rand.NewPCG(o.Seed, 1)), side: make(map[spec.ID]bool), emit: emit,
		lines: make(map[spec.ID]uint64),
	}
	var voters spec.Set
	for i := range o.Servers + o.Spare {
		id := c.Group.Server(fmt.Appendf(nil, "n%d", i+1))
		c.servers = append(c.servers, &server{id: id, role: spec.Follower})
		if i < o.Servers {
			voters.Add(id)
		}
	}
	first := c.Group.Config(spec.Config{Quorums: []spec.Set{voters}})
	if o.Bootstrap {
		c.Group.Profile.BootstrapTerm = 1
	}
	for _, s := range c.servers {
		s.snapshot.Config = first
		if o.Bootstrap {
			s.term, s.log = 1, []spec.Entry{{Kind: spec.Configuration, Index: 1, Term: 1, Config: first, Hash: 1, HasHash: true}}
		}
		c.starts(s)
	}
	for range o.Steps {
		c.step()
	}
}

// act gives an action to whoever reads them.
func (c *Cluster) act(a spec.Action) {
	c.ref++
	c.lines[a.Server]++
	a.Ref, a.Seq = c.ref, c.lines[a.Server]
	c.emit(&a)
}

func (c *Cluster) of(id spec.ID) *server { return c.servers[id-1] }

func (c *Cluster) any() *server { return c.servers[c.draw.IntN(len(c.servers))] }

func (c *Cluster) chance(p float64) bool { return c.draw.Float64() < p }

// step lets one thing happen.
func (c *Cluster) step() {
	o := &c.o
	switch {
	case c.chance(o.Restarts):
		c.restart(c.any())
	case c.chance(o.Partitions):
		c.part()
	case c.chance(o.Snapshots):
		c.compact(c.any())
	case c.chance(o.Changes):
		c.change(c.leader())
	case c.chance(o.Transfers):
		c.handOver(c.leader())
	case c.chance(0.002) || c.leader() == nil && c.chance(0.05):
		c.timeout(c.any())
	case c.chance(0.15):
		c.request(c.leader())
	case c.chance(0.2):
		c.replicate(c.leader())
	case c.chance(0.1):
		c.apply(c.any())
	default:
		c.deliver()
	}
}

// leader returns one of those who think that they lead, or nil.
func (c *Cluster) leader() *server {
	var leaders []*server
	for _, s := range c.servers {
		if s.role == spec.Leader {
			leaders = append(leaders, s)
		}
	}
	if len(leaders) == 0 {
		return nil
	}
	return leaders[c.draw.IntN(len(leaders))]
}

// part cuts the cluster in two, or heals it.
func (c *Cluster) part() {
	c.parted = !c.parted
	for _, s := range c.servers {
		c.side[s.id] = c.draw.IntN(2) == 0
	}
}

// send puts a message on its way. One that is lost was sent all the same.
func (c *Cluster) send(s *server, p packet) {
	p.message.From = s.id
	line := p.message
	if line.Type == spec.AppendEntriesRequest {
		line.LeaderMatch, line.Has = s.match[line.To], line.Has|spec.MsgLeaderMatch
	}
	c.act(spec.Action{Kind: spec.Send, Server: s.id, Message: line, After: s.state(), Entries: p.entries})
	if p.message.To == s.id || c.chance(c.o.Loss) || c.parted && c.side[s.id] != c.side[p.message.To] {
		return
	}
	c.network = append(c.network, p)
	if c.chance(c.o.Duplicate) {
		c.network = append(c.network, p)
	}
	if len(c.network) > 200 {
		c.network = slices.Delete(c.network, 0, 100)
	}
}

// deliver lets a message arrive: mostly one of the oldest, now and then any.
func (c *Cluster) deliver() {
	if len(c.network) == 0 {
		return
	}
	k := c.draw.IntN(min(len(c.network), 4))
	if c.chance(0.1) {
		k = c.draw.IntN(len(c.network))
	}
	p := c.network[k]
	c.network = slices.Delete(c.network, k, k+1)
	s := c.of(p.message.To)
	before := s.state()
	c.act(spec.Action{Kind: spec.Receive, Server: s.id, Message: p.message, Before: before, Entries: p.entries})
	c.handle(s, &p)
}
