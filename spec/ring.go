package spec

// ring is the newest of a kind of thing. Its room grows with what it has to
// remember, as far as a size that its owner gives, a power of two: a trace may
// hold tens of thousands of groups of which most have little to remember.
type ring[T any] struct {
	slots []T
	n     int // ever put since it was last emptied
}

// put makes room for one more and returns it; beyond size it takes the place of
// the oldest, and holds what that was.
func (r *ring[T]) put(size int) *T {
	i := r.n & (size - 1)
	r.n++
	if i == len(r.slots) {
		var none T
		r.slots = append(r.slots, none)
	}
	return &r.slots[i]
}

// kept returns how many are remembered.
func (r *ring[T]) kept() int { return min(r.n, len(r.slots)) }

// at returns the k-th newest, 0 being the last; nil if it is not remembered.
func (r *ring[T]) at(k int) *T {
	if k >= r.n || k >= len(r.slots) {
		return nil
	}
	// Until the ring is full, what comes next is put at n; then after the newest.
	if r.n <= len(r.slots) {
		return &r.slots[r.n-1-k]
	}
	return &r.slots[(r.n-1-k)&(len(r.slots)-1)]
}

// empty forgets all, and keeps the room.
func (r *ring[T]) empty() { r.n = 0 }
