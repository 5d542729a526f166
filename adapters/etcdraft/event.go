package etcdraft

import (
	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// event holds the fields of one line as they are written, in whatever order
// they stood. Its strings are pieces of the line and die with it.
type event struct {
	has keys // which keys stood in the line

	time           string // JSON, as the logger writes it
	tag            string
	name, nid      string
	role           string
	vote           string
	conf           string // JSON
	term           uint64 // of state; tag "apply": of the entry
	commit, log    uint64
	message        message
	index          uint64 // tag "apply": of the entry
	kind           string // tag "apply": type of the entry
	data, chain    string // tag "apply": JSON
	twice, inexact bool   // a key stands twice; a node id is a number above 2^53
	wrong          bool   // a value has the wrong type or is out of range
	crowded        bool   // a node has no id, since the group has too many
}

// message holds the fields of an event's msg.
type message struct {
	kind, from, to          string
	term                    uint64
	entries, logTerm, index uint64
	commit, rejectHint      uint64
	reject                  bool
}

// keys is a set of keys that an event may hold.
type keys uint32

const (
	keyTag keys = 1 << iota
	keyEvent
	keyName
	keyNID
	keyState
	keyRole
	keyLog
	keyConf
	keyMsg
	keyTerm
	keyVote
	keyCommit
	keyIndex
	keyType
	keyData
	keyChain
	msgType
	msgTerm
	msgFrom
	msgTo
	msgEntries
	msgLogTerm
	msgIndex
	msgCommit
	msgReject
	msgRejectHint
)

const (
	tagTrace = "trace"
	tagApply = "apply"
)

// read takes a line apart. The verdict is Checked if the line is an event, or an
// application's apply line, whose fields could be read.
func (e *event) read(line []byte) adapters.Outcome {
	r := newReader(line)
	if r.peek() != '{' {
		return notObject(line)
	}
	bare := e.readWrapper(&r)
	switch {
	case !r.end():
		return damaged(whyNotValid)
	case bare && e.has&(keyTag|keyEvent) == 0:
		r = newReader(line)
		e.readEvent(&r)
	case e.tag == "" && e.has&(keyName|keyNID|keyState) != keyName|keyNID|keyState:
		return ignored(whyOther)
	case e.tag != "" && e.tag != tagTrace && e.tag != tagApply:
		return ignored(whyOther)
	}
	switch {
	case e.wrong:
		return damaged(whyValue)
	case e.name == "" || e.nid == "" || e.nid == "0":
		return unrecognised(whyIncomplete)
	}
	return adapters.Outcome{}
}

// outcome is that of an event that was understood, as far as its values allow.
func (e *event) outcome(n *node) adapters.Outcome {
	switch {
	case e.wrong: // in conf, which is read late
		return damaged(whyValue)
	case e.crowded || n.id == spec.Nil:
		return unrecognised(whyServers)
	case e.twice:
		return adapters.Outcome{Warn: adapters.DuplicateKey}
	case e.inexact:
		return adapters.Outcome{Warn: adapters.InexactNumber}
	}
	return adapters.Outcome{}
}

// readWrapper reads the level that the application's logger writes, and the event
// in it. What else the logger writes, its time stamp in whichever form, is not
// looked at. It reports whether the line looks like an event without a wrapper.
func (e *event) readWrapper(r *reader) (bare bool) {
	var seen keys
	for r.open(); r.more(); {
		switch r.key {
		case "ts", "time", "timestamp", "T":
			e.time = r.raw()
		case "tag":
			e.text(r, keyTag, &e.tag)
		case "event":
			if e.object(r, keyEvent) {
				e.readEvent(r)
			}
			continue
		case "name":
			seen |= keyName
			r.skip()
		case "nid":
			seen |= keyNID
			r.skip()
		case "state":
			if r.peek() == '{' {
				seen |= keyState
			}
			r.skip()
		default:
			r.skip()
		}
	}
	return seen == keyName|keyNID|keyState
}

func (e *event) readEvent(r *reader) {
	for r.open(); r.more(); {
		switch r.key {
		case "name":
			e.text(r, keyName, &e.name)
		case "nid":
			e.id(r, keyNID, &e.nid)
		case "state":
			if e.object(r, keyState) {
				e.readState(r)
			}
		case "role":
			e.text(r, keyRole, &e.role)
		case "log":
			e.number(r, keyLog, &e.log)
		case "conf":
			e.json(r, keyConf, &e.conf)
		case "msg":
			if e.object(r, keyMsg) {
				e.readMessage(r)
			}
		case "index":
			e.number(r, keyIndex, &e.index)
		case "term":
			e.number(r, keyTerm, &e.term)
		case "type":
			e.text(r, keyType, &e.kind)
		case "data":
			e.json(r, keyData, &e.data)
		case "chain":
			e.json(r, keyChain, &e.chain)
		default:
			r.skip()
		}
	}
}

func (e *event) readState(r *reader) {
	for r.open(); r.more(); {
		switch r.key {
		case "term":
			e.number(r, keyTerm, &e.term)
		case "vote":
			e.id(r, keyVote, &e.vote)
		case "commit":
			e.number(r, keyCommit, &e.commit)
		default:
			r.skip()
		}
	}
}

func (e *event) readMessage(r *reader) {
	m := &e.message
	for r.open(); r.more(); {
		switch r.key {
		case "type":
			e.text(r, msgType, &m.kind)
		case "term":
			e.number(r, msgTerm, &m.term)
		case "from":
			e.id(r, msgFrom, &m.from)
		case "to":
			e.id(r, msgTo, &m.to)
		case "entries":
			e.number(r, msgEntries, &m.entries)
		case "logTerm":
			e.number(r, msgLogTerm, &m.logTerm)
		case "index":
			e.number(r, msgIndex, &m.index)
		case "commit":
			e.number(r, msgCommit, &m.commit)
		case "reject":
			e.flag(r, msgReject, &m.reject)
		case "rejectHint":
			e.number(r, msgRejectHint, &m.rejectHint)
		default:
			r.skip()
		}
	}
}

// see notes that a key stands in the line, and reports whether it has a value:
// null, which it reads, says nothing.
func (e *event) see(r *reader, k keys) bool {
	if r.peek() == 'n' {
		r.skip()
		return false
	}
	e.twice = e.twice || e.has&k != 0
	e.has |= k
	return true
}

// object reports whether the value is an object. It reads any other value.
func (e *event) object(r *reader, k keys) bool {
	if !e.see(r, k) {
		return false
	}
	if r.peek() != '{' {
		e.wrong = true
		r.skip()
		return false
	}
	return true
}

func (e *event) json(r *reader, k keys, to *string) {
	if e.see(r, k) {
		*to = r.raw()
	}
}

func (e *event) text(r *reader, k keys, to *string) {
	switch {
	case !e.see(r, k):
	case r.peek() == '"':
		*to = r.text()
	default:
		e.wrong = true
		r.skip()
	}
}

func (e *event) flag(r *reader, k keys, to *bool) {
	if e.see(r, k) {
		word := r.raw()
		*to = word == "true"
		e.wrong = e.wrong || word != "true" && word != "false"
	}
}

// number reads an unsigned integer, which may be written in quotes.
func (e *event) number(r *reader, k keys, to *uint64) {
	if !e.see(r, k) {
		return
	}
	var digits string
	if r.peek() == '"' {
		digits = r.text()
	} else {
		digits = r.raw()
	}
	n, ok := parseUint(digits)
	*to = n
	e.wrong = e.wrong || !ok
}

// id reads a node id: a string of digits, or a number as some loggers write it.
func (e *event) id(r *reader, k keys, to *string) {
	switch {
	case !e.see(r, k):
	case r.peek() == '"':
		*to = r.text()
	default:
		*to = r.raw()
		e.numericID(*to)
	}
}

// numericID looks at an id that is not a string.
func (e *event) numericID(digits string) {
	n, ok := parseUint(digits)
	e.wrong = e.wrong || !ok
	e.inexact = e.inexact || n > 1<<53
}

// parseUint reads a decimal uint64. Unlike strconv's it makes no error value,
// which would be an allocation.
func parseUint(digits string) (n uint64, ok bool) {
	if digits == "" {
		return 0, false
	}
	for i := range len(digits) {
		d := uint64(digits[i] - '0')
		if d > 9 || n > (1<<64-1)/10 || n*10 > 1<<64-1-d {
			return 0, false
		}
		n = n*10 + d
	}
	return n, true
}
