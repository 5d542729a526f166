package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/mapping"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
)

// TestPublicLines holds the shipped mappings to what the pieces of public reports
// show by themselves: no violation where nothing is wrong or nobody can tell, and
// the implementation's alarm where that is all there is.
func TestPublicLines(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "traces", "public-lines")
	index, err := os.ReadFile(filepath.Join(folder, "index.json"))
	if err != nil {
		t.Skip("needs ../shared/traces/public-lines, which is not beside this folder")
	}
	var pieces []struct {
		File  string `json:"file"`
		Shows string `json:"lines_show"`
	}
	require.NoError(t, json.Unmarshal(index, &pieces))
	shipped := make(map[string]bool)
	for _, m := range mapping.Shipped() {
		shipped[m.Name] = true
	}
	read := 0
	for _, p := range pieces {
		tr, err := openTrace(t.Context(), filepath.Join(folder, p.File), 0, strings.NewReader(""), "")
		if err != nil || !shipped[tr.adapter.Name] {
			continue // of another adapter, or of none
		}
		read++
		d := newDriver(tr, replay.Options{})
		alarms, violations := 0, 0
		d.found = func(f *report.Finding) error {
			switch {
			case f.Rule == adapters.ImplementationAlarm:
				alarms++
			case !f.Rule.Quality():
				violations++
			}
			return nil
		}
		require.NoError(t, d.run(), p.File)
		require.NoError(t, tr.close())
		switch p.Shows {
		case "breach":
			require.Positive(t, violations, p.File)
		case "sentinel":
			require.Positive(t, alarms, p.File)
			require.Zero(t, violations, p.File)
		default:
			require.Zero(t, alarms+violations, p.File)
		}
		require.Zero(t, d.report.Lines.Unrecognised, p.File)
	}
	require.GreaterOrEqual(t, read, 11, "pieces that a shipped mapping reads")
}
