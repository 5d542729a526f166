package recorder

import (
	"github.com/hashicorp/raft"
)

// server is one life of a server, from NewRaft to Shutdown.
type server struct {
	trace *Trace
	id    raft.ServerID
	raft  *raft.Raft // nil until NewRaft is done
	trans raft.Transport

	role      string
	term      uint64
	voteTerm  uint64
	commit    uint64
	snapshot  uint64   // last index of its newest snapshot
	opened    uint64   // last index of the snapshot opened last, while NewRaft reads it
	request   *request // that it handles, or is about to
	installed uint64   // last index of the snapshot that the request in hand has brought and that is stored
}

// NewRaft is raft.NewRaft with everything wrapped, and one more line for the start.
func (t *Trace) NewRaft(conf *raft.Config, fsm raft.FSM, logs raft.LogStore, stable raft.StableStore,
	snaps raft.SnapshotStore, trans raft.Transport) (*raft.Raft, error) {
	s := &server{trace: t, id: conf.LocalID, trans: trans, role: "Follower"}
	if err := s.start(logs, stable, snaps); err != nil {
		return nil, err
	}
	r, err := raft.NewRaft(conf, s.wrapFSM(fsm), s.wrapLogs(logs), &stableStore{stable, s}, &snapshotStore{snaps, s}, s.wrapTransport(trans))
	if err != nil {
		return nil, err
	}
	// The filter runs in raft's own goroutine, and it wants nothing delivered.
	r.RegisterObserver(raft.NewObserver(nil, false, func(o *raft.Observation) bool {
		if role, ok := o.Data.(raft.RaftState); ok {
			s.step(func() { s.becomes(role) })
		}
		return false
	}))
	// Raft runs already. A role that it took before it was observed shows by now.
	s.step(func() {
		s.raft = r
		if role := r.State(); role.String() != s.role {
			s.becomes(role)
		}
	})
	return r, nil
}

// start writes what the server will read back from its stores.
func (s *server) start(logs raft.LogStore, stable raft.StableStore, snaps raft.SnapshotStore) error {
	number := func(key string) uint64 {
		n, _ := stable.GetUint64([]byte(key)) // a store that has no such key returns an error, or zero
		return n
	}
	s.term, s.voteTerm = number(keyTerm), number(keyVoteTerm)
	candidate, _ := stable.Get([]byte(keyVote))
	after := fields{"currentTerm": s.term, "role": "Follower", "lastLogIndex": uint64(0), "lastLogTerm": uint64(0)}

	var config *raft.Configuration
	last, err := logs.LastIndex()
	if err != nil {
		return err
	}
	metas, err := snaps.List()
	if err != nil {
		return err
	}
	if len(metas) > 0 {
		m := metas[0]
		s.snapshot, config = m.Index, &m.Configuration
		after["snapshot"] = fields{"index": m.Index, "term": m.Term}
		after["lastLogIndex"], after["lastLogTerm"] = m.Index, m.Term
	}
	if last > s.snapshot {
		var l raft.Log
		if err := logs.GetLog(last, &l); err != nil {
			return err
		}
		after["lastLogIndex"], after["lastLogTerm"] = l.Index, l.Term
		for i := last; i > s.snapshot && logs.GetLog(i, &l) == nil; i-- {
			if l.Type == raft.LogConfiguration {
				c := raft.DecodeConfiguration(l.Data)
				config = &c
				break
			}
		}
	}
	s.trace.mu.Lock()
	defer s.trace.mu.Unlock()
	s.trace.ids[s.trans.LocalAddr()] = s.id
	if config != nil {
		s.trace.learn(*config)
		after["config"] = configuration(*config)
	}
	after["votedFor"] = nil
	if s.voteTerm == s.term && len(candidate) > 0 {
		after["votedFor"] = s.named(candidate)
	}
	s.write("Restart", fields{"after": after, "flags": durable})
	return nil
}

// named returns the id of a server by its address as it stands on disk.
func (s *server) named(addr []byte) raft.ServerID {
	a := s.trans.DecodePeer(addr)
	if id, ok := s.trace.ids[a]; ok {
		return id
	}
	return raft.ServerID(a)
}

// step runs f, which writes what has just happened, under the lock of the trace.
// What happened before without a call of ours comes first: an answer that raft
// has given, and a commit index that has moved.
func (s *server) step(f func()) {
	s.trace.mu.Lock()
	defer s.trace.mu.Unlock()
	s.settle()
	f()
}

func (s *server) settle() {
	if s.raft != nil {
		if commit := s.raft.CommitIndex(); commit > s.commit {
			s.commit = commit
			s.write("AdvanceCommitIndex", fields{"index": commit})
		}
	}
	s.takeAnswer()
}

func (s *server) write(action string, more fields) {
	s.trace.lines[s.id]++
	line := fields{"action": action, "server": s.id, "seq": s.trace.lines[s.id]}
	for key, value := range more {
		line[key] = value
	}
	s.trace.write(line)
}

// becomes is a change of role. A candidate asks for pre-votes first; its election
// begins when it writes the term.
func (s *server) becomes(role raft.RaftState) {
	s.role = role.String()
	switch role {
	case raft.Follower:
		s.write("BecomeFollower", fields{"after": fields{"role": "Follower"}})
	case raft.Candidate:
		s.write("BecomePreCandidate", nil)
	case raft.Leader:
		s.write("BecomeLeader", nil)
	case raft.Shutdown:
		s.write("Stop", nil)
	}
}

// entersTerm is a term that was written to disk.
func (s *server) entersTerm(term uint64) {
	after := fields{"currentTerm": term}
	action := "Observe"
	switch {
	case term == s.term: // NewRaft writes it as it is
	case s.role == "Candidate":
		action = "Timeout"
	default:
		after["votedFor"], after["role"] = nil, s.role
	}
	s.term = term
	s.write(action, fields{"after": after, "flags": durable})
}
