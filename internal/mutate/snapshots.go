package mutate

import "github.com/tracecheck/tracecheck/spec"

// of picks an action of a kind and changes it.
func (t *Trace) of(kind spec.Kind, fits func(i int, a *spec.Action) bool, change func(a *spec.Action)) int {
	i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == kind && fits(i, a) })
	if i >= 0 {
		change(&t.Actions[i])
	}
	return i
}

func always(int, *spec.Action) bool { return true }

// snapshots are the faults of snapshots and compaction.
var snapshots = []*Fault{
	{"F70", "a snapshot of what is not applied", []string{"S01"}, func(t *Trace) int {
		return t.of(spec.TakeSnapshot, func(i int, a *spec.Action) bool { return t.after[i].LastIndex > a.Index },
			func(a *spec.Action) { a.Index, a.Term = a.Index+1, 0 })
	}},
	{"F71", "a snapshot with the wrong term", []string{"S02"}, func(t *Trace) int {
		return t.of(spec.TakeSnapshot, always, func(a *spec.Action) { a.Term++ })
	}},
	{"F72", "the log is discarded beyond the snapshot", []string{"S03"}, func(t *Trace) int {
		return t.of(spec.CompactLog, always, func(a *spec.Action) { a.Index++; a.After.Has = 0 })
	}},
	{"F73", "an old snapshot wipes committed entries", []string{"S05", "S04"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.InstallSnapshotRequest) && a.Message.Term == t.after[i].CurrentTerm &&
				t.after[i].AppliedIndex > a.Message.LogIndex
		})
		if i < 0 {
			return i
		}
		m := &t.Actions[i].Message
		return t.insert(i, spec.Action{Kind: spec.InstallSnapshot, Server: m.To, Index: m.LogIndex, Term: m.LogTerm})
	}},
	{"F74", "a conflicting log is kept under a snapshot", []string{"I03", "L06", "L01", "L03", "L04", "L05", "S04"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return a.Kind == spec.InstallSnapshot && t.before[i].LastIndex > a.Index
		})
		if i < 0 {
			i = t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.InstallSnapshot })
		}
		if i < 0 {
			return i
		}
		a := &t.Actions[i]
		a.After.LastIndex, a.After.LastTerm = a.Index+1, 0
		a.After.Has &^= spec.HasLastTerm
		return i
	}},
	{"F75", "a snapshot of an older term is installed", []string{"S06", "S05"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool {
			return is(a, spec.Receive, spec.InstallSnapshotRequest) && a.Message.Term < t.after[i].CurrentTerm
		})
		if i < 0 {
			return i
		}
		m := &t.Actions[i].Message
		return t.insert(i, spec.Action{Kind: spec.InstallSnapshot, Server: m.To, Index: m.LogIndex, Term: m.LogTerm})
	}},
	{"F76", "the state goes back", []string{"C08"}, func(t *Trace) int {
		i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Send && t.after[i].AppliedIndex > 0 })
		if i >= 0 {
			t.Actions[i].After.AppliedIndex--
		}
		return i
	}},
	{"F78", "a gap between snapshot and log", []string{"S07"}, func(t *Trace) int {
		return t.of(spec.Restart, always, func(a *spec.Action) { a.After.FirstIndex++ })
	}},
}
