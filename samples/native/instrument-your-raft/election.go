package toy

// campaign begins an election (Raft §5.2).
func (s *Server) campaign() {
	s.Role, s.CurrentTerm, s.VotedFor = Candidate, s.CurrentTerm+1, s.ID
	s.votes = map[string]bool{s.ID: true}
	s.wait()
	s.trace.Step(s, "Timeout", nil)
	for _, peer := range s.peers {
		s.send("RequestVote", Message{Type: "RequestVoteRequest", To: peer,
			Body: fields{"lastLogIndex": s.LastIndex(), "lastLogTerm": s.TermAt(s.LastIndex())}})
	}
}

// answerVote grants a vote if the term, the vote and the log allow it.
func (s *Server) answerVote(m Message) {
	index, term := m.number("lastLogIndex"), m.number("lastLogTerm")
	last := s.TermAt(s.LastIndex())
	upToDate := term > last || term == last && index >= s.LastIndex()
	grant := m.Term == s.CurrentTerm && (s.VotedFor == "" || s.VotedFor == m.From) && upToDate
	if grant {
		s.VotedFor = m.From
		s.wait()
	}
	s.send("RespondRequestVote", Message{Type: "RequestVoteResponse", To: m.From, Body: fields{"voteGranted": grant}})
}

// countVote makes a candidate with a majority the leader. It begins with an
// entry of its own term, since only with one can it commit older ones (§8).
func (s *Server) countVote(m Message) {
	if s.Role != Candidate || m.Term != s.CurrentTerm || m.Body["voteGranted"] != true {
		return
	}
	s.votes[m.From] = true
	if 2*len(s.votes) <= len(s.peers)+1 {
		return
	}
	s.Role = Leader
	s.nextIndex, s.matchIndex = map[string]int{}, map[string]int{}
	for _, peer := range s.peers {
		s.nextIndex[peer] = s.LastIndex() + 1
	}
	s.trace.Step(s, "BecomeLeader", nil)
	s.add(Entry{Term: s.CurrentTerm, Kind: "noop"})
}
