package kraft

import "bytes"

// Kafka prints states and requests with Java's toString: Name(key=value, …),
// records as Name[key=value, …], maps as {key=value, …}, lists as [value, …],
// nested as they come. They differ from version to version in which keys they have
// and in little things, such as a comma that is missing. So they are read by
// balanced brackets and by the names of keys, never by a pattern for a version.

// body returns what stands between the first bracket of b and its partner, what
// stands before it, and what follows; ok is false if the brackets do not balance.
func body(b []byte) (name, inside, rest []byte, ok bool) {
	open := bytes.IndexAny(b, "([{")
	if open < 0 {
		return b, nil, nil, false
	}
	end := partner(b, open)
	if end < 0 {
		return b[:open], nil, nil, false
	}
	return b[:open], b[open+1 : end], b[end+1:], true
}

// partner returns where the bracket at open is closed, or -1.
func partner(b []byte, open int) int {
	depth := 0
	for i := open; i < len(b); i++ {
		switch b[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// field returns the value of a key at the top level of b, up to the next comma
// or, where one is missing, the next space before a key. ok is false if b does
// not have the key.
func field(b []byte, key string) (value []byte, ok bool) {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth != 0 || !startsKey(b, i, key) {
			continue
		}
		return valueAt(b[i+len(key)+1:]), true
	}
	return nil, false
}

// startsKey reports whether a key followed by "=" begins at i.
func startsKey(b []byte, i int, key string) bool {
	if i > 0 && b[i-1] != ' ' && b[i-1] != ',' {
		return false
	}
	rest := b[i:]
	return len(rest) > len(key) && string(rest[:len(key)]) == key && rest[len(key)] == '='
}

// valueAt returns the value that b begins with.
func valueAt(b []byte) []byte {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return b[:i]
			}
		case ',', ' ':
			if depth == 0 {
				return b[:i]
			}
		}
	}
	return b
}

// each calls f with each key and value of a map's body, or each value of a
// list's with an empty key.
func each(b []byte, f func(key, value []byte)) {
	for len(b) > 0 {
		b = bytes.TrimLeft(b, ", ")
		v := valueAt(b)
		if len(v) == 0 {
			return
		}
		b = b[len(v):]
		if eq := bytes.IndexByte(v, '='); eq >= 0 && !bytes.ContainsAny(v[:eq], "([{") {
			f(v[:eq], v[eq+1:])
		} else {
			f(nil, v)
		}
	}
}

// number reads a decimal number that b consists of. Negative ones and those that
// are too large are not read.
func number(b []byte) (n uint64, ok bool) {
	if len(b) == 0 || len(b) > 19 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

// leading reads the decimal number that b begins with.
func leading(b []byte) (n uint64, rest []byte, ok bool) {
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	n, ok = number(b[:i])
	return n, b[i:], ok
}

// present takes the value out of Optional[x] or OptionalInt[x]; ok is false if it
// is empty. A value without such a wrapping is itself.
func present(b []byte) (value []byte, ok bool) {
	switch string(b) {
	case "", "Optional.empty", "OptionalInt.empty", "OptionalLong.empty", "null", "-1", "<undefined>":
		return nil, false
	}
	if bytes.HasPrefix(b, []byte("Optional")) {
		if _, inside, _, ok := body(b); ok {
			return inside, true
		}
		return nil, false
	}
	return b, true
}
