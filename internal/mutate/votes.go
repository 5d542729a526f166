package mutate

import "github.com/tracecheck/tracecheck/spec"

// refusal picks the answer that refuses a vote, where the request and the voter
// fit, and says where.
func (t *Trace) refusal(fits func(voter *spec.State, request, answer *spec.Message) bool) int {
	return t.pick(func(i int, a *spec.Action) bool {
		if !is(a, spec.Send, spec.RequestVoteResponse) || a.Message.Success {
			return false
		}
		r := t.requestOf(i)
		return r != nil && fits(&t.after[i], r, &a.Message)
	})
}

// requestOf returns the vote request that an answer answers.
func (t *Trace) requestOf(i int) *spec.Message {
	a := &t.Actions[i]
	for k := i - 1; k >= 0; k-- {
		b := &t.Actions[k]
		if b.Server == a.Server && b.Kind == spec.Receive {
			if b.Message.From == a.Message.To {
				return &b.Message
			}
			return nil
		}
	}
	return nil
}

// grant turns a refusal into a vote.
func (t *Trace) grant(i int) int {
	if i >= 0 {
		t.Actions[i].Message.Success = true
	}
	return i
}

// lead lets the server of action i become leader after it.
func (t *Trace) lead(i int) int {
	if i < 0 {
		return -1
	}
	s := t.after[i]
	s.Role = spec.Leader
	return t.insert(i, spec.Action{Kind: spec.BecomeLeader, Server: t.Actions[i].Server, After: s})
}

// votes are the faults of votes, terms and roles.
var votes = []*Fault{
	{"F01", "two votes in one term", []string{"V01", "I08"}, func(t *Trace) int {
		return t.grant(t.refusal(func(v *spec.State, r, a *spec.Message) bool {
			return r.Term == v.CurrentTerm && v.VotedFor != spec.Nil && v.VotedFor != r.From && v.Role == spec.Follower &&
				newer(r.LogIndex, r.LogTerm, v)
		}))
	}},
	{"F02", "the vote is erased within its term", []string{"V02"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Send && t.after[i].VotedFor != spec.Nil })
		if i >= 0 {
			t.Actions[i].After.VotedFor = spec.Nil
		}
		return i
	}},
	{"F03", "the vote is lost by a restart", []string{"P01", "I08"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Restart && t.after[i].VotedFor != spec.Nil })
		if i >= 0 {
			t.Actions[i].After.VotedFor = spec.Nil
		}
		return i
	}},
	{"F04", "the term is lost by a restart", []string{"P02", "I06"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Restart && t.after[i].CurrentTerm > 1 })
		if i >= 0 {
			t.Actions[i].After.CurrentTerm--
		}
		return i
	}},
	{"F05", "the term falls", []string{"I06"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return t.after[i].CurrentTerm > 1 })
		if i < 0 {
			return i
		}
		return t.insert(i, observe(t.Actions[i].Server, spec.State{Has: spec.HasTerm, CurrentTerm: t.after[i].CurrentTerm - 1}))
	}},
	{"F06", "a candidate votes for another as well", []string{"V01", "I08"}, func(t *Trace) int {
		return t.grant(t.refusal(func(v *spec.State, r, a *spec.Message) bool {
			return r.Term == v.CurrentTerm && v.Role == spec.Candidate && newer(r.LogIndex, r.LogTerm, v)
		}))
	}},
	{"F07", "a vote for an older log", []string{"V03"}, func(t *Trace) int {
		return t.grant(t.refusal(func(v *spec.State, r, a *spec.Message) bool {
			return r.Term == v.CurrentTerm && v.VotedFor == spec.Nil && !newer(r.LogIndex, r.LogTerm, v)
		}))
	}},
	{"F08", "a vote for a longer log of an older term", []string{"V03"}, func(t *Trace) int {
		return t.grant(t.refusal(func(v *spec.State, r, a *spec.Message) bool {
			return r.Term == v.CurrentTerm && v.VotedFor == spec.Nil && r.LogIndex >= v.LastIndex && r.LogTerm < v.LastTerm
		}))
	}},
	{"F09", "a vote in a term that is over", []string{"V08", "V15"}, func(t *Trace) int {
		i := t.refusal(func(v *spec.State, r, a *spec.Message) bool { return r.Term < v.CurrentTerm })
		if i >= 0 {
			t.Actions[i].Message.Term = t.requestOf(i).Term
		}
		return t.grant(i)
	}},
	{"F10", "a leader votes in its own term", []string{"V01", "I08"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.ClientRequest && t.voters(&t.after[i]).Len() > 1
		})
		if i < 0 {
			return i
		}
		s, id := t.after[i], t.Actions[i].Server
		candidate := t.other(&s, id)
		return t.insert(i,
			spec.Action{Kind: spec.Receive, Server: id, Message: spec.Message{Type: spec.RequestVoteRequest, From: candidate, To: id,
				Term: s.CurrentTerm, LogIndex: s.LastIndex, LogTerm: s.LastTerm, Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm}},
			spec.Action{Kind: spec.Send, Server: id, Message: spec.Message{Type: spec.RequestVoteResponse, From: id, To: candidate,
				Term: s.CurrentTerm, Success: true, Has: spec.MsgTerm | spec.MsgSuccess}}) - 1
	}},
	{"F12", "a leader without a quorum", []string{"V07"}, func(t *Trace) int {
		return t.lead(t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Send, spec.RequestVoteRequest) && t.voters(&t.after[i]).Len() > 2 && t.granted(i) == 0
		}))
	}},
	{"F13", "votes of an older term are counted", []string{"V07"}, func(t *Trace) int {
		return t.lead(t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.RequestVoteResponse) && a.Message.Success && t.after[i].Role == spec.Candidate &&
				a.Message.Term < t.after[i].CurrentTerm && t.voters(&t.after[i]).Len() > 2
		}))
	}},
	{"F14", "one vote is counted twice", []string{"V07"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.RequestVoteResponse) && a.Message.Success && t.after[i].Role == spec.Candidate &&
				a.Message.Term == t.after[i].CurrentTerm && t.voters(&t.after[i]).Len() > 4 && t.granted(i) == 1
		})
		if i < 0 {
			return i
		}
		t.insert(i, t.Actions[i])
		t.view()
		return t.lead(i + 1)
	}},
	{"F15", "a vote of a server that does not vote is counted", []string{"V07"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.Timeout && t.voters(&t.after[i]).Len() > 1 && t.voters(&t.after[i]).Len() < 4 && t.spare(&t.after[i]) != spec.Nil
		})
		if i < 0 {
			return i
		}
		s, x := t.after[i], t.spare(&t.after[i])
		m := spec.Message{Type: spec.RequestVoteResponse, From: x, To: t.Actions[i].Server, Term: s.CurrentTerm, Success: true,
			Has: spec.MsgTerm | spec.MsgSuccess}
		return t.lead(t.stranger(i, s, m))
	}},
	{"F16", "half of an even cluster is taken for a quorum", []string{"V07"}, func(t *Trace) int {
		return t.lead(t.pick(func(i int, a *spec.Action) bool {
			n := t.voters(&t.after[i]).Len()
			return is(a, spec.Receive, spec.RequestVoteResponse) && a.Message.Success && t.after[i].Role == spec.Candidate &&
				a.Message.Term == t.after[i].CurrentTerm && n%2 == 0 && n > 2 && t.granted(i) == n/2-1
		}))
	}},
	{"F17", "two leaders of one term", []string{"I01", "V07"}, func(t *Trace) int {
		return t.lead(t.pick(func(i int, a *spec.Action) bool {
			return t.after[i].Role == spec.Candidate && t.led(i, t.after[i].CurrentTerm) && t.voters(&t.after[i]).Len() > 2
		}))
	}},
	{"F18", "a follower becomes leader", []string{"V06", "V07", "I01"}, func(t *Trace) int {
		return t.lead(t.pick(func(i int, a *spec.Action) bool {
			return t.after[i].Role == spec.Follower && t.after[i].CurrentTerm > 0
		}))
	}},
	{"F19", "a candidate keeps its term", []string{"V05"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Timeout && t.before[i].CurrentTerm > 0 })
		if i >= 0 {
			t.Actions[i].After.CurrentTerm--
		}
		return i
	}},
	{"F20", "a pre-vote changes the term", []string{"V13"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.PreVoteRequest) && a.Message.Term == t.after[i].CurrentTerm+1 &&
				t.topTerm(i) < a.Message.Term
		})
		if i < 0 {
			return i
		}
		return t.insert(i, observe(t.Actions[i].Server, spec.State{Has: spec.HasTerm, CurrentTerm: t.after[i].CurrentTerm + 1}))
	}},
	{"F21", "pre-votes are counted as votes", []string{"V06", "V07"}, func(t *Trace) int {
		return t.lead(t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.PreVoteResponse) && a.Message.Success && t.after[i].Role == spec.PreCandidate
		}))
	}},
	{"F22", "a pre-vote for an older log", []string{"V14"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			if !is(a, spec.Send, spec.PreVoteResponse) || a.Message.Success {
				return false
			}
			r := t.requestOf(i)
			return r != nil && r.Type == spec.PreVoteRequest && r.Term > t.after[i].CurrentTerm && !newer(r.LogIndex, r.LogTerm, &t.after[i])
		})
		if i >= 0 {
			t.Actions[i].Message.Term = t.requestOf(i).Term
		}
		return t.grant(i)
	}},
	{"F24", "a candidate accepts entries and stays one", []string{"V12", "V06"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.AppendEntriesRequest) && t.after[i].Role == spec.Candidate &&
				a.Message.Term == t.after[i].CurrentTerm && a.Message.LogIndex+a.Message.Entries > 0
		})
		if i < 0 {
			return i
		}
		answer := t.next(i, func(a *spec.Action) bool { return is(a, spec.Send, spec.AppendEntriesResponse) })
		down := t.next(i, func(a *spec.Action) bool { return a.Kind == spec.BecomeFollower })
		if answer < 0 || down < 0 || down > answer || !t.Actions[answer].Message.Success {
			return -1
		}
		for k := down; k <= answer; k++ {
			if a := &t.Actions[k]; a.Server == t.Actions[i].Server {
				a.After.Role = spec.Candidate
			}
		}
		t.remove(down)
		return answer - 1
	}},
	{"F26", "a leader hears from another leader of its term", []string{"I01", "V11"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.ClientRequest && t.voters(&t.after[i]).Len() > 1
		})
		if i < 0 {
			return i
		}
		s, id := t.after[i], t.Actions[i].Server
		return t.insert(i, spec.Action{Kind: spec.Receive, Server: id, Message: spec.Message{
			Type: spec.AppendEntriesRequest, From: t.other(&s, id), To: id, Term: s.CurrentTerm, LogIndex: s.LastIndex, LogTerm: s.LastTerm,
			Commit: s.CommitIndex, Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit}})
	}},
	{"F27", "entries from a server that does not lead", []string{"V11", "I01"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return t.after[i].Role == spec.Follower && t.after[i].LastIndex > 0 && t.voters(&t.after[i]).Len() > 1
		})
		if i < 0 {
			return i
		}
		s, id := t.after[i], t.Actions[i].Server
		s.Has &= spec.HasRole | spec.HasTerm | spec.HasVote
		return t.insert(i, spec.Action{Kind: spec.Send, Server: id, After: s, Message: spec.Message{
			Type: spec.AppendEntriesRequest, From: id, To: t.other(&s, id), Term: s.CurrentTerm, LogIndex: s.LastIndex, LogTerm: s.LastTerm,
			Commit: s.CommitIndex, Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit}})
	}},
	{"F32", "an answer carries a term that is over", []string{"V15"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Send, spec.AppendEntriesResponse) && a.Message.Term > 1
		})
		if i >= 0 {
			t.Actions[i].Message.Term--
		}
		return i
	}},
}

// topTerm is the highest term that any server was in before action i.
func (t *Trace) topTerm(i int) (term uint64) {
	for k := range i {
		term = max(term, t.after[k].CurrentTerm)
	}
	return term
}

// granted counts the distinct votes that a candidate has received by action i.
func (t *Trace) granted(i int) int {
	var set spec.Set
	for k := i; k >= 0; k-- {
		a := &t.Actions[k]
		if a.Server != t.Actions[i].Server {
			continue
		}
		if a.Kind == spec.Timeout {
			break
		}
		if is(a, spec.Receive, spec.RequestVoteResponse) && a.Message.Success && a.Message.Term == t.after[i].CurrentTerm {
			set.Add(a.Message.From)
		}
	}
	return set.Len()
}

// led says whether another server than that of action i led a term before it.
func (t *Trace) led(i int, term uint64) bool {
	for k := i; k >= 0; k-- {
		if a := &t.Actions[k]; a.Kind == spec.BecomeLeader && t.after[k].CurrentTerm == term {
			return a.Server != t.Actions[i].Server
		}
	}
	return false
}

// stranger lets a server outside of the configuration send a message to the
// server of action i, which receives it; it returns the place of the receive.
func (t *Trace) stranger(i int, s spec.State, m spec.Message) int {
	durable := observe(m.From, spec.State{Has: spec.HasTerm | spec.HasVote, CurrentTerm: m.Term, VotedFor: m.To})
	durable.Flags = spec.Durable
	if m.Type != spec.RequestVoteResponse {
		durable.After.Has = spec.HasTerm
	}
	request := spec.Message{Type: spec.RequestVoteRequest, From: m.To, To: m.From, Term: m.Term, LogIndex: s.LastIndex, LogTerm: s.LastTerm,
		Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgTransfer}
	lines := []spec.Action{durable, {Kind: spec.Send, Server: m.From, Message: m}, {Kind: spec.Receive, Server: m.To, Message: m}}
	if m.Type == spec.RequestVoteResponse {
		own := observe(m.To, spec.State{Has: spec.HasTerm | spec.HasVote, CurrentTerm: s.CurrentTerm, VotedFor: s.VotedFor})
		own.Flags = spec.Durable
		lines = append([]spec.Action{own, {Kind: spec.Send, Server: m.To, Message: request}, {Kind: spec.Receive, Server: m.From, Message: request}}, lines...)
	}
	at := t.insert(i, lines...)
	t.view()
	return at
}
