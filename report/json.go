package report

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/tracecheck/tracecheck/replay"
)

// Schema is the version of the JSON reports.
const Schema = 1

type document struct {
	Schema  int             `json:"schema"`
	Tool    string          `json:"tool"`
	Version string          `json:"version"`
	Verdict replay.Verdict  `json:"verdict"`
	Traces  []traceDocument `json:"traces"`
}

type traceDocument struct {
	Trace    string             `json:"trace"`
	Adapter  string             `json:"adapter"`
	How      string             `json:"how"`
	Files    string             `json:"files,omitempty"`
	Verdict  replay.Verdict     `json:"verdict"`
	Partial  string             `json:"incomplete,omitempty"`
	Lines    linesDocument      `json:"lines"`
	Summary  summaryDocument    `json:"summary"`
	Findings []findingDocument  `json:"findings"`
	Coverage []coverageDocument `json:"coverage"`
}

type linesDocument struct {
	Read         uint64 `json:"read"`
	Checked      uint64 `json:"checked"`
	Ignored      uint64 `json:"ignored"`
	Unrecognised uint64 `json:"unrecognised"`
	Damaged      uint64 `json:"damaged"`
}

type summaryDocument struct {
	Groups     int    `json:"groups"`
	Servers    int    `json:"servers"`
	Elections  uint64 `json:"elections"`
	Restarts   uint64 `json:"restarts"`
	MaxTerm    uint64 `json:"maxTerm"`
	MaxCommit  uint64 `json:"maxCommit"`
	Violations uint64 `json:"violations"`
	Quality    uint64 `json:"traceFindings"`
}

type findingDocument struct {
	Rule     ruleDocument       `json:"rule"`
	Class    string             `json:"class"`
	Server   string             `json:"server,omitempty"`
	Group    string             `json:"group,omitempty"`
	Position Position           `json:"position"`
	Message  string             `json:"message"`
	Step     string             `json:"step,omitempty"`
	Before   string             `json:"before,omitempty"`
	Why      []evidenceDocument `json:"why"`
	Allowed  string             `json:"allowed,omitempty"`
	Help     string             `json:"help,omitempty"`
	After    bool               `json:"afterViolation"`
	Folded   int                `json:"folded"`
	Last     *Position          `json:"last,omitempty"`
	Text     string             `json:"text,omitempty"`
	Spans    [][2]int           `json:"spans"`
}

type ruleDocument struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Statement string `json:"statement"`
	Cite      string `json:"cite,omitempty"`
}

type evidenceDocument struct {
	Position Position `json:"position"`
	Server   string   `json:"server"`
	Peer     string   `json:"peer,omitempty"`
	Sends    bool     `json:"sends"`
	What     string   `json:"what"`
	Change   string   `json:"change,omitempty"`
}

type coverageDocument struct {
	Rule     string   `json:"rule"`
	Status   string   `json:"status"`
	Verified uint64   `json:"verified"`
	Assumed  uint64   `json:"assumed"`
	Broken   uint64   `json:"broken"`
	Missing  []string `json:"missing"`
}

// JSON writes one document about all traces.
func JSON(out io.Writer, rs []*Report) error {
	doc := document{Schema: Schema, Tool: "tracecheck", Verdict: replay.Conforms, Traces: []traceDocument{}}
	code := 0
	for _, r := range rs {
		doc.Version = r.Version
		doc.Traces = append(doc.Traces, r.document())
		if worse := Worse(code, ExitCode(r.Summary.Verdict)); worse != code {
			code, doc.Verdict = worse, r.Summary.Verdict
		}
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

func (r *Report) document() traceDocument {
	s := r.Summary
	d := traceDocument{
		Trace: r.Trace, Adapter: r.Adapter, How: r.How, Files: r.Files, Verdict: s.Verdict, Partial: r.Incomplete,
		Lines:    linesDocument{r.Lines.Read, r.Lines.Checked, r.Lines.Ignored, r.Lines.Unrecognised, r.Lines.Damaged},
		Summary:  summaryDocument{s.Groups, s.Servers, s.Elections, s.Restarts, s.MaxTerm, s.MaxCommit, s.Violations, s.Quality},
		Findings: []findingDocument{}, Coverage: []coverageDocument{},
	}
	for i := range r.Findings {
		d.Findings = append(d.Findings, r.finding(&r.Findings[i]))
	}
	for i := range s.Coverage {
		c := &s.Coverage[i]
		d.Coverage = append(d.Coverage, coverageDocument{c.Rule.ID, c.Status(), c.Verified, c.Assumed, c.Broken, Missing(c.Missing)})
	}
	return d
}

func (r *Report) finding(f *Finding) findingDocument {
	d := findingDocument{
		Rule:  ruleDocument{f.Rule.ID, f.Rule.Name, f.Rule.Statement, f.Rule.Cite},
		Class: "violation", Position: f.Pos, Message: f.Message, Step: f.Step, Before: f.Before,
		Allowed: f.Allowed, Help: f.Help, After: f.After, Folded: f.Folded,
		Why: []evidenceDocument{}, Spans: [][2]int{},
	}
	if f.Rule.Quality() {
		d.Class = "trace"
	}
	if f.Server != 0 {
		g := r.Groups.List[f.Group]
		d.Server, d.Group = g.NameOf(f.Server), g.Name
	}
	if f.Folded > 0 {
		last := f.Last
		d.Last = &last
	}
	for _, e := range f.Why {
		d.Why = append(d.Why, evidenceDocument{e.Pos, e.Server, e.Peer, e.Sends, e.What, e.Change})
	}
	if line := f.Line; line != nil {
		d.Text = strings.ToValidUTF8(string(line[:min(len(line), 4096)]), "\uFFFD")
		d.Spans = append(d.Spans, f.Spans...)
	}
	return d
}

// StreamFinding writes one finding as one line of JSON.
func StreamFinding(out io.Writer, r *Report, f *Finding) error {
	return line(out, struct {
		Type  string `json:"type"`
		Trace string `json:"trace"`
		findingDocument
	}{"finding", r.Trace, r.finding(f)})
}

// StreamEnd writes the outcome of a trace as one line of JSON, after its findings.
func StreamEnd(out io.Writer, r *Report) error {
	d := r.document()
	return line(out, struct {
		Type    string          `json:"type"`
		Schema  int             `json:"schema"`
		Trace   string          `json:"trace"`
		Adapter string          `json:"adapter"`
		Verdict replay.Verdict  `json:"verdict"`
		Partial string          `json:"incomplete,omitempty"`
		Lines   linesDocument   `json:"lines"`
		Summary summaryDocument `json:"summary"`
	}{"end", Schema, r.Trace, r.Adapter, d.Verdict, d.Partial, d.Lines, d.Summary})
}

func line(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
