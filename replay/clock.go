package replay

import (
	"cmp"
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

// ClockContradiction is the largest difference by which a message was received
// before it was sent, by the clocks of the two servers: so much, at least, the
// clock of the receiver is behind that of the sender.
type ClockContradiction struct {
	Receiver, Sender int   // streams
	Size             int64 // nanoseconds
	Received, Sent   spec.Ref
	Count            uint64 // messages between the two for which it is so
}

// jitter is how much later than it happened a line may be written, in
// nanoseconds: a message is often on its way before the line about it is.
const jitter = 5e6

// compare looks at the clocks of the receiver, whose next line receives a message,
// and of its sender. The receiver's is set forward if it is behind.
func (m *Merge) compare(receiver, sender int, sent *letter) {
	s, l := &m.streams[receiver], m.streams[receiver].line
	if l.Time == 0 || sent.time == 0 {
		return
	}
	if late := sent.time + m.streams[sender].shift - s.at; late > 0 {
		s.shift += late
		s.at += late
	}
	size := sent.time - l.Time
	if size < max(jitter, l.Grain, sent.grain) {
		return
	}
	c := m.clocks[receiver*len(m.streams)+sender]
	if c == nil {
		c = &ClockContradiction{Receiver: receiver, Sender: sender}
		m.clocks[receiver*len(m.streams)+sender] = c
	}
	c.Count++
	if size > c.Size {
		c.Size, c.Received, c.Sent = size, l.Action.Ref, sent.ref
	}
}

// Clocks returns what the clocks of the servers contradict, the largest first.
func (m *Merge) Clocks() (found []*ClockContradiction) {
	for _, c := range m.clocks {
		if c != nil {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b *ClockContradiction) int { return cmp.Compare(b.Size, a.Size) })
	return found
}
