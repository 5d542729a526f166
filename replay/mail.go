package replay

import "github.com/tracecheck/tracecheck/spec"

// letter is a message that was sent: its key, and when and where.
type letter struct {
	key   uint64
	time  int64 // by the sender's clock; 0 if not told
	grain int64
	ref   spec.Ref

	granted bool // an answer that says yes
}

// maxLetters bounds what is remembered of the messages to one server: the younger
// and the older generation hold that many each. A message that arrives after so
// many others is taken for one that nobody sent.
const maxLetters = 1 << 13

// mail is the messages to one server, as sets by open addressing. When the younger
// one is full the older one is forgotten.
type mail struct{ young, old letters }

type letters struct {
	slots []letter
	count int
}

// find returns a message that was sent, or nil.
func (m *mail) find(key uint64) *letter {
	if l := m.young.find(key); l != nil {
		return l
	}
	return m.old.find(key)
}

// put adds a message. Of several that look the same the first one counts, as a
// message that arrives may be any of them.
func (m *mail) put(l letter) *letter {
	if was := m.young.find(l.key); was != nil {
		return was
	}
	if was := m.old.find(l.key); was != nil {
		l = *was // it shall last as long as the later one
	}
	if m.young.count == maxLetters {
		m.young, m.old = m.old, m.young
		clear(m.young.slots)
		m.young.count = 0
	}
	if 2*m.young.count >= len(m.young.slots) {
		m.young.grow()
	}
	return m.young.put(l)
}

func (s *letters) find(key uint64) *letter {
	if s.count == 0 {
		return nil
	}
	mask := uint64(len(s.slots) - 1)
	for i := key & mask; s.slots[i].key != 0; i = (i + 1) & mask {
		if s.slots[i].key == key {
			return &s.slots[i]
		}
	}
	return nil
}

// put adds a message that is not there to slots of which at least half are free.
func (s *letters) put(l letter) *letter {
	mask := uint64(len(s.slots) - 1)
	i := l.key & mask
	for s.slots[i].key != 0 {
		i = (i + 1) & mask
	}
	s.slots[i] = l
	s.count++
	return &s.slots[i]
}

func (s *letters) grow() {
	was := s.slots
	s.slots, s.count = make([]letter, max(64, 2*len(was))), 0
	for _, l := range was {
		if l.key != 0 {
			s.put(l)
		}
	}
}
