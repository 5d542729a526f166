package toy

import (
	"encoding/json"
	"io"
	"strings"
)

// Trace writes what the servers do: one line of JSON for each step. In a Raft
// with threads, call Step under the lock that guards the server.
type Trace struct{ W io.Writer }

// fields is a piece of a line.
type fields map[string]any

// Begin writes the header: who votes, and what the trace shows without a gap.
func (t Trace) Begin(voters []string) {
	t.write(fields{"tracecheck": 1, "voters": voters, "shows": strings.Fields(
		"terms roles votes last-index entry-terms entry-contents commit-index applied-entries " +
			"sent-messages received-messages configuration restarts")})
}

// Step writes one action of a server, with its state: that after the step, or,
// for a message that arrives, that before it is looked at.
func (t Trace) Step(s *Server, action string, more fields) {
	side := "after"
	if strings.HasPrefix(action, "Handle") {
		side = "before"
	}
	line := fields{"action": action, "server": s.ID, side: fields{
		"role": s.Role, "currentTerm": s.CurrentTerm, "votedFor": s.VotedFor, "commitIndex": s.CommitIndex,
		"lastLogIndex": s.LastIndex(), "lastLogTerm": s.TermAt(s.LastIndex()), "lastApplied": s.LastApplied}}
	for key, value := range more {
		line[key] = value
	}
	t.write(line)
}

// fields is what a line shows of a log entry; its contents serve as the hash.
func (e Entry) fields(index int) fields {
	return fields{"index": index, "term": e.Term, "kind": e.Kind, "hash": e.Kind + " " + e.Command}
}

func (t Trace) write(line fields) {
	if err := json.NewEncoder(t.W).Encode(line); err != nil {
		panic(err)
	}
}
