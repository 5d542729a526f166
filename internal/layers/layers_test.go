// Package layers holds the test of which package may import which.
package layers

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/tracecheck/tracecheck"

// may says what each room may import of this module; arrows point downwards
// only. A room is a folder with all that is below it, unless a longer path has
// its own line.
//
//	cmd ─▶ report ─▶ replay ─▶ invariants ─▶ spec
//	 │        └────▶ ingest ────────────────▶ spec
//	 └────▶ adapters/* ─▶ adapters ─▶ ingest, spec
var may = map[string][]string{
	"spec":       {},
	"invariants": {"spec"},
	"replay":     {"invariants", "spec"},
	"ingest":     {"spec"},
	"adapters":   {"ingest", "spec"},
	"adapters/*": {"adapters", "ingest", "spec"},
	"report":     {"replay", "ingest", "spec"},
	"samples":    {},
	"internal":   {"spec", "adapters/*"}, // what tests of several rooms share
	"cmd":        {"report", "replay", "ingest", "adapters", "adapters/*", "samples", "spec"},
}

// standardOnly are the rooms that import nothing but the standard library and
// what may says.
var standardOnly = []string{"spec", "invariants", "replay"}

// never are packages of the standard library that the reference machine and what
// stands on it do without: they neither read nor write, know no time and start
// nothing.
var never = []string{"os", "io", "net", "log", "time", "sync", "unsafe", "math/rand"}

// TestImports reads the imports of every file that is built into the program.
// Tests may look at whatever they need.
func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, wrong := range wrongImports(t, filepath.ToSlash(rel), path) {
			t.Errorf("%s: %s", path, wrong)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 50, "the walk has not seen the project")
}

// wrongImports says which imports of a file of the package at dir are not allowed.
func wrongImports(t *testing.T, dir, path string) (wrong []string) {
	src, err := os.ReadFile(path)
	require.NoError(t, err)
	return judge(t, dir, path, src)
}

func judge(t *testing.T, dir, path string, src []byte) (wrong []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ImportsOnly)
	require.NoError(t, err)
	from := room(dir)
	allowed, known := may[from]
	if !known {
		return []string{fmt.Sprintf("the room %s is not in the plan", from)}
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		inside, ours := strings.CutPrefix(imported, module+"/")
		to := room(inside)
		switch {
		case ours && to != from && !slices.Contains(allowed, to):
			wrong = append(wrong, fmt.Sprintf("%s must not import %s", from, to))
		case ours && to == from && dir != inside && from == "adapters/*":
			wrong = append(wrong, "an adapter must not import another")
		case !ours && slices.Contains(standardOnly, from) && strings.Contains(strings.Split(imported, "/")[0], "."):
			wrong = append(wrong, fmt.Sprintf("%s imports only the standard library, not %s", from, imported))
		case slices.Contains(standardOnly, from) && slices.Contains(never, imported):
			wrong = append(wrong, fmt.Sprintf("%s is pure and must not import %s", from, imported))
		}
	}
	return wrong
}

// room is the line of may that a folder belongs to.
func room(dir string) string {
	top, below, deeper := strings.Cut(dir, "/")
	if top == "adapters" && deeper && below != "" {
		return "adapters/*"
	}
	return top
}

// TestWrongImportsAreSeen: the rule above is one that can be broken.
func TestWrongImportsAreSeen(t *testing.T) {
	for _, c := range []struct{ dir, imports, want string }{
		{"spec", module + "/replay", "spec must not import replay"},
		{"spec", "os", "spec is pure and must not import os"},
		{"invariants", "github.com/tidwall/gjson", "invariants imports only the standard library, not github.com/tidwall/gjson"},
		{"replay", module + "/adapters", "replay must not import adapters"},
		{"replay", module + "/ingest", "replay must not import ingest"},
		{"adapters", module + "/adapters/ccf", "adapters must not import adapters/*"},
		{"adapters/ccf", module + "/adapters/native", "an adapter must not import another"},
		{"report", module + "/adapters", "report must not import adapters"},
		{"cellar", "fmt", "the room cellar is not in the plan"},
	} {
		src := fmt.Appendf(nil, "package p\n\nimport _ %q\n", c.imports)
		require.Equal(t, []string{c.want}, judge(t, c.dir, "p.go", src))
	}
	for _, c := range []struct{ dir, imports string }{
		{"cmd/tracecheck", module + "/adapters/ccf"},
		{"adapters/ccf", module + "/adapters"},
		{"spec", "sort"},
	} {
		src := fmt.Appendf(nil, "package p\n\nimport _ %q\n", c.imports)
		require.Empty(t, judge(t, c.dir, "p.go", src))
	}
}
