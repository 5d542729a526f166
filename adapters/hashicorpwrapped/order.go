package hashicorpwrapped

import "github.com/tracecheck/tracecheck/spec"

// The wrapper numbers the lines of all servers together, so in the file of one
// server the numbers rise and skip those of the others. A line that does not rise
// comes again or late. In a file of all servers the numbers are whole, and one
// that is missing is a line that was lost.

// order watches the numbers of a whole file.
type order struct {
	last     uint64
	first    *node
	prev     *node
	lines    int
	gaps     int  // how often a number was missing
	switches int  // how often the server changed
	shared   bool // lines of several servers stand in it
	decided  bool // whether it is one of all servers
	whole    bool // it is
	lost     bool // lines are missing, and no action has said so yet
}

// Whether a file in which several servers take turns is one of all servers is decided
// after so many lines: it is unless numbers are missing all the time, as in one of
// some of them. Until then a number that is missing is taken for a line that was lost.
const (
	enoughLines    = 50
	enoughSwitches = 5
	rareGaps       = 4 // lines for each gap, at least
)

// next takes the number of a line. A line of no server has n = nil.
func (o *order) next(n *node, seq uint64) {
	o.lines++
	if o.last != 0 && seq > o.last+1 {
		o.gaps++
		o.lost = o.lost || o.shared && (o.whole || !o.decided)
	}
	o.last = max(o.last, seq)
	if n == nil {
		return
	}
	switch {
	case o.first == nil:
		o.first = n
	case n != o.first && !o.shared:
		o.shared, o.lost = true, o.gaps > 0
	}
	if o.prev != nil && n != o.prev {
		o.switches++
	}
	o.prev = n
	if !o.decided && o.lines >= enoughLines && o.switches >= enoughSwitches {
		o.decided, o.whole = true, o.gaps*rareGaps <= o.lines
	}
}

// place is where a server's lines have come to.
type place struct {
	seq, ts, inc uint64
	base         uint64 // added to the numbers of a process that counts from 1 again
}

// number hands a line's number on, and reports whether the line comes again or
// late. A process that starts may count anew.
func (d *decoder) number(n *node, a *spec.Action) (late bool) {
	p := &n.place
	if d.seq == 0 {
		return false
	}
	if d.ev == "start" && p.base+d.seq <= p.seq && (d.ts > p.ts || d.inc > p.inc) {
		p.base = p.seq
		d.order = order{} // each process counts for itself
	}
	a.Seq = p.base + d.seq
	a.Flags = spec.SparseSeq
	if a.Seq <= p.seq {
		return true
	}
	d.order.next(n, d.seq)
	d.group.Counted = d.order.whole
	p.seq, p.ts, p.inc = a.Seq, d.ts, d.inc
	if d.order.lost {
		for _, n := range d.nodes {
			n.role, n.termKnown = spec.UnknownRole, false // the line of the last change may be missing
		}
	}
	return false
}

// tellLost lets an action say that lines are missing before it.
func (o *order) tellLost(a *spec.Action) {
	if o.lost {
		a.Flags |= spec.LinesLost
		o.lost = false
	}
}
