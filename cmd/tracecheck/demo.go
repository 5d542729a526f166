package main

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
)

// The demo's traces were written by etcd-io/raft: one as it is, one with a bug
// put into it, so that a voter forgets whom it has voted for.
var (
	//go:embed demo/healthy.ndjson
	demoHealthy []byte
	//go:embed demo/double-vote.ndjson
	demoFaulty []byte
)

func newDemo() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "Check two traces that are built in: one that conforms and one that does not",
		Example: "  tracecheck demo\n  tracecheck demo | less", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for i, t := range []struct {
				name string
				data []byte
				want replay.Verdict
			}{
				{"healthy.ndjson", demoHealthy, replay.Conforms}, {"double-vote.ndjson", demoFaulty, replay.Violation},
			} {
				src, err := ingest.NewReader(bytes.NewReader(t.data), t.name, i)
				if err != nil {
					return err
				}
				d, err := newDriver(src, "", replay.Options{MaxFindings: 1})
				if err != nil {
					return err
				}
				d.found = func(f *report.Finding) error { return report.Text(c.OutOrStdout(), f, report.TextOptions{}) }
				if err := d.run(); err != nil {
					return err
				}
				if err := report.Summary(c.OutOrStdout(), d.report, report.TextOptions{}); err != nil {
					return err
				}
				fmt.Fprintln(c.OutOrStdout())
				if got := d.report.Summary.Verdict; got != t.want {
					return exit{5, fmt.Errorf("the demo trace %s gave %q instead of %q", t.name, got, t.want)}
				}
			}
			return nil
		},
	}
}
