package native

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec"
)

// The values of a line. Each is read exactly or not at all: what is not of its
// type makes the line damaged, with a reason that names the key.

// fail makes the line damaged; the first reason counts.
func (d *decoder) fail(key, want string) {
	if d.bad == "" {
		d.bad = key + " is not " + want
	}
}

// warn notes a Q rule that the line breaks; the first counts.
func (d *decoder) warn(r *spec.Rule) {
	if d.warning == nil {
		d.warning = r
	}
}

// unknown notes a key that the format does not have. One that begins with an
// underscore belongs to whoever wrote it.
func (d *decoder) unknown(key string) {
	if key == "" || key[0] != '_' {
		d.warn(adapters.UnknownKey)
	}
}

// maxKeys is how many keys of an object are held against each other. None of ours
// has as many.
const maxKeys = 24

// object calls visit for every member of an object, and notes a key that stands
// twice; since later values overwrite earlier ones, the last one counts.
func (d *decoder) object(key string, v gjson.Result, visit func(key string, v gjson.Result)) {
	if !v.IsObject() {
		d.fail(key, "an object")
		return
	}
	var seen [maxKeys]string
	n := 0
	v.ForEach(func(k, v gjson.Result) bool {
		if slices.Contains(seen[:n], k.Str) {
			d.warn(adapters.DuplicateKey)
		} else if n < maxKeys {
			seen[n] = k.Str
			n++
		}
		visit(k.Str, v)
		return d.bad == ""
	})
}

// list calls visit for every item of a list.
func (d *decoder) list(key string, v gjson.Result, visit func(v gjson.Result)) {
	if !v.IsArray() {
		d.fail(key, "a list")
		return
	}
	v.ForEach(func(_, v gjson.Result) bool {
		visit(v)
		return d.bad == ""
	})
}

func (d *decoder) text(key string, v gjson.Result) string {
	if v.Type != gjson.String {
		d.fail(key, "a string")
	}
	return v.Str
}

func (d *decoder) truth(key string, v gjson.Result) bool {
	if v.Type != gjson.True && v.Type != gjson.False {
		d.fail(key, "true or false")
	}
	return v.Type == gjson.True
}

// number reads a whole number from 0 to 2^64-1.
func (d *decoder) number(key string, v gjson.Result) uint64 {
	if v.Type == gjson.Number {
		if n, err := strconv.ParseUint(v.Raw, 10, 64); err == nil {
			return n
		}
	}
	d.fail(key, "a whole number from 0 to 2^64-1")
	return 0
}

// maxExact is the largest integer up to which a double holds every integer.
const maxExact = "9007199254740992"

// server reads the name of a server: a string, or a whole number, which stands
// for its digits.
func (d *decoder) server(key string, v gjson.Result) spec.ID {
	name := v.Str
	if v.Type == gjson.Number && digits(v.Raw) {
		name = v.Raw
		if len(name) > len(maxExact) || len(name) == len(maxExact) && name > maxExact {
			d.warn(adapters.InexactNumber)
		}
	}
	if name == "" {
		d.fail(key, "a server's name, a string or a whole number")
		return spec.Nil
	}
	d.name = append(d.name[:0], name...)
	id := d.group.Server(d.name)
	if id == spec.Nil {
		d.fail(key, "one of the first 65,535 servers of its group")
	}
	return id
}

// vote reads votedFor. No vote is null, or the empty string that a variable of
// type string holds then.
func (d *decoder) vote(v gjson.Result) spec.ID {
	if v.Type == gjson.Null || v.Type == gjson.String && v.Str == "" {
		return spec.Nil
	}
	return d.server("votedFor", v)
}

// servers reads a set of servers.
func (d *decoder) servers(key string, v gjson.Result) (s spec.Set) {
	d.list(key, v, func(v gjson.Result) {
		if id := d.server(key, v); id != spec.Nil {
			s.Add(id)
		}
	})
	return s
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}

// identity reads what makes a message one and the same at both ends: a whole
// number, in digits also as a string, is itself, and any other string is hashed.
func (d *decoder) identity(key string, v gjson.Result) uint64 {
	if v.Type != gjson.String {
		return d.number(key, v)
	}
	if digits(v.Str) {
		if n, err := strconv.ParseUint(v.Str, 10, 64); err == nil {
			return n
		}
	}
	return hashOf(v.Str)
}

// hash reads a hash of contents: up to 16 hexadecimal digits and a whole number
// are the hash itself, and any other string is hashed.
func (d *decoder) hash(key string, v gjson.Result) uint64 {
	if v.Type != gjson.String {
		return d.number(key, v)
	}
	if h, ok := hexadecimal(v.Str); ok {
		return h
	}
	return hashOf(v.Str)
}

func hexadecimal(s string) (n uint64, ok bool) {
	if s == "" || len(s) > 16 {
		return 0, false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		n = n<<4 | uint64(c)
	}
	return n, true
}

// hashOf is FNV-1a.
func hashOf(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
