// Package etcdraft reads the trace of etcd-io/raft: the events that a build with
// the tag with_tla hands to raft.Config.TraceLogger, written as one JSON line
// each, and the lines that an application may add about what it applies.
//
// Every line shows one step of one node together with its term, vote, commit
// index, role, last index and voters. Whether these are the values from before
// or after the step differs from event to event and even from field to field;
// the table in steps.go says which. docs/adapters/etcd-raft.md has the same
// table for people.
package etcdraft

import (
	"bytes"
	"strings"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// Adapter reads etcd-io/raft traces.
var Adapter = adapters.Adapter{
	Name:  "etcd-raft",
	Title: "etcd-io/raft trace (build tag with_tla), one JSON line per event",
	Doc: `Build your program with -tags with_tla and set raft.Config.TraceLogger to a
logger that writes each event as a zap JSON line with tag "trace" and the event
under "event". etcd's own server does not set it. Entry terms are shown only as
logTerm of messages; entry contents only by lines with tag "apply", which the
application writes. Pre-votes, learners, what is on disk and what a snapshot
holds are not shown.`,
	Shows: shows,
	Sniff: sniff,
	New:   func(groups *spec.Groups) adapters.Decoder { return newDecoder(groups) },
}

// shows is what every trace shows; a line with tag "apply" adds showsApplied.
// Receipts are complete for the messages that carry log entries and votes, and
// a restart shows the log that was read back. Ready says that a write was
// begun, not that it ended, so persistence is not shown.
const (
	shows = spec.ShowsTerm | spec.ShowsRole | spec.ShowsVote | spec.ShowsLastIndex | spec.ShowsLogTerms |
		spec.ShowsCommit | spec.ShowsSends | spec.ShowsReceives | spec.ShowsConfig | spec.ShowsRestart
	showsApplied = spec.ShowsApply | spec.ShowsContents
)

// profile is where etcd-io/raft differs from the letter of the paper.
var profile = spec.Profile{
	Name:              "etcd-raft",
	SelfVoteOnTimeout: true, // becomeCandidate sets Vote to the node itself
	SelfAck:           true, // the leader sends itself an MsgAppResp
	ConfigOnApply:     true, // switchToConfig runs when the entry is applied
	BootstrapTerm:     1,    // Bootstrap writes the first ConfChanges in term 1
	CommitFactsLate:   true, // the application sees a commit with the next Ready
	RolesAnnounced:    true, // becomeFollower and its like trace, and so does maybeCommit
}

// decoder is the state of reading one trace.
type decoder struct {
	clusters clusters
}

func newDecoder(groups *spec.Groups) *decoder {
	return &decoder{clusters: clusters{groups: groups, nodes: make(map[string]*node)}}
}

// Member implements [adapters.Member].
func (d *decoder) Member(server string) { d.clusters.member = " of " + server }

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	var e event
	if out := e.read(rec.Data); out.Verdict != adapters.Checked {
		return out
	}
	a.Ref = rec.Ref
	if e.tag == tagApply {
		return d.apply(&e, a)
	}
	if at := adapters.Clock(strings.Trim(e.time, `"`)); at != 0 {
		a.Seq, a.Flags = at, spec.ClockSeq
	}
	return d.step(&e, a)
}

// notObject says what a line is that does not begin as an event does: text that
// was never meant to be one, or nothing.
func notObject(line []byte) adapters.Outcome {
	if len(bytes.TrimSpace(line)) == 0 {
		return ignored(whyBlank)
	}
	return unrecognised(whyText)
}

// The reasons that an outcome may give.
const (
	whyBlank      = "blank line"
	whyOther      = "other log line"
	whyNotValid   = "not valid JSON" // cut, or with something else written into it
	whyValue      = "a field holds a value of the wrong type or out of range"
	whyText       = "not a JSON object"
	whyIncomplete = "an event without its name, its node or its message"
	whyEvent      = "unknown event"
	whyMessage    = "unknown message type, or not one of this event"
	whyRole       = "unknown role"
	whyServers    = "more than 65,535 servers"
)

func ignored(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Ignored, Why: why}
}

func unrecognised(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Unrecognised, Why: why}
}

func damaged(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Damaged, Why: why}
}

// sniff is certain when it finds an event of this format with its tag, and
// rather sure of an event without one.
func sniff(lines [][]byte) int {
	best := 0
	for _, line := range lines {
		var e event
		if e.read(line).Verdict != adapters.Checked {
			continue
		}
		_, known := steps[e.name]
		switch {
		case e.tag == tagTrace && known:
			return 100
		case e.tag == "" && known, e.tag == tagApply && e.name == "Apply":
			best = 80
		}
	}
	return best
}
