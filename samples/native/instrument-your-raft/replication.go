package toy

import "slices"

// Propose adds a command to the log of a leader; others refuse it.
func (s *Server) Propose(command string) bool {
	if s.Role != Leader {
		return false
	}
	s.add(Entry{Term: s.CurrentTerm, Kind: "command", Command: command})
	return true
}

func (s *Server) add(e Entry) {
	s.Log = append(s.Log, e)
	s.trace.Step(s, "ClientRequest", fields{"entry": e.fields(s.LastIndex())})
	s.replicate()
}

// replicate sends every follower what it lacks, or a heartbeat (Raft §5.3).
func (s *Server) replicate() {
	for _, peer := range s.peers {
		prev := s.nextIndex[peer] - 1
		s.send("AppendEntries", Message{Type: "AppendEntriesRequest", To: peer, Entries: slices.Clone(s.Log[prev:]),
			Body: fields{"prevLogIndex": prev, "prevLogTerm": s.TermAt(prev), "leaderCommit": s.CommitIndex}})
	}
}

// store handles AppendEntries at a follower.
func (s *Server) store(m Message) {
	prev := m.number("prevLogIndex")
	answer := Message{Type: "AppendEntriesResponse", To: m.From, Body: fields{"success": false}}
	if m.Term == s.CurrentTerm {
		s.wait()
		if s.Role == Candidate {
			s.follow(m.Term)
		}
		if prev <= s.LastIndex() && s.TermAt(prev) == m.number("prevLogTerm") {
			s.write(prev, m.Entries)
			match := prev + len(m.Entries)
			s.CommitIndex = max(s.CommitIndex, min(m.number("leaderCommit"), match))
			answer.Body = fields{"success": true, "matchIndex": match}
		}
	}
	s.send("RespondAppendEntries", answer)
	s.apply()
}

// write puts entries behind an index, and cuts the log only where it differs.
func (s *Server) write(index int, entries []Entry) {
	for i, e := range entries {
		if index+i < s.LastIndex() && s.Log[index+i].Term == e.Term {
			continue
		}
		s.Log = append(s.Log[:index+i:index+i], entries[i:]...)
		return
	}
}

// acknowledged handles an answer to AppendEntries at the leader.
func (s *Server) acknowledged(m Message) {
	if s.Role != Leader || m.Term != s.CurrentTerm {
		return
	}
	if m.Body["success"] != true {
		s.nextIndex[m.From] = max(1, s.nextIndex[m.From]-1)
		return
	}
	s.matchIndex[m.From] = max(s.matchIndex[m.From], m.number("matchIndex"))
	s.nextIndex[m.From] = s.matchIndex[m.From] + 1
	s.commit()
}

// commit advances the commit index to what a majority holds, if that is an
// entry of this term (Raft §5.4.2).
func (s *Server) commit() {
	match := []int{s.LastIndex()}
	for _, peer := range s.peers {
		match = append(match, s.matchIndex[peer])
	}
	slices.Sort(match)
	index := match[(len(match)-1)/2]
	if index > s.CommitIndex && s.TermAt(index) == s.CurrentTerm {
		s.CommitIndex = index
		s.trace.Step(s, "AdvanceCommitIndex", nil)
		s.apply()
	}
}
