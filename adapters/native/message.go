package native

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/spec"
)

// message reads a message. For an action that sends or receives, the name of the
// action tells the type of the message; for any other the message does, and by
// the type go the names of its keys.
func (d *decoder) message(v gjson.Result, a *spec.Action) {
	m := &a.Message
	if m.Type == spec.NoMessage {
		if t := v.Get("type"); t.Exists() {
			d.messageType(t, m)
		}
	}
	keys := keysOf[m.Type]
	d.object("message", v, func(key string, v gjson.Result) {
		var has spec.MessageFields
		switch key {
		case "type":
			d.messageType(v, m)
		case "from":
			m.From = d.server(key, v)
		case "to":
			m.To = d.server(key, v)
		case "term":
			m.Term, has = d.number(key, v), spec.MsgTerm
		case "entries":
			m.Entries, has = d.messageEntries(v, a), spec.MsgEntries
		case "lastEntryTerm":
			m.LastTerm, has = d.number(key, v), spec.MsgLastTerm
		case "leaderCommit":
			m.Commit, has = d.number(key, v), spec.MsgCommit
		case "matchIndex":
			m.Match, has = d.number(key, v), spec.MsgMatch
		case "leaderMatchIndex":
			m.LeaderMatch, has = d.number(key, v), spec.MsgLeaderMatch
		case "id":
			m.ID, has = d.identity(key, v), spec.MsgID
		case "transfer":
			m.Transfer, has = d.truth(key, v), spec.MsgTransfer
		case keys.index:
			m.LogIndex, has = d.number(key, v), spec.MsgLogIndex
		case keys.term:
			m.LogTerm, has = d.number(key, v), spec.MsgLogTerm
		case keys.result:
			m.Success, has = d.truth(key, v), spec.MsgSuccess
		default:
			d.unknown(key)
		}
		m.Has |= has
	})
}

// messageType reads the type of a message; it may be repeated where the action
// already says it.
func (d *decoder) messageType(v gjson.Result, m *spec.Message) {
	for t := spec.NoMessage + 1; t < spec.NumMessageTypes; t++ {
		if v.Type == gjson.String && v.Str == t.String() && (m.Type == spec.NoMessage || m.Type == t) {
			m.Type = t
			return
		}
	}
	d.fail("type", "the name of a message that goes with the action")
}

// ownEnd fills in the end of a message that is the acting server, as it must be.
func ownEnd(a *spec.Action) {
	m := &a.Message
	switch {
	case a.Kind == spec.Send && m.From == spec.Nil:
		m.From = a.Server
	case a.Kind == spec.Receive && m.To == spec.Nil:
		m.To = a.Server
	}
}

// messageEntries reads the entries of a message, or how many there are.
func (d *decoder) messageEntries(v gjson.Result, a *spec.Action) uint64 {
	a.Entries = a.Entries[:0]
	if v.Type == gjson.Number {
		return d.number("entries", v)
	}
	d.entries(v, a)
	return uint64(len(a.Entries))
}

// numberEntries gives the entries of a message that do not tell their index the
// one that they must have: they follow the entry at prevLogIndex.
func numberEntries(a *spec.Action) {
	if !followPrev(&a.Message) {
		return
	}
	for i := range a.Entries {
		if e := &a.Entries[i]; e.Index == 0 {
			e.Index = a.Message.LogIndex + 1 + uint64(i)
		}
	}
}

func followPrev(m *spec.Message) bool {
	return m.Type == spec.AppendEntriesRequest && m.Has&spec.MsgLogIndex != 0
}

// entriesInMessage reports whether the entries of an action can be written as
// those of its message, and are the same when they are read again.
func entriesInMessage(a *spec.Action) bool {
	m := &a.Message
	if m.Has&spec.MsgEntries == 0 || len(a.Entries) == 0 || m.Entries != uint64(len(a.Entries)) {
		return false
	}
	return !followPrev(m) || !slices.ContainsFunc(a.Entries, func(e spec.Entry) bool { return e.Index == 0 })
}

func (e *Encoder) message(g *spec.Group, a *spec.Action, withEntries bool) {
	m := &a.Message
	keys := keysOf[m.Type]
	e.key("message")
	e.begin('{')
	if m.Type != spec.NoMessage && a.Kind != spec.Send && a.Kind != spec.Receive {
		e.text("type", m.Type.String())
	}
	e.server("from", g, m.From)
	e.server("to", g, m.To)
	if m.Has&spec.MsgTerm != 0 {
		e.number("term", m.Term)
	}
	if m.Has&spec.MsgLogIndex != 0 {
		e.number(keys.index, m.LogIndex)
	}
	if m.Has&spec.MsgLogTerm != 0 {
		e.number(keys.term, m.LogTerm)
	}
	if withEntries {
		e.entries(g, a.Entries)
	} else if m.Has&spec.MsgEntries != 0 {
		e.number("entries", m.Entries)
	}
	if m.Has&spec.MsgLastTerm != 0 {
		e.number("lastEntryTerm", m.LastTerm)
	}
	if m.Has&spec.MsgCommit != 0 {
		e.number("leaderCommit", m.Commit)
	}
	if m.Has&spec.MsgSuccess != 0 {
		e.truth(keys.result, m.Success)
	}
	if m.Has&spec.MsgMatch != 0 {
		e.number("matchIndex", m.Match)
	}
	if m.Has&spec.MsgLeaderMatch != 0 {
		e.number("leaderMatchIndex", m.LeaderMatch)
	}
	if m.Has&spec.MsgTransfer != 0 {
		e.truth("transfer", m.Transfer)
	}
	if m.Has&spec.MsgID != 0 {
		e.number("id", m.ID)
	}
	e.end('}')
}
