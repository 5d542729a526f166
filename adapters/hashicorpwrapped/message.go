package hashicorpwrapped

import (
	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// requests and responses are the message types by rpc.
var requests = map[string]spec.MessageType{
	"append": spec.AppendEntriesRequest, "vote": spec.RequestVoteRequest, "prevote": spec.PreVoteRequest,
	"snapshot": spec.InstallSnapshotRequest, "timeoutnow": spec.TimeoutNow,
}

var responses = map[string]spec.MessageType{
	"append": spec.AppendEntriesResponse, "vote": spec.RequestVoteResponse, "prevote": spec.PreVoteResponse,
	"snapshot": spec.InstallSnapshotResponse,
}

// message is a request or an answer that is sent or that arrives: send and recv,
// reply and ack.
func (d *decoder) message(n *node, a *spec.Action) adapters.Outcome {
	peer := d.group.Server([]byte(d.peer))
	if peer == spec.Nil {
		return damaged("no peer")
	}
	if d.err != "" {
		return ignored("a message that was lost")
	}
	a.Kind = spec.Send
	if d.ev == "recv" || d.ev == "ack" {
		a.Kind = spec.Receive
	}
	m := &a.Message
	m.From, m.To = n.id, peer
	if a.Kind == spec.Receive {
		m.From, m.To = peer, n.id
	}
	m.Term, m.ID = d.term, d.id
	m.Has = spec.MsgTerm | spec.MsgID
	if d.id == 0 {
		m.Has = spec.MsgTerm
	}
	known := false
	if d.ev == "send" || d.ev == "recv" {
		m.Type, known = requests[d.rpc]
		d.asked.put(d.id)
		d.request(n, a)
	} else {
		m.Type, known = responses[d.rpc]
		if !d.order.whole && (!d.asked.has(d.id) || d.outgrown(n)) { // else the numbers tell
			a.Flags |= spec.LinesLost
		}
		if d.rpc == "timeoutnow" {
			return ignored("answer to TimeoutNow")
		}
		d.response(n, a)
	}
	if !known {
		return unrecognised("unknown rpc")
	}
	return adapters.Outcome{}
}

// outgrown says whether a follower's answer shows a log that is longer than any
// line has stored.
func (d *decoder) outgrown(n *node) bool {
	return d.ev == "reply" && d.rpc == "append" && n.last != 0 && d.lastI > n.last
}

func (d *decoder) request(n *node, a *spec.Action) {
	m := &a.Message
	switch m.Type {
	case spec.AppendEntriesRequest:
		d.entries(a)
		heartbeat := d.prevI == 0 && len(a.Entries) == 0 && d.lc == 0
		d.ends.put(d.id, d.prevI+uint64(len(a.Entries)), heartbeat)
		if heartbeat { // not a consistency check: it says nothing of the log
			m.Type = spec.HeartbeatRequest
			return
		}
		m.LogIndex, m.LogTerm, m.Entries, m.Commit = d.prevI, d.prevT, uint64(len(a.Entries)), d.lc
		m.Has |= spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit
	case spec.RequestVoteRequest, spec.PreVoteRequest:
		m.LogIndex, m.LogTerm, m.Transfer = d.lastI, d.lastT, d.xfer
		m.Has |= spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgTransfer
	case spec.InstallSnapshotRequest:
		m.LogIndex, m.LogTerm = d.lastI, d.lastT
		m.Has |= spec.MsgLogIndex | spec.MsgLogTerm
		if d.ev == "recv" {
			n.receiving, n.termOf = d.lastI, d.lastT
		}
	case spec.TimeoutNow:
		m.Has &^= spec.MsgTerm
	}
}

func (d *decoder) response(n *node, a *spec.Action) {
	m := &a.Message
	m.Success = d.ok
	m.Has |= spec.MsgSuccess
	switch m.Type {
	case spec.AppendEntriesResponse:
		end, heartbeat, known := d.ends.get(d.id)
		switch {
		case heartbeat:
			m.Type = spec.HeartbeatResponse
		case known && d.ok:
			m.Match = end
			m.Has |= spec.MsgMatch
		}
	case spec.InstallSnapshotResponse:
		if d.ev == "reply" {
			n.receiving = 0
		}
	}
}
