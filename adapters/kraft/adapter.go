// Package kraft reads the logs of Apache Kafka's controllers and brokers: what
// the raft client, the quorum's state and the controller print, in any layout of
// log4j and whatever a container or an operator puts around it.
//
// At the default level the lines show every state of a server with its epoch,
// leader and vote, each vote request with its answer, one high watermark of each
// epoch, truncations and snapshots. With org.apache.kafka.raft at DEBUG or TRACE
// they show each move of the high watermark and of the log's end as well.
package kraft

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// Adapter reads the logs of Kafka's metadata quorum.
var Adapter = adapters.Adapter{
	Name:  "kraft",
	Title: "logs of Apache Kafka's KRaft controllers and brokers (server.log, controller.log)",
	Doc: `Nothing has to be switched on: the lines of the raft client at level INFO are enough.
They show states, elections, votes, restarts, truncations, snapshots and one high
watermark of each epoch. Logger org.apache.kafka.raft at DEBUG shows each move of
the high watermark, at TRACE each append. What the records hold cannot be seen.`,
	Shows: shows,
	Rules: kraft.Rules,
	Sniff: sniff,
	New: func(groups *spec.Groups) adapters.Decoder {
		return &decoder{groups: groups, directories: make(map[string]uint32), seed: maphash.MakeSeed()}
	},
}

const shows = spec.ShowsTerm | spec.ShowsRole | spec.ShowsVote | spec.ShowsCommit | spec.ShowsRestart | spec.ShowsConfig |
	spec.ShowsSnapshots | spec.ShowsLastIndex | spec.ShowsLogTerms | spec.ShowsProgress | spec.ShowsPreVote

type decoder struct {
	groups      *spec.Groups
	group       *spec.Group
	directories map[string]uint32 // and clusters, by their ids
	own         kraft.Action

	recent [repeats]uint64 // hashes of the last lines that were read, a ring
	at     int
	seed   maphash.Seed

	held  []byte // the beginning of a message that goes on in the next line
	parts int    // in how many lines it stood so far
}

// repeats is how many lines back one is known to stand a second time.
const repeats = 64

// repeated reports whether a line with a time, which makes it unique but for what
// happens twice within a millisecond, is one of the last ones again.
func (d *decoder) repeated(line []byte) bool {
	h := maphash.Bytes(d.seed, line)
	if slices.Contains(d.recent[:], h) {
		return true
	}
	d.recent[d.at%repeats] = h
	d.at++
	return false
}

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	if d.group == nil {
		d.group = d.groups.Get("", spec.Profile{Name: "kraft"}, shows)
		d.group.Protocol = kraft.New
	}
	if len(d.held) > 0 {
		if out, done := d.goesOn(rec, a); done {
			return out
		}
	}
	out, cut := d.line(rec.Data, a)
	if cut && rec.Flaws&ingest.Unterminated == 0 && d.hold(rec.Data) {
		return adapters.Outcome{Verdict: adapters.Ignored, Why: whyWrapped}
	}
	return out
}

// line reads one line; cut says that its message ends too early.
func (d *decoder) line(line []byte, a *spec.Action) (out adapters.Outcome, cut bool) {
	m, ok := find(line)
	switch {
	case ok:
	case bytes.Contains(line, []byte("Exception")): // of a stack trace
		m.text = line
	default:
		return adapters.Outcome{Verdict: adapters.Ignored, Why: "not of the quorum"}, false
	}
	if alarm(m.text) {
		return adapters.Outcome{Verdict: adapters.Ignored, Why: "an alarm of the implementation", Warn: adapters.ImplementationAlarm}, false
	}
	if !ok {
		return adapters.Outcome{Verdict: adapters.Ignored, Why: "not of the quorum"}, false
	}
	for i := range rows {
		r := &rows[i]
		if len(m.text) < len(r.begins) || string(m.text[:len(r.begins)]) != r.begins {
			continue
		}
		time := clock(line[:m.from])
		if time != 0 && d.repeated(line) {
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "repeated line", Warn: spec.RepeatedLine}, false
		}
		d.own.Reset()
		if !r.read(d, m.text[len(r.begins):], &d.own) {
			return adapters.Outcome{Verdict: adapters.Damaged, Why: "a message of the quorum is cut"}, true
		}
		a.Server = d.id(m.node)
		d.own.Time = time
		a.Own = &d.own
		if a.Server == spec.Nil {
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "no node"}, false
		}
		return adapters.Outcome{}, false
	}
	return adapters.Outcome{Verdict: adapters.Ignored, Why: "says nothing that is checked"}, false
}

// alarms are what Kafka prints when it finds its quorum in a state that cannot be.
var alarms = [][]byte{
	[]byte("which is inconsistent with current leader"),
	[]byte("below the current high watermark"),
	[]byte("The leader sent a snapshot id with a valid end offset"),
}

func alarm(text []byte) bool {
	for _, a := range alarms {
		if bytes.Contains(text, a) {
			return true
		}
	}
	return false
}

// sniff knows the prefixes and the classes of Kafka's quorum.
func sniff(lines [][]byte) int {
	best := 0
	for _, line := range lines {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
			continue // JSON: of another source, whatever it quotes
		}
		if m, ok := find(line); ok && (m.raft || m.snapshot) {
			return 95
		}
		switch {
		case bytes.Contains(line, []byte("(org.apache.kafka.raft.")), bytes.Contains(line, []byte("(kafka.raft.")):
			best = max(best, 80)
		case bytes.Contains(line, []byte("(org.apache.kafka.")), bytes.Contains(line, []byte("(kafka.")):
			best = max(best, 60)
		}
	}
	return best
}

// spans are the keys whose values show a field, in the order in which they are tried.
var spans = map[spec.Field][]string{
	spec.FieldTerm: {"epoch="}, spec.FieldVote: {"votedKey=", "votedId="}, spec.FieldCommit: {"High watermark set to ", "highWatermark=", "watermark updated to "},
	spec.FieldMessageIndex: {"lastOffset="}, spec.FieldMessageLogTerm: {"lastOffsetEpoch="}, spec.FieldMessageTerm: {"replicaEpoch=", "candidateEpoch="},
	spec.FieldMessageResult: {"voteStates=", "voterStates=", "is granted"}, spec.FieldConfig: {"voterStates=", "voteStates=", "voters="},
	spec.FieldLastIndex: {"base offset ", "Truncated to offset ", "next write offset ", "snapshot OffsetAndEpoch"},
	spec.FieldEntryTerm: {"epoch="}, spec.FieldSnapshotIndex: {"file snapshot "}, spec.FieldRole: {"transition to "}, spec.FieldAction: {"transition to "},
}

// Span implements [adapters.Decoder].
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	for _, key := range spans[f] {
		i := bytes.Index(line, []byte(key))
		if i < 0 {
			continue
		}
		v := valueAt(line[i+len(key):])
		return i, i + len(key) + len(v)
	}
	return 0, 0
}
