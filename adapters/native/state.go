package native

import (
	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// state reads the object of "before" or "after".
func (d *decoder) state(key string, v gjson.Result, s *spec.State) {
	d.object(key, v, func(key string, v gjson.Result) {
		var has spec.StateFields
		switch key {
		case "role":
			s.Role, has = d.role(v), spec.HasRole
		case "currentTerm":
			s.CurrentTerm, has = d.number(key, v), spec.HasTerm
		case "votedFor":
			s.VotedFor, has = d.vote(v), spec.HasVote
		case "lastLogIndex":
			s.LastIndex, has = d.number(key, v), spec.HasLastIndex
		case "lastLogTerm":
			s.LastTerm, has = d.number(key, v), spec.HasLastTerm
		case "commitIndex":
			s.CommitIndex, has = d.number(key, v), spec.HasCommit
		case "lastApplied":
			s.AppliedIndex, has = d.number(key, v), spec.HasApplied
		case "config":
			s.Config, has = d.config(key, v), spec.HasConfig
		case "snapshot":
			s.SnapshotIndex, s.SnapshotTerm = d.snapshot(v)
			has = spec.HasSnapshot
		case "firstIndex":
			s.FirstIndex, has = d.number(key, v), spec.HasFirstIndex
		case "committable":
			s.Committable, has = d.number(key, v), spec.HasCommittable
		default:
			d.unknown(key)
		}
		s.Has |= has
	})
}

func (d *decoder) role(v gjson.Result) spec.Role {
	for r := spec.Follower; r <= spec.Leader; r++ {
		if v.Type == gjson.String && v.Str == r.String() {
			return r
		}
	}
	d.fail("role", "Follower, PreCandidate, Candidate or Leader")
	return spec.UnknownRole
}

// snapshot reads how far a server's snapshot reaches.
func (d *decoder) snapshot(v gjson.Result) (index, term uint64) {
	d.object("snapshot", v, func(key string, v gjson.Result) {
		switch key {
		case "index":
			index = d.number(key, v)
		case "term":
			term = d.number(key, v)
		default:
			d.unknown(key)
		}
	})
	return index, term
}

func (e *Encoder) state(key string, g *spec.Group, s *spec.State) {
	if s.Has == 0 {
		return
	}
	e.key(key)
	e.begin('{')
	if s.Has&spec.HasRole != 0 {
		e.text("role", s.Role.String())
	}
	if s.Has&spec.HasTerm != 0 {
		e.number("currentTerm", s.CurrentTerm)
	}
	if s.Has&spec.HasVote != 0 {
		e.key("votedFor")
		if s.VotedFor == spec.Nil {
			e.raw("null")
		} else {
			e.value(g.NameOf(s.VotedFor))
		}
	}
	if s.Has&spec.HasLastIndex != 0 {
		e.number("lastLogIndex", s.LastIndex)
	}
	if s.Has&spec.HasLastTerm != 0 {
		e.number("lastLogTerm", s.LastTerm)
	}
	if s.Has&spec.HasCommit != 0 {
		e.number("commitIndex", s.CommitIndex)
	}
	if s.Has&spec.HasApplied != 0 {
		e.number("lastApplied", s.AppliedIndex)
	}
	if s.Has&spec.HasConfig != 0 {
		e.config("config", g, s.Config)
	}
	if s.Has&spec.HasSnapshot != 0 {
		e.key("snapshot")
		e.begin('{')
		e.number("index", s.SnapshotIndex)
		e.numberIf("term", s.SnapshotTerm)
		e.end('}')
	}
	if s.Has&spec.HasFirstIndex != 0 {
		e.number("firstIndex", s.FirstIndex)
	}
	if s.Has&spec.HasCommittable != 0 {
		e.number("committable", s.Committable)
	}
	e.end('}')
}
