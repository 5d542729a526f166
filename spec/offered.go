package spec

// What was sent to a server as candidate or leader, whether or not a line shows
// that it has arrived. Where each missing line would be known it has arrived only
// if a line says so. Elsewhere a leader that acts as if it had arrived is rather
// one whose line is missing.
type offered struct {
	term  uint64 // of what follows
	votes Set
	match []uint64 // by ID
}

// in turns to a term, unless it is an older one.
func (o *offered) in(term uint64) bool {
	if term > o.term {
		o.term, o.votes = term, Set{}
		clear(o.match)
	}
	return term == o.term
}

// offers notes an answer on its way to the server that it is for.
func (m *Machine) offers(from ID, msg *Message) {
	to := m.Server(msg.To)
	if to == nil || !msg.Success || msg.Has&MsgTerm == 0 || !to.offered.in(msg.Term) {
		return
	}
	o := &to.offered
	switch {
	case msg.Type == RequestVoteResponse:
		o.votes.Add(from)
	case msg.Has&MsgMatch != 0:
		for int(from) >= len(o.match) {
			o.match = append(o.match, 0)
		}
		o.match[from] = max(o.match[from], msg.Match)
	}
}

// mayVote notes that a vote request of a candidate has arrived, where the answer
// is shown only when it arrives in turn.
func (m *Machine) mayVote(voter ID, msg *Message) {
	if c := m.Server(msg.From); m.Group.Profile.VoteAnswersUnsent && c != nil && msg.Has&MsgTerm != 0 && c.offered.in(msg.Term) {
		c.offered.votes.Add(voter)
	}
}

// arrivesUnseen says whether what was sent to s in its present term may have
// arrived without a line that shows it.
func (m *Machine) arrivesUnseen(s *Server) bool {
	return !s.counts && !m.Group.Counted && s.offered.term == s.CurrentTerm
}

// mayHaveVotes says whether the votes that were sent to a candidate make a quorum
// with those that have arrived.
func (m *Machine) mayHaveVotes(s *Server, c *Config) bool {
	if !m.arrivesUnseen(s) {
		return false
	}
	votes := s.offered.votes
	for _, id := range s.VotesGranted.Members() {
		votes.Add(id)
	}
	return c.Quorum(votes)
}

// mayHold says whether the acknowledgements of an index that were sent to a leader
// make a quorum with those that have arrived.
func (m *Machine) mayHold(s *Server, c *Config, index uint64, held Set) bool {
	if !m.arrivesUnseen(s) {
		return false
	}
	for id, match := range s.offered.match {
		if match >= index {
			held.Add(ID(id))
		}
	}
	return c.Quorum(held)
}
