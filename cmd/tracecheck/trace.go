package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// trace is one source with the adapter that reads it. check and decode read
// through it, so that they agree on what becomes of every line.
type trace struct {
	source  *ingest.Source
	adapter *adapters.Adapter
	how     string // how the adapter was chosen
	groups  *spec.Groups
	decoder adapters.Decoder
	last    []byte // the line before, to notice one that stands twice

	backwards bool // the newest line stands first, and is read last

	cluster *cluster // the logs of several servers in place of source and decoder; else nil
}

// name is the name of the trace for reports.
func (t *trace) name() string {
	if t.cluster != nil {
		return t.cluster.title
	}
	return t.source.Name()
}

// place is where a line stands: the name of its file and its number.
func (t *trace) place(ref spec.Ref) (file string, line uint64) {
	if t.cluster != nil {
		number, line := t.cluster.refs.split(ref)
		return t.cluster.files[number], line
	}
	if t.source.Offsets() {
		return t.source.Place(ref)
	}
	_, line = ingest.SplitRef(ref)
	return t.source.Name(), line
}

// files says which files were put together; empty for a file by itself.
func (t *trace) files() string {
	if t.cluster != nil {
		return t.cluster.describe()
	}
	if t.backwards {
		return "read from its end, since its newest line stands first"
	}
	return ""
}

// span finds a field in a line; see [adapters.Decoder].
func (t *trace) span(ref spec.Ref, line []byte, f spec.Field) (start, end int) {
	if t.cluster != nil {
		number, _ := t.cluster.refs.split(ref)
		return t.cluster.of[number].trace.decoder.Span(line, f)
	}
	return t.decoder.Span(line, f)
}

// err is what ended the reading before its end; nil if nothing did.
func (t *trace) err() error {
	if t.cluster != nil {
		return t.cluster.err()
	}
	return t.source.Err()
}

// size is how many bytes there are to read, -1 if that is not known, and offset how
// many were read.
func (t *trace) size() int64 {
	if t.cluster != nil {
		return t.cluster.size
	}
	return t.source.Size()
}

func (t *trace) offset() int64 {
	if t.cluster != nil {
		return t.cluster.offset()
	}
	return t.source.Offset()
}

func (t *trace) close() error {
	if t.cluster != nil {
		return t.cluster.close()
	}
	return t.source.Close()
}

// openTrace opens a path, "-" being stdin, and chooses its adapter: the one that
// is named, or else the one that is surest of the first lines. A topic is read until
// ctx is done.
func openTrace(ctx context.Context, path string, number int, stdin io.Reader, adapter string) (*trace, error) {
	if isTopic(path) {
		return openTopic(ctx, path, number, adapter)
	}
	if path == "-" {
		return openReader(stdin, "<stdin>", "", number, adapter)
	}
	src, backwards, err := openSource(path, number)
	if err != nil {
		return nil, err
	}
	t, err := introduced(src, path, adapter)
	if err == nil {
		t.backwards = backwards
	}
	return t, err
}

// openReader is openTrace for what comes as it is written: standard input, or a file that is followed, whose name the
// adapter is told; empty if there is none.
func openReader(r io.Reader, name, file string, number int, adapter string) (*trace, error) {
	src, err := ingest.NewReader(r, name, number)
	if err != nil {
		return nil, err
	}
	return introduced(src, file, adapter)
}

// introduced chooses the adapter, and tells it the name of the file; empty if there is none.
func introduced(src *ingest.Source, file, adapter string) (*trace, error) {
	t, err := newTrace(src, adapter)
	if err != nil {
		src.Close()
		return nil, err
	}
	if d, ok := t.decoder.(adapters.Introduced); ok && file != "" {
		d.Introduce(file, src.Head(sniffed))
	}
	return t, nil
}

// openSource opens a file, and reads it from its end if the newest line stands
// first, unless it is packed.
func openSource(path string, number int) (src *ingest.Source, backwards bool, err error) {
	src, err = ingest.Open(path, number)
	if err != nil || src.Packed() || src.Size() <= 0 || !ingest.NewestFirst(src.Head(sniffed)) {
		return src, false, err
	}
	src.Close()
	src, err = ingest.OpenBackwards(path, number)
	return src, true, err
}

// newTrace is openTrace for a source that is open.
func newTrace(src *ingest.Source, adapter string) (*trace, error) {
	a, how, err := choose(src, adapter)
	if err != nil {
		return nil, err
	}
	groups := &spec.Groups{}
	return &trace{source: src, adapter: a, how: how, groups: groups, decoder: a.New(groups)}, nil
}

// sniffed is how many lines an adapter is asked about.
const sniffed = 64

func choose(src *ingest.Source, name string) (a *adapters.Adapter, how string, err error) {
	if name != "" {
		return adapterNamed(name)
	}
	lines := src.Head(sniffed)
	sure := 0
	for _, candidate := range sources {
		if n := candidate.Sniff(lines); n > sure {
			a, sure = candidate, n
		}
	}
	switch {
	case a != nil:
		return a, "detected from the first lines; -a NAME chooses another", nil
	case len(bytes.TrimSpace(bytes.Join(lines, nil))) == 0:
		return sources[0], "there is nothing to detect one from", nil
	}
	return nil, "", fmt.Errorf("%s:1: no adapter recognises the first lines; choose one with -a: %s",
		src.Name(), strings.Join(adapterNames(), ", "))
}

// checkAdapter returns an error for an adapter's name that does not exist.
func checkAdapter(name string) error {
	if name == "" || slices.Contains(adapterNames(), name) || isMapping(name) {
		return nil
	}
	return exit{2, fmt.Errorf("unknown adapter %q%s", name, suggest(name, adapterNames()))}
}

func adapterNames() (names []string) {
	for _, a := range sources {
		names = append(names, a.Name)
	}
	return names
}

// The reasons that are the same for every adapter.
const (
	whyLong     = "line too long"
	whyBlank    = "blank line"
	whyRepeated = "repeated line"
	whyLost     = "records are missing from this offset on"
)

// next reads the next line and says what becomes of it: a is the action of a
// [adapters.Checked] line. A damaged line always breaks a Q rule.
func (t *trace) next(rec *ingest.Record, a *spec.Action) (out adapters.Outcome, ok bool) {
	if t.cluster != nil {
		return t.cluster.next(rec, a)
	}
	if !t.source.Next(rec) {
		return out, false
	}
	switch {
	case rec.Flaws&ingest.Lost != 0:
		return adapters.Outcome{Verdict: adapters.Damaged, Why: whyLost, Warn: adapters.RecordsMissing}, true
	case rec.Aside != "":
		return adapters.Outcome{Verdict: adapters.Ignored, Why: rec.Aside}, true
	case rec.Flaws&ingest.TooLong != 0:
		return adapters.Outcome{Verdict: adapters.Damaged, Why: whyLong, Warn: adapters.LineTooLong}, true
	case len(bytes.TrimSpace(rec.Data)) == 0:
		return adapters.Outcome{Verdict: adapters.Ignored, Why: whyBlank}, true
	}
	same := t.same(rec.Data)
	if same && unique(rec.Data) {
		return adapters.Outcome{Verdict: adapters.Ignored, Why: whyRepeated, Warn: spec.RepeatedLine}, true
	}
	a.Reset()
	out = t.decoder.Decode(rec, a)
	if same {
		a.Flags |= spec.SameLine
	}
	if out.Verdict == adapters.Damaged && out.Warn == nil {
		out.Warn = adapters.CutLine
	}
	return out, true
}

// stamps are keys by which two lines of one source differ.
var stamps = [][]byte{[]byte(`"ts"`), []byte(`"time"`), []byte(`"h_ts"`), []byte(`"@timestamp"`), []byte(`"seq"`)}

// unique reports whether a line has a time or a number that stands in no other. A
// line without either may well be written twice: a leader sends the same heartbeat
// again and again.
func unique(line []byte) bool {
	return line[0] == '{' && slices.ContainsFunc(stamps, func(k []byte) bool { return bytes.Contains(line, k) })
}

// same reports whether a line is the one before it, and keeps it for the next.
func (t *trace) same(line []byte) bool {
	if bytes.Equal(line, t.last) {
		return true
	}
	t.last = append(t.last[:0], line...)
	return false
}
