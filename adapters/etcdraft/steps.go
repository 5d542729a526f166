package etcdraft

import (
	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// step says what an event is in the specification, and which of the values that
// its line shows are claims about the node before or after that step.
type step struct {
	kind     spec.Kind
	flags    spec.ActionFlags
	before   bool             // the values are those from before the step
	claims   spec.StateFields // of the values shown, those that mean something
	messages uint16           // Send and Receive: a bit for each message type that goes under this name
}

const (
	all = spec.HasTerm | spec.HasVote | spec.HasRole | spec.HasCommit | spec.HasLastIndex | spec.HasConfig

	appendRequests  = 1<<spec.AppendEntriesRequest | 1<<spec.HeartbeatRequest | 1<<spec.InstallSnapshotRequest
	appendResponses = 1<<spec.AppendEntriesResponse | 1<<spec.HeartbeatResponse
	voteRequests    = 1 << spec.RequestVoteRequest
	voteResponses   = 1 << spec.RequestVoteResponse
)

// steps has every event of raft's state_trace.go. SendSnapshot and
// ReceiveSnapshot are declared there and never written: an MsgSnap goes under
// the AppendEntries names.
var steps = map[string]step{
	// newRaft traces before it has read the HardState and the ConfState: term,
	// vote and voters are zero whatever is on disk, and commit is that of a log
	// from which nothing was read. Only the last index is real.
	"InitState": {kind: spec.Restart, claims: spec.HasLastIndex},

	// switchToConfig traces before it switches. The line's newconf has only the
	// incoming half of the new configuration, so the next line is what shows it.
	"ApplyConfChange": {kind: spec.ApplyConfiguration, before: true, claims: all},

	"BecomeFollower":  {kind: spec.BecomeFollower, claims: all},
	"BecomeCandidate": {kind: spec.Timeout, claims: all},
	"BecomeLeader":    {kind: spec.BecomeLeader, claims: all}, // before the no-op is appended

	// Proposals are traced before the append and may be refused after the line.
	// The lines of a batch all show the same last index, so it is no claim.
	"Replicate":  {kind: spec.ClientRequest, flags: spec.Tentative, before: true, claims: all &^ spec.HasLastIndex},
	"ChangeConf": {kind: spec.ChangeConfiguration, flags: spec.Tentative, before: true, claims: all &^ spec.HasLastIndex},

	// maybeCommit traces when it is done, even if nothing has moved.
	"Commit": {kind: spec.AdvanceCommitIndex, claims: all},

	// acceptReady traces when the application was handed what to persist and to
	// apply, before it has done either.
	"Ready": {kind: spec.Observe, flags: spec.Persisting | spec.HandsOut, claims: all},

	"SendAppendEntriesRequest":  {kind: spec.Send, claims: all, messages: appendRequests},
	"SendAppendEntriesResponse": {kind: spec.Send, claims: all, messages: appendResponses},
	"SendRequestVoteRequest":    {kind: spec.Send, claims: all, messages: voteRequests},
	"SendRequestVoteResponse":   {kind: spec.Send, claims: all, messages: voteResponses}, // see splitGrant

	// Step traces first of all, before it looks at the message.
	"ReceiveAppendEntriesRequest":  {kind: spec.Receive, before: true, claims: all, messages: appendRequests},
	"ReceiveAppendEntriesResponse": {kind: spec.Receive, before: true, claims: all, messages: appendResponses},
	"ReceiveRequestVoteRequest":    {kind: spec.Receive, before: true, claims: all, messages: voteRequests},
	"ReceiveRequestVoteResponse":   {kind: spec.Receive, before: true, claims: all, messages: voteResponses},
}

// step fills a from a traced event.
func (d *decoder) step(e *event, a *spec.Action) adapters.Outcome {
	s, known := steps[e.name]
	if !known {
		return unrecognised(whyEvent)
	}
	role, known := roles[e.role]
	if !known {
		return unrecognised(whyRole)
	}
	var kind spec.MessageType
	if s.messages != 0 {
		kind = messageTypes[e.message.kind]
		if s.messages>>kind&1 == 0 {
			return unrecognised(whyMessage)
		}
		if e.has&(msgFrom|msgTo) != msgFrom|msgTo {
			return unrecognised(whyIncomplete)
		}
	}

	n := d.clusters.acting(e, s.kind)
	a.Kind, a.Flags = s.kind, a.Flags|s.flags
	n.act(a)
	claims := s.claims
	if s.kind == spec.ApplyConfiguration && e.has&keyTerm != 0 && e.term == 0 && !n.restoring {
		// Only newRaft applies a configuration in term 0: the InitState before it
		// is on a line that is missing.
		a.Flags |= spec.Restarted
		n.restoring = true
	}
	if n.starts(s.kind) {
		claims &= spec.HasLastIndex
	}
	claimed := &a.After
	if s.before {
		claimed = &a.Before
	}
	n.cluster.state(e, role, claimed)
	claimed.Has &= claims
	switch {
	case s.kind == spec.AdvanceCommitIndex:
		a.Index = e.commit
	case s.messages != 0:
		n.cluster.message(e, kind, &a.Message)
		if e.name == "SendRequestVoteResponse" {
			splitGrant(a)
		}
	}
	return e.outcome(n)
}

var roles = map[string]spec.Role{
	"":                  spec.UnknownRole,
	"StateFollower":     spec.Follower,
	"StatePreCandidate": spec.PreCandidate,
	"StateCandidate":    spec.Candidate,
	"StateLeader":       spec.Leader,
}

// state takes the values that a line shows of a node.
func (c *cluster) state(e *event, role spec.Role, s *spec.State) {
	if role != spec.UnknownRole {
		s.Has, s.Role = spec.HasRole, role
	}
	if e.has&keyTerm != 0 {
		s.Has |= spec.HasTerm
		s.CurrentTerm = e.term
	}
	if e.has&keyVote != 0 {
		s.Has |= spec.HasVote
		s.VotedFor = c.server(e, e.vote)
	}
	if e.has&keyCommit != 0 {
		s.Has |= spec.HasCommit
		s.CommitIndex = e.commit
	}
	if e.has&keyLog != 0 {
		s.Has |= spec.HasLastIndex
		s.LastIndex = e.log
	}
	if e.has&keyConf != 0 {
		if s.Config = c.config(e); s.Config != 0 {
			s.Has |= spec.HasConfig
		}
	}
}

// splitGrant moves the vote of a line that grants one to another node to the
// claims about before, and the term with it, which says of which term the vote
// is: raft sends the answer first and sets Vote after it. The answer that a
// candidate sends itself comes after its own vote, and a refusal changes nothing.
func splitGrant(a *spec.Action) {
	m := &a.Message
	if !m.Success || m.From == m.To || a.After.Has&spec.HasVote == 0 {
		return
	}
	const moved = spec.HasVote | spec.HasTerm
	a.Before = spec.State{Has: a.After.Has & moved, VotedFor: a.After.VotedFor, CurrentTerm: a.After.CurrentTerm}
	a.After.Has &^= moved
	a.After.VotedFor, a.After.CurrentTerm = spec.Nil, 0
}
