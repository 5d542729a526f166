package native

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

const page = "../../docs/trace-format.md"

// examples are the lines of the ```json blocks of the page about the format.
func examples(t testing.TB) (lines []string) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for i, block := range strings.Split(string(text), "```") {
		if body, ok := strings.CutPrefix(block, "json\n"); ok && i%2 == 1 {
			lines = append(lines, strings.Split(strings.TrimSpace(body), "\n")...)
		}
	}
	require.NotEmpty(t, lines)
	return lines
}

// TestExamples: every line of the page is understood without a complaint, as an
// action, a header or a note, and there is one for every action that there is.
func TestExamples(t *testing.T) {
	d := Adapter.New(&spec.Groups{})
	shown := make(map[string]bool)
	for _, line := range examples(t) {
		var a spec.Action
		o := d.Decode(&ingest.Record{Data: []byte(line)}, &a)
		require.Nil(t, o.Warn, line)
		if o.Verdict == adapters.Checked {
			shown[a.Name()] = true
			continue
		}
		note := strings.HasPrefix(line, `{"skip"`) || strings.HasPrefix(line, `{"damaged"`) || strings.HasPrefix(line, `{"unrecognised"`)
		require.True(t, note || o.Why == whyHeader, "%s: %s", line, o.Why)
	}
	for name := range steps {
		require.True(t, shown[name], "the page has no example of %s", name)
	}
}

// TestQuickStart: the first ten lines of the page conform, and with the change
// that the page proposes they are the violation that it quotes.
func TestQuickStart(t *testing.T) {
	lines := slices.Clone(examples(t)[:10])
	require.Empty(t, check(t, lines))

	lines[4] = strings.Replace(lines[4], `"votedFor":"n1"`, `"votedFor":"n3"`, 1)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), "violation "+check(t, lines)+"\n   --> trace.ndjson:5\n")
}

// check replays lines and returns the first finding, which must be at line 5.
func check(t *testing.T, lines []string) string {
	groups := &spec.Groups{}
	d := Adapter.New(groups)
	checker := replay.New(groups, replay.Options{})
	for i, line := range lines {
		var a spec.Action
		if o := d.Decode(&ingest.Record{Data: []byte(line)}, &a); o.Verdict != adapters.Checked {
			require.Equal(t, whyHeader, o.Why)
			continue
		}
		a.Ref = ingest.MakeRef(0, uint64(i+1))
		for _, f := range checker.Step(&a) {
			require.Equal(t, ingest.MakeRef(0, 5), f.Ref)
			return fmt.Sprintf("%s %s: %s", f.Rule.ID, f.Rule.Name, f.Message)
		}
	}
	require.Equal(t, replay.Conforms, checker.Finish().Verdict)
	return ""
}

// TestPageNames: the page has every name of the format.
func TestPageNames(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	all := append([]string{}, factNames...)
	for name := range Presets {
		all = append(all, name)
	}
	for _, f := range profileFlags {
		all = append(all, f.key)
	}
	for _, f := range flagNames {
		all = append(all, f.name)
	}
	for _, key := range lineKeys {
		if key != "tracecheck" && key != "skip" && key != "damaged" && key != "unrecognised" {
			all = append(all, key)
		}
	}
	for _, k := range keysOf[1:] {
		all = append(all, k.index, k.term, k.result)
	}
	all = append(all, entryKindNames[spec.Command:]...)
	for _, name := range all {
		require.Contains(t, string(text), "`"+name+"`")
	}
}

// schema compiles the JSON Schema of a line and returns what it says of one.
func schema(t *testing.T) func(line string) error {
	s, err := jsonschema.NewCompiler().Compile("../../docs/trace-format.schema.json")
	require.NoError(t, err)
	return func(line string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		require.NoError(t, err, line)
		return s.Validate(v)
	}
}

func TestSchemaAcceptsExamples(t *testing.T) {
	validate := schema(t)
	for _, line := range examples(t) {
		require.NoError(t, validate(line), line)
	}
}

func TestSchemaAcceptsWhatIsWritten(t *testing.T) {
	validate := schema(t)
	rapid.Check(t, func(t *rapid.T) {
		groups := drawGroups(t)
		a := drawAction(t, groups.List[0])
		var out bytes.Buffer
		require.NoError(t, NewEncoder(&out, groups).Encode(&a))
		require.NoError(t, validate(out.String()), out.String())
	})
}

// TestSchemaRejects: the schema refuses what the decoder complains about.
func TestSchemaRejects(t *testing.T) {
	validate := schema(t)
	for _, line := range []string{
		`[]`,
		`{}`,
		`{"action":"Timeout"}`,
		`{"action":"Timeuot","server":"1"}`,
		`{"action":"Send","server":"1"}`,
		`{"action":"Timeout","server":""}`,
		`{"action":"Timeout","server":-1}`,
		`{"action":"Timeout","server":1.5}`,
		`{"action":"Timeout","server":"1","aftr":{}}`,
		`{"action":"Timeout","server":"1","after":7}`,
		`{"action":"Timeout","server":"1","after":{"term":2}}`,
		`{"action":"Timeout","server":"1","after":{"role":"leader"}}`,
		`{"action":"Timeout","server":"1","after":{"currentTerm":-1}}`,
		`{"action":"Timeout","server":"1","after":{"currentTerm":1.5}}`,
		`{"action":"Timeout","server":"1","after":{"currentTerm":"1"}}`,
		`{"action":"Timeout","server":"1","after":{"currentTerm":null}}`,
		`{"action":"Timeout","server":"1","after":{"currentTerm":18446744073709551616}}`,
		`{"action":"Timeout","server":"1","after":{"votedFor":-1}}`,
		`{"action":"Timeout","server":"1","after":{"config":"1"}}`,
		`{"action":"Timeout","server":"1","after":{"config":[["1"]]}}`,
		`{"action":"Timeout","server":"1","after":{"config":{"voters":["1"],"quorums":[["1"]]}}}`,
		`{"action":"Timeout","server":"1","after":{"snapshot":5}}`,
		`{"action":"Timeout","server":"1","flags":["maybe"]}`,
		`{"action":"Timeout","server":"1","flags":"durable"}`,
		`{"action":"Timeout","server":"1","skip":"x"}`,
		`{"action":"Timeout","server":"1","voters":["1"]}`,
		`{"action":"Apply","server":"1","entry":{"index":1,"kind":"what"}}`,
		`{"action":"Apply","server":"1","entry":{"index":1},"entries":[]}`,
		`{"action":"RequestVote","server":"1","message":{"prevLogIndex":2}}`,
		`{"action":"AppendEntries","server":"1","message":{"lastLogIndex":2}}`,
		`{"action":"AppendEntries","server":"1","message":{"entries":-1}}`,
		`{"action":"RespondRequestVote","server":"1","message":{"success":true}}`,
		`{"action":"RespondRequestVote","server":"1","message":{"voteGranted":1}}`,
		`{"action":"RespondAppendEntries","server":"1","message":{"prevLogIndex":1}}`,
		`{"action":"SendSnapshot","server":"1","message":{"prevLogIndex":1}}`,
		`{"action":"DropMessage","server":"1","message":{"type":"AppendEntries"}}`,
		`{"tracecheck":2}`,
		`{"tracecheck":1,"profile":"raftt"}`,
		`{"tracecheck":1,"profile":{"selfAck":1}}`,
		`{"tracecheck":1,"shows":["sends"]}`,
		`{"tracecheck":1,"voters":3}`,
		`{"voters":["1"]}`,
		`{"skip":7}`,
	} {
		require.Error(t, validate(line), line)
		o := outcomes(&spec.Groups{}, []byte(line))[0]
		require.True(t, o.Verdict >= adapters.Unrecognised || o.Warn != nil, "the decoder takes what the schema refuses: %s", line)
	}
}
