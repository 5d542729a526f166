package invariants

import (
	"fmt"

	"github.com/tracecheck/tracecheck/spec"
)

// Invariant is a safety property: a rule, the kinds of facts that bear on it,
// and a constructor of a check with its own memory, one for each group.
type Invariant struct {
	spec.Rule
	Facts []spec.FactKind
	New   func() Check

	// Held is how often the machine itself found that the invariant holds, where
	// it does so without a fact; nil if it does not.
	Held func(m *spec.Machine) uint64
}

// Check looks at each fact of its invariant's kinds, in the order in which facts
// appear.
type Check interface {
	// Observe returns a breach if f contradicts what is known, and counts how
	// often the invariant could be decided in t.
	Observe(m *spec.Machine, f *spec.Fact, t *spec.Tally) *spec.Breach
}

// All are the invariants, in the order of their ids.
var All = []*Invariant{
	ElectionSafety, LeaderAppendOnly, LogMatching, LeaderCompleteness,
	StateMachineSafety, TermMonotonicity, CommitSafety, VoteOnce, StateEqual,
}

// decide counts a truth and reports whether it is a breach.
func decide(t *spec.Tally, truth spec.Truth) bool {
	switch truth {
	case spec.Holds:
		t.Verified++
	case spec.Unknown:
		t.Assumed++
	default:
		t.Broken++
		return true
	}
	return false
}

var sprintf = fmt.Sprintf
