package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/ingest/metadatalog"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
	"github.com/tracecheck/tracecheck/spec"
)

// checkFlags are the flags of check.
type checkFlags struct {
	adapter       string
	mapping       string
	outputs       []string
	only, skip    []string
	max, context  int
	strict, quiet bool
	verbose       bool
	color         string
	separate      bool
	follow        bool
	nodes         []string // NAME=FILE
	groups        []string // that are checked; empty is all
	metrics       string   // the address at which they are served; empty is nowhere
}

var colors = []string{"auto", "always", "never"}

func newCheck() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check FILE…",
		Short: "Check traces and explain the first line that is not allowed",
		Long: `Check replays each trace through the reference machine and reports every line that
the specification does not allow, with the reason. A folder stands for all of its
files, and - for standard input. gzip and zstd are recognised by their content.

Several files are one trace if they are the logs of the servers of one cluster:
one adapter reads them, each has the lines of one server, of another one than the
others, and the servers name each other. They are put into one order in which
every message is received after it was sent, whatever the clocks say. The pieces
of a rotated log (n1.log.2.gz n1.log.1 n1.log) are one log. Otherwise, and with
--separate, each file is a trace of its own. Whose log a file is its lines say, or
else its name, or --node NAME=FILE, which also says that all are of one cluster.

kraft://controller:9093,… is a running KRaft quorum: its metadata log is read up
to the high watermark, and every controller is asked who leads; nothing is written
and no vote cast. It takes the options ?tls=true, follow=30s (go on for so long)
and keep=DIR.

kafka://broker:9092/TOPIC is a topic of Kafka whose records are lines of a trace;
each partition is a trace of its own. See docs/kafka-topics.md for its options.

With --follow files are read on as they grow, through rotation by renaming and by
truncation, each as a trace of its own; findings appear within a second.

Findings go to standard output as they are found, the summary of each trace to
standard error.

Exit status: 0 conforms, 1 violation, 2 wrong command line, 3 unreadable or
damaged input, 4 too little could be checked, 5 a bug of tracecheck, 130
interrupted. Of several traces the worst counts, in the order 5, 1, 3, 4, 0.`,
		Example: `  tracecheck check trace.ndjson
  kubectl logs -f raft-0 | tracecheck check -o ndjson -
  tracecheck check -o text -o json=report.json traces/
  tracecheck check n1.log n2.log n3.log
  tracecheck check --follow --metrics :9464 /var/log/etcd.log
  tracecheck check --node a=10.0.0.1.log --node b=10.0.0.2.log`,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	fl := c.Flags()
	fl.StringVarP(&f.adapter, "adapter", "a", "", "the adapter that reads the traces (default: detected from the first lines)")
	fl.StringVarP(&f.mapping, "mapping", "m", "", "read the traces as this mapping file says; see docs/adapters/mapping.md")
	fl.StringArrayVarP(&f.outputs, "output", "o", nil, "write a report, FORMAT[=PATH]: text, json or ndjson; may repeat (default text)")
	fl.StringSliceVar(&f.only, "rule", nil, "report only these rules, by id or name; may repeat")
	fl.StringSliceVar(&f.skip, "skip", nil, "do not report these rules, by id or name; may repeat")
	fl.BoolVar(&f.separate, "separate", false, "each file is a trace of its own, whatever it holds")
	fl.StringArrayVar(&f.nodes, "node", nil, "NAME=FILE: the file is the log of this server, and all files are of one cluster; may repeat")
	fl.BoolVar(&f.follow, "follow", false, "go on at the end of files that are being written, also when they are rotated, until interrupted")
	fl.StringArrayVar(&f.groups, "group", nil, "check only this Raft group (region, range, queue) of the traces, by its name in reports; may repeat")
	fl.StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics at ADDR/metrics while checking, such as :9464 or 127.0.0.1:0")
	fl.IntVar(&f.max, "max-violations", 20, "list at most this many findings of a trace and count the rest; 0 lists all")
	fl.IntVar(&f.context, "context", 0, "show this many source lines before and after the line of a finding")
	fl.BoolVar(&f.strict, "strict", false, "exit 3 if a line is not recognised or the trace itself is flawed")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "no summary on standard error")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "with a table of all rules in the summary")
	fl.StringVar(&f.color, "color", "auto", "auto, always or never; the variable NO_COLOR counts as never")
	return c
}

// valid checks what cobra cannot, and writes rules by their ids.
func (f *checkFlags) valid() error {
	if err := cmp.Or(withMapping(&f.adapter, f.mapping), checkAdapter(f.adapter), f.checkOutputs()); err != nil {
		return err
	}
	for _, list := range [][]string{f.only, f.skip} {
		for i, name := range list {
			r, err := ruleNamed(name)
			if err != nil {
				return err
			}
			list[i] = r.ID
		}
	}
	for _, id := range f.only {
		if slices.Contains(f.skip, id) {
			return exit{2, fmt.Errorf("--rule %s and --skip %s contradict each other", id, id)}
		}
	}
	switch {
	case !slices.Contains(colors, f.color):
		return exit{2, fmt.Errorf("unknown value %q for --color, which takes auto, always or never%s", f.color, suggest(f.color, colors))}
	case f.max < 0:
		return exit{2, errors.New("--max-violations must not be negative")}
	case f.context < 0:
		return exit{2, errors.New("--context must not be negative")}
	}
	return nil
}

func (f *checkFlags) run(c *cobra.Command, args []string) error {
	if len(args)+len(f.nodes) == 0 {
		return exit{2, errors.New("check needs a file, a folder, or - for standard input")}
	}
	if err := f.valid(); err != nil {
		return err
	}
	if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
		return exit{2, errors.New("standard input is named twice")}
	}
	args, remove, err := live(args)
	defer remove()
	if err != nil {
		return err
	}
	if args, err = topics(args); err != nil {
		return exit{3, err}
	}
	paths, err := ingest.Expand(args, metadatalog.Is, metadatalog.Aside)
	if err != nil {
		return exit{3, err}
	}
	if err := f.spareTraces(paths); err != nil {
		return err
	}
	if f.follow { // a log cannot be put into one order with others that have not been written yet
		f.separate = true
	}
	jobs, note, err := f.plan(paths)
	if err != nil {
		return err
	}
	if f.follow {
		if err := f.mayFollow(jobs); err != nil {
			return err
		}
	}
	outs, err := f.open(c.OutOrStdout())
	if err != nil {
		return err
	}
	in := catchInterrupt()
	defer in.release()
	r := &checkRun{checkFlags: f, outs: outs, stderr: c.ErrOrStderr(), stdin: c.InOrStdin(), interrupt: in}
	if note != "" && !f.quiet {
		fmt.Fprintf(r.stderr, "tracecheck: each file is a trace of its own: %s\n", note)
	}
	if f.metrics != "" {
		r.metrics = newMetrics(len(jobs))
		at, err := r.metrics.serve(f.metrics)
		if err != nil {
			return exit{2, errors.Join(err, outs.close())}
		}
		defer r.metrics.close()
		if !f.quiet {
			fmt.Fprintf(r.stderr, "tracecheck: metrics at http://%s/metrics\n", at)
		}
	}
	if err = r.all(jobs); err == nil {
		err = outs.finish(r.reports)
	}
	if err = errors.Join(err, outs.close()); err != nil {
		return exit{3, fmt.Errorf("writing the report: %w", err)}
	}
	if in.asked.Load() {
		return exit{code: 130}
	}
	if r.code != 0 {
		return exit{code: r.code}
	}
	return nil
}

// checkRun is one run of check over several traces.
type checkRun struct {
	*checkFlags
	outs      outputs
	stderr    io.Writer
	stdin     io.Reader
	interrupt *interrupt
	metrics   *metrics // nil if none are served

	reports []*report.Report
	code    int // the worst so far

	// Of files that are followed: who has the turn, and which have come to their end.
	turn  *sync.Mutex
	ended []chan struct{}
}

// all checks the traces.
func (r *checkRun) all(jobs []*job) error {
	if r.checkFlags.follow {
		return r.follow(jobs)
	}
	for i, j := range jobs {
		if err := r.trace(j, i); err != nil || r.interrupt.asked.Load() {
			return err
		}
	}
	return nil
}

// open opens a trace; live is the pipe that it is read through, if it is one that goes on.
func (r *checkRun) open(j *job, number int) (t *trace, live *pipe, err error) {
	switch {
	case r.checkFlags.follow:
		return r.tail(j, number)
	case j.path == "-":
		live = r.interrupt.stdin(r.stdin)
		t, err = j.open(r.interrupt.ctx, number, live, r.adapter)
	default:
		t, err = j.open(r.interrupt.ctx, number, r.stdin, r.adapter)
	}
	return t, live, err
}

// trace checks one trace. Trouble with the input is told at once and shows in
// the exit status; an error is one of writing the reports.
func (r *checkRun) trace(j *job, number int) error {
	t, live, err := r.open(j, number)
	if err != nil {
		r.complain(err)
		unread := &report.Report{
			Tool: "tracecheck", Version: version(), Trace: j.title(), Incomplete: err.Error(),
			Summary: &replay.Summary{Verdict: replay.DamagedInput}, Groups: &spec.Groups{},
		}
		r.afterThoseBefore(number)
		r.reports = append(r.reports, unread)
		return r.outs.end(unread)
	}
	defer t.close()
	bar := progress{source: t, w: r.stderr, began: time.Now()}
	d := newDriver(t, replay.Options{Only: r.only, Skip: r.skip, MaxFindings: r.max})
	d.stop = r.interrupt.asked.Load
	d.seen = func(rec *ingest.Record) error {
		if bar.line(); r.context == 0 {
			return nil
		}
		file, _ := t.place(rec.Ref)
		return r.outs.seen(file, rec.Data)
	}
	d.noted = func(f *report.Finding) error { return r.outs.noted(f) }
	d.found = func(f *report.Finding) error { bar.clear(); return r.outs.found(d.report, f) }
	d.only(r.groups)
	if live != nil {
		live.tick = d.early
	}
	if r.metrics != nil {
		r.metrics.watch(number, d, live)
	}
	err = d.run()
	bar.clear()
	if r.afterThoseBefore(number); err == nil {
		err = r.outs.end(d.report)
	}
	if err != nil {
		return err
	}
	r.reports = append(r.reports, d.report)
	r.code = report.Worse(r.code, report.ExitCode(d.report.Summary.Verdict))
	if r.strict && (d.report.Lines.Unrecognised > 0 || d.report.Summary.Quality > 0) {
		r.code = report.Worse(r.code, 3)
	}
	if err := t.err(); err != nil {
		r.complain(err)
	}
	if r.quiet {
		return nil
	}
	return r.summarise(d, time.Since(bar.began))
}

// complain tells of input that cannot be read.
func (r *checkRun) complain(err error) {
	fmt.Fprintf(r.stderr, "tracecheck: %v\n", err)
	r.code = report.Worse(r.code, 3)
}

// summarise writes the summary for people. How fast it went is told here and
// nowhere else, since reports are the same for the same trace.
func (r *checkRun) summarise(d *driver, took time.Duration) error {
	if r.interrupt.asked.Load() {
		fmt.Fprintln(r.stderr, "interrupted: what follows is about the lines read so far")
	}
	o := report.TextOptions{Color: colored(r.color, r.stderr), Verbose: r.verbose}
	if err := report.Summary(r.stderr, d.report, o); err != nil {
		return err
	}
	if s := took.Seconds(); s > 0 && d.report.Lines.Read > 0 {
		fmt.Fprintf(r.stderr, "  speed   %.0f lines/s, %.1f MB/s\n", float64(d.report.Lines.Read)/s, float64(d.bytes)/1e6/s)
	}
	return nil
}
