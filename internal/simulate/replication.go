package simulate

import "github.com/tracecheck/tracecheck/spec"

// append lets a leader append one entry, durably.
func (c *Cluster) append(s *server, e spec.Entry) {
	c.value++
	e.Index, e.Term, e.Hash, e.HasHash = s.last().Index+1, s.term, c.value*0x9e3779b97f4a7c15, true
	s.log = append(s.log, e)
	kind := spec.ClientRequest
	if e.Kind == spec.Configuration {
		kind = spec.ChangeConfiguration
	}
	c.act(spec.Action{Kind: kind, Server: s.id, Flags: spec.Durable, Entries: []spec.Entry{e}, After: s.state()})
	c.advance(s)
}

// request is a client's. Clients wait when too much of what they sent before is
// not committed.
func (c *Cluster) request(s *server) {
	if s != nil && s.last().Index < s.commit+50 {
		c.append(s, spec.Entry{Kind: spec.Command})
	}
}

// replicate lets a leader send what each server lacks, or a heartbeat.
func (c *Cluster) replicate(s *server) {
	if s == nil {
		return
	}
	for _, id := range c.others(s) {
		next := s.next[id]
		if next <= s.snapshot.Index {
			c.send(s, packet{config: s.snapshot.Config, message: spec.Message{
				Type: spec.InstallSnapshotRequest, To: id, Term: s.term, LogIndex: s.snapshot.Index, LogTerm: s.snapshot.Term,
				Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm,
			}})
			continue
		}
		entries := s.from(next, c.draw.IntN(c.o.Batch+1))
		c.send(s, packet{entries: entries, message: spec.Message{
			Type: spec.AppendEntriesRequest, To: id, Term: s.term, LogIndex: next - 1, LogTerm: s.termAt(next - 1),
			Entries: uint64(len(entries)), Commit: s.commit,
			Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit,
		}})
	}
}

// handle is what a server makes of a message that arrives.
func (c *Cluster) handle(s *server, p *packet) {
	m := &p.message
	switch m.Type {
	case spec.PreVoteRequest:
		c.preVoteRequested(s, m)
		return
	case spec.PreVoteResponse:
		if m.Success {
			c.voted(s, m)
			return
		}
	}
	if m.Term > s.term {
		c.follow(s, m.Term)
	}
	switch m.Type {
	case spec.RequestVoteRequest:
		c.voteRequested(s, m)
	case spec.RequestVoteResponse:
		c.voted(s, m)
	case spec.AppendEntriesRequest:
		c.appendRequested(s, p)
	case spec.AppendEntriesResponse:
		c.answered(s, m)
	case spec.InstallSnapshotRequest:
		c.snapshotRequested(s, p)
	case spec.InstallSnapshotResponse:
		if s.role == spec.Leader && m.Term == s.term {
			s.next[m.From] = max(s.next[m.From], s.snapshot.Index+1) // the next answer tells how far it really is
		}
	case spec.TimeoutNow:
		if m.Term == s.term && s.role == spec.Follower && c.votes(s) {
			c.campaign(s, true)
		}
	}
}

// appendRequested is HandleAppendEntriesRequest.
func (c *Cluster) appendRequested(s *server, p *packet) {
	m := &p.message
	answer := spec.Message{
		Type: spec.AppendEntriesResponse, To: m.From, Term: s.term, Has: spec.MsgTerm | spec.MsgSuccess,
	}
	if m.Term < s.term {
		c.send(s, packet{message: answer})
		return
	}
	c.follow(s, m.Term)
	end := m.LogIndex + m.Entries
	if m.LogIndex < s.snapshot.Index {
		if end <= s.snapshot.Index {
			return // an old request, all of which the snapshot covers
		}
	} else if e, ok := s.at(m.LogIndex); !ok || e.Term != m.LogTerm {
		c.send(s, packet{message: answer})
		return
	}
	var written []spec.Entry
	for i, e := range p.entries {
		if e.Index <= s.snapshot.Index {
			continue
		}
		if mine, ok := s.at(e.Index); ok && mine.Term == e.Term {
			continue
		}
		s.log = append(s.log[:e.Index-s.snapshot.Index-1:e.Index-s.snapshot.Index-1], p.entries[i:]...)
		written = p.entries[i:]
		break
	}
	if len(written) > 0 {
		after := s.state()
		c.act(spec.Action{Kind: spec.Observe, Server: s.id, Flags: spec.Durable, Entries: written, After: after})
	}
	if commit := min(m.Commit, end); commit > s.commit {
		s.commit = commit
		c.act(spec.Action{Kind: spec.AdvanceCommitIndex, Server: s.id,
			After: spec.State{Has: spec.HasCommit, CommitIndex: commit}})
	}
	answer.Success, answer.Match = true, end
	answer.Has |= spec.MsgMatch
	c.send(s, packet{message: answer})
}

// answered is HandleAppendEntriesResponse.
func (c *Cluster) answered(s *server, m *spec.Message) {
	if s.role != spec.Leader || m.Term != s.term {
		return
	}
	if !m.Success {
		match := s.match[m.From]
		s.next[m.From] = match + 1 + (max(s.next[m.From], match+1)-match-1)/2 // where they agree is found by halves
		return
	}
	s.match[m.From] = max(s.match[m.From], m.Match)
	s.next[m.From] = s.match[m.From] + 1
	c.advance(s)
}

// advance is AdvanceCommitIndex.
func (c *Cluster) advance(s *server) {
	id, _ := s.config()
	config := c.Group.ConfigOf(id)
	for n := s.last().Index; n > s.commit && s.termAt(n) == s.term; n-- {
		held := spec.SetOf(s.id)
		for peer, match := range s.match {
			if match >= n {
				held.Add(peer)
			}
		}
		if !config.Quorum(held) {
			continue
		}
		s.commit = n
		c.act(spec.Action{Kind: spec.AdvanceCommitIndex, Server: s.id,
			After: spec.State{Has: spec.HasCommit, CommitIndex: n}})
		c.act(spec.Action{Kind: spec.Acknowledge, Server: s.id, Index: n, Term: s.term})
		c.act(spec.Action{Kind: spec.Read, Server: s.id, Index: n})
		c.changed(s)
		return
	}
}

// apply applies the next entry.
func (c *Cluster) apply(s *server) {
	for s.applied < s.commit {
		e, ok := s.at(s.applied + 1)
		if !ok {
			return
		}
		s.applied++
		c.act(spec.Action{Kind: spec.Apply, Server: s.id, Index: e.Index, Term: e.Term, Entries: []spec.Entry{e}})
		if c.chance(0.5) {
			return
		}
	}
}
