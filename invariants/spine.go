package invariants

import "github.com/tracecheck/tracecheck/spec"

// spine is what is committed: one log, as far as anybody is known to have
// committed it. Since a log is a branch tip, one tip is enough.
type spine struct {
	tip    spec.Tip
	server spec.ID
	ref    spec.Ref
}

// agrees says whether a committed position lies on the spine, or continues it.
func (s *spine) agrees(m *spec.Machine, t spec.Tip) spec.Truth {
	if s.tip.Index == 0 {
		return spec.Holds
	}
	return m.Lineage.Same(s.tip, t, min(s.tip.Index, t.Index))
}

// follows says at once whether a position is of the run with which the spine
// ends, so that it surely lies on it or continues it.
func (s *spine) follows(m *spec.Machine, t spec.Tip) bool {
	return t.Run == s.tip.Run && m.Lineage.Covers(t.Run, min(s.tip.Index, t.Index))
}

// grow moves the spine's end to t if that is further, or settles its term.
func (s *spine) grow(t spec.Tip, by spec.ID, ref spec.Ref) {
	if t.Index > s.tip.Index && t.Run != 0 || t.Index == s.tip.Index && s.tip.Run == 0 {
		s.tip, s.server, s.ref = t, by, ref
	}
}
