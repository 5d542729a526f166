package etcdserver

import (
	"regexp"
	"strconv"

	"github.com/tracecheck/tracecheck/spec"
)

// row is one sentence of raft: words that it holds, so that most lines cost no
// regular expression, the sentence, and what it says. Without an action it is
// known to say nothing that could be checked.
type row struct {
	key     []byte
	pattern *regexp.Regexp
	why     string
	action  func(d *decoder, m [][]byte, a *spec.Action)
}

// id is a member's id, as all sentences but those of configurations write it.
const id = `\b([0-9a-f]{1,16})`

func sentence(key, pattern string, action func(d *decoder, m [][]byte, a *spec.Action)) row {
	return row{key: []byte(key), pattern: regexp.MustCompile(pattern), action: action}
}

func silent(key, why string) row {
	return row{key: []byte(key), pattern: regexp.MustCompile(regexp.QuoteMeta(key)), why: why}
}

var rows = []row{
	sentence("newRaft", `newRaft `+id+` \[peers: \[[^\]]*\], term: (\d+), commit: (\d+), applied: (\d+), lastindex: (\d+), lastterm: (\d+)\]`, newRaft),
	sentence("became", id+` became (follower|pre-candidate|candidate|leader) at term (\d+)`, becomes),
	sentence("cast Msg", id+` \[logterm: (\d+), index: (\d+), vote: ([0-9a-f]+)\] cast (MsgVote|MsgPreVote) for `+id+` \[logterm: (\d+), index: (\d+)\] at term (\d+)`, casts),
	sentence(" received Msg", id+` received (MsgVoteResp|MsgPreVoteResp)( rejection)? from `+id+` at term (\d+)`, hears),
	sentence("sent Msg", id+` \[logterm: (\d+), index: (\d+)\] sent (MsgVote|MsgPreVote) request to `+id+` at term (\d+)`, asks),
	sentence("elected leader", id+` elected leader `+id+` at term (\d+)`, follows),
	sentence("changed leader", id+` changed leader from [0-9a-f]+ to `+id+` at term (\d+)`, follows),
	sentence("message with higher term", id+` \[term: (\d+)\] received a (\w+) message with higher term from `+id+` \[term: (\d+)\]`, hearsHigher),
	silent("rejected MsgVote", "a vote that was refused"),
	silent("rejected MsgPreVote", "a vote that was refused"),
	silent("ignored MsgVote", "a vote that was refused"),
	silent("ignored MsgPreVote", "a vote that was refused"),
	silent("with lower term from", "an old message"),
	silent("switched to configuration", "configuration"),
	silent("is starting a new election", "an election is due"),
	silent("votes and", "tally of votes"),
	silent("lost leader", "no leader"),
	silent("no leader at term", "no leader"),
	silent("stepped down to follower", "quorum is not active"),
	silent("transfer leadership", "leadership transfer"),
	silent("MsgTimeoutNow", "leadership transfer"),
	silent("found conflict at index", "conflict, without a member"),
	silent("restored snapshot", "snapshot"),
	silent("ignored snapshot", "snapshot"),
	silent("fast-forwarded commit", "snapshot"),
	silent("rejected MsgApp", "probing of logs"),
	silent("received MsgAppResp", "probing of logs"),
	silent("failed to send message", "probing of logs"),
	silent("paused sending", "probing of logs"),
	silent("decreased progress", "probing of logs"),
	silent("recovered from needing snapshot", "probing of logs"),
	silent("sent snapshot", "probing of logs"),
	silent("snapshot failed", "probing of logs"),
	silent("snapshot succeeded", "probing of logs"),
	silent("readindex", "reads"),
	silent("ReadIndex", "reads"),
	silent("dropping", "a proposal that was dropped"),
	silent("unreachable", "probing of logs"),
	silent("setting election timeout", "timers"),
	silent("lead support", "timers"),
	silent("promotable", "an election is due"),
	silent("initiating automatic transition", "configuration"),
	silent("ignoring conf change", "configuration"),
}

// alarms are sentences with which etcd says that its raft is broken.
var alarms = [][]byte{
	[]byte("is out of range [lastIndex("), []byte("Was the raft log corrupted, truncated, or lost"),
	[]byte("unexpected leader"), []byte("conflict with committed entry"), []byte("state.commit"),
}

func number(b []byte) uint64 {
	n, _ := strconv.ParseUint(string(b), 10, 64) // the pattern has digits only; what is too large is no index
	return n
}

func (d *decoder) member(b []byte) spec.ID {
	if string(b) == "0" {
		return spec.Nil
	}
	return d.group.Server(b)
}

// newRaft is a member that starts, with what it has read from its disk.
func newRaft(d *decoder, m [][]byte, a *spec.Action) {
	a.Kind, a.Server, a.Flags = spec.Restart, d.member(m[1]), spec.Durable
	a.After = spec.State{
		Has:         spec.HasTerm | spec.HasCommit | spec.HasLastIndex | spec.HasLastTerm,
		CurrentTerm: number(m[2]), CommitIndex: number(m[3]), LastIndex: number(m[5]), LastTerm: number(m[6]),
	}
}

func becomes(d *decoder, m [][]byte, a *spec.Action) {
	a.Server = d.member(m[1])
	a.After = spec.State{Has: spec.HasTerm | spec.HasRole, CurrentTerm: number(m[3])}
	switch string(m[2]) {
	case "follower":
		a.Kind, a.After.Role = spec.BecomeFollower, spec.Follower
	case "pre-candidate":
		a.Kind, a.After.Role = spec.BecomePreCandidate, spec.PreCandidate
	case "candidate":
		a.Kind, a.After.Role = spec.Timeout, spec.Candidate
	default:
		a.Kind, a.After.Role = spec.BecomeLeader, spec.Leader
	}
}

// casts is a vote, or a pre-vote, with both ends of logs and the vote before it.
func casts(d *decoder, m [][]byte, a *spec.Action) {
	a.Kind, a.Server = spec.Send, d.member(m[1])
	if string(m[5]) == "MsgPreVote" {
		a.Kind = spec.Observe // it binds nobody
		return
	}
	a.Before = spec.State{
		Has: spec.HasTerm | spec.HasVote | spec.HasLastIndex | spec.HasLastTerm, CurrentTerm: number(m[9]),
		VotedFor: d.member(m[4]), LastTerm: number(m[2]), LastIndex: number(m[3]),
	}
	a.Message = spec.Message{
		Type: spec.RequestVoteResponse, From: a.Server, To: d.member(m[6]), Term: number(m[9]), Success: true,
		LogTerm: number(m[7]), LogIndex: number(m[8]), Has: spec.MsgTerm | spec.MsgSuccess | spec.MsgLogIndex | spec.MsgLogTerm,
	}
}

// hears is an answer to a candidate: what it grants is a fact then.
func hears(d *decoder, m [][]byte, a *spec.Action) {
	a.Kind, a.Server = spec.Receive, d.member(m[1])
	a.Message = spec.Message{Type: spec.RequestVoteResponse, From: d.member(m[4]), To: a.Server, Term: number(m[5]),
		Success: len(m[3]) == 0, Has: spec.MsgTerm | spec.MsgSuccess}
	if string(m[2]) == "MsgPreVoteResp" {
		a.Message.Type = spec.PreVoteResponse
	}
}

func asks(d *decoder, m [][]byte, a *spec.Action) {
	a.Kind, a.Server = spec.Send, d.member(m[1])
	a.Message = spec.Message{Type: spec.RequestVoteRequest, From: a.Server, To: d.member(m[5]), Term: number(m[6]),
		LogTerm: number(m[2]), LogIndex: number(m[3]), Has: spec.MsgTerm | spec.MsgLogIndex | spec.MsgLogTerm}
	if string(m[4]) == "MsgPreVote" {
		a.Message.Type = spec.PreVoteRequest
	}
}

// follows is a member that knows a leader: it has heard from it in that term.
func follows(d *decoder, m [][]byte, a *spec.Action) {
	a.Kind, a.Server = spec.Receive, d.member(m[1])
	a.Message = spec.Message{Type: spec.HeartbeatRequest, From: d.member(m[2]), To: a.Server, Term: number(m[3]), Has: spec.MsgTerm}
}

// hearsHigher is a message that raises the term. Only some say who leads.
func hearsHigher(d *decoder, m [][]byte, a *spec.Action) {
	a.Server = d.member(m[1])
	a.Before = spec.State{Has: spec.HasTerm, CurrentTerm: number(m[2])}
	switch string(m[3]) {
	case "MsgApp", "MsgHeartbeat", "MsgSnap":
		a.Kind = spec.Receive
		a.Message = spec.Message{Type: spec.HeartbeatRequest, From: d.member(m[4]), To: a.Server, Term: number(m[5]), Has: spec.MsgTerm}
	}
}
