package spec

// Lineage is what is known of every log of a group at once.
//
// In Raft an entry is identified by its index and term, and so is everything
// before it; and the entries of one term are appended by one leader, one after
// the other. So it is enough to know, for each term, the index of its first
// entry and the entry that this one follows: its [Run]. A log is then its last
// entry, a [Tip], and questions about logs (what stands at an index, is this a
// prefix of that) are walks over the runs between, never over entries.
//
// Log Matching is the statement that a new piece of lineage agrees with the
// pieces that are known. Where one does not, the term gets a second run, a
// variant, so that what follows the breach is judged by what the trace claims.
type Lineage struct {
	runs   []Run // runs[0] stands for "not known"
	byTerm map[uint64]RunID

	cachedTerm uint64 // the term looked up last, since most lines speak of one term
	cachedRun  RunID
}

// RunID names a run of a [Lineage]; zero is "not known".
type RunID int32

// Tip is a position in a log: the entry at Index, of run Run, and with it
// everything before. Index 0 is the empty log. A Run of zero at a positive
// index means that the term of that entry is not known.
type Tip struct {
	Index uint64
	Run   RunID
}

// Run is the stretch of entries of one term.
type Run struct {
	Term   uint64
	Low    uint64 // lowest index known to be of this term; the first of all if Rooted
	End    uint64 // highest index known to exist; Low-1 while a leader has appended nothing
	Rooted bool   // Low is the run's first index and Parent the entry before it
	Parent Tip    // meaningful if Rooted; its Run may be unknown
	Leader ID     // who led the term; Nil if not known
	Ref    Ref    // the line that showed the leader, or the first entry
}

// NewLineage returns an empty lineage.
func NewLineage() *Lineage {
	return &Lineage{runs: make([]Run, 1, 4), byTerm: make(map[uint64]RunID)}
}

// Run returns the run of that id, which must not be zero.
func (l *Lineage) Run(id RunID) *Run { return &l.runs[id] }

// Find returns the present run of a term; zero if none is known.
func (l *Lineage) Find(term uint64) RunID {
	if term == l.cachedTerm && l.cachedRun != 0 {
		return l.cachedRun
	}
	id := l.byTerm[term]
	if id != 0 {
		l.cachedTerm, l.cachedRun = term, id
	}
	return id
}

// Open returns the present run of a term, made without any knowledge of its
// place if there is none. Term 0 has no entries and no run.
func (l *Lineage) Open(term uint64) RunID {
	if term == 0 {
		return 0
	}
	if id := l.Find(term); id != 0 {
		return id
	}
	return l.add(Run{Term: term})
}

func (l *Lineage) add(r Run) RunID {
	id := RunID(len(l.runs))
	l.runs = append(l.runs, r)
	l.byTerm[r.Term] = id
	l.cachedTerm, l.cachedRun = r.Term, id
	return id
}

// Variant makes a second run of the term of r, for a trace that contradicts the
// first, and makes it the present one.
func (l *Lineage) Variant(r RunID) RunID {
	old := l.runs[r]
	return l.add(Run{Term: old.Term, Leader: old.Leader, Ref: old.Ref})
}

// Term returns the term of the entry at a tip, 0 for the empty log, and whether
// it is known.
func (l *Lineage) Term(t Tip) (term uint64, known bool) {
	if t.Index == 0 {
		return 0, true
	}
	return l.runs[t.Run].Term, t.Run != 0
}

// Covers says whether an index, if the log of a run reaches it, is of that very
// run. It spares most questions the walk.
func (l *Lineage) Covers(r RunID, index uint64) bool {
	low := l.runs[r].Low
	return low != 0 && index >= low
}

// At returns the entry at an index of the log that ends with t. The answer is
// not known if the walk meets a part of the lineage that no line has shown; an
// index beyond the end of the log is never known.
func (l *Lineage) At(t Tip, index uint64) (at Tip, known bool) {
	if index == 0 {
		return Tip{}, true
	}
	for steps := 0; index <= t.Index && t.Run != 0 && steps < len(l.runs); steps++ { // a ring leads nowhere
		r := &l.runs[t.Run]
		if r.Low != 0 && index >= r.Low {
			return Tip{index, t.Run}, true
		}
		if !r.Rooted {
			break
		}
		t = r.Parent
	}
	if index == t.Index {
		return t, t.Run != 0
	}
	return Tip{Index: index}, false
}

// Branch returns the log of the leader of a run, as far as index: the tip that
// a follower has which holds everything of it. It is not known if the index is
// below what is known of the term.
func (l *Lineage) Branch(r RunID, index uint64) (Tip, bool) {
	if l.Covers(r, index) {
		return Tip{index, r}, true
	}
	if r == 0 || l.runs[r].Low == 0 {
		return Tip{Index: index}, index == 0
	}
	return l.At(Tip{max(index, l.runs[r].End, l.runs[r].Low), r}, index)
}

// Same reports whether two logs have the same entry at an index, and so the
// same prefix up to it. It fails if either log ends before the index.
func (l *Lineage) Same(a, b Tip, index uint64) Truth {
	if index == 0 {
		return Holds
	}
	if index > a.Index || index > b.Index {
		return Fails
	}
	if a.Run == b.Run && l.Covers(a.Run, index) {
		return Holds
	}
	x, okx := l.At(a, index)
	y, oky := l.At(b, index)
	if !okx || !oky {
		return Unknown
	}
	return Is(x == y)
}

// HasTerm reports whether the entry at an index of a log has the given term.
// Index 0 has term 0. It fails if the log ends before the index.
func (l *Lineage) HasTerm(t Tip, index, term uint64) Truth {
	if index > t.Index {
		return Fails
	}
	if l.Covers(t.Run, index) {
		return Is(l.runs[t.Run].Term == term)
	}
	at, known := l.At(t, index)
	if !known {
		return Unknown
	}
	if index == 0 {
		return Is(term == 0)
	}
	return Is(l.runs[at.Run].Term == term)
}

// Common returns the longest common prefix of two logs, and whether it is known.
func (l *Lineage) Common(a, b Tip) (Tip, bool) {
	for range 2 * len(l.runs) { // each run is left once by either log, unless they are a ring
		if a.Index > b.Index {
			a, b = b, a
		}
		if a.Index == 0 {
			return Tip{}, true
		}
		if a.Run == 0 || b.Run == 0 {
			return Tip{}, false
		}
		// a ends no later than b: cut b down to a's length.
		at, known := l.At(b, a.Index)
		if !known {
			return Tip{}, false
		}
		if at.Run == a.Run {
			return a, true
		}
		// They differ at a.Index: leave the run of the higher term, which cannot
		// be below an entry of the lower one in a common prefix.
		x, y := &l.runs[a.Run], &l.runs[at.Run]
		if y.Term > x.Term {
			x, b, at = y, a, a
		} else {
			b = at
		}
		if !x.Rooted {
			return Tip{}, false
		}
		a = x.Parent
	}
	return Tip{}, false
}

// Lead records that a leader of a term has a log that ends with t when it is
// elected, so that the term's entries will follow t. It reports whether that
// agrees with what is known; if not, the term goes on with a variant.
func (l *Lineage) Lead(term uint64, leader ID, t Tip, known bool, ref Ref) (RunID, bool) {
	id := l.Open(term)
	if id == 0 {
		return 0, true
	}
	r := &l.runs[id]
	if r.Leader == Nil {
		r.Leader, r.Ref = leader, ref
	}
	if !known {
		return id, true
	}
	if r.Rooted {
		if r.Parent.Index == t.Index && (r.Parent.Run == t.Run || r.Parent.Run == 0 || t.Run == 0) {
			if r.Parent.Run == 0 {
				r.Parent.Run = t.Run
			}
			return id, true
		}
		id = l.Variant(id)
		r = &l.runs[id]
		r.root(t, ref)
		return id, false
	}
	if r.Low != 0 && r.Low <= t.Index {
		id = l.Variant(id)
		l.runs[id].root(t, ref)
		return id, false
	}
	r.root(t, ref)
	return id, true
}

// root fixes where a run begins: right after the entry t.
func (r *Run) root(t Tip, ref Ref) {
	r.Rooted, r.Parent, r.Low = true, t, t.Index+1
	r.End = max(r.End, t.Index)
	if r.Ref == 0 {
		r.Ref = ref
	}
}

// Extend appends an entry of a term to the log that ends with t and returns the
// new tip. It reports whether the new piece agrees with what is known: the
// breach of Log Matching appears exactly where it does not.
func (l *Lineage) Extend(t Tip, term uint64, ref Ref) (Tip, bool) {
	index := t.Index + 1
	if t.Run != 0 && l.runs[t.Run].Term == term {
		return l.grow(t), true
	}
	id := l.Open(term)
	if id == 0 {
		return Tip{Index: index}, true
	}
	r := &l.runs[id]
	agrees := true
	switch {
	case r.Rooted && index == r.Low:
		if t.Run != 0 && r.Parent.Run == 0 {
			r.Parent.Run = t.Run
		}
		agrees = t.Run == 0 || r.Parent.Run == t.Run || t.Index == 0
	case r.Rooted:
		// The entry before is of an unknown term, which may be this very term.
		agrees = t.Run == 0 && t.Index >= r.Low
	case r.Low != 0 && r.Low < index:
		agrees = t.Run == 0
	case t.Run != 0 || t.Index == 0:
		r.root(t, ref)
	default:
		r.Low = index
	}
	if !agrees {
		id = l.Variant(id)
		r = &l.runs[id]
		r.root(t, ref)
	}
	r.End = max(r.End, index)
	if r.Ref == 0 {
		r.Ref = ref
	}
	return Tip{index, id}, agrees
}

// grow appends an entry of the term with which a log ends.
func (l *Lineage) grow(t Tip) Tip {
	t.Index++
	r := &l.runs[t.Run]
	r.End = max(r.End, t.Index)
	return t
}

// Saw records that an entry of a term exists at an index, without knowing what
// precedes it, and returns its tip. It reports whether that agrees with what is
// known; if not, the term goes on with a variant.
func (l *Lineage) Saw(index, term uint64, ref Ref) (Tip, bool) {
	if index == 0 {
		return Tip{}, true
	}
	id := l.Open(term)
	if id == 0 {
		return Tip{Index: index}, true
	}
	agrees := !l.runs[id].Rooted || index >= l.runs[id].Low
	if !agrees {
		id = l.Variant(id)
	}
	r := &l.runs[id]
	if !r.Rooted && (r.Low == 0 || index < r.Low) {
		r.Low = index
	}
	r.End = max(r.End, index)
	if r.Ref == 0 {
		r.Ref = ref
	}
	return Tip{index, id}, agrees
}
