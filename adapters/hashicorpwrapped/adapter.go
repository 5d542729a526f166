// Package hashicorpwrapped reads the event stream of a wrapper around the
// interfaces that hashicorp/raft takes from its embedder: LogStore, StableStore,
// Transport, SnapshotStore and FSM. Nothing of raft itself is changed, and still
// every message, every write to disk and every applied entry has a line.
//
// A line shows only what has just happened, so it claims little; what a server
// has is the sum of its lines.
package hashicorpwrapped

import (
	"bytes"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// Adapter reads the streams of a wrapped hashicorp/raft.
var Adapter = adapters.Adapter{
	Name:  "hashicorp-wrapped",
	Title: "hashicorp/raft, the event stream of a wrapper around its stores, transport and FSM",
	Doc: `Wrap the LogStore, StableStore, Transport, SnapshotStore and FSM that you give to
raft.NewRaft, and print a line for each call; docs/adapters/hashicorp-wrapped.md has
the lines. One file with all servers shows most; a file of one server shows what that
server did.`,
	Shows: shows,
	Sniff: sniff,
	New:   func(groups *spec.Groups) adapters.Decoder { return newDecoder(groups) },
}

const shows = spec.ShowsTerm | spec.ShowsRole | spec.ShowsVote | spec.ShowsLastIndex | spec.ShowsLogTerms |
	spec.ShowsContents | spec.ShowsCommit | spec.ShowsApply | spec.ShowsSends | spec.ShowsReceives | spec.ShowsConfig |
	spec.ShowsConfigLog | spec.ShowsRestart | spec.ShowsSnapshots | spec.ShowsPreVote | spec.ShowsPersist | spec.ShowsTransfer

// profile: bootstrap writes the first configuration as 1@1 into every log, no-op
// and barrier entries never reach the FSM, and each follower has its goroutine.
var profile = spec.Profile{
	Name: "hashicorp", SelfVoteOnTimeout: true, BootstrapTerm: 1, AppliesCommandsOnly: true, SendsAfterStepDown: true,
	AsksBeforeVoting: true, CountsByFormerConfig: true,
}

// sniff knows a line by its event, node and place in the order of all lines.
func sniff(lines [][]byte) int {
	seen, ours := 0, 0
	for _, line := range lines {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		seen++
		if line[0] == '{' && adapters.ValidJSON(line) && gjson.GetBytes(line, "ev").Exists() &&
			gjson.GetBytes(line, "node").Exists() && gjson.GetBytes(line, "seq").Exists() {
			ours++
		}
	}
	if seen == 0 {
		return 0
	}
	return 95 * ours / seen
}

// spans are the paths of what a finding points at.
var spans = [spec.NumFields][]string{
	spec.FieldAction: {"ev"}, spec.FieldServer: {"node"}, spec.FieldPeer: {"peer"}, spec.FieldRole: {"role"},
	spec.FieldTerm: {"term"}, spec.FieldVote: {"cand"}, spec.FieldLastIndex: {"lastI", "min"}, spec.FieldLastTerm: {"lastT"},
	spec.FieldCommit: {"i"}, spec.FieldApplied: {"i"}, spec.FieldMessageTerm: {"term"}, spec.FieldMessageIndex: {"prevI", "lastI"},
	spec.FieldMessageLogTerm: {"prevT", "lastT"}, spec.FieldMessageEntries: {"ents"}, spec.FieldMessageCommit: {"lc"},
	spec.FieldMessageResult: {"ok"}, spec.FieldEntryIndex: {"i", "ents.0.i"}, spec.FieldEntryTerm: {"t", "ents.0.t"},
	spec.FieldEntryHash: {"h", "ents.0.h"}, spec.FieldSnapshotIndex: {"i", "max"}, spec.FieldSnapshotTerm: {"t"},
	spec.FieldConfig: {"ents.0.c", "cfg"},
}

// Span implements [adapters.Decoder].
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	for _, path := range spans[f] {
		if start, end = adapters.JSONSpan(line, path); end > 0 {
			return start, end
		}
	}
	return 0, 0
}

// outcomes with their reasons.
func ignored(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Ignored, Why: why}
}

func unrecognised(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Unrecognised, Why: why}
}

func damaged(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Damaged, Why: why}
}

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	line := bytes.TrimSpace(rec.Data)
	switch {
	case len(line) == 0 || line[0] != '{':
		return unrecognised("not a JSON object")
	case !adapters.ValidJSON(line):
		d.order.last++ // it had a number
		return damaged("not valid JSON")
	}
	d.read(line)
	if d.ev == "" {
		return unrecognised("no ev")
	}
	out := d.event(a)
	if out.Verdict != adapters.Checked {
		return out
	}
	d.order.tellLost(a)
	if d.twice {
		out.Warn = adapters.DuplicateKey
	}
	return out
}
