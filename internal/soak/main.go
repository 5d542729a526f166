// Command soak writes the trace of one simulated cluster that runs for a very
// long time, in the native format, to standard output: what `make soak` pipes
// into tracecheck to see that its memory stays flat.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/tracecheck/tracecheck/adapters/native"
	"github.com/tracecheck/tracecheck/internal/simulate"
	"github.com/tracecheck/tracecheck/spec"
)

func main() {
	events := flag.Uint64("events", 100_000_000, "how many events to write")
	seed := flag.Uint64("seed", 1, "what decides everything")
	flag.Parse()
	if err := run(*events, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// errEnough ends a run that would go on.
var errEnough = errors.New("enough events")

func run(events, seed uint64) (err error) {
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	groups := &spec.Groups{}
	encoder := native.NewEncoder(out, groups)
	o := simulate.Random(seed, 1<<62)
	o.Batch = 8
	o.Snapshots, o.Restarts, o.Changes, o.Transfers = 0.03, 0.001, 0.005, 0.001
	defer func() {
		if r := recover(); r != nil && r != errEnough {
			panic(r)
		}
		if flushed := out.Flush(); err == nil {
			err = flushed
		}
	}()
	written := uint64(0)
	simulate.Run(groups, o, func(a *spec.Action) {
		if err = encoder.Encode(a); err != nil || written == events {
			panic(errEnough)
		}
		written++
	})
	return err
}
