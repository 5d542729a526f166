package kraft

import (
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

// highMoves notes the high watermark of a server, shown in an epoch: what is
// below is committed by the end of that epoch. Where the line does not tell the
// epoch it is 0, and the next line that does makes it a fact: the state that was
// shown last may be another than the present one.
func (m *Machine) highMoves(n *node, high, epoch uint64) {
	truth := spec.Unknown
	if n.hasHigh {
		truth = spec.Is(high >= n.high)
	}
	if m.check(HighNeverFalls, truth) {
		b := m.breach(HighNeverFalls, n, spec.FieldCommit)
		b.Message = sprintf("the high watermark of server %s falls from %d to %d", m.base.Name(n.id), n.high, high)
		m.because(b, n.highRef, n.id, sprintf("has high watermark %d", n.high))
		b.Allowed = sprintf("a high watermark of %d or more, until the process ends", n.high)
		m.finish(b, sprintf("has high watermark %d", high))
	}
	if !n.hasHigh || n.high != high {
		n.high, n.hasHigh, n.highRef = high, true, m.base.Ref()
		m.reaches(n, high)
		m.base.MaxCommit = max(m.base.MaxCommit, high)
	}
	if epoch == 0 || n.told == high {
		return
	}
	n.told = high
	run := m.base.Lineage.Find(epoch)
	if run == 0 {
		return
	}
	tip, known := m.base.Lineage.Branch(run, high)
	if !known {
		tip = spec.Tip{Index: high}
	}
	m.fact(n, spec.Fact{Kind: spec.Committed, Server: n.as, Term: epoch, Tip: tip, Index: high, Ref: m.base.Ref()})
}

// leadersHigh: a leader computes the high watermark: of the voters' end offsets in
// descending order the one at n/2, if it is beyond the start of the epoch.
func (m *Machine) leadersHigh(n *node, a *Action) {
	if a.Listed {
		m.highIsMajoritys(n, a)
		m.highCountsVoters(n, a)
	}
	if !a.HasOffset {
		return
	}
	epoch := a.Epoch
	truth := spec.Unknown
	if n.startRef != 0 && n.startOf == epoch && epoch != 0 {
		truth = spec.Is(a.Offset > n.start)
	}
	if m.check(HighBeyondEpochStart, truth) {
		b := m.breach(HighBeyondEpochStart, n, spec.FieldCommit)
		b.Message = sprintf("leader %s of epoch %d sets the high watermark to %d; the first record of its epoch is at offset %d",
			m.base.Name(n.id), epoch, a.Offset, n.start)
		m.because(b, n.startRef, n.id, sprintf("leads epoch %d from offset %d", epoch, n.start))
		b.Allowed = sprintf("%d or more", n.start+1)
		m.finish(b, sprintf("sets the high watermark to %d", a.Offset))
	}
	if run := m.base.Lineage.Find(epoch); run == 0 && epoch != 0 {
		m.leads(n, n.id, epoch, 0, false)
	}
	m.highMoves(n, a.Offset, epoch)
}

// highIsMajoritys checks the arithmetic that the line itself shows.
func (m *Machine) highIsMajoritys(n *node, a *Action) {
	truth := spec.Holds
	want, known := uint64(0), true
	ends := a.Ends
	switch {
	case len(ends) == 0 || !a.HasOffset:
		truth, known = spec.Unknown, false
	default:
		at := len(ends) / 2
		known = ends[at].Known
		want = ends[at].End
		truth = spec.Is(a.Taken == at)
		for i := 1; i < len(ends); i++ { // one that is not known counts as the least
			if ends[i].Known && (!ends[i-1].Known || ends[i].End > ends[i-1].End) {
				truth = spec.Fails
			}
		}
		truth = truth.And(spec.Is(known && want == a.Offset))
	}
	if m.check(HighIsMajoritys, truth) {
		b := m.breach(HighIsMajoritys, n, spec.FieldCommit)
		b.Message = sprintf("leader %s sets the high watermark to %d; of %d voters a majority has no more than %d",
			m.base.Name(n.id), a.Offset, len(ends), want)
		if want >= a.Offset || !known {
			b.Message = sprintf("leader %s sets the high watermark to %d; that is not the end offset at %d of its %d voters in descending order",
				m.base.Name(n.id), a.Offset, len(ends)/2, len(ends))
		}
		m.finish(b, sprintf("sets the high watermark to %d", a.Offset))
	}
}

// highCountsVoters: those that are counted are the voters. It is judged only
// where the set has not changed, since a line need not show when it does.
func (m *Machine) highCountsVoters(n *node, a *Action) {
	truth := spec.Unknown
	extra := spec.Nil
	if n.voters.Known && n.fixed && !n.voters.Directories {
		truth = spec.Is(len(a.Ends) == n.voters.Set.Len())
		for i := range a.Ends {
			if !n.voters.Set.Has(a.Ends[i].ID) {
				truth, extra = spec.Fails, a.Ends[i].ID
			}
		}
	}
	if m.check(HighCountsVoters, truth) {
		b := m.breach(HighCountsVoters, n, spec.FieldConfig, spec.FieldCommit)
		b.Message = sprintf("leader %s counts the end offsets of %d servers for its high watermark; there are %d voters",
			m.base.Name(n.id), len(a.Ends), n.voters.Set.Len())
		if extra != spec.Nil {
			b.Message = sprintf("leader %s counts the end offset of %s for its high watermark, which is not a voter",
				m.base.Name(n.id), m.base.Name(extra))
		}
		m.finish(b, "computes the high watermark")
	}
}

func (m *Machine) followersHigh(n *node, a *Action) {
	if a.HasOffset {
		m.highMoves(n, a.Offset, a.Epoch)
	}
}

// truncated: a follower cuts its log to where it agrees with its leader's.
func (m *Machine) truncated(n *node, a *Action) {
	n.hasEnd = false
	m.keepsCommitted(n, a, "cuts its log to %d")
}

// snapshotLoaded: a follower replaces its log by its leader's snapshot, which
// holds only what is committed.
func (m *Machine) snapshotLoaded(n *node, a *Action) {
	n.hasEnd = false
	m.keepsCommitted(n, a, "replaces its log by a snapshot that ends at %d")
	m.snapshotTaken(n, a)
	if a.HasOffset && (!n.hasHigh || n.high < a.Offset) {
		m.highMoves(n, a.Offset, 0)
	}
}

func (m *Machine) keepsCommitted(n *node, a *Action, what string) {
	if !a.HasOffset {
		return
	}
	truth := spec.Unknown
	if n.hasHigh {
		truth = spec.Is(a.Offset >= n.high)
	}
	if m.check(TruncationKeepsCommitted, truth) {
		b := m.breach(TruncationKeepsCommitted, n, spec.FieldLastIndex)
		b.Message = sprintf("server %s, whose high watermark is %d, "+what, m.base.Name(n.id), n.high, a.Offset)
		m.because(b, n.highRef, n.id, sprintf("has high watermark %d", n.high))
		b.Allowed = sprintf("an end offset of %d or more", n.high)
		m.finish(b, sprintf(what, a.Offset))
	}
}

// snapshot is the id of a snapshot: the end offset of what it holds, and the
// epoch of the last record of that. Both are of the committed log, of which
// there is one.
type snapshot struct {
	end, epoch uint64
	server     spec.ID
	ref        spec.Ref
}

// keptSnapshots bounds the memory: ids of that many snapshots are remembered.
const keptSnapshots = 1024

func (m *Machine) snapshotTaken(n *node, a *Action) {
	if !a.HasOffset || !a.HasEpoch || a.Offset == 0 || n.empty != nil { // 0-0 is what a node is formatted with
		return
	}
	at, found := slices.BinarySearchFunc(m.snapshots, a.Offset, func(s snapshot, end uint64) int {
		switch {
		case s.end < end:
			return -1
		case s.end > end:
			return 1
		}
		return 0
	})
	var other *snapshot
	switch {
	case found && m.snapshots[at].epoch != a.Epoch:
		other = &m.snapshots[at]
	case !found && at > 0 && m.snapshots[at-1].epoch > a.Epoch:
		other = &m.snapshots[at-1]
	case !found && at < len(m.snapshots) && m.snapshots[at].epoch < a.Epoch:
		other = &m.snapshots[at]
	}
	truth := spec.Is(other == nil)
	if len(m.snapshots) == 0 {
		truth = spec.Unknown
	}
	if m.check(SnapshotIDsAgree, truth) {
		b := m.breach(SnapshotIDsAgree, n, spec.FieldSnapshotIndex, spec.FieldSnapshotTerm)
		b.Message = sprintf("server %s has a snapshot that ends at offset %d in epoch %d; a snapshot of server %s ends at %d in epoch %d",
			m.base.Name(n.id), a.Offset, a.Epoch, m.base.Name(other.server), other.end, other.epoch)
		m.because(b, other.ref, other.server, sprintf("has snapshot %d-%d", other.end, other.epoch))
		m.finish(b, sprintf("has snapshot %d-%d", a.Offset, a.Epoch))
		return
	}
	if found {
		return
	}
	if len(m.snapshots) >= keptSnapshots {
		m.snapshots = append(m.snapshots[:0], m.snapshots[keptSnapshots/2:]...)
		at = max(0, at-keptSnapshots/2)
	}
	m.snapshots = slices.Insert(m.snapshots, at, snapshot{a.Offset, a.Epoch, n.id, m.base.Ref()})
}

// leaderAppended: a leader appends to the end of its log, beginning with the
// LeaderChange record at the start of its epoch.
func (m *Machine) leaderAppended(n *node, a *Action) {
	m.appendedEpoch(n, a, true)
	truth := spec.Unknown
	if n.hasEnd && a.Base <= n.end { // a later one: the lines between are not all shown
		truth = spec.Is(a.Base == n.end && a.Offset > a.Base)
	}
	if m.check(LeaderAppendsAtEnd, truth) {
		b := m.breach(LeaderAppendsAtEnd, n, spec.FieldLastIndex)
		b.Message = sprintf("leader %s appends at offset %d; its log ends at %d", m.base.Name(n.id), a.Base, n.end)
		m.because(b, n.endRef, n.id, sprintf("has a log that ends at %d", n.end))
		b.Allowed = sprintf("appending at offset %d", n.end)
		m.finish(b, sprintf("appends at offset %d", a.Base))
	}
	n.end, n.hasEnd, n.endRef = a.Offset, n.state.Name == Leader, m.base.Ref()
}

func (m *Machine) followerAppended(n *node, a *Action) { m.appendedEpoch(n, a, false) }

// appendedEpoch: no log holds a record of an epoch that its server has not seen.
func (m *Machine) appendedEpoch(n *node, a *Action, leader bool) {
	truth := spec.Unknown
	if a.HasEpoch && n.state.Name != Unknown && n.state.HasEpoch {
		truth = spec.Is(a.Epoch <= n.state.Epoch)
		if leader && n.state.Name == Leader {
			truth = spec.Is(a.Epoch == n.state.Epoch)
		}
	}
	if m.check(AppendedEpoch, truth) {
		b := m.unsure(AppendedEpoch, n)
		b.Message = sprintf("server %s in epoch %d appends records of epoch %d", m.base.Name(n.id), n.state.Epoch, a.Epoch)
		m.because(b, n.ref, n.id, "is "+m.text(&n.state))
		m.finish(b, sprintf("appends records of epoch %d", a.Epoch))
	}
}
