package native

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// examples are the lines in the page about the format.
func examples(t testing.TB) (lines []string) {
	page, err := os.ReadFile("../../docs/trace-format.md")
	require.NoError(t, err)
	for _, l := range strings.Split(string(page), "\n") {
		if strings.HasPrefix(l, "{") {
			lines = append(lines, l)
		}
	}
	require.NotEmpty(t, lines)
	return lines
}

// decodeAll decodes lines and encodes what was understood.
func decodeAll(t *testing.T, lines []string) (actions []spec.Action, encoded []string) {
	groups := &spec.Groups{}
	d := Adapter.New(groups)
	var out bytes.Buffer
	e := NewEncoder(&out, groups)
	for _, l := range lines {
		var a spec.Action
		rec := ingest.Record{Data: []byte(l)}
		switch o := d.Decode(&rec, &a); o.Verdict {
		case adapters.Checked:
			require.Nil(t, o.Warn, l)
			actions = append(actions, a)
			require.NoError(t, e.Encode(&a))
		case adapters.Ignored:
			require.NoError(t, e.Skip(o.Why))
		default:
			t.Fatalf("%s: %s", l, o.Why)
		}
	}
	return actions, strings.Split(strings.TrimSpace(out.String()), "\n")
}

// TestExamples: every line of the page is understood, and what is understood of
// it survives being written and read again.
func TestExamples(t *testing.T) {
	lines := examples(t)
	actions, encoded := decodeAll(t, lines)
	again, _ := decodeAll(t, encoded)
	require.Equal(t, actions, again)
	shown := map[string]bool{}
	for i := range actions {
		shown[actions[i].Name()] = true
	}
	for k := range spec.NumKinds {
		if k != spec.Send && k != spec.Receive {
			require.True(t, shown[k.String()], "the page has no example of %s", k)
		}
	}
	for m := spec.RequestVoteRequest; m < spec.NumMessageTypes; m++ {
		require.True(t, shown[spec.ActionName(spec.Send, m)], m.String())
		require.True(t, shown[spec.ActionName(spec.Receive, m)], m.String())
	}
}

func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/trace-format.schema.json")
	require.NoError(t, err)
	valid := func(line string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		require.NoError(t, err)
		return schema.Validate(v)
	}
	lines := examples(t)
	_, encoded := decodeAll(t, lines)
	for _, l := range append(lines, encoded...) {
		require.NoError(t, valid(l), l)
	}
	for _, l := range []string{
		`{"action":"Timeout"}`, `{"action":"Timeuot","server":"1"}`, `{"action":"Timeout","server":"1","after":{"term":2}}`,
		`{"action":"Timeout","server":"1","after":{"currentTerm":-1}}`, `[]`, `{"action":"Timeout","server":"1","flags":["maybe"]}`,
	} {
		require.Error(t, valid(l), l)
	}
}

func TestBadLines(t *testing.T) {
	for line, want := range map[string]adapters.Outcome{
		`{"action":"Timeout","server":"1","after":{"currentTerm":-1}}`:  {Verdict: adapters.Damaged},
		`{"action":"Timeout","server":"1","after":{"currentTerm":1.5}}`: {Verdict: adapters.Damaged},
		`{"action":"Timeout","server":"1","after":7}`:                   {Verdict: adapters.Damaged},
		`{"action":"Timeout"}`:                           {Verdict: adapters.Damaged},
		`{"action":"Timeout","server":"1"`:               {Verdict: adapters.Damaged},
		`{"action":"Timeuot","server":"1"}`:              {Verdict: adapters.Unrecognised},
		`Timeout`:                                        {Verdict: adapters.Unrecognised},
		`{"action":"Timeout","server":"1","aftr":{}}`:    {Warn: UnknownKey},
		`{"action":"Timeout","server":"1","server":"1"}`: {Warn: adapters.DuplicateKey},
		`{"action":"Timeout","server":9007199254740993}`: {Warn: adapters.InexactNumber},
		strings.Repeat("[", 100_000):                     {Verdict: adapters.Unrecognised},
		`{"action":` + strings.Repeat("[", 100_000):      {Verdict: adapters.Damaged},
	} {
		var a spec.Action
		o := Adapter.New(&spec.Groups{}).Decode(&ingest.Record{Data: []byte(line)}, &a)
		require.Equal(t, want.Verdict, o.Verdict, "%.80s", line)
		require.Equal(t, want.Warn, o.Warn, "%.80s", line)
	}
}

func FuzzDecode(f *testing.F) {
	for _, l := range examples(f) {
		f.Add([]byte(l))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var a spec.Action
		d := Adapter.New(&spec.Groups{})
		if o := d.Decode(&ingest.Record{Data: line}, &a); o.Verdict > adapters.Damaged {
			t.Fatal(o)
		}
		for field := range spec.NumFields {
			start, end := d.Span(line, field)
			if start < 0 || end < start || end > len(line) {
				t.Fatal(start, end)
			}
		}
	})
}
