package mapping

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

func TestMistakesHaveTheirPlace(t *testing.T) {
	for src, want := range map[string]string{
		"name: x\ntitel: y\n": `m.yaml:2:1: unknown field "titel"`,
		"name: x\nlines:\n  - pattern: 'a('\n    action: Observe\n":                   "m.yaml:3:14: error parsing regexp",
		"name: x\nlines:\n  - pattern: a\n    action: Jump\n":                         `m.yaml:4:13: unknown action "Jump"`,
		"name: x\nlines:\n  - pattern: a\n    acton: Observe\n":                       `m.yaml:4:5: unknown field "acton"`,
		"name: x\nlines:\n  - pattern: a\n    action: Observe\n    after: {tem: 1}\n": `m.yaml:5:18: unknown key "tem"`,
		"name: x\nshows: [everything]\nlines: []\n":                                   `m.yaml:2:9: unknown fact "everything"`,
		"title: x\n":                        "m.yaml:1:1: the key name is missing",
		"name: [":                           "m.yaml:1:",
		"name: x\nlines:\n  - pattern: a\n": "m.yaml:3:14: a line has an action",
	} {
		_, err := Parse("m.yaml", []byte(src))
		require.ErrorContains(t, err, want, src)
	}
}

func TestWordsOf(t *testing.T) {
	for pattern, want := range map[string]string{
		`^became (?P<x>\d+) of them`: " of them", `x.*|bcd`: "x bcd", `(?i)abc`: "", `(abcd)?e`: "e", `(abc){2}`: "abc",
		`a+(one|three)b?`: "one three", `(one|\d)`: "",
	} {
		require.Equal(t, want, string(bytes.Join(wordsOf(pattern), []byte(" "))), pattern)
	}
}

func TestShape(t *testing.T) {
	a := Shape([]byte(`10:00:01 n1 became leader at term 7 id 8e9e05c52164694d "x"`))
	b := Shape([]byte(`11:30:02 n2 became leader at term 12 id 91bc3c398fb3c146 "yz"`))
	require.Equal(t, a, b)
	require.Contains(t, a, "became leader at term")
}

// TestScaffold: what is written for a log is a mapping whose tests pass.
func TestScaffold(t *testing.T) {
	for _, log := range []string{
		"", "plain words\nn1 votes for n2 in term 3", `{"msg":"became leader at term 4"}`,
		"2024-01-01T10:00:00Z [INFO] raft: vote 'it' \x00\xff # : {\n2024-01-01T10:00:00Z [INFO] b",
	} {
		src := Scaffold(bytes.Split([]byte(log), []byte("\n")))
		m, err := Parse("new.yaml", src)
		require.NoError(t, err, string(src))
		for _, test := range m.Tests {
			require.Empty(t, m.Run(test), log)
		}
	}
}

// samples are the lines of the inline tests of a mapping.
func samples(m *Mapping) (lines []string) {
	for _, t := range m.Tests {
		lines = append(lines, t.Lines...)
	}
	return lines
}

// TestSniff: every mapping knows its own lines, and no line of another.
func TestSniff(t *testing.T) {
	for _, m := range Shipped() {
		for _, other := range Shipped() {
			var lines [][]byte
			for _, l := range samples(other) {
				lines = append(lines, []byte(l))
			}
			require.Equal(t, m == other, m.sniff(lines) > 0, "%s looks at lines of %s", m.Name, other.Name)
		}
	}
}

// TestSpan: a place lies in its line.
func TestSpan(t *testing.T) {
	for _, m := range Shipped() {
		d := m.Adapter().New(&spec.Groups{})
		d.(adapters.Introduced).Introduce("n1.log", nil)
		found := 0
		for _, l := range samples(m) {
			for f := range spec.NumFields {
				start, end := d.Span([]byte(l), f)
				require.True(t, 0 <= start && start <= end && end <= len(l), "%s: %q", m.Name, l)
				if end > start {
					found++
				}
			}
		}
		require.Positive(t, found, m.Name)
	}
}

func FuzzParse(f *testing.F) {
	for _, m := range Shipped() {
		src, err := files.ReadFile("mappings/" + m.Name + ".yaml")
		require.NoError(f, err)
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Parse("m.yaml", src)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "m.yaml:"), err.Error())
			return
		}
		for _, test := range m.Tests {
			m.Run(test)
		}
	})
}

func FuzzLines(f *testing.F) {
	for _, m := range Shipped() {
		for _, l := range samples(m) {
			f.Add([]byte(l))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, m := range Shipped() {
			groups := &spec.Groups{}
			d := m.Adapter().New(groups)
			d.(adapters.Introduced).Introduce("n1.log", nil)
			var a spec.Action
			for l := range bytes.SplitSeq(text, []byte("\n")) {
				a.Reset()
				o := d.Decode(&ingest.Record{Data: l}, &a)
				require.NotEqual(t, o.Verdict == adapters.Checked, o.Why != "", m.Name)
				require.NotEmpty(t, Describe(&a, o, groups), m.Name)
				d.Span(l, spec.FieldTerm)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, m := range Shipped() {
		lines := samples(m)
		b.Run(m.Name, func(b *testing.B) {
			d := m.Adapter().New(&spec.Groups{})
			d.(adapters.Introduced).Introduce("n1.log", nil)
			var rec ingest.Record
			var a spec.Action
			data := make([][]byte, len(lines))
			for i, l := range lines {
				data[i] = []byte(l)
			}
			for i := 0; b.Loop(); i++ {
				rec.Data = data[i%len(data)]
				a.Reset()
				d.Decode(&rec, &a)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// TestPage: the example of docs/adapters/mapping.md is in order and its tests pass.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/adapters/mapping.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), "```yaml\n")
	require.True(t, found)
	src, _, _ := strings.Cut(rest, "```")
	m, err := Parse("example.yaml", []byte(src))
	require.NoError(t, err)
	require.Len(t, m.Tests, 1)
	require.Empty(t, m.Run(m.Tests[0]))
	for _, shipped := range Shipped() {
		require.Contains(t, string(page), "| `"+shipped.Name+"` |")
	}
}
