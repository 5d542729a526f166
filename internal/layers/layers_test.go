// Package layers holds one test: imports between the rooms point downwards only.
package layers

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// may says which rooms a room may import. adapters/x stands for every adapter.
var may = map[string][]string{
	"spec":       {},
	"invariants": {"spec"},
	"replay":     {"invariants", "spec"},
	"ingest":     {"spec"},
	"adapters":   {"ingest", "spec"},
	"adapters/x": {"adapters", "ingest", "spec"},
	"report":     {"replay", "ingest", "spec"},
	"cmd":        {"report", "replay", "adapters", "adapters/x", "ingest", "spec"},
	"internal":   {},
}

func room(path string) string {
	parts := strings.Split(path, "/")
	if parts[0] == "adapters" && len(parts) > 1 {
		return "adapters/x"
	}
	return parts[0]
}

func TestImportsPointDownwards(t *testing.T) {
	const module = "github.com/tracecheck/tracecheck/"
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		rel, err := filepath.Rel("../..", filepath.Dir(path))
		require.NoError(t, err)
		from := room(filepath.ToSlash(rel))
		for _, i := range f.Imports {
			name := strings.Trim(i.Path.Value, `"`)
			if from == "spec" && strings.Contains(name, ".") {
				t.Errorf("%s imports %s; spec uses the standard library only", path, name)
			}
			if !strings.HasPrefix(name, module) {
				continue
			}
			to := room(strings.TrimPrefix(name, module))
			if to == from && from != "adapters/x" {
				continue
			}
			require.Contains(t, may[from], to, "%s imports %s", path, name)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 20)
}
