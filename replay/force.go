package replay

import (
	"cmp"

	"github.com/tracecheck/tracecheck/spec"
)

// window is how many lines ahead a line that others depend on is looked for when
// every server waits for one.
const window = 512

// How sure it is that a line which waits does so in vain, the surest last.
const (
	sentSoon   = iota // the message that it receives is sent within the window
	sentNever         // it is not
	entersTerm        // it waits for a term to begin, which need not be shown
)

// force returns the stream that goes on although its next line depends on one that
// is yet to come, when all of them wait; -1 if all have ended. Rather than receive
// a message before it is sent, a server enters a term before it has begun. Else it
// is one whose message is sent in none of the next lines of its sender, the oldest.
// If each is sent there, the lines of some server are not in the order in which
// things happened, and the one goes on that is the least far.
func (m *Merge) force() int {
	best, sure := -1, 0
	for i := range m.streams {
		s := &m.streams[i]
		if s.line == nil {
			continue
		}
		how := sentNever
		switch {
		case s.enters != 0:
			how = entersTerm
		case m.sendsSoon(int(s.sender), s.waits, s.line.Action.Message.Type):
			how = sentSoon
		}
		switch o := &m.streams[max(best, 0)]; {
		case best < 0, how > sure:
			best, sure = i, how
		case how < sure:
		case how == sentSoon && s.behind(o), how != sentSoon && s.before(o):
			best = i
		}
	}
	if best < 0 {
		return best
	}
	m.Forced++
	s := &m.streams[best]
	if a := s.line.Action; sure == entersTerm && m.beginsSoon(best, a.Group, s.enters) != spec.Fails {
		a.Flags |= spec.Unplaced
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
