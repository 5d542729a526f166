package replay

import (
	"cmp"

	"github.com/tracecheck/tracecheck/spec"
)

// Line is what a [Merge] has to know of a line of one server.
type Line struct {
	Action *spec.Action // nil: the line says nothing of the protocol
	Time   int64        // nanoseconds since 1970 by the clock of its server; 0 if not told
	Grain  int64        // the smallest difference of two times that the stamp can show, in nanoseconds
}

// Lines are the lines of one server, in the order in which it wrote them.
type Lines interface {
	// Ahead returns the line that stands k places after the next one, 0 being the
	// next one itself; nil if the lines end before it. It is valid until Take.
	Ahead(k int) *Line
	// Take passes over the next line.
	Take()
}

// Merge puts the lines of several servers of one cluster into one order, by
// causality: the lines of a server stay in their order, a message is received after
// it was sent, and a server enters a term that another one has begun after that one
// did. Any order of that kind is one in which the same servers could
// have done the same, each seeing the same; so it does not matter which it is, and
// clocks, which disagree, decide only what causality leaves open.
//
// It holds one line of each server, and of the messages that were sent a
// fingerprint for a while. If every server waits for a line of another, that is
// missing, or stands too late. Then a server goes on without it, see force; that
// nobody sent what it received is a finding of the machine, which takes the
// sender's state for unknown from there on.
type Merge struct {
	groups  *spec.Groups
	names   map[string]int // streams by the name of their server
	owners  [][]int32      // streams by group and server: 1 more than the stream, 0 if not looked up, -1 if none
	streams []stream
	clocks  []*ClockContradiction // by receiver and sender
	terms   []uint64              // by group: the highest term in which a server has been

	strangers int // streams of which no line has shown yet whose they are

	// Forced counts the lines that went on before what they depend on.
	Forced uint64
}

// stream is the lines of one server and how far they have come.
type stream struct {
	lines Lines
	line  *Line // the next; nil at the end, or if it is yet to be looked at
	ended bool

	identified bool // a line has shown whose they are, or they have ended

	waits  uint64 // the key of the message that the next line receives, if it is yet to be sent
	sender int32  // the stream that is to send it
	enters uint64 // the term that the next line enters, if no server has begun it; else 0
	placed bool   // the next line receives what was sent before, or what no stream sends

	at          int64  // the time of the next line, by a clock that contradicts nothing so far
	shift       int64  // what was added to the server's clock for that
	term, index uint64 // where the server has come to
	shown       bool   // it has shown a term
	taken       uint64

	mail  mail   // what was sent to this server
	sends uint32 // the types of messages that it was seen to send, by bit
	mute  uint32 // the types that were looked for ahead and not found
}

// NewMerge returns a merge of the lines of servers, each with the name of its
// server. The groups are those that the lines' actions speak of.
func NewMerge(groups *spec.Groups, names []string, lines []Lines) *Merge {
	m := &Merge{
		groups: groups, names: make(map[string]int), streams: make([]stream, len(lines)),
		clocks: make([]*ClockContradiction, len(lines)*len(lines)), strangers: len(lines),
	}
	for i, l := range lines {
		m.streams[i].lines = l
		m.names[names[i]] = i
	}
	return m
}

// Next returns the stream whose next line is the next of all, and takes it, so
// that the line is what [Lines] of that stream has just passed over. It returns -1
// at the end of all.
func (m *Merge) Next() int {
	best := m.pick()
	if best < 0 {
		if best = m.force(); best < 0 {
			return -1
		}
	}
	s := &m.streams[best]
	if a := s.line.Action; a != nil && a.Kind == spec.Send {
		m.sent(best, s.line)
	} else if a != nil && a.Kind == spec.Receive && !s.placed {
		a.Flags |= spec.Unplaced
	}
	if a := s.line.Action; a != nil && s.term > m.term(a.Group) {
		m.begun(a.Group, s.term)
	}
	s.lines.Take()
	s.taken++
	s.line, s.waits, s.enters = nil, 0, 0
	return best
}

// pick returns the stream whose next line waits for nothing and is the oldest, -1
// if there is none.
func (m *Merge) pick() int {
	best := -1
	for i := range m.streams {
		s := &m.streams[i]
		if s.line == nil {
			if s.ended {
				continue
			}
			if !m.load(i) {
				return m.pick() // who waited for it waits no longer
			}
		}
		if s.waits == 0 && s.enters == 0 && (best < 0 || s.before(&m.streams[best])) {
			best = i
		}
	}
	return best
}

// before says whether the next line of s goes first, as far as causality leaves it
// open: the older one, or else the one that is less far in the life of the cluster.
func (s *stream) before(o *stream) bool {
	if s.at != o.at {
		return s.at < o.at
	}
	return cmp.Or(cmp.Compare(s.term, o.term), cmp.Compare(s.index, o.index), cmp.Compare(s.taken, o.taken)) < 0
}

// load looks at the next line of a stream. It returns false at its end.
func (m *Merge) load(i int) bool {
	s := &m.streams[i]
	s.line = s.lines.Ahead(0)
	if s.line == nil {
		s.ended = true
		m.known(s)
		for k := range m.streams {
			if o := &m.streams[k]; o.waits != 0 && o.sender == int32(i) {
				o.waits = 0
				m.Forced++
			}
		}
		return false
	}
	if s.line.Time != 0 {
		s.at = s.line.Time + s.shift
	}
	a := s.line.Action
	if a == nil {
		return true
	}
	m.identify(i, a)
	shown := s.shown
	s.progress(a)
	if a.Kind == spec.Receive {
		m.receive(i, a)
	} else if shown && s.term > max(m.term(a.Group), m.groups.List[a.Group].Profile.BootstrapTerm) && !begins(a) {
		s.enters = s.term
	}
	return true
}

// identify learns from a line whose the lines of a stream are. The name that the stream was
// given need not be the one that its lines use.
func (m *Merge) identify(i int, a *spec.Action) {
	s := &m.streams[i]
	if s.identified || a.Server == spec.Nil {
		return
	}
	m.known(s)
	if m.owner(a.Group, a.Server) < 0 {
		m.names[m.groups.List[a.Group].NameOf(a.Server)] = i
		m.owners = nil // some were looked for in vain
	}
}

func (m *Merge) known(s *stream) {
	if !s.identified {
		s.identified = true
		m.strangers--
	}
}

// progress notes how far in the life of the cluster a line is.
func (s *stream) progress(a *spec.Action) {
	if a.Before.Has&spec.HasTerm != 0 {
		s.term, s.shown = a.Before.CurrentTerm, true
	}
	if a.After.Has&spec.HasTerm != 0 {
		s.term, s.shown = a.After.CurrentTerm, true
	}
	if a.After.Has&spec.HasLastIndex != 0 {
		s.index = a.After.LastIndex
	} else if a.Before.Has&spec.HasLastIndex != 0 {
		s.index = a.Before.LastIndex
	}
}

// receive lets a stream wait if its next line receives what is yet to be sent, and
// sets its clock if that was sent later than it arrived.
func (m *Merge) receive(i int, a *spec.Action) {
	from := m.owner(a.Group, a.Message.From)
	s := &m.streams[i]
	if from < 0 || from == int32(i) {
		s.placed = from >= 0 || m.strangers == 0 // else its lines may be among those of which it is not known yet whose they are
		return
	}
	s.placed = false
	o := &m.streams[from]
	key, whole := m.key(a)
	if sent := s.mail.find(key); sent != nil {
		s.placed = whole || sent.proves(&a.Message)
		m.compare(i, int(from), sent)
		return
	}
	if o.ended || o.mute&^o.sends&(1<<a.Message.Type) != 0 {
		return
	}
	s.waits, s.sender = key, from
}

// sent notes a message on its way, and wakes who waits for it.
func (m *Merge) sent(i int, l *Line) {
	a := l.Action
	m.streams[i].sends |= 1 << a.Message.Type
	to := m.owner(a.Group, a.Message.To)
	if to < 0 || to == int32(i) {
		return
	}
	s := &m.streams[to]
	key, whole := m.key(a)
	sent := s.mail.put(letter{key, l.Time, l.Grain, a.Ref, a.Message.Success})
	if s.waits == key {
		s.waits = 0
		s.placed = whole || sent.proves(&s.line.Action.Message)
		m.compare(int(to), i, sent)
	}
}

// owner returns the stream of a server of a group, -1 if its lines are not here.
func (m *Merge) owner(group uint32, id spec.ID) int32 {
	for int(group) >= len(m.owners) {
		m.owners = append(m.owners, nil)
	}
	of := m.owners[group]
	for int(id) >= len(of) {
		of = append(of, 0)
		m.owners[group] = of
	}
	if of[id] == 0 {
		of[id] = -1
		if i, ok := m.names[m.groups.List[group].NameOf(id)]; ok && id != spec.Nil {
			of[id] = int32(i) + 1
		}
	}
	return max(of[id]-1, -1)
}

// bothEnds are the facts of a source that shows the same of a message at both ends.
const bothEnds = spec.ShowsSends | spec.ShowsReceives

// key is what a message is recognised by at both of its ends, never 0. Where the
// source does not promise to show both, they may show different fields of it, and
// it is recognised by its type, its ends and its term: then it is not the whole of it.
func (m *Merge) key(a *spec.Action) (key uint64, whole bool) {
	msg := &a.Message
	if m.groups.List[a.Group].Shows&bothEnds == bothEnds {
		return mix(msg.Fingerprint(), uint64(a.Group)), true
	}
	rough := spec.Message{Type: msg.Type, From: msg.From, To: msg.To, Term: msg.Term, Has: msg.Has & spec.MsgTerm}
	return mix(rough.Fingerprint(), uint64(a.Group)), false
}

// proves says whether a message that is known by its type, ends and term only was
// sent before a message like it arrived, so that what that shows of the sender was
// so before.
func (l *letter) proves(msg *spec.Message) bool {
	switch msg.Type {
	case spec.RequestVoteRequest, spec.AppendEntriesRequest, spec.HeartbeatRequest, spec.InstallSnapshotRequest:
		return true
	case spec.RequestVoteResponse:
		return l.granted || !msg.Success
	}
	return false
}

func mix(h, group uint64) uint64 { return max(h^group*0x9e3779b97f4a7c15, 1) }
