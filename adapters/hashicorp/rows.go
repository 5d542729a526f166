package hashicorp

import (
	"bytes"

	"github.com/tracecheck/tracecheck/spec"
)

// row says what a message of raft becomes: an action, filled in by read, which
// reports whether the line has what it must have; or, without read, a line that
// is ignored, and why. Of some of those note remembers something all the same.
type row struct {
	kind spec.Kind
	read func(st *stream, l *line, a *spec.Action) bool
	why  string
	note func(st *stream, l *line)

	role spec.Role // that the server turns to
	own  bool      // its id is that of the server itself
}

// rows holds every message that says something of the state, in the wording of
// version 1.1.2 and later. What older ones say is put into it by prose.go.
var rows = map[string]row{
	"initial configuration":    {kind: spec.Restart, read: readStart},
	"entering follower state":  {kind: spec.BecomeFollower, read: readFollower, role: spec.Follower},
	"entering candidate state": {kind: spec.Observe, read: readCandidate, role: spec.Candidate},
	"updating configuration":   {why: whyNothing, note: noteServers},
	"entering leader state":    {kind: spec.Observe, read: readLeader, role: spec.Leader},

	"pre-voting for self": {kind: spec.Observe, read: readPreVoteForSelf, own: true},
	"asking for pre-vote": {kind: spec.Send, read: readAskPreVote},
	"pre-vote granted":    {kind: spec.Receive, read: readPreVoteGranted},
	"pre-vote denied: found newer term, falling back to follower": {kind: spec.BecomeFollower, read: readNewerTerm},
	"voting for self": {kind: spec.Timeout, read: readVoteForSelf, own: true},
	"asking for vote": {kind: spec.Send, read: readAskVote},
	"vote granted":    {kind: spec.Receive, read: readVoteGranted},
	"newer term discovered, fallback to follower": {kind: spec.BecomeFollower, read: readNewerTerm},
	"election won":                                                       {kind: spec.BecomeLeader, read: readWon, role: spec.Leader},
	"duplicate requestVote for same term":                                {kind: spec.Observe, read: readDuplicate},
	"rejecting vote request since our last term is greater":              {kind: spec.Observe, read: readLastTerm},
	"rejecting pre-vote request since our last term is greater":          {kind: spec.Observe, read: readLastTerm},
	"rejecting vote request since our last index is greater":             {kind: spec.Observe, read: readLastIndex},
	"rejecting pre-vote request since our last index is greater":         {kind: spec.Observe, read: readLastIndex},
	"failed to get previous log":                                         {kind: spec.Observe, read: readLastIndex},
	"clearing log suffix":                                                {kind: spec.Observe, read: readTruncate},
	"appendEntries rejected, sending older logs":                         {kind: spec.Receive, read: readRejected},
	"starting leadership transfer":                                       {kind: spec.TransferLeadership, read: readTransfer},
	"removed ourself, shutting down":                                     {kind: spec.Stop, read: readNothing},
	"starting snapshot up to":                                            {kind: spec.TakeSnapshot, read: readTake},
	"compacting logs":                                                    {kind: spec.CompactLog, read: readCompact},
	"installing snapshot on":                                             {kind: spec.Send, read: readSendSnapshot},
	"snapshot restore progress":                                          {kind: spec.Observe, read: readSnapshot},
	"starting restore from snapshot":                                     {kind: spec.Observe, read: readSnapshot},
	"restored from snapshot":                                             {kind: spec.Observe, read: readSnapshot},
	"Installed remote snapshot":                                          {kind: spec.InstallSnapshot, read: readInstalled},
	"ignoring installSnapshot request with older term than current term": {kind: spec.Observe, read: readOlderSnapshot},
}

// silent are the messages of raft that are not replayed, by why.
var silent = map[string][]string{
	whyNothing: {
		"heartbeat timeout reached, starting election", "Election timeout reached, restarting election",
		"heartbeat timeout reached, not part of a stable configuration or a non-voter, not triggering a leader election",
		"not part of stable configuration, aborting election", "no known peers, aborting election",
		"pre-vote received", "pre-vote denied", "pre-vote successful, starting election",
		"pre-vote campaign failed, waiting for election timeout",
		"calculated votes needed", "votes",
		"lost leadership because received a requestVote with a newer term",
		"rejecting vote request since node is not in configuration", "rejecting vote request since we have a leader",
		"rejecting vote request since node is not a voter", "rejecting pre-vote request since node is not in configuration",
		"rejecting pre-vote request since we have a leader", "rejecting pre-vote request since node is not a voter",
		"received a requestPreVote with a newer term, grant the pre-vote", "duplicate requestVote from",
		"failed to contact quorum of nodes, stepping down", "peer has newer term, stopping replication",
		"new leader elected, stepping down", "lost leadership during transfer (expected)", "leadership transfer timeout",
		"removed ourself, transitioning to follower", "previous log term mis-match",
		"skipping application of old log", "restored user snapshot",
	},
	whyNetwork: {
		"failed to make requestVote RPC", "target does not support pre-vote RPC, treating as granted", "failed to contact",
		"added peer, starting replication", "updating peer", "removed peer, stopping replication", "pipelining replication",
		"aborting pipeline replication", "failed to appendEntries to", "failed to pipeline appendEntries",
		"failed to heartbeat to", "failed to start pipeline", "failed to start pipeline replication to", "failed to get log",
		"failed to send snapshot to", "failed to install snapshot", "installSnapshot rejected to", "accepted connection",
		"failed to accept connection", "failed to decode incoming command", "failed to flush response", "failed to decode rpc type",
		"heartbeat failed", "got unexpected command", "expected heartbeat, got", "failed to make timeout now RPC",
		"failed to set up leadership transfer", "unable to get address for server, using fallback address",
	},
	whyFiles: {
		"snapshot complete up to", "no logs to truncate", "removing all old logs from log store", "opening snapshot",
		"copied to local snapshot", "snapshot network transfer progress", "creating new snapshot", "reaping snapshot",
		"failed to open snapshot", "failed to restore snapshot", "failed to take snapshot", "failed to list snapshots",
		"failed to create snapshot to install", "failed to finalize snapshot", "failed to copy snapshot",
		"failed to reap snapshots",
	},
	whyStorage: {
		"failed to get last vote term", "failed to get last vote candidate", "failed to persist vote", "failed to get log entry",
		"failed to clear log suffix", "failed to append to logs", "failed to commit logs", "failed to save current term",
		"failed to get last log", "failed to compact logs",
	},
}

func init() {
	for why, messages := range silent {
		for _, m := range messages {
			if _, ok := rows[m]; ok {
				panic("hashicorp: two rows for " + m)
			}
			rows[m] = row{why: why}
		}
	}
}

func readNothing(*stream, *line, *spec.Action) bool { return true }

// noteServers: the configuration is shown without the index of its entry.
func noteServers(st *stream, l *line) { st.servers = string(l.get("servers")) }

// readStart: the server has read its stable storage. Neither term nor vote is shown.
func readStart(st *stream, l *line, _ *spec.Action) bool {
	index, ok := l.number("index")
	if ok {
		st.restarts(index, l.get("servers"))
	}
	return ok
}

// readFollower: the term is not shown.
func readFollower(st *stream, _ *line, _ *spec.Action) bool {
	st.campaign = 0
	return true
}

// readCandidate: the term is the one that the server means to enter, one more
// than its own. With pre-vote it may never enter it.
func readCandidate(st *stream, l *line, a *spec.Action) bool {
	term, ok := l.number("term")
	st.campaign = term
	if ok {
		proposes(a, term)
	}
	return ok || l.get("term") == nil
}

// proposes claims that the server is in the term before the one that it proposes.
func proposes(a *spec.Action, term uint64) {
	if term > 0 {
		a.Before.CurrentTerm, a.Before.Has = term-1, spec.HasTerm
	}
}

func readLeader(st *stream, _ *line, a *spec.Action) bool {
	st.campaign = 0
	a.After.Role, a.After.Has = spec.Leader, spec.HasRole
	return true
}

func readPreVoteForSelf(_ *stream, l *line, a *spec.Action) bool {
	term, ok := l.number("term")
	proposes(a, term)
	return ok
}

// readVoteForSelf: the term has been persisted, the vote is about to be.
func readVoteForSelf(_ *stream, l *line, a *spec.Action) bool {
	term, ok := l.number("term")
	a.After.CurrentTerm, a.After.Has = term, spec.HasTerm
	return ok
}

// hasVoted claims that the server is in a term and has voted for itself. If
// another server has answered to that, it cannot be undone any more: term and
// vote are persisted before anyone is asked.
func (st *stream) hasVoted(a *spec.Action, term uint64, answered bool) {
	a.After.CurrentTerm, a.After.VotedFor = term, st.id
	a.After.Has |= spec.HasTerm | spec.HasVote
	if answered {
		a.Flags |= spec.Durable
	}
}

// sends fills in a message to the server that a field names. It is written by a
// goroutine of its own, so it tells nothing of the server's state by then.
func (st *stream) sends(a *spec.Action, t spec.MessageType, to []byte) bool {
	a.Message.Type, a.Message.From, a.Message.To = t, st.id, st.peer(to)
	return a.Message.To != spec.Nil
}

func (st *stream) receives(a *spec.Action, t spec.MessageType, from []byte) bool {
	a.Message.Type, a.Message.From, a.Message.To = t, st.peer(from), st.id
	return a.Message.From != spec.Nil
}

func readAskPreVote(st *stream, l *line, a *spec.Action) bool {
	return withTerm(a, l) && st.sends(a, spec.PreVoteRequest, l.get("from"))
}

func readAskVote(st *stream, l *line, a *spec.Action) bool {
	return withTerm(a, l) && st.sends(a, spec.RequestVoteRequest, l.get("from"))
}

func withTerm(a *spec.Action, l *line) (ok bool) {
	a.Message.Term, ok = l.number("term")
	a.Message.Has |= spec.MsgTerm
	return ok
}

// readPreVoteGranted: a refusal is not read, since a request that could not be
// sent looks the same.
func readPreVoteGranted(st *stream, l *line, a *spec.Action) bool {
	a.Message.Success, a.Message.Has = true, spec.MsgSuccess
	if !withTerm(a, l) || !st.receives(a, spec.PreVoteResponse, l.get("from")) {
		return false
	}
	if a.Message.From == st.id {
		a.Kind, a.Message = spec.Observe, spec.Message{}
	}
	return true
}

// readVoteGranted: a voter logs nothing, so this is all that shows its vote.
func readVoteGranted(st *stream, l *line, a *spec.Action) bool {
	term, ok := l.number("term")
	if !ok {
		// The oldest versions tell neither term nor voter.
		a.Kind = spec.Observe
		return l.get("term") == nil
	}
	a.Message.Term, a.Message.Success, a.Message.Has = term, true, spec.MsgTerm|spec.MsgSuccess
	if !st.receives(a, spec.RequestVoteResponse, l.get("from")) {
		return false
	}
	if a.Message.From == st.id {
		a.Kind, a.Message = spec.Observe, spec.Message{}
	}
	st.hasVoted(a, term, a.Kind == spec.Receive)
	return true
}

// readWon: before 1.3.10 the term is not shown; then it is that of the candidate
// line before, in whose loop the term does not change.
func readWon(st *stream, l *line, a *spec.Action) bool {
	term, ok := l.number("term")
	if l.get("term") == nil {
		term, ok = st.campaign, st.campaign > 0
		if !ok {
			return true
		}
	}
	if ok {
		tally, told := l.number("tally")
		st.hasVoted(a, term, told && tally > 1)
	}
	return ok
}

func readNewerTerm(st *stream, l *line, a *spec.Action) bool {
	st.campaign = 0
	term, ok := l.number("term")
	if ok {
		a.After.CurrentTerm, a.After.Has = term, spec.HasTerm
	}
	return ok || l.get("term") == nil
}

// readDuplicate: a request of the term in which the server has voted already is
// one of its own term by then.
func readDuplicate(_ *stream, l *line, a *spec.Action) bool {
	term, ok := l.number("term")
	a.Before.CurrentTerm, a.Before.Has = term, spec.HasTerm
	return ok
}

func readLastTerm(_ *stream, l *line, a *spec.Action) bool {
	term, ok := l.number("last-term")
	a.Before.LastTerm, a.Before.Has = term, spec.HasLastTerm
	return ok
}

func readLastIndex(_ *stream, l *line, a *spec.Action) bool {
	index, ok := l.number("last-index")
	a.Before.LastIndex, a.Before.Has = index, spec.HasLastIndex
	return ok
}

// readTruncate: what is removed reaches to the end of the log.
func readTruncate(_ *stream, l *line, a *spec.Action) bool {
	from, ok := l.number("from")
	to, ok2 := l.number("to")
	if !ok || !ok2 || from == 0 || from > to {
		return false
	}
	a.Before.LastIndex, a.Before.Has = to, spec.HasLastIndex
	a.After.LastIndex, a.After.Has = from-1, spec.HasLastIndex
	return true
}

func readRejected(st *stream, l *line, a *spec.Action) bool {
	a.Message.Has = spec.MsgSuccess
	return st.receives(a, spec.AppendEntriesResponse, serverID(l.get("peer")))
}

// serverID reads the id of a server that is written as a whole: as text
// {Voter n1 10.0.0.1:8300}, as JSON {"Suffrage":0,"ID":"n1",…}, or its id alone.
func serverID(v []byte) []byte {
	if len(v) < 2 || v[0] != '{' {
		return v
	}
	if at := bytes.Index(v, []byte(`"ID":"`)); at > 0 {
		v = v[at+6:]
		return v[:max(0, bytes.IndexByte(v, '"'))]
	}
	words := bytes.Fields(bytes.Trim(v, "{}"))
	if len(words) == 3 {
		return words[1]
	}
	return nil
}

// readTransfer: version 1.8.0 prints the address of a pointer in place of the id
// in a text line.
func readTransfer(st *stream, l *line, a *spec.Action) bool {
	if id := l.get("id"); !bytes.HasPrefix(id, []byte("0x")) && string(id) != "<nil>" {
		a.Peer = st.peer(id)
	}
	return true
}

// readTake: the log is compacted before the line that says that the snapshot is
// complete.
func readTake(_ *stream, l *line, a *spec.Action) (ok bool) {
	a.Index, ok = l.number("index")
	a.Flags |= spec.Tentative
	return ok
}

func readCompact(_ *stream, l *line, a *spec.Action) (ok bool) {
	a.Index, ok = l.number("to")
	return ok
}

// readSendSnapshot: the id of a snapshot is TERM-INDEX-MILLISECONDS.
func readSendSnapshot(st *stream, l *line, a *spec.Action) bool {
	if parts := bytes.Split(l.get("id"), []byte("-")); len(parts) == 3 {
		term, ok := number(parts[0])
		index, ok2 := number(parts[1])
		if ok && ok2 {
			a.Message.LogTerm, a.Message.LogIndex = term, index
			a.Message.Has = spec.MsgLogIndex | spec.MsgLogTerm
		}
	}
	return st.sends(a, spec.InstallSnapshotRequest, serverID(l.get("peer")))
}

// readSnapshot: the only lines with both index and term.
func readSnapshot(st *stream, l *line, a *spec.Action) bool {
	index, ok := l.number("last-index")
	term, ok2 := l.number("last-term")
	if ok && ok2 {
		st.restoring = [2]uint64{index, term}
		a.After.SnapshotIndex, a.After.SnapshotTerm, a.After.Has = index, term, spec.HasSnapshot
	}
	return ok && ok2 || l.get("last-index") == nil
}

func readInstalled(st *stream, _ *line, a *spec.Action) bool {
	a.Index, a.Term = st.restoring[0], st.restoring[1]
	st.restoring = [2]uint64{}
	return true
}

func readOlderSnapshot(_ *stream, l *line, a *spec.Action) bool {
	term, ok := l.number("current-term")
	a.Before.CurrentTerm, a.Before.Has = term, spec.HasTerm
	return ok
}
