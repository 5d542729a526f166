package etcdraft

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// apply fills a from a line that the application wrote about an entry that it
// applied. raft itself knows nothing of these lines.
func (d *decoder) apply(e *event, a *spec.Action) adapters.Outcome {
	if e.name != "Apply" {
		return unrecognised(whyEvent)
	}
	if e.has&keyIndex == 0 {
		return unrecognised(whyIncomplete)
	}
	n := d.clusters.acting(e, spec.Apply)
	n.cluster.group.Shows |= showsApplied
	a.Kind = spec.Apply
	n.act(a)
	a.Index, a.Term = e.index, e.term
	entry := spec.Entry{Index: e.index, Term: e.term}
	if e.has&keyData != 0 {
		entry.Hash, entry.HasHash = hashOf(e.data), true
	}
	entry.Kind = entryKind(e)
	a.Entries = append(a.Entries, entry)
	if e.has&keyChain != 0 {
		a.Hash, a.HasHash = digest(e.chain), true
	}
	return e.outcome(n)
}

// entryKind reads raftpb's EntryType. A leader's first entry is a normal one
// without data, and so is the entry that replaces a refused ConfChange.
func entryKind(e *event) spec.EntryKind {
	switch e.kind {
	case "EntryNormal":
		if e.data == `""` {
			return spec.NoOp
		}
		return spec.Command
	case "EntryConfChange", "EntryConfChangeV2":
		return spec.Configuration
	}
	return spec.UnknownEntry
}

// digest reads the application's running hash of all that it applied: its value
// if it is a hexadecimal number of 64 bits, else a hash of however it is written.
func digest(json string) uint64 {
	if n := len(json); n > 2 && n <= 18 && json[0] == '"' {
		if value, err := strconv.ParseUint(json[1:n-1], 16, 64); err == nil {
			return value
		}
	}
	return hashOf(json)
}

// hashOf hashes a JSON value: FNV-1a over the text of a string, with its escapes
// undone since loggers differ in what they escape, and over the JSON of anything
// else. The same contents have the same hash in every run.
func hashOf(json string) uint64 {
	text := json
	if json[0] == '"' {
		text = gjson.Parse(json).Str
	}
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
