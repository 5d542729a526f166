package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// rulesPage is docs/rules.md.
func rulesPage() string {
	var b strings.Builder
	b.WriteString("# Rules\n\nGenerated from the program by `make docs`. The letter of an id is its family: V votes, terms and roles;\n" +
		"L log; C commitment, application and reads; S snapshots; M membership; P persistence and restarts; I safety\ninvariants; Q the trace itself, never a protocol violation.\n")
	for _, r := range allRules() {
		b.WriteString("\n## ")
		explain(&b, r)
	}
	return b.String()
}

// cliPage is docs/cli.md.
func cliPage() string {
	var b strings.Builder
	b.WriteString("# Command line\n\nGenerated from the program by `make docs`.\n")
	root := newRoot()
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		about := c.Long
		if about == "" {
			about = c.Short
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```\n%s\n```\n", c.CommandPath(), about, strings.TrimRight(c.Example, "\n"))
		if flags := c.LocalFlags().FlagUsages(); flags != "" {
			fmt.Fprintf(&b, "\n```\n%s```\n", flags)
		}
	}
	return b.String()
}
