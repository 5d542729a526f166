package spec

import "slices"

// Membership changes: Raft §6, thesis §4.

// configLog remembers the configuration entries of all logs, so that a server's
// configuration follows its log: appended ones are in force at once, truncated
// ones are rolled back.
type configLog struct {
	entries ring[configEntry]
	top     uint64 // the highest index of all
}

// maxConfigEntries is how many of them are remembered.
const maxConfigEntries = 32

type configEntry struct {
	tip    Tip
	config ConfigID
	ref    Ref
	by     ID
}

// add remembers the configuration of an entry, and returns what is known of that
// entry already; nil if nothing is.
func (l *configLog) add(t Tip, c ConfigID, ref Ref, by ID) *configEntry {
	for k := range l.entries.kept() {
		if e := l.entries.at(k); e.tip == t {
			return e
		}
	}
	*l.entries.put(maxConfigEntries) = configEntry{t, c, ref, by}
	l.top = max(l.top, t.Index)
	return nil
}

// sameVoters says whether two configurations have the same sets of voters, in
// whatever order.
func (m *Machine) sameVoters(x, y ConfigID) bool {
	a, b := m.Group.ConfigOf(x), m.Group.ConfigOf(y)
	return x == y || a.within(b) && b.within(a)
}

// within says whether each set of voters of c is one of d.
func (c *Config) within(d *Config) bool {
	for i := range c.Quorums {
		if !slices.ContainsFunc(d.Quorums, c.Quorums[i].Equal) {
			return false
		}
	}
	return true
}

// latest returns the last configuration entry of a log, if it is remembered.
func (m *Machine) latest(log Tip) (configEntry, bool) {
	return m.latestBefore(log, log.Index+1)
}

// latestBefore is latest for the entries before an index.
func (m *Machine) latestBefore(log Tip, index uint64) (configEntry, bool) {
	var best configEntry
	for k := range m.configs.entries.kept() {
		e := m.configs.entries.at(k)
		if e.tip.Index > best.tip.Index && e.tip.Index < index && e.tip.Index <= log.Index {
			if at, known := m.Lineage.At(log, e.tip.Index); known && at == e.tip {
				best = *e
			}
		}
	}
	return best, best.config != 0
}

// configFromLog puts the configuration of a server's log in force, unless the
// implementation waits until it is applied.
func (m *Machine) configFromLog(s *Server) {
	if m.Group.Profile.ConfigOnApply {
		return
	}
	e, ok := m.latest(s.Log)
	if ok && (s.Config == 0 || e.tip.Index > s.configIndex) { // an older one may be shown again
		s.setConfig(e.config)
	}
}

func (s *Server) setConfig(c ConfigID) {
	s.Config, s.configIndex = c, s.Log.Index
}

// configMoved lets the configuration follow a log that has changed from old: one
// that was appended is in force, one that was truncated no longer is. A line that
// shows the configuration itself is believed instead.
func (m *Machine) configMoved(s *Server, old Tip) {
	t := s.Log
	switch {
	case m.configs.entries.n == 0 || m.Group.Profile.ConfigOnApply:
		return
	case t.Run == old.Run && t.Index >= old.Index && old.Index >= m.configs.top:
		return // it only grew, and by none of the configurations that are known
	case m.action != nil && m.action.After.Has&HasConfig != 0:
		return
	}
	now, has := m.latest(t)
	if has && now.tip.Index > old.Index {
		s.setConfig(now.config)
		return
	}
	was, had := m.latest(old)
	switch {
	case !had || has && was.tip == now.tip:
	case s.shownIndex < was.tip.Index && (!has || now.tip.Index <= s.shownIndex):
		s.setConfig(s.shown)
	case has:
		s.setConfig(now.config)
	default:
		s.setConfig(0)
	}
}

// forgetConfig makes the configuration of s unknown.
func (s *Server) forgetConfig() { s.Config, s.shown = 0, 0 }

// observeConfig takes the configuration that a line shows.
func (m *Machine) observeConfig(s *Server, c *State) {
	if old := m.config(s); old != nil && c.Config != s.Config && !m.Group.Profile.UncheckedConfigs {
		next := m.Group.ConfigOf(c.Config)
		truth := singleStep(old, next)
		if truth == Fails && (!m.Group.shows(ShowsConfig) || m.mayHaveSkipped(s, c) || m.inForceElsewhere(s, c.Config)) {
			truth = Unknown
		}
		if m.check(SingleStepOrJoint, truth) {
			m.explainStep(s, old, next)
		}
	}
	s.setConfig(c.Config)
	if c.Has&HasLastIndex != 0 {
		s.configIndex = c.LastIndex
	}
	s.shown, s.shownIndex = c.Config, s.configIndex
}

// inForceElsewhere says whether another server is in a configuration already.
// Then it is rather a line with the step between that is missing than the step.
func (m *Machine) inForceElsewhere(s *Server, c ConfigID) bool {
	for _, t := range m.servers {
		if t != nil && t != s && t.Config == c {
			return true
		}
	}
	return false
}

// mayHaveSkipped says whether there may be another configuration between the one
// in force and the one that a line shows: a log that has grown by more than one
// entry may have passed several, and so may a follower's, whose last entries can
// be replaced. Where a configuration is in force when it is applied, each of
// them has a line.
func (m *Machine) mayHaveSkipped(s *Server, c *State) bool {
	if s.inbox.snapshot.Type != NoMessage {
		return true
	}
	if m.Group.Profile.ConfigOnApply {
		return false
	}
	if s.is(Leader) != Holds {
		return true
	}
	last := s.Log.Index
	if c.Has&HasLastIndex != 0 {
		last = c.LastIndex
	} else if !s.knows(HasLastIndex) {
		return true
	}
	return last > s.configIndex+1
}

func (m *Machine) explainStep(s *Server, old, next *Config) {
	b := m.breach(SingleStepOrJoint, s)
	b.Message = sprintf("server %s went from configuration %s to %s; that is more than one voter at a time and no joint step",
		m.name(s.ID), m.configText(old), m.configText(next))
	b.Fields = []Field{FieldConfig}
	b.Allowed = sprintf("one voter more or less than %s, or a joint configuration with it", m.configText(old))
	b.Help = "a lost line with the configuration between would look like this"
	m.finish(b, "shows configuration "+m.configText(next))
}

// singleStep says whether a configuration may follow another directly: a
// majority of one always meets a majority of the other.
func singleStep(old, next *Config) Truth {
	if len(old.Quorums) == 0 || len(next.Quorums) == 0 {
		return Unknown
	}
	for i := range old.Quorums {
		for j := range next.Quorums {
			a, b := old.Quorums[i], next.Quorums[j]
			if len(old.Quorums) == 1 && len(next.Quorums) == 1 {
				both := a.Both(b)
				return Is(a.Len()-both+b.Len()-both <= 1)
			}
			if a.Equal(b) {
				return Holds // entering or leaving a joint configuration
			}
		}
	}
	return Fails
}

// changeConfiguration checks a leader that proposes a new configuration.
func (m *Machine) changeConfiguration(s *Server, a *Action) {
	if m.Group.Profile.UncheckedConfigs {
		return
	}
	var next *Config
	for i := range a.Entries {
		if e := &a.Entries[i]; e.Kind == Configuration {
			next = m.Group.ConfigOf(e.Config)
			if s.knows(HasLastIndex) && e.Index <= s.Log.Index {
				return // already in the log
			}
		}
	}
	if s.knows(HasRole) && s.Role != Leader || s.CurrentTerm <= m.Group.Profile.BootstrapTerm && s.Role != Leader {
		return
	}
	m.oneChangeAtATime(s)
	m.changeAfterOwnCommit(s, a)
	if old := m.config(s); old != nil && next != nil {
		truth := singleStep(old, next)
		if truth == Fails && !m.Group.shows(ShowsConfig) && !m.Group.shows(ShowsConfigLog) {
			truth = Unknown // the steps between need not have a line
		}
		if m.check(SingleStepOrJoint, truth) {
			m.explainStep(s, old, next)
		}
	}
}

// oneChangeAtATime: the last configuration entry is committed before the next
// is appended (thesis §4.1). A leader that goes on to the second half of its own
// joint change waits likewise.
func (m *Machine) oneChangeAtATime(s *Server) {
	truth := Unknown
	e, ok := m.latest(s.Log)
	if ok && s.knows(HasCommit) && !m.Group.Profile.ConfigOnApply {
		truth = m.withinCommit(s, e.tip.Index)
	}
	if m.check(OneChangeAtATime, truth) {
		b := m.breach(OneChangeAtATime, s)
		b.Message = sprintf("leader %s proposed another configuration; the one at %s is not committed yet, its commit index is %d",
			m.name(s.ID), m.tip(e.tip), s.CommitIndex)
		m.because(b, e.ref, s.ID, Nil, true, "appends configuration "+m.configText(m.Group.ConfigOf(e.config)), "")
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldAction, FieldCommit, FieldConfig}
		b.Allowed = sprintf("waiting until %d is committed", e.tip.Index)
		m.finish(b, "proposes a configuration")
	}
}

// changeAfterOwnCommit: a leader changes the configuration only after an entry
// of its own term is committed, since otherwise a change of an older leader may
// still be around (the 2015 bug of the single-server change).
func (m *Machine) changeAfterOwnCommit(s *Server, a *Action) {
	truth := Unknown
	run := m.Lineage.Find(s.CurrentTerm)
	if s.knows(HasTerm|HasRole|HasCommit) && run != 0 && m.Lineage.Run(run).Rooted && !m.Group.Profile.ConfigOnApply {
		truth = m.withinCommit(s, m.Lineage.Run(run).Low)
	}
	if m.check(ChangeAfterOwnCommit, truth) {
		b := m.breach(ChangeAfterOwnCommit, s)
		b.Message = sprintf("leader %s of term %d proposed a configuration; nothing of its own term is committed yet, its commit index is %d",
			m.name(s.ID), s.CurrentTerm, s.CommitIndex)
		m.becauseOf(b, s, varRole)
		m.becauseOf(b, s, varCommit)
		b.Fields = []Field{FieldAction, FieldTerm, FieldCommit}
		b.Allowed = "waiting until the first entry of its own term is committed"
		m.finish(b, "proposes a configuration")
	}
}

func hasConfigEntry(entries []Entry) bool {
	for i := range entries {
		if entries[i].Kind == Configuration {
			return true
		}
	}
	return false
}
