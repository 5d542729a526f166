package mutate

import "github.com/tracecheck/tracecheck/spec"

// unpersisted removes a line that says what is on disk, right before a message
// that depends on it, and returns the place of that message.
func (t *Trace) unpersisted(fits func(a *spec.Action) bool, sends func(a *spec.Action) bool) int {
	i := t.pick(func(i int, a *spec.Action) bool {
		if a.Kind != spec.Observe || a.Flags&spec.Durable == 0 || len(a.Entries) > 0 || i == 0 || !fits(a) {
			return false
		}
		k := t.next(i, func(b *spec.Action) bool { return b.Kind == spec.Send || b.Flags&spec.Durable != 0 })
		return k >= 0 && t.Actions[k].Kind == spec.Send && sends(&t.Actions[k])
	})
	if i < 0 {
		return i
	}
	k := t.next(i, func(b *spec.Action) bool { return b.Kind == spec.Send })
	t.remove(i)
	return k - 1
}

// persistence are the faults of what is written, in which order, and read back.
var persistence = []*Fault{
	{"F30", "a voter comes back with an empty disk", []string{"P01", "P02", "P03", "I06"}, func(t *Trace) int {
		return t.of(spec.Restart, func(i int, a *spec.Action) bool { return a.After.CurrentTerm > 0 }, func(a *spec.Action) {
			a.After.CurrentTerm, a.After.VotedFor, a.After.LastIndex, a.After.LastTerm = 0, 0, 0, 0
			a.After.CommitIndex, a.After.AppliedIndex, a.After.SnapshotIndex, a.After.SnapshotTerm, a.After.FirstIndex = 0, 0, 0, 0, 1
		})
	}},
	{"F93", "a vote leaves before it is written", []string{"P05"}, func(t *Trace) int {
		return t.unpersisted(func(a *spec.Action) bool { return a.After.VotedFor != spec.Nil && a.After.VotedFor != a.Server },
			func(b *spec.Action) bool { return b.Message.Type == spec.RequestVoteResponse && b.Message.Success })
	}},
	{"F94", "a message leaves before its term is written", []string{"P04"}, func(t *Trace) int {
		return t.unpersisted(func(a *spec.Action) bool { return a.After.VotedFor == spec.Nil || a.After.VotedFor == a.Server },
			func(b *spec.Action) bool {
				return b.Message.Type != spec.PreVoteRequest && b.Message.Type != spec.PreVoteResponse && b.Message.Type != spec.TimeoutNow
			})
	}},
	{"F95", "entries are lost by a restart", []string{"P03"}, func(t *Trace) int {
		return t.of(spec.Restart, func(i int, a *spec.Action) bool {
			return a.After.LastIndex > a.After.SnapshotIndex && a.After.LastIndex > 0
		}, func(a *spec.Action) { a.After.LastIndex--; a.After.Has &^= spec.HasLastTerm })
	}},
	{"F96", "the log is another after a restart", []string{"P03", "I03"}, func(t *Trace) int {
		return t.of(spec.Restart, func(i int, a *spec.Action) bool {
			return a.After.LastTerm > 1 && a.After.LastIndex > a.After.SnapshotIndex
		},
			func(a *spec.Action) { a.After.LastTerm-- })
	}},
	{"F97", "a commit index beyond the log at a restart", []string{"C05"}, func(t *Trace) int {
		return t.of(spec.Restart, always, func(a *spec.Action) { a.After.CommitIndex = a.After.LastIndex + 1 })
	}},
	{"F99", "vote and term are written apart, and a crash comes between", []string{"P01", "I08"}, func(t *Trace) int {
		return t.of(spec.Restart, func(i int, a *spec.Action) bool {
			return a.After.VotedFor != spec.Nil && t.voters(&a.After).Len() > 1
		}, func(a *spec.Action) { a.After.VotedFor = t.other(&a.After, a.After.VotedFor) })
	}},
	{"F98", "a vote is written under another term", []string{"I06", "V02", "P05"}, func(t *Trace) int {
		return t.of(spec.Observe, func(i int, a *spec.Action) bool {
			return a.Flags&spec.Durable != 0 && len(a.Entries) == 0 && a.After.VotedFor != spec.Nil && a.After.CurrentTerm > 1
		}, func(a *spec.Action) { a.After.CurrentTerm-- })
	}},
}
