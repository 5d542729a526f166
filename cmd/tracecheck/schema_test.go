package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// TestReportsFollowTheirSchemas: what -o json and -o ndjson print of every sample
// is what docs/*.schema.json promises.
func TestReportsFollowTheirSchemas(t *testing.T) {
	compile := func(name string) *jsonschema.Schema {
		s, err := jsonschema.NewCompiler().Compile("../../docs/" + name)
		require.NoError(t, err)
		return s
	}
	document, line := compile("report.schema.json"), compile("findings.schema.json")
	valid := func(s *jsonschema.Schema, text string) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, s.Validate(v), "%.300s", text)
	}
	traces, err := filepath.Glob("../../samples/*/*/trace*")
	require.NoError(t, err)
	for _, trace := range traces {
		out, _, _ := tracecheck(t, "check", "-q", "-o", "json", trace)
		valid(document, out)
		out, _, _ = tracecheck(t, "check", "-q", "-o", "ndjson", trace)
		for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
			valid(line, l)
		}
	}
	// A trace that cannot be read, and so has neither adapter nor findings.
	unread := filepath.Join(t.TempDir(), "prose.txt")
	require.NoError(t, os.WriteFile(unread, []byte("It was a dark and stormy night.\n"), 0o644))
	out, _, _ := tracecheck(t, "check", "-q", "-o", "json", unread)
	require.Contains(t, out, "incomplete")
	valid(document, out)
	out, _, _ = tracecheck(t, "check", "-q", "-o", "ndjson", unread)
	valid(line, out)
	require.Error(t, line.Validate(map[string]any{"type": "finding"}))
}
