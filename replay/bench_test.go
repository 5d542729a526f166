package replay

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/tracecheck/tracecheck/spec"
)

// steady is a leader that appends, sends, hears acknowledgements and commits,
// for ever: the actions of one entry, made once and then moved along the log.
type steady struct {
	groups  spec.Groups
	config  spec.ConfigID
	servers int
	index   uint64 // the last index of every log
	ref     spec.Ref
	actions []spec.Action
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
		s.step(c, &spec.Action{Kind: spec.Observe, Server: id, After: spec.State{
			Has:  spec.HasRole | spec.HasTerm | spec.HasVote | spec.HasLastIndex | spec.HasLastTerm | spec.HasCommit | spec.HasConfig,
			Role: spec.Follower, CurrentTerm: 4, LastIndex: index, LastTerm: 4, CommitIndex: index, Config: s.config,
		}})
	}
	s.elect(c)
	s.script()
	s.entry(c)
	for i := range s.actions {
		s.actions[i].Message.LogTerm = 5 * min(1, s.actions[i].Message.LogTerm)
	}
	return s, c
}

// elect makes server 1 leader of term 5.
func (s *steady) elect(c *Checker) {
	s.step(c, &spec.Action{Kind: spec.Timeout, Server: 1, After: spec.State{Has: spec.HasTerm, CurrentTerm: 5}})
	for id := spec.ID(2); int(id) <= s.servers; id++ {
		request := spec.Message{Type: spec.RequestVoteRequest, From: 1, To: id, Term: 5, LogIndex: s.index, LogTerm: 4,
			Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm}
		grant := spec.Message{Type: spec.RequestVoteResponse, From: id, To: 1, Term: 5, Success: true, Has: spec.MsgTerm | spec.MsgSuccess}
		voted := spec.State{Has: spec.HasTerm, CurrentTerm: 5}
		s.step(c, &spec.Action{Kind: spec.Send, Server: 1, Message: request})
		s.step(c, &spec.Action{Kind: spec.Receive, Server: id, Message: request})
		s.step(c, &spec.Action{Kind: spec.BecomeFollower, Server: id, After: voted})
		s.step(c, &spec.Action{Kind: spec.Send, Server: id, Message: grant})
		s.step(c, &spec.Action{Kind: spec.Receive, Server: 1, Message: grant})
	}
	s.step(c, &spec.Action{Kind: spec.BecomeLeader, Server: 1})
}

// script makes the actions of the entry after the last.
func (s *steady) script() {
	add := func(kind spec.Kind, server spec.ID, m spec.Message, after spec.State) {
		s.actions = append(s.actions, spec.Action{Kind: kind, Server: server, Message: m, After: after,
			Before: spec.State{Has: spec.HasTerm, CurrentTerm: 5}})
	}
	add(spec.ClientRequest, 1, spec.Message{}, spec.State{})
	for id := spec.ID(2); int(id) <= s.servers; id++ {
		req := spec.Message{Type: spec.AppendEntriesRequest, From: 1, To: id, Term: 5, LogIndex: s.index, LogTerm: 4, Entries: 1,
			Commit: s.index, Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit}
		ack := spec.Message{Type: spec.AppendEntriesResponse, From: id, To: 1, Term: 5, Success: true, Match: s.index + 1,
			Has: spec.MsgTerm | spec.MsgSuccess | spec.MsgMatch}
		add(spec.Send, 1, req, spec.State{})
		add(spec.Receive, id, req, spec.State{})
		add(spec.Send, id, ack, spec.State{Has: spec.HasLastIndex | spec.HasCommit, LastIndex: s.index + 1, CommitIndex: s.index})
		add(spec.Receive, 1, ack, spec.State{})
	}
	add(spec.AdvanceCommitIndex, 1, spec.Message{}, spec.State{Has: spec.HasCommit, CommitIndex: s.index + 1})
}

func (s *steady) step(c *Checker, a *spec.Action) {
	s.ref++
	a.Ref = s.ref
	c.Step(a)
}

// entry replays one entry through the cluster and returns the number of actions.
func (s *steady) entry(c *Checker) int {
	for i := range s.actions {
		a := &s.actions[i]
		s.step(c, a)
		switch a.Message.Type {
		case spec.AppendEntriesRequest:
			a.Message.LogIndex++
			a.Message.Commit++
		case spec.AppendEntriesResponse:
			a.Message.Match++
		}
		a.After.LastIndex++
		a.After.CommitIndex++
	}
	s.index++
	return len(s.actions)
}

// cpu is the processor time in nanoseconds that this program has had, which
// does not count what else the machine does.
func cpu() int64 {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		panic(err)
	}
	return use.Utime.Nano() + use.Stime.Nano()
}

// BenchmarkReplay is replay with all invariants, without decoding.
func BenchmarkReplay(b *testing.B) {
	for _, servers := range []int{3, 5, 51} {
		for _, index := range []uint64{1_000, 1_000_000} {
			b.Run(fmt.Sprintf("servers=%d/entries=%d", servers, index), func(b *testing.B) {
				s, c := newSteady(servers, index)
				events := 0
				b.ReportAllocs()
				began := cpu()
				for b.Loop() {
					events += s.entry(c)
				}
				b.ReportMetric(float64(cpu()-began)/float64(events), "cpu-ns/event")
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
	for range 50_000 {
		s.entry(c)
	}
	if n := testing.AllocsPerRun(1000, func() { s.entry(c) }); n != 0 {
		t.Errorf("%v allocations per entry", n)
	}
	if c.violations != 0 {
		t.Errorf("%s", c.findings[0].Message)
	}
}
