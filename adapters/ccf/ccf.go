// Package ccf reads the raft_trace lines of CCF (built with CCF_RAFT_TRACING), as
// its driver prints them and as CCF preprocesses them before checking.
//
// A line shows the acting node's state from before the event, except that an
// event that changes the role shows the new role and the new view. Views are
// terms; only signature entries, and what precedes them, may be committed.
package ccf

import (
	"bytes"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// Adapter reads CCF traces.
var Adapter = adapters.Adapter{
	Name:  "ccf",
	Title: "CCF consensus trace (raft_trace lines), raw or preprocessed",
	Doc: `Build CCF with -DCCF_RAFT_TRACING, or run its raft driver. Votes are shown in
messages only, and the answer to a vote request only where it is received, so
what a node persisted and most of what a voter thought cannot be seen.`,
	Shows: shows,
	Sniff: sniff,
	New:   func(groups *spec.Groups) adapters.Decoder { return &decoder{groups: groups} },
}

// shows: sends are shown but for answers to vote requests.
const shows = spec.ShowsTerm | spec.ShowsRole | spec.ShowsLastIndex | spec.ShowsLogTerms | spec.ShowsCommit |
	spec.ShowsSends | spec.ShowsReceives | spec.ShowsConfig | spec.ShowsVote | spec.ShowsProgress

var profile = spec.Profile{
	Name: "ccf", SelfVoteOnTimeout: true, UncheckedConfigs: true, SignedCommits: true, BootstrapTerm: 2,
	ReplyInRequestTerm: true, VoteAnswersUnsent: true, RolesAnnounced: true, EntriesAnnounced: true,
}

type decoder struct {
	groups *spec.Groups
	group  *spec.Group
}

// event is how a function of the trace is read.
type event struct {
	kind     spec.Kind
	message  spec.MessageType
	newState bool // leadership_state and current_view are those after the event
}

var events = map[string]event{
	"become_candidate":             {kind: spec.Timeout, newState: true},
	"become_pre_vote_candidate":    {kind: spec.BecomePreCandidate, newState: true},
	"become_leader":                {kind: spec.BecomeLeader, newState: true},
	"become_follower":              {kind: spec.BecomeFollower, newState: true},
	"become_aware_of_new_term":     {kind: spec.BecomeFollower, newState: true},
	"bootstrap":                    {kind: spec.Observe, newState: true},
	"replicate":                    {kind: spec.ClientRequest},
	"add_configuration":            {kind: spec.Observe},
	"execute_append_entries_sync":  {kind: spec.Observe},
	"commit":                       {kind: spec.AdvanceCommitIndex},
	"send_append_entries":          {kind: spec.Send, message: spec.AppendEntriesRequest},
	"recv_append_entries":          {kind: spec.Receive, message: spec.AppendEntriesRequest},
	"send_append_entries_response": {kind: spec.Send, message: spec.AppendEntriesResponse},
	"recv_append_entries_response": {kind: spec.Receive, message: spec.AppendEntriesResponse},
	"send_request_vote":            {kind: spec.Send, message: spec.RequestVoteRequest},
	"recv_request_vote":            {kind: spec.Receive, message: spec.RequestVoteRequest},
	"send_request_vote_response":   {kind: spec.Send, message: spec.RequestVoteResponse},
	"recv_request_vote_response":   {kind: spec.Receive, message: spec.RequestVoteResponse},
	"send_propose_request_vote":    {kind: spec.Send, message: spec.TimeoutNow},
	"recv_propose_request_vote":    {kind: spec.Receive, message: spec.TimeoutNow},
	"drop_pending_to":              {kind: spec.DropMessage},
}

var roles = map[string]spec.Role{
	"Follower": spec.Follower, "PreVoteCandidate": spec.PreCandidate, "Candidate": spec.Candidate, "Leader": spec.Leader,
}

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	line := bytes.TrimSpace(rec.Data)
	if len(line) == 0 || line[0] != '{' {
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "not a JSON object"}
	}
	if !adapters.ValidJSON(line) {
		return adapters.Outcome{Verdict: adapters.Damaged, Why: "not valid JSON"}
	}
	msg := gjson.GetBytes(line, "msg")
	if !msg.Exists() {
		if gjson.GetBytes(line, "cmd").Exists() {
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "driver command"}
		}
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "no msg"}
	}
	function := msg.Get("function").String()
	e, ok := events[function]
	if !ok {
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "unknown function"}
	}
	if d.group == nil {
		d.group = d.groups.Get("", profile, shows)
	}
	state := msg.Get("state")
	a.Kind, a.Message.Type = e.kind, e.message
	a.Server = d.server(state.Get("node_id"))
	if function == "drop_pending_to" {
		a.Server = d.server(msg.Get("from_node_id"))
	}
	if a.Server == spec.Nil {
		return adapters.Outcome{Verdict: adapters.Damaged, Why: "no node_id"}
	}
	if at := gjson.GetBytes(line, "h_ts").Uint(); at != 0 {
		a.Seq, a.Flags = at, spec.ClockSeq
	}
	d.claims(state, e, a)
	d.config(msg, e, a)
	d.details(function, msg, a)
	if adapters.RepeatsKey(line) {
		return adapters.Outcome{Verdict: adapters.Checked, Warn: adapters.DuplicateKey}
	}
	return adapters.Outcome{Verdict: adapters.Checked}
}

func (d *decoder) server(v gjson.Result) spec.ID { return d.group.Server([]byte(v.String())) }

// claims puts the state of a line on its sides.
func (d *decoder) claims(v gjson.Result, e event, a *spec.Action) {
	if !v.Exists() {
		return
	}
	s := &a.Before
	if e.newState {
		s = &a.After
	}
	if view := v.Get("current_view"); view.Exists() {
		s.CurrentTerm, s.Has = view.Uint(), s.Has|spec.HasTerm
	}
	if role, ok := roles[v.Get("leadership_state").String()]; ok {
		s.Role, s.Has = role, s.Has|spec.HasRole
	}
	last := v.Get("last_idx").Uint()
	commit := v.Get("commit_idx").Uint()
	s.LastIndex, s.CommitIndex = last, commit
	s.Has |= spec.HasLastIndex | spec.HasCommit | spec.HasCommittable
	s.Committable = commit
	if indices := v.Get("committable_indices").Array(); len(indices) > 0 {
		s.Committable = indices[len(indices)-1].Uint()
	}
}

// config claims the active configurations: each of them has to agree.
func (d *decoder) config(msg gjson.Result, e event, a *spec.Action) {
	list := msg.Get("configurations")
	if !list.IsArray() || len(list.Array()) == 0 {
		return
	}
	var c spec.Config
	list.ForEach(func(_, v gjson.Result) bool {
		var set spec.Set
		v.Get("nodes").ForEach(func(node, _ gjson.Result) bool {
			set.Add(d.server(node))
			return true
		})
		c.Quorums = append(c.Quorums, set)
		return true
	})
	s := &a.Before
	if e.newState {
		s = &a.After
	}
	s.Config, s.Has = d.group.Config(c), s.Has|spec.HasConfig
}

// details fills in what is particular to a function.
func (d *decoder) details(function string, msg gjson.Result, a *spec.Action) {
	switch function {
	case "add_configuration":
		// It is printed while the entry is being appended, which the line before
		// has shown already; the last index is still the one from before.
		a.Before.Has &^= spec.HasLastIndex | spec.HasCommittable
	case "bootstrap":
		a.After.CommitIndex = msg.Get("args.idx").Uint()
	case "replicate":
		entry := spec.Entry{Index: msg.Get("seqno").Uint(), Term: msg.Get("view").Uint(), Kind: spec.Command}
		if msg.Get("globally_committable").Bool() {
			entry.Kind = spec.Signature
		}
		a.Entries = append(a.Entries, entry)
		// A configuration entry is told to the node's peers while it is being
		// appended: the lines that follow still show the last index without it.
		a.Flags |= spec.Tentative
	case "commit":
		a.Index = msg.Get("args.idx").Uint()
	}
	if a.Kind == spec.Send || a.Kind == spec.Receive {
		d.message(msg, a)
	}
}

func (d *decoder) message(msg gjson.Result, a *spec.Action) {
	m, p := &a.Message, msg.Get("packet")
	if a.Kind == spec.Send {
		m.From, m.To = a.Server, d.server(msg.Get("to_node_id"))
	} else {
		m.From, m.To = d.server(msg.Get("from_node_id")), a.Server
	}
	if term := p.Get("term"); term.Exists() {
		m.Term, m.Has = term.Uint(), spec.MsgTerm
	}
	if kept := msg.Get("match_idx"); kept.Exists() && p.Get("msg").Exists() {
		m.LeaderMatch, m.Has = kept.Uint(), m.Has|spec.MsgLeaderMatch
	}
	switch m.Type {
	case spec.AppendEntriesRequest:
		m.Has |= spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit | spec.MsgLastTerm
		m.LogIndex, m.LogTerm = p.Get("prev_idx").Uint(), p.Get("prev_term").Uint()
		m.Entries = p.Get("idx").Uint() - m.LogIndex
		m.LastTerm, m.Commit = p.Get("term_of_idx").Uint(), p.Get("leader_commit_idx").Uint()
	case spec.AppendEntriesResponse:
		m.Has |= spec.MsgSuccess
		m.Success = p.Get("success").String() == "OK"
		if m.Success {
			m.Match, m.Has = p.Get("last_log_idx").Uint(), m.Has|spec.MsgMatch
		}
	case spec.RequestVoteRequest:
		if p.Get("msg").String() == "raft_request_pre_vote" {
			m.Type = spec.PreVoteRequest
		}
		m.LogIndex, m.LogTerm = p.Get("last_committable_idx").Uint(), p.Get("term_of_last_committable_idx").Uint()
		m.Has |= spec.MsgLogIndex | spec.MsgLogTerm
	case spec.RequestVoteResponse:
		if p.Get("msg").String() == "raft_request_pre_vote_response" {
			m.Type = spec.PreVoteResponse
		}
		m.Success, m.Has = p.Get("vote_granted").Bool(), m.Has|spec.MsgSuccess
	}
}

func sniff(lines [][]byte) int {
	for _, line := range lines {
		if adapters.ValidJSON(line) && gjson.GetBytes(line, "tag").String() == "raft_trace" {
			return 100
		}
	}
	return 0
}

// spans maps the fields that findings point at to where a line has them.
var spans = [spec.NumFields][]string{
	spec.FieldAction: {"msg.function"}, spec.FieldServer: {"msg.state.node_id"},
	spec.FieldPeer: {"msg.to_node_id", "msg.from_node_id"}, spec.FieldRole: {"msg.state.leadership_state"},
	spec.FieldTerm: {"msg.state.current_view"}, spec.FieldLastIndex: {"msg.state.last_idx"},
	spec.FieldCommit: {"msg.args.idx", "msg.state.commit_idx"}, spec.FieldConfig: {"msg.configurations"},
	spec.FieldMessageTerm:    {"msg.packet.term"},
	spec.FieldMessageIndex:   {"msg.packet.prev_idx", "msg.packet.last_log_idx", "msg.packet.last_committable_idx"},
	spec.FieldMessageLogTerm: {"msg.packet.prev_term", "msg.packet.term_of_last_committable_idx"},
	spec.FieldMessageEntries: {"msg.packet.idx"}, spec.FieldMessageCommit: {"msg.packet.leader_commit_idx"},
	spec.FieldMessageResult: {"msg.packet.success", "msg.packet.vote_granted"},
	spec.FieldLeaderMatch:   {"msg.match_idx"}, spec.FieldEntryIndex: {"msg.seqno"}, spec.FieldEntryTerm: {"msg.view"},
}

// Span implements [adapters.Decoder].
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	for _, path := range spans[f] {
		if start, end = adapters.JSONSpan(line, path); end > start {
			return start, end
		}
	}
	return 0, 0
}
