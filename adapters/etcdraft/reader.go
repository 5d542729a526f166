package etcdraft

import (
	"unsafe"

	"github.com/tidwall/gjson"
)

// reader reads one line of JSON from left to right, once: it checks every byte
// against the grammar while it takes out what the caller asks for. gjson, which
// the rest of the project uses, has to pass over a nested line about four times
// for the same (once to validate, since it accepts cut lines, and once more for
// each level), which is most of the time of a whole check; and its validation
// recurses as deeply as a line nests, without end. FuzzReader holds the two
// against each other.
//
// An object is read with
//
//	for r.open(); r.more(); {
//		switch r.key {
//		case "term":
//			term := r.raw()
//		default:
//			r.skip()
//		}
//	}
//
// where each turn reads exactly one value. After the first error all calls do
// nothing, more is false and ok is false.
type reader struct {
	s     string
	i     int
	ok    bool
	first bool   // open has just been called
	key   string // of the member that is next
}

// maxDepth bounds how deeply a value may nest. An event nests four levels.
const maxDepth = 512

// newReader returns a reader of line. It reads the bytes in place, as a string,
// so they must not change while a piece of it is in use.
func newReader(line []byte) reader {
	r := reader{s: unsafe.String(unsafe.SliceData(line), len(line)), ok: true}
	r.space()
	return r
}

func (r *reader) fail() { r.ok = false }

// peek returns the first byte of the next value, or 0 at the end.
func (r *reader) peek() byte {
	if !r.ok || r.i >= len(r.s) {
		return 0
	}
	return r.s[r.i]
}

// take passes over c, which must be next, and the white space behind it.
func (r *reader) take(c byte) {
	if r.peek() != c {
		r.fail()
		return
	}
	r.i++
	r.space()
}

func (r *reader) space() {
	for r.i < len(r.s) && r.s[r.i] <= ' ' {
		switch r.s[r.i] {
		case ' ', '\t', '\n', '\r':
			r.i++
		default:
			return
		}
	}
}

// open begins an object, which must be next.
func (r *reader) open() {
	r.take('{')
	r.first = true
}

// more goes to the next member's value, or ends the object.
func (r *reader) more() bool {
	if r.peek() == '}' {
		r.first = false
		r.take('}')
		return false
	}
	if !r.first {
		r.take(',')
	}
	r.first = false
	r.key = r.text()
	r.take(':')
	return r.ok
}

// end reports whether the line was one whole value.
func (r *reader) end() bool { return r.ok && r.i == len(r.s) }

// text reads a string with its escapes undone.
func (r *reader) text() string {
	start := r.i
	escaped := r.quoted()
	if !r.ok {
		return ""
	}
	raw := r.s[start:r.i]
	r.space()
	if escaped {
		return gjson.Parse(raw).Str
	}
	return raw[1 : len(raw)-1]
}

// quoted passes over a string and reports whether it has escapes.
func (r *reader) quoted() (escaped bool) {
	if r.peek() != '"' {
		r.fail()
		return false
	}
	for i := r.i + 1; i < len(r.s); i++ {
		switch c := r.s[i]; {
		case c == '"':
			r.i = i + 1
			return escaped
		case c < ' ':
			r.fail()
			return false
		case c == '\\':
			escaped = true
			n := escape(r.s[i+1:])
			if n == 0 {
				r.fail()
				return false
			}
			i += n
		}
	}
	r.fail()
	return false
}

// escape returns the length of the escape sequence after a backslash, or 0.
func escape(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		if len(s) < 5 {
			return 0
		}
		for _, c := range []byte(s[1:5]) {
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0
			}
		}
		return 5
	}
	return 0
}

// raw passes over a value and returns its JSON text.
func (r *reader) raw() string {
	start := r.i
	r.value(0)
	if !r.ok {
		return ""
	}
	raw := r.s[start:r.i]
	r.space()
	return raw
}

// skip passes over a value.
func (r *reader) skip() { r.raw() }

// value passes over a value, and not over the white space behind it.
func (r *reader) value(depth int) {
	switch c := r.peek(); {
	case c == '"':
		r.quoted()
	case c == '{' || c == '[':
		r.nested(c, depth)
	case c == 't':
		r.literal("true")
	case c == 'f':
		r.literal("false")
	case c == 'n':
		r.literal("null")
	default:
		r.number()
	}
}

// nested passes over an object or an array.
func (r *reader) nested(opening byte, depth int) {
	if depth == maxDepth {
		r.fail()
		return
	}
	closing := opening + 2 // in ASCII, for both kinds of brackets
	r.take(opening)
	for first := true; r.ok && r.peek() != closing; first = false {
		if !first {
			r.take(',')
		}
		if opening == '{' {
			r.quoted()
			r.space()
			r.take(':')
		}
		r.value(depth + 1)
		r.space()
	}
	if r.ok {
		r.i++
	}
}

func (r *reader) literal(word string) {
	if len(r.s)-r.i < len(word) || r.s[r.i:r.i+len(word)] != word {
		r.fail()
		return
	}
	r.i += len(word)
}

// number passes over a number.
func (r *reader) number() {
	if r.peek() == '-' {
		r.i++
	}
	if r.peek() == '0' {
		r.i++
	} else {
		r.digits()
	}
	if r.peek() == '.' {
		r.i++
		r.digits()
	}
	if r.peek()|0x20 == 'e' {
		r.i++
		if c := r.peek(); c == '+' || c == '-' {
			r.i++
		}
		r.digits()
	}
}

// digits passes over one digit or more.
func (r *reader) digits() {
	start := r.i
	for r.i < len(r.s) && r.s[r.i]-'0' <= 9 {
		r.i++
	}
	if r.i == start {
		r.fail()
	}
}
