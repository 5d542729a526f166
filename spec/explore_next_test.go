package spec

// raft.tla's Next, over the transitions of this package. What is not a guard of
// a transition, because replay does without, is here: which server a message is
// for, which branch its type and term choose, and when a message leaves the bag.

// next yields every successor of the state that is loaded.
func (x *Explorer) next() {
	for _, i := range x.ids {
		s := x.m.servers[i]
		x.before = *s
		x.timeout(s)
		if x.Faults {
			x.restart(s)
		}
		x.requestVotes(s)
		x.do(&BecomeLeaderStep, Step{Server: s})
		x.clientRequests(s)
		x.advance(s)
		x.appendEntries(s)
	}
	for k := range x.bag.list {
		s := x.m.servers[x.bag.list[k].To]
		x.before = *s
		x.receive(s, k)
		x.bag.decode(x.now[x.Servers:])
		if x.Faults {
			x.bag.list[k].copies++
			x.yield(nil, "DuplicateMessage", s, false)
			x.bag.discard(k)
			x.yield(nil, "DropMessage", s, false)
		}
	}
}

// enabled asks every guard that is not dropped. In a model everything is known.
func (x *Explorer) enabled(t *Transition, st *Step) bool {
	for i := range t.Guards {
		g := &t.Guards[i]
		if x.drops(t.Name, g.Rule.Name) {
			continue
		}
		switch g.Holds(x.m, st) {
		case Fails:
			return false
		case Unknown:
			panic(t.Name + ": " + g.Rule.Name + " is unknown in a model that knows everything")
		}
	}
	return true
}

func (x *Explorer) drops(step, rule string) bool {
	for i := range x.Dropped {
		if x.Dropped[i].Step == step && x.Dropped[i].Rule == rule {
			return true
		}
	}
	return false
}

// do takes a step if it is allowed.
func (x *Explorer) do(t *Transition, st Step) {
	step := x.m.with(st)
	if !x.enabled(t, step) {
		return
	}
	t.Effect(x.m, step)
	x.yield(t, "", st.Server, true)
}

func (x *Explorer) timeout(s *Server) {
	x.do(&TimeoutStep, Step{Server: s, Term: s.CurrentTerm + 1})
	if x.drops(TimeoutStep.Name, TermIncrements.Name) {
		x.do(&TimeoutStep, Step{Server: s, Term: s.CurrentTerm})
	}
}

// restart may also lose what stable storage is there to keep.
func (x *Explorer) restart(s *Server) {
	RestartStep.Effect(x.m, &Step{Server: s})
	if x.drops(RestartStep.Name, "keeps-vote") {
		s.VotedFor = Nil
	}
	if x.drops(RestartStep.Name, "keeps-term") {
		x.m.setTerm(s, x.StartTerm)
	}
	if x.drops(RestartStep.Name, "keeps-log") {
		x.m.setLog(s, Tip{})
	}
	x.yield(&RestartStep, "", s, true)
}

func (x *Explorer) requestVotes(s *Server) {
	last, _ := x.m.Lineage.Term(s.Log)
	for _, j := range x.ids {
		if s.VotesResponded.Has(j) {
			continue
		}
		msg := Message{Type: RequestVoteRequest, Has: has[RequestVoteRequest], From: s.ID, To: j,
			Term: s.CurrentTerm, LogIndex: s.Log.Index, LogTerm: last}
		if x.drops(RequestVoteStep.Name, CandidateOffersOwnLog.Name) {
			msg.LogIndex, msg.LogTerm = x.MaxLog, s.CurrentTerm // more than it has
		}
		x.do(&RequestVoteStep, Step{Server: s, Peer: j, Message: &msg})
	}
}

func (x *Explorer) clientRequests(s *Server) {
	term := s.CurrentTerm
	if x.drops(ClientRequestStep.Name, LeaderEntryTerm.Name) {
		term--
	}
	for v := range x.Values {
		step := x.m.with(Step{Server: s, Term: term})
		if !x.enabled(&ClientRequestStep, step) {
			return
		}
		ClientRequestStep.Effect(x.m, step)
		x.values[s.Log.Run][s.Log.Index] = uint8(v)
		x.yield(&ClientRequestStep, "", s, true)
	}
}

// advance yields one successor for each leader, also where nothing is committed.
func (x *Explorer) advance(s *Server) {
	if s.Role != Leader {
		return
	}
	for index := s.Log.Index; index > 0; index-- {
		step := x.m.with(Step{Server: s, Index: index})
		if x.enabled(&AdvanceCommitIndexStep, step) {
			AdvanceCommitIndexStep.Effect(x.m, step)
			break
		}
	}
	x.yield(&AdvanceCommitIndexStep, "", s, false)
}

func (x *Explorer) appendEntries(s *Server) {
	for _, j := range x.ids {
		if j == s.ID || s.NextIndex[j] > s.Log.Index+1 {
			continue
		}
		prev := s.NextIndex[j] - 1
		at, _ := x.m.Lineage.At(s.Log, prev)
		prevTerm, _ := x.m.Lineage.Term(at)
		last := min(s.Log.Index, prev+x.Batch)
		msg := Message{Type: AppendEntriesRequest, Has: has[AppendEntriesRequest], From: s.ID, To: j,
			Term: s.CurrentTerm, LogIndex: prev, LogTerm: prevTerm, Entries: last - prev,
			Commit: min(s.CommitIndex, last)}
		if x.drops(AppendEntriesStep.Name, SendsOwnCommit.Name) {
			msg.Commit = last
		}
		for k := range msg.Entries {
			at, _ := x.m.Lineage.At(s.Log, prev+1+k)
			x.bag.entries.terms[k] = x.m.Lineage.Run(at.Run).Term
			x.bag.entries.value[k] = x.values[at.Run][at.Index]
		}
		x.do(&AppendEntriesStep, Step{Server: s, Peer: j, Message: &msg})
	}
}

// receive is raft.tla's Receive(m).
func (x *Explorer) receive(s *Server, k int) {
	msg := x.bag.list[k]
	s.inbox.highestTerm = msg.Term // what UpdateTerm's guard asks for
	if msg.Term > s.CurrentTerm {
		x.do(&UpdateTermStep, Step{Server: s, Term: msg.Term})
		if !x.drops("Receive", "update-term") {
			return
		}
	}
	switch msg.Type {
	case RequestVoteRequest:
		x.voteRequest(s, k, &msg)
	case RequestVoteResponse, AppendEntriesResponse:
		x.bag.discard(k)
		if msg.Term < s.CurrentTerm && !x.drops("Receive", "drop-stale-response") {
			x.yield(nil, "DropStaleResponse", s, false)
			return
		}
		t := &HandleVoteStep
		if msg.Type == AppendEntriesResponse {
			t = &HandleAckStep
		}
		x.do(t, Step{Server: s, Peer: msg.From, Message: &msg.Message})
	case AppendEntriesRequest:
		x.appendRequest(s, k, &msg)
	}
}

// reply is raft.tla's Reply: the answer in, the request out.
func (x *Explorer) reply(s *Server, k int, answer Message) {
	answer.Has, answer.From, answer.Term = has[answer.Type], s.ID, s.CurrentTerm
	answer.To = x.bag.list[k].From
	x.bag.Send(&answer)
	x.bag.discard(k)
}

func (x *Explorer) voteRequest(s *Server, k int, msg *letter) {
	step := x.m.with(Step{Server: s, Peer: msg.From, Message: &msg.Message})
	grant := x.enabled(&GrantVoteStep, step)
	if grant {
		GrantVoteStep.Effect(x.m, step)
	}
	x.reply(s, k, Message{Type: RequestVoteResponse, Success: grant})
	x.yield(&GrantVoteStep, "", s, false)
}

func (x *Explorer) appendRequest(s *Server, k int, msg *letter) {
	stale := msg.Term < s.CurrentTerm && !x.drops("Receive", "refuse-stale-request")
	ok := x.m.logOk(s.Log, msg.LogIndex, msg.LogTerm) == Holds || x.drops("HandleAppendEntriesRequest", PrevMatch.Name)
	switch {
	case stale || s.Role == Follower && !ok:
		x.reply(s, k, Message{Type: AppendEntriesResponse})
		x.yield(nil, "RejectAppendEntriesRequest", s, false)
	case s.Role == Candidate:
		x.do(&ReturnToFollowerStep, Step{Server: s})
	case s.Role == Follower:
		x.accept(s, k, msg)
	}
}

// accept handles a request that fits: it is done already, or its first entry
// that is not in the log conflicts, or that entry is appended.
func (x *Explorer) accept(s *Server, k int, msg *letter) {
	for n := range msg.Entries {
		index, term := msg.LogIndex+1+n, msg.terms[n]
		if x.m.Lineage.HasTerm(s.Log, index, term) == Holds {
			continue
		}
		if s.Log.Index > 0 {
			x.do(&ConflictStep, Step{Server: s, Index: index, Term: term})
		}
		step := x.m.with(Step{Server: s, Index: index, Term: term})
		if x.enabled(&NoConflictStep, step) {
			NoConflictStep.Effect(x.m, step)
			x.values[s.Log.Run][s.Log.Index] = msg.value[n]
			x.yield(&NoConflictStep, "", s, true)
		}
		return
	}
	x.m.setCommit(s, msg.Commit)
	x.reply(s, k, Message{Type: AppendEntriesResponse, Success: true, Match: msg.LogIndex + msg.Entries})
	x.yield(nil, "AlreadyDone", s, false)
}
