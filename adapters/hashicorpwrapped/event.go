package hashicorpwrapped

import (
	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

type decoder struct {
	line
	groups  *spec.Groups
	group   *spec.Group
	nodes   map[string]*node
	configs map[string]spec.ConfigID // by their JSON
	ends    ends
	asked   asked
	order   order
}

// node is what the decoder keeps of a server, since a line shows so little.
type node struct {
	id        spec.ID
	role      spec.Role // unknown in a trace that begins in the middle, until it changes
	term      uint64
	termKnown bool // from its start, or from a line that wrote it
	voteTerm  uint64
	vote      spec.ID
	receiving uint64 // last index of the snapshot that it is receiving; 0 if none
	termOf    uint64 // the term of that snapshot's last entry
	last      uint64 // index of the last entry that a line has stored; 0 if that may not be the last of all
	place     place
}

func newDecoder(groups *spec.Groups) *decoder {
	return &decoder{groups: groups, nodes: make(map[string]*node), configs: make(map[string]spec.ConfigID)}
}

// ends remembers, for requests under way, up to which index they reach: an
// answer to one says only that it was accepted. Its lastI is the last index of
// the log from before the request, and no matchIndex.
type ends struct {
	ring [1 << 12]struct {
		id, end   uint64
		heartbeat bool
	}
}

func (e *ends) put(id, end uint64, heartbeat bool) {
	r := &e.ring[id%uint64(len(e.ring))]
	r.id, r.end, r.heartbeat = id, end, heartbeat
}

func (e *ends) get(id uint64) (end uint64, heartbeat, known bool) {
	r := &e.ring[id%uint64(len(e.ring))]
	return r.end, r.heartbeat, r.id == id && id != 0
}

// asked remembers which requests have a line, their sender's or their receiver's.
// In a file of one server there is always one of the two: an answer without its
// request says that lines are missing.
type asked [1 << 12]uint64

func (q *asked) put(id uint64) { q[id%uint64(len(q))] = id }

func (q *asked) has(id uint64) bool { return id == 0 || q[id%uint64(len(q))] == id }

// event turns a line into an action.
func (d *decoder) event(a *spec.Action) adapters.Outcome {
	if d.group == nil {
		d.group = d.groups.Get("", profile, shows)
	}
	if d.ev == "note" {
		d.order.next(nil, d.seq)
		return ignored("note")
	}
	if d.node == "" {
		return damaged("no node")
	}
	n := d.nodes[d.node]
	if n == nil {
		n = &node{id: d.group.Server([]byte(d.node))}
		d.nodes[string([]byte(d.node))] = n
	}
	a.Server = n.id
	if late := d.number(n, a); late {
		return adapters.Outcome{} // it is not replayed, and changes nothing here
	}
	switch d.ev {
	case "start":
		d.start(n, a)
	case "stop":
		a.Kind = spec.Stop
	case "term":
		d.writesTerm(n, a)
	case "vote_term":
		n.voteTerm, n.vote = d.term, spec.Nil
		return ignored("first half of a vote")
	case "vote":
		n.vote = d.group.Server([]byte(d.cand))
		if d.term != 0 {
			n.voteTerm = d.term
		}
		a.Flags |= spec.Durable
		a.After = spec.State{Has: spec.HasTerm | spec.HasVote, CurrentTerm: n.voteTerm, VotedFor: n.vote}
	case "role":
		return d.becomes(n, a)
	case "store", "truncate", "compact", "reset":
		d.log(n, a)
	case "commit":
		a.Kind, a.Index = spec.AdvanceCommitIndex, d.i
	case "apply", "apply_config":
		d.apply(a)
	case "snap_done":
		if n.receiving != 0 {
			return ignored("the receiver's copy of a snapshot")
		}
		a.Kind, a.Index, a.Term = spec.TakeSnapshot, d.i, d.t
	case "restore":
		d.restore(n, a)
	case "send", "recv", "reply", "ack":
		return d.message(n, a)
	case "leader", "peer", "snap_create":
		return ignored(map[string]string{"leader": "whom a server follows", "peer": "replication to a peer", "snap_create": "beginning of a snapshot"}[d.ev])
	default:
		return unrecognised("unknown ev")
	}
	return adapters.Outcome{}
}

// start is a server that starts, with what it has read from its stores.
func (d *decoder) start(n *node, a *spec.Action) {
	*n = node{id: n.id, role: spec.Follower, term: d.term, termKnown: true, voteTerm: d.t, vote: d.group.Server([]byte(d.cand)), place: n.place}
	n.last = max(d.lastI, d.prevI)
	a.Kind = spec.Restart
	a.Flags |= spec.Durable
	a.After = spec.State{
		Has:         spec.HasTerm | spec.HasVote | spec.HasLastIndex | spec.HasLastTerm,
		CurrentTerm: d.term, LastIndex: max(d.lastI, d.prevI), LastTerm: d.lastT,
	}
	if d.prevI > d.lastI {
		a.After.LastTerm = d.prevT
	}
	if d.t == d.term {
		a.After.VotedFor = n.vote
	}
	if d.prevI > 0 {
		a.After.Has |= spec.HasSnapshot
		a.After.SnapshotIndex, a.After.SnapshotTerm = d.prevI, d.prevT
	}
}

// writesTerm is a write of CurrentTerm. A candidate writes it when its election
// begins, since a pre-vote before it changes nothing; anybody else has heard of
// it. NewRaft writes it once more as it is.
func (d *decoder) writesTerm(n *node, a *spec.Action) {
	a.Flags |= spec.Durable
	a.After = spec.State{Has: spec.HasTerm, CurrentTerm: d.term}
	switch {
	case d.term == n.term && n.termKnown:
	case n.role == spec.Candidate:
		a.Kind = spec.Timeout
	case n.role == spec.UnknownRole || !n.termKnown: // it may be the term that it was in
	default:
		a.After.Has |= spec.HasVote | spec.HasRole
		a.After.Role = n.role
	}
	n.term, n.termKnown = d.term, true
}

var roles = map[string]spec.Role{"Follower": spec.Follower, "Candidate": spec.Candidate, "Leader": spec.Leader}

// becomes is a change of role. A candidate asks for pre-votes first; its election
// begins with the write of the term.
func (d *decoder) becomes(n *node, a *spec.Action) adapters.Outcome {
	if d.role == "Shutdown" {
		return ignored("shutdown")
	}
	role, ok := roles[d.role]
	if !ok {
		return unrecognised("unknown role")
	}
	n.role = role
	switch role {
	case spec.Follower:
		a.Kind = spec.BecomeFollower
		a.After = spec.State{Has: spec.HasRole, Role: spec.Follower}
	case spec.Candidate:
		a.Kind = spec.BecomePreCandidate
	default:
		a.Kind = spec.BecomeLeader
	}
	return adapters.Outcome{}
}

// log is a change of the LogStore.
func (d *decoder) log(n *node, a *spec.Action) {
	switch d.ev {
	case "store":
		a.Flags |= spec.Durable
		d.entries(a)
		if k := len(a.Entries); k > 0 {
			n.last = a.Entries[k-1].Index
		}
		if n.role == spec.Leader {
			a.Kind = spec.ClientRequest
		}
	case "truncate":
		a.Flags |= spec.Durable
		a.After = spec.State{Has: spec.HasLastIndex, LastIndex: d.min - min(d.min, 1)}
		n.last = a.After.LastIndex
	default:
		a.Kind, a.Index = spec.CompactLog, d.max
	}
}

func (d *decoder) apply(a *spec.Action) {
	a.Kind, a.Index, a.Term = spec.Apply, d.i, d.t
	if d.hasHash {
		a.Entries = append(a.Entries, spec.Entry{Kind: spec.Command, Index: d.i, Term: d.t, Hash: d.hash, HasHash: true})
	}
}

// restore is an FSM that is filled from a snapshot: one that was received, or the
// server's own at its start.
func (d *decoder) restore(n *node, a *spec.Action) {
	n.last = 0
	if n.receiving == d.i && d.i != 0 {
		a.Kind, a.Index, a.Term = spec.InstallSnapshot, d.i, n.termOf
		n.receiving = 0
		return
	}
	a.After = spec.State{Has: spec.HasApplied | spec.HasCommit, AppliedIndex: d.i, CommitIndex: d.i}
}
