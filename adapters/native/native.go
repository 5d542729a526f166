// Package native reads and writes tracecheck's own trace format: one JSON object
// per line, at most one action per line, every field optional. It is what people
// write who instrument their own Raft, and what `tracecheck decode` prints of any
// other source. docs/trace-format.md describes it.
package native

import (
	"bytes"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
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
	New:   func(groups *spec.Groups) adapters.Decoder { return &decoder{groups: groups} },
}

// lineFacts is what lines prove by themselves. That every message is shown, or
// every write, has to be declared in a header: without one nobody knows.
const lineFacts = spec.ShowsTerm | spec.ShowsRole | spec.ShowsVote | spec.ShowsLastIndex | spec.ShowsLogTerms |
	spec.ShowsContents | spec.ShowsCommit | spec.ShowsApply | spec.ShowsConfig | spec.ShowsConfigLog |
	spec.ShowsRestart | spec.ShowsSnapshots | spec.ShowsReads | spec.ShowsClientAcks | spec.ShowsTransfer

// Presets are the profiles that a header may name.
var Presets = map[string]spec.Profile{
	"raft":  {Name: "raft", SelfVoteOnTimeout: true},
	"paper": {Name: "paper"},
	"etcd-raft": {Name: "etcd-raft", SelfVoteOnTimeout: true, SelfAck: true, ConfigOnApply: true,
		BootstrapTerm: 1, CommitFactsLate: true},
	"hashicorp": {Name: "hashicorp", SelfVoteOnTimeout: true, BootstrapTerm: 1, AppliesCommandsOnly: true},
	"ccf": {Name: "ccf", SelfVoteOnTimeout: true, UncheckedConfigs: true, SignedCommits: true, BootstrapTerm: 2,
		ReplyInRequestTerm: true},
}

type decoder struct {
	groups  *spec.Groups
	group   *spec.Group // of the last line
	profile spec.Profile
	shows   spec.Facts
	voters  map[uint32]spec.ConfigID // from the header, for servers that show no other
	started map[uint32]*spec.Set
	warn    *spec.Rule
	bad     string // why the line is damaged
}

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	line := bytes.TrimSpace(rec.Data)
	if len(line) == 0 || line[0] != '{' {
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "not a JSON object"}
	}
	if !adapters.ValidJSON(line) {
		return adapters.Outcome{Verdict: adapters.Damaged, Why: "not valid JSON"}
	}
	d.warn, d.bad = nil, ""
	root := gjson.ParseBytes(line)
	if h := root.Get("tracecheck"); h.Exists() {
		d.header(root)
	}
	d.choose(root.Get("group").String())
	out := d.action(root, a)
	if d.bad != "" {
		return adapters.Outcome{Verdict: adapters.Damaged, Why: d.bad}
	}
	out.Warn = d.warn
	return out
}

// header takes what the first line of a group declares.
func (d *decoder) header(root gjson.Result) {
	d.profile, d.shows = Presets["raft"], lineFacts
	switch p := root.Get("profile"); {
	case p.Type == gjson.String:
		preset, ok := Presets[p.Str]
		if !ok {
			d.bad = "unknown profile"
			return
		}
		d.profile = preset
	case p.IsObject():
		d.profile = readProfile(p)
	}
	if s := root.Get("shows"); s.IsArray() {
		d.shows = 0
		s.ForEach(func(_, v gjson.Result) bool {
			f, ok := factByName[v.String()]
			if !ok {
				d.bad = "unknown name in shows"
			}
			d.shows |= f
			return true
		})
	}
	name := root.Get("group").String()
	g := d.groups.Get(name, d.profile, d.shows)
	g.Profile, g.Shows = d.profile, d.shows
	d.group = g
	if v := root.Get("voters"); v.Exists() {
		if d.voters == nil {
			d.voters = make(map[uint32]spec.ConfigID)
			d.started = make(map[uint32]*spec.Set)
		}
		d.voters[g.Index] = d.config(v)
		d.started[g.Index] = &spec.Set{}
	}
}

func (d *decoder) choose(name string) {
	if d.group != nil && d.group.Name == name {
		return
	}
	if d.profile.Name == "" {
		d.profile, d.shows = Presets["raft"], lineFacts
	}
	d.group = d.groups.Get(name, d.profile, d.shows)
}

// action fills a from a line.
func (d *decoder) action(root gjson.Result, a *spec.Action) adapters.Outcome {
	name := root.Get("action")
	if !name.Exists() {
		switch {
		case root.Get("skip").Exists():
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "skip"}
		case root.Get("damaged").Exists():
			return adapters.Outcome{Verdict: adapters.Damaged, Why: "damaged before it was decoded"}
		case root.Get("unrecognised").Exists():
			return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "not recognised before it was decoded"}
		case root.Get("tracecheck").Exists():
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "header"}
		}
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "no action"}
	}
	kind, message, ok := spec.ParseActionName(name.String())
	if !ok {
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "unknown action"}
	}
	a.Kind, a.Message.Type, a.Group = kind, message, d.group.Index
	seen := 0
	root.ForEach(func(key, v gjson.Result) bool {
		seen |= d.field(key.Str, v, a, seen)
		return d.bad == ""
	})
	if a.Server == spec.Nil {
		d.bad = "no server"
	}
	d.ends(a)
	d.initialVoters(a)
	return adapters.Outcome{Verdict: adapters.Checked}
}

// keys are the top-level keys; each may stand once.
var keys = map[string]int{
	"action": 1 << 0, "server": 1 << 1, "peer": 1 << 2, "before": 1 << 3, "after": 1 << 4, "message": 1 << 5,
	"index": 1 << 6, "term": 1 << 7, "entries": 1 << 8, "hash": 1 << 9, "flags": 1 << 10, "group": 1 << 11,
	"time": 1 << 12, "src": 1 << 13, "tracecheck": 1 << 14, "profile": 1 << 15, "shows": 1 << 16, "voters": 1 << 17,
}

func (d *decoder) field(key string, v gjson.Result, a *spec.Action, seen int) int {
	bit, known := keys[key]
	if !known {
		d.warn = UnknownKey
		return 0
	}
	if seen&bit != 0 {
		d.warn = adapters.DuplicateKey
	}
	switch key {
	case "server":
		a.Server = d.server(v)
	case "peer":
		a.Peer = d.server(v)
	case "before":
		a.Before = d.state(v)
	case "after":
		a.After = d.state(v)
	case "message":
		d.message(v, a)
	case "index":
		a.Index = d.number(v)
	case "term":
		a.Term = d.number(v)
	case "entries":
		d.entries(v, a)
	case "hash":
		a.Hash, a.HasHash = hash(v), true
	case "flags":
		v.ForEach(func(_, f gjson.Result) bool {
			flag, ok := flagByName[f.String()]
			if !ok {
				d.bad = "unknown flag"
			}
			a.Flags |= flag
			return true
		})
	}
	return bit
}

// ends fills in the end of a message that is the acting server itself.
func (d *decoder) ends(a *spec.Action) {
	m := &a.Message
	if a.Kind == spec.Send && m.From == spec.Nil {
		m.From = a.Server
	}
	if a.Kind == spec.Receive && m.To == spec.Nil {
		m.To = a.Server
	}
}

// initialVoters gives a server that shows no configuration the header's.
func (d *decoder) initialVoters(a *spec.Action) {
	c := d.voters[a.Group]
	if c == 0 {
		return
	}
	first := d.started[a.Group]
	if a.Kind != spec.Restart && first.Has(a.Server) {
		return
	}
	first.Add(a.Server)
	if (a.Before.Has|a.After.Has)&spec.HasConfig == 0 {
		a.After.Has |= spec.HasConfig
		a.After.Config = c
	}
}

// sniff is certain of a header, and sure of a line with one of our actions.
func sniff(lines [][]byte) int {
	best := 0
	for _, line := range lines {
		if !adapters.ValidJSON(line) {
			continue
		}
		root := gjson.ParseBytes(line)
		if root.Get("tracecheck").Exists() {
			return 100
		}
		if _, _, ok := spec.ParseActionName(root.Get("action").String()); ok && root.Get("server").Exists() {
			best = 90
		}
	}
	return best
}

// UnknownKey is a key that the format does not have: most often a misspelt one,
// which would silently weaken the check.
var UnknownKey = adapters.UnknownKey
