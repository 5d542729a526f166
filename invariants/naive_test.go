package invariants_test

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tracecheck/tracecheck/spec"
)

// history is everything that three servers have ever done, kept whole. It knows
// the invariants by their definitions and checks each anew against all of it.
type history struct {
	servers [4]whole // by ID; the first is unused
	led     []reign
	commits []commit
	logs    [][]uint64 // every log that a server ever had, as the terms of its entries
	votes   []ballot
}

// whole is a server with its whole log.
type whole struct {
	term   uint64
	leader bool
	log    []uint64
	commit uint64
	match  [4]uint64 // as leader: what was acknowledged
}

type reign struct {
	term   uint64
	leader spec.ID
	log    []uint64
}

type commit struct {
	term uint64 // of the server that committed it
	log  []uint64
}

type ballot struct {
	voter, candidate spec.ID
	term             uint64
}

func prefix(p, of []uint64) bool { return len(p) <= len(of) && slices.Equal(p, of[:len(p)]) }

// electionSafety: no two leaders of one term.
func (h *history) electionSafety() bool {
	for _, a := range h.led {
		for _, b := range h.led {
			if a.term == b.term && a.leader != b.leader {
				return false
			}
		}
	}
	return true
}

// logMatching: two logs that have an entry in common are the same up to it. Since
// the entries of a term are appended by one leader, one after the other, a log
// that ends in a term begins with every shorter one that ends in it, and with the
// log of the term's leader when it was elected.
func (h *history) logMatching() bool {
	for _, a := range h.logs {
		for _, b := range h.logs {
			if len(a) > 0 && len(a) <= len(b) && a[len(a)-1] == b[len(b)-1] && !prefix(a, b) {
				return false
			}
		}
		for i, r := range h.led {
			first := !slices.ContainsFunc(h.led[:i], func(x reign) bool { return x.term == r.term })
			if first && len(a) > 0 && a[len(a)-1] == r.term && (!prefix(r.log, a) || len(a) == len(r.log) || a[len(r.log)] != r.term) {
				return false
			}
		}
	}
	return true
}

// leaderCompleteness: what is committed in a term is in the log of every leader
// of a later one.
func (h *history) leaderCompleteness() bool {
	for _, c := range h.commits {
		for _, r := range h.led {
			if r.term > c.term && !prefix(c.log, r.log) {
				return false
			}
		}
	}
	return true
}

// stateMachineSafety: what two servers have committed agrees.
func (h *history) stateMachineSafety() bool {
	for _, a := range h.commits {
		for _, b := range h.commits {
			if !prefix(a.log, b.log) && !prefix(b.log, a.log) {
				return false
			}
		}
	}
	return true
}

// voteOnce: no server votes for two candidates in a term.
func (h *history) voteOnce() bool {
	for _, a := range h.votes {
		for _, b := range h.votes {
			if a.voter == b.voter && a.term == b.term && a.candidate != b.candidate {
				return false
			}
		}
	}
	return true
}

// committable says whether a majority holds the log of a leader up to an entry of
// its own term at k or after it.
func (s *whole) committable(id spec.ID, k uint64) bool {
	for n := k; n <= uint64(len(s.log)); n++ {
		holders := 0
		for peer := spec.ID(1); peer <= 3; peer++ {
			if peer == id || s.match[peer] >= n {
				holders++
			}
		}
		if holders >= 2 && s.log[n-1] == s.term {
			return true
		}
	}
	return false
}

// move is one random thing that a server does, right or wrong: what it changes in
// the history, the action that shows it, and the invariants that it breaks by
// itself.
func (h *history) move(t *rapid.T) (a spec.Action, broken []string) {
	id := spec.ID(rapid.IntRange(1, 3).Draw(t, "server"))
	s := &h.servers[id]
	a = spec.Action{Kind: spec.Observe, Server: id}
	switch rapid.SampledFrom([]string{"term", "vote", "lead", "create", "copy", "forge", "cut", "commit", "acknowledge"}).Draw(t, "move") {
	case "term":
		term := s.term + 1
		if rapid.IntRange(0, 29).Draw(t, "falls") == 0 && s.term > 0 {
			term = s.term - 1
			broken = append(broken, "I06")
		}
		s.term, s.leader = term, false
		a.After = spec.State{Has: spec.HasTerm | spec.HasRole | spec.HasVote, CurrentTerm: term, Role: spec.Follower}
	case "vote":
		candidate := spec.ID(rapid.IntRange(1, 3).Draw(t, "candidate"))
		for _, b := range h.votes {
			if b.voter == id && b.term == s.term && rapid.IntRange(0, 19).Draw(t, "again") != 0 {
				candidate = b.candidate
			}
		}
		h.votes = append(h.votes, ballot{id, candidate, s.term})
		a.After, a.Flags = spec.State{Has: spec.HasTerm | spec.HasVote, CurrentTerm: s.term, VotedFor: candidate}, spec.Durable
	case "lead":
		if s.leader || s.term == 0 {
			break
		}
		s.leader, s.match = true, [4]uint64{}
		h.led = append(h.led, reign{s.term, id, slices.Clone(s.log)})
		a.Kind = spec.BecomeLeader
	case "create":
		if !s.leader {
			break
		}
		s.log = append(slices.Clone(s.log), s.term)
		a.Kind, a.Entries = spec.ClientRequest, []spec.Entry{{Index: uint64(len(s.log)), Term: s.term}}
	case "copy":
		from := h.servers[rapid.IntRange(1, 3).Draw(t, "from")].log
		if s.leader || len(from) <= len(s.log) || from[len(s.log)] > s.term {
			break
		}
		s.log = append(slices.Clone(s.log), from[len(s.log)])
		a.Entries = []spec.Entry{{Index: uint64(len(s.log)), Term: s.log[len(s.log)-1]}}
	case "forge":
		if s.leader || s.term == 0 || rapid.IntRange(0, 3).Draw(t, "really") != 0 {
			break
		}
		last := uint64(1)
		if n := len(s.log); n > 0 {
			last = s.log[n-1]
		}
		s.log = append(slices.Clone(s.log), uint64(rapid.IntRange(int(min(last, s.term)), int(s.term)).Draw(t, "entry's term")))
		a.Entries = []spec.Entry{{Index: uint64(len(s.log)), Term: s.log[len(s.log)-1]}}
	case "cut":
		if len(s.log) == 0 {
			break
		}
		s.log = slices.Clone(s.log[:rapid.IntRange(0, len(s.log)-1).Draw(t, "to")])
		a.After = spec.State{Has: spec.HasLastIndex, LastIndex: uint64(len(s.log))}
		if s.leader {
			broken = append(broken, "I02")
		}
	case "commit":
		k := uint64(rapid.IntRange(0, len(s.log)).Draw(t, "index"))
		if k <= s.commit {
			break
		}
		s.commit = k
		h.commits = append(h.commits, commit{s.term, slices.Clone(s.log[:k])})
		a.Kind, a.After = spec.AdvanceCommitIndex, spec.State{Has: spec.HasCommit, CommitIndex: k}
		if s.leader && !s.committable(id, k) {
			broken = append(broken, "I07")
		}
	case "acknowledge":
		peer := spec.ID(rapid.IntRange(1, 3).Draw(t, "peer"))
		if !s.leader || peer == id || len(s.log) == 0 {
			break
		}
		k := uint64(rapid.IntRange(1, len(s.log)).Draw(t, "match"))
		s.match[peer] = max(s.match[peer], k)
		a.Kind = spec.Receive
		a.Message = spec.Message{Type: spec.AppendEntriesResponse, From: peer, To: id, Term: s.term, Success: true, Match: k,
			Has: spec.MsgTerm | spec.MsgSuccess | spec.MsgMatch}
	}
	h.logs = append(h.logs, slices.Clone(s.log))
	return a, broken
}

// broken are the invariants that do not hold, those that the last move broke by
// itself among them.
func (h *history) broken(by []string) []string {
	for id, holds := range map[string]func() bool{
		"I01": h.electionSafety, "I03": h.logMatching, "I04": h.leaderCompleteness, "I05": h.stateMachineSafety, "I08": h.voteOnce,
	} {
		if !holds() {
			by = append(by, id)
		}
	}
	slices.Sort(by)
	return by
}

// TestSecondOpinion: the invariants, which remember little and look at each fact
// once, find the same as their definitions over the whole of history.
func TestSecondOpinion(t *testing.T) {
	require.NoError(t, flag.Set("rapid.checks", "2000"))
	require.NoError(t, flag.Set("rapid.nofailfile", "true")) // testdata is for conversations
	seen := make(map[string]int)
	rapid.Check(t, func(t *rapid.T) {
		groups := &spec.Groups{}
		g := groups.Get("", spec.Profile{SelfVoteOnTimeout: true}, ^spec.Facts(0)&^(spec.ShowsSends|spec.ShowsPersist))
		var voters spec.Set
		for _, name := range []string{"a", "b", "c"} {
			voters.Add(g.Server([]byte(name)))
		}
		config := g.Config(spec.Config{Quorums: []spec.Set{voters}})
		m, w := spec.New(g), watch()
		for id := spec.ID(1); id <= 3; id++ {
			m.Step(&spec.Action{Kind: spec.Restart, Server: id, Ref: spec.Ref(id), After: spec.State{
				Has: spec.HasTerm | spec.HasVote | spec.HasLastIndex | spec.HasLastTerm | spec.HasCommit | spec.HasConfig, Config: config}})
		}
		h := &history{}
		story := ""
		for ref := range spec.Ref(40) {
			a, by := h.move(t)
			a.Ref = ref + 10
			want := h.broken(by)
			m.Step(&a)
			var got []string
			for i := range m.Facts {
				for _, b := range w.Observe(m, &m.Facts[i]) {
					if !slices.Contains(got, b.Rule.ID) {
						got = append(got, b.Rule.ID)
					}
				}
			}
			slices.Sort(got)
			story += fmt.Sprintf("%s(%d) term %d log %v after %+v entries %v\n", a.Name(), a.Server, h.servers[a.Server].term, h.servers[a.Server].log, a.After, a.Entries)
			require.Equal(t, want, got, "\n%s", story)
			if len(want) > 0 {
				seen[fmt.Sprint(want)]++
				return
			}
		}
		seen["none"]++
	})
	t.Log("first broken:", seen)
}
