package mutate

import "github.com/tracecheck/tracecheck/spec"

// Control is something that looks wrong and is allowed. Shows says whether it
// happens in a trace; where no run does it by itself, Shows lets it happen.
type Control struct {
	What      string
	Bootstrap bool // the run begins with 1@1 in every log
	Rare      bool // only long and troubled runs show it
	Shows     func(t *Trace) bool
}

// Controls must never be flagged.
var Controls = []*Control{
	{What: "a stale leader sends old entries", Shows: func(t *Trace) bool {
		return t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Send, spec.AppendEntriesRequest) && a.Message.Term < t.topTerm(i)
		}) >= 0
	}},
	{What: "a deposed leader truncates its log", Shows: func(t *Trace) bool {
		return t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.Observe && len(a.Entries) > 0 && a.Entries[0].Index <= t.before[i].LastIndex
		}) >= 0
	}},
	{What: "two votes in two terms", Shows: func(t *Trace) bool {
		granted := make(map[spec.ID]uint64)
		return t.pick(func(i int, a *spec.Action) bool {
			if !is(a, spec.Send, spec.RequestVoteResponse) || !a.Message.Success {
				return false
			}
			was := granted[a.Server]
			granted[a.Server] = a.Message.Term
			return was != 0 && was < a.Message.Term
		}) >= 0
	}},
	{What: "a leader or candidate steps down in its own term", Shows: func(t *Trace) bool {
		return t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.BecomeFollower && t.before[i].CurrentTerm == a.After.CurrentTerm && t.before[i].Role != spec.Follower
		}) >= 0
	}},
	{What: "a pre-vote asks for the term after the present one", Shows: func(t *Trace) bool {
		return t.pick(func(i int, a *spec.Action) bool { return is(a, spec.Receive, spec.PreVoteRequest) }) >= 0
	}},
	{What: "a follower accepts an empty request after index 0", Shows: func(t *Trace) bool {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.ClientRequest && t.voters(&a.After).Len() > 1 })
		if i < 0 {
			return false
		}
		s, leader := t.after[i], t.Actions[i].Server
		follower := t.other(&s, leader)
		request := spec.Message{Type: spec.AppendEntriesRequest, From: leader, To: follower, Term: s.CurrentTerm,
			Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit}
		lines := []spec.Action{
			{Kind: spec.Send, Server: leader, Message: request}, {Kind: spec.Receive, Server: follower, Message: request},
		}
		for k := i; k >= 0; k-- {
			if t.Actions[k].Server == follower {
				if f := &t.after[k]; f.Role == spec.Follower && f.CurrentTerm == s.CurrentTerm {
					lines = append(lines, spec.Action{Kind: spec.Send, Server: follower, Message: spec.Message{
						Type: spec.AppendEntriesResponse, From: follower, To: leader, Term: s.CurrentTerm, Success: true,
						Has: spec.MsgTerm | spec.MsgSuccess | spec.MsgMatch}})
				}
				break
			}
		}
		t.insert(i, lines...)
		return len(lines) == 3
	}},
	{What: "entry 1@1 is in every log from the beginning", Bootstrap: true, Shows: func(t *Trace) bool {
		return t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Apply && a.Index == 1 && a.Term == 1 }) >= 0
	}},
	{What: "the same entries arrive again", Shows: func(t *Trace) bool {
		seen := make(map[spec.Message]bool)
		return t.pick(func(i int, a *spec.Action) bool {
			if !is(a, spec.Receive, spec.AppendEntriesRequest) || a.Message.Entries == 0 {
				return false
			}
			again := seen[a.Message]
			seen[a.Message] = true
			return again
		}) >= 0
	}},
	{What: "a request below the receiver's snapshot", Rare: true, Shows: func(t *Trace) bool {
		return t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.AppendEntriesRequest) && a.Message.LogIndex < t.before[i].SnapshotIndex
		}) >= 0
	}},
	{What: "a configuration is rolled back with its entry", Rare: true, Shows: func(t *Trace) bool {
		changed := make(map[spec.ID]uint64) // the last configuration entry of a log
		return t.pick(func(i int, a *spec.Action) bool {
			if a.Kind == spec.Send || a.Kind == spec.Receive || len(a.Entries) == 0 {
				return false
			}
			at := changed[a.Server]
			for _, e := range a.Entries {
				if e.Kind == spec.Configuration {
					changed[a.Server] = e.Index
				}
			}
			return at != 0 && a.Entries[0].Index <= at && a.Kind == spec.Observe
		}) >= 0
	}},
	{What: "a vote is refused without entering its term, under a lease", Shows: func(t *Trace) bool {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.RequestVoteRequest) && a.Message.Term > t.before[i].CurrentTerm
		})
		if i < 0 {
			return false
		}
		a, s := t.Actions[i], t.before[i]
		t.insert(i-1, a, spec.Action{Kind: spec.Send, Server: a.Server, Message: spec.Message{
			Type: spec.RequestVoteResponse, From: a.Server, To: a.Message.From, Term: s.CurrentTerm, Has: spec.MsgTerm | spec.MsgSuccess}})
		return true
	}},
	{What: "an older term's entry is committed together with a present one", Shows: func(t *Trace) bool {
		return t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.AdvanceCommitIndex && t.before[i].Role == spec.Leader && t.before[i].CommitIndex+1 < t.firstOf(i)
		}) >= 0
	}},
}
