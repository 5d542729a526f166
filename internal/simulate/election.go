package simulate

import "github.com/tracecheck/tracecheck/spec"

// persists says that a server's term and vote are on disk.
func (c *Cluster) persists(s *server) {
	c.act(spec.Action{Kind: spec.Observe, Server: s.id, Flags: spec.Durable,
		After: spec.State{Has: spec.HasTerm | spec.HasVote, CurrentTerm: s.term, VotedFor: s.vote}})
}

// votes says whether a server is a voter by its own configuration.
func (c *Cluster) votes(s *server) bool {
	id, _ := s.config()
	return c.Group.ConfigOf(id).IsVoter(s.id)
}

// others are the servers of a configuration without s.
func (c *Cluster) others(s *server) (ids []spec.ID) {
	id, _ := s.config()
	config := c.Group.ConfigOf(id)
	for _, t := range c.servers {
		if t != s && (config.IsVoter(t.id) || config.Learners.Has(t.id)) {
			ids = append(ids, t.id)
		}
	}
	return ids
}

// timeout begins an election, or a pre-vote.
func (c *Cluster) timeout(s *server) {
	if s.role == spec.Leader || !c.votes(s) {
		return
	}
	if !c.o.PreVote {
		c.campaign(s, false)
		return
	}
	s.role, s.votes = spec.PreCandidate, spec.SetOf(s.id)
	c.act(spec.Action{Kind: spec.BecomePreCandidate, Server: s.id, After: s.state()})
	if c.wins(s) {
		c.campaign(s, false)
		return
	}
	for _, id := range c.others(s) {
		c.send(s, packet{message: spec.Message{
			Type: spec.PreVoteRequest, To: id, Term: s.term + 1, LogIndex: s.last().Index, LogTerm: s.last().Term,
			Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm,
		}})
	}
}

func (c *Cluster) campaign(s *server, transfer bool) {
	s.role, s.transfer = spec.Candidate, transfer
	s.term++
	s.vote, s.votes = s.id, spec.SetOf(s.id)
	c.act(spec.Action{Kind: spec.Timeout, Server: s.id, After: s.state()})
	c.persists(s)
	if c.wins(s) {
		c.lead(s)
		return
	}
	for _, id := range c.others(s) {
		c.send(s, packet{message: spec.Message{
			Type: spec.RequestVoteRequest, To: id, Term: s.term, LogIndex: s.last().Index, LogTerm: s.last().Term,
			Transfer: transfer, Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgTransfer,
		}})
	}
}

// wins says whether a candidate or pre-candidate has a quorum.
func (c *Cluster) wins(s *server) bool {
	id, _ := s.config()
	return c.Group.ConfigOf(id).Quorum(s.votes)
}

// lead makes a candidate leader; its first entry is a no-op.
func (c *Cluster) lead(s *server) {
	s.role = spec.Leader
	s.next, s.match = make(map[spec.ID]uint64), make(map[spec.ID]uint64)
	for _, t := range c.servers {
		s.next[t.id] = s.last().Index + 1
	}
	c.act(spec.Action{Kind: spec.BecomeLeader, Server: s.id, After: s.state()})
	c.append(s, spec.Entry{Kind: spec.NoOp})
	c.replicate(s)
}

// follow makes a server follower, in a term at least its own.
func (c *Cluster) follow(s *server, term uint64) {
	if term > s.term {
		s.term, s.vote = term, spec.Nil
		s.role = spec.Follower
		c.act(spec.Action{Kind: spec.BecomeFollower, Server: s.id, After: s.state()})
		c.persists(s)
		return
	}
	if s.role != spec.Follower {
		s.role = spec.Follower
		c.act(spec.Action{Kind: spec.BecomeFollower, Server: s.id, After: s.state()})
	}
}

// upToDate is Raft §5.4.1.
func (s *server) upToDate(m *spec.Message) bool {
	last := s.last()
	return m.LogTerm > last.Term || m.LogTerm == last.Term && m.LogIndex >= last.Index
}

func (c *Cluster) voteRequested(s *server, m *spec.Message) {
	grant := m.Term == s.term && (s.vote == spec.Nil || s.vote == m.From) && s.upToDate(m) && s.role == spec.Follower
	if grant && s.vote == spec.Nil {
		s.vote = m.From
		c.persists(s)
	}
	c.send(s, packet{message: spec.Message{
		Type: spec.RequestVoteResponse, To: m.From, Term: s.term, Success: grant, Has: spec.MsgTerm | spec.MsgSuccess,
	}})
}

func (c *Cluster) preVoteRequested(s *server, m *spec.Message) {
	grant := m.Term > s.term && s.upToDate(m) && s.role != spec.Leader
	term := s.term
	if grant {
		term = m.Term
	}
	c.send(s, packet{message: spec.Message{
		Type: spec.PreVoteResponse, To: m.From, Term: term, Success: grant, Has: spec.MsgTerm | spec.MsgSuccess,
	}})
}

// voted counts an answer, of a vote or of a pre-vote.
func (c *Cluster) voted(s *server, m *spec.Message) {
	if !m.Success {
		return
	}
	switch {
	case m.Type == spec.PreVoteResponse && s.role == spec.PreCandidate && m.Term == s.term+1:
		if s.votes.Add(m.From); c.wins(s) {
			c.campaign(s, false)
		}
	case m.Type == spec.RequestVoteResponse && s.role == spec.Candidate && m.Term == s.term:
		if s.votes.Add(m.From); c.wins(s) {
			c.lead(s)
		}
	}
}

// handOver lets a leader transfer its leadership to a server that has its log.
func (c *Cluster) handOver(s *server) {
	if s == nil {
		return
	}
	for _, id := range c.others(s) {
		config, _ := s.config()
		if s.match[id] == s.last().Index && c.Group.ConfigOf(config).IsVoter(id) {
			c.act(spec.Action{Kind: spec.TransferLeadership, Server: s.id, Peer: id, After: s.state()})
			c.send(s, packet{message: spec.Message{Type: spec.TimeoutNow, To: id, Term: s.term, Has: spec.MsgTerm}})
			return
		}
	}
}
