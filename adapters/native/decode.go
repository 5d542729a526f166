package native

import (
	"bytes"
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// The keys of a line.
const (
	keyAction = iota
	keyServer
	keyPeer
	keyBefore
	keyAfter
	keyMessage
	keyIndex
	keyTerm
	keyEntry
	keyEntries
	keyStateHash
	keyFlags
	keyGroup
	keySeq
	keyTime
	keySrc
	keyHeader
	keyProfile
	keyShows
	keyVoters
	keySkip
	keyDamaged
	keyUnrecognised
	numKeys
)

var lineKeys = [numKeys]string{
	"action", "server", "peer", "before", "after", "message", "index", "term", "entry", "entries", "stateHash",
	"flags", "group", "seq", "time", "src", "tracecheck", "profile", "shows", "voters", "skip", "damaged", "unrecognised",
}

// Why a line is no action.
const (
	whyNoObject      = "not a JSON object"
	whyNoJSON        = "not valid JSON"
	whyHeader        = "header"
	whyNoAction      = "no action"
	whyUnknownAction = "unknown action"
)

type decoder struct {
	groups *spec.Groups
	byName map[string]*group
	own    map[string]header // headers that name a group
	common header            // for every other group
	whys   map[string]string // reasons of skip, damaged and unrecognised, so that each is one string

	// Of the line that is being read:
	group   *group
	values  [numKeys]gjson.Result // of the keys in has
	has     uint32
	warning *spec.Rule
	bad     string // why it is damaged
	name    []byte
}

func newDecoder(groups *spec.Groups) *decoder {
	return &decoder{
		groups: groups, byName: make(map[string]*group), own: make(map[string]header),
		common: header{profile: Presets[defaultProfile], shows: lineFacts}, whys: make(map[string]string),
	}
}

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	line := bytes.TrimSpace(rec.Data)
	if len(line) == 0 || line[0] != '{' {
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: whyNoObject}
	}
	if !adapters.ValidJSON(line) {
		return adapters.Outcome{Verdict: adapters.Damaged, Why: whyNoJSON}
	}
	d.warning, d.bad, d.has = nil, "", 0
	d.collect(line)
	out := d.line(a)
	if d.bad != "" {
		out = adapters.Outcome{Verdict: adapters.Damaged, Why: d.bad}
	}
	out.Warn = d.warning
	return out
}

// collect walks over the line once and keeps the values of the keys that it
// knows: in which order they stand is the writer's choice, and names can only be
// read when the group is known. The values point into the line.
func (d *decoder) collect(line []byte) {
	text := unsafe.String(unsafe.SliceData(line), len(line))
	gjson.Parse(text).ForEach(func(key, v gjson.Result) bool {
		for k := range lineKeys {
			if lineKeys[k] == key.Str {
				if d.has&(1<<k) != 0 {
					d.warn(adapters.DuplicateKey)
				}
				d.has |= 1 << k
				d.values[k] = v
				return true
			}
		}
		d.unknown(key.Str)
		return true
	})
}

// get returns the value of a key of the line.
func (d *decoder) get(key int) (gjson.Result, bool) {
	if d.has&(1<<key) == 0 {
		return gjson.Result{}, false
	}
	return d.values[key], true
}

// line says what becomes of the line.
func (d *decoder) line(a *spec.Action) adapters.Outcome {
	group, named := d.groupName()
	switch {
	case d.has&(1<<keyHeader) != 0:
		if n := d.number("tracecheck", d.values[keyHeader]); n != version {
			d.fail("tracecheck", "1, the version of the format that this program reads")
		}
		d.declare(group, named)
	case d.has&(1<<keyProfile|1<<keyShows|1<<keyVoters) != 0:
		d.fail("profile, shows or voters", `in a header, a line with "tracecheck":1`)
	}
	out, isNote := d.note()
	action, ok := d.get(keyAction)
	switch {
	case isNote && ok:
		d.fail("a line", `both an action and one of skip, damaged and unrecognised`)
		return out
	case isNote:
		return out
	case !ok && d.has&(1<<keyHeader) != 0:
		return adapters.Outcome{Verdict: adapters.Ignored, Why: whyHeader}
	case !ok:
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: whyNoAction}
	}
	step, ok := steps[d.text("action", action)]
	if !ok {
		return adapters.Outcome{Verdict: adapters.Unrecognised, Why: whyUnknownAction}
	}
	if d.bad == "" {
		d.choose(group)
		d.action(step, a)
	}
	return adapters.Outcome{Verdict: adapters.Checked}
}

// groupName reads the name of the line's group: a string, or a whole number,
// which stands for its digits.
func (d *decoder) groupName() (name string, named bool) {
	v, ok := d.get(keyGroup)
	switch {
	case ok && v.Type == gjson.Number && digits(v.Raw):
		return v.Raw, true
	case ok:
		return d.text("group", v), true
	}
	return "", false
}

// notes are the keys of a line that says what became of a line of another source.
var notes = [...]struct {
	key     int
	verdict adapters.Verdict
}{
	{keySkip, adapters.Ignored},
	{keyDamaged, adapters.Damaged},
	{keyUnrecognised, adapters.Unrecognised},
}

// note reads such a line. Its value is the reason, or true.
func (d *decoder) note() (out adapters.Outcome, ok bool) {
	for _, n := range notes {
		v, ok := d.get(n.key)
		switch {
		case ok && v.Type == gjson.True:
			return adapters.Outcome{Verdict: n.verdict, Why: lineKeys[n.key]}, true
		case ok:
			return adapters.Outcome{Verdict: n.verdict, Why: d.why(d.text(lineKeys[n.key], v))}, true
		}
	}
	return out, false
}

// maxWhys is how many different reasons are told apart.
const maxWhys = 64

// why returns a copy of a reason that outlives the line.
func (d *decoder) why(text string) string {
	if why, ok := d.whys[text]; ok {
		return why
	}
	if len(d.whys) == maxWhys {
		return "other"
	}
	why := string([]byte(text))
	d.whys[why] = why
	return why
}

// action fills in the action of the line.
func (d *decoder) action(step step, a *spec.Action) {
	a.Kind, a.Message.Type, a.Group = step.kind, step.message, d.group.Index
	server, _ := d.get(keyServer)
	a.Server = d.server("server", server)
	if v, ok := d.get(keyPeer); ok {
		a.Peer = d.server("peer", v)
	}
	if v, ok := d.get(keyBefore); ok {
		d.state("before", v, &a.Before)
	}
	if v, ok := d.get(keyAfter); ok {
		d.state("after", v, &a.After)
	}
	if v, ok := d.get(keyMessage); ok {
		d.message(v, a)
		numberEntries(a)
	}
	d.position(a)
	if v, ok := d.get(keySeq); ok {
		a.Seq = d.number("seq", v)
	}
	if v, ok := d.get(keyStateHash); ok {
		a.Hash, a.HasHash = d.hash("stateHash", v), true
	}
	if v, ok := d.get(keyFlags); ok {
		d.list("flags", v, func(v gjson.Result) { a.Flags |= d.flag(v) })
	}
	ownEnd(a)
	if d.bad == "" {
		d.group.firstConfig(a)
	}
}

// position reads the entries that stand beside the action, and the log position
// that it is about. An entry that stands alone is that position.
func (d *decoder) position(a *spec.Action) {
	if d.has&(1<<keyEntry|1<<keyEntries) != 0 && len(a.Entries) > 0 ||
		d.has&(1<<keyEntry) != 0 && d.has&(1<<keyEntries) != 0 {
		d.fail("entries", "in one place: the line, or its message")
	}
	if v, ok := d.get(keyEntries); ok {
		d.entries(v, a)
	}
	if v, ok := d.get(keyEntry); ok {
		d.entry(v, a)
		a.Index, a.Term = a.Entries[0].Index, a.Entries[0].Term
	}
	if v, ok := d.get(keyIndex); ok {
		a.Index = d.number("index", v)
	}
	if v, ok := d.get(keyTerm); ok {
		a.Term = d.number("term", v)
	}
}

func (d *decoder) flag(v gjson.Result) spec.ActionFlags {
	for _, f := range flagNames {
		if v.Type == gjson.String && v.Str == f.name {
			return f.flag
		}
	}
	d.fail("flags", "a list of tentative, persisting, durable, hands-out, restarted, sparse-seq, clock-seq and lines-lost")
	return 0
}
