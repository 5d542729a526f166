package etcdraft

import (
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// event holds the fields of one line as they are written, in whatever order
// they stood. Its strings are pieces of the line and die with it.
type event struct {
	has keys // which keys stood in the line

	tag            string
	name, nid      string
	role           string
	vote           string
	conf           string // the JSON text
	term           uint64 // of state; tag "apply": of the entry
	commit, log    uint64
	message        message
	index          uint64 // tag "apply": of the entry
	kind           string // tag "apply": type of the entry
	data, chain    gjson.Result
	twice, inexact bool // a key stands twice; a node id is a number above 2^53
	wrong          bool // a value has the wrong type or is out of range
	crowded        bool // a node has no id, since the group has too many
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

// view returns the bytes of a line as a string without copying them. gjson reads
// strings only, and a copy for each line would be the one allocation of a whole
// trace. The caller must not change line while the string is in use: here it
// lives no longer than one call of Decode.
func view(line []byte) string { return unsafe.String(unsafe.SliceData(line), len(line)) }

// read takes a valid JSON line apart. The verdict is Checked if the line is an
// event, or an application's apply line, whose fields could be read.
func (e *event) read(line string) adapters.Outcome {
	root := gjson.Parse(line)
	if !root.IsObject() {
		return unrecognised(whyText)
	}
	body := e.readWrapper(root)
	bare := keyName | keyNID | keyState
	switch {
	case e.tag == tagTrace || e.tag == tagApply:
		if !body.IsObject() {
			return unrecognised(whyIncomplete)
		}
	case e.tag != "":
		return ignored(whyOther)
	case e.has&bare == bare && e.has&keyEvent == 0:
		body = root
	case !body.IsObject():
		return ignored(whyOther)
	}
	e.has &^= bare
	e.readEvent(body)
	switch {
	case e.tag == "" && e.has&bare != bare:
		return ignored(whyOther)
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

// readWrapper reads the level that the application's logger writes and returns
// the event under it. What else the logger writes, its time stamp in whichever
// form, is not looked at.
func (e *event) readWrapper(root gjson.Result) (body gjson.Result) {
	root.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "tag":
			if e.see(keyTag, &v) && v.Type == gjson.String {
				e.tag = v.Str
			}
		case "event":
			if e.see(keyEvent, &v) {
				body = v
			}
		case "name":
			e.has |= keyName
		case "nid":
			e.has |= keyNID
		case "state":
			if v.IsObject() {
				e.has |= keyState
			}
		}
		return true
	})
	return body
}

func (e *event) readEvent(body gjson.Result) {
	body.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "name":
			e.text(keyName, &v, &e.name)
		case "nid":
			e.id(keyNID, &v, &e.nid)
		case "state":
			if e.object(keyState, &v) {
				e.readState(v)
			}
		case "role":
			e.text(keyRole, &v, &e.role)
		case "log":
			e.number(keyLog, &v, &e.log)
		case "conf":
			if e.see(keyConf, &v) {
				e.conf = v.Raw
			}
		case "msg":
			if e.object(keyMsg, &v) {
				e.readMessage(v)
			}
		case "index":
			e.number(keyIndex, &v, &e.index)
		case "term":
			e.number(keyTerm, &v, &e.term)
		case "type":
			e.text(keyType, &v, &e.kind)
		case "data":
			if e.see(keyData, &v) {
				e.data = v
			}
		case "chain":
			if e.see(keyChain, &v) {
				e.chain = v
			}
		}
		return true
	})
}

func (e *event) readState(body gjson.Result) {
	body.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "term":
			e.number(keyTerm, &v, &e.term)
		case "vote":
			e.id(keyVote, &v, &e.vote)
		case "commit":
			e.number(keyCommit, &v, &e.commit)
		}
		return true
	})
}

func (e *event) readMessage(body gjson.Result) {
	m := &e.message
	body.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "type":
			e.text(msgType, &v, &m.kind)
		case "term":
			e.number(msgTerm, &v, &m.term)
		case "from":
			e.id(msgFrom, &v, &m.from)
		case "to":
			e.id(msgTo, &v, &m.to)
		case "entries":
			e.number(msgEntries, &v, &m.entries)
		case "logTerm":
			e.number(msgLogTerm, &v, &m.logTerm)
		case "index":
			e.number(msgIndex, &v, &m.index)
		case "commit":
			e.number(msgCommit, &v, &m.commit)
		case "reject":
			if e.see(msgReject, &v) {
				m.reject = v.Type == gjson.True
				e.wrong = e.wrong || !v.IsBool()
			}
		case "rejectHint":
			e.number(msgRejectHint, &v, &m.rejectHint)
		}
		return true
	})
}

// see notes that a key stands in the line, and reports whether it has a value:
// null says nothing.
func (e *event) see(k keys, v *gjson.Result) bool {
	if v.Type == gjson.Null {
		return false
	}
	if e.has&k != 0 {
		e.twice = true
	}
	e.has |= k
	return true
}

func (e *event) object(k keys, v *gjson.Result) bool {
	if !e.see(k, v) {
		return false
	}
	if !v.IsObject() {
		e.wrong = true
		return false
	}
	return true
}

func (e *event) text(k keys, v *gjson.Result, to *string) {
	if e.see(k, v) {
		*to = v.Str
		e.wrong = e.wrong || v.Type != gjson.String
	}
}

// number reads an unsigned integer, which may be written in quotes. gjson's own
// number is a float64, so the digits are read again.
func (e *event) number(k keys, v *gjson.Result, to *uint64) {
	if !e.see(k, v) {
		return
	}
	digits := v.Raw
	if v.Type == gjson.String {
		digits = v.Str
	}
	n, ok := parseUint(digits)
	*to = n
	e.wrong = e.wrong || !ok
}

// id reads a node id: a string of digits, or a number as some loggers write it.
func (e *event) id(k keys, v *gjson.Result, to *string) {
	if e.see(k, v) {
		*to = e.nodeName(v)
	}
}

func (e *event) nodeName(v *gjson.Result) string {
	switch v.Type {
	case gjson.String:
		return v.Str
	case gjson.Number:
		n, ok := parseUint(v.Raw)
		e.wrong = e.wrong || !ok
		e.inexact = e.inexact || n > 1<<53
		return v.Raw
	}
	e.wrong = true
	return ""
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
