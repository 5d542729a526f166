package mutate

import "github.com/tracecheck/tracecheck/spec"

// writes picks a follower's write of entries.
func (t *Trace) writes(fits func(i int, a *spec.Action) bool) int {
	return t.pick(func(i int, a *spec.Action) bool {
		return a.Kind == spec.Observe && len(a.Entries) > 0 && fits(i, a)
	})
}

// claim inserts a line that shows another end of the log behind action i.
func (t *Trace) claim(i int, index uint64) int {
	if i < 0 {
		return i
	}
	return t.insert(i, observe(t.Actions[i].Server, spec.State{Has: spec.HasLastIndex, LastIndex: index}))
}

// accept turns the answer that refuses entries into one that accepts them.
func (t *Trace) accept(i int, r *spec.Message) int {
	m := &t.Actions[i].Message
	m.Success, m.Match = true, r.LogIndex+r.Entries
	m.Has |= spec.MsgMatch
	return i
}

// refusedAppend picks a refusal of entries that fits.
func (t *Trace) refusedAppend(fits func(s *spec.State, r *spec.Message) bool) int {
	return t.pick(func(i int, a *spec.Action) bool {
		if !is(a, spec.Send, spec.AppendEntriesResponse) || a.Message.Success {
			return false
		}
		r := t.requestOf(i)
		return r != nil && r.Type == spec.AppendEntriesRequest && r.LogIndex+r.Entries > 0 && fits(&t.after[i], r)
	})
}

// logs are the faults of replication.
var logs = []*Fault{
	{"F33", "entries are taken without the entry before them", []string{"L11", "L01"}, func(t *Trace) int {
		i := t.refusedAppend(func(s *spec.State, r *spec.Message) bool { return r.Term == s.CurrentTerm })
		if i < 0 {
			return i
		}
		return t.accept(i, t.requestOf(i))
	}},
	{"F34", "a gap in the log", []string{"L07", "L06"}, func(t *Trace) int {
		i := t.writes(func(i int, a *spec.Action) bool { return a.Entries[0].Index > t.before[i].LastIndex })
		if i < 0 {
			return i
		}
		a := &t.Actions[i]
		for k := range a.Entries {
			a.Entries[k].Index += 2
		}
		a.After.LastIndex += 2
		return i
	}},
	{"F35", "the log is cut without a conflict", []string{"L03"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			s := &t.after[i]
			return is(a, spec.Send, spec.AppendEntriesResponse) && a.Message.Success && s.LastIndex > s.CommitIndex && s.LastIndex > s.SnapshotIndex+1 &&
				a.Message.Match == s.LastIndex
		})
		if i < 0 {
			return i
		}
		return t.claim(i, t.after[i].LastIndex-1)
	}},
	{"F36", "a conflicting entry is kept", []string{"L11", "L03", "L04", "L06"}, func(t *Trace) int {
		i := t.writes(func(i int, a *spec.Action) bool { return a.Entries[0].Index <= t.before[i].LastIndex })
		if i < 0 {
			return i
		}
		was := t.before[i]
		answer := t.next(i, func(a *spec.Action) bool { return is(a, spec.Send, spec.AppendEntriesResponse) })
		if answer < 0 {
			return -1
		}
		t.Actions[answer].After.LastIndex, t.Actions[answer].After.LastTerm = was.LastIndex, was.LastTerm
		t.Actions[answer].After.Has &^= spec.HasCommit
		for k := answer - 1; k >= i; k-- {
			if a := &t.Actions[k]; a.Server == t.Actions[i].Server {
				t.remove(k)
				answer--
			}
		}
		return answer
	}},
	{"F37", "committed entries are cut off", []string{"L05", "L03", "L04"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			s := &t.after[i]
			return s.Role == spec.Follower && s.CommitIndex > s.SnapshotIndex+1 && s.Has&spec.HasCommit != 0
		})
		if i < 0 {
			return i
		}
		return t.claim(i, t.after[i].CommitIndex-1)
	}},
	{"F38", "the log is cut one entry too far", []string{"L04", "L03", "L05", "L07", "L06"}, func(t *Trace) int {
		i := t.writes(func(i int, a *spec.Action) bool {
			return a.Entries[0].Index <= t.before[i].LastIndex && a.Entries[0].Index > t.before[i].CommitIndex+1
		})
		if i < 0 {
			return i
		}
		return t.claim(i-1, t.Actions[i].Entries[0].Index-2)
	}},
	{"F39", "a leader cuts its log", []string{"I02"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.ClientRequest && t.after[i].LastIndex > t.after[i].CommitIndex
		})
		if i < 0 {
			return i
		}
		return t.claim(i, t.after[i].LastIndex-1)
	}},
	{"F40", "a leader's entry has an older term", []string{"L08"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.ClientRequest && len(a.Entries) > 0 && t.after[i].CurrentTerm > 1
		})
		if i >= 0 {
			t.Actions[i].Entries[0].Term--
			t.Actions[i].After.LastTerm--
		}
		return i
	}},
	{"F41", "a server that does not lead creates an entry", []string{"L15"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return t.after[i].Role == spec.Follower && t.after[i].CurrentTerm > 0
		})
		if i < 0 {
			return i
		}
		s := t.after[i]
		e := spec.Entry{Kind: spec.Command, Index: s.LastIndex + 1, Term: s.CurrentTerm}
		return t.insert(i, spec.Action{Kind: spec.ClientRequest, Server: t.Actions[i].Server, Entries: []spec.Entry{e}})
	}},
	{"F42", "a follower writes an entry that nobody sent", []string{"L06"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			s := &t.after[i]
			return is(a, spec.Send, spec.AppendEntriesResponse) && a.Message.Success && a.Message.Match == s.LastIndex && t.fresh(i)
		})
		if i < 0 {
			return i
		}
		s := t.after[i]
		e := spec.Entry{Kind: spec.Command, Index: s.LastIndex + 1, Term: s.CurrentTerm}
		return t.insert(i, spec.Action{Kind: spec.Observe, Server: t.Actions[i].Server, Entries: []spec.Entry{e}})
	}},
	{"F43", "one entry holds two things", []string{"I03"}, func(t *Trace) int {
		i := t.writes(func(i int, a *spec.Action) bool { return true })
		if i >= 0 {
			t.Actions[i].Entries[0].Hash ^= 1
		}
		return i
	}},
	{"F44", "terms fall along the log", []string{"L09", "L06", "I03"}, func(t *Trace) int {
		i := t.writes(func(i int, a *spec.Action) bool {
			return a.Entries[0].Index == t.before[i].LastIndex+1 && t.before[i].LastTerm > 1
		})
		if i >= 0 {
			t.Actions[i].Entries[0].Term = t.before[i].LastTerm - 1
		}
		return i
	}},
	{"F45", "an entry of a term to come", []string{"L10"}, func(t *Trace) int {
		i := t.writes(func(i int, a *spec.Action) bool { return a.Entries[0].Index == t.before[i].LastIndex+1 })
		if i >= 0 {
			t.Actions[i].Entries[0].Term = t.after[i].CurrentTerm + 1
		}
		return i
	}},
	{"F46", "entries of an older term are accepted", []string{"L11", "V12", "V15"}, func(t *Trace) int {
		i := t.refusedAppend(func(s *spec.State, r *spec.Message) bool {
			return r.Term < s.CurrentTerm && (r.LogIndex > s.LastIndex || r.LogIndex+r.Entries > s.LastIndex)
		})
		if i < 0 {
			return i
		}
		return t.accept(i, t.requestOf(i))
	}},
	{"F47", "an entry changes its index", []string{"L07", "L06", "L03", "L04", "I03"}, func(t *Trace) int {
		i := t.writes(func(i int, a *spec.Action) bool { return a.Entries[0].Index > 2 && len(a.Entries) == 1 })
		if i >= 0 {
			t.Actions[i].Entries[0].Index++
			t.Actions[i].After.LastIndex++
		}
		return i
	}},
	{"F48", "the whole log is gone, and no request asked for it", []string{"L05", "L03", "L04"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return t.after[i].Role == spec.Follower && t.after[i].LastIndex > 1 && t.after[i].CommitIndex > 0
		})
		return t.claim(i, 0)
	}},
	{"F49", "entries are acknowledged before they are stored", []string{"L11"}, func(t *Trace) int {
		i := t.writes(func(i int, a *spec.Action) bool { return a.Entries[0].Index == t.before[i].LastIndex+1 })
		if i < 0 {
			return i
		}
		was := t.before[i]
		answer := t.next(i, func(a *spec.Action) bool { return is(a, spec.Send, spec.AppendEntriesResponse) })
		if answer < 0 {
			return -1
		}
		write := t.Actions[i]
		for k := i; k <= answer; k++ {
			if a := &t.Actions[k]; a.Server == write.Server {
				a.After.LastIndex, a.After.LastTerm = was.LastIndex, was.LastTerm
				a.After.Has &^= spec.HasCommit
			}
		}
		t.insert(answer, write)
		for k := answer - 1; k >= i; k-- {
			if a := &t.Actions[k]; a.Server == write.Server {
				t.remove(k)
				answer--
			}
		}
		return answer
	}},
	{"F51", "a leader's matchIndex falls", []string{"L16"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Send, spec.AppendEntriesRequest) && a.Message.LeaderMatch > 1
		})
		if i >= 0 {
			t.Actions[i].Message.LeaderMatch--
		}
		return i
	}},
	{"F53", "a leader sends what contradicts its log", []string{"L12", "I04"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Send, spec.AppendEntriesRequest) && len(a.Entries) > 0 && a.Entries[0].Term > 1
		})
		if i >= 0 {
			t.Actions[i].Entries = append([]spec.Entry(nil), t.Actions[i].Entries...)
			t.Actions[i].Entries[0].Term--
		}
		return i
	}},
}

// fresh says whether no request that was sent to the server of action i reaches
// beyond its log.
func (t *Trace) fresh(i int) bool {
	for k := range i {
		a := &t.Actions[k]
		ours := a.Server == t.Actions[i].Server && a.Kind == spec.Receive || a.Message.To == t.Actions[i].Server
		if ours && a.Message.LogIndex+a.Message.Entries > t.after[i].LastIndex {
			return false
		}
	}
	return true
}
