package replay

import "github.com/tracecheck/tracecheck/spec"

// Standings tells what is known of every server of every group now: its term and how far it has committed, where known.
// It is for those who watch a live log.
func (c *Checker) Standings(each func(g *spec.Group, server spec.ID, s spec.Standing)) {
	for i, m := range c.machines {
		if m == nil {
			continue
		}
		g := c.groups.List[i]
		for id := 1; id <= g.Servers(); id++ {
			if s, ok := m.Standing(spec.ID(id)); ok {
				each(g, spec.ID(id), s)
			}
		}
	}
}

// Groups is how many groups have been seen.
func (c *Checker) Groups() (n int) {
	for _, m := range c.machines {
		if m != nil {
			n++
		}
	}
	return n
}

// Broken tells how often each rule was found broken so far, repeats included.
func (c *Checker) Broken(each func(r *spec.Rule, times uint64)) {
	for r, times := range c.broken {
		each(r, times)
	}
}

// Waiting tells of what will be a violation unless lines turn out to be missing near it, which the next lines show.
func (c *Checker) Waiting(each func(r *spec.Rule, times uint64)) {
	for _, m := range c.machines {
		if m == nil {
			continue
		}
		for _, w := range m.doubts.waiting {
			each(w.Finding.Rule, 1+uint64(w.Finding.Folded))
		}
	}
}
