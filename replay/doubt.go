package replay

import (
	"fmt"

	"github.com/tracecheck/tracecheck/invariants"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// A step that nothing explains is one that the specification does not allow, or
// one whose explanation stood on a line that the trace has lost. One cannot be
// told from the other by the step alone. So what breaks a rule waits until its
// group has taken some more steps: if by then, or shortly before, the trace has
// been shown to lack lines or to have them out of order, it proves nothing, and is
// reported as that. Findings stay in the order in which they arose.

// near is how many steps of its group a finding and a proof that the trace is
// damaged may be apart for the one to cast doubt on the other. What was in flight
// where lines are missing arrives within about that many.
const near = 64

// Doubtful is the rule that stands for a finding which proves nothing.
var Doubtful = &spec.Rule{
	ID: "Q13", Name: "no-doubt-near-breach",
	Statement: "where a line breaks a rule, no line near it is missing or out of order",
	Doc:       "Lines that are lost or out of order make correct servers look faulty. Where the trace is shown to be damaged within 64 steps of its group before or after, a breach is no evidence and is not counted as a violation; the verdict is then inconclusive at best.",
	Breaks:    "a leader commits what no line shows to be acknowledged; the next line receives a message that no line sends",
	Allowed:   "the same where every message that is received was sent",
	Causes:    "see Q06, Q07, Q08, Q10 and Q12",
	Faults:    "D1 D2 D6 D10",
}

// certain are the rules whose breaches stand whatever else the trace lacks: each
// line that they rest on says the whole of it.
var certain = rules(&invariants.ElectionSafety.Rule, &invariants.VoteOnce.Rule, &invariants.StateEqual.Rule)

// wanting are the rules that are broken for want of a line: one that would have
// shown the cause of what another shows.
var wanting = rules(
	spec.CommitQuorum, spec.CommitCurrentTerm, spec.FollowerCommitTold, spec.FollowerCommitMatched, spec.CommitWithinLog,
	spec.ApplyCommitted, spec.ApplyInOrder, spec.PrevMatch, spec.TruncateNeedsConflict, spec.TruncateAtConflict,
	spec.AppendNeedsRequest, spec.Contiguous, spec.AckMatchesLog, spec.SendsOwnLog, spec.SendsWithinLog,
	spec.SingleStepOrJoint, spec.TermIncrements, spec.RoleGraph, spec.ElectionQuorum, spec.AppendFromLeader,
	spec.TermHasCause, spec.MessageTerm, &invariants.LogMatching.Rule,
	&invariants.LeaderCompleteness.Rule, &invariants.StateMachineSafety.Rule, &invariants.CommitSafety.Rule,
	kraft.StartsFromQuorumState, kraft.GrantsInState, kraft.GrantsUpToDate, kraft.HighNeverFalls, kraft.HighBeyondEpochStart,
	kraft.TruncationKeepsCommitted, kraft.LeaderAppendsAtEnd, kraft.AppendedEpoch,
)

func rules(list ...*spec.Rule) map[*spec.Rule]bool {
	set := make(map[*spec.Rule]bool)
	for _, r := range list {
		set[r] = true
	}
	return set
}

// evidence is a kind of proof that a trace is damaged.
type evidence uint8

const (
	// known: the lines themselves say that some are missing or out of order.
	known evidence = iota
	// inferred: a message has arrived that no line sends. It says that lines are
	// missing, if it is not itself what is wrong; so it casts doubt only on what is
	// wanting.
	inferred
	numEvidence
)

// damages are the rules of the machine whose breaches are evidence.
var damages = map[*spec.Rule]evidence{
	spec.LinesInSequence: known, spec.TimeGoesOn: known, spec.MessageSent: inferred, spec.ChangeHasLine: inferred,
}

// doubts says whether evidence of a kind is one against breaches of a rule.
func (e evidence) doubts(r *spec.Rule) bool {
	return e == known && !certain[r] || e == inferred && wanting[r]
}

// waiting is a finding that has not been settled.
type waiting struct {
	*Finding
	step     uint64 // of its group
	unlisted bool   // beyond the limit
}

// doubts is what a group's machine knows of damage near its present step.
type doubts struct {
	steps   uint64 // ever taken
	shown   [numEvidence]shown
	waiting []waiting // in order
	same    bool      // the present line is the one before it, see [spec.SameLine]
}

// repeated is the evidence against what a [spec.SameLine] breaks.
var repeated = spec.Breach{Rule: spec.RepeatedLine}

// shown is when damage was shown last; never, if its step is 0.
type shown struct {
	step uint64
	by   spec.Breach
}

// against returns the evidence that is near enough to cast doubt on a breach of a
// rule now; nil if there is none.
func (d *doubts) against(r *spec.Rule) *spec.Breach {
	if d.same {
		return &repeated
	}
	for e := range d.shown {
		if s := &d.shown[e]; s.step != 0 && d.steps-s.step <= near && evidence(e).doubts(r) {
			return &s.by
		}
	}
	return nil
}

// damage casts doubt on what waits, and on what is near from here on.
func (c *Checker) damage(m *machine, e evidence, by *spec.Breach) {
	d := &m.doubts
	d.shown[e] = shown{max(d.steps, 1), *by}
	kept := d.waiting[:0]
	for _, w := range d.waiting {
		switch {
		case !e.doubts(w.Rule):
			kept = append(kept, w)
		case w.unlisted:
			c.doubtful++
		default:
			c.withdraw(m, w.Finding, by)
		}
	}
	if len(kept) < len(d.waiting) {
		m.LoseTrack()
	}
	d.waiting = kept
}

// settle lets the findings stand that have waited long enough.
func (c *Checker) settle(m *machine) {
	d := &m.doubts
	for len(d.waiting) > 0 && d.steps-d.waiting[0].step > near {
		c.stand(d.waiting[0].Finding)
		d.waiting = append(d.waiting[:0], d.waiting[1:]...)
	}
}

// stand makes a finding that was waiting a violation.
func (c *Checker) stand(f *Finding) {
	f.Waiting = false
	c.violations += 1 + uint64(f.Folded)
	c.broken[f.Rule] += 1 + uint64(f.Folded)
}

// withdraw makes a finding that was waiting one about the trace.
func (c *Checker) withdraw(m *machine, f *Finding, by *spec.Breach) {
	delete(c.folded, fold{f.Rule, f.Group, f.Server})
	m.broken[f.Server] = false
	c.listed--
	c.listedQuality++
	c.doubt(m, f, by)
	c.quality += 1 + uint64(f.Folded)
	c.broken[Doubtful] += 1 + uint64(f.Folded)
}

// doubt makes of a breach what it is worth near damage.
func (c *Checker) doubt(m *machine, f *Finding, by *spec.Breach) {
	c.doubtful += 1 + uint64(f.Folded)
	f.Waiting, f.After = false, false
	f.Message = fmt.Sprintf("what this line shows would break %s %s, but the trace is damaged near it (%s), so it proves nothing: %s",
		f.Rule.ID, f.Rule.Name, by.Rule.Name, f.Message)
	if by.Ref != 0 {
		e := spec.Evidence{Ref: by.Ref, What: "shows the damage: " + by.Rule.ID + " " + by.Rule.Name}
		if by.Server != spec.Nil {
			e.Server = m.Name(by.Server)
		}
		f.Why = append(f.Why, e)
	}
	f.Rule, f.Allowed, f.Help = Doubtful, "", ""
}

// Settle lets everything stand that is waiting, as when nothing more is to come
// for a while.
func (c *Checker) Settle() {
	for _, m := range c.machines {
		if m == nil {
			continue
		}
		for _, w := range m.doubts.waiting {
			c.stand(w.Finding)
		}
		m.doubts.waiting = m.doubts.waiting[:0]
	}
}
