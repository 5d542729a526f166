package spec

// inSequence looks at the number of a line, where the source counts the lines of
// each server, and reports whether the line is to be replayed. Lines that are
// missing make unknown what the server did meanwhile; a line that was there
// before, or comes after later ones, says nothing new.
func (m *Machine) inSequence(s *Server, a *Action) bool {
	if a.Flags&ClockSeq != 0 {
		return m.inTime(s, a)
	}
	last := s.seq
	s.counts = a.Flags&SparseSeq == 0
	if a.Flags&LinesLost != 0 {
		m.linesLost(s, a)
	}
	anew := a.Seq == 1 && (a.Kind == Restart || a.Flags&Restarted != 0) // a restart may count from 1 again
	if last == 0 || a.Seq == last+1 || anew || a.Flags&SparseSeq != 0 && a.Seq > last {
		m.check(LinesInSequence, Holds)
		s.seq = a.Seq
		return true
	}
	m.check(LinesInSequence, Fails)
	b := m.flaw(LinesInSequence, s)
	b.Fields = []Field{FieldServer}
	if a.Seq <= last {
		b.Message = sprintf("line %d of server %s comes again or late; its last line was %d, and this one was not replayed",
			a.Seq, m.name(s.ID), last)
		m.finish(b, sprintf("is line %d", a.Seq))
		m.passOver(s, a)
		return false
	}
	b.Message = sprintf("%d lines of server %s are missing before its line %d; what it did meanwhile is not known",
		a.Seq-last-1, m.name(s.ID), a.Seq)
	m.finish(b, sprintf("is line %d", a.Seq))
	s.gap()
	if f, ok := m.Net.(*Fingerprints); ok {
		f.Forget()
	}
	s.seq = a.Seq
	return true
}

// clock is what the time stamps of a server's lines have been.
type clock struct {
	before uint64 // the reading before the last one that was taken
	early  int    // how many lines in a row were earlier than that last one, each not before the other
	last   uint64 // the reading of the last of them
}

// misread is how many lines in a row show that not they are early but one line
// before them was stamped too late.
const misread = 4

// inTime looks at the time stamp of a line and reports whether the line is to be
// replayed. One that is earlier than the line before says nothing new; and since
// a line has been where it is not, what the server is now is unknown.
func (m *Machine) inTime(s *Server, a *Action) bool {
	c := &s.clock
	if a.Seq >= s.seq {
		m.check(TimeGoesOn, Holds)
		if a.Seq > s.seq {
			c.before = s.seq
		}
		s.seq, c.early = a.Seq, 0
		return true
	}
	if a.Seq < c.before || c.early > 0 && a.Seq < c.last {
		c.early = 0
	} else {
		c.early++
	}
	c.last = a.Seq
	if c.early == misread {
		s.seq, c.early = a.Seq, 0
		s.gap()
		return true
	}
	m.check(TimeGoesOn, Fails)
	b := m.flaw(TimeGoesOn, s)
	b.Fields = []Field{FieldServer}
	b.Message = sprintf("this line of server %s is earlier than the one before it: it comes again or late, or the clock was set back; it was not replayed",
		m.name(s.ID))
	m.finish(b, "goes back in time")
	s.gap()
	m.passOver(s, a)
	return false
}

// passOver leaves a line out. That a message was sent stays true.
func (m *Machine) passOver(s *Server, a *Action) {
	s.gone = true
	m.PassedOver++
	if a.Kind == Send {
		m.Net.Send(&a.Message)
	}
}

// linesLost takes a line's word that lines are missing before it. They may be of
// any server, so what each did meanwhile is unknown.
func (m *Machine) linesLost(s *Server, a *Action) {
	m.check(LinesInSequence, Fails)
	b := m.flaw(LinesInSequence, s)
	b.Message = sprintf("lines are missing before line %d, which is of server %s; what any server did meanwhile is not known",
		a.Seq, m.name(s.ID))
	m.finish(b, sprintf("is line %d", a.Seq))
	m.Gap()
}
