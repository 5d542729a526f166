package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/ccf"
	"github.com/tracecheck/tracecheck/adapters/etcdraft"
	"github.com/tracecheck/tracecheck/adapters/etcdserver"
	"github.com/tracecheck/tracecheck/adapters/hashicorp"
	"github.com/tracecheck/tracecheck/adapters/hashicorpwrapped"
	"github.com/tracecheck/tracecheck/adapters/kraft"
	"github.com/tracecheck/tracecheck/adapters/kraftmetadata"
	"github.com/tracecheck/tracecheck/adapters/mapping"
	"github.com/tracecheck/tracecheck/adapters/native"
	"github.com/tracecheck/tracecheck/report"
)

// sources are the adapters, in the order in which they are asked whether a trace
// is theirs. A new one is one line here.
var sources = append([]*adapters.Adapter{
	&native.Adapter,
	&etcdraft.Adapter,
	&ccf.Adapter,
	&hashicorpwrapped.Adapter,
	&hashicorp.Adapter,
	&etcdserver.Adapter,
	&kraft.Adapter,
	&kraftmetadata.Adapter,
}, mapping.Adapters()...)

func newAdapters() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use:   "adapters",
		Short: "List the sources that can be read and what each shows",
		Example: `  tracecheck adapters
  tracecheck adapters -v`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			out := adaptersTable() + "\n"
			if verbose {
				for _, a := range sources {
					out += fmt.Sprintf("\n%s\n\n  %s\n", a.Name, strings.ReplaceAll(strings.TrimSpace(a.Doc), "\n", "\n  "))
				}
			}
			_, err := fmt.Fprint(c.OutOrStdout(), out)
			return err
		},
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "with how to switch each one on and what it cannot show")
	return c
}

func adaptersTable() string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Options.SeparateRows = true
	t.AppendHeader(table.Row{"name", "reads", "shows"})
	wrapped := func(number, width int) table.ColumnConfig {
		return table.ColumnConfig{Number: number, WidthMax: width, WidthMaxEnforcer: text.WrapSoft}
	}
	t.SetColumnConfigs([]table.ColumnConfig{wrapped(2, 36), wrapped(3, 44)})
	for _, a := range sources {
		t.AppendRow(table.Row{a.Name, a.Title, strings.Join(report.Missing(a.Shows), ", ")})
	}
	return t.Render()
}
