// Command tracecheck checks what a real consensus system did, as its event log
// shows it, against what the specification of Raft allows.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/ccf"
	"github.com/tracecheck/tracecheck/adapters/etcdraft"
	"github.com/tracecheck/tracecheck/adapters/native"
)

// sources are the adapters, in the order in which they are asked whether a trace
// is theirs.
var sources = []*adapters.Adapter{&native.Adapter, &etcdraft.Adapter, &ccf.Adapter}

// exit is an error that has been told to the user already, or that needs
// nothing but an exit status.
type exit struct {
	code int
	err  error // printed if not nil
}

func (e exit) Error() string {
	if e.err != nil {
		return e.err.Error()
	}
	return fmt.Sprintf("exit status %d", e.code)
}

func main() { os.Exit(run(os.Args[1:])) }

// run is the whole program but for the exit. A panic is a bug of ours and is
// told as such.
func run(args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "tracecheck: a bug of tracecheck itself, please report it: %v\n%s", p, debug.Stack())
			code = 5
		}
	}()
	root := newRoot()
	root.SetArgs(args)
	err := root.Execute()
	if err == nil {
		return 0
	}
	var e exit
	if !errors.As(err, &e) {
		e = exit{2, err} // cobra's own: an unknown command or flag
	}
	if e.err != nil {
		fmt.Fprintf(os.Stderr, "tracecheck: %v\n", e.err)
	}
	return e.code
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "tracecheck",
		Short: "Check traces of Raft implementations against the specification",
		Long: `tracecheck replays the event log of a real consensus system through a reference
state machine of Raft and says one of three things: it conforms (exit 0), it
holds a step that the specification does not allow (exit 1), with the first line
that cannot be explained and the reason, or too little could be checked (exit 4).`,
		Example:       "  tracecheck check trace.ndjson\n  tracecheck explain V01",
		SilenceErrors: true, SilenceUsage: true,
		SuggestionsMinimumDistance: 2,
	}
	root.AddCommand(newCheck(), newExplain(), newRules(), newAdapters(), newDecode(), newDemo(), newVersion())
	return root
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Example: "  tracecheck version\n  tracecheck version | cut -d' ' -f2",
		Run: func(c *cobra.Command, _ []string) {
			fmt.Fprintf(c.OutOrStdout(), "tracecheck %s\n", version())
		},
	}
}

// version is the module's version from the build, where there is one.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "v0.1.0-dev"
}
