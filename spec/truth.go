package spec

// Truth is the value of a guard in a world that is only partly seen. Traces of
// real systems are partial, so a guard of the specification may hold, may fail,
// or may depend on something that the trace has not shown. Only Fails is ever a
// breach.
type Truth uint8

// The three values of [Truth].
const (
	Unknown Truth = iota // the trace does not show enough; counted as assumed
	Holds                // the guard holds; counted as verified
	Fails                // the guard is false: a breach
)

// Is turns a Go boolean, which is always known, into a Truth.
func Is(b bool) Truth {
	if b {
		return Holds
	}
	return Fails
}

// And is Fails if either side fails, else Unknown if either is unknown.
func (t Truth) And(u Truth) Truth {
	switch {
	case t == Fails || u == Fails:
		return Fails
	case t == Unknown || u == Unknown:
		return Unknown
	}
	return Holds
}

// Or is Holds if either side holds, else Unknown if either is unknown.
func (t Truth) Or(u Truth) Truth {
	switch {
	case t == Holds || u == Holds:
		return Holds
	case t == Unknown || u == Unknown:
		return Unknown
	}
	return Fails
}

func (t Truth) String() string {
	return [...]string{"unknown", "holds", "fails"}[t]
}
