package simulate

import (
	"math/rand/v2"

	"github.com/tracecheck/tracecheck/spec"
)

// Glimpse is how much of a run a partial trace shows: some kinds of facts, and
// of the values that a line could repeat only some. A value that has changed is
// always shown, or its kind of fact is not.
type Glimpse struct {
	Shows   spec.Facts
	Repeats float64 // the chance that a line repeats a value that was shown before
	Skip    int     // actions before the trace begins

	draw *rand.Rand
	last map[spec.ID]spec.State // what was shown last
}

// RandomGlimpse draws one for a seed.
func RandomGlimpse(seed uint64) *Glimpse {
	g := &Glimpse{draw: rand.New(rand.NewPCG(seed, 11)), Repeats: 1, last: make(map[spec.ID]spec.State)}
	for bit := spec.Facts(1); bit <= Shows; bit <<= 1 {
		if Shows&bit != 0 && g.draw.IntN(4) != 0 {
			g.Shows |= bit
		}
	}
	g.Shows |= spec.ShowsRestart // one that does not show is trace damage, not a partial view
	if g.draw.IntN(2) == 0 {
		g.Repeats = g.draw.Float64()
	}
	if g.draw.IntN(3) == 0 {
		g.Skip = g.draw.IntN(300)
	}
	return g
}

// See takes from an action what the trace does not show, and reports whether
// anything is left.
func (g *Glimpse) See(a *spec.Action) bool {
	a.Seq = 0 // lines that are not shown are not missing
	if g.Skip > 0 {
		g.Skip--
		return false
	}
	named := *a
	if !g.kind(a) {
		return false
	}
	g.state(a.Server, &a.Before)
	g.state(a.Server, &a.After)
	if a.Kind == spec.Restart || a.Flags&spec.Durable != 0 {
		g.last[a.Server] = named.After // all of it is news
		a.After = named.After
		g.hide(&a.After)
	}
	g.message(&a.Message)
	a.Entries = g.entries(a.Entries)
	if g.Shows&spec.ShowsLogTerms == 0 {
		a.Term = 0
	}
	if g.Shows&spec.ShowsPersist == 0 {
		a.Flags &^= spec.Durable
	}
	return a.Kind != spec.Observe || a.After.Has|a.Before.Has != 0 || len(a.Entries) > 0
}

// fields are the claims that need a kind of fact.
var fields = []struct {
	has   spec.StateFields
	needs spec.Facts
}{
	{spec.HasTerm, spec.ShowsTerm},
	{spec.HasRole, spec.ShowsRole},
	{spec.HasVote, spec.ShowsVote},
	{spec.HasLastIndex, spec.ShowsLastIndex},
	{spec.HasLastTerm, spec.ShowsLogTerms},
	{spec.HasCommit, spec.ShowsCommit},
	{spec.HasApplied, spec.ShowsApply},
	{spec.HasConfig, spec.ShowsConfig},
	{spec.HasSnapshot, spec.ShowsSnapshots},
	{spec.HasFirstIndex, spec.ShowsSnapshots},
}

// hide takes the claims about what is not shown.
func (g *Glimpse) hide(s *spec.State) {
	for _, f := range fields {
		if g.Shows&f.needs == 0 {
			s.Has &^= f.has
		}
	}
}

// state takes claims that are not shown, and some that are no news.
func (g *Glimpse) state(id spec.ID, s *spec.State) {
	g.hide(s)
	last := g.last[id]
	for _, f := range fields {
		if s.Has&f.has == 0 {
			continue
		}
		now, was := *s, last
		now.Has, was.Has = f.has, last.Has&f.has
		if only(&now) == only(&was) && g.draw.Float64() > g.Repeats {
			s.Has &^= f.has
		}
	}
	Merge(&last, s)
	g.last[id] = last
}

// only is a state without the values that it does not claim.
func only(s *spec.State) (o spec.State) {
	Merge(&o, s)
	return o
}

// Merge copies the claims of one state into another.
func Merge(to, from *spec.State) {
	to.Has |= from.Has
	copyIf := func(has spec.StateFields, to, from *uint64) {
		if has != 0 {
			*to = *from
		}
	}
	if from.Has&spec.HasRole != 0 {
		to.Role = from.Role
	}
	if from.Has&spec.HasVote != 0 {
		to.VotedFor = from.VotedFor
	}
	if from.Has&spec.HasConfig != 0 {
		to.Config = from.Config
	}
	copyIf(from.Has&spec.HasTerm, &to.CurrentTerm, &from.CurrentTerm)
	copyIf(from.Has&spec.HasLastIndex, &to.LastIndex, &from.LastIndex)
	copyIf(from.Has&spec.HasLastTerm, &to.LastTerm, &from.LastTerm)
	copyIf(from.Has&spec.HasCommit, &to.CommitIndex, &from.CommitIndex)
	copyIf(from.Has&spec.HasApplied, &to.AppliedIndex, &from.AppliedIndex)
	copyIf(from.Has&spec.HasSnapshot, &to.SnapshotIndex, &from.SnapshotIndex)
	copyIf(from.Has&spec.HasSnapshot, &to.SnapshotTerm, &from.SnapshotTerm)
	copyIf(from.Has&spec.HasFirstIndex, &to.FirstIndex, &from.FirstIndex)
}

// kind decides whether the trace has a line for a step, and whether it names it.
func (g *Glimpse) kind(a *spec.Action) bool {
	shows := func(f spec.Facts) bool { return g.Shows&f == f }
	switch a.Kind {
	case spec.Send:
		return shows(spec.ShowsSends) && g.types(a.Message.Type)
	case spec.Receive:
		return shows(spec.ShowsReceives) && g.types(a.Message.Type)
	case spec.Timeout, spec.BecomeLeader, spec.BecomeFollower:
		if !shows(spec.ShowsRole) {
			a.Kind = spec.Observe
		}
	case spec.BecomePreCandidate:
		return shows(spec.ShowsRole | spec.ShowsPreVote)
	case spec.AdvanceCommitIndex:
		return shows(spec.ShowsCommit)
	case spec.Apply:
		return shows(spec.ShowsApply)
	case spec.Read:
		return shows(spec.ShowsReads)
	case spec.Acknowledge:
		return shows(spec.ShowsClientAcks)
	case spec.TransferLeadership:
		return shows(spec.ShowsTransfer)
	case spec.TakeSnapshot, spec.CompactLog, spec.InstallSnapshot:
		return shows(spec.ShowsSnapshots)
	case spec.ClientRequest, spec.ChangeConfiguration:
		return shows(spec.ShowsLastIndex)
	case spec.Observe:
		if a.Flags&spec.Durable != 0 && len(a.Entries) == 0 {
			return shows(spec.ShowsPersist)
		}
		if !shows(spec.ShowsLastIndex) {
			a.Entries = nil
		}
	}
	return true
}

// types says whether messages of a type are shown.
func (g *Glimpse) types(t spec.MessageType) bool {
	switch t {
	case spec.PreVoteRequest, spec.PreVoteResponse:
		return g.Shows&spec.ShowsPreVote != 0
	case spec.TimeoutNow:
		return g.Shows&spec.ShowsTransfer != 0
	}
	return true
}

func (g *Glimpse) message(m *spec.Message) {
	for _, f := range []struct {
		has   spec.MessageFields
		needs spec.Facts
	}{
		{spec.MsgTerm, spec.ShowsTerm},
		{spec.MsgLogTerm, spec.ShowsLogTerms},
		{spec.MsgLogIndex | spec.MsgEntries | spec.MsgMatch, spec.ShowsLastIndex},
		{spec.MsgCommit, spec.ShowsCommit},
		{spec.MsgLeaderMatch, spec.ShowsProgress},
	} {
		if g.Shows&f.needs == 0 {
			m.Has &^= f.has
		}
	}
	if m.Type == spec.RequestVoteResponse && g.Shows&spec.ShowsVote == 0 {
		m.Has &^= spec.MsgSuccess
	}
	blank(m)
}

// blank empties the fields that a message does not show.
func blank(m *spec.Message) {
	for _, f := range []struct {
		has   spec.MessageFields
		value *uint64
	}{
		{spec.MsgTerm, &m.Term}, {spec.MsgLogTerm, &m.LogTerm}, {spec.MsgLogIndex, &m.LogIndex},
		{spec.MsgEntries, &m.Entries}, {spec.MsgMatch, &m.Match}, {spec.MsgLeaderMatch, &m.LeaderMatch}, {spec.MsgCommit, &m.Commit},
	} {
		if m.Has&f.has == 0 {
			*f.value = 0
		}
	}
	if m.Has&spec.MsgSuccess == 0 {
		m.Success = false
	}
}

func (g *Glimpse) entries(in []spec.Entry) (out []spec.Entry) {
	for _, e := range in {
		if g.Shows&spec.ShowsContents == 0 {
			e.Hash, e.HasHash = 0, false
		}
		if g.Shows&spec.ShowsLogTerms == 0 {
			e.Term = 0
		}
		if g.Shows&spec.ShowsConfigLog == 0 {
			e.Config = 0
		}
		out = append(out, e)
	}
	return out
}
