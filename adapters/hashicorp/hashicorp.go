// Package hashicorp reads the logs of hashicorp/raft as Consul, Nomad, Vault and
// others print them: hclog text and JSON, and the Go log lines of old versions.
// A file is the log of one server.
//
// These logs show elections and snapshots and little else: no append, no commit,
// and of the term only what the server itself does with it. So almost nothing is
// promised in what the adapter shows. What it claims is compared with what was
// on stable storage for sure: a server that has counted its own vote of a term
// has persisted that term.
package hashicorp

import (
	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// Adapter reads the logs of hashicorp/raft.
var Adapter = adapters.Adapter{
	Name:  "hashicorp",
	Title: "logs of hashicorp/raft (Consul, Nomad, Vault): hclog text or JSON, one server per file",
	Doc: `The log as it is; at level INFO it has elections, restarts and snapshots, at DEBUG the
votes as well. Appends, commits and what other servers do are in no line, so a
log that conforms says little about replication.`,
	Shows: shows,
	Sniff: sniff,
	New:   func(groups *spec.Groups) adapters.Decoder { return newDecoder(groups) },
}

// shows: terms, roles and votes also change without a line, or at a level that
// is not printed, so only starts are promised.
const shows = spec.ShowsRestart

var profile = spec.Profile{
	Name: "hashicorp", SelfVoteOnTimeout: true, BootstrapTerm: 1, AppliesCommandsOnly: true,
}

type decoder struct {
	groups  *spec.Groups
	byKey   map[string]*stream
	name    string      // of the server of a file that holds one only; empty until it is known
	cluster [][2]string // address and id of each server of a configuration in the first lines
	member  string      // the same, followed by a blank, if others of its cluster have files of their own; else empty
	line    line
	key     []byte
}

func newDecoder(groups *spec.Groups) *decoder {
	return &decoder{groups: groups, byKey: make(map[string]*stream)}
}

// The reasons for which a line is no action.
const (
	whyText    = "not a log line"
	whyModule  = "line of another module"
	whyMessage = "unknown raft line"
	whyNothing = "shows no value that can be checked"
	whyNetwork = "replication and transport"
	whyFiles   = "snapshot files and restoring"
	whyStorage = "storage error"
	whyMixed   = "several servers that nothing tells apart"
	whyLate    = "older than the line before it"
	whyMany    = "more servers than can be told apart"
	whyValue   = "a value is missing or no number"
)

func ignored(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Ignored, Why: why}
}

func unrecognised(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Unrecognised, Why: why}
}

// Decode implements [adapters.Decoder]. No line is damaged: a log has lines of
// other programs, wrapped lines and stack traces in it, and none of them is a
// sign that a line of ours was lost.
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	l := &d.line
	switch l.read(rec.Data) {
	case otherModule:
		return ignored(whyModule)
	case noLine:
		return unrecognised(whyText)
	}
	row, ok := l.row()
	if !ok {
		return unrecognised(whyMessage)
	}
	st := d.stream(l)
	if st == nil {
		return ignored(whyMany)
	}
	if st.late(l.stamp) {
		return ignored(whyLate)
	}
	if !st.identify(l, &row) {
		return ignored(whyMixed)
	}
	if row.note != nil {
		row.note(st, l)
	}
	if row.read == nil {
		return ignored(row.why)
	}
	a.Group, a.Server, a.Kind = st.group.Index, st.id, row.kind
	if !row.read(st, l, a) {
		return unrecognised(whyValue)
	}
	a.Group, a.Server = st.group.Index, st.id // a start may have begun another life
	return adapters.Outcome{Verdict: adapters.Checked}
}

// row finds out what a line of raft says, in whichever wording.
func (l *line) row() (r row, ok bool) {
	r, ok = rows[string(l.message)]
	if !ok && l.prose() {
		r, ok = rows[string(l.message)]
	}
	return r, ok
}

// readKnown reads a line and reports whether it is one of raft that is known.
func (l *line) readKnown(data []byte) (ok bool) {
	if l.read(data) == raftLine {
		_, ok = l.row()
	}
	return ok
}

// sniff looks for lines of a raft module that say what only hashicorp/raft says.
func sniff(lines [][]byte) int {
	known := 0
	var l line
	for _, text := range lines {
		if l.readKnown(text) {
			known++
		}
	}
	switch {
	case known > 1:
		return 90
	case known == 1:
		return 70
	}
	return 0
}
