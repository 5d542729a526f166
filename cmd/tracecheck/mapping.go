package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/mapping"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// mappingPrefix stands before the path of a mapping file where the name of an
// adapter is expected.
const mappingPrefix = "mapping:"

func isMapping(adapter string) bool { return strings.HasPrefix(adapter, mappingPrefix) }

// withMapping makes a mapping file, if one is given, the adapter. The file is read
// at once, so that what is wrong with it is told before anything else.
func withMapping(adapter *string, path string) error {
	switch {
	case path == "":
		return nil
	case *adapter != "":
		return exit{2, errors.New("-a and -m exclude each other")}
	}
	if _, err := readMapping(path); err != nil {
		return exit{2, err}
	}
	*adapter = mappingPrefix + path
	return nil
}

func readMapping(path string) (*mapping.Mapping, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return mapping.Parse(path, src)
}

// adapterNamed is the adapter that was asked for by name or as a mapping file.
func adapterNamed(name string) (a *adapters.Adapter, how string, err error) {
	if path, ok := strings.CutPrefix(name, mappingPrefix); ok {
		m, err := readMapping(path)
		if err != nil {
			return nil, "", err
		}
		return m.Adapter(), "given with -m", nil
	}
	i := slices.IndexFunc(sources, func(a *adapters.Adapter) bool { return a.Name == name })
	return sources[i], "given with -a", nil
}

func newMapping() *cobra.Command {
	c := &cobra.Command{
		Use:   "mapping",
		Short: "Test a mapping file, or begin one for a log",
		Long: `A mapping file describes a log that no adapter reads: what stands around every
message, and which sentence says what. docs/adapters/mapping.md tells of every key.
check and decode take it with -m.`,
		Example: `  tracecheck mapping new raft.log > mapping.yaml
  tracecheck mapping test mapping.yaml raft.log
  tracecheck check -m mapping.yaml raft.log`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newMappingTest(), newMappingNew())
	return c
}

func newMappingTest() *cobra.Command {
	most := 20
	c := &cobra.Command{
		Use:   "test FILE [LOG]",
		Short: "Run the inline tests of a mapping and show what it does not know of a log",
		Long: `Test runs the inline tests of a mapping file. With a log it also reads that and
prints the most frequent shapes of lines that the mapping does not recognise, or
takes for lines of something else; numbers, ids and quoted text are left out.

Exit status: 0 all tests pass, 1 one fails, 2 the mapping is not in order, 3 the
log cannot be read.`,
		Example: "  tracecheck mapping test mapping.yaml\n  tracecheck mapping test mapping.yaml raft.log",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return exit{2, errors.New("mapping test needs a mapping file, and may have a log")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			m, err := readMapping(args[0])
			if err != nil {
				return exit{2, err}
			}
			out, failed := &bytes.Buffer{}, 0
			for i, t := range m.Tests {
				if d := m.Run(t); len(d) > 0 {
					failed++
					fmt.Fprintf(out, "test %d fails:\n  %s\n", i+1, strings.Join(d, "\n  "))
				}
			}
			fmt.Fprintf(out, "%s: %d of %d tests pass\n", m.Name, len(m.Tests)-failed, len(m.Tests))
			if len(args) == 2 {
				if err := unmatched(out, m, args[1], most); err != nil {
					return exit{3, err}
				}
			}
			if _, err := c.OutOrStdout().Write(out.Bytes()); err != nil {
				return exit{3, err}
			}
			if failed > 0 {
				return exit{code: 1}
			}
			return nil
		},
	}
	c.Flags().IntVar(&most, "shapes", most, "print at most this many shapes")
	return c
}

// unmatched writes what becomes of the lines of a log, and the shapes of those that
// a mapping does not know.
func unmatched(w *bytes.Buffer, m *mapping.Mapping, path string, most int) error {
	src, err := ingest.Open(path, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	groups := &spec.Groups{}
	t := &trace{source: src, adapter: m.Adapter(), groups: groups}
	t.decoder = t.adapter.New(groups)
	if d, ok := t.decoder.(adapters.Introduced); ok {
		d.Introduce(path, nil)
	}
	var rec ingest.Record
	var a spec.Action
	var unknown, foreign mapping.Shapes
	counts := make(map[adapters.Verdict]int)
	for {
		out, ok := t.next(&rec, &a)
		if !ok {
			break
		}
		counts[out.Verdict]++
		switch {
		case out.Verdict == adapters.Unrecognised:
			unknown.Add(rec.Data)
		case out.Why == mapping.WhyForeign:
			foreign.Add(rec.Data)
		}
	}
	fmt.Fprintf(w, "%s: %d actions, %d ignored, %d unrecognised, %d damaged\n", path,
		counts[adapters.Checked], counts[adapters.Ignored], counts[adapters.Unrecognised], counts[adapters.Damaged])
	for _, list := range []struct {
		title  string
		shapes *mapping.Shapes
	}{{"unrecognised", &unknown}, {"taken for lines of something else", &foreign}} {
		for i, s := range list.shapes.Most(most) {
			if i == 0 {
				fmt.Fprintf(w, "\n%s:\n", list.title)
			}
			fmt.Fprintf(w, "%8d  %s\n", s.Lines, s.Shape)
		}
	}
	return src.Err()
}

func newMappingNew() *cobra.Command {
	return &cobra.Command{
		Use:   "new LOG",
		Short: "Write the beginning of a mapping file for a log",
		Long: `New writes a mapping file with comments for a log: an envelope that fits its lines,
as far as one can be told, and the shapes of its lines that tell of elections, terms
and logs as comments, the most frequent first.`,
		Example: "  tracecheck mapping new raft.log\n  tracecheck mapping new raft.log > mapping.yaml",
		Args:    oneArgument("a log"),
		RunE: func(c *cobra.Command, args []string) error {
			src, err := ingest.Open(args[0], 0)
			if err != nil {
				return exit{3, err}
			}
			defer src.Close()
			var lines [][]byte
			const most = 100_000
			for rec := (ingest.Record{}); len(lines) < most && src.Next(&rec); {
				lines = append(lines, bytes.Clone(rec.Data))
			}
			if err := src.Err(); err != nil {
				return exit{3, err}
			}
			if _, err := c.OutOrStdout().Write(mapping.Scaffold(lines)); err != nil {
				return exit{3, err}
			}
			return nil
		},
	}
}
