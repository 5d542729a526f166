// Package native reads and writes tracecheck's own trace format: one JSON object
// per line, at most one action per line, every field optional. It is what people
// write who instrument their own Raft, and what `tracecheck decode` prints of
// any other source. docs/trace-format.md describes it for those who write it.
//
// [Adapter] reads it and [Encoder] writes it. They share the names in names.go,
// and lose nothing: an action that is written and read again is the same action.
package native

import (
	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// Adapter reads the native format.
var Adapter = adapters.Adapter{
	Name:  "native",
	Title: "tracecheck's own format, one JSON object per line",
	Doc: `Write one JSON object for each step of your Raft: {"action":"Timeout","server":"n1",
"after":{"currentTerm":2}}. Every field is optional. See docs/trace-format.md.`,
	Shows: lineFacts,
	Sniff: sniff,
	New:   func(groups *spec.Groups) adapters.Decoder { return newDecoder(groups) },
}

// lineFacts is what single lines prove by themselves, and so what is taken of a
// trace that declares nothing. The others are about what a trace leaves out: that
// it has every message, every pre-vote, every write to stable storage. Only the
// one who writes the trace knows that, and says so in the header.
const lineFacts = spec.ShowsTerm | spec.ShowsRole | spec.ShowsVote | spec.ShowsLastIndex | spec.ShowsLogTerms |
	spec.ShowsContents | spec.ShowsCommit | spec.ShowsApply | spec.ShowsConfig | spec.ShowsConfigLog |
	spec.ShowsRestart | spec.ShowsSnapshots | spec.ShowsReads | spec.ShowsClientAcks | spec.ShowsTransfer

// sniff is certain of a header, and sure of a line with one of our actions.
func sniff(lines [][]byte) int {
	best := 0
	for _, line := range lines {
		if !adapters.ValidJSON(line) {
			continue
		}
		if gjson.GetBytes(line, "tracecheck").Exists() {
			return 100
		}
		if _, ok := steps[gjson.GetBytes(line, "action").String()]; ok {
			best = 90
		}
	}
	return best
}
