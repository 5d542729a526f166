package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracecheck/tracecheck/report"
)

// output is one report that was asked for with -o FORMAT[=PATH].
type output struct {
	format string
	w      io.Writer
	file   *os.File // nil for standard output
	text   report.TextOptions
	around *surroundings // text: the lines around a finding; nil if not asked for
}

var formats = []string{"text", "json", "ndjson"}

// checkOutputs checks what -o was given, before anything is read or written.
func (f *checkFlags) checkOutputs() error {
	seen := map[string]bool{}
	for _, o := range f.outputs {
		format, path, named := strings.Cut(o, "=")
		switch {
		case !slices.Contains(formats, format):
			return exit{2, fmt.Errorf("unknown format %q for -o%s", format, suggest(format, formats))}
		case named && path == "":
			return exit{2, fmt.Errorf("-o %s names no file", o)}
		}
		if named {
			path = filepath.Clean(path)
		}
		if seen[path] {
			return exit{2, fmt.Errorf("-o %s: two reports would go to one place", o)}
		}
		seen[path] = true
	}
	return nil
}

// spareTraces refuses an -o that names one of the traces, which creating the
// report would empty before it is read.
func (f *checkFlags) spareTraces(traces []string) error {
	for _, o := range f.outputs {
		_, path, named := strings.Cut(o, "=")
		if !named {
			continue
		}
		report, err := os.Stat(path)
		if err != nil || !report.Mode().IsRegular() {
			continue // nothing there that could be lost
		}
		for _, trace := range traces {
			if info, err := os.Stat(trace); err == nil && os.SameFile(report, info) {
				return exit{2, fmt.Errorf("-o %s: the report would overwrite the trace %s", o, trace)}
			}
		}
	}
	return nil
}

// open opens the outputs. Without any there is text on standard output.
func (f *checkFlags) open(stdout io.Writer) (outs outputs, err error) {
	asked := f.outputs
	if len(asked) == 0 {
		asked = []string{"text"}
	}
	for _, o := range asked {
		format, path, named := strings.Cut(o, "=")
		out := &output{format: format, w: stdout}
		if named {
			if out.file, err = os.Create(path); err != nil {
				return nil, errors.Join(exit{2, err}, outs.close())
			}
			out.w = out.file
		}
		out.text = report.TextOptions{Color: colored(f.color, out.w), Verbose: f.verbose}
		if f.context > 0 && format == "text" {
			out.around = &surroundings{n: f.context, w: out.w, text: out.text}
		}
		outs = append(outs, out)
	}
	return outs, nil
}

// outputs are the reports of one run.
type outputs []*output

// seen tells of a line that was read, and of its file.
func (outs outputs) seen(file string, line []byte) error {
	for _, o := range outs {
		if o.around != nil {
			if err := o.around.line(file, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// noted tells of a finding while its line is the present one.
func (outs outputs) noted(f *report.Finding) error {
	for _, o := range outs {
		if o.around != nil {
			o.around.finding(f)
		}
	}
	return nil
}

// found writes a finding where findings are shown as they come.
func (outs outputs) found(r *report.Report, f *report.Finding) error {
	for _, o := range outs {
		var err error
		switch {
		case o.around != nil: // it waits for the lines after it
		case o.format == "text":
			err = report.Text(o.w, f, o.text)
		case o.format == "ndjson":
			err = report.StreamFinding(o.w, r, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// end writes what is known only at the end of a trace. A text that goes to a
// file ends with the summary, which otherwise is on standard error.
func (outs outputs) end(r *report.Report) error {
	for _, o := range outs {
		var err error
		switch o.format {
		case "text":
			if o.around != nil {
				err = o.around.flush()
			}
			for i := range r.Findings {
				err = errors.Join(err, report.Repeats(o.w, &r.Findings[i]))
			}
			if o.file != nil {
				err = errors.Join(err, report.Summary(o.w, r, o.text))
			}
		case "ndjson":
			err = report.StreamEnd(o.w, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// finish writes what is about all traces together.
func (outs outputs) finish(rs []*report.Report) error {
	for _, o := range outs {
		if o.format == "json" {
			if err := report.JSON(o.w, rs); err != nil {
				return err
			}
		}
	}
	return nil
}

func (outs outputs) close() error {
	var errs []error
	for _, o := range outs {
		if o.file != nil {
			errs = append(errs, o.file.Close())
		}
	}
	return errors.Join(errs...)
}
