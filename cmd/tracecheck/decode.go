package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/native"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

func newDecode() *cobra.Command {
	var adapter string
	c := &cobra.Command{
		Use: "decode FILE", Short: "Print a trace in the native format, one line for each line",
		Long: `Decode prints what tracecheck understood of a trace, in its own format: line k of
what it prints is about line k of what it reads, and checking either gives the
same verdict at the same line.`,
		Example: "  tracecheck decode trace.ndjson\n  tracecheck decode trace.ndjson | tracecheck check -a native -",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			src, err := ingest.Open(args[0], 0)
			if err != nil {
				return exit{3, err}
			}
			defer src.Close()
			a, _, err := choose(src, adapter)
			if err != nil {
				return err
			}
			out := bufio.NewWriterSize(c.OutOrStdout(), 1<<16)
			if err := decode(src, a, out); err != nil {
				return exit{3, err}
			}
			if err := out.Flush(); err != nil {
				return exit{3, fmt.Errorf("writing: %w", err)}
			}
			return nil
		},
	}
	c.Flags().StringVarP(&adapter, "adapter", "a", "", "the adapter that reads the trace (default: detected)")
	return c
}

func decode(src *ingest.Source, adapter *adapters.Adapter, out *bufio.Writer) error {
	groups := &spec.Groups{}
	d := adapter.New(groups)
	e := native.NewEncoder(out, groups)
	var rec ingest.Record
	var a spec.Action
	for src.Next(&rec) {
		a.Reset()
		var err error
		if rec.Flaws&ingest.TooLong != 0 {
			err = e.Damaged("line too long")
		} else if len(rec.Data) == 0 {
			err = out.WriteByte('\n')
		} else {
			switch o := d.Decode(&rec, &a); o.Verdict {
			case adapters.Checked:
				err = e.Encode(&a)
			case adapters.Ignored:
				err = e.Skip(o.Why)
			case adapters.Damaged:
				err = e.Damaged(o.Why)
			default:
				err = e.Unrecognised(o.Why)
			}
		}
		if err != nil {
			return fmt.Errorf("writing: %w", err)
		}
	}
	return src.Err()
}
