package mutate

import "github.com/tracecheck/tracecheck/spec"

// commits inserts a line behind action i by which a server commits an index.
func (t *Trace) commits(i int, index uint64) int {
	if i < 0 {
		return i
	}
	return t.insert(i, spec.Action{Kind: spec.AdvanceCommitIndex, Server: t.Actions[i].Server,
		After: spec.State{Has: spec.HasCommit, CommitIndex: index}})
}

// acked counts the servers that have acknowledged an index to the leader of
// action i, itself among them.
func (t *Trace) acked(i int, index uint64) spec.Set {
	set := spec.SetOf(t.Actions[i].Server)
	for k := i; k >= 0; k-- {
		a := &t.Actions[k]
		if a.Server != t.Actions[i].Server {
			continue
		}
		if a.Kind == spec.BecomeLeader {
			break
		}
		if is(a, spec.Receive, spec.AppendEntriesResponse) && a.Message.Success && a.Message.Match >= index && a.Message.Term == t.after[i].CurrentTerm {
			set.Add(a.Message.From)
		}
	}
	return set
}

// commits are the faults of commitment, application, reads and membership.
var commits = []*Fault{
	{"F55", "an entry of an older term is committed by counting", []string{"C02", "C01", "I07"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.BecomeLeader && t.after[i].LastIndex > t.after[i].CommitIndex
		})
		if i < 0 {
			return i
		}
		return t.commits(i, t.after[i].LastIndex)
	}},
	{"F56", "a commit without a quorum", []string{"C01"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			s := &t.after[i]
			return a.Kind == spec.ClientRequest && s.LastIndex > s.CommitIndex && s.LastTerm == s.CurrentTerm &&
				!t.config(s).Quorum(t.acked(i, s.LastIndex))
		})
		if i < 0 {
			return i
		}
		return t.commits(i, t.after[i].LastIndex)
	}},
	{"F57", "an acknowledgement of a server that does not vote is counted", []string{"C01"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			s := &t.after[i]
			return a.Kind == spec.ClientRequest && s.LastIndex > s.CommitIndex && t.spare(s) != spec.Nil &&
				!t.config(s).Quorum(t.acked(i, s.LastIndex))
		})
		if i < 0 {
			return i
		}
		s, x := t.after[i], t.spare(&t.after[i])
		id := t.Actions[i].Server
		ack := spec.Message{Type: spec.AppendEntriesResponse, From: x, To: id, Term: s.CurrentTerm, Success: true, Match: s.LastIndex,
			Has: spec.MsgTerm | spec.MsgSuccess | spec.MsgMatch}
		return t.commits(t.insert(i, spec.Action{Kind: spec.Receive, Server: id, Message: ack}), s.LastIndex)
	}},
	{"F58", "a follower commits beyond what its leader said", []string{"C03"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			s := &t.after[i]
			return is(a, spec.Send, spec.AppendEntriesResponse) && a.Message.Success && s.LastIndex > s.CommitIndex && t.told(i) < s.LastIndex
		})
		if i < 0 {
			return i
		}
		return t.commits(i, t.after[i].LastIndex)
	}},
	{"F59", "the commit index falls", []string{"C06"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.AdvanceCommitIndex && t.after[i].CommitIndex > 1
		})
		if i < 0 {
			return i
		}
		return t.commits(i, t.Actions[i].After.CommitIndex-1)
	}},
	{"F60", "the commit index is beyond the log", []string{"C05"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return t.after[i].Role == spec.Follower && a.Kind == spec.AdvanceCommitIndex
		})
		if i < 0 {
			return i
		}
		return t.commits(i, t.after[i].LastIndex+1)
	}},
	{"F61", "two entries are applied at one index", []string{"C09", "I05"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Apply && a.Term > 1 })
		if i >= 0 {
			t.Actions[i].Term--
			t.Actions[i].Entries[0].Term--
		}
		return i
	}},
	{"F62", "a leader lacks what is committed", []string{"I04", "V07", "V06"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			s := &t.after[i]
			return is(a, spec.Send, spec.RequestVoteRequest) && t.voters(s).Len() > 2 && t.granted(i) == 0 && t.committed(i) > s.LastIndex
		})
		return t.lead(i)
	}},
	{"F63", "an entry is applied before it is committed", []string{"C07"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			s := &t.after[i]
			return a.Kind == spec.Apply && s.CommitIndex == a.Index && s.LastIndex > a.Index
		})
		if i < 0 {
			return i
		}
		return t.insert(i, spec.Action{Kind: spec.Apply, Server: t.Actions[i].Server, Index: t.Actions[i].Index + 1})
	}},
	{"F64", "an entry is applied twice", []string{"C08"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Apply })
		if i < 0 {
			return i
		}
		return t.insert(i, t.Actions[i])
	}},
	{"F65", "what is applied differs", []string{"I05", "I03"}, func(t *Trace) int {
		seen := map[uint64]bool{}
		i := t.pick(func(i int, a *spec.Action) bool {
			again := a.Kind == spec.Apply && seen[a.Index]
			if a.Kind == spec.Apply {
				seen[a.Index] = true
			}
			return again
		})
		if i >= 0 {
			t.Actions[i].Entries[0].Hash ^= 1
		}
		return i
	}},
	{"F67", "a client is told of a commit that is none", []string{"C10"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.ClientRequest && t.after[i].LastIndex > t.after[i].CommitIndex
		})
		if i < 0 {
			return i
		}
		return t.insert(i, spec.Action{Kind: spec.Acknowledge, Server: t.Actions[i].Server, Index: t.after[i].LastIndex})
	}},
	{"F68", "a read before the leader has committed in its term", []string{"C11"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.BecomeLeader && t.after[i].CommitIndex > 0 })
		if i < 0 {
			return i
		}
		return t.insert(i, spec.Action{Kind: spec.Read, Server: t.Actions[i].Server, Index: t.after[i].CommitIndex})
	}},
	{"F81", "two changes of the configuration at once", []string{"M01"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.ChangeConfiguration && t.after[i].CommitIndex < t.after[i].LastIndex && t.voters(&t.after[i]).Len() > 2
		})
		return t.changeAgain(i, 1)
	}},
	{"F82", "a change before the leader has committed in its term", []string{"M02"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.ClientRequest && len(a.Entries) > 0 && a.Entries[0].Kind == spec.NoOp && t.after[i].CommitIndex < t.after[i].LastIndex &&
				t.voters(&t.after[i]).Len() > 2 && !t.changing(i)
		})
		return t.changeAgain(i, 1)
	}},
	{"F83", "more than one voter is changed at once", []string{"M03"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.Read && t.voters(&t.after[i]).Len() > 3 && !t.config(&t.after[i]).Joint() && !t.changing(i)
		})
		return t.changeAgain(i, 2)
	}},
	{"F84", "a quorum by the configuration before the last", []string{"C01"}, func(t *Trace) int {
		return t.commitsWith(func(i int, c *spec.Config, held spec.Set) bool {
			k := i
			for k >= 0 && (t.Actions[k].Server != t.Actions[i].Server || t.Actions[k].Kind != spec.ChangeConfiguration) {
				k--
			}
			if k < 0 || t.after[k].Config != t.after[i].Config || t.before[k].Config == 0 {
				return false
			}
			return !c.Quorum(held) && t.config(&t.before[k]).Quorum(held)
		})
	}},
	{"F86", "a joint configuration decides by one majority", []string{"C01"}, func(t *Trace) int {
		return t.commitsWith(func(_ int, c *spec.Config, held spec.Set) bool {
			return c.Joint() && majority(c.Quorums[0], held) != majority(c.Quorums[1], held)
		})
	}},
	{"F87", "a joint configuration is left before it is committed", []string{"M01"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.ChangeConfiguration && t.config(&t.after[i]).Joint() && t.after[i].CommitIndex < t.after[i].LastIndex
		})
		if i < 0 {
			return i
		}
		return t.propose(i, spec.Config{Quorums: t.config(&t.after[i]).Quorums[:1]})
	}},
	{"F88", "a leader outside of the configuration counts itself", []string{"C01"}, func(t *Trace) int {
		return t.commitsWith(func(i int, c *spec.Config, held spec.Set) bool {
			return !c.Joint() && !c.IsVoter(t.Actions[i].Server) && !c.Quorum(held) && 2*(held.Both(c.Quorums[0])+1) > c.Quorums[0].Len()
		})
	}},
}

// told is the highest leaderCommit that was sent to the server of action i, or
// that it has committed as a leader itself.
func (t *Trace) told(i int) (highest uint64) {
	for k := range i {
		switch a := &t.Actions[k]; {
		case a.Message.To == t.Actions[i].Server:
			highest = max(highest, a.Message.Commit)
		case is(a, spec.Receive, spec.AppendEntriesResponse) && a.Server == t.Actions[i].Server:
			highest = max(highest, a.Message.Match)
		}
	}
	return highest
}

// changing says whether the log of the server of action i has a configuration
// that it has not committed.
func (t *Trace) changing(i int) bool {
	for k := i; k >= 0; k-- {
		a := &t.Actions[k]
		if a.Server != t.Actions[i].Server || a.Kind == spec.Send || a.Kind == spec.Receive {
			continue
		}
		for _, e := range a.Entries {
			if e.Kind == spec.Configuration && e.Index > t.after[i].CommitIndex {
				return true
			}
		}
	}
	return false
}

// committed is the highest index that anybody has committed before action i.
func (t *Trace) committed(i int) (highest uint64) {
	for k := range i {
		highest = max(highest, t.after[k].CommitIndex)
	}
	return highest
}

// changeAgain lets a leader remove that many voters from its configuration.
func (t *Trace) changeAgain(i, voters int) int {
	if i < 0 {
		return i
	}
	s := t.after[i]
	set := spec.SetOf(t.voters(&s).Members()...)
	for range voters {
		for _, id := range set.Members() {
			if id != t.Actions[i].Server {
				set.Remove(id)
				break
			}
		}
	}
	return t.propose(i, spec.Config{Quorums: []spec.Set{set}})
}

func (t *Trace) propose(i int, c spec.Config) int {
	s := t.after[i]
	e := spec.Entry{Kind: spec.Configuration, Index: s.LastIndex + 1, Term: s.CurrentTerm, Config: t.Group.Config(c)}
	return t.insert(i, spec.Action{Kind: spec.ChangeConfiguration, Server: t.Actions[i].Server, Entries: []spec.Entry{e}})
}

func majority(of, held spec.Set) bool { return 2*of.Both(held) > of.Len() }

// commitsWith lets a leader that has just heard an acknowledgement commit an
// entry of its own term, where it and those who hold the entry fit.
func (t *Trace) commitsWith(fits func(i int, c *spec.Config, held spec.Set) bool) int {
	index := make(map[int]uint64)
	i := t.pick(func(i int, a *spec.Action) bool {
		s := &t.after[i]
		if s.Role != spec.Leader || s.LastTerm != s.CurrentTerm || !is(a, spec.Receive, spec.AppendEntriesResponse) ||
			a.Message.Term != s.CurrentTerm || a.Message.Match <= s.CommitIndex || a.Message.Match < t.firstOf(i) {
			return false
		}
		index[i] = a.Message.Match
		return fits(i, t.config(s), t.acked(i, a.Message.Match))
	})
	return t.commits(i, index[i])
}

// firstOf is the index of the first entry of the leader of action i in its term.
func (t *Trace) firstOf(i int) uint64 {
	for k := i; k >= 0; k-- {
		if a := &t.Actions[k]; a.Server == t.Actions[i].Server && a.Kind == spec.BecomeLeader {
			return t.after[k].LastIndex + 1
		}
	}
	return 0
}
