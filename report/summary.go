package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// Summary writes the outcome of one trace: the verdict in one line, what became
// of every line, and what was and was not checked.
func Summary(out io.Writer, r *Report, o TextOptions) error {
	w := &writer{w: out}
	s := r.Summary
	w.printf("%s: %s: %s\n", s.Verdict, r.Trace, headline(r))
	l := r.Lines
	w.field("files", 100, r.Files)
	if r.Adapter != "" {
		w.printf("  adapter %s (%s)\n", r.Adapter, r.How)
	}
	w.printf("  lines   %s read = %s checked + %s ignored + %s unrecognised + %s damaged\n",
		thousands(l.Read), thousands(l.Checked), thousands(l.Ignored), thousands(l.Unrecognised), thousands(l.Damaged))
	for _, reason := range l.Reasons {
		w.printf("          %s %s: %s, first at %s\n", thousands(reason.Count), reason.Kind, reason.Name, r.at(reason.First))
	}
	by := map[string][]string{}
	for i := range s.Coverage {
		c := &s.Coverage[i]
		by[c.Status()] = append(by[c.Status()], c.Rule.ID)
	}
	var counts []string
	for _, status := range statuses {
		if n := len(by[status]); n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, status))
		}
	}
	w.printf("  rules   %s\n", strings.Join(counts, " · "))
	for _, status := range statuses[2:] {
		if ids := by[status]; len(ids) > 0 {
			w.field("", 100, status+": "+strings.Join(ids, " "))
		}
	}
	if o.Verbose && w.err == nil {
		coverage(w, s)
	}
	return w.err
}

var statuses = []string{"broken", "verified", "assumed", "not exercised", "not checkable"}

// headline is what the verdict rests on.
func headline(r *Report) string {
	s := r.Summary
	switch s.Verdict {
	case replay.Violation:
		for i := range r.Findings {
			f := &r.Findings[i]
			if !f.Rule.Quality() {
				return fmt.Sprintf("first at %s, %s %s (%s)", r.at(f.Pos), f.Rule.ID, f.Rule.Name, plural(s.Violations, "violation"))
			}
		}
	case replay.Inconclusive:
		return "nothing could be checked"
	case replay.DamagedInput:
		if r.Incomplete != "" {
			return "no violation in what could be read; " + r.Incomplete
		}
		return fmt.Sprintf("no violation in what could be read; %s lost", plural(r.Lines.Damaged, "line"))
	}
	servers := plural(uint64(s.Servers), "server")
	if s.Groups > 1 {
		servers = plural(uint64(s.Groups), "group") + ", " + servers
	}
	return fmt.Sprintf("%s, %s, term %d, %s, %s, commit %d", plural(r.Lines.Read, "line"), servers,
		s.MaxTerm, plural(s.Elections, "election"), plural(s.Restarts, "restart"), s.MaxCommit)
}

// at names a line: by its number, and by its file too where there are several.
func (r *Report) at(p Position) string {
	if r.Files != "" {
		return p.String()
	}
	return p.within()
}

// coverage writes one row for each rule.
func coverage(w *writer, s *replay.Summary) {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(table.Row{"rule", "name", "status", "verified", "assumed", "broken", "the source does not show"})
	for i := range s.Coverage {
		c := &s.Coverage[i]
		t.AppendRow(table.Row{c.Rule.ID, c.Rule.Name, c.Status(), c.Verified, c.Assumed, c.Broken, strings.Join(Missing(c.Missing), ", ")})
	}
	w.printf("%s\n", t.Render())
}

// Missing names a set of facts.
func Missing(f spec.Facts) []string {
	names := []string{}
	for i, name := range spec.FactNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

func plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands writes a number with commas.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// ExitCode is the exit status for a verdict.
func ExitCode(v replay.Verdict) int {
	switch v {
	case replay.Violation:
		return 1
	case replay.DamagedInput:
		return 3
	case replay.Inconclusive:
		return 4
	}
	return 0
}

// Worse returns the worse of two exit statuses, in the order 5, 1, 3, 4, 0.
func Worse(a, b int) int {
	for _, code := range []int{5, 1, 3, 4} {
		if a == code || b == code {
			return code
		}
	}
	return 0
}
