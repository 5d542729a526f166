package kraftmetadata

import (
	"bytes"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// What kafka-metadata-quorum describe answers, asked once or again and again.

func described(*decoder, []byte) adapters.Outcome { return ignored("of an answer of the quorum") }

// describes begins an answer of the quorum.
func (d *decoder) describes([]byte) adapters.Outcome {
	d.leader, d.hasEpoch = spec.Nil, false
	return ignored("of an answer of the quorum")
}

func (d *decoder) leaderID(rest []byte) adapters.Outcome {
	d.leader = spec.Nil
	if id := bytes.TrimSpace(rest); len(id) > 0 && id[0] != '-' {
		if _, ok := number(id); !ok {
			return cut
		}
		d.leader = d.group.Server(id)
	}
	return ignored("of an answer of the quorum")
}

func (d *decoder) leaderEpoch(rest []byte) adapters.Outcome {
	d.epoch, d.hasEpoch = number(bytes.TrimSpace(rest))
	if d.leader == spec.Nil || !d.hasEpoch {
		return ignored("an answer without a leader")
	}
	d.own.Kind, d.own.Leader, d.own.Epoch = kraft.QuorumDescribed, d.leader, d.epoch
	return adapters.Outcome{}
}

// highWatermark is a line that only leaders answer with.
func (d *decoder) highWatermark(rest []byte) adapters.Outcome {
	if d.leader == spec.Nil || !d.hasEpoch {
		return ignored("an answer without a leader")
	}
	d.own.Kind, d.own.Leader, d.own.Epoch = kraft.QuorumDescribed, d.leader, d.epoch
	d.own.Offset, d.own.HasOffset = number(bytes.TrimSpace(rest))
	return adapters.Outcome{}
}

// table begins the answer of describe --replication.
func (d *decoder) table([]byte) adapters.Outcome {
	d.leader, d.ends, d.farthest = spec.Nil, 0, 0
	d.ahead = spec.Nil
	return ignored("of an answer of the quorum")
}

// replica reads a row of describe --replication: NodeId, DirectoryId from 3.9 on, LogEndOffset, Lag, two times, Status.
// Ends are compared as soon as the leader's is known.
func (d *decoder) replica(text []byte) adapters.Outcome {
	fields := bytes.Fields(text)
	if len(fields) != 6 && len(fields) != 7 {
		return unknown
	}
	_, isNode := number(fields[0])
	end, known := number(fields[len(fields)-5])
	status := string(fields[len(fields)-1])
	switch {
	case !isNode || status != "Leader" && status != "Follower" && status != "Observer":
		return unknown
	case !known: // -1: it has not fetched yet
		return ignored("a replica whose end is not known")
	}
	id := d.group.Server(fields[0])
	if status == "Leader" {
		d.leader, d.ends = id, end
		id, end = d.ahead, d.farthest
	}
	switch {
	case d.leader == spec.Nil && (d.ahead == spec.Nil || end > d.farthest):
		d.ahead, d.farthest = id, end
	case d.leader != spec.Nil && id != spec.Nil:
		d.own.Kind, d.own.Leader, d.own.Offset = kraft.ReplicaDescribed, d.leader, d.ends
		d.own.Base, d.own.Vote.Candidate.ID = end, id
		return adapters.Outcome{}
	}
	return ignored("a replica before its leader, or the leader before others")
}

var unknown = adapters.Outcome{Verdict: adapters.Unrecognised, Why: "unknown line"}
