package main

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/report"
	"github.com/tracecheck/tracecheck/spec"
)

// driver takes one trace from its lines to a report.
type driver struct {
	source  *ingest.Source
	decoder adapters.Decoder
	checker *replay.Checker
	report  *report.Report
	// found is told of each finding as it is listed.
	found func(*report.Finding) error
	stop  func() bool // asked now and then; nil never stops

	reasons map[[2]string]*report.Reason
	last    []byte // the line before, to notice a line that stands twice
}

// newDriver chooses the adapter and prepares a check of a source.
func newDriver(src *ingest.Source, adapter string, o replay.Options) (*driver, error) {
	a, how, err := choose(src, adapter)
	if err != nil {
		return nil, err
	}
	groups := &spec.Groups{}
	return &driver{
		source: src, decoder: a.New(groups), checker: replay.New(groups, o),
		report: &report.Report{
			Tool: "tracecheck", Version: version(), Trace: src.Name(), Adapter: a.Name, How: how, Groups: groups,
		},
		reasons: make(map[[2]string]*report.Reason),
		found:   func(*report.Finding) error { return nil },
	}, nil
}

// choose finds the adapter for a source: the one that was named, or the one that
// is surest of the first lines.
func choose(src *ingest.Source, name string) (*adapters.Adapter, string, error) {
	if name != "" {
		var all []string
		for _, a := range sources {
			if a.Name == name {
				return a, "given with -a", nil
			}
			all = append(all, a.Name)
		}
		return nil, "", exit{2, fmt.Errorf("unknown adapter %q%s", name, suggest(name, all))}
	}
	lines := src.Head(64)
	var best *adapters.Adapter
	sure := 0
	for _, a := range sources {
		if n := a.Sniff(lines); n > sure {
			best, sure = a, n
		}
	}
	if best != nil {
		return best, fmt.Sprintf("detected from the first %d lines; -a NAME chooses another", len(lines)), nil
	}
	if len(bytes.TrimSpace(bytes.Join(lines, nil))) == 0 {
		return sources[0], "nothing to detect it from", nil
	}
	var all []string
	for _, a := range sources {
		all = append(all, a.Name)
	}
	return nil, "", exit{3, fmt.Errorf("%s:1: no adapter recognises these lines; -a NAME chooses one of %s", src.Name(), strings.Join(all, ", "))}
}

// run reads every line of the source. An error is one of the input or of the
// output; the report is complete for what was read before it.
func (d *driver) run() error {
	var rec ingest.Record
	var a spec.Action
	var failed error
	for d.source.Next(&rec) {
		if d.stop != nil && d.stop() {
			break
		}
		if failed = d.line(&rec, &a); failed != nil {
			break
		}
	}
	d.finish()
	if failed == nil {
		failed = d.source.Err()
	}
	return failed
}

// line accounts for one line and replays it.
func (d *driver) line(rec *ingest.Record, a *spec.Action) error {
	l := &d.report.Lines
	l.Read++
	if rec.Flaws&ingest.TooLong != 0 {
		l.Damaged++
		return d.damaged(rec, adapters.LineTooLong, "line too long")
	}
	if len(bytes.TrimSpace(rec.Data)) == 0 {
		l.Ignored++
		l.Blank++
		return nil
	}
	if rec.Flaws&(ingest.Binary|ingest.InvalidUTF8) != 0 {
		if err := d.quality(rec, adapters.InvalidText, "the line holds bytes that are not text"); err != nil {
			return err
		}
	}
	if d.repeated(rec.Data) {
		l.Ignored++
		d.because("ignored", "repeated line", rec)
		return d.quality(rec, adapters.RepeatedLine, "the line repeats the one before it and was not replayed again")
	}
	a.Reset()
	out := d.decoder.Decode(rec, a)
	switch out.Verdict {
	case adapters.Ignored:
		l.Ignored++
		d.because("ignored", out.Why, rec)
	case adapters.Unrecognised:
		l.Unrecognised++
		d.because("unrecognised", out.Why, rec)
	case adapters.Damaged:
		l.Damaged++
		return d.damaged(rec, adapters.CutLine, out.Why)
	default:
		l.Checked++
		a.Ref = rec.Ref
		for _, f := range d.checker.Step(a) {
			if err := d.list(f, rec); err != nil {
				return err
			}
		}
	}
	if out.Warn != nil {
		return d.quality(rec, out.Warn, "not so: "+out.Warn.Statement)
	}
	return nil
}

// stamps are keys that make two lines of one source differ.
var stamps = [][]byte{[]byte(`"ts"`), []byte(`"time"`), []byte(`"h_ts"`), []byte(`"@timestamp"`), []byte(`"seq"`)}

// repeated reports whether a line that is unique by its time stamp or sequence
// number stands a second time in a row.
func (d *driver) repeated(line []byte) bool {
	if bytes.Equal(line, d.last) {
		return slices.ContainsFunc(stamps, func(k []byte) bool { return bytes.Contains(line, k) })
	}
	d.last = append(d.last[:0], line...)
	return false
}

// damaged accounts for a line that cannot be read. What it said is unknown, so
// the servers' state is unknown too until they show it again.
func (d *driver) damaged(rec *ingest.Record, rule *spec.Rule, why string) error {
	d.because("damaged", why, rec)
	d.checker.Gap()
	return d.quality(rec, rule, "the line cannot be read: "+why)
}

func (d *driver) quality(rec *ingest.Record, rule *spec.Rule, message string) error {
	if f := d.checker.Quality(rule, rec.Ref, message); f != nil {
		return d.list(f, rec)
	}
	return nil
}

func (d *driver) because(kind, why string, rec *ingest.Record) {
	key := [2]string{kind, why}
	r := d.reasons[key]
	if r == nil {
		r = &report.Reason{Kind: kind, Name: why, First: d.position(rec.Ref)}
		d.reasons[key] = r
	}
	r.Count++
}

func (d *driver) position(ref spec.Ref) report.Position {
	_, line := ingest.SplitRef(ref)
	return report.Position{Source: d.source.Name(), Line: line}
}

// list turns a finding into one with its line and the places in it.
func (d *driver) list(f *replay.Finding, rec *ingest.Record) error {
	r := report.Finding{Finding: f, Pos: d.position(f.Ref), Line: bytes.Clone(rec.Data)}
	for _, e := range f.Why {
		r.Why = append(r.Why, report.Evidence{Evidence: e, Pos: d.position(e.Ref)})
	}
	for _, field := range f.Fields {
		if start, end := d.decoder.Span(rec.Data, field); end > start {
			r.Spans = append(r.Spans, [2]int{start, end})
		}
	}
	r.Spans = disjoint(r.Spans)
	d.report.Findings = append(d.report.Findings, r)
	return d.found(&r)
}

// disjoint sorts spans and drops those that lie in another.
func disjoint(spans [][2]int) [][2]int {
	sort.Slice(spans, func(i, j int) bool { return spans[i][0] < spans[j][0] })
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n > 0 && s[0] < kept[n-1][1] {
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// finish completes the report.
func (d *driver) finish() {
	r := d.report
	l := &r.Lines
	if l.Read != l.Checked+l.Ignored+l.Unrecognised+l.Damaged {
		panic(fmt.Sprintf("lines do not add up: %+v", *l))
	}
	r.Summary = d.checker.Finish()
	if l.Damaged > 0 && r.Summary.Verdict != replay.Violation {
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
	sort.Slice(l.Reasons, func(i, j int) bool {
		a, b := l.Reasons[i], l.Reasons[j]
		return a.Kind+a.Name < b.Kind+b.Name
	})
}
