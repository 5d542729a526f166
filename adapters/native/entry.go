package native

import (
	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// entries reads a list of entries.
func (d *decoder) entries(v gjson.Result, a *spec.Action) {
	d.list("entries", v, func(v gjson.Result) { d.entry(v, a) })
}

// entry reads one entry and adds it to those of the action.
func (d *decoder) entry(v gjson.Result, a *spec.Action) {
	var e spec.Entry
	d.object("an entry", v, func(key string, v gjson.Result) {
		switch key {
		case "index":
			e.Index = d.number(key, v)
		case "term":
			e.Term = d.number(key, v)
		case "kind":
			e.Kind = d.entryKind(v)
		case "hash":
			e.Hash, e.HasHash = d.hash(key, v), true
		case "config":
			e.Config = d.config(key, v)
		default:
			d.unknown(key)
		}
	})
	if e.Config != 0 && e.Kind == spec.UnknownEntry {
		e.Kind = spec.Configuration
	}
	if e.Config == 0 && e.Kind == spec.Configuration {
		d.group.reconfigured = true
	}
	a.Entries = append(a.Entries, e)
}

func (d *decoder) entryKind(v gjson.Result) spec.EntryKind {
	for k := spec.UnknownEntry + 1; int(k) < len(entryKindNames); k++ {
		if v.Type == gjson.String && v.Str == entryKindNames[k] {
			return k
		}
	}
	d.fail("kind", "command, config, noop or signature")
	return spec.UnknownEntry
}

func (e *Encoder) entries(g *spec.Group, entries []spec.Entry) {
	e.key("entries")
	e.begin('[')
	for i := range entries {
		e.comma()
		e.entry(g, &entries[i])
	}
	e.end(']')
}

func (e *Encoder) entry(g *spec.Group, entry *spec.Entry) {
	e.begin('{')
	e.numberIf("index", entry.Index)
	e.numberIf("term", entry.Term)
	if entry.Kind != spec.UnknownEntry {
		e.text("kind", entryKindNames[entry.Kind])
	}
	if entry.HasHash {
		e.hash("hash", entry.Hash)
	}
	if entry.Config != 0 {
		e.config("config", g, entry.Config)
	}
	e.end('}')
}
