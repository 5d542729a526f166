package spec

// Config is a cluster configuration: which servers vote, and which only learn.
//
// A simple configuration has one set of voters. A joint configuration has two,
// and every decision needs a majority of each (Raft §6). CCF decides by a
// majority of each of its active configurations, which may be more than two.
// All three are the same thing: a list of sets that must each agree.
type Config struct {
	Quorums  []Set // each needs a majority; empty only for a server that has no configuration yet
	Learners Set   // receive the log and do not vote
}

// ConfigID is an interned [Config] of a [Group]; zero is "not known".
type ConfigID uint32

// IsVoter reports whether id votes in any of the sets.
func (c *Config) IsVoter(id ID) bool {
	for i := range c.Quorums {
		if c.Quorums[i].Has(id) {
			return true
		}
	}
	return false
}

// Joint reports whether more than one set has to agree.
func (c *Config) Joint() bool { return len(c.Quorums) > 1 }

// Quorum reports whether agreed holds a majority of every set.
// A configuration without voters has no quorum.
func (c *Config) Quorum(agreed Set) bool {
	for i := range c.Quorums {
		if c.Quorums[i].Both(agreed)*2 <= c.Quorums[i].Len() {
			return false
		}
	}
	return len(c.Quorums) > 0
}

// key is equal for equal configurations only.
func (c *Config) key() string {
	b := c.Learners.append(nil)
	for i := range c.Quorums {
		b = append(b, '+')
		b = c.Quorums[i].append(b)
	}
	return string(b)
}

// Equal reports whether c and d have the same sets in the same order.
func (c *Config) Equal(d *Config) bool {
	if len(c.Quorums) != len(d.Quorums) || !c.Learners.Equal(d.Learners) {
		return false
	}
	for i := range c.Quorums {
		if !c.Quorums[i].Equal(d.Quorums[i]) {
			return false
		}
	}
	return true
}
