package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/native"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

func newDecode() *cobra.Command {
	var adapter, mapping string
	c := &cobra.Command{
		Use:   "decode FILE",
		Short: "Print a trace in the native format, line for line",
		Long: `Decode prints what tracecheck understood of a trace, in its own format (see
docs/trace-format.md): line k of what it prints is about line k of what it read,
and checking either gives the same verdict under the same rule at the same line.`,
		Example: `  tracecheck decode trace.ndjson
  tracecheck decode trace.ndjson | tracecheck check -a native -`,
		Args: oneArgument("a file, or - for standard input"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := cmp.Or(withMapping(&adapter, mapping), checkAdapter(adapter)); err != nil {
				return err
			}
			ctx := c.Context()
			if isTopic(args[0]) { // an interrupt ends the reading, and else the program
				var release context.CancelFunc
				ctx, release = signal.NotifyContext(ctx, os.Interrupt)
				defer release()
			}
			t, err := openTrace(ctx, args[0], 0, c.InOrStdin(), adapter)
			if err != nil {
				return exit{3, err}
			}
			defer t.source.Close()
			if err := decode(t, c.OutOrStdout()); err != nil {
				return exit{3, err}
			}
			return nil
		},
	}
	c.Flags().StringVarP(&adapter, "adapter", "a", "", "the adapter that reads the trace (default: detected from the first lines)")
	c.Flags().StringVarP(&mapping, "mapping", "m", "", "read the trace as this mapping file says")
	return c
}

// decode writes one line for each line of a trace.
func decode(t *trace, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	e := native.NewEncoder(out, t.groups)
	var rec ingest.Record
	var a spec.Action
	for {
		o, ok := t.next(&rec, &a)
		if !ok {
			break
		}
		var err error
		switch {
		case o.Verdict == adapters.Checked && a.Own != nil:
			err = e.Skip("of another protocol than Raft")
		case o.Verdict == adapters.Checked:
			err = e.Encode(&a)
		case o.Verdict == adapters.Damaged:
			err = e.Damaged(o.Why)
		case o.Verdict == adapters.Unrecognised:
			err = e.Unrecognised(o.Why)
		case o.Why == whyBlank:
			err = out.WriteByte('\n')
		default:
			err = e.Skip(o.Why)
		}
		if err != nil {
			return fmt.Errorf("writing: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return t.source.Err()
}
