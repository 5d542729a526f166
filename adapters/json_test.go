package adapters

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJSONSpan(t *testing.T) {
	line := []byte(`{"a": {"b":"x"}, "c":[1, {"d":true}]}`)
	for path, want := range map[string]string{
		"a": `{"b":"x"}`, "a.b": `"x"`, "c.0": "1", "c.1.d": "true", "nowhere": "", "a.nowhere": "",
	} {
		start, end := JSONSpan(line, path)
		require.Equal(t, want, string(line[start:end]), path)
	}
}

func TestValidJSON(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for line, want := range map[string]bool{
		`{"a":[]}`:                                 true,
		`{"a":[]`:                                  false,
		`{"a":1} {}`:                               false,
		nested(maxDepth):                           true,
		nested(maxDepth + 1):                       false,
		strings.Repeat("[", 1<<20):                 false,
		`["` + strings.Repeat("{", 2*maxDepth):     false,
		`["` + strings.Repeat(`\"{`, 1000) + `"]`:  true,
		"[" + strings.Repeat("{},", 1000) + "{}]":  true,
		"[" + strings.Repeat("{},", 1000) + "{}]]": false,
	} {
		require.Equal(t, want, ValidJSON([]byte(line)), "%.40s", line)
	}
}

func TestRepeatsKey(t *testing.T) {
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf("%q:%d", fmt.Sprint("k", i), i)
	}
	for line, want := range map[string]bool{
		`{}`: false, `7`: false, `{"a":1,"b":1}`: false, `{"a":1,"a":1}`: true,
		`{"a":{"x":1},"b":{"x":2}}`: false, `{"a":{"x":1,"x":2}}`: true, `[{"x":1},{"x":2}]`: false, `[{"x":1,"x":1}]`: true,
		"{" + strings.Join(many, ",") + "}": false, "{" + strings.Join(many, ",") + `,"k99":0}`: true,
	} {
		require.Equal(t, want, RepeatsKey([]byte(line)), "%.60s", line)
	}
}
