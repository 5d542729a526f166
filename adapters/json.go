package adapters

import "github.com/tidwall/gjson"

// JSONSpan finds the value at a gjson path of a line: line[start:end] is the
// value as it is written. It returns 0, 0 if the path leads nowhere.
func JSONSpan(line []byte, path string) (start, end int) {
	r := gjson.GetBytes(line, path)
	if !r.Exists() || r.Index == 0 {
		return 0, 0
	}
	return r.Index, r.Index + len(r.Raw)
}
