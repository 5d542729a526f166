package report

import (
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
)

// TextOptions says how text is laid out.
type TextOptions struct {
	Color   bool
	Width   int // columns; 0 is 100
	Verbose bool
}

// writer keeps the first error, so that a full disk or a closed pipe is said
// once and never swallowed.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.w, format, args...)
	}
}

// Text writes the diagnostic of one finding: what is not allowed, the line that
// shows it, the rule, and the earlier lines that make it so.
func Text(out io.Writer, f *Finding, o TextOptions) error {
	if o.Width == 0 {
		o.Width = 100
	}
	w := &writer{w: out}
	kind, paint := "violation", color.New(color.FgRed, color.Bold)
	if f.Rule.Quality() {
		kind, paint = "trace", color.New(color.FgYellow, color.Bold)
	}
	if o.Color {
		paint.EnableColor()
	} else {
		paint.DisableColor()
	}
	w.printf("%s %s\n", paint.Sprintf("%s %s %s:", kind, f.Rule.ID, f.Rule.Name), f.Message)
	w.printf("   --> %s\n", f.Pos)
	if f.Line != nil {
		excerpt(w, f, o)
	}
	w.field("rule", o.Width, f.Rule.Statement)
	if f.Rule.Cite != "" {
		w.field("", o.Width, f.Rule.Cite)
	}
	if !f.Rule.Quality() {
		w.field("before", o.Width, f.Before)
		w.field("step", o.Width, f.Step)
		why(w, f)
	}
	w.field("allowed", o.Width, f.Allowed)
	w.field("help", o.Width, f.Help)
	if f.Waiting {
		w.field("note", o.Width, "lines that are still to come may show that the trace is damaged here, and then this is taken back")
	}
	if f.After {
		w.field("note", o.Width, "after an earlier violation of this server, so this may be its consequence")
	}
	w.printf("\n")
	return w.err
}

// Repeats writes how often a finding came again.
func Repeats(out io.Writer, f *Finding) error {
	if f.Folded == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s %s: and %d more like the one at %s, the last at %s\n",
		f.Rule.ID, f.Rule.Name, f.Folded, f.Pos.within(), f.Last)
	return err
}

// field writes a labelled text, wrapped under its own column.
func (w *writer) field(label string, width int, text string) {
	if text == "" {
		return
	}
	line := fmt.Sprintf("  %-8s", label)
	used := len(line)
	for _, word := range strings.SplitAfter(text, " ") {
		n := utf8.RuneCountInString(word)
		if used+n > width && used > 10 {
			w.printf("%s\n", strings.TrimRight(line, " "))
			line, used = "          ", 10
		}
		line += word
		used += n
	}
	w.printf("%s\n", strings.TrimRight(line, " "))
}

// why writes the causal slice as a table.
func why(w *writer, f *Finding) {
	var at, who []string
	atWidth, whoWidth, whatWidth := 0, 0, 0
	for _, e := range f.Why {
		a := e.Pos.within()
		if e.Pos.Source != f.Pos.Source {
			a = e.Pos.String()
		}
		s := e.Server
		if e.Peer != "" && e.Sends {
			s += " → " + e.Peer
		} else if e.Peer != "" {
			s += " ← " + e.Peer
		}
		at, who = append(at, a), append(who, s)
		atWidth = max(atWidth, utf8.RuneCountInString(a))
		whoWidth = max(whoWidth, utf8.RuneCountInString(s))
		if e.Change != "" {
			whatWidth = max(whatWidth, utf8.RuneCountInString(e.What))
		}
	}
	for i, e := range f.Why {
		label := ""
		if i == 0 {
			label = "why"
		}
		pad := func(s string, n int) string { return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s))) }
		row := fmt.Sprintf("  %-8s%d  %*s  %s  %s", label, i+1, atWidth, at[i], pad(who[i], whoWidth), e.What)
		if e.Change != "" {
			row = fmt.Sprintf("  %-8s%d  %*s  %s  %s  %s", label, i+1, atWidth, at[i], pad(who[i], whoWidth), pad(e.What, whatWidth), e.Change)
		}
		w.printf("%s\n", strings.TrimRight(row, " "))
	}
}

// excerpt shows the pieces of the source line that matter, with carets below.
func excerpt(w *writer, f *Finding, o TextOptions) {
	number := strconv.FormatUint(f.Pos.Line, 10)
	room := o.Width - len(number) - 3
	text, marks := window(f.Line, f.Spans, room)
	w.printf("%s | %s\n", number, text)
	if strings.Contains(marks, "^") {
		w.printf("%s | %s\n", strings.Repeat(" ", len(number)), strings.TrimRight(marks, " "))
	}
}

// window cuts a line to width columns so that its spans show. Every byte that is
// not printable is one column, so that the carets stay below what they mark.
func window(line []byte, spans [][2]int, width int) (text, marks string) {
	sort.Slice(spans, func(i, j int) bool { return spans[i][0] < spans[j][0] })
	type piece struct{ from, to int }
	var pieces []piece
	if len(line) <= width || len(spans) == 0 {
		pieces = []piece{{0, min(len(line), width-1)}}
		if len(line) <= width {
			pieces[0].to = len(line)
		}
	} else {
		marked := 0
		for _, s := range spans {
			marked += s[1] - s[0]
		}
		margin := max(4, (width-marked)/len(spans)-2)
		used := 0
		for _, s := range spans {
			from, to := max(0, s[0]-margin*4/5), min(len(line), s[1]+margin/5)
			if n := len(pieces); n > 0 && from <= pieces[n-1].to+1 {
				from = pieces[n-1].to
				if to <= from {
					continue
				}
				if used+to-from+2 > width {
					break
				}
				pieces[n-1].to = to
				used += to - from
				continue
			}
			if used+to-from+2 > width {
				to = from + max(0, width-used-2)
				if to <= s[0] {
					break
				}
			}
			pieces = append(pieces, piece{from, to})
			used += to - from + 1
		}
	}
	var t, c strings.Builder
	end := 0
	for _, p := range pieces {
		if p.from > end {
			t.WriteRune('…')
			c.WriteByte(' ')
		}
		for i := p.from; i < p.to; {
			r, n := utf8.DecodeRune(line[i:])
			if r == utf8.RuneError && n == 1 || r < ' ' || r == 0x7f {
				r = '·'
			}
			t.WriteRune(r)
			mark := byte(' ')
			for _, s := range spans {
				if i >= s[0] && i < s[1] {
					mark = '^'
				}
			}
			c.WriteByte(mark)
			i += n
		}
		end = p.to
	}
	if end < len(line) {
		t.WriteRune('…')
	}
	return t.String(), c.String()
}
