package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
	"github.com/tracecheck/tracecheck/spec"
)

// columns is the width of what is written for people.
const columns = 100

// allRules are the rules of the protocol and those about the trace itself, in
// the order of their ids.
func allRules() []*spec.Rule {
	rules := slices.Concat(replay.Rules(), adapters.QualityRules)
	slices.SortStableFunc(rules, func(a, b *spec.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return rules
}

// ruleNamed finds a rule by its id or name.
func ruleNamed(name string) (*spec.Rule, error) {
	var known []string
	for _, r := range allRules() {
		if strings.EqualFold(r.ID, name) || strings.EqualFold(r.Name, name) {
			return r, nil
		}
		known = append(known, r.ID, r.Name)
	}
	return nil, exit{2, fmt.Errorf("unknown rule %q%s", name, suggest(name, known))}
}

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE",
		Short: "Say what a rule demands, why, where it comes from and what usually breaks it",
		Example: `  tracecheck explain V01
  tracecheck explain election-safety`,
		Args: oneArgument("the id or the name of a rule"),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := ruleNamed(args[0])
			if err != nil {
				return err
			}
			_, err = io.WriteString(c.OutOrStdout(), explain(r))
			return err
		},
	}
}

// explain is all that is known of a rule.
func explain(r *spec.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.ID, r.Name)
	for _, part := range aboutRule(r) {
		const margin = 11
		lines := strings.Split(text.WrapSoft(part.text, columns-margin), "\n")
		for i, line := range lines {
			label := ""
			if i == 0 {
				label = part.label
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s%s", margin-2, label, line), " ") + "\n")
		}
	}
	return b.String()
}

// part is one labelled piece of what is known of a rule.
type part struct{ label, text string }

// aboutRule returns what there is to say of a rule, in order.
func aboutRule(r *spec.Rule) (parts []part) {
	for _, p := range []part{
		{"rule", r.Statement}, {"formula", r.Formula}, {"source", r.Cite}, {"why", r.Doc}, {"breaks", r.Breaks},
		{"allowed", r.Allowed}, {"causes", r.Causes}, {"faults", r.Faults}, {"needs", strings.Join(report.Missing(r.Needs), ", ")},
		{"shown by", strings.Join(showing(r), ", ")},
	} {
		if p.text != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// showing names the adapters whose sources show all that a rule needs.
func showing(r *spec.Rule) (names []string) {
	if r.Needs == 0 {
		return nil
	}
	for _, a := range sources {
		if r.Needs&^a.Shows == 0 && judges(a, r) {
			names = append(names, a.Name)
		}
	}
	return names
}

// judges reports whether a rule is one of the protocol of an adapter's source.
func judges(a *adapters.Adapter, r *spec.Rule) bool {
	switch {
	case r.Invariant(), r == replay.Doubtful:
		return true
	case a.Rules != nil:
		return slices.Contains(a.Rules, r)
	}
	return slices.Contains(spec.Rules, r)
}

func newRules() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "rules",
		Short: "List all rules",
		Long: `Rules lists everything that is checked. The letter of an id is its family:
V votes, terms and roles; L log; C commitment, application and reads; S snapshots;
M membership; P persistence and restarts; K KRaft's own; I safety invariants; Q the quality of
the trace itself, which is never a violation of the protocol.`,
		Example: `  tracecheck rules
  tracecheck rules -o json | jq -r '.[] | select(.faults | index("F01")) | .id'`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			switch format {
			case "text":
				_, err := fmt.Fprintln(c.OutOrStdout(), rulesTable())
				return err
			case "json":
				return rulesJSON(c.OutOrStdout())
			}
			return exit{2, fmt.Errorf("unknown format %q for -o%s", format, suggest(format, []string{"text", "json"}))}
		},
	}
	c.Flags().StringVarP(&format, "output", "o", "text", "text or json")
	return c
}

func rulesTable() string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"id", "name", "the rule"})
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 3, WidthMax: columns - 45, WidthMaxEnforcer: text.WrapSoft}})
	for _, r := range allRules() {
		t.AppendRow(table.Row{r.ID, r.Name, r.Statement})
	}
	return t.Render()
}

func rulesJSON(w io.Writer) error {
	type document struct {
		ID        string   `json:"id"`
		Name      string   `json:"name"`
		Statement string   `json:"statement"`
		Formula   string   `json:"formula"`
		Cite      string   `json:"cite"`
		Doc       string   `json:"doc"`
		Breaks    string   `json:"breaks"`
		Allowed   string   `json:"allowed"`
		Causes    string   `json:"causes"`
		Faults    []string `json:"faults"`
		Needs     []string `json:"needs"`
	}
	rules := []document{}
	for _, r := range allRules() {
		rules = append(rules, document{
			r.ID, r.Name, r.Statement, r.Formula, r.Cite, r.Doc, r.Breaks, r.Allowed, r.Causes,
			strings.Fields(r.Faults), report.Missing(r.Needs),
		})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(rules)
}
