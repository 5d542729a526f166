package kraft

import "github.com/tracecheck/tracecheck/spec"

// quorumDescribed is the answer of a controller to DescribeQuorum. One that has been deposed may answer for its old epoch.
func (m *Machine) quorumDescribed(a *Action) {
	if a.Leader == spec.Nil {
		return
	}
	n := m.node(a.Leader)
	m.leads(n, a.Leader, a.Epoch, 0, false)
	m.base.MaxTerm = max(m.base.MaxTerm, a.Epoch)
	if !a.HasOffset {
		return
	}
	truth := spec.Unknown
	if n.describedRef != 0 && n.describedOf == a.Epoch {
		truth = spec.Is(a.Offset >= n.described)
	}
	if m.check(HighNeverFalls, truth) {
		b := m.breach(HighNeverFalls, n, spec.FieldCommit)
		b.Message = sprintf("the high watermark of leader %s falls from %d to %d in epoch %d", m.base.Name(n.id), n.described, a.Offset, a.Epoch)
		m.because(b, n.describedRef, n.id, sprintf("has high watermark %d", n.described))
		b.Allowed = sprintf("a high watermark of %d or more, until the process ends", n.described)
		m.finish(b, sprintf("has high watermark %d", a.Offset))
	}
	n.describedOf, n.described, n.describedRef = a.Epoch, a.Offset, m.base.Ref()
	m.base.MaxCommit = max(m.base.MaxCommit, a.Offset)
}

// replicaDescribed compares two ends of logs in one answer of a leader.
func (m *Machine) replicaDescribed(a *Action) {
	n, replica := m.node(a.Leader), a.Vote.Candidate.ID
	if !m.check(ReplicaWithinLeaderLog, spec.Is(a.Base <= a.Offset)) {
		return
	}
	b := m.breach(ReplicaWithinLeaderLog, n, spec.FieldLastIndex)
	b.Message = sprintf("leader %s has a log that ends at %d, and says that the log of %s ends at %d", m.base.Name(n.id), a.Offset, m.base.Name(replica), a.Base)
	b.Allowed = sprintf("an end of %d or less", a.Offset)
	m.finish(b, sprintf("the log of %s ends at %d", m.base.Name(replica), a.Base))
}
