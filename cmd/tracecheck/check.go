package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
)

// checkFlags are the flags of check.
type checkFlags struct {
	adapter       string
	outputs       []string
	only, skip    []string
	max           int
	strict, quiet bool
	verbose       bool
	color         string
}

var formats = []string{"text", "json", "ndjson"}

func newCheck() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check FILE…",
		Short: "Check traces; each file is a trace, a folder is all of its files, - is standard input",
		Long: `Check replays each trace through the reference machine and reports the first line
that the specification does not allow, with the reason.

Exit status: 0 conforms, 1 violation, 2 wrong command line, 3 unreadable or
damaged input, 4 inconclusive, 5 a bug of tracecheck, 130 interrupted. Of several
traces the worst counts, in the order 5, 1, 3, 4, 0.`,
		Example: "  tracecheck check trace.ndjson\n  kubectl logs -f raft-0 | tracecheck check -o ndjson -",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	fl := c.Flags()
	fl.StringVarP(&f.adapter, "adapter", "a", "", "the adapter that reads the trace (default: detected)")
	fl.StringArrayVarP(&f.outputs, "output", "o", nil, "FORMAT[=PATH]: text, json or ndjson; may repeat (default text)")
	fl.StringSliceVar(&f.only, "rule", nil, "report only these rules, by id or name")
	fl.StringSliceVar(&f.skip, "skip", nil, "do not report these rules")
	fl.IntVar(&f.max, "max-violations", 20, "list at most this many findings; 0 is all")
	fl.BoolVar(&f.strict, "strict", false, "exit 3 if a line is not recognised or the trace itself is flawed")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "no summary on standard error")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "with a table of all rules")
	fl.StringVar(&f.color, "color", "auto", "auto, always or never; NO_COLOR is honoured")
	return c
}

// output is one report that is asked for.
type output struct {
	format string
	w      io.Writer
	close  func() error
}

func (f *checkFlags) run(c *cobra.Command, args []string) error {
	if err := f.valid(); err != nil {
		return err
	}
	paths, err := ingest.Expand(args)
	if err != nil {
		return exit{3, err}
	}
	outputs, err := f.open(c.OutOrStdout())
	if err != nil {
		return err
	}
	stop, release := interrupt()
	defer release()
	code := 0
	var reports []*report.Report
	for i, path := range paths {
		r, n, err := f.one(c, path, i, outputs, stop)
		if err != nil {
			return err
		}
		if r != nil {
			reports = append(reports, r)
		}
		code = report.Worse(code, n)
		if stop() {
			break
		}
	}
	for _, o := range outputs {
		err := error(nil)
		if o.format == "json" {
			err = report.JSON(o.w, reports)
		}
		if err = errors.Join(err, o.close()); err != nil {
			return exit{3, fmt.Errorf("writing the report: %w", err)}
		}
	}
	if stop() {
		code = 130
	}
	if code != 0 {
		return exit{code: code}
	}
	return nil
}

// one checks one source. An error ends the whole run; trouble with the input is
// told here and shows in the exit status.
func (f *checkFlags) one(c *cobra.Command, path string, number int, outputs []output, stop func() bool) (*report.Report, int, error) {
	src, err := ingest.Open(path, number)
	if err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "tracecheck: %v\n", err)
		return nil, 3, nil
	}
	defer src.Close()
	d, err := newDriver(src, f.adapter, replay.Options{Only: f.only, Skip: f.skip, MaxFindings: f.max})
	if err != nil {
		var e exit
		if errors.As(err, &e) && e.code == 3 {
			fmt.Fprintf(c.ErrOrStderr(), "tracecheck: %v\n", err)
			return nil, 3, nil
		}
		return nil, 0, err
	}
	text := report.TextOptions{Color: f.colored(c), Verbose: f.verbose}
	var failed error
	d.found = func(r *report.Finding) error {
		failed = emit(outputs, d.report, r, text)
		return failed
	}
	began := time.Now()
	progress := newProgress(src)
	d.stop = func() bool { progress(); return stop() }
	err = d.run()
	if failed != nil {
		return nil, 0, exit{3, fmt.Errorf("writing the report: %w", failed)}
	}
	if err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "tracecheck: %v\n", err)
	}
	if failed = end(outputs, d.report); failed != nil {
		return nil, 0, exit{3, fmt.Errorf("writing the report: %w", failed)}
	}
	code := report.ExitCode(d.report.Summary.Verdict)
	if err != nil || f.strict && (d.report.Lines.Unrecognised > 0 || d.report.Summary.Quality > 0) {
		code = report.Worse(code, 3)
	}
	if !f.quiet {
		if stop() {
			fmt.Fprintf(c.ErrOrStderr(), "interrupted: what follows is about the lines read so far\n")
		}
		if err := report.Summary(c.ErrOrStderr(), d.report, text); err != nil {
			return nil, 0, exit{3, err}
		}
		if took := time.Since(began).Seconds(); took > 0.5 {
			fmt.Fprintf(c.ErrOrStderr(), "  speed   %.0f lines/s\n", float64(d.report.Lines.Read)/took)
		}
	}
	return d.report, code, nil
}

// emit writes a finding to the outputs that show findings as they come.
func emit(outputs []output, r *report.Report, f *report.Finding, o report.TextOptions) error {
	for _, out := range outputs {
		var err error
		switch out.format {
		case "text":
			err = report.Text(out.w, f, o)
		case "ndjson":
			err = report.StreamFinding(out.w, r, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// end writes what is known only at the end of a trace.
func end(outputs []output, r *report.Report) error {
	for _, out := range outputs {
		switch out.format {
		case "text":
			for i := range r.Findings {
				if err := report.Repeats(out.w, &r.Findings[i]); err != nil {
					return err
				}
			}
		case "ndjson":
			if err := report.StreamEnd(out.w, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// valid checks what cobra cannot.
func (f *checkFlags) valid() error {
	var names []string
	for _, r := range append(replay.Rules(), adapters.QualityRules...) {
		names = append(names, r.ID, r.Name)
	}
	for _, name := range append(slices.Clone(f.only), f.skip...) {
		if !slices.Contains(names, name) {
			return exit{2, fmt.Errorf("unknown rule %q%s", name, suggest(name, names))}
		}
	}
	if f.adapter != "" {
		var all []string
		for _, a := range sources {
			all = append(all, a.Name)
		}
		if !slices.Contains(all, f.adapter) {
			return exit{2, fmt.Errorf("unknown adapter %q%s", f.adapter, suggest(f.adapter, all))}
		}
	}
	if colors := []string{"auto", "always", "never"}; !slices.Contains(colors, f.color) {
		return exit{2, fmt.Errorf("unknown value %q for --color%s", f.color, suggest(f.color, colors))}
	}
	if f.max < 0 {
		return exit{2, errors.New("--max-violations must not be negative")}
	}
	return nil
}

// open opens the outputs. Each path may be named once.
func (f *checkFlags) open(stdout io.Writer) ([]output, error) {
	if len(f.outputs) == 0 {
		f.outputs = []string{"text"}
	}
	var outputs []output
	seen := map[string]bool{}
	for _, o := range f.outputs {
		format, path, _ := strings.Cut(o, "=")
		if !slices.Contains(formats, format) {
			return nil, exit{2, fmt.Errorf("unknown format %q for -o%s", format, suggest(format, formats))}
		}
		if seen[path] {
			return nil, exit{2, fmt.Errorf("two outputs go to the same place: -o %s", o)}
		}
		seen[path] = true
		if path == "" {
			outputs = append(outputs, output{format, stdout, func() error { return nil }})
			continue
		}
		file, err := os.Create(path)
		if err != nil {
			return nil, exit{3, err}
		}
		outputs = append(outputs, output{format, file, file.Close})
	}
	return outputs, nil
}

func (f *checkFlags) colored(c *cobra.Command) bool {
	switch {
	case f.color == "always":
		return true
	case f.color == "never" || os.Getenv("NO_COLOR") != "":
		return false
	}
	file, ok := c.OutOrStdout().(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// interrupt returns a function that says whether the user asked to stop.
func interrupt() (stop func() bool, release func()) {
	var flag atomic.Bool
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	go func() {
		if _, ok := <-ch; ok {
			flag.Store(true)
			os.Stdin.Close()
		}
	}()
	return flag.Load, func() { signal.Stop(ch); close(ch) }
}

// newProgress returns a function that is called for each line and shows a bar on
// standard error once a long input has taken a second on a terminal.
func newProgress(src *ingest.Source) func() {
	if src.Size() <= 0 || !isatty.IsTerminal(os.Stderr.Fd()) {
		return func() {}
	}
	began, lines := time.Now(), 0
	var bar *progressbar.ProgressBar
	return func() {
		if lines++; lines&0xfff != 0 {
			return
		}
		if bar == nil && time.Since(began) > time.Second {
			bar = progressbar.DefaultBytes(src.Size(), src.Name())
		}
		if bar != nil {
			_ = bar.Set64(src.Offset()) // a bar that cannot be drawn is no reason to stop
		}
	}
}
