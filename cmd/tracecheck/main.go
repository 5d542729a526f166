// Command tracecheck checks what a real consensus system did, as its event log
// shows it, against what the specification of Raft allows.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exit is an error with the exit status that it leads to. Without err everything
// has been told already.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

func main() {
	signal.Ignore(syscall.SIGPIPE) // a report that nobody reads to its end is an error like any other
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program. A panic is a bug of ours, and is told as one.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			bug(stderr, p)
			code = 5
		}
	}()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return 0
	}
	var e exit
	if !errors.As(err, &e) {
		e = exit{2, err} // cobra's own, about the command line
	}
	if e.err != nil {
		fmt.Fprintf(stderr, "tracecheck: %s\n", strings.ReplaceAll(e.err.Error(), "\n", "; "))
	}
	return e.code
}

// bug tells of a panic.
func bug(w io.Writer, p any) {
	at, stack := "", debug.Stack()
	if c, ok := p.(crash); ok {
		at, stack, p = fmt.Sprintf(" at %s", c.at), c.stack, c.value
	}
	fmt.Fprintf(w, "tracecheck: a bug of tracecheck itself%s: %v\n"+
		"please report it with the text below at https://github.com/tracecheck/tracecheck/issues\n\n%s %s\n%s",
		at, p, "tracecheck", version(), stack)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "tracecheck",
		Short: "Check traces of Raft implementations against the specification",
		Long: `Tracecheck replays the event log of a real consensus system through a reference
state machine of Raft and says one of three things: it conforms (exit 0), a step
is not allowed by the specification (exit 1), with the first such line and the
reason, or too little could be checked to say either (exit 4).`,
		Example: `  tracecheck check trace.ndjson
  tracecheck explain V01`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true, SilenceUsage: true, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			var known []string
			for _, sub := range c.Commands() {
				known = append(known, sub.Name())
			}
			return exit{2, fmt.Errorf("unknown command %q%s", args[0], suggest(args[0], known))}
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newCheck(), newExplain(), newRules(), newAdapters(), newDecode(), newMapping(), newDemo(), newVersion())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Example = `  source <(tracecheck completion bash)
  tracecheck completion zsh > "${fpath[1]}/_tracecheck"`
		}
	}
	return root
}

// flagError says of a flag that does not exist which one is near, and of a
// value that is none what one looks like.
func flagError(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		f := value.GetFlag()
		return exit{2, fmt.Errorf("--%s %s: it takes %s", f.Name, value.GetValue(), flagTypes[f.Value.Type()])}
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		err = fmt.Errorf("%w%s", err, suggest("--"+unknown.GetSpecifiedName(), known))
	}
	return exit{2, err}
}

// flagTypes says what a value of each type of flag looks like.
var flagTypes = map[string]string{
	"bool": "true or false", "int": "a whole number", "stringSlice": "names with commas between them",
}

// noArguments refuses arguments.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return exit{2, fmt.Errorf("%s takes no arguments, and was given %q", c.Name(), args[0])}
	}
	return nil
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  tracecheck version\n  tracecheck version | cut -d' ' -f2",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "tracecheck %s\n", version())
			return err
		},
	}
}

// version is the module's version as the build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "v0.1.0-dev"
}
