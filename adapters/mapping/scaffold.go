package mapping

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
)

// telling are words of lines that may say something about a protocol.
var telling = regexp.MustCompile(`(?i)\b(raft|term|epoch|vote[ds]?|voting|elect\w*|leader|candidate|follower|commit\w*|append\w*|snapshot|appl(y|ied)|index|truncat\w*)\b`)

// envelopes are beginnings of lines that many loggers write, the strictest first.
var envelopes = []string{
	`^\S+[T ]\d\d:\d\d:\d\d\S* +\[(?P<level>[A-Za-z]+)\] +(?P<message>.*)$`,
	`^\S+[T ]\d\d:\d\d:\d\d\S* +(?P<level>[A-Z]+) +(?P<message>.*)$`,
	`^\S+[T ]\d\d:\d\d:\d\d\S* +(?P<message>.*)$`,
	`^\[(?P<server>[^\]\s]+)\] +(?P<message>.*)$`,
}

// Scaffold writes the beginning of a mapping file for a log, which parses as it is.
func Scaffold(lines [][]byte) []byte {
	var out bytes.Buffer
	out.WriteString(`# A mapping file: how the lines of a log are read. Every key is described in
# docs/adapters/mapping.md. "tracecheck mapping test FILE LOG" shows what is missing.
name: my-raft
title: what the log is of

# Where the implementation is freer than the paper; leave it out otherwise.
# profile: {selfVoteOnTimeout: true}

# What stands around every message. A server that no line names is called as the file is.
envelope:
`)
	out.WriteString(envelopeFor(lines))
	out.WriteString(`
# What is said when a state is found that cannot be: the implementation's own alarm.
# sentinels: ['this should not happen']

# Each kind of line: a regular expression with named groups, the step of the
# specification, and what it shows of the server before or after the step.
lines:
  - pattern: 'became leader at term (?P<term>\d+)'
    action: BecomeLeader
    after: {currentTerm: $term, role: Leader}
`)
	var shapes Shapes
	for _, l := range lines {
		if telling.Match(l) {
			shapes.Add(l)
		}
	}
	if most := shapes.Most(30); len(most) > 0 {
		out.WriteString("\n# Shapes of lines of the log that may say something, with how many there are:\n")
		for _, s := range most {
			fmt.Fprintf(&out, "# %6d  %s\n", s.Lines, strings.ToValidUTF8(oneLine(s.Shape), "?"))
		}
	}
	out.WriteString(`
# ignore:
#   why they say nothing: 'a pattern'

tests:
`)
	out.WriteString(testFor(lines))
	return out.Bytes()
}

// testFor is an inline test that passes.
func testFor(lines [][]byte) string {
	line := "became leader at term 3"
	if key := messageKey(lines); key != "" {
		line = fmt.Sprintf(`{"%s":"%s"}`, key, line)
	}
	return fmt.Sprintf("  - lines: ['%s']\n    want: ['ignored: no server']\n", line)
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return ' '
		}
		return r
	}, s)
}

// messageKey is the key of the message, if most lines are JSON objects that have one.
func messageKey(lines [][]byte) (key string) {
	objects := 0
	for _, l := range lines {
		if len(l) == 0 || l[0] != '{' || !adapters.ValidJSON(l) {
			continue
		}
		objects++
		for _, k := range []string{"msg", "message", "@message"} {
			if key == "" && gjson.GetBytes(l, k).Type == gjson.String {
				key = k
			}
		}
	}
	if 2*objects < len(lines) {
		return ""
	}
	return key
}

// envelopeFor picks the envelope that fits most of the lines, if it fits half.
func envelopeFor(lines [][]byte) string {
	if key := messageKey(lines); key != "" {
		return fmt.Sprintf("  json: {message: '%s'}\n", key)
	}
	for _, e := range envelopes {
		re, fit := regexp.MustCompile(e), 0
		for _, l := range lines {
			if re.Match(l) {
				fit++
			}
		}
		if fit > 0 && 2*fit >= len(lines) {
			return fmt.Sprintf("  # regexp: '%s' # fits %d of %d lines\n  regexp: '(?P<message>.*)'\n", e, fit, len(lines))
		}
	}
	return "  regexp: '(?P<message>.*)'\n"
}
