package mapping

import (
	"bytes"
	"hash/fnv"
	"path/filepath"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

type decoder struct {
	mapping  *Mapping
	groups   *spec.Groups
	file     string // what the source is called: the server of lines that name none
	memories map[memoryKey]*memory
	seen     reading
}

// WhyForeign is why a line is ignored that the envelope does not fit: it is of some
// other part of the program.
const WhyForeign = "not of raft"

type memoryKey struct{ group, server string }

// memory is what is remembered of a server between its lines.
type memory struct {
	values map[string]string
	row    *row // whose record is being put together
	record []byte
	lines  int
	begun  memoryKey // group and server of its first line
}

// A record that is longer than this is none.
const (
	maxRecordLines = 16
	maxRecordBytes = 1 << 16
)

// reading is one line with what was found in it.
type reading struct {
	line          []byte
	message       []byte
	envelope      []int
	object        []byte // the JSON object
	record        []byte // what the row's pattern matched in
	row           *row
	match         []int
	group, server []byte
	memory        *memory
}

// Introduce implements [adapters.Introduced].
func (d *decoder) Introduce(file string, _ [][]byte) { d.file = filepath.Base(file) }

// Member implements [adapters.Member].
func (d *decoder) Member(server string) { d.file = server }

// Decode implements [adapters.Decoder].
func (d *decoder) Decode(rec *ingest.Record, a *spec.Action) adapters.Outcome {
	data := rec.Data
	for _, p := range d.mapping.sentinels {
		if p.words.in(data) && p.Match(data) {
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "an alarm of the implementation", Warn: adapters.ImplementationAlarm}
		}
	}
	r := &d.seen
	*r = reading{line: data}
	joining := d.joins()
	if !joining && !d.mapping.mayMatch(data) {
		return d.unknown(data)
	}
	if !d.mapping.unwrap(r) && !joining { // a record may go on without an envelope
		return adapters.Outcome{Verdict: adapters.Ignored, Why: WhyForeign}
	}
	if joining {
		if out, part := d.join(r); part {
			return out
		}
	}
	if r.row == nil && !d.find(r) {
		return d.begin(r)
	}
	return d.act(r, a)
}

func (d *decoder) unknown(data []byte) adapters.Outcome {
	if !d.mapping.mark.in(data) {
		return adapters.Outcome{Verdict: adapters.Ignored, Why: WhyForeign}
	}
	return adapters.Outcome{Verdict: adapters.Unrecognised, Why: "unknown message"}
}

// mayMatch is the cheap test: the words of some row stand in the line.
func (m *Mapping) mayMatch(data []byte) bool {
	for _, r := range m.rows {
		if r.pattern.words.in(data) || r.begin != nil && r.begin.words.in(data) {
			return true
		}
	}
	return false
}

// unwrap takes the envelope off, and says whether there was one.
func (m *Mapping) unwrap(r *reading) bool {
	r.message = r.line
	switch {
	case m.json != nil:
		i := bytes.IndexByte(r.line, '{')
		if i < 0 || !adapters.ValidJSON(bytes.TrimSpace(r.line[i:])) {
			return false
		}
		r.object = r.line[i:]
		r.message = []byte(gjson.GetBytes(r.object, m.json["message"].string).String())
	case m.envelope != nil:
		if r.envelope = m.envelope.FindSubmatchIndex(r.line); r.envelope == nil {
			return false
		}
		if m.toTheEnd {
			r.message = r.line[r.envelope[1]:]
		} else if i := m.envelope.SubexpIndex("message"); i > 0 && r.envelope[2*i] >= 0 {
			r.message = r.line[r.envelope[2*i]:r.envelope[2*i+1]]
		}
	}
	r.group, r.server = m.lookEnvelope(r, "group"), m.lookEnvelope(r, "server")
	return true
}

// lookEnvelope finds a value of the envelope; nil if it has none.
func (m *Mapping) lookEnvelope(r *reading, name string) []byte {
	if path := m.json[name].string; path != "" && r.object != nil {
		if v := gjson.GetBytes(r.object, path); v.Exists() {
			return []byte(v.String())
		}
		return nil
	}
	if r.envelope != nil {
		return submatch(m.envelope, r.line, r.envelope, name)
	}
	return nil
}

// submatch is what a named group has matched; nil if it took no part. Of several
// groups of that name it is the first that did.
func submatch(p *pattern, text []byte, match []int, name string) []byte {
	for i, n := range p.names {
		if n == name && i > 0 && 2*i+1 < len(match) && match[2*i] >= 0 {
			return text[match[2*i]:match[2*i+1]]
		}
	}
	return nil
}

// find looks for the row that the message is of.
func (d *decoder) find(r *reading) bool {
	for _, row := range d.mapping.rows {
		if row.begin != nil || !row.pattern.words.in(r.message) {
			continue
		}
		if match := row.pattern.FindSubmatchIndex(r.message); match != nil {
			r.row, r.match, r.record = row, match, r.message
			return true
		}
	}
	return false
}

// look finds a value: what the line has captured, what the envelope tells, what is
// remembered of the server. It returns nil if nothing is known.
func (d *decoder) look(r *reading, name string) []byte {
	if v := submatch(r.row.pattern, r.record, r.match, name); v != nil {
		return v
	}
	if path := r.row.fields[name]; path != "" && r.object != nil {
		if v := gjson.GetBytes(r.object, path); v.Exists() {
			return []byte(v.String())
		}
		return nil
	}
	if r.memory != nil {
		if v, ok := r.memory.values[name]; ok {
			return []byte(v)
		}
	}
	switch name {
	case "server":
		return r.server
	case "group":
		return r.group
	}
	return d.mapping.lookEnvelope(r, name)
}

func (d *decoder) value(r *reading, v value) []byte {
	if v.template != nil {
		var whole []byte
		for _, part := range v.template {
			text := d.value(r, part)
			if text == nil {
				return nil
			}
			whole = append(whole, text...)
		}
		return whole
	}
	if v.variable {
		return d.look(r, v.text)
	}
	if v.text == "" {
		return nil
	}
	return []byte(v.text)
}

// act fills an action from the row that was found.
func (d *decoder) act(r *reading, a *spec.Action) adapters.Outcome {
	row := r.row
	if g := d.value(r, row.group); g != nil {
		r.group = g
	} else if g := submatch(row.pattern, r.record, r.match, "group"); g != nil {
		r.group = g
	}
	if s := d.value(r, row.server); s != nil {
		r.server = s
	} else if s := submatch(row.pattern, r.record, r.match, "server"); s != nil {
		r.server = s
	} else if len(r.server) == 0 {
		r.server = []byte(d.file)
	}
	r.memory = d.memory(r, len(row.set) > 0)
	out := d.fill(r, a)
	d.remember(r)
	return out
}

func (d *decoder) fill(r *reading, a *spec.Action) adapters.Outcome {
	row := r.row
	if !row.acts {
		return adapters.Outcome{Verdict: adapters.Ignored, Why: nonEmpty(row.Why, "remembered only")}
	}
	for _, name := range row.needs {
		if d.look(r, name) == nil {
			return adapters.Outcome{Verdict: adapters.Ignored, Why: "what it is about is not known"}
		}
	}
	if len(r.server) == 0 {
		return adapters.Outcome{Verdict: adapters.Ignored, Why: "no server"}
	}
	group := d.groups.Get(string(r.group), d.mapping.profile, d.mapping.shows)
	a.Kind, a.Group, a.Server = row.kind, group.Index, group.Server(r.server)
	if a.Server == spec.Nil {
		return adapters.Outcome{Verdict: adapters.Ignored, Why: "no server"}
	}
	a.Peer = group.Server(d.value(r, row.peer))
	a.Index, _ = number(d.value(r, row.index))
	a.Term, _ = number(d.value(r, row.term))
	d.state(r, &a.Before, row.before, group)
	d.state(r, &a.After, row.after, group)
	if row.Durable {
		a.Flags |= spec.Durable
	}
	d.message(r, a, group)
	if len(row.entry) > 0 {
		d.entry(r, a)
	}
	return adapters.Outcome{}
}

func nonEmpty(s, or string) string {
	if s == "" {
		return or
	}
	return s
}

// state fills claims. What cannot be read is not claimed.
func (d *decoder) state(r *reading, s *spec.State, values []value, g *spec.Group) {
	for _, v := range values {
		text := d.value(r, v)
		n, isNumber := number(text)
		switch {
		case text == nil:
			continue
		case v.key == "role":
			if s.Role = roleNamed(string(text)); s.Role == spec.UnknownRole {
				continue
			}
		case v.key == "votedFor":
			if string(text) != "none" {
				s.VotedFor = g.Server(text)
			}
		case !isNumber:
			continue
		}
		s.Has |= stateKeys[v.key]
		switch v.key {
		case "currentTerm":
			s.CurrentTerm = n
		case "lastIndex":
			s.LastIndex = n
		case "lastTerm":
			s.LastTerm = n
		case "commitIndex":
			s.CommitIndex = n
		case "appliedIndex":
			s.AppliedIndex = n
		case "snapshotIndex":
			s.SnapshotIndex = n
		case "snapshotTerm":
			s.SnapshotTerm = n
		case "firstIndex":
			s.FirstIndex = n
		}
	}
	if s.Has&spec.HasSnapshot != 0 && s.SnapshotIndex == 0 {
		s.Has &^= spec.HasSnapshot // a term by itself is of no snapshot
	}
}

// message fills the message of a step that has one. The end that acts is the server.
func (d *decoder) message(r *reading, a *spec.Action, g *spec.Group) {
	m := &a.Message
	if m.Type = r.row.message; m.Type == spec.NoMessage {
		return
	}
	if a.Kind == spec.Send {
		m.From = a.Server
	} else {
		m.To = a.Server
	}
	for _, v := range r.row.about {
		text := d.value(r, v)
		if text == nil {
			continue
		}
		n, isNumber := number(text)
		switch v.key {
		case "from":
			m.From = g.Server(text)
			continue
		case "to":
			m.To = g.Server(text)
			continue
		case "success":
			yes, err := strconv.ParseBool(string(text))
			if err != nil {
				continue
			}
			m.Success = yes
		default:
			if !isNumber {
				continue
			}
		}
		m.Has |= messageKeys[v.key]
		switch v.key {
		case "term":
			m.Term = n
		case "logIndex":
			m.LogIndex = n
		case "logTerm":
			m.LogTerm = n
		case "entries":
			m.Entries = n
		case "lastTerm":
			m.LastTerm = n
		case "commit":
			m.Commit = n
		case "match":
			m.Match = n
		}
	}
}

// entry fills the one entry that a line shows.
func (d *decoder) entry(r *reading, a *spec.Action) {
	var e spec.Entry
	for _, v := range r.row.entry {
		text := d.value(r, v)
		switch n, isNumber := number(text); {
		case text == nil:
		case v.key == "contents":
			h := fnv.New64a()
			h.Write(text)
			e.Hash, e.HasHash = h.Sum64(), true
		case v.key == "index" && isNumber:
			e.Index = n
		case v.key == "term" && isNumber:
			e.Term = n
		}
	}
	if e.Index > 0 {
		a.Index, a.Term = e.Index, e.Term
		a.Entries = append(a.Entries, e)
	}
}

// number reads digits. What does not fit in 53 bits is no index and no term.
func number(text []byte) (uint64, bool) {
	if len(text) == 0 || len(text) > 19 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, n < 1<<53
}
