package adapters

import (
	"bytes"

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
