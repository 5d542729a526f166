package mutate

import "github.com/tracecheck/tracecheck/spec"

// Fault is one known fault: its id in the list of faults, what goes wrong, which
// rules may name it, and how it is planted.
type Fault struct {
	ID, What string
	Rules    []string

	// Plant changes a trace and returns the action at which the fault can be seen
	// for the first time, or -1 if the trace has no place for it.
	Plant func(t *Trace) int
}

// Faults are all faults that are planted, by family.
var Faults = append(append(append(append(votes, logs...), commits...), snapshots...), persistence...)

// rare are the faults that need much trouble.
var rare = []string{"F08", "F24", "F73", "F75", "F88"}

// Plant plants a fault and numbers the lines.
func (t *Trace) Plant(f *Fault) int {
	at := f.Plant(t)
	t.number()
	return at
}

// observe is a line that shows a few values.
func observe(id spec.ID, s spec.State) spec.Action {
	return spec.Action{Kind: spec.Observe, Server: id, After: s}
}

func is(a *spec.Action, k spec.Kind, m spec.MessageType) bool {
	return a.Kind == k && a.Message.Type == m
}

// newer says whether (index, term) is at least as up to date as the end of a log.
func newer(index, term uint64, s *spec.State) bool {
	return term > s.LastTerm || term == s.LastTerm && index >= s.LastIndex
}
