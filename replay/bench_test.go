package replay

import (
	"fmt"
	"testing"

	"github.com/tracecheck/tracecheck/spec"
)

// steady is a leader that appends, sends, hears acknowledgements and commits,
// for ever: the actions of one entry.
type steady struct {
	groups  spec.Groups
	config  spec.ConfigID
	servers int
	index   uint64
	ref     spec.Ref
}

func newSteady(servers int, index uint64) (*steady, *Checker) {
	s := &steady{servers: servers, index: index}
	g := s.groups.Get("", spec.Profile{SelfVoteOnTimeout: true}, ^spec.Facts(0)&^spec.ShowsPersist)
	var voters spec.Set
	for i := range servers {
		voters.Add(g.Server(fmt.Appendf(nil, "n%d", i)))
	}
	s.config = g.Config(spec.Config{Quorums: []spec.Set{voters}})
	c := New(&s.groups, Options{})
	for id := spec.ID(1); int(id) <= servers; id++ {
		role := spec.Follower
		if id == 1 {
			role = spec.Leader
		}
		s.step(c, &spec.Action{Kind: spec.Observe, Server: id, After: spec.State{
			Has:  spec.HasRole | spec.HasTerm | spec.HasVote | spec.HasLastIndex | spec.HasLastTerm | spec.HasCommit | spec.HasConfig,
			Role: role, CurrentTerm: 5, VotedFor: 1, LastIndex: index, LastTerm: 5, CommitIndex: index, Config: s.config,
		}})
	}
	return s, c
}

func (s *steady) step(c *Checker, a *spec.Action) {
	s.ref++
	a.Ref = s.ref
	c.Step(a)
}

// entry replays one entry through the cluster and returns the number of actions.
func (s *steady) entry(c *Checker, a *spec.Action) int {
	n := 0
	do := func(kind spec.Kind, server spec.ID, m spec.Message) {
		a.Reset()
		a.Kind, a.Server, a.Message = kind, server, m
		a.Before = spec.State{Has: spec.HasTerm, CurrentTerm: 5}
		s.step(c, a)
		n++
	}
	do(spec.ClientRequest, 1, spec.Message{})
	for id := spec.ID(2); int(id) <= s.servers; id++ {
		req := spec.Message{Type: spec.AppendEntriesRequest, From: 1, To: id, Term: 5, LogIndex: s.index, LogTerm: 5, Entries: 1,
			Commit: s.index, Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit}
		ack := spec.Message{Type: spec.AppendEntriesResponse, From: id, To: 1, Term: 5, Success: true, Match: s.index + 1,
			Has: spec.MsgTerm | spec.MsgSuccess | spec.MsgMatch}
		do(spec.Send, 1, req)
		do(spec.Receive, id, req)
		a.Reset()
		a.Kind, a.Server, a.Message = spec.Send, id, ack
		a.After = spec.State{Has: spec.HasLastIndex | spec.HasCommit, LastIndex: s.index + 1, CommitIndex: s.index}
		s.step(c, a)
		n++
		do(spec.Receive, 1, ack)
	}
	a.Reset()
	a.Kind, a.Server = spec.AdvanceCommitIndex, 1
	a.After = spec.State{Has: spec.HasCommit, CommitIndex: s.index + 1}
	s.step(c, a)
	s.index++
	return n + 1
}

// BenchmarkReplay is replay with all invariants, without decoding.
func BenchmarkReplay(b *testing.B) {
	for _, servers := range []int{3, 5, 51} {
		for _, index := range []uint64{1_000, 1_000_000} {
			b.Run(fmt.Sprintf("servers=%d/entries=%d", servers, index), func(b *testing.B) {
				s, c := newSteady(servers, index)
				var a spec.Action
				events := 0
				b.ReportAllocs()
				for b.Loop() {
					events += s.entry(c, &a)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
				if c.violations > 0 {
					b.Fatalf("%s", c.findings[0].Message)
				}
			})
		}
	}
}

// TestReplayAllocatesNothing: no allocation per event in the steady state.
func TestReplayAllocatesNothing(t *testing.T) {
	s, c := newSteady(3, 1000)
	var a spec.Action
	for range 50_000 {
		s.entry(c, &a)
	}
	if n := testing.AllocsPerRun(1000, func() { s.entry(c, &a) }); n != 0 {
		t.Errorf("%v allocations per entry", n)
	}
	if c.violations != 0 {
		t.Errorf("%s", c.findings[0].Message)
	}
}
