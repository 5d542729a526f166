package hashicorpwrapped

import "github.com/tracecheck/tracecheck/spec"

// The wrapper numbers the lines of all servers together, so in the file of one
// server the numbers rise and skip those of the others. A line that does not rise
// comes again or late. In a file of all servers the numbers are whole, and one
// that is missing is a line that was lost.

// order watches the numbers of a whole file.
type order struct {
	last     uint64
	prev     *node
	run      int  // lines so far, each with the number after the one before it
	switches int  // how often the server changed within them
	whole    bool // the file is one of all servers
	skips    bool // it is not: a number was missing before it was taken for one
	lost     bool // lines are missing, and no action has said so yet
}

// A file is taken for one of all servers after so many lines that follow each
// other from the first on, of servers that take turns. The numbers of a few
// servers may follow each other for a while by chance.
const (
	enoughLines    = 50
	enoughSwitches = 5
)

// next takes the number of a line. A line of no server has n = nil.
func (o *order) next(n *node, seq uint64) {
	switch {
	case o.last == 0:
	case seq == o.last+1:
		o.run++
		if n != nil && o.prev != nil && n != o.prev {
			o.switches++
		}
		o.whole = o.whole || !o.skips && o.run >= enoughLines && o.switches >= enoughSwitches
	case seq > o.last && o.whole:
		o.lost = true
	case seq > o.last:
		o.skips = true
	}
	o.last = max(o.last, seq)
	if n != nil {
		o.prev = n
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
