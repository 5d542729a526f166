package spec

import (
	"fmt"
	"slices"
)

// Explorer is a breadth-first model checker over the small steps of this
// package. It exists in tests only, so that it needs no exported interface: the
// guards and effects are those that replay uses, over an exact bag of messages.

// Bound is a finite piece of raft.tla's state space, as a TLC CONSTRAINT: a
// successor outside it counts as generated, and is neither kept nor explored.
type Bound struct {
	Name             string
	Servers, Values  int
	MaxTerm, MaxLog  uint64
	MaxMsgs, MaxCopy int
	Faults           bool // Restart, DuplicateMessage and DropMessage are part of Next
}

// Dropped names one guard of one step that an exploration leaves out.
type Dropped struct{ Step, Rule string }

// Variant is what an exploration changes from raft.tla's letter.
type Variant struct {
	Profile   Profile
	Dropped   []Dropped
	StartTerm uint64 // currentTerm of Init
	Batch     uint64 // entries in one AppendEntries at most
	Quorums   []Set  // the configuration; nil for all servers
}

// Letter is raft.tla as published.
var Letter = Variant{Profile: Profile{MatchAsLastSaid: true}, StartTerm: 1, Batch: 1}

// Outcome is what an exploration has found.
type Outcome struct {
	Distinct, Generated, Depth int
	Breach                     string // the first breach: a rule's name; empty if there is none
	Step                       string // the step that led to it
	Cut                        bool   // the limit of states was reached
}

// words is the size of an encoded state: one word for each server, one for each
// message.
const words = 6

type point [words]uint64

// Explorer explores one bound.
type Explorer struct {
	Bound
	Variant
	Limit int // states at most; 0 for all

	// Edge is shown every step: the server before and after it, and m.Facts. It
	// returns the name of the rule that the step breaks, or nothing. Point is shown
	// every distinct state.
	Edge  func(m *Machine, before *Server, after *Server) string
	Point func(m *Machine, sent []Message) string

	Outcome
	m      *Machine
	config ConfigID
	bag    bag
	values [16][8]uint8 // of entries, by run and index
	points []point      // distinct states, in the order in which they are found
	table  []uint32     // open addressing: position in points plus one, 0 is free
	now    point        // the state whose successors are made
	ids    []ID
	before Server
	sent   []Message
}

// Explore looks at every state within the bound, until a breach.
func (x *Explorer) Explore() Outcome {
	groups := &Groups{}
	g := groups.Get("", x.Profile, ^Facts(0))
	all := Set{}
	for i := range x.Servers {
		id := g.Server([]byte{byte('a' + i)})
		all.Add(id)
		x.ids = append(x.ids, id)
	}
	quorums := x.Quorums
	if quorums == nil {
		quorums = []Set{all}
	}
	x.config = g.Config(Config{Quorums: quorums})
	x.m = NewOver(g, &x.bag)
	x.m.action = &Action{Kind: Observe, Server: 1}
	x.table = make([]uint32, 1<<12)
	x.begin()
	for next, level := 0, 0; next < len(x.points) && x.Breach == ""; next++ {
		if next == level {
			x.Depth++
			level = len(x.points)
		}
		if x.Limit > 0 && len(x.points) > x.Limit {
			x.Cut = true
			break
		}
		x.load(x.points[next])
		x.next()
	}
	x.Distinct = len(x.points)
	return x.Outcome
}

// begin adds the initial state.
func (x *Explorer) begin() {
	for _, id := range x.ids {
		s := x.m.server(id)
		s.grow(ID(x.Servers))
		s.CurrentTerm, s.Role, s.Config = x.StartTerm, Follower, x.config
		x.now[id-1] = x.encodeServer(s)
	}
	x.Generated = 1
	x.add(x.now)
}

// yield takes the present state of the machine, in which only s and the bag may
// differ from the state that was loaded, as a successor, and goes back.
func (x *Explorer) yield(step *Transition, name string, s *Server, logs bool) {
	x.Generated++
	if step != nil {
		name = step.Name
	}
	if r := x.Edge(x.m, &x.before, s); r != "" && x.Breach == "" {
		x.Breach, x.Step = r, name
	}
	if s.CurrentTerm <= x.MaxTerm && s.Log.Index <= x.MaxLog && x.bag.within(x.MaxMsgs, x.MaxCopy) {
		p := x.now
		p[s.ID-1] = x.encodeServer(s)
		x.bag.encode(p[x.Servers:])
		if x.add(p) {
			x.sent = x.bag.messages(x.sent[:0])
			if r := x.Point(x.m, x.sent); r != "" && x.Breach == "" {
				x.Breach, x.Step = r, name
			}
		}
	}
	x.m.Facts = x.m.Facts[:0]
	x.bag.decode(x.now[x.Servers:])
	if logs {
		x.loadLogs()
	}
	x.decodeServer(s, x.now[s.ID-1], !logs)
}

// add puts a state into the set and reports whether it is new.
func (x *Explorer) add(p point) bool {
	if 2*len(x.points) >= len(x.table) {
		grown := make([]uint32, 2*len(x.table))
		for i := range x.points {
			at := slot(grown, x.points, &x.points[i])
			grown[at] = uint32(i + 1)
		}
		x.table = grown
	}
	at := slot(x.table, x.points, &p)
	if x.table[at] != 0 {
		return false
	}
	x.points = append(x.points, p)
	x.table[at] = uint32(len(x.points))
	return true
}

// slot returns where a state is in a table, or where it would be.
func slot(table []uint32, points []point, p *point) uint64 {
	h := uint64(0)
	for _, w := range p {
		h = mix(h ^ w)
	}
	mask := uint64(len(table) - 1)
	at := h & mask
	for table[at] != 0 && points[table[at]-1] != *p {
		at = (at + 1) & mask
	}
	return at
}

// letter is a message with a count: what the bag holds.
type letter struct {
	Message
	value  [4]uint8  // of its entries
	terms  [4]uint64 // of its entries
	copies int
}

// bag is raft.tla's messages: a function from messages to how many there are. A
// message whose last copy goes leaves the domain.
type bag struct {
	list    []letter
	entries letter // the terms and values of what is sent next
}

// Send implements [Network]: WithMessage.
func (b *bag) Send(m *Message) {
	l := letter{Message: *m, copies: 1}
	if m.Entries > 0 {
		l.value, l.terms = b.entries.value, b.entries.terms
	}
	key := l.pack()
	for i := range b.list {
		if b.list[i].pack() == key {
			b.list[i].copies++
			return
		}
	}
	b.list = append(b.list, l)
}

// WasSent implements [Network]; the bag does not remember what has left it.
func (b *bag) WasSent(m *Message) Truth { return Unknown }

// discard is WithoutMessage.
func (b *bag) discard(k int) {
	b.list[k].copies--
	if b.list[k].copies == 0 {
		b.list = slices.Delete(b.list, k, k+1)
	}
}

func (b *bag) within(messages, copies int) bool {
	if len(b.list) > messages {
		return false
	}
	for i := range b.list {
		if b.list[i].copies > copies {
			return false
		}
	}
	return true
}

func (b *bag) messages(list []Message) []Message {
	for i := range b.list {
		list = append(list, b.list[i].Message)
	}
	return list
}

func (b *bag) encode(to []uint64) {
	clear(to)
	for i := range b.list {
		to[i] = b.list[i].pack()<<3 | uint64(b.list[i].copies)
	}
	slices.SortFunc(to, func(x, y uint64) int {
		if x > y {
			return -1
		}
		return 1
	})
}

func (b *bag) decode(from []uint64) {
	b.list = b.list[:0]
	for _, w := range from {
		if w == 0 {
			return
		}
		b.list = append(b.list, unpack(w))
	}
}

// packer writes small numbers into a word, and panics if one does not fit.
type packer struct {
	word uint64
	n    int
}

func (p *packer) put(v uint64, bits int) {
	if v>>bits != 0 || p.n+bits > 64 {
		panic(fmt.Sprintf("%d does not fit into %d bits after %d", v, bits, p.n))
	}
	p.word |= v << p.n
	p.n += bits
}

func (p *packer) take(bits int) uint64 {
	v := p.word & (1<<bits - 1)
	p.word >>= bits
	return v
}

const width = 3 // of a term, an index, a server

func (l *letter) pack() uint64 {
	var p packer
	p.put(uint64(l.Type), 4)
	p.put(uint64(l.From), width)
	p.put(uint64(l.To), width)
	p.put(l.Term, width)
	p.put(l.LogIndex, width)
	p.put(l.LogTerm, width)
	p.put(l.Commit, width)
	p.put(l.Match, width)
	p.put(uint64(Is(l.Success)-Holds), 1)
	p.put(l.Entries, width)
	for k := range l.Entries {
		p.put(l.terms[k], width)
		p.put(uint64(l.value[k]), 1)
	}
	return p.word
}

// has are the fields that each type of message shows.
var has = [NumMessageTypes]MessageFields{
	RequestVoteRequest:    MsgTerm | MsgLogIndex | MsgLogTerm,
	RequestVoteResponse:   MsgTerm | MsgSuccess,
	AppendEntriesRequest:  MsgTerm | MsgLogIndex | MsgLogTerm | MsgEntries | MsgCommit,
	AppendEntriesResponse: MsgTerm | MsgSuccess | MsgMatch,
}

func unpack(w uint64) (l letter) {
	p := packer{word: w}
	l.copies = int(p.take(3))
	l.Type = MessageType(p.take(4))
	l.Has = has[l.Type]
	l.From, l.To = ID(p.take(width)), ID(p.take(width))
	l.Term, l.LogIndex, l.LogTerm = p.take(width), p.take(width), p.take(width)
	l.Commit, l.Match = p.take(width), p.take(width)
	l.Success = p.take(1) == 0
	l.Entries = p.take(width)
	for k := range l.Entries {
		l.terms[k], l.value[k] = p.take(width), uint8(p.take(1))
	}
	return l
}

// mix is the finaliser of MurmurHash3: every bit of x changes half of the result.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return x
}
