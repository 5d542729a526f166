package kraft

import (
	"bytes"

	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

var stateNames = map[string]kraft.Name{
	"Unattached": kraft.Unattached, "UnattachedState": kraft.Unattached, "Voted": kraft.Voted, "VotedState": kraft.Voted,
	"ProspectiveState": kraft.Prospective, "Prospective": kraft.Prospective, "CandidateState": kraft.Candidate, "Candidate": kraft.Candidate,
	"Leader": kraft.Leader, "LeaderState": kraft.Leader, "FollowerState": kraft.Follower, "Follower": kraft.Follower,
	"ResignedState": kraft.Resigned, "Resigned": kraft.Resigned,
}

// state reads what a state prints of itself; rest is what follows it. ok is false
// if b does not begin with a state.
func (d *decoder) state(b []byte, s *kraft.State) (rest []byte, ok bool) {
	if bytes.HasPrefix(b, []byte("null")) {
		s.Name = kraft.Null
		return b[4:], true
	}
	name, in, rest, ok := body(b)
	if !ok {
		return b, false
	}
	if s.Name, ok = stateNames[string(name)]; !ok {
		return b, false
	}
	if v, ok := field(in, "epoch"); ok {
		s.Epoch, s.HasEpoch = number(v)
	}
	d.stateLeader(in, s)
	d.stateVote(in, s)
	d.stateVoters(in, s)
	if v, ok := field(in, "highWatermark"); ok {
		s.HasHigh = true
		s.High, s.KnowHigh = offset(v)
	}
	if v, ok := field(in, "epochStartOffset"); ok {
		s.Start, s.HasStart = number(v)
	}
	d.ballots(in, s)
	s.Versions = columns(string(name), s.Name, in)
	return rest, true
}

// columns says which versions print a state like this.
func columns(name string, n kraft.Name, in []byte) kraft.Columns {
	has := func(key string) bool { _, ok := field(in, key); return ok }
	switch n {
	case kraft.Voted:
		return kraft.Before39
	case kraft.Prospective:
		return kraft.Since40
	case kraft.Unattached:
		switch {
		case name == "UnattachedState":
			return kraft.Since40
		case has("votedKey"):
			return kraft.Kafka39
		}
		return kraft.Before39
	case kraft.Candidate:
		switch {
		case has("epochElection"):
			return kraft.Since40
		case !has("localDirectoryId"):
			return kraft.Before39
		}
		return kraft.Before39 | kraft.Kafka39
	case kraft.Follower:
		switch {
		case has("votedKey"):
			return kraft.Since40
		case has("leaderEndpoints"):
			return kraft.Kafka39 | kraft.Since40
		}
		return kraft.Before39
	case kraft.Leader:
		switch {
		case has("localVoterNode"):
			return kraft.Since40
		case has("localId"):
			return kraft.Before39
		}
		return kraft.Kafka39 | kraft.Since40
	}
	return 0
}

func (d *decoder) stateLeader(in []byte, s *kraft.State) {
	for _, key := range [...]string{"leaderId", "leader"} {
		v, ok := field(in, key)
		if !ok {
			continue
		}
		s.HasLeader = true
		if v, ok := present(v); ok {
			s.Leader = d.id(v)
		}
		return
	}
	if s.Name == kraft.Leader {
		for _, key := range [...]string{"localId", "localReplicaKey", "localVoterNode"} {
			if v, ok := field(in, key); ok {
				if key == "localVoterNode" {
					_, node, _, _ := body(v)
					v, _ = field(node, "voterKey")
				}
				s.HasLeader, s.Leader = true, d.key(v).ID
				return
			}
		}
	}
}

func (d *decoder) stateVote(in []byte, s *kraft.State) {
	if v, ok := field(in, "votedKey"); ok {
		s.HasVote = true
		if v, ok := present(v); ok {
			s.Vote = d.key(v)
		}
	} else if v, ok := field(in, "votedId"); ok {
		s.HasVote = true
		s.Vote = kraft.Key{ID: d.id(v)}
	}
}

// stateVoters reads voters=[1, 2, 3] or a list or map of voters with more of each.
func (d *decoder) stateVoters(in []byte, s *kraft.State) {
	v, ok := field(in, "voters")
	if !ok {
		return
	}
	s.Voters = d.voters(v)
}

// voters reads a set of voters: [1, 2, 3], [ReplicaKey(…), …] or VoterSet(voters={…}).
func (d *decoder) voters(v []byte) (set kraft.Voters) {
	name, in, _, ok := body(v)
	if !ok {
		return set
	}
	if len(name) > 0 {
		if v, ok = field(in, "voters"); !ok {
			return set
		}
		if _, in, _, ok = body(v); !ok {
			return set
		}
	}
	set.Known = true
	each(in, func(key, value []byte) {
		if key == nil {
			set.Set.Add(d.key(value).ID)
			return
		}
		set.Set.Add(d.id(key))
		if _, node, _, ok := body(value); ok {
			if k, ok := field(node, "voterKey"); ok && d.key(k).Directory != 0 {
				set.Directories = true
			}
		}
	})
	set.Set.Remove(spec.Nil)
	return set
}

// ballots reads who has granted a candidate its vote, where that is readable.
func (d *decoder) ballots(in []byte, s *kraft.State) {
	key := "voteStates"
	if v, ok := field(in, "epochElection"); ok {
		key = "voterStates"
		if _, in, _, ok = body(v); !ok {
			return
		}
	} else if s.Name == kraft.Leader {
		return
	}
	v, ok := field(in, key)
	if !ok {
		return
	}
	_, in, _, ok = body(v)
	if !ok {
		return
	}
	s.HasBallots = true
	each(in, func(key, value []byte) {
		id := d.id(key)
		if id == spec.Nil {
			return
		}
		s.Asked.Add(id)
		if _, vote, _, ok := body(value); ok {
			value, _ = field(vote, "state")
		}
		switch string(value) {
		case "GRANTED":
			s.Granted.Add(id)
		case "REJECTED", "UNRECORDED":
		default: // 3.9 prints the object, not what it holds
			s.HasBallots = false
		}
	})
}

// id interns the id of a node, which is a number.
func (d *decoder) id(b []byte) spec.ID {
	if n, ok := number(b); !ok || n > 1<<31 {
		return spec.Nil
	}
	return d.group.Server(b)
}

// key reads a node's id, or ReplicaKey(id=1, directoryId=…).
func (d *decoder) key(b []byte) (k kraft.Key) {
	_, in, _, ok := body(b)
	if !ok {
		k.ID = d.id(b)
		return k
	}
	if v, ok := field(in, "id"); ok {
		k.ID = d.id(v)
	}
	if v, ok := field(in, "directoryId"); ok {
		k.Directory = d.directory(v)
	}
	return k
}

// directory interns a directory id; 0 is none.
func (d *decoder) directory(b []byte) uint32 {
	b, ok := present(b)
	if !ok || string(b) == "AAAAAAAAAAAAAAAAAAAAAA" {
		return 0
	}
	n, ok := d.directories[string(b)]
	if !ok && len(d.directories) < 1<<16 {
		n = uint32(len(d.directories) + 1)
		d.directories[string(b)] = n
	}
	return n
}

// offset reads a number, LogOffsetMetadata(offset=…) or an Optional of either.
func offset(b []byte) (n uint64, ok bool) {
	b, ok = present(b)
	if !ok {
		return 0, false
	}
	if _, in, _, ok := body(b); ok {
		v, _ := field(in, "offset")
		return number(v)
	}
	return number(b)
}
