package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters/native"
	"github.com/tracecheck/tracecheck/internal/mutate"
	"github.com/tracecheck/tracecheck/internal/simulate"
)

// damage is something that happens to a trace on its way: to the order of its
// lines, or to their text.
type damage struct {
	id, what string
	lines    func(t *mutate.Trace)
	text     func(r *rand.Rand, lines, others []string) []string // others are of another cluster
}

var seqValue = regexp.MustCompile(`"seq":\d+`)

// textDamages are those that [mutate.Damages] cannot do.
var textDamages = []damage{
	{"D7", "the lines of two clusters stand in one file, as of one", nil, func(r *rand.Rand, lines, others []string) (mixed []string) {
		for len(lines) > 0 && len(others) > 0 {
			from := &lines
			if r.IntN(2) == 0 {
				from = &others
			}
			mixed, *from = append(mixed, (*from)[0]), (*from)[1:]
		}
		return slices.Concat(mixed, lines, others)
	}},
	{"D8", "two servers have one name", nil, func(r *rand.Rand, lines, _ []string) []string {
		return replaced(lines, `"n2"`, `"n1"`)
	}},
	{"D12", "bytes that are no text, a line of 1 MB, binary lines", nil, func(r *rand.Rand, lines, _ []string) []string {
		for _, junk := range []string{"caf\xe9", strings.Repeat("x", 1<<20), "\x00\x01\x02\xff"} {
			lines = slices.Insert(lines, r.IntN(len(lines)+1), junk)
		}
		return lines
	}},
	{"D13", "an object has a key twice", nil, func(r *rand.Rand, lines, _ []string) []string {
		i := r.IntN(len(lines))
		lines[i] = strings.TrimSuffix(lines[i], "}") + `,"server":` + strconv.Quote(gjson.Get(lines[i], "server").Str) + "}"
		return lines
	}},
	{"D14", "a server's number is above 2^53, and a JSON number", nil, func(_ *rand.Rand, lines, _ []string) []string {
		return replaced(replaced(lines, `"n1"`, "9007199254740993"), `"n2"`, "9007199254740992")
	}},
	{"D15", "all lines have one time", nil, func(_ *rand.Rand, lines, _ []string) []string {
		for i := range lines {
			if strings.Contains(lines[i], `"clock-seq"`) {
				lines[i] = seqValue.ReplaceAllString(lines[i], `"seq":1`)
			}
		}
		return lines
	}},
}

func replaced(lines []string, old, by string) []string {
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], old, by)
	}
	return lines
}

// damages are all of them, in order of their numbers.
func damages() (all []damage) {
	for _, d := range mutate.Damages {
		all = append(all, damage{id: d.ID, what: d.What, lines: d.Do})
	}
	all = append(all, textDamages...)
	slices.SortFunc(all, func(a, b damage) int {
		return cmp.Or(cmp.Compare(len(a.id), len(b.id)), cmp.Compare(a.id, b.id))
	})
	return all
}

// written is a simulated run that was damaged, as the native format has it.
func written(t *testing.T, d damage, seed uint64, order mutate.Lines) []string {
	lines := func(seed uint64, do func(*mutate.Trace)) []string {
		trace := mutate.Simulated(simulate.Random(seed, 600))
		trace.Damage(do, order)
		var b bytes.Buffer
		e := native.NewEncoder(&b, trace.Groups)
		for i := range trace.Actions {
			require.NoError(t, e.Encode(&trace.Actions[i]))
		}
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	if d.lines != nil {
		return lines(seed, d.lines)
	}
	none := func(*mutate.Trace) {}
	return d.text(rand.New(rand.NewPCG(seed, 2)), lines(seed, none), lines(seed+9000, none))
}

// harmless are the damages after which nothing may look like a violation. After
// the others a line that is missing or of another server can be told from a fault
// only where another line, a time or a number gives it away.
var harmless = []string{"D2", "D4", "D5", "D9", "D12", "D13", "D14", "D15"}

// TestDamage damages conforming traces, checks them as a user would, and holds
// what is made of them against the table in docs/faults.md.
func TestDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("checks some thousand damaged traces")
	}
	const runs = 100
	all := damages()
	rows := make([]string, len(all))
	t.Run("runs", func(t *testing.T) {
		for k, d := range all {
			t.Run(d.id, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "trace.ndjson")
				rows[k] = fmt.Sprintf("| %s | %s | %d", d.id, d.what, runs)
				for order := range mutate.NumLines {
					violations, quality := 0, 0
					for seed := range uint64(runs) {
						text := strings.Join(written(t, d, seed+5000, order), "\n")
						require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
						var out bytes.Buffer
						code := run([]string{"check", "-q", "-a", "native", "-o", "json", path}, nil, &out, io.Discard)
						require.Contains(t, []int{0, 1, 3, 4}, code)
						found := gjson.GetBytes(out.Bytes(), "traces.0.summary")
						violations += int(min(found.Get("violations").Int(), 1))
						quality += int(min(found.Get("traceFindings").Int(), 1))
					}
					if slices.Contains(harmless, d.id) {
						require.Zero(t, violations)
					}
					rows[k] += fmt.Sprintf(" | %d | %d", quality, violations)
				}
			})
		}
	})
	compareWithin(t, "../../docs/faults.md", "<!-- damage -->\n",
		"| damage | what happens | runs | Q finding | violation | stamped: Q finding | violation | numbered: Q finding | violation |\n"+
			"| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"+strings.Join(rows, " |\n")+" |\n")
}

// compareWithin compares the part of a file between two marks.
func compareWithin(t *testing.T, path, mark, got string) {
	t.Helper()
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	parts := strings.Split(string(file), mark)
	require.Len(t, parts, 3, "%s has not two marks %s", path, mark)
	if *update {
		parts[1] = got
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(parts, mark)), 0o644))
		return
	}
	require.Equal(t, parts[1], got, "run `make faults` and read the difference")
}
