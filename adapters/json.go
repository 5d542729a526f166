package adapters

import (
	"bytes"
	"slices"

	"github.com/tidwall/gjson"
)

// JSONSpan finds the value at a gjson path of a line: line[start:end] is the
// value as it is written. It returns 0, 0 if the path leads nowhere.
func JSONSpan(line []byte, path string) (start, end int) {
	r := gjson.GetBytes(line, path)
	if !r.Exists() || r.Index == 0 {
		return 0, 0
	}
	return r.Index, r.Index + len(r.Raw)
}

// maxDepth is how deep a line may nest. gjson walks it recursively, and no trace
// nests deeper than a few levels.
const maxDepth = 512

// ValidJSON reports whether a line is one JSON value that nests no deeper than
// any trace does, and so is safe to hand to gjson.
func ValidJSON(line []byte) bool {
	return nestsAtMost(line, maxDepth) && gjson.ValidBytes(line)
}

// nestsAtMost reports whether no value of a line, if it is valid, stands in more
// than depth objects and arrays.
func nestsAtMost(line []byte, depth int) bool {
	if bytes.Count(line, []byte{'{'})+bytes.Count(line, []byte{'['}) <= depth {
		return true
	}
	open, inString := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if open++; open > depth {
				return false
			}
		case c == '}' || c == ']':
			open--
		}
	}
	return true
}

// RepeatsKey reports whether some object of a line has a key twice. The line is
// one that [ValidJSON] accepts.
func RepeatsKey(line []byte) bool { return repeatsKey(gjson.ParseBytes(line)) }

func repeatsKey(v gjson.Result) (twice bool) {
	if !v.IsObject() && !v.IsArray() {
		return false
	}
	var keys []string // few: an object of a trace has a dozen keys
	seen := map[string]bool(nil)
	v.ForEach(func(key, value gjson.Result) bool {
		if v.IsObject() {
			if len(keys) == 32 && seen == nil {
				seen = make(map[string]bool)
				for _, k := range keys {
					seen[k] = true
				}
			}
			if twice = seen[key.Str] || seen == nil && slices.Contains(keys, key.Str); twice {
				return false
			}
			if seen == nil {
				keys = append(keys, key.Str)
			} else {
				seen[key.Str] = true
			}
		}
		twice = repeatsKey(value)
		return !twice
	})
	return twice
}
