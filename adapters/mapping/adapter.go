// Package mapping reads logs as a mapping file describes them: what stands around
// every message, and which sentence says what. The mappings that come with it are
// in the folder mappings.
//
// A log shows some lines of some servers, so a value counts on the line that shows
// it and no further, unless the mapping declares that its every change is shown.
package mapping

import (
	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// Adapter makes an adapter of a mapping.
func (m *Mapping) Adapter() *adapters.Adapter {
	return &adapters.Adapter{
		Name: m.Name, Title: m.Title, Doc: m.Doc, Shows: m.shows, Sniff: m.sniff,
		New: func(groups *spec.Groups) adapters.Decoder {
			return &decoder{mapping: m, groups: groups, memories: make(map[memoryKey]*memory)}
		},
	}
}

// sniff is rather sure if one line holds what only this source writes.
func (m *Mapping) sniff(lines [][]byte) int {
	for _, line := range lines {
		for _, p := range m.detect {
			if p.words.in(line) && p.Match(line) {
				return 60
			}
		}
	}
	return 0
}
