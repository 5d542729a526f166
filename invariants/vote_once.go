package invariants

import "github.com/tracecheck/tracecheck/spec"

// VoteOnce: a server gives its vote of a term to one candidate. A vote is a fact
// when its candidate has received it, or when the candidate's own request was
// received; a vote that was handed to stable storage counts until a restart,
// since the crash may have come before the write.
var VoteOnce = &Invariant{
	Rule: spec.Rule{
		ID: "I08", Name: "vote-once",
		Statement: "the vote of a server in a term goes to one candidate, once and for all",
		Formula:   "∀ i ∈ Server: currentTerm'[i] = currentTerm[i] ∧ votedFor[i] ≠ Nil ⇒ votedFor'[i] = votedFor[i]",
		Doc:       "It says of what others have seen what V01 and V02 say of the server itself, and so holds across restarts. A vote that was written or queued and that nobody received may be lost with the crash and given anew.",
		Breaks:    "b receives a's vote of term 5; a restarts; c receives a's vote of term 5",
		Allowed:   "a's answer to b is still queued when a crashes; a restarts and c receives its vote of term 5",
		Causes:    "a vote that is answered before it is written, vote and term written apart, a disk that was replaced",
		Cite:      "Raft §5.2, Figure 2",
		Needs:     spec.ShowsVote | spec.ShowsTerm,
		Faults:    "F01 F02 F03 F10 F31",
	},
	Facts: []spec.FactKind{spec.Voted, spec.Persisted, spec.Incarnated},
	New:   func() Check { return &voteOnce{} },
}

type voteOnce struct {
	servers []votes // by ID
}

type votes struct {
	facts     [4]ballot // what others have seen, of the highest terms; a free place is not cast
	persisted ballot    // handed to storage in this incarnation
}

type ballot struct {
	term      uint64
	candidate spec.ID
	ref       spec.Ref
	cast      bool
}

func (c *voteOnce) Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach {
	for int(f.Server) >= len(c.servers) {
		c.servers = append(c.servers, votes{})
	}
	v := &c.servers[f.Server]
	if f.Kind == spec.Incarnated {
		v.persisted = ballot{}
		return nil
	}
	now := ballot{f.Term, f.Peer, f.Ref, true}
	if f.Kind == spec.Persisted && f.Peer == v.persisted.candidate && f.Term == v.persisted.term {
		return nil
	}
	was, ok := v.of(f.Term)
	if f.Kind == spec.Voted {
		if ok && was.candidate == f.Peer {
			return nil
		}
		v.keep(now)
	} else {
		v.persisted = now
	}
	if !ok || was.candidate == spec.Nil {
		t.Verified++
		return nil
	}
	if !decide(t, spec.Is(was.candidate == f.Peer)) {
		return nil
	}
	b := m.NewBreach(&VoteOnce.Rule, f.Server)
	b.Message = sprintf("the vote of server %s in term %d is %s; it was %s in that term",
		m.Name(f.Server), f.Term, m.Name(f.Peer), m.Name(was.candidate))
	m.Because(b, was.ref, f.Server, sprintf("its vote of term %d is %s", f.Term, m.Name(was.candidate)))
	b.Fields = []spec.Field{spec.FieldTerm, spec.FieldVote, spec.FieldMessageResult}
	b.Allowed = sprintf("votedFor %s in term %d", m.Name(was.candidate), f.Term)
	return m.Finish(b, sprintf("votedFor %s in term %d", m.Name(f.Peer), f.Term))
}

// keep remembers a ballot in place of the one of the lowest term.
func (v *votes) keep(b ballot) {
	lowest := &v.facts[0]
	for i := range v.facts {
		if v.facts[i].term < lowest.term {
			lowest = &v.facts[i]
		}
	}
	if b.term >= lowest.term || !lowest.cast {
		*lowest = b
	}
}

// of returns what is known of the vote in a term.
func (v *votes) of(term uint64) (ballot, bool) {
	for _, b := range v.facts {
		if b.term == term && b.cast {
			return b, true
		}
	}
	if v.persisted.term == term && v.persisted.cast {
		return v.persisted, true
	}
	return ballot{}, false
}
