package hashicorpwrapped

import "github.com/tracecheck/tracecheck/spec"

// sequence follows the numbers of a file's lines. In a file with all servers each
// line has the number after the one before it; in a file of some of them there are
// jumps, which mean nothing.
type sequence struct {
	last  uint64
	run   int // how many numbers have followed each other since the first
	whole bool
}

// trusted is how many numbers must follow each other before a jump is taken for
// lines that are lost.
const trusted = 50

// number gives an action its number among its server's lines. Where lines are
// lost nobody can say whose they were, so that every server's numbers jump.
func (d *decoder) number(n *node, a *spec.Action) {
	n.lines++
	if n.lost {
		n.lines, n.lost = n.lines+1, false
	}
	a.Seq = n.lines
}

// follow notes the number of a line. It reports whether the line is a new one.
func (d *decoder) follow() bool {
	s := &d.sequence
	last := s.last
	switch {
	case d.seq == 0 || last == 0:
	case d.seq <= last:
		return !s.whole
	case d.seq == last+1:
		s.run++
		s.whole = s.whole || s.run >= trusted && len(d.nodes) > 1
	case s.whole:
		for _, n := range d.nodes {
			n.lost = true
		}
	default:
		s.run = -1 << 60 // never whole
	}
	s.last = d.seq
	return true
}
