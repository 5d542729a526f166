package kraft

import (
	"sort"

	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/metadata"
)

// diskLog is the log on a server's disk, read from its begin to its end.
type diskLog struct {
	end    uint64 // exclusive
	epoch  uint64 // of the last record
	ref    spec.Ref
	known  bool
	starts []epochStart // of the epochs that were read, ascending
}

// text says where the log has come to.
func (d *diskLog) text() string {
	if !d.known {
		return sprintf("a log that begins at %d", d.end)
	}
	return sprintf("a log up to %d, the last record of epoch %d", d.end, d.epoch)
}

// epochStart is the offset of the first record of an epoch that was read. It is the epoch's first where sure.
type epochStart struct {
	epoch, offset uint64
	ref           spec.Ref
	sure          bool
}

// held is a batch that some server's disk holds.
type held struct {
	base, end, epoch uint64
	content          uint32
	server           spec.ID
	ref              spec.Ref
}

// keptBatches is how many batches are remembered to be compared with those of the other servers, a power of two. The logs of
// several servers are read side by side, so that a few would do.
const keptBatches = 1 << 12

// keptEpochs bounds the starts of epochs that are remembered for each server.
const keptEpochs = 1 << 14

// logBegins: what was before the log is in a snapshot.
func (m *Machine) logBegins(n *node, a *Action) {
	n.disk = diskLog{end: a.Offset}
	n.image, n.load = metadata.New(a.Offset == 0), nil
	m.comesTo(n, a.Offset)
	truth := spec.Unknown
	if a.HasEpoch || a.Offset == 0 {
		truth = spec.Is(a.Base >= a.Offset)
	}
	if m.check(StartHasSnapshot, truth) {
		b := m.breach(StartHasSnapshot, n, spec.FieldLastIndex)
		b.Message = sprintf("the log of server %s begins at offset %d, and its latest snapshot ends at %d", m.base.Name(n.id), a.Offset, a.Base)
		if a.Base == 0 {
			b.Message = sprintf("the log of server %s begins at offset %d, and it has no snapshot", m.base.Name(n.id), a.Offset)
		}
		b.Allowed = sprintf("a snapshot that ends at %d or later", a.Offset)
		m.finish(b, sprintf("has a log that begins at %d", a.Offset))
	}
}

// batchHeld reads the next batch of a server's log.
func (m *Machine) batchHeld(n *node, a *Action) {
	if a.Fresh {
		n.disk, n.image = diskLog{}, nil
	}
	m.comesTo(n, a.Base)
	d := &n.disk
	m.contiguous(n, a)
	m.epochRises(n, a)
	m.epochBegins(n, a)
	if a.Kind == LeaderChangeHeld && a.Change.Known {
		m.changeOfMajority(n, a)
		m.leads(n, a.Change.Leader, a.Epoch, a.Base, false)
	}
	if a.Kind == LeaderChangeHeld && a.Epoch > m.elected {
		m.elected = a.Epoch
		m.base.Elections++
	}
	m.matches(n, a)
	m.holdsCommitted(n, a)
	if (!d.known || a.Epoch > d.epoch) && len(d.starts) < keptEpochs {
		d.starts = append(d.starts, epochStart{a.Epoch, a.Base, m.base.Ref(), d.known || a.Kind == LeaderChangeHeld})
	}
	d.end, d.epoch, d.ref, d.known = a.Offset, a.Epoch, m.base.Ref(), true
	m.base.MaxTerm = max(m.base.MaxTerm, a.Epoch)
}

func (m *Machine) contiguous(n *node, a *Action) {
	d := &n.disk
	truth := spec.Unknown
	if d.known {
		truth = spec.Is(a.Base == d.end)
	}
	if m.check(BatchesContiguous, truth.And(spec.Is(a.Offset > a.Base))) {
		b := m.breach(BatchesContiguous, n, spec.FieldLastIndex)
		b.Message = sprintf("in the log of server %s a batch begins at offset %d; the one before it ends at %d", m.base.Name(n.id), a.Base, d.end)
		m.because(b, d.ref, n.id, sprintf("a batch that ends at %d", d.end))
		b.Allowed = sprintf("a batch that begins at %d", d.end)
		m.finish(b, sprintf("a batch that begins at %d", a.Base))
	}
}

func (m *Machine) epochRises(n *node, a *Action) {
	d := &n.disk
	truth := spec.Unknown
	if d.known {
		truth = spec.Is(a.Epoch >= d.epoch)
	}
	if m.check(EpochsNeverFall, truth) {
		b := m.breach(EpochsNeverFall, n, spec.FieldEntryTerm)
		b.Message = sprintf("in the log of server %s the epoch falls from %d to %d at offset %d", m.base.Name(n.id), d.epoch, a.Epoch, a.Base)
		m.because(b, d.ref, n.id, sprintf("a batch of epoch %d", d.epoch))
		b.Allowed = sprintf("epoch %d or later", d.epoch)
		m.finish(b, sprintf("a batch of epoch %d", a.Epoch))
	}
}

// epochBegins: an epoch begins with its LeaderChange, and has one.
func (m *Machine) epochBegins(n *node, a *Action) {
	d := &n.disk
	truth := spec.Unknown
	if d.known && a.Base == d.end && a.Epoch >= d.epoch {
		truth = spec.Is((a.Epoch > d.epoch) == (a.Kind == LeaderChangeHeld))
	}
	if m.check(EpochBegins, truth) {
		b := m.breach(EpochBegins, n, spec.FieldEntryTerm)
		b.Message = sprintf("in the log of server %s epoch %d begins at offset %d without a LeaderChange record", m.base.Name(n.id), a.Epoch, a.Base)
		b.Allowed = sprintf("a control batch that begins with LeaderChange at offset %d", a.Base)
		what := sprintf("a batch of epoch %d without it", a.Epoch)
		if a.Kind == LeaderChangeHeld {
			b.Message = sprintf("in the log of server %s a LeaderChange record stands at offset %d, in the middle of epoch %d", m.base.Name(n.id), a.Base, a.Epoch)
			b.Allowed = "one LeaderChange record, at the start of the epoch"
			what = sprintf("a LeaderChange record of epoch %d", a.Epoch)
		}
		m.because(b, d.ref, n.id, sprintf("a batch of epoch %d", d.epoch))
		m.finish(b, what)
	}
}

// changeOfMajority: who leads was elected by the voters that the record lists.
func (m *Machine) changeOfMajority(n *node, a *Action) {
	c := &a.Change
	granted := c.Granting.Len()
	truth := spec.Unknown
	if c.Voters.Len() > 0 && granted > 0 { // the first versions left them out
		truth = spec.Is(c.Voters.Has(c.Leader) && c.Granting.Has(c.Leader) && c.Granting.Both(c.Voters) == granted && 2*granted > c.Voters.Len())
	}
	if m.check(ChangeOfMajority, truth) {
		b := m.breach(ChangeOfMajority, n, spec.FieldMessageResult)
		b.Message = sprintf("the LeaderChange record of epoch %d names %s as leader, with %d grants of %d voters", a.Epoch, m.base.Name(c.Leader),
			c.Granting.Both(c.Voters), c.Voters.Len())
		b.Allowed = sprintf("a leader that is a voter, with the grants of %d voters or more, its own among them", c.Voters.Len()/2+1)
		m.finish(b, sprintf("a LeaderChange record of epoch %d", a.Epoch))
	}
}

// matches: one leader wrote the records of an epoch, and each offset once.
func (m *Machine) matches(n *node, a *Action) {
	if m.batches == nil {
		m.batches = make([]held, keptBatches)
	}
	at := &m.batches[a.Base%keptBatches]
	truth := spec.Unknown
	if at.ref != 0 && at.base == a.Base && at.epoch == a.Epoch && at.server != n.id {
		truth = spec.Is(at.end == a.Offset && at.content == a.Content)
	}
	if m.check(LogsMatch, truth) {
		b := m.breach(LogsMatch, n, spec.FieldLastIndex, spec.FieldEntryTerm, spec.FieldEntryHash)
		b.Message = sprintf("the logs of servers %s and %s hold different batches at offset %d of epoch %d", m.base.Name(at.server), m.base.Name(n.id), a.Base, a.Epoch)
		m.because(b, at.ref, at.server, sprintf("ends at %d, checksum %d", at.end, at.content))
		b.Allowed = sprintf("a batch that ends at %d, with checksum %d", at.end, at.content)
		m.finish(b, sprintf("ends at %d, checksum %d", a.Offset, a.Content))
		return
	}
	*at = held{a.Base, a.Offset, a.Epoch, a.Content, n.id, m.base.Ref()}
}

// holdsCommitted: a snapshot holds what is committed, and every later leader's log holds that.
func (m *Machine) holdsCommitted(n *node, a *Action) {
	truth := spec.Unknown
	var broken *snapshot
	// The first that ends later; what is behind it is of the same or a later epoch.
	if i := sort.Search(len(m.snapshots), func(i int) bool { return m.snapshots[i].end > a.Base }); i < len(m.snapshots) {
		broken = &m.snapshots[i]
		truth = spec.Is(a.Epoch <= broken.epoch)
	}
	if m.check(HoldsCommitted, truth) {
		m.lacksCommitted(n, a.Epoch, a.Base, broken.end, broken.epoch, broken.ref, broken.server, m.base.Ref())
	}
}

// lacksCommitted is the breach: a record of the epoch stands at the offset, before the end of a snapshot of an earlier one.
func (m *Machine) lacksCommitted(n *node, epoch, offset, end, committed uint64, ref spec.Ref, server spec.ID, read spec.Ref) {
	b := m.breach(HoldsCommitted, n, spec.FieldEntryTerm)
	b.Message = sprintf("the log of server %s holds a record of epoch %d before offset %d; the snapshot %d-%d of server %s says that what is committed up to there ends in epoch %d",
		m.base.Name(n.id), epoch, end, end, committed, m.base.Name(server), committed)
	b.Allowed = sprintf("records up to epoch %d before offset %d", committed, end)
	batch, has := sprintf("a batch of epoch %d at offset %d", epoch, offset), sprintf("has snapshot %d-%d", end, committed)
	if read == m.base.Ref() {
		m.because(b, ref, server, has)
		m.finish(b, batch)
		return
	}
	m.because(b, read, n.id, batch)
	m.because(b, m.base.Ref(), server, has)
}

// snapshotOnDisk compares a snapshot's id with the logs, as far as they are read.
func (m *Machine) snapshotOnDisk(n *node, a *Action) {
	m.snapshotTaken(n, a)
	n.ends, n.load, n.ready = a.Offset, nil, nil
	if a.Offset == 0 { // what a node is formatted with
		return
	}
	m.base.MaxCommit = max(m.base.MaxCommit, a.Offset)
	d := &n.disk
	truth := spec.Unknown
	if d.known && d.end >= a.Offset && len(d.starts) < keptEpochs {
		if at, ok := d.epochAt(a.Offset - 1); ok {
			truth = spec.Is(at == a.Epoch)
		}
	}
	if m.check(SnapshotOfOwnLog, truth) {
		at, _ := d.epochAt(a.Offset - 1)
		b := m.breach(SnapshotOfOwnLog, n, spec.FieldSnapshotIndex, spec.FieldSnapshotTerm)
		b.Message = sprintf("server %s has snapshot %d-%d; in its own log the record before offset %d is of epoch %d", m.base.Name(n.id), a.Offset, a.Epoch, a.Offset, at)
		m.because(b, d.ref, n.id, sprintf("a batch of epoch %d, up to %d", d.epoch, d.end))
		b.Allowed = sprintf("snapshot %d-%d", a.Offset, at)
		m.finish(b, sprintf("has snapshot %d-%d", a.Offset, a.Epoch))
	}
	for _, other := range m.nodes {
		if other == nil || other == n || !other.disk.known {
			continue
		}
		for _, s := range other.disk.starts {
			if s.epoch > a.Epoch && s.offset < a.Offset {
				m.check(HoldsCommitted, spec.Fails)
				m.lacksCommitted(other, s.epoch, s.offset, a.Offset, a.Epoch, m.base.Ref(), n.id, s.ref)
				break
			}
		}
	}
}

// epochAt is the epoch of the record at an offset that was read, if that can be told.
func (d *diskLog) epochAt(offset uint64) (uint64, bool) {
	for i := len(d.starts) - 1; i >= 0; i-- {
		if d.starts[i].offset <= offset {
			return d.starts[i].epoch, true
		}
	}
	return 0, false
}

// epochListed: leader-epoch-checkpoint has the offsets at which epochs start. It is written later than the log, so what it
// lacks, or has of an end that is gone, says nothing. Where the log's begin was cut off it lists that.
func (m *Machine) epochListed(n *node, a *Action) {
	truth := spec.Unknown
	var start epochStart
	for _, s := range n.disk.starts {
		if s.epoch == a.Epoch && s.sure {
			start = s
			if s.offset == a.Offset {
				truth = spec.Holds
			} else if a.Offset < s.offset {
				truth = spec.Fails
			}
		}
	}
	if m.check(EpochListAgrees, truth) {
		b := m.breach(EpochListAgrees, n, spec.FieldEntryTerm, spec.FieldLastIndex)
		b.Message = sprintf("leader-epoch-checkpoint of server %s says that epoch %d starts at offset %d; in its log it starts at %d",
			m.base.Name(n.id), a.Epoch, a.Offset, start.offset)
		m.because(b, start.ref, n.id, sprintf("the first batch of epoch %d, at %d", a.Epoch, start.offset))
		b.Allowed = sprintf("epoch %d from offset %d", a.Epoch, start.offset)
		m.finish(b, sprintf("lists epoch %d from offset %d", a.Epoch, a.Offset))
	}
}

// quorumStateHeld: what a server has written down of the latest epoch binds it.
func (m *Machine) quorumStateHeld(n *node, a *Action) {
	if a.Leader != spec.Nil {
		m.leads(n, a.Leader, a.Epoch, 0, false)
	}
	if a.Vote.Candidate.ID != spec.Nil {
		m.votes(n, a.Epoch, a.Vote.Candidate.ID)
	}
	m.base.MaxTerm = max(m.base.MaxTerm, a.Epoch)
}
