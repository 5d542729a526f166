package kraft

import (
	"bytes"

	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// row is a kind of message that says something: how it begins and how what
// follows is read. A row's read returns false if the message is not whole.
type row struct {
	begins string
	read   func(d *decoder, rest []byte, a *kraft.Action) bool
}

// rows are the messages that are read, in the words of Kafka 3.3 to 4.4. None of
// their beginnings is the beginning of another.
var rows = []row{
	{"Completed transition to ", func(d *decoder, b []byte, a *kraft.Action) bool { return d.transition(kraft.Transition, b, a) }},
	{"Attempting durable transition to ", func(d *decoder, b []byte, a *kraft.Action) bool { return d.transition(kraft.Attempt, b, a) }},
	{"Vote request VoteRequestData(", (*decoder).vote},
	{"High watermark set to ", (*decoder).high},
	{"Follower high watermark updated to ", func(d *decoder, b []byte, a *kraft.Action) bool {
		a.Kind = kraft.FollowersHigh
		a.Offset, a.HasOffset = offset(valueAt(b))
		return a.HasOffset
	}},
	{"Leader high watermark updated to ", func(d *decoder, b []byte, a *kraft.Action) bool {
		a.Kind = kraft.LeadersHigh
		a.Offset, a.HasOffset = offset(valueAt(b))
		return a.HasOffset
	}},
	{"Truncated to offset ", (*decoder).truncated},
	{"Fully truncated the log at ", (*decoder).snapshotLoaded},
	{"Creating new KRaft snapshot file snapshot ", (*decoder).snapshotTaken},
	{"Leader appended records at base offset ", (*decoder).leaderAppended},
	{"Follower end offset updated to ", (*decoder).followerAppended},
	{"Latest set of voters is ", (*decoder).votersChanged},
	{"Starting voters are ", (*decoder).votersChanged},
	{"Becoming the active controller at epoch ", (*decoder).active},
	{"In the new epoch ", (*decoder).leaderSeen},
	{"Creating new QuorumController with clusterId ", func(d *decoder, b []byte, a *kraft.Action) bool {
		a.Kind = kraft.ClusterNamed
		a.Vote.Cluster = d.directory(bytes.TrimRight(valueAt(b), "."))
		return true
	}},
	{"Initialized snapshots with IDs ", func(_ *decoder, _ []byte, a *kraft.Action) bool {
		a.Kind = kraft.LinesMissing // the process starts: what it was before is over
		return true
	}},
}

func (d *decoder) transition(kind kraft.Kind, b []byte, a *kraft.Action) bool {
	a.Kind = kind
	rest, ok := d.state(b, &a.To)
	if !ok {
		return false
	}
	if from, has := bytes.CutPrefix(rest, []byte(" from ")); has {
		if _, ok = d.state(from, &a.From); !ok {
			return false
		}
	}
	return a.To.Name != kraft.Null && a.To.HasEpoch
}

// vote reads a vote request and the answer to it.
func (d *decoder) vote(b []byte, a *kraft.Action) bool {
	a.Kind = kraft.VoteDecided
	if rest, ok := bytes.CutPrefix(b, []byte("clusterId='")); ok {
		if end := bytes.IndexByte(rest, '\''); end > 0 {
			a.Vote.Cluster = d.directory(rest[:end]) // one more name, of a cluster
		}
	}
	i := bytes.Index(b, []byte("PartitionData("))
	if i < 0 {
		return false
	}
	_, in, rest, ok := body(b[i:])
	if !ok {
		return false
	}
	v := &a.Vote
	get := func(old, now string) []byte {
		if x, ok := field(in, now); ok {
			return x
		}
		x, _ := field(in, old)
		return x
	}
	var epoch, last, end bool
	v.Epoch, epoch = number(get("candidateEpoch", "replicaEpoch"))
	v.Candidate.ID = d.id(get("candidateId", "replicaId"))
	v.Candidate.Directory = d.directory(get("candidateDirectoryId", "replicaDirectoryId"))
	x, _ := field(in, "lastOffsetEpoch")
	v.LastEpoch, last = number(x)
	x, _ = field(in, "lastOffset")
	v.LastEnd, end = number(x)
	v.Known = last && end
	x, _ = field(in, "preVote")
	v.Pre = string(x) == "true"
	switch {
	case bytes.Contains(rest, []byte(" is granted")):
		v.Granted = true
	case !bytes.Contains(rest, []byte(" is rejected")):
		return false
	}
	return epoch && v.Candidate.ID != spec.Nil
}

// high reads the lines in which a high watermark moves: of a leader with the end
// offsets of its voters, of a follower without.
func (d *decoder) high(b []byte, a *kraft.Action) bool {
	v := valueAt(b)
	a.Kind = kraft.FollowersHigh
	if a.Offset, a.HasOffset = offset(v); !a.HasOffset {
		return bytes.HasPrefix(v, []byte("Optional")) // known no more: it says nothing
	}
	if i := bytes.Index(b, []byte("for epoch ")); i >= 0 {
		a.Epoch, _, a.HasEpoch = leading(b[i+len("for epoch "):])
	}
	i := bytes.Index(b, []byte("based on indexOfHw "))
	if i < 0 {
		return true
	}
	a.Kind = kraft.LeadersHigh
	taken, rest, ok := leading(b[i+len("based on indexOfHw "):])
	list, has := bytes.CutPrefix(rest, []byte(" and voters "))
	if !ok || !has {
		return false
	}
	_, in, _, ok := body(list)
	if !ok {
		return false
	}
	a.Taken, a.Listed = int(min(taken, 1<<30)), true
	each(in, func(_, value []byte) {
		if _, replica, _, ok := body(value); ok {
			a.Ends = append(a.Ends, d.voterEnd(replica))
		}
	})
	return true
}

// voterEnd reads what stands in ReplicaState(…).
func (d *decoder) voterEnd(replica []byte) (e kraft.VoterEnd) {
	if k, ok := field(replica, "replicaKey"); ok {
		e.ID = d.key(k).ID
	} else if k, ok := field(replica, "nodeId"); ok {
		e.ID = d.id(k)
	}
	if v, ok := field(replica, "endOffset"); ok {
		e.End, e.Known = offset(v)
	}
	return e
}

func (d *decoder) truncated(b []byte, a *kraft.Action) (ok bool) {
	a.Kind = kraft.Truncated
	a.Offset, b, a.HasOffset = leading(b)
	if i := bytes.Index(b, []byte(" from leader ")); i >= 0 {
		_, rest, _ := leading(b[i+len(" from leader "):])
		a.Leader = d.id(b[i+len(" from leader ") : len(b)-len(rest)])
	}
	return a.HasOffset
}

// snapshotLoaded reads the snapshot's id, OffsetAndEpoch(offset=…, epoch=…).
func (d *decoder) snapshotLoaded(b []byte, a *kraft.Action) bool {
	a.Kind = kraft.SnapshotLoaded
	i := bytes.Index(b, []byte("downloading snapshot "))
	return i >= 0 && d.offsetAndEpoch(b[i:], a)
}

func (d *decoder) offsetAndEpoch(b []byte, a *kraft.Action) bool {
	i := bytes.Index(b, []byte("OffsetAndEpoch"))
	if i < 0 {
		return false
	}
	_, in, _, ok := body(b[i:])
	if !ok {
		return false
	}
	v, _ := field(in, "offset")
	a.Offset, a.HasOffset = number(v)
	v, _ = field(in, "epoch")
	a.Epoch, a.HasEpoch = number(v)
	return a.HasOffset && a.HasEpoch
}

// snapshotTaken reads a snapshot's name, END-EPOCH.
func (d *decoder) snapshotTaken(b []byte, a *kraft.Action) bool {
	a.Kind = kraft.SnapshotTaken
	i := bytes.IndexByte(b, '-')
	if i < 0 {
		return false
	}
	a.Offset, a.HasOffset = padded(b[:i])
	j := bytes.IndexByte(b, ' ')
	if j < i {
		return false
	}
	a.Epoch, a.HasEpoch = padded(b[i+1 : j])
	return a.HasOffset && a.HasEpoch
}

// padded reads a number with zeros before it.
func padded(b []byte) (uint64, bool) {
	trimmed := bytes.TrimLeft(b, "0")
	if len(trimmed) == 0 {
		return 0, len(b) > 0
	}
	return number(trimmed)
}

func (d *decoder) leaderAppended(b []byte, a *kraft.Action) bool {
	a.Kind = kraft.LeaderAppended
	var ok bool
	a.Base, b, ok = leading(b)
	return ok && d.offsetAndEpoch(b, a)
}

func (d *decoder) followerAppended(b []byte, a *kraft.Action) bool {
	a.Kind = kraft.FollowerAppended
	return d.offsetAndEpoch(b, a)
}

func (d *decoder) votersChanged(b []byte, a *kraft.Action) bool {
	a.Kind = kraft.VotersChanged
	a.Voters = d.voters(b)
	return a.Voters.Known
}

func (d *decoder) active(b []byte, a *kraft.Action) bool {
	a.Kind = kraft.BecameActive
	a.Epoch, b, a.HasEpoch = leading(b)
	if rest, ok := bytes.CutPrefix(b, []byte(", next write offset ")); ok {
		a.Offset, _, a.HasOffset = leading(rest)
	}
	return a.HasEpoch
}

func (d *decoder) leaderSeen(b []byte, a *kraft.Action) bool {
	a.Kind = kraft.LeaderSeen
	a.Epoch, b, a.HasEpoch = leading(b)
	rest, ok := bytes.CutPrefix(b, []byte(", the leader is "))
	if !ok {
		return false
	}
	_, left, some := leading(rest)
	if some {
		a.Leader = d.id(rest[:len(rest)-len(left)])
	}
	return a.HasEpoch
}
