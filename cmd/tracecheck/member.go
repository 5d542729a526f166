package main

import (
	"errors"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// whyOther is why a line is not replayed whose server has a log of its own: it
// cannot be told where it belongs.
const whyOther = "line of a server that has a file of its own"

// member is the log of one server of a cluster while it is read. It implements
// [replay.Lines].
type member struct {
	log    *serverLog
	trace  *trace // of the piece that is being read
	next   int    // the piece after it
	number int    // of the first piece among all files
	stamps *ingest.Stamps

	cluster *cluster
	self    spec.ID // the server, in the group below
	group   uint32
	errs    []error
	passed  int64 // bytes of the pieces before

	// ring holds the lines that were read and not taken, from the next one on, and
	// the one that was taken last. Nearly always that is one line.
	ring  []*slot
	from  int // of the next line
	count int
	taken *slot
}

// slot is a line that was read.
type slot struct {
	rec    ingest.Record
	data   []byte // its own copy of rec.Data, if other lines were read after it
	action spec.Action
	out    adapters.Outcome
	line   replay.Line
}

// Ahead implements [replay.Lines].
func (m *member) Ahead(k int) *replay.Line {
	for m.count <= k {
		if !m.read() {
			return nil
		}
	}
	return &m.slot(k).line
}

// Take implements [replay.Lines].
func (m *member) Take() {
	m.taken = m.slot(0)
	m.from = (m.from + 1) & (len(m.ring) - 1)
	m.count--
}

func (m *member) slot(k int) *slot { return m.ring[(m.from+k)&(len(m.ring)-1)] }

// read reads one more line into the ring.
func (m *member) read() bool {
	if m.count+1 >= len(m.ring) { // the one that was taken last keeps its place
		m.grow()
	}
	if m.count > 0 { // what it points to is overwritten
		last := m.slot(m.count - 1)
		last.data = append(last.data[:0], last.rec.Data...)
		last.rec.Data = last.data
	}
	s := m.slot(m.count)
	for {
		var ok bool
		if s.out, ok = m.trace.next(&s.rec, &s.action); ok {
			break
		}
		if !m.turn() {
			return false
		}
	}
	m.count++
	s.line = replay.Line{}
	if s.out.Verdict == adapters.Checked && s.action.Server != spec.Nil {
		s.action.Ref = s.rec.Ref
		s.line.Action = &s.action
		if (s.action.Server != m.self || s.action.Group != m.group) && !m.own(&s.action) {
			s.out = adapters.Outcome{Verdict: adapters.Ignored, Why: whyOther}
			s.line.Action = nil
		}
	}
	if m.stamps != nil {
		if stamp, ok := m.stamps.Read(s.rec.Data); ok {
			s.line.Time, s.line.Grain = stamp.Time, stamp.Grain
		}
	}
	return true
}

func (m *member) grow() {
	was := m.ring
	m.ring = make([]*slot, max(4, 2*len(was)))
	for k := range was {
		m.ring[k] = was[(m.from+k)&(len(was)-1)]
	}
	for k := len(was); k < len(m.ring); k++ {
		m.ring[k] = &slot{}
	}
	m.from = 0
}

// own says whether an action is not of a server that has a log of its own.
func (m *member) own(a *spec.Action) bool {
	owner := m.cluster.byServer[m.cluster.groups.List[a.Group].NameOf(a.Server)]
	if owner != nil && owner != m {
		return false
	}
	m.self, m.group = a.Server, a.Group
	return true
}

// turn goes on with the next piece of a rotated log.
func (m *member) turn() bool {
	if m.trace.source.Err() != nil {
		m.errs = append(m.errs, m.trace.source.Err())
	}
	if m.next == len(m.log.paths) {
		return false
	}
	src, _, err := openSource(m.log.paths[m.next], m.number+m.next)
	if err != nil {
		m.errs = append(m.errs, err)
		m.next = len(m.log.paths)
		return false
	}
	m.passed += m.trace.source.Offset()
	m.trace.source.Close()
	m.trace.source = src
	m.next++
	return true
}

// open opens the first piece.
func (m *member) open(a *adapters.Adapter, groups *spec.Groups) error {
	src, _, err := openSource(m.log.paths[0], m.number)
	if err != nil {
		return err
	}
	d := a.New(groups)
	introduce(d, m.log.name, src)
	if d, ok := d.(adapters.Member); ok && len(m.cluster.members) > 1 {
		d.Member(m.log.server)
	}
	m.trace, m.next = &trace{source: src, adapter: a, groups: groups, decoder: d}, 1
	return nil
}

func (m *member) err() error { return errors.Join(m.errs...) }
