package hashicorp

import (
	"bytes"
	"strings"
)

// pattern is a sentence of before version 1.1.2, with what stands in its places.
type pattern struct {
	literals [][]byte // before, between and behind the places
	keys     [][]byte // what later versions call what stands in each place; empty if nothing reads it
	message  []byte   // of later versions
}

// sentences are written with {key} for what stands in a place. Of two that begin
// alike the longer one stands first.
var sentences = [...]struct{ text, message string }{
	{"Initial configuration (index={index}): {servers}", "initial configuration"},
	{"{node} entering Follower state", "entering follower state"},
	{"{node} entering Candidate state in term {term}", "entering candidate state"},
	{"{node} entering Candidate state", "entering candidate state"},
	{"{node} entering Leader state", "entering leader state"},

	{"Heartbeat timeout from {} reached, starting election", "heartbeat timeout reached, starting election"},
	{"Heartbeat timeout reached, starting election", "heartbeat timeout reached, starting election"},
	{"Election timeout reached, restarting election", "Election timeout reached, restarting election"},
	{"Votes needed: {needed}", "votes"},
	{"Vote granted from {from} in term {term}. Tally: {tally}", "vote granted"},
	{"Vote granted from {from}. Tally: {tally}", "vote granted"},
	{"Vote granted. Tally: {tally}", "vote granted"},
	{"Election won. Tally: {tally}", "election won"},
	{"Newer term discovered, fallback to follower", "newer term discovered, fallback to follower"},
	{"Duplicate RequestVote for same term: {term}", "duplicate requestVote for same term"},
	{"Duplicate RequestVote from candidate: {}", "duplicate requestVote from"},
	{"Rejecting vote request from {from} since our last term is greater ({last-term}, {last-candidate-term})",
		"rejecting vote request since our last term is greater"},
	{"Rejecting vote request from {from} since our last index is greater ({last-index}, {last-candidate-index})",
		"rejecting vote request since our last index is greater"},
	{"Rejecting vote request from {from} since we have a leader: {}", "rejecting vote request since we have a leader"},
	{"Failed to make RequestVote RPC to {target}: {error}", "failed to make requestVote RPC"},
	{"Failed to contact quorum of nodes, stepping down", "failed to contact quorum of nodes, stepping down"},
	{"Failed to contact {server-id} in {time}", "failed to contact"},
	{"peer {peer} has newer term, stopping replication", "peer has newer term, stopping replication"},
	{"New leader elected, stepping down", "new leader elected, stepping down"},
	{"no known peers, aborting election", "no known peers, aborting election"},
	{"not part of stable configuration, aborting election", "not part of stable configuration, aborting election"},
	{"EnableSingleNode disabled, and no known peers. Aborting election.", "no known peers, aborting election"},

	{"Failed to get previous log: {previous-index} {error} (last: {last-index})", "failed to get previous log"},
	{"Previous log term mis-match: ours: {ours} remote: {remote}", "previous log term mis-match"},
	{"Clearing log suffix from {from} to {to}", "clearing log suffix"},
	{"AppendEntries to {peer} rejected, sending older logs (next: {next})", "appendEntries rejected, sending older logs"},
	{"Added peer {peer}, starting replication", "added peer, starting replication"},
	{"Removed peer {peer}, stopping replication", "removed peer, stopping replication"},
	{"pipelining replication to peer {peer}", "pipelining replication"},
	{"aborting pipeline replication to peer {peer}", "aborting pipeline replication"},
	{"Failed to AppendEntries to {peer}: {error}", "failed to appendEntries to"},
	{"Failed to pipeline AppendEntries to {peer}: {error}", "failed to pipeline appendEntries"},
	{"Failed to heartbeat to {peer}: {error}", "failed to heartbeat to"},
	{"Failed to start pipeline replication to {peer}: {error}", "failed to start pipeline replication to"},
	{"Failed to get log at index {index}: {error}", "failed to get log"},
	{"Failed to get log entry {index}: {error}", "failed to get log entry"},
	{"Failed to clear log suffix: {error}", "failed to clear log suffix"},
	{"Failed to append to logs: {error}", "failed to append to logs"},
	{"Failed to commit logs: {error}", "failed to commit logs"},
	{"Failed to persist vote: {error}", "failed to persist vote"},
	{"Failed to install snapshot {id}: {error}", "failed to install snapshot"},
	{"Failed to send snapshot to {peer}: {error}", "failed to send snapshot to"},
	{"Skipping application of old log: {index}", "skipping application of old log"},
	{"Updating configuration with {command} ({server-id}, {server-addr}) to {servers}", "updating configuration"},
	{"Removed ourself, shutting down", "removed ourself, shutting down"},
	{"Removed ourself, transitioning to follower", "removed ourself, transitioning to follower"},

	{"Starting snapshot up to {index}", "starting snapshot up to"},
	{"Snapshot to {index} complete", "snapshot complete up to"},
	{"Compacting logs from {from} to {to}", "compacting logs"},
	{"No logs to truncate", "no logs to truncate"},
	{"Installed remote snapshot", "Installed remote snapshot"},
	{"Restored from snapshot {}", "restored from snapshot"},
	{"Restored user snapshot (index {index})", "restored user snapshot"},
	{"Copied {bytes} bytes to local snapshot", "copied to local snapshot"},
	{"Ignoring installSnapshot request with older term of {request-term} vs currentTerm {current-term}",
		"ignoring installSnapshot request with older term than current term"},
	{"Creating new snapshot at {}", "creating new snapshot"},
	{"snapshot: Creating new snapshot at {}", "creating new snapshot"},
	{"reaping snapshot {}", "reaping snapshot"},
	{"snapshot: reaping snapshot {}", "reaping snapshot"},
	{"{} accepted connection from: {}", "accepted connection"},
	{"accepted connection from: {}", "accepted connection"},
}

var patterns = func() (list []pattern) {
	for _, s := range sentences {
		p := pattern{message: []byte(s.message)}
		rest := s.text
		for {
			literal, after, place := strings.Cut(rest, "{")
			p.literals = append(p.literals, []byte(literal))
			if !place {
				break
			}
			key, tail, _ := strings.Cut(after, "}")
			p.keys = append(p.keys, []byte(key))
			rest = tail
		}
		list = append(list, p)
	}
	return list
}()

// prose puts a line of before version 1.1.2 into the words of later ones. It
// reports whether it is such a line.
func (l *line) prose() bool {
	text := l.text
	if text == nil {
		text = l.message
	}
	for i := range patterns {
		if p := &patterns[i]; l.matches(p, text) {
			l.message = p.message
			return true
		}
	}
	return false
}

// matches fills in the fields of a line that is such a sentence. What follows it
// is nobody's business: versions differ in what they add.
func (l *line) matches(p *pattern, text []byte) bool {
	rest, ok := bytes.CutPrefix(text, p.literals[0])
	if !ok {
		return false
	}
	l.fields = l.fields[:0]
	for i, key := range p.keys {
		value, next := rest, p.literals[i+1]
		if len(next) == 0 && i+1 == len(p.keys) {
			rest = nil
		} else if at := bytes.Index(rest, next); at < 0 {
			return false
		} else {
			value, rest = rest[:at], rest[at+len(next):]
		}
		if len(key) > 0 {
			l.fields = append(l.fields, field{key, value})
		}
	}
	return true
}
