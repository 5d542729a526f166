package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
	"github.com/tracecheck/tracecheck/samples"
)

// demos are the traces that are built in, and what must come of each.
var demos = []struct {
	path    string
	data    []byte
	about   string
	verdict replay.Verdict
	rule    string // of the first finding; empty if there must be none
}{
	{
		"samples/etcd-raft/replication/trace.ndjson", samples.Replication,
		"Three servers of etcd-io/raft elect a leader and replicate.", replay.Conforms, "",
	},
	{
		"samples/etcd-raft/mutant-double-vote/trace.ndjson", samples.DoubleVote,
		"The same library with one bug put in: a voter forgets whom it has voted for.", replay.Violation, "V01",
	},
}

func newDemo() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Check two real traces that are built in: one that conforms and one that does not",
		Long: `Demo checks two traces that are built into the program, and that lie in the folder
samples of its source: one that conforms, and one that does not. It exits 0 if
both come out as they must.`,
		Example: "  tracecheck demo\n  tracecheck demo | less",
		Args:    noArguments,
		RunE:    func(c *cobra.Command, _ []string) error { return demo(c.OutOrStdout()) },
	}
}

func demo(w io.Writer) error {
	text := report.TextOptions{Color: colored("auto", w)}
	for i, d := range demos {
		if _, err := fmt.Fprintf(w, "# %s\n$ tracecheck check --max-violations 1 %s\n", d.about, d.path); err != nil {
			return exit{3, err}
		}
		src, err := ingest.NewReader(bytes.NewReader(d.data), d.path, i)
		if err != nil {
			return err
		}
		t, err := newTrace(src, "")
		if err != nil {
			return err
		}
		check := newDriver(t, replay.Options{MaxFindings: 1})
		check.found = func(f *report.Finding) error { return report.Text(w, f, text) }
		err = check.run()
		if err == nil {
			err = report.Summary(w, check.report, text)
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "exit %d\n\n", report.ExitCode(check.report.Summary.Verdict))
		}
		if err != nil {
			return exit{3, err}
		}
		rule := ""
		for _, f := range check.report.Findings {
			rule = f.Rule.ID
		}
		if check.report.Summary.Verdict != d.verdict || rule != d.rule {
			return exit{5, fmt.Errorf("%s came out as %s %s, not %s %s; please report this",
				d.path, check.report.Summary.Verdict, rule, d.verdict, d.rule)}
		}
	}
	return nil
}
