package replay

import (
	"cmp"

	"github.com/tracecheck/tracecheck/spec"
)

// window is how many lines ahead the send of a message is looked for when every
// server waits for one.
const window = 512

// force returns the stream that goes on although the message that its next line
// receives is yet to be sent, when all of them wait; -1 if all have ended. It is
// one whose message is sent in none of the next lines of its sender, the oldest.
// If each is sent there, the lines of some server are not in the order in which
// things happened, and the one goes on that is the least far.
func (m *Merge) force() int {
	best, missing := -1, false
	for i := range m.streams {
		s := &m.streams[i]
		if s.line == nil {
			continue
		}
		gone := !m.sendsSoon(int(s.sender), s.waits, s.line.Action.Message.Type)
		switch o := &m.streams[max(best, 0)]; {
		case best < 0, gone && !missing:
			best, missing = i, gone
		case gone != missing:
		case gone && s.before(o), !gone && s.behind(o):
			best = i
		}
	}
	if best >= 0 {
		m.Forced++
	}
	return best
}

// behind says whether s is less far in the life of the cluster.
func (s *stream) behind(o *stream) bool {
	return cmp.Or(cmp.Compare(s.term, o.term), cmp.Compare(s.index, o.index), cmp.Compare(s.at, o.at)) < 0
}

// sendsSoon says whether a stream sends a message within the window. If it sends
// none of that type there, and never has, nobody waits for one of it from then on.
func (m *Merge) sendsSoon(sender int, key uint64, t spec.MessageType) bool {
	s := &m.streams[sender]
	for k := 1; k < window; k++ {
		l := s.lines.Ahead(k)
		if l == nil {
			break
		}
		if a := l.Action; a != nil && a.Kind == spec.Send {
			s.sends |= 1 << a.Message.Type
			if at, _ := m.key(a); at == key {
				return true
			}
		}
	}
	if s.sends&(1<<t) == 0 {
		s.mute |= 1 << t
	}
	return false
}
