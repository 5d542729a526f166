package etcdserver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// fronts are what may stand around a sentence of raft.
var fronts = []func(text string) string{
	func(text string) string {
		return `{"level":"info","ts":"2026-12-01T05:38:36.420653Z","logger":"raft","caller":"v3@v3.7.0/raft.go:912","msg":"` + text + `"}`
	},
	func(text string) string {
		return `etcd-0 | {"level":"info","caller":"raft/raft.go:797","msg":"` + text + `"}`
	},
	func(text string) string { return "2026-12-01 05:38:36.420653 I | raft: " + text },
	func(text string) string { return "Dec 01 05:38:36 host etcd[17]: " + text },
	func(text string) string { return "raft2026/12/01 05:30:44 INFO: " + text },
	func(text string) string {
		return "2026-12-01T05:38:36.420Z\tinfo\traft\tv3@v3.7.0/raft.go:912\t" + text
	},
}

// TestSentences: what each sentence says, whatever stands around it.
func TestSentences(t *testing.T) {
	a1, b2 := spec.ID(1), spec.ID(2)
	for text, want := range map[string]spec.Action{
		"a1 became candidate at term 3": {Kind: spec.Timeout, Server: a1,
			After: spec.State{Has: spec.HasTerm | spec.HasRole, CurrentTerm: 3, Role: spec.Candidate}},
		"a1 became leader at term 3": {Kind: spec.BecomeLeader, Server: a1,
			After: spec.State{Has: spec.HasTerm | spec.HasRole, CurrentTerm: 3, Role: spec.Leader}},
		"a1 became pre-candidate at term 2": {Kind: spec.BecomePreCandidate, Server: a1,
			After: spec.State{Has: spec.HasTerm | spec.HasRole, CurrentTerm: 2, Role: spec.PreCandidate}},
		"newRaft a1 [peers: [a1,b2], term: 6, commit: 310, applied: 300, lastindex: 312, lastterm: 5]": {Kind: spec.Restart, Server: a1,
			Flags: spec.Durable, After: spec.State{Has: spec.HasTerm | spec.HasCommit | spec.HasLastIndex | spec.HasLastTerm,
				CurrentTerm: 6, CommitIndex: 310, LastIndex: 312, LastTerm: 5}},
		"a1 [logterm: 2, index: 10, vote: 0] cast MsgVote for b2 [logterm: 2, index: 11] at term 3": {Kind: spec.Send, Server: a1,
			Before: spec.State{Has: spec.HasTerm | spec.HasVote | spec.HasLastIndex | spec.HasLastTerm, CurrentTerm: 3, LastIndex: 10, LastTerm: 2},
			Message: spec.Message{Type: spec.RequestVoteResponse, From: a1, To: b2, Term: 3, Success: true, LogIndex: 11, LogTerm: 2,
				Has: spec.MsgTerm | spec.MsgSuccess | spec.MsgLogIndex | spec.MsgLogTerm}},
		"a1 received MsgVoteResp rejection from b2 at term 3": {Kind: spec.Receive, Server: a1,
			Message: spec.Message{Type: spec.RequestVoteResponse, From: b2, To: a1, Term: 3, Has: spec.MsgTerm | spec.MsgSuccess}},
		"a1 received MsgPreVoteResp from b2 at term 3": {Kind: spec.Receive, Server: a1,
			Message: spec.Message{Type: spec.PreVoteResponse, From: b2, To: a1, Term: 3, Success: true, Has: spec.MsgTerm | spec.MsgSuccess}},
		"a1 [logterm: 2, index: 10] sent MsgVote request to b2 at term 3": {Kind: spec.Send, Server: a1,
			Message: spec.Message{Type: spec.RequestVoteRequest, From: a1, To: b2, Term: 3, LogIndex: 10, LogTerm: 2,
				Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm}},
		"raft.node: a1 elected leader b2 at term 3": {Kind: spec.Receive, Server: a1,
			Message: spec.Message{Type: spec.HeartbeatRequest, From: b2, To: a1, Term: 3, Has: spec.MsgTerm}},
		"a1 [term: 3] received a MsgApp message with higher term from b2 [term: 4]": {Kind: spec.Receive, Server: a1,
			Before:  spec.State{Has: spec.HasTerm, CurrentTerm: 3},
			Message: spec.Message{Type: spec.HeartbeatRequest, From: b2, To: a1, Term: 4, Has: spec.MsgTerm}},
	} {
		for _, front := range fronts {
			groups := new(spec.Groups)
			group := groups.Get("", profile, shows)
			group.Server([]byte("a1"))
			group.Server([]byte("b2"))
			var a spec.Action
			out := Adapter.New(groups).Decode(&ingest.Record{Data: []byte(front(text))}, &a)
			require.Equal(t, adapters.Outcome{}, out, front(text))
			require.Equal(t, want, a, front(text))
		}
	}
}

// TestOtherLines: what says nothing is named, and nothing is ever damaged.
func TestOtherLines(t *testing.T) {
	for line, want := range map[string]adapters.Outcome{
		`{"level":"info","caller":"rafthttp/peer.go:133","msg":"starting remote peer"}`: {Verdict: adapters.Ignored, Why: "not of raft"},
		`{"level":"info","logger":"raft","msg":"a1 lost leader b2 at term 2"}`:          {Verdict: adapters.Ignored, Why: "no leader"},
		`{"level":"info","logger":"raft","msg":"a1 does something new"}`:                {Verdict: adapters.Unrecognised, Why: "unknown raft message"},
		`{"level":"info","logger":"raft","msg":"a1 beca`:                                {Verdict: adapters.Ignored, Why: "not of raft"},
		"\x00\xff": {Verdict: adapters.Ignored, Why: "not of raft"},
		`panic: tocommit(8) is out of range [lastIndex(3)]. Was the raft log corrupted, truncated, or lost?`: {
			Verdict: adapters.Ignored, Why: "an alarm of the implementation", Warn: adapters.ImplementationAlarm},
	} {
		var a spec.Action
		require.Equal(t, want, Adapter.New(new(spec.Groups)).Decode(&ingest.Record{Data: []byte(line)}, &a), line)
	}
}

// FuzzDecode: whatever the bytes are, there is an outcome, and what a finding
// points at lies within the line.
func FuzzDecode(f *testing.F) {
	for _, front := range fronts {
		f.Add([]byte(front("a1 [logterm: 2, index: 10, vote: 0] cast MsgVote for b2 [logterm: 2, index: 11] at term 3")))
	}
	d := Adapter.New(new(spec.Groups))
	f.Fuzz(func(t *testing.T, line []byte) {
		var a spec.Action
		if d.Decode(&ingest.Record{Data: line}, &a).Verdict != adapters.Checked {
			return
		}
		require.NotEqual(t, spec.Nil, a.Server)
		for field := range spec.NumFields {
			start, end := d.Span(line, field)
			require.True(t, start == 0 && end == 0 || start < end && end <= len(line))
		}
	})
}
