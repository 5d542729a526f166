package hashicorp

import (
	"bytes"
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
)

// line is a log line in its parts. They point into the line.
type line struct {
	outer   []byte // what a collector has put before the line, time stamps included
	suffix  []byte // what a collector has put after it, behind a tab
	stamp   []byte // when it was written, if stamps of that form sort as text
	module  []byte
	message []byte
	text    []byte // message and fields as they stand, of a text line
	fields  []field
}

type field struct{ key, value []byte }

// kindOfLine is what a line is before its message is looked at.
type kindOfLine uint8

const (
	noLine      kindOfLine = iota // continuation, panic, anything
	otherModule                   // a log line, and not of raft
	raftLine
)

// read takes a line apart.
func (l *line) read(data []byte) kindOfLine {
	*l = line{fields: l.fields[:0]}
	if at := bytes.IndexByte(data, '{'); at >= 0 && bytes.HasPrefix(data[at:], []byte(`{"@`)) {
		return l.readJSON(data[:at], bytes.TrimSpace(data[at:]))
	}
	return l.readText(data)
}

// readJSON reads what hclog prints with JSONFormat.
func (l *line) readJSON(outer, data []byte) kindOfLine {
	if !adapters.ValidJSON(data) {
		return noLine
	}
	l.outer = outer
	gjson.Parse(unsafe.String(unsafe.SliceData(data), len(data))).ForEach(func(key, v gjson.Result) bool {
		value := []byte(nil)
		if s := v.Str; v.Type == gjson.Null {
			value = nil
		} else if v.Type != gjson.String {
			value = unsafe.Slice(unsafe.StringData(v.Raw), len(v.Raw))
		} else if s != "" {
			value = unsafe.Slice(unsafe.StringData(s), len(s))
		}
		switch key.Str {
		case "@message":
			l.message = value
		case "@module":
			l.module = value
		case "@timestamp":
			l.stamp = value
		case "@level", "@caller":
		default:
			if len(l.fields) < maxFields {
				l.fields = append(l.fields, field{unsafe.Slice(unsafe.StringData(key.Str), len(key.Str)), value})
			}
		}
		return true
	})
	return l.ofModule()
}

// maxFields is how many fields of a line are looked at; raft's have seven at most.
const maxFields = 32

// ofModule says what a line is by the name of its module.
func (l *line) ofModule() kindOfLine {
	if len(l.module) == 0 {
		return otherModule
	}
	m := l.module
	for _, end := range []string{".raft-net", ".snapshot", ".raft-transport"} {
		if cut, ok := bytes.CutSuffix(m, []byte(end)); ok {
			m = cut
			break
		}
	}
	last := m[bytes.LastIndexByte(m, '.')+1:]
	switch string(last) {
	case "raft":
		l.module = m
		return raftLine
	case "raft-net", "snapshot", "raft-transport": // before hclog, beside "raft"
		if len(last) == len(m) {
			l.module = []byte("raft")
			return raftLine
		}
	}
	return otherModule
}

var levels = [][]byte{[]byte("INFO]"), []byte("DEBUG]"), []byte("WARN]"), []byte("ERROR]"), []byte("TRACE]"), []byte("ERR]")}

// readText reads a text line: time, [LEVEL], perhaps file:line:, module:, message.
func (l *line) readText(data []byte) kindOfLine {
	rest, ok := l.afterLevel(data)
	if !ok {
		return l.readSyslog(data)
	}
	rest = bytes.TrimLeft(rest, " ")
	if at := bytes.Index(rest, []byte(": ")); at > 0 && bytes.Contains(rest[:at], []byte(".go:")) {
		rest = rest[at+2:] // include-location
	}
	at := bytes.Index(rest, []byte(": "))
	if at <= 0 || bytes.IndexByte(rest[:at], ' ') >= 0 {
		return otherModule // a line of the program itself
	}
	l.module = rest[:at]
	l.split(rest[at+2:])
	return l.ofModule()
}

func (l *line) afterLevel(data []byte) (rest []byte, ok bool) {
	for from := 0; ; {
		at := bytes.IndexByte(data[from:], '[')
		if at < 0 {
			return nil, false
		}
		from += at + 1
		for _, level := range levels {
			if bytes.HasPrefix(data[from:], level) {
				l.outer = data[:from-1]
				l.stamp = stampOf(l.outer)
				return data[from+len(level):], true
			}
		}
		if from > 400 {
			return nil, false
		}
	}
}

// stampOf finds the time stamp right before the level: 2026-12-01T05:17:20.503Z,
// or 2016/05/02 00:59:56 before hclog.
func stampOf(outer []byte) []byte {
	outer = bytes.TrimRight(outer, " ")
	if n := len(outer) - len("2016/05/02 00:59:56"); n >= 0 && outer[n+4] == '/' && outer[n+7] == '/' && outer[n+10] == ' ' {
		return outer[n:]
	}
	word := outer[bytes.LastIndexAny(outer, " \t")+1:]
	if len(word) >= len("2006-01-02T15:04:05") && word[4] == '-' && word[7] == '-' && word[10] == 'T' {
		return word
	}
	return nil
}

// readSyslog reads a line whose level was lost on the way: "… consul[17203]: raft: message".
func (l *line) readSyslog(data []byte) kindOfLine {
	at := bytes.Index(data, []byte("raft: "))
	if at < 0 || at > 400 {
		return noLine
	}
	start := bytes.LastIndexByte(data[:at], ' ') + 1
	if start == 0 && at > 0 {
		return noLine
	}
	l.outer, l.module = data[:start], data[start:at+4]
	l.split(data[at+6:])
	return l.ofModule()
}

// split cuts message and fields apart: the fields begin behind the last ": "
// before the first '='.
func (l *line) split(text []byte) {
	if at := bytes.LastIndexByte(text, '\t'); at >= 0 {
		text, l.suffix = text[:at], text[at+1:]
	}
	text = bytes.TrimRight(text, " \r")
	l.text, l.message = text, text
	equals := bytes.IndexByte(text, '=')
	if equals < 0 {
		return
	}
	colon := bytes.LastIndex(text[:equals], []byte(": "))
	if colon < 0 {
		return
	}
	l.message = text[:colon]
	rest := text[colon+2:]
	for len(l.fields) < maxFields {
		equals := bytes.IndexByte(rest, '=')
		if equals < 0 {
			return
		}
		f := field{key: bytes.TrimSpace(rest[:equals])}
		f.value, rest = cutValue(rest[equals+1:])
		l.fields = append(l.fields, f)
	}
}

// cutValue reads a value, which is quoted as Go quotes if it holds a blank.
func cutValue(text []byte) (value, rest []byte) {
	if len(text) > 0 && text[0] == '"' {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return text[1:i], text[i+1:]
			}
		}
		return text[1:], nil // the line was cut
	}
	if at := bytes.IndexAny(text, " \t"); at >= 0 {
		return text[:at], text[at:]
	}
	return text, nil
}

// get returns the value of a field, nil if there is none.
func (l *line) get(key string) []byte {
	for i := range l.fields {
		if string(l.fields[i].key) == key {
			return l.fields[i].value
		}
	}
	return nil
}

// number reads a field that is a whole number.
func (l *line) number(key string) (n uint64, ok bool) { return number(l.get(key)) }

func number(text []byte) (n uint64, ok bool) {
	if len(text) == 0 || len(text) > 19 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}
