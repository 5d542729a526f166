package main

import (
	"bytes"
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
	"github.com/tracecheck/tracecheck/spec"
)

// driver takes one trace from its lines to a report.
type driver struct {
	trace   *trace
	checker *replay.Checker
	report  *report.Report
	bytes   uint64 // of the lines read, unpacked

	seen  func(*ingest.Record) error  // told of each line before it is checked
	noted func(*report.Finding) error // told of each finding at its line, when it may not be settled yet
	found func(*report.Finding) error // told of each finding once it is settled, in the order in which they arose
	stop  func() bool                 // asked after each line is read
	after func()                      // called after each line was checked; nil if nobody is interested

	groups map[uint32]bool // whether a group is one that is checked; nil if all are
	names  []string        // of those that are

	waiting []*untold // in the order in which they arose

	reasons map[reason]*report.Reason
}

// untold is a finding that found has not been told of for good.
type untold struct {
	*report.Finding
	noted time.Time
	early bool // it has been told of while it waited
}

// patience is how long a finding of a live trace may wait before it is told of.
const patience = 500 * time.Millisecond

// reason is why a line was not checked.
type reason struct{ kind, name string }

func newDriver(t *trace, o replay.Options) *driver {
	return &driver{
		trace: t, checker: replay.New(t.groups, o),
		report: &report.Report{
			Tool: "tracecheck", Version: version(), Trace: t.name(),
			Adapter: t.adapter.Name, How: t.how, Groups: t.groups, Files: t.files(),
		},
		reasons: make(map[reason]*report.Reason),
		seen:    func(*ingest.Record) error { return nil },
		noted:   func(*report.Finding) error { return nil },
		found:   func(*report.Finding) error { return nil },
		stop:    func() bool { return false },
	}
}

// only has groups of these names checked, and no others; without any, all are.
func (d *driver) only(names []string) {
	if len(names) > 0 {
		d.names, d.groups = names, make(map[uint32]bool)
	}
}

// asked reports whether a group is one that is checked.
func (d *driver) asked(group uint32) bool {
	is, known := d.groups[group]
	if !known {
		is = slices.Contains(d.names, d.trace.groups.List[group].Name)
		d.groups[group] = is
	}
	return is
}

// crash is a panic of ours together with the line that was being checked.
type crash struct {
	value any
	at    report.Position
	stack []byte
}

// run reads the trace to its end, or until it is stopped. The report is complete
// for the lines that were read. An error comes from seen or
// found; trouble with the input is in the report.
func (d *driver) run() error {
	var rec ingest.Record
	defer func() {
		if p := recover(); p != nil {
			panic(crash{p, d.position(rec.Ref), debug.Stack()})
		}
	}()
	var a spec.Action
	for {
		out, ok := d.trace.next(&rec, &a)
		if !ok || d.stop() { // an interrupt may have cut this line
			break
		}
		d.bytes += uint64(len(rec.Data)) + 1
		if err := d.seen(&rec); err != nil {
			return err
		}
		if d.groups != nil && out.Verdict == adapters.Checked && !d.asked(a.Group) {
			out = adapters.Outcome{Verdict: adapters.Ignored, Why: "of a group that is not asked for"}
		}
		if err := d.line(&rec, &a, out); err != nil {
			return err
		}
		if d.after != nil {
			d.after()
		}
	}
	if d.after != nil {
		d.after()
	}
	if d.trace.cluster != nil {
		if err := d.clocks(); err != nil {
			return err
		}
	}
	return d.finish()
}

// line accounts for one line and replays it if it is an action.
func (d *driver) line(rec *ingest.Record, a *spec.Action, out adapters.Outcome) error {
	l := &d.report.Lines
	l.Read++
	if rec.Flaws&(ingest.Binary|ingest.InvalidUTF8) != 0 {
		if err := d.quality(rec, adapters.InvalidText, "the line holds bytes that are not text"); err != nil {
			return err
		}
	}
	switch out.Verdict {
	case adapters.Checked:
		l.Checked++
		a.Ref = rec.Ref
		for _, f := range d.checker.Step(a) {
			if err := d.list(rec, f); err != nil {
				return err
			}
		}
		if err := d.tell(); err != nil {
			return err
		}
	case adapters.Ignored:
		l.Ignored++
		if out.Why == whyBlank {
			l.Blank++
		}
		d.count("ignored", out.Why, rec)
	case adapters.Unrecognised:
		l.Unrecognised++
		d.count("unrecognised", out.Why, rec)
	case adapters.Damaged:
		// What the line said is unknown, and so is the state of every server
		// until it is shown again.
		l.Damaged++
		d.count("damaged", out.Why, rec)
		d.checker.Gap(out.Warn, rec.Ref)
		return d.quality(rec, out.Warn, "the line cannot be read: "+out.Why)
	}
	if out.Warn == nil {
		return nil
	}
	message := "not so in this line, which was read all the same: " + out.Warn.Statement
	if out.Warn == adapters.ImplementationAlarm {
		message = "the implementation's own alarm: it says in this line that its consensus is broken"
	}
	if out.Warn == spec.RepeatedLine {
		message = "the line repeats the one before it and was not replayed again"
	}
	return d.quality(rec, out.Warn, message)
}

func (d *driver) quality(rec *ingest.Record, rule *spec.Rule, message string) error {
	if f := d.checker.Quality(rule, rec.Ref, message); f != nil {
		return d.list(rec, f)
	}
	return nil
}

func (d *driver) count(kind, why string, rec *ingest.Record) {
	key := reason{kind, why}
	r := d.reasons[key]
	if r == nil {
		r = &report.Reason{Kind: kind, Name: why, First: d.position(rec.Ref)}
		d.reasons[key] = r
	}
	r.Count++
}

func (d *driver) position(ref spec.Ref) report.Position {
	file, line := d.trace.place(ref)
	return report.Position{Source: file, Line: line, Unit: d.trace.unit()}
}

// list adds a finding to the report, with its line and the places in it that
// show the breach.
func (d *driver) list(rec *ingest.Record, f *replay.Finding) error {
	r := &report.Finding{Finding: f, Pos: d.position(f.Ref)}
	if f.Ref == rec.Ref { // else an earlier line, which is gone
		r.Line = bytes.Clone(rec.Data)
	}
	for _, e := range f.Why {
		r.Why = append(r.Why, report.Evidence{Evidence: e, Pos: d.position(e.Ref)})
	}
	for _, field := range f.Fields {
		if start, end := d.trace.span(f.Ref, rec.Data, field); end > start {
			r.Spans = append(r.Spans, [2]int{start, end})
		}
	}
	r.Spans = disjoint(r.Spans)
	d.waiting = append(d.waiting, &untold{Finding: r, noted: time.Now()})
	if err := d.noted(r); err != nil {
		return err
	}
	return d.tell()
}

// tell passes on the findings that are settled, in the order of their lines. One
// that was told early and stands has been told.
func (d *driver) tell() error {
	for len(d.waiting) > 0 && !d.waiting[0].Waiting {
		u := d.waiting[0]
		d.waiting = d.waiting[1:]
		f := u.Finding
		for _, e := range f.Finding.Why[len(f.Why):] { // added when it was settled
			f.Why = append(f.Why, report.Evidence{Evidence: e, Pos: d.position(e.Ref)})
		}
		if f.Folded > 0 { // while it waited
			f.Last = d.position(f.LastRef)
		}
		d.report.Findings = append(d.report.Findings, *f)
		if u.early && f.Rule != replay.Doubtful {
			continue
		}
		if err := d.found(f); err != nil {
			return err
		}
	}
	return nil
}

// early tells of what has been waiting for too long in a live trace, where the lines
// that settle it may not come for hours. What they take back is told once more, as
// that.
func (d *driver) early() error {
	for _, u := range d.waiting {
		if u.early || time.Since(u.noted) < patience {
			continue
		}
		u.early = true
		if err := d.found(u.Finding); err != nil {
			return err
		}
	}
	return nil
}

// disjoint sorts spans and drops those that overlap one before them.
func disjoint(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n == 0 || s[0] >= kept[n-1][1] {
			kept = append(kept, s)
		}
	}
	return kept
}

// finish completes the report.
func (d *driver) finish() error {
	d.checker.Settle()
	if err := d.tell(); err != nil {
		return err
	}
	r := d.report
	l := &r.Lines
	if l.Read != l.Checked+l.Ignored+l.Unrecognised+l.Damaged {
		panic(fmt.Sprintf("lines do not add up: %+v", *l))
	}
	r.Summary = d.checker.Finish()
	if err := d.trace.err(); err != nil {
		r.Incomplete = err.Error()
	} else if d.stop() {
		r.Incomplete = "interrupted"
	}
	if r.Summary.Verdict != replay.Violation && (l.Damaged > 0 || d.trace.err() != nil) {
		r.Summary.Verdict = replay.DamagedInput
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Folded > 0 {
			f.Last = d.position(f.LastRef)
		}
	}
	for _, reason := range d.reasons {
		l.Reasons = append(l.Reasons, *reason)
	}
	slices.SortFunc(l.Reasons, func(a, b report.Reason) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return nil
}
