package simulate

import (
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

// starts says what a server read back from its disk.
func (c *Cluster) starts(s *server) {
	after := s.state()
	after.Has |= spec.HasSnapshot | spec.HasFirstIndex
	after.SnapshotIndex, after.SnapshotTerm = s.snapshot.Index, s.snapshot.Term
	after.FirstIndex = s.snapshot.Index + 1
	c.act(spec.Action{Kind: spec.Restart, Server: s.id, Flags: spec.Durable, After: after})
}

// restart kills a server and starts it again: what is not on disk is gone.
func (c *Cluster) restart(s *server) {
	*s = server{id: s.id, term: s.term, vote: s.vote, log: s.log, snapshot: s.snapshot, role: spec.Follower,
		commit: s.snapshot.Index, applied: s.snapshot.Index}
	c.starts(s)
}

// compact takes a snapshot of what is applied and discards the log up to it.
func (c *Cluster) compact(s *server) {
	e, ok := s.at(s.applied)
	if !ok || s.applied <= s.snapshot.Index {
		return
	}
	config := s.snapshot.Config
	for _, x := range s.log[:e.Index-s.snapshot.Index] {
		if x.Kind == spec.Configuration {
			config = x.Config
		}
	}
	c.act(spec.Action{Kind: spec.TakeSnapshot, Server: s.id, Index: e.Index, Term: e.Term})
	s.log = slices.Clone(s.log[e.Index-s.snapshot.Index:])
	s.snapshot = spec.Entry{Index: e.Index, Term: e.Term, Config: config}
	c.act(spec.Action{Kind: spec.CompactLog, Server: s.id, Index: e.Index,
		After: spec.State{Has: spec.HasFirstIndex, FirstIndex: e.Index + 1}})
}

// snapshotRequested is HandleInstallSnapshotRequest: Raft Figure 13.
func (c *Cluster) snapshotRequested(s *server, p *packet) {
	m := &p.message
	answer := spec.Message{Type: spec.InstallSnapshotResponse, To: m.From, Term: s.term, Has: spec.MsgTerm}
	if m.Term < s.term {
		c.send(s, packet{message: answer})
		return
	}
	c.follow(s, m.Term)
	if m.LogIndex > s.commit {
		rest := []spec.Entry(nil)
		if e, ok := s.at(m.LogIndex); ok && e.Term == m.LogTerm {
			rest = slices.Clone(s.log[m.LogIndex-s.snapshot.Index:])
		}
		s.log, s.snapshot = rest, spec.Entry{Index: m.LogIndex, Term: m.LogTerm, Config: p.config}
		s.commit, s.applied = m.LogIndex, m.LogIndex
		c.act(spec.Action{Kind: spec.InstallSnapshot, Server: s.id, Index: m.LogIndex, Term: m.LogTerm,
			Flags: spec.Durable, After: s.state()})
	}
	c.send(s, packet{message: answer})
}

// change lets a leader change the configuration by one server, or by a joint
// configuration, if the last change and an entry of its own term are committed.
func (c *Cluster) change(s *server) {
	if s == nil || len(s.log) == 0 {
		return
	}
	id, at := s.config()
	old := c.Group.ConfigOf(id)
	if at > s.commit || s.termAt(s.commit) != s.term || old.Joint() {
		return
	}
	voters := spec.SetOf(old.Quorums[0].Members()...)
	moved := 1
	if c.o.Joint {
		moved = 1 + c.draw.IntN(2)
	}
	for range moved {
		t := c.any().id
		if voters.Has(t) && voters.Len() > 2 {
			voters.Remove(t)
		} else {
			voters.Add(t)
		}
	}
	if voters.Equal(old.Quorums[0]) {
		return
	}
	next := spec.Config{Quorums: []spec.Set{voters}}
	if c.o.Joint {
		next.Quorums = append(next.Quorums, old.Quorums[0])
	}
	c.append(s, spec.Entry{Kind: spec.Configuration, Config: c.Group.Config(next)})
}

// changed goes on after a commit: a committed joint configuration is left, and a
// leader that is no longer in the configuration steps down.
func (c *Cluster) changed(s *server) {
	id, at := s.config()
	if at == 0 || at > s.commit {
		return
	}
	config := c.Group.ConfigOf(id)
	switch {
	case config.Joint():
		next := spec.Config{Quorums: config.Quorums[:1]}
		c.append(s, spec.Entry{Kind: spec.Configuration, Config: c.Group.Config(next)})
	case !config.IsVoter(s.id):
		s.role = spec.Follower
		c.act(spec.Action{Kind: spec.BecomeFollower, Server: s.id, After: s.state()})
	}
}
