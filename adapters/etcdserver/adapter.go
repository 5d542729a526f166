// Package etcdserver reads the raft lines of the log that an etcd member writes
// anyway: zap's JSON and console, capnslog of older versions, and raft's own
// logger, whatever a log collector has put in front.
//
// A log tells of elections and of restarts and hides replication, and it may be
// sampled. So a value counts on the line that shows it and no further, and what
// lasts are the facts: who led a term, who voted for whom.
package etcdserver

import (
	"bytes"
	"regexp"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// Adapter reads the logs of etcd members.
var Adapter = adapters.Adapter{
	Name:  "etcd-server",
	Title: "logs of etcd members: zap JSON or console, capnslog, raft's own logger",
	Doc: `Nothing has to be switched on: the raft lines at level info are enough. They show
elections, votes and restarts; entries, commits and what is applied cannot be seen.`,
	Shows: shows,
	Sniff: sniff,
	New: func(groups *spec.Groups) adapters.Decoder {
		return &decoder{groups: groups}
	},
}

const shows = spec.ShowsRestart

var profile = spec.Profile{Name: "etcd-raft", SelfVoteOnTimeout: true, SelfAck: true, ConfigOnApply: true, BootstrapTerm: 1}

type decoder struct {
	groups *spec.Groups
	group  *spec.Group
}

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	if d.group == nil {
		d.group = d.groups.Get("", profile, shows)
	}
	line := rec.Data
	from, to, raft := message(line)
	text := line[from:to]
	for i := range alarms {
		if bytes.Contains(text, alarms[i]) {
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "an alarm of the implementation", Warn: adapters.ImplementationAlarm}
		}
	}
	for i := range rows {
		r := &rows[i]
		if !bytes.Contains(text, r.key) {
			continue
		}
		m := r.pattern.FindSubmatch(text)
		if m == nil {
			continue
		}
		if r.action == nil {
			return adapters.Outcome{Verdict: adapters.Ignored, Why: r.why}
		}
		r.action(d, m, a)
		if a.Server == spec.Nil {
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "no member"}
		}
		return adapters.Outcome{}
	}
	if raft {
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "unknown raft message"}
	}
	return adapters.Outcome{Verdict: adapters.Ignored, Why: "not of raft"}
}

// message finds the text of a line's message, and says whether raft wrote it.
func message(line []byte) (from, to int, raft bool) {
	i := bytes.IndexByte(line, '{')
	if i >= 0 && adapters.ValidJSON(bytes.TrimSpace(line[i:])) {
		if v := gjson.GetBytes(line[i:], "msg"); v.Type == gjson.String && v.Index > 0 {
			return i + v.Index + 1, i + v.Index + len(v.Raw) - 1, gjson.GetBytes(line[i:], "logger").Str == "raft"
		}
	}
	return 0, len(line), false
}

// callers are files of etcd, as zap names them.
var callers = regexp.MustCompile(`"caller":"(etcdserver|rafthttp|embed|etcdmain|mvcc|membership|v3rpc|etcdutl)/`)

// ranged is the tag of a line about a range: its id, and that of the replica.
var ranged = regexp.MustCompile(`\[[^\]]*\br\d+/\d+[^\]]*\]`)

// sniff knows etcd's callers and raft's sentences.
func sniff(lines [][]byte) int {
	best := 0
	for _, line := range lines {
		switch {
		case bytes.Contains(line, []byte(`"tag":"trace"`)):
			return 0 // the trace of a raft that was built to write one
		case bytes.Contains(line, []byte(`"logger":"raft"`)), callers.Match(line):
			best = max(best, 90)
		case ranged.Match(line):
			// CockroachDB's, whose ranges would be taken for one group.
		default:
			for i := range rows {
				if r := &rows[i]; bytes.Contains(line, r.key) && r.pattern.Match(line) {
					best = max(best, 70)
				}
			}
		}
	}
	return best
}

// Span implements [adapters.Decoder]: a finding points at the whole message.
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	if f != spec.FieldTerm && f != spec.FieldAction && f != spec.FieldMessageTerm && f != spec.FieldRole {
		return 0, 0
	}
	from, to, _ := message(line)
	for i := range rows {
		if r := &rows[i]; bytes.Contains(line[from:to], r.key) {
			if m := r.pattern.FindIndex(line[from:to]); m != nil {
				return from + m[0], from + m[1]
			}
		}
	}
	return 0, 0
}
