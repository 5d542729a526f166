package spec

// Most lines of a healthy trace are a leader that sends a piece of its log, a
// follower that appends and acknowledges it, and both moving their commit
// indexes. For these the guards are decided here in one look at what they
// compare, and counted together. Whatever is not plainly in order goes the long
// way, guard by guard, which gives the same answer and can explain it.

// ordinary is a kind of step that is decided in one look.
type ordinary uint8

const (
	entryAppended ordinary = iota
	appendSent
	appendTaken
	appendAnswered
	answerHeard
	commitFollowed
	commitLed
	numOrdinary
)

// ordinaryRules are the rules that such a step verifies, once each.
var ordinaryRules = [numOrdinary][]*Rule{
	entryAppended:  {EntryOrigin},
	appendSent:     {MessageTerm, AppendFromLeader, SendsOwnLog, SendsWithinLog, SendsOwnCommit},
	appendTaken:    {AppendNeedsRequest, PrevMatch},
	appendAnswered: {MessageTerm, StepDownOnAppend, AckMatchesLog},
	answerHeard:    {AckWithinLeaderLog},
	commitFollowed: {CommitMonotonic, CommitWithinLog, FollowerCommitTold, FollowerCommitMatched},
	commitLed:      {CommitMonotonic, CommitWithinLog, CommitQuorum, CommitCurrentTerm},
}

// inOrder counts an ordinary step.
func (m *Machine) inOrder(o ordinary) bool {
	m.inOrders[o]++
	return true
}

// leadsInOrder: a leader appends an entry of which nothing is told after one of
// its own term.
func (m *Machine) leadsInOrder(s *Server, a *Action) bool {
	if m.longWay || m.quiet || a.Kind != ClientRequest || a.Flags&Tentative != 0 || len(a.Entries) > 0 ||
		a.After.Has&(HasLastIndex|HasCommit) != 0 || !s.knows(HasRole|HasTerm|HasLastIndex) || s.Role != Leader ||
		s.Log.Run == 0 || m.Lineage.runs[s.Log.Run].Term != s.CurrentTerm {
		return false
	}
	return m.inOrder(entryAppended)
}

// sendsInOrder: the leader of the message's term sends entries that its log
// holds in one run with the entry before them, and its own commit index.
func (m *Machine) sendsInOrder(s *Server, msg *Message) bool {
	const shown = MsgTerm | MsgLogIndex | MsgLogTerm | MsgEntries | MsgCommit
	l := m.Lineage
	if m.longWay || m.quiet || msg.Has&shown != shown || !s.knows(HasRole|HasTerm|HasLastIndex|HasCommit) ||
		s.Role != Leader || msg.Term != s.CurrentTerm || msg.Commit > s.CommitIndex ||
		msg.LogIndex+msg.Entries > s.Log.Index || msg.LogIndex == 0 ||
		!l.Covers(s.Log.Run, msg.LogIndex) || l.runs[s.Log.Run].Term != msg.LogTerm ||
		l.runs[l.Find(msg.Term)].Leader != s.ID {
		return false
	}
	return m.inOrder(appendSent)
}

// appendsInOrder: a log grew by all entries of the last request that was
// received, which follow its end. It returns the new end of the log.
func (m *Machine) appendsInOrder(s *Server, index, term uint64) (Tip, bool) {
	l, r := m.Lineage, s.inbox.append(0)
	if m.longWay || m.quiet || r == nil || !s.knows(HasRole|HasTerm|HasLastIndex) || s.Role == Leader ||
		s.inbox.snapshot.Type != NoMessage || r.Term != s.CurrentTerm || index <= s.Log.Index ||
		r.LogIndex != s.Log.Index || r.LogIndex+r.Entries != index || term != 0 && term != r.Term ||
		s.Log.Run == 0 || !hasLog(r.Has) || l.runs[s.Log.Run].Term != r.LogTerm || !m.Group.shows(ShowsReceives) {
		return Tip{}, false
	}
	run := l.Find(r.Term)
	return Tip{index, run}, l.Covers(run, index) && m.inOrder(appendTaken)
}

// appendOrdinary is setLog for a log that became t by growing only.
func (m *Machine) appendOrdinary(s *Server, t Tip) {
	old := s.Log
	if t.Run != old.Run || !m.Lineage.Covers(t.Run, min(s.CommitIndex, old.Index)) {
		m.keepsCommitted(s, t)
	} else if s.knows(HasCommit) {
		m.check(TruncateKeepsCommitted, Holds)
	}
	m.moved(s, varLog, old.Index, t.Index)
	s.Log = t
	if m.configs.entries.n != 0 {
		m.configMoved(s, old)
	}
	m.logsMoved++
	if p := &s.durable.log; p.Run != t.Run || p.Index > t.Index {
		m.lowerPromise(s, t)
	}
}

// answersInOrder: a follower acknowledges an entry that its log and its leader's
// hold in the run of the leader's term.
func (m *Machine) answersInOrder(s *Server, msg *Message) bool {
	const shown = MsgTerm | MsgSuccess | MsgMatch
	if m.longWay || m.quiet || msg.Has&shown != shown || !msg.Success || !s.knows(HasRole|HasTerm|HasLastIndex) ||
		s.Role != Follower || msg.Term != s.CurrentTerm || msg.To == s.ID || msg.Match > s.Log.Index ||
		!m.ofLeader(s, msg.Match) {
		return false
	}
	return m.inOrder(appendAnswered)
}

// hearsInOrder: a leader hears of an entry that its log holds.
func (m *Machine) hearsInOrder(s *Server, msg *Message) bool {
	if m.longWay || m.quiet || msg.Has&MsgMatch == 0 || !s.knows(HasLastIndex) || msg.Match > s.Log.Index {
		return false
	}
	return m.inOrder(answerHeard)
}

// commitsInOrder: a follower commits what its leader has told it to, in the run
// of the leader's term.
func (m *Machine) commitsInOrder(s *Server, index uint64) bool {
	if m.longWay || m.quiet || !s.knows(HasRole|HasTerm|HasLastIndex|HasCommit) || s.Role == Leader ||
		s.inbox.nEntries != s.inbox.logSeen || s.inbox.leaderCommit == ^uint64(0) ||
		s.CurrentTerm <= m.Group.Profile.BootstrapTerm || index <= s.CommitIndex || index > s.Log.Index || index > s.inbox.leaderCommit ||
		!m.ofLeader(s, index) {
		return false
	}
	return m.inOrder(commitFollowed)
}

// leadsCommit: a leader commits an entry of its own term that a quorum holds.
func (m *Machine) leadsCommit(s *Server, index uint64) bool {
	if m.longWay || m.quiet || !s.knows(HasRole|HasTerm|HasLastIndex|HasCommit) || s.Role != Leader ||
		s.inbox.nEntries != s.inbox.logSeen || m.Group.Profile.SignedCommits || index <= s.CommitIndex || index > s.Log.Index {
		return false
	}
	run := m.Lineage.Find(s.CurrentTerm)
	return run == s.Log.Run && m.Lineage.Covers(run, index) && m.Lineage.runs[run].Rooted && m.agreed(s, index) == Holds && m.inOrder(commitLed)
}

// commitOrdinary is setCommit for an entry that is of the run with which the log
// of s ends; quorum is what the leader's own commit was found to rest on.
func (m *Machine) commitOrdinary(s *Server, index uint64, quorum Truth) {
	m.moved(s, varCommit, s.CommitIndex, index)
	s.CommitIndex = index
	m.MaxCommit = max(m.MaxCommit, index)
	if m.Group.Profile.CommitFactsLate {
		s.late = lateCommit{waiting: true, index: index}
		return
	}
	f := m.newFact(Committed, s.ID)
	f.Term, f.Index, f.Tip, f.Known = s.CurrentTerm, index, Tip{index, s.Log.Run}, true
	if quorum == Holds && m.commitsByCount(s, index) {
		f.Leader, f.Quorum = true, Holds
	}
}

// ofLeader says whether the entry at an index, up to which the log of s reaches,
// is of the run of the present leader.
func (m *Machine) ofLeader(s *Server, index uint64) bool {
	run := m.Lineage.Find(s.CurrentTerm)
	return run == s.Log.Run && m.Lineage.Covers(run, index)
}
