package toy

import (
	"fmt"
	"maps"
	"math/rand/v2"
)

// Message is one message between two servers.
type Message struct {
	Type     string
	ID       string // who sent it, and its number
	From, To string
	Term     int
	Body     fields // what its type has besides, by the paper's names
	Entries  []Entry
}

func (m Message) number(key string) int { return m.Body[key].(int) }

// fields is what a line shows of a message.
func (m Message) fields() fields {
	f := fields{"id": m.ID, "from": m.From, "to": m.To, "term": m.Term}
	maps.Copy(f, m.Body)
	if m.Type == "AppendEntriesRequest" {
		entries := []fields{}
		for i, e := range m.Entries {
			entries = append(entries, e.fields(m.number("prevLogIndex")+1+i))
		}
		f["entries"] = entries
	}
	return f
}

// send sends a message. The line is written before it can arrive.
func (s *Server) send(action string, m Message) {
	s.net.sent++
	m.ID, m.From, m.Term = fmt.Sprintf("%s:%d", s.ID, s.net.sent), s.ID, s.CurrentTerm
	s.trace.Step(s, action, fields{"message": m.fields()})
	s.net.queue = append(s.net.queue, m)
}

// Network carries messages; it loses some and delays others.
type Network struct {
	Servers map[string]*Server // those that are up
	rand    *rand.Rand
	queue   []Message
	sent    int
}

// Deliver handles what is under way: of ten messages one is lost, one comes later.
func (n *Network) Deliver() {
	due := n.queue
	n.queue = nil
	for _, m := range due {
		switch to, up := n.Servers[m.To]; {
		case !up || n.rand.IntN(10) == 0:
		case n.rand.IntN(10) == 0:
			n.queue = append(n.queue, m)
		default:
			to.Receive(m)
		}
	}
}

// Cluster returns a network with a server of each name, none of them started.
// The seed decides everything that is random.
func Cluster(seed uint64, trace Trace, ids ...string) (*Network, []*Server) {
	random := rand.New(rand.NewPCG(seed, 0))
	net := &Network{Servers: map[string]*Server{}, rand: random}
	var servers []*Server
	for _, id := range ids {
		s := &Server{ID: id, net: net, trace: trace, rand: random}
		for _, peer := range ids {
			if peer != id {
				s.peers = append(s.peers, peer)
			}
		}
		servers = append(servers, s)
	}
	return net, servers
}
