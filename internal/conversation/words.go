package conversation

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/tracecheck/tracecheck/spec"
)

// kinds are the words for what a server does without a message.
var kinds = map[string]spec.Kind{
	"shows": spec.Observe, "writes": spec.Observe, "restarts": spec.Restart, "stops": spec.Stop,
	"becomes-candidate": spec.Timeout, "becomes-pre-candidate": spec.BecomePreCandidate,
	"becomes-leader": spec.BecomeLeader, "becomes-follower": spec.BecomeFollower,
	"appends": spec.ClientRequest, "proposes": spec.ChangeConfiguration, "takes-configuration": spec.ApplyConfiguration,
	"commits": spec.AdvanceCommitIndex, "applies": spec.Apply, "reads": spec.Read, "tells-client": spec.Acknowledge,
	"takes-snapshot": spec.TakeSnapshot, "installs-snapshot": spec.InstallSnapshot, "compacts": spec.CompactLog,
	"transfers-to": spec.TransferLeadership,
}

type message struct {
	kind    spec.MessageType
	answers bool
	success bool
}

// messages are the words for messages.
var messages = map[string]message{
	"request-vote": {kind: spec.RequestVoteRequest}, "grants": {spec.RequestVoteResponse, true, true},
	"refuses": {spec.RequestVoteResponse, true, false}, "request-pre-vote": {kind: spec.PreVoteRequest},
	"pre-grants": {spec.PreVoteResponse, true, true}, "pre-refuses": {spec.PreVoteResponse, true, false},
	"append-entries": {kind: spec.AppendEntriesRequest}, "accepts": {spec.AppendEntriesResponse, true, true},
	"rejects": {spec.AppendEntriesResponse, true, false}, "heartbeat": {kind: spec.HeartbeatRequest},
	"heartbeat-response": {kind: spec.HeartbeatResponse}, "install-snapshot": {kind: spec.InstallSnapshotRequest},
	"snapshot-response": {kind: spec.InstallSnapshotResponse}, "timeout-now": {kind: spec.TimeoutNow},
}

var flags = map[string]spec.ActionFlags{
	"tentative": spec.Tentative, "persisting": spec.Persisting, "durable": spec.Durable,
	"hands-out": spec.HandsOut, "restarted": spec.Restarted, "sparse-seq": spec.SparseSeq, "clock-seq": spec.ClockSeq, "lines-lost": spec.LinesLost,
}

var roles = map[string]spec.Role{
	"follower": spec.Follower, "pre-candidate": spec.PreCandidate, "candidate": spec.Candidate, "leader": spec.Leader,
}

// action reads a line that is one step: who, what, and the rest word by word.
// The parts of a message end at a bar; behind it stand values of the server.
func (c *conversation) action(who string, kind spec.Kind, msg message, peer string, words []string) (a spec.Action, err error) {
	a = spec.Action{Kind: kind, Server: c.server(who)}
	inMessage := msg.kind != spec.NoMessage
	if inMessage {
		a.Message = spec.Message{Type: msg.kind, From: a.Server, To: c.server(peer), Success: msg.success}
		if kind == spec.Receive {
			a.Message.From, a.Message.To = a.Message.To, a.Message.From
		}
		if msg.answers {
			a.Message.Has |= spec.MsgSuccess
		}
		if msg.kind == spec.AppendEntriesRequest {
			a.Message.Has |= spec.MsgEntries
		}
	}
	for _, w := range words {
		key, value, valued := strings.Cut(w, "=")
		flag, isFlag := flags[w]
		switch {
		case w == "|":
			inMessage = false
		case key == "line":
			a.Seq, err = strconv.ParseUint(value, 10, 64)
		case isFlag:
			a.Flags |= flag
		case w[0] >= '0' && w[0] <= '9' && kind == spec.TransferLeadership:
			a.Peer = c.server(w)
		case w[0] >= '0' && w[0] <= '9':
			err = c.entries(&a, w)
		case inMessage:
			err = c.field(&a.Message, key, value)
		case key == "state":
			a.Hash, a.HasHash = hash(value), true
		case valued && strings.HasPrefix(key, "was-"):
			err = c.claim(&a.Before, key[4:], value)
		case valued:
			err = c.claim(&a.After, key, value)
		default:
			err = fmt.Errorf("what is %q?", w)
		}
		if err != nil {
			return a, err
		}
	}
	return a, c.position(&a)
}

// position moves the position that a step is about from its entries to where the
// machine looks for it.
func (c *conversation) position(a *spec.Action) error {
	switch a.Kind {
	case spec.AdvanceCommitIndex, spec.Apply, spec.Acknowledge, spec.Read, spec.TakeSnapshot, spec.InstallSnapshot, spec.CompactLog:
		if len(a.Entries) == 0 {
			return nil
		}
		e := a.Entries[0]
		a.Index, a.Term = e.Index, e.Term
		if a.Kind != spec.Apply {
			a.Hash, a.HasHash = e.Hash, e.HasHash
			a.Entries = nil
		}
	case spec.Send, spec.Receive:
		a.Message.Entries = max(a.Message.Entries, uint64(len(a.Entries)))
	}
	return nil
}

// entries reads 4@2, 4..6@2, 4@2:x, 4@2={1,2,3}, or an index alone.
func (c *conversation) entries(a *spec.Action, w string) error {
	w, config, configured := strings.Cut(w, "=")
	w, content, hashed := strings.Cut(w, ":")
	where, term, err := split(w)
	if err != nil {
		return err
	}
	first, last, ranged := strings.Cut(where, "..")
	if !ranged {
		last = first
	}
	low, err1 := strconv.ParseUint(first, 10, 64)
	high, err2 := strconv.ParseUint(last, 10, 64)
	if err1 != nil || err2 != nil || high < low {
		return fmt.Errorf("%q is no entry", w)
	}
	for i := low; i <= high; i++ {
		e := spec.Entry{Kind: spec.Command, Index: i, Term: term}
		if hashed {
			e.HasHash, e.Hash = true, hash(content)
		}
		if configured {
			e.Kind, e.Config = spec.Configuration, c.config(config)
		}
		a.Entries = append(a.Entries, e)
	}
	return nil
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// split reads index@term or an index alone.
func split(s string) (index string, term uint64, err error) {
	index, t, found := strings.Cut(s, "@")
	if found {
		term, err = strconv.ParseUint(t, 10, 64)
	}
	return index, term, err
}

// config reads {1,2,3}, joint {1,2,3}+{1,4}, with learners {1,2,3}/{4}.
func (c *conversation) config(s string) spec.ConfigID {
	voters, learners, _ := strings.Cut(s, "/")
	var config spec.Config
	for _, set := range strings.Split(voters, "+") {
		config.Quorums = append(config.Quorums, c.set(set))
	}
	config.Learners = c.set(learners)
	return c.group.Config(config)
}

func (c *conversation) set(s string) (set spec.Set) {
	for _, name := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("{},", r) }) {
		set.Add(c.server(name))
	}
	return set
}

// claim reads one value of a server.
func (c *conversation) claim(s *spec.State, key, value string) error {
	index, term, err := split(value)
	n, nerr := strconv.ParseUint(index, 10, 64)
	named := key == "role" || key == "vote" || key == "config"
	if err != nil || nerr != nil && !named {
		return fmt.Errorf("%s=%s: no number", key, value)
	}
	switch key {
	case "role":
		s.Has, s.Role = s.Has|spec.HasRole, roles[value]
	case "vote":
		s.Has, s.VotedFor = s.Has|spec.HasVote, c.server(value)
	case "config":
		s.Has, s.Config = s.Has|spec.HasConfig, c.config(value)
	case "term":
		s.Has, s.CurrentTerm = s.Has|spec.HasTerm, n
	case "log":
		s.Has, s.LastIndex = s.Has|spec.HasLastIndex, n
		if term != 0 {
			s.Has, s.LastTerm = s.Has|spec.HasLastTerm, term
		}
	case "commit":
		s.Has, s.CommitIndex = s.Has|spec.HasCommit, n
	case "applied":
		s.Has, s.AppliedIndex = s.Has|spec.HasApplied, n
	case "snapshot":
		s.Has, s.SnapshotIndex, s.SnapshotTerm = s.Has|spec.HasSnapshot, n, term
	case "first":
		s.Has, s.FirstIndex = s.Has|spec.HasFirstIndex, n
	case "committable":
		s.Has, s.Committable = s.Has|spec.HasCommittable, n
	default:
		return fmt.Errorf("a server has no %s", key)
	}
	return nil
}

// field reads one part of a message.
func (c *conversation) field(m *spec.Message, key, value string) error {
	index, term, err := split(value)
	n, nerr := strconv.ParseUint(index, 10, 64)
	if key == "transfer" {
		m.Has, m.Transfer = m.Has|spec.MsgTransfer, true
		return nil
	}
	if err != nil || nerr != nil {
		return fmt.Errorf("%s=%s: no number", key, value)
	}
	switch key {
	case "term":
		m.Has, m.Term = m.Has|spec.MsgTerm, n
	case "last", "prev", "at":
		m.Has, m.LogIndex, m.LogTerm = m.Has|spec.MsgLogIndex, n, term
		if term != 0 || n == 0 {
			m.Has |= spec.MsgLogTerm
		}
	case "count":
		m.Entries = n
	case "commit":
		m.Has, m.Commit = m.Has|spec.MsgCommit, n
	case "match":
		m.Has, m.Match = m.Has|spec.MsgMatch, n
	case "leader-match":
		m.Has, m.LeaderMatch = m.Has|spec.MsgLeaderMatch, n
	case "id":
		m.Has, m.ID = m.Has|spec.MsgID, n
	default:
		return fmt.Errorf("a message has no %s", key)
	}
	return nil
}
