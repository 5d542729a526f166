package conversation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tracecheck/tracecheck/spec"
)

// Watch looks at the facts of one conversation, as the invariants do.
type Watch struct {
	Observe func(m *spec.Machine, f *spec.Fact) []*spec.Breach
	Tally   func(m *spec.Machine, id string) (spec.Tally, bool) // how often a rule of the watch was decided
}

// Player plays the conversations of a package and remembers which rules they
// have shown.
type Player struct {
	// Watch returns what looks at the facts of a new conversation; nil for nothing.
	Watch func() Watch

	Broken, Allowed map[string]bool // by id of the rule

	given *datadriven.TestData // the last block of that name
}

// Do answers one block.
func (p *Player) Do(t *testing.T, td *datadriven.TestData) string {
	t.Helper()
	if p.Broken == nil {
		p.Broken, p.Allowed = make(map[string]bool), make(map[string]bool)
	}
	c := p.begin(t, td)
	if td.Cmd == "given" {
		return c.views()
	}
	before := make(map[string]spec.Tally)
	for _, id := range c.rules {
		before[id] = c.tally(t, id)
	}
	c.out.Reset()
	c.play(t, td)
	if td.Cmd != "broken" && len(c.broken) > 0 {
		t.Errorf("%s: %s is broken:\n%s", td.Pos, strings.Join(c.broken, ", "), c.out.String())
	}
	slices.Sort(c.rules)
	if td.Cmd == "broken" && !slices.Equal(c.rules, c.broken) {
		t.Errorf("%s: %v is broken instead of %v:\n%s", td.Pos, c.broken, c.rules, c.out.String())
	}
	for _, id := range c.rules {
		was, is := before[id], c.tally(t, id)
		switch {
		case td.Cmd == "broken":
			p.Broken[id] = true
		case td.Cmd == "allowed" && is.Verified == was.Verified:
			t.Errorf("%s: %s was not decided:\n%s", td.Pos, id, c.out.String())
		case td.Cmd == "allowed":
			p.Allowed[id] = true
		case td.Cmd == "unknown" && is.Assumed == was.Assumed:
			t.Errorf("%s: %s was not asked, or decided:\n%s", td.Pos, id, c.out.String())
		}
	}
	if c.out.Len() == 0 {
		return "nothing changes\n"
	}
	return c.out.String()
}

// begin makes a new conversation and plays what was given last, or td itself.
func (p *Player) begin(t *testing.T, td *datadriven.TestData) *conversation {
	c := &conversation{groups: &spec.Groups{}}
	for _, arg := range td.CmdArgs {
		switch {
		case td.Cmd == "given":
		case arg.Key == "facts":
			c.facts = true
		case arg.Key == "why":
			c.why = true
		default:
			c.rules = append(c.rules, arg.Key)
		}
	}
	switch td.Cmd {
	case "given":
		given := *td
		p.given = &given
	case "broken", "allowed", "unknown":
		if p.given == nil {
			td.Fatalf(t, "nothing is given")
		}
	default:
		td.Fatalf(t, "unknown command %s", td.Cmd)
	}
	if p.Watch != nil {
		c.watch = p.Watch()
	}
	if err := c.setUp(p.given.CmdArgs); err != nil {
		p.given.Fatalf(t, "%s", err)
	}
	facts := c.facts
	c.facts = false
	c.play(t, p.given)
	c.facts = facts
	if len(c.broken) > 0 {
		t.Errorf("%s: given breaks %v:\n%s", p.given.Pos, c.broken, c.out.String())
	}
	return c
}

// conversation is one conversation under way.
type conversation struct {
	groups *spec.Groups
	group  *spec.Group
	m      *spec.Machine
	watch  Watch

	rules      []string // the rules that the block is about
	facts, why bool

	defaults []string // values with which a server starts
	texts    []string // by Ref: the line
	out      strings.Builder
	broken   []string // ids, sorted, each once
}

// play plays the lines of a block.
func (c *conversation) play(t *testing.T, td *datadriven.TestData) {
	for _, line := range strings.Split(td.Input, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := c.line(line); err != nil {
			td.Fatalf(t, "%s: %s", line, err)
		}
	}
}

func (c *conversation) tally(t *testing.T, id string) spec.Tally {
	for _, r := range spec.Rules {
		if r.ID == id {
			return c.m.Tally(r)
		}
	}
	if c.watch.Tally != nil {
		if tally, ok := c.watch.Tally(c.m, id); ok {
			return tally
		}
	}
	t.Fatalf("there is no rule %s", id)
	return spec.Tally{}
}

// step plays one action and writes what comes of it.
func (c *conversation) step(a spec.Action, text string) {
	c.texts = append(c.texts, text)
	a.Ref = spec.Ref(len(c.texts))
	before := c.fields(a.Server)
	c.m.Step(&a)
	var comes strings.Builder
	for _, b := range c.m.Breaches {
		c.breach(&comes, b)
	}
	for i := range c.m.Facts {
		f := &c.m.Facts[i]
		if c.watch.Observe != nil {
			for _, b := range c.watch.Observe(c.m, f) {
				c.breach(&comes, b)
			}
		}
		if c.facts {
			fmt.Fprintf(&comes, "  fact: %s\n", c.factText(f))
		}
	}
	if moved := changes(before, c.fields(a.Server)); moved != "" {
		fmt.Fprintf(&comes, "  %s: %s\n", c.group.NameOf(a.Server), moved)
	}
	if comes.Len() > 0 {
		fmt.Fprintf(&c.out, "%s\n%s", text, comes.String())
	}
}

func (c *conversation) breach(out *strings.Builder, b *spec.Breach) {
	fmt.Fprintf(out, "  %s %s: %s\n", b.Rule.ID, b.Rule.Name, b.Message)
	if b.Allowed != "" && c.why {
		fmt.Fprintf(out, "    allowed: %s\n", b.Allowed)
	}
	for _, e := range b.Why[:max(0, len(b.Why)-1)] {
		if c.why {
			fmt.Fprintf(out, "    because: %s\n", c.texts[e.Ref-1])
		}
	}
	if !slices.Contains(c.broken, b.Rule.ID) {
		c.broken = append(c.broken, b.Rule.ID)
		slices.Sort(c.broken)
	}
}
