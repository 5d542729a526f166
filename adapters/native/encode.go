package native

import (
	"io"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// Encoder writes actions in the native format. Each call writes one line, so
// that line k of what is written is about line k of what was read.
type Encoder struct {
	w      io.Writer
	groups *spec.Groups
	lines  int
	told   map[uint32]declared // what the header of each group said

	b []byte
}

type declared struct {
	profile spec.Profile
	shows   spec.Facts
}

// NewEncoder returns an Encoder for the groups of one trace. The first line that
// it writes is a header, and so is the first of each group, with what the group
// declares; a group whose facts change while it is read gets another.
func NewEncoder(w io.Writer, groups *spec.Groups) *Encoder {
	return &Encoder{w: w, groups: groups, told: make(map[uint32]declared)}
}

// Skip writes a line for one that says nothing of the protocol.
func (e *Encoder) Skip(why string) error { return e.note("skip", why) }

// Damaged writes a line for one that could not be read.
func (e *Encoder) Damaged(why string) error { return e.note("damaged", why) }

// Unrecognised writes a line for one that no adapter knows.
func (e *Encoder) Unrecognised(why string) error { return e.note("unrecognised", why) }

func (e *Encoder) note(key, why string) error {
	e.begin('{')
	if e.lines == 0 {
		e.number("tracecheck", version)
	}
	e.text(key, why)
	return e.flush()
}

// Encode writes one action. Its group and server must exist. An error is one of
// the writer.
func (e *Encoder) Encode(a *spec.Action) error {
	g := e.groups.List[a.Group]
	e.begin('{')
	e.header(g)
	if g.Name != "" {
		e.text("group", g.Name)
	}
	e.text("action", a.Name())
	e.server("server", g, a.Server)
	e.server("peer", g, a.Peer)
	e.numberIf("seq", a.Seq)
	e.state("before", g, &a.Before)
	e.state("after", g, &a.After)
	inMessage := entriesInMessage(a)
	if a.Message != (spec.Message{}) {
		e.message(g, a, inMessage)
	}
	e.position(g, a, inMessage)
	if a.HasHash {
		e.hash("stateHash", a.Hash)
	}
	e.flags(a.Flags)
	return e.flush()
}

// header declares the group unless the last one said the same.
func (e *Encoder) header(g *spec.Group) {
	now := declared{g.Profile, g.Shows}
	if last, ok := e.told[g.Index]; ok && last == now {
		return
	}
	e.told[g.Index] = now
	e.number("tracecheck", version)
	e.profile(g.Profile)
	e.key("shows")
	e.begin('[')
	for i, name := range factNames {
		if g.Shows&(1<<i) != 0 {
			e.comma()
			e.value(name)
		}
	}
	e.end(']')
}

// position writes the log position that the step is about, and the entries that
// do not stand in a message.
func (e *Encoder) position(g *spec.Group, a *spec.Action, inMessage bool) {
	alone := len(a.Entries) == 1 && !inMessage
	if alone && a.Index == a.Entries[0].Index && a.Term == a.Entries[0].Term {
		e.key("entry")
		e.entry(g, &a.Entries[0])
		return
	}
	e.numberIf("index", a.Index)
	e.numberIf("term", a.Term)
	if len(a.Entries) > 0 && !inMessage {
		e.entries(g, a.Entries)
	}
}

func (e *Encoder) flags(flags spec.ActionFlags) {
	if flags == 0 {
		return
	}
	e.key("flags")
	e.begin('[')
	for _, f := range flagNames {
		if flags&f.flag != 0 {
			e.comma()
			e.value(f.name)
		}
	}
	e.end(']')
}

// The pieces of JSON. Whatever is written last, comma knows whether another
// member or item needs one before it.

func (e *Encoder) begin(bracket byte) { e.b = append(e.b, bracket) }
func (e *Encoder) end(bracket byte)   { e.b = append(e.b, bracket) }
func (e *Encoder) raw(s string)       { e.b = append(e.b, s...) }
func (e *Encoder) value(s string)     { e.b = gjson.AppendJSONString(e.b, s) }

func (e *Encoder) comma() {
	if last := e.b[len(e.b)-1]; last != '{' && last != '[' {
		e.b = append(e.b, ',')
	}
}

func (e *Encoder) key(key string) {
	e.comma()
	e.value(key)
	e.b = append(e.b, ':')
}

func (e *Encoder) text(key, s string) {
	e.key(key)
	e.value(s)
}

func (e *Encoder) number(key string, n uint64) {
	e.key(key)
	e.b = strconv.AppendUint(e.b, n, 10)
}

func (e *Encoder) numberIf(key string, n uint64) {
	if n != 0 {
		e.number(key, n)
	}
}

func (e *Encoder) truth(key string, v bool) {
	e.key(key)
	e.b = strconv.AppendBool(e.b, v)
}

// hash writes a hash as 16 hexadecimal digits.
func (e *Encoder) hash(key string, h uint64) {
	e.key(key)
	e.raw(`"`)
	for shift := 60; shift >= 0; shift -= 4 {
		e.b = append(e.b, "0123456789abcdef"[h>>shift&15])
	}
	e.raw(`"`)
}

// server writes a server's name, unless it is Nil.
func (e *Encoder) server(key string, g *spec.Group, id spec.ID) {
	if id != spec.Nil {
		e.text(key, g.NameOf(id))
	}
}

func (e *Encoder) flush() error {
	e.b = append(e.b, '}', '\n')
	_, err := e.w.Write(e.b)
	e.b = e.b[:0]
	e.lines++
	return err
}
