package replay

import "github.com/tracecheck/tracecheck/spec"

// Finding is one thing that is reported: a breach of the protocol, or a flaw of
// the trace itself (a rule of the Q family).
type Finding struct {
	spec.Breach

	// After: the same server already had a violation, so that this one may be
	// nothing but its consequence.
	After bool

	// Waiting: whether it stands is not settled yet, see doubt.go. Whoever shows
	// findings as they come keeps it, and what follows it, until it is.
	Waiting bool

	// Folded counts later findings of the same rule and server that are not
	// listed by themselves; LastRef is the line of the last of them.
	Folded  int
	LastRef spec.Ref
}

// Coverage says, for one rule, how often it could be decided.
type Coverage struct {
	Rule     *spec.Rule
	Verified uint64 // the rule was decided and held
	Assumed  uint64 // the trace did not show enough to decide it
	Broken   uint64 // breaches, folded ones included
	Missing  spec.Facts
	// Missing is what the rule needs and the source does not show; if it is not
	// zero the rule is not checkable. A checkable rule with Verified, Assumed
	// and Broken all zero was not exercised.
}

// Status puts a rule's coverage in one word.
func (c *Coverage) Status() string {
	switch {
	case c.Broken > 0:
		return "broken"
	case c.Verified > 0:
		return "verified"
	case c.Missing != 0:
		return "not checkable"
	case c.Assumed > 0:
		return "assumed"
	}
	return "not exercised"
}

// Verdict is the answer for a trace.
type Verdict string

// The verdicts. Damaged stands beside the three of the protocol: something of
// the input could not be read, so that a clean bill would be a lie.
const (
	Conforms     Verdict = "conforms"
	Violation    Verdict = "violation"
	Inconclusive Verdict = "inconclusive"
	DamagedInput Verdict = "damaged"
)

// Summary is what replay knows of a trace after its last action.
type Summary struct {
	Verdict   Verdict
	Actions   uint64
	Groups    int
	Servers   int
	Elections uint64 // leaders elected
	Restarts  uint64
	MaxTerm   uint64
	MaxCommit uint64

	PassedOver uint64 // actions that were not replayed, being late or repeated

	Findings []Finding // in the order of their lines; violations and Q findings
	// Violations counts protocol violations, folded ones and those beyond the
	// limit of listed findings included; Quality counts Q findings likewise.
	Violations uint64
	Quality    uint64
	Doubtful   uint64     // breaches that prove nothing because the trace is damaged near them
	Coverage   []Coverage // one for each rule, in the order of the rules
}
