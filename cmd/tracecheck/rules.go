package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
	"github.com/tracecheck/tracecheck/spec"
)

// allRules are the rules of the protocol and those about the trace itself.
func allRules() []*spec.Rule {
	rules := append(replay.Rules(), adapters.QualityRules...)
	sort.SliceStable(rules, func(i, j int) bool { return rules[i].ID < rules[j].ID })
	return rules
}

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use: "explain RULE", Short: "Say what a rule demands, why, and what usually breaks it",
		Example: "  tracecheck explain V01\n  tracecheck explain election-safety",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var names []string
			for _, r := range allRules() {
				if strings.EqualFold(r.ID, args[0]) || r.Name == args[0] {
					explain(c.OutOrStdout(), r)
					return nil
				}
				names = append(names, r.ID, r.Name)
			}
			return exit{2, fmt.Errorf("unknown rule %q%s", args[0], suggest(args[0], names))}
		},
	}
}

func explain(w io.Writer, r *spec.Rule) {
	fmt.Fprintf(w, "%s %s\n\n  %s.\n", r.ID, r.Name, strings.ToUpper(r.Statement[:1])+r.Statement[1:])
	for _, part := range []struct{ label, text string }{
		{"formula", r.Formula}, {"why", r.Doc}, {"source", r.Cite}, {"breaks", r.Breaks}, {"allowed", r.Allowed},
		{"causes", r.Causes}, {"faults", r.Faults}, {"needs", strings.Join(report.Missing(r.Needs), ", ")},
	} {
		if part.text != "" {
			fmt.Fprintf(w, "\n  %-8s %s\n", part.label, part.text)
		}
	}
}

func newRules() *cobra.Command {
	return &cobra.Command{
		Use: "rules", Short: "List all rules", Args: cobra.NoArgs,
		Example: "  tracecheck rules\n  tracecheck rules | grep snapshot",
		Run: func(c *cobra.Command, _ []string) {
			for _, r := range allRules() {
				fmt.Fprintf(c.OutOrStdout(), "%s  %-28s %s\n", r.ID, r.Name, r.Statement)
			}
		},
	}
}

func newAdapters() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use: "adapters", Short: "List the sources that can be read", Args: cobra.NoArgs,
		Example: "  tracecheck adapters\n  tracecheck adapters -v",
		Run: func(c *cobra.Command, _ []string) {
			t := table.NewWriter()
			t.SetStyle(table.StyleLight)
			t.AppendHeader(table.Row{"name", "reads"})
			for _, a := range sources {
				t.AppendRow(table.Row{a.Name, a.Title})
			}
			fmt.Fprintln(c.OutOrStdout(), t.Render())
			if verbose {
				for _, a := range sources {
					fmt.Fprintf(c.OutOrStdout(), "\n%s\n%s\nshows: %s\n", a.Name, a.Doc, strings.Join(report.Missing(a.Shows), ", "))
				}
			}
		},
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "with how to switch each one on")
	return c
}
