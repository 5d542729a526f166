// Package kraftmetadata reads what Apache Kafka keeps of its metadata quorum on disks,
// and what its tools tell about it: the metadata log of one node or of several, line by
// line as package metadatalog or Kafka's own kafka-dump-log writes it, and the answers
// of kafka-metadata-quorum, asked again and again.
//
// A log on a disk is the past of its server up to a moment: which records it holds, of
// which epochs, who led them and by whose votes, which snapshots stand for what is gone.
// What is committed is told by snapshots only.
package kraftmetadata

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// Adapter reads the metadata log of Kafka and what its tools say of the quorum.
var Adapter = adapters.Adapter{
	Name:  "kraft-metadata",
	Title: "Kafka's metadata log: folders __cluster_metadata-0, kafka-dump-log, kafka-metadata-quorum describe",
	Doc: `Give it the folders __cluster_metadata-0 of one node or of several, or single segments;
or the output of kafka-dump-log --cluster-metadata-decoder, or of kafka-metadata-quorum
describe --status or --replication, asked as often as you like. Folders show the structure of each log,
who led each epoch by whose votes, whether the logs of the servers agree, and what their
records come to: topics, partitions, brokers. They do not show
what is committed behind the latest snapshot, nor what was truncated.`,
	Shows: shows,
	Rules: kraft.WithRecords,
	Sniff: sniff,
	New:   func(groups *spec.Groups) adapters.Decoder { return &decoder{groups: groups} },
}

const shows = spec.ShowsTerm | spec.ShowsVote | spec.ShowsCommit | spec.ShowsSnapshots | spec.ShowsLastIndex | spec.ShowsLogTerms | spec.ShowsContents |
	spec.ShowsProgress

type decoder struct {
	groups *spec.Groups
	group  *spec.Group
	own    kraft.Action

	name string // of the server whose lines do not say whose they are

	// Of kafka-dump-log.
	snapshot bool   // the file that is printed is a snapshot
	folder   string // of the file; another one is of another server
	end      uint64 // of the last batch, exclusive
	hasEnd   bool
	held     kraft.Action // a control batch whose first record is in the next line
	holds    bool

	// Of kafka-metadata-quorum.
	leader   spec.ID
	epoch    uint64
	hasEpoch bool
	ends     uint64  // where the leader's log ends, in a table
	ahead    spec.ID // of the replicas before the leader the one that has come farthest
	farthest uint64
}

// Introduce implements [adapters.Introduced].
func (d *decoder) Introduce(file string, _ [][]byte) {
	base := filepath.Base(file)
	d.name = strings.TrimSuffix(base, filepath.Ext(base))
}

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	if d.group == nil {
		d.group = d.groups.Get("", spec.Profile{Name: "kraft"}, shows)
		d.group.Protocol = kraft.New
	}
	server, text := whose(rec.Data)
	d.own.Reset()
	out := d.line(text)
	if out.Verdict != adapters.Checked {
		return out
	}
	switch {
	case d.own.Kind == kraft.QuorumDescribed, d.own.Kind == kraft.ReplicaDescribed:
		a.Server = d.leader
	case len(server) > 0:
		a.Server = d.group.Server(server)
	default:
		if d.name == "" {
			d.name = "log"
		}
		a.Server = d.group.Server([]byte(d.name))
	}
	a.Own = &d.own
	return out
}

// whose splits "node NAME: " off.
func whose(line []byte) (server, text []byte) {
	rest, ok := bytes.CutPrefix(line, []byte("node "))
	if !ok {
		return nil, line
	}
	server, text, ok = bytes.Cut(rest, []byte(": "))
	if !ok {
		return nil, line
	}
	return server, text
}

func ignored(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Ignored, Why: why}
}

func damaged(why string) adapters.Outcome {
	return adapters.Outcome{Verdict: adapters.Damaged, Why: why}
}

var cut = damaged("a line of the log is cut")

// line reads a line into d.own.
func (d *decoder) line(text []byte) adapters.Outcome {
	if d.holds && !bytes.HasPrefix(text, []byte("| ")) {
		d.holds, d.hasEnd = false, false // what it begins with is not told
	}
	for i := range rows {
		if rest, ok := bytes.CutPrefix(text, []byte(rows[i].begins)); ok {
			return rows[i].read(d, rest)
		}
	}
	return d.replica(text)
}

// sniff knows the first lines of the tools, and of folders.
func sniff(lines [][]byte) int {
	for _, line := range lines {
		_, text := whose(line)
		switch {
		case bytes.HasPrefix(text, []byte("baseOffset: ")) && bytes.Contains(text, []byte(" partitionLeaderEpoch: ")),
			bytes.HasPrefix(text, []byte("log begins at offset ")) && len(text) < len(line),
			bytes.HasPrefix(text, []byte("snapshot end offset: ")) && len(text) < len(line),
			bytes.HasPrefix(text, []byte("Dumping ")) && bytes.Contains(text, []byte("__cluster_metadata-")),
			bytes.HasPrefix(text, []byte("ClusterId:")), bytes.HasPrefix(text, []byte("LeaderEpoch:")),
			bytes.HasPrefix(text, []byte("NodeId")) && bytes.Contains(text, []byte("LogEndOffset")):
			return 97
		}
	}
	return 0
}

// spans are the keys whose values show a field, in the order in which they are tried.
var spans = map[spec.Field][]string{
	spec.FieldLastIndex: {"baseOffset: ", "log begins at offset ", "startOffset "}, spec.FieldEntryTerm: {"partitionLeaderEpoch: ", "epoch "},
	spec.FieldEntryHash: {"crc: "}, spec.FieldSnapshotIndex: {"napshot end offset: "}, spec.FieldSnapshotTerm: {"epoch: "},
	spec.FieldMessageResult: {`"grantingVoters":`}, spec.FieldCommit: {"HighWatermark:"}, spec.FieldTerm: {"partitionLeaderEpoch: ", `"leaderEpoch":`},
	spec.FieldVote: {`"votedId":`}, spec.FieldRole: {`"leaderId":`},
}

// Span implements [adapters.Decoder].
func (d *decoder) Span(line []byte, f spec.Field) (start, end int) {
	for _, key := range spans[f] {
		i := bytes.Index(line, []byte(key))
		if i < 0 {
			continue
		}
		end = i + len(key)
		for end < len(line) && (line[end] == ' ' && line[end-1] == ':' || !bytes.ContainsRune([]byte(" ,}]"), rune(line[end]))) {
			end++
		}
		return i, end
	}
	return 0, 0
}
