package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// damages of a log: what collectors, rotation and people do to lines.
var kraftDamages = map[string]func(r *rand.Rand, lines []string) []string{
	"three lines lost": func(r *rand.Rand, lines []string) []string {
		for range 3 {
			i := r.IntN(len(lines))
			lines = slices.Delete(lines, i, i+1)
		}
		return lines
	},
	"a tenth lost": func(r *rand.Rand, lines []string) []string {
		return slices.DeleteFunc(lines, func(string) bool { return r.IntN(10) == 0 })
	},
	"a block lost": func(r *rand.Rand, lines []string) []string {
		i := r.IntN(len(lines))
		return slices.Delete(lines, i, min(len(lines), i+5+r.IntN(40)))
	},
	"lines twice": func(r *rand.Rand, lines []string) []string {
		for range 5 {
			i := r.IntN(len(lines))
			lines = slices.Insert(lines, i, lines[i])
		}
		return lines
	},
	"a block twice": func(r *rand.Rand, lines []string) []string {
		i := r.IntN(len(lines))
		block := slices.Clone(lines[i:min(len(lines), i+30)])
		return slices.Insert(lines, i+len(block), block...)
	},
	"a kind of line filtered": func(r *rand.Rand, lines []string) []string {
		kinds := []string{"Attempting", "transition to Unattached", "Vote request", "from null", "ResignedState", "Prospective", "igh watermark", "to Leader"}
		kind := kinds[r.IntN(len(kinds))]
		return slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, kind) })
	},
	"a line cut": func(r *rand.Rand, lines []string) []string {
		i := r.IntN(len(lines))
		lines[i] = lines[i][:r.IntN(len(lines[i])+1)]
		return lines
	},
	"the later half first": func(_ *rand.Rand, lines []string) []string {
		return slices.Concat(lines[len(lines)/2:], lines[:len(lines)/2])
	},
}

// TestKraftDamage: a damaged recording of a healthy cluster is never a violation.
func TestKraftDamage(t *testing.T) {
	samples, err := filepath.Glob("../../samples/kraft/*/trace.log")
	require.NoError(t, err)
	for name, damage := range kraftDamages {
		t.Run(name, func(t *testing.T) {
			for _, sample := range samples {
				if strings.Contains(sample, "wiped") {
					continue
				}
				text, err := os.ReadFile(sample)
				require.NoError(t, err)
				for seed := range uint64(6) {
					lines := damage(rand.New(rand.NewPCG(seed, 1)), strings.Split(strings.TrimSpace(string(text)), "\n"))
					path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.log", seed))
					require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644))
					out, _, code := tracecheck(t, "check", "-q", "-a", "kraft", path)
					require.NotEqual(t, 1, code, "%s, seed %d: %s", sample, seed, out)
					require.NotEqual(t, 5, code, "%s, seed %d: %s", sample, seed, out)
				}
			}
		})
	}
}
