package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tracecheck": main})
}

// TestScripts runs the command line as a user does.
func TestScripts(t *testing.T) {
	samples, err := filepath.Abs("../../samples")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: func(e *testscript.Env) error { e.Setenv("SAMPLES", samples); return nil },
	})
}

// TestDocs: docs/rules.md and docs/cli.md say what the program says.
func TestDocs(t *testing.T) {
	compare(t, "../../docs/rules.md", rulesPage())
	compare(t, "../../docs/cli.md", cliPage())
}

// TestEveryRuleIsDocumented: a rule without its reason and source is no rule.
func TestEveryRuleIsDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range allRules() {
		require.NotEmpty(t, r.Statement, r.ID)
		require.False(t, seen[r.ID], "%s stands twice", r.ID)
		require.False(t, strings.HasSuffix(r.Statement, "."), r.ID)
		if !r.Quality() {
			require.NotEmpty(t, r.Cite, r.ID)
			require.NotZero(t, r.Needs, r.ID)
		}
		seen[r.ID] = true
	}
	_, err := os.Stat("../../docs/rules.md")
	require.NoError(t, err)
}
