package spec

// Contents remembers what entries hold, as hashes, for as long as someone may
// still disagree about them. It is a ring over indexes: memory is bounded
// whatever the length of the log, and what has left the ring is unknown.
type Contents struct {
	slots []content // len is a power of two; slot of index i is i mod len
	top   uint64    // highest index seen
}

type content struct {
	index uint64
	run   RunID
	by    ID // who showed it
	hash  uint64
	ref   Ref
}

// maxContents bounds the ring: that many of the newest entries are remembered.
const maxContents = 1 << 16

// Put records the hash of the entry at t, which a server shows. If another hash
// is known for the same entry it is left as it is, and the line and the server
// that showed it are returned with agrees false.
func (c *Contents) Put(t Tip, hash uint64, ref Ref, by ID) (earlier Ref, shownBy ID, agrees bool) {
	if c.slots == nil {
		c.slots = make([]content, 8)
	}
	for len(c.slots) < maxContents && c.occupied(t) {
		c.grow()
	}
	slot := &c.slots[t.Index&uint64(len(c.slots)-1)]
	if slot.index == t.Index && slot.run == t.Run {
		return slot.ref, slot.by, slot.hash == hash
	}
	if slot.index <= t.Index {
		*slot = content{t.Index, t.Run, by, hash, ref}
		c.top = max(c.top, t.Index)
	}
	return 0, Nil, true
}

// occupied reports whether t's slot holds a different index that is near enough
// to matter still.
func (c *Contents) occupied(t Tip) bool {
	slot := &c.slots[t.Index&uint64(len(c.slots)-1)]
	return slot.index != 0 && slot.index != t.Index
}

// Get returns the known hash of the entry at t.
func (c *Contents) Get(t Tip) (hash uint64, ref Ref, known bool) {
	if c.slots == nil {
		return 0, 0, false
	}
	slot := &c.slots[t.Index&uint64(len(c.slots)-1)]
	if slot.index != t.Index || slot.run != t.Run {
		return 0, 0, false
	}
	return slot.hash, slot.ref, true
}

func (c *Contents) grow() {
	old := c.slots
	c.slots = make([]content, 2*len(old))
	for _, s := range old {
		if s.index != 0 {
			c.slots[s.index&uint64(len(c.slots)-1)] = s
		}
	}
}
