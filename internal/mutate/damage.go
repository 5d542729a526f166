package mutate

import (
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

// Damage is something that happens to a trace on its way from the servers to the
// checker. It says nothing of the servers.
type Damage struct {
	ID, What string
	Do       func(t *Trace)
}

// Damages are those that change which lines there are, and in what order. What
// changes the text of lines is for those who write them.
var Damages = []*Damage{
	{"D1", "single lines are dropped", func(t *Trace) {
		for range 1 + t.draw.IntN(3) {
			t.remove(t.draw.IntN(len(t.Actions)))
		}
	}},
	{"D2", "lines are repeated", func(t *Trace) {
		for range 1 + t.draw.IntN(3) {
			i := t.draw.IntN(len(t.Actions))
			t.insert(i, t.Actions[i])
		}
	}},
	{"D3", "a server's lines come late by skew", func(t *Trace) {
		id, from := t.Actions[t.draw.IntN(len(t.Actions))].Server, t.draw.IntN(len(t.Actions))
		late := 1 + t.draw.IntN(10)
		var out, held []spec.Action
		for i, a := range t.Actions {
			if i >= from && a.Server == id {
				held = append(held, a)
			} else {
				out = append(out, a)
			}
			if len(held) > late {
				out, held = append(out, held[0]), held[1:]
			}
		}
		t.Actions = append(out, held...)
	}},
	{"D4", "the trace begins in the middle of a run", func(t *Trace) {
		t.Actions = t.Actions[t.draw.IntN(len(t.Actions)/2):]
	}},
	{"D5", "the trace ends in the middle of a run", func(t *Trace) {
		t.Actions = t.Actions[:t.draw.IntN(len(t.Actions))]
	}},
	{"D6", "a stretch of one server's lines is missing", func(t *Trace) {
		id, from := t.Actions[t.draw.IntN(len(t.Actions))].Server, t.draw.IntN(len(t.Actions))
		to := min(len(t.Actions), from+20+t.draw.IntN(100))
		i := -1
		t.Actions = slices.DeleteFunc(t.Actions, func(a spec.Action) bool {
			i++
			return a.Server == id && i >= from && i < to
		})
	}},
	{"D9", "all votes vanish", func(t *Trace) {
		t.Actions = slices.DeleteFunc(t.Actions, func(a spec.Action) bool {
			switch a.Message.Type {
			case spec.RequestVoteRequest, spec.RequestVoteResponse, spec.PreVoteRequest, spec.PreVoteResponse:
				return true
			}
			return false
		})
	}},
	{"D10", "the newest line comes first", func(t *Trace) { slices.Reverse(t.Actions) }},
	{"D11", "a restart is not marked", func(t *Trace) {
		if i := t.pick(func(i int, a *spec.Action) bool { return a.Kind == spec.Restart && t.before[i].Has != 0 }); i >= 0 {
			t.remove(i)
		}
	}},
}

// Lines is what the lines of a trace tell of their order.
type Lines uint8

const (
	Bare     Lines = iota // nothing
	Stamped               // the time, by the clock of their server
	Numbered              // which of its server's lines each is
	NumLines
)

// Damage does a damage to a trace whose lines tell so much of their order.
func (t *Trace) Damage(do func(t *Trace), lines Lines) {
	for i := range t.Actions {
		a := &t.Actions[i]
		switch lines {
		case Bare:
			a.Seq = 0
		case Stamped:
			a.Seq, a.Flags = uint64(i+1), a.Flags|spec.ClockSeq
		}
	}
	do(t)
	for i := range t.Actions {
		t.Actions[i].Ref = spec.Ref(i + 1)
	}
}
