package replay

import (
	"fmt"
	"slices"

	"github.com/tracecheck/tracecheck/invariants"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// Options says what to look for and how much to list.
type Options struct {
	Only []string // ids or names of the rules to report; empty is all
	Skip []string // ids or names of rules not to report

	// MaxFindings bounds the violations that are listed one by one, and likewise
	// the findings about the trace, so that a damaged trace hides no violation;
	// more are only counted. 0 is no bound; repeats are folded all the same.
	MaxFindings int
}

// Rules returns every rule of replay: the guards of the machines, the safety
// invariants and [Doubtful], in the order of their ids.
func Rules() []*spec.Rule {
	rules := append(slices.Concat(spec.Rules, kraft.WithRecords), Doubtful)
	for _, inv := range invariants.All {
		rules = append(rules, &inv.Rule)
	}
	slices.SortFunc(rules, func(a, b *spec.Rule) int {
		switch {
		case a.ID < b.ID:
			return -1
		case a.ID > b.ID:
			return 1
		}
		return 0
	})
	return rules
}

// Checker checks one trace.
type Checker struct {
	groups   *spec.Groups
	machines []*machine // by group
	last     *machine   // the one that was used last
	options  Options
	hidden   map[*spec.Rule]bool

	findings []*Finding
	folded   map[fold]*Finding
	broken   map[*spec.Rule]uint64
	fresh    []*Finding

	actions             uint64
	violations, quality uint64
	doubtful            uint64

	listed, listedQuality int // how many of each are in findings
}

// machine is one group's machine with its invariants.
type machine struct {
	*spec.Machine
	group   uint32
	watch   [spec.NumFacts][]watcher // by kind of fact, in the order of invariants.All
	tallies []spec.Tally
	broken  []bool // by server: had a violation
	doubts  doubts
}

// watcher is an invariant's check beside its tally.
type watcher struct {
	check invariants.Check
	tally *spec.Tally
}

// fold is what makes two findings repeats of each other.
type fold struct {
	rule   *spec.Rule
	group  uint32
	server spec.ID
}

// New returns a Checker for a trace whose groups are interned in groups.
func New(groups *spec.Groups, o Options) *Checker {
	c := &Checker{
		groups: groups, options: o, hidden: make(map[*spec.Rule]bool),
		folded: make(map[fold]*Finding), broken: make(map[*spec.Rule]uint64),
	}
	for _, r := range Rules() {
		if len(o.Only) > 0 && !names(o.Only, r) || names(o.Skip, r) {
			c.hidden[r] = true
		}
	}
	return c
}

func names(list []string, r *spec.Rule) bool {
	return slices.Contains(list, r.ID) || slices.Contains(list, r.Name)
}

// Step replays one action. It returns the findings that are listed because of
// it, some of which may be waiting; the slice is reused by the next call.
func (c *Checker) Step(a *spec.Action) []*Finding {
	c.fresh = c.fresh[:0]
	if a.Server == spec.Nil {
		return nil
	}
	c.actions++
	m := c.last
	if m == nil || m.group != a.Group {
		m = c.machine(a.Group)
	}
	m.doubts.steps++
	m.doubts.same = a.Flags&spec.SameLine != 0
	machine := m.Machine
	machine.Step(a)
	for _, b := range machine.Breaches {
		c.add(m, b)
	}
	// What became a fact is shown to the invariants that look at its kind.
	facts := machine.Facts
	for i := range facts {
		f := &facts[i]
		for _, w := range m.watch[f.Kind] {
			if b := w.check.Observe(machine, f, w.tally); b != nil {
				c.add(m, b)
			}
		}
	}
	if len(m.doubts.waiting) > 0 {
		c.settle(m)
	}
	return c.fresh
}

// machine returns the machine of a group, made on first use.
func (c *Checker) machine(group uint32) *machine {
	for int(group) >= len(c.machines) {
		c.machines = append(c.machines, nil)
	}
	m := c.machines[group]
	if m == nil {
		m = &machine{Machine: spec.New(c.groups.List[group]), group: group, tallies: make([]spec.Tally, len(invariants.All))}
		for k, inv := range invariants.All {
			w := watcher{inv.New(), &m.tallies[k]}
			for _, kind := range inv.Facts {
				m.watch[kind] = append(m.watch[kind], w)
			}
		}
		c.machines[group] = m
	}
	c.last = m
	return m
}

// add lists a breach as a finding, or folds it into an earlier one.
func (c *Checker) add(m *machine, b *spec.Breach) {
	if e, is := damages[b.Rule]; is && (b.Rule != spec.MessageSent || b.LinesMissing) {
		c.damage(m, e, b)
	}
	if c.hidden[b.Rule] {
		return
	}
	f := &Finding{Breach: *b}
	by := m.doubts.against(b.Rule)
	switch {
	case b.Rule.Quality():
	case by != nil:
		c.doubt(m, f, by)
	default:
		for int(b.Server) >= len(m.broken) {
			m.broken = append(m.broken, false)
		}
		f.After = m.broken[b.Server]
		m.broken[b.Server] = true
		f.Waiting = !certain[b.Rule]
	}
	if !c.list(f) {
		return
	}
	if f.Waiting {
		m.doubts.waiting = append(m.doubts.waiting, waiting{f, m.doubts.steps, false})
	}
}

// list lists a finding, and counts it unless it waits. It reports whether the
// finding has not been folded into an earlier one, nor is beyond the limit.
func (c *Checker) list(f *Finding) bool {
	count, listed := &c.violations, &c.listed
	if f.Rule.Quality() {
		count, listed = &c.quality, &c.listedQuality
	}
	key := fold{f.Rule, f.Group, f.Server}
	first := c.folded[key]
	if first == nil && !f.Waiting || first != nil && !first.Waiting {
		*count++
		c.broken[f.Rule]++
	}
	if first != nil {
		first.Folded++
		first.LastRef = f.Ref
		return false
	}
	if c.options.MaxFindings > 0 && *listed >= c.options.MaxFindings {
		return false
	}
	*listed++
	c.folded[key] = f
	c.findings = append(c.findings, f)
	c.fresh = append(c.fresh, f)
	return true
}

// Quality lists a finding about the trace itself. It returns nil if the finding
// is folded into an earlier one of its rule, or beyond the limit.
func (c *Checker) Quality(rule *spec.Rule, ref spec.Ref, message string) *Finding {
	f := &Finding{Breach: spec.Breach{Rule: rule, Ref: ref, Message: message}}
	if !c.list(f) {
		return nil
	}
	return f
}

// Gap says that lines were lost, as a line shows that breaks a rule about the
// trace, so that what any server did meanwhile is unknown.
func (c *Checker) Gap(by *spec.Rule, ref spec.Ref) {
	for _, m := range c.machines {
		if m != nil {
			c.damage(m, known, &spec.Breach{Rule: by, Ref: ref})
			m.Gap()
		}
	}
}

// Finish returns the outcome. The Checker must not be used afterwards.
func (c *Checker) Finish() *Summary {
	c.Settle()
	s := &Summary{Actions: c.actions, Violations: c.violations, Quality: c.quality, Doubtful: c.doubtful}
	shows := spec.Facts(0)
	var live []*machine
	for g, m := range c.machines {
		if m == nil {
			continue
		}
		live = append(live, m)
		s.Groups++
		s.Servers += c.groups.List[g].Servers()
		s.Elections += m.Elections
		s.Restarts += m.Restarts
		s.MaxTerm = max(s.MaxTerm, m.MaxTerm)
		s.MaxCommit = max(s.MaxCommit, m.MaxCommit)
		s.PassedOver += m.PassedOver
		shows |= c.groups.List[g].Shows
	}
	checked := uint64(0)
	for _, r := range Rules() {
		if c.hidden[r] || !c.judged(r, live) {
			continue
		}
		cov := c.coverage(r, live)
		cov.Missing = r.Needs &^ shows
		if r.Quality() && cov.Status() == "not exercised" {
			continue // nothing in the trace could be wrong in that way
		}
		checked += cov.Verified
		s.Coverage = append(s.Coverage, cov)
	}
	for _, f := range c.findings {
		s.Findings = append(s.Findings, *f)
	}
	switch {
	case c.violations > 0:
		s.Verdict = Violation
	case checked == 0, c.doubtful > 0, 10*s.PassedOver > s.Actions: // too little to say either
		s.Verdict = Inconclusive
	default:
		s.Verdict = Conforms
	}
	return s
}

// judged reports whether a rule is one of the protocols of the groups; without
// any group, whether it is one of Raft.
func (c *Checker) judged(r *spec.Rule, live []*machine) bool {
	if r.Invariant() || r == Doubtful {
		return true
	}
	for _, m := range live {
		if m.Judges(r) {
			return true
		}
	}
	return len(live) == 0 && slices.Contains(spec.Rules, r)
}

func (c *Checker) coverage(r *spec.Rule, live []*machine) Coverage {
	cov := Coverage{Rule: r, Broken: c.broken[r]}
	if r == Doubtful {
		return cov // it is decided by nothing but its breaches
	}
	for _, m := range live {
		t := m.tally(r)
		cov.Verified += t.Verified
		cov.Assumed += t.Assumed
	}
	return cov
}

// tally returns how often a rule was decided in one group.
func (m *machine) tally(r *spec.Rule) spec.Tally {
	if !r.Invariant() {
		return m.Tally(r)
	}
	for k, inv := range invariants.All {
		if &inv.Rule == r {
			t := m.tallies[k]
			if inv.Held != nil {
				t.Verified += inv.Held(m.Machine)
			}
			return t
		}
	}
	panic(fmt.Sprintf("replay: rule %s has no tally", r.ID))
}
