package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/tracecheck/tracecheck/spec"
)

// Encoder writes actions in the native format, one line for each call, so that
// line k of what it writes is about line k of what was read.
type Encoder struct {
	w      io.Writer
	groups *spec.Groups
	told   map[uint32]spec.Facts // groups whose header is written, with what it said
	b      bytes.Buffer
	sep    string
}

// NewEncoder returns an Encoder for the groups of one trace.
func NewEncoder(w io.Writer, groups *spec.Groups) *Encoder {
	return &Encoder{w: w, groups: groups, told: make(map[uint32]spec.Facts)}
}

// Skip writes a line for one that says nothing of the protocol.
func (e *Encoder) Skip(why string) error { return e.note("skip", why) }

// Damaged writes a line for one that could not be read.
func (e *Encoder) Damaged(why string) error { return e.note("damaged", why) }

// Unrecognised writes a line for one that no adapter knows.
func (e *Encoder) Unrecognised(why string) error { return e.note("unrecognised", why) }

func (e *Encoder) note(key, why string) error {
	e.b.Reset()
	e.open()
	e.text(key, why)
	return e.flush()
}

// Encode writes one action.
func (e *Encoder) Encode(a *spec.Action) error {
	g := e.groups.List[a.Group]
	e.b.Reset()
	e.open()
	if shows, ok := e.told[a.Group]; !ok || shows != g.Shows {
		e.told[a.Group] = g.Shows
		e.header(g)
	}
	if g.Name != "" {
		e.text("group", g.Name)
	}
	e.text("action", a.Name())
	e.text("server", g.NameOf(a.Server))
	if a.Peer != spec.Nil {
		e.text("peer", g.NameOf(a.Peer))
	}
	e.state("before", g, &a.Before)
	e.state("after", g, &a.After)
	inMessage := a.Message.Has&spec.MsgEntries != 0 && uint64(len(a.Entries)) == a.Message.Entries && len(a.Entries) > 0
	if a.Message.Type != spec.NoMessage {
		e.message(g, a, inMessage)
	}
	e.numberIf("index", a.Index)
	e.numberIf("term", a.Term)
	if len(a.Entries) > 0 && !inMessage {
		e.key("entries")
		e.entries(g, a.Entries)
	}
	if a.HasHash {
		e.text("hash", fmt.Sprintf("%016x", a.Hash))
	}
	if a.Flags != 0 {
		e.key("flags")
		e.list(func(item func(string)) {
			for _, f := range flagNames {
				if a.Flags&f.flag != 0 {
					item(f.name)
				}
			}
		})
	}
	return e.flush()
}

func (e *Encoder) header(g *spec.Group) {
	e.number("tracecheck", 1)
	e.key("profile")
	if p, ok := Presets[g.Profile.Name]; ok && p == g.Profile {
		e.value(g.Profile.Name)
	} else {
		e.profile(&g.Profile)
	}
	e.key("shows")
	e.list(func(item func(string)) {
		for i, name := range factNames {
			if g.Shows&(1<<i) != 0 {
				item(name)
			}
		}
	})
}

func (e *Encoder) profile(p *spec.Profile) {
	e.begin()
	e.text("name", p.Name)
	for _, f := range []struct {
		key string
		on  bool
	}{
		{"selfVoteOnTimeout", p.SelfVoteOnTimeout}, {"selfAck", p.SelfAck}, {"configOnApply", p.ConfigOnApply},
		{"uncheckedConfigs", p.UncheckedConfigs}, {"signedCommits", p.SignedCommits},
		{"commitFactsLate", p.CommitFactsLate}, {"appliesCommandsOnly", p.AppliesCommandsOnly},
		{"matchAsLastSaid", p.MatchAsLastSaid}, {"replyInRequestTerm", p.ReplyInRequestTerm},
	} {
		if f.on {
			e.flag(f.key, true)
		}
	}
	e.numberIf("bootstrapTerm", p.BootstrapTerm)
	e.end()
}

func (e *Encoder) state(key string, g *spec.Group, s *spec.State) {
	if s.Has == 0 {
		return
	}
	e.key(key)
	e.begin()
	if s.Has&spec.HasRole != 0 {
		e.text("role", s.Role.String())
	}
	for _, f := range []struct {
		bit  spec.StateFields
		name string
		v    uint64
	}{
		{spec.HasTerm, "currentTerm", s.CurrentTerm}, {spec.HasLastIndex, "lastLogIndex", s.LastIndex},
		{spec.HasLastTerm, "lastLogTerm", s.LastTerm}, {spec.HasCommit, "commitIndex", s.CommitIndex},
		{spec.HasApplied, "lastApplied", s.AppliedIndex}, {spec.HasSnapshot, "snapshotIndex", s.SnapshotIndex},
		{spec.HasFirstIndex, "firstIndex", s.FirstIndex}, {spec.HasCommittable, "committable", s.Committable},
	} {
		if s.Has&f.bit != 0 {
			e.number(f.name, f.v)
		}
	}
	e.numberIf("snapshotTerm", s.SnapshotTerm)
	if s.Has&spec.HasVote != 0 {
		e.key("votedFor")
		if s.VotedFor == spec.Nil {
			e.b.WriteString("null")
		} else {
			e.value(g.NameOf(s.VotedFor))
		}
	}
	if s.Has&spec.HasConfig != 0 {
		e.key("config")
		e.config(g, s.Config)
	}
	e.end()
}

// indexNames and termNames are the paper's names of a message's log position.
func positionNames(t spec.MessageType) (index, term string) {
	switch t {
	case spec.RequestVoteRequest, spec.PreVoteRequest:
		return "lastLogIndex", "lastLogTerm"
	case spec.InstallSnapshotRequest:
		return "lastIncludedIndex", "lastIncludedTerm"
	case spec.AppendEntriesResponse:
		return "conflictIndex", "conflictTerm"
	}
	return "prevLogIndex", "prevLogTerm"
}

func (e *Encoder) message(g *spec.Group, a *spec.Action, entries bool) {
	m := &a.Message
	e.key("message")
	e.begin()
	if a.Kind != spec.Send && a.Kind != spec.Receive {
		e.text("type", m.Type.String())
	}
	if m.From != spec.Nil {
		e.text("from", g.NameOf(m.From))
	}
	if m.To != spec.Nil {
		e.text("to", g.NameOf(m.To))
	}
	index, term := positionNames(m.Type)
	success := "success"
	if m.Type == spec.RequestVoteResponse || m.Type == spec.PreVoteResponse {
		success = "voteGranted"
	}
	if m.Has&spec.MsgTerm != 0 {
		e.number("term", m.Term)
	}
	if m.Has&spec.MsgLogIndex != 0 {
		e.number(index, m.LogIndex)
	}
	if m.Has&spec.MsgLogTerm != 0 {
		e.number(term, m.LogTerm)
	}
	if m.Has&spec.MsgEntries != 0 {
		if entries {
			e.key("entries")
			e.entries(g, a.Entries)
		} else {
			e.number("entries", m.Entries)
		}
	}
	if m.Has&spec.MsgLastTerm != 0 {
		e.number("lastEntryTerm", m.LastTerm)
	}
	if m.Has&spec.MsgCommit != 0 {
		e.number("leaderCommit", m.Commit)
	}
	if m.Has&spec.MsgSuccess != 0 {
		e.flag(success, m.Success)
	}
	if m.Has&spec.MsgMatch != 0 {
		e.number("matchIndex", m.Match)
	}
	if m.Has&spec.MsgTransfer != 0 {
		e.flag("transfer", m.Transfer)
	}
	if m.Has&spec.MsgID != 0 {
		e.number("id", m.ID)
	}
	e.end()
}

func (e *Encoder) entries(g *spec.Group, entries []spec.Entry) {
	e.b.WriteByte('[')
	for i := range entries {
		if i > 0 {
			e.b.WriteByte(',')
		}
		en := &entries[i]
		e.begin()
		e.numberIf("index", en.Index)
		e.numberIf("term", en.Term)
		for name, kind := range entryKinds {
			if kind == en.Kind {
				e.text("kind", name)
			}
		}
		if en.HasHash {
			e.text("hash", fmt.Sprintf("%016x", en.Hash))
		}
		if en.Config != 0 {
			e.key("config")
			e.config(g, en.Config)
		}
		e.end()
	}
	e.b.WriteByte(']')
	e.sep = ","
}

func (e *Encoder) config(g *spec.Group, id spec.ConfigID) {
	c := g.ConfigOf(id)
	if c == nil {
		c = &spec.Config{}
	}
	set := func(s spec.Set) {
		e.list(func(item func(string)) {
			for _, id := range s.Members() {
				item(g.NameOf(id))
			}
		})
	}
	e.begin()
	switch {
	case len(c.Quorums) == 1:
		e.key("voters")
		set(c.Quorums[0])
	case len(c.Quorums) > 1:
		e.key("quorums")
		e.b.WriteByte('[')
		for i, q := range c.Quorums {
			if i > 0 {
				e.b.WriteByte(',')
			}
			set(q)
		}
		e.b.WriteByte(']')
		e.sep = ","
	}
	if c.Learners.Len() > 0 {
		e.key("learners")
		set(c.Learners)
	}
	e.end()
}

// The small pieces of JSON.

func (e *Encoder) open()  { e.begin() }
func (e *Encoder) begin() { e.b.WriteByte('{'); e.sep = "" }
func (e *Encoder) end()   { e.b.WriteByte('}'); e.sep = "," }

func (e *Encoder) key(key string) {
	e.b.WriteString(e.sep)
	e.value(key)
	e.b.WriteByte(':')
	e.sep = ","
}

func (e *Encoder) value(s string) {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	e.b.Write(b)
}

func (e *Encoder) text(key, s string) { e.key(key); e.value(s) }

func (e *Encoder) number(key string, n uint64) {
	e.key(key)
	e.b.WriteString(strconv.FormatUint(n, 10))
}

func (e *Encoder) numberIf(key string, n uint64) {
	if n != 0 {
		e.number(key, n)
	}
}

func (e *Encoder) flag(key string, v bool) {
	e.key(key)
	e.b.WriteString(strconv.FormatBool(v))
}

func (e *Encoder) list(fill func(item func(string))) {
	e.b.WriteByte('[')
	n := 0
	fill(func(s string) {
		if n > 0 {
			e.b.WriteByte(',')
		}
		n++
		e.value(s)
	})
	e.b.WriteByte(']')
	e.sep = ","
}

func (e *Encoder) flush() error {
	e.b.WriteString("}\n")
	_, err := e.w.Write(e.b.Bytes())
	return err
}
