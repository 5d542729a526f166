package spec

import "math/bits"

// Network is what the machine knows of messages. Replay remembers fingerprints
// of what was sent, in bounded memory, and forgives loss and duplication, since
// the network is allowed both. A model checker keeps the exact bag of raft.tla.
// The guards and effects of the machine are the same over both.
type Network interface {
	// Send records that m was sent.
	Send(m *Message)
	// WasSent says whether m was ever sent.
	WasSent(m *Message) Truth
}

// window is how many of the last messages are surely remembered.
const window = 1 << 15

// recents is how many of them are looked for first: most messages arrive soon
// after they were sent, and so small a table stays in the processor's cache.
const recents = 1 << 10

// Fingerprints is a [Network] for replay. It keeps 64-bit fingerprints of the
// last messages and two generations of older ones. When the younger generation
// is full the older is forgotten, and from then on a message that is not found
// may have been sent before: unknown.
type Fingerprints struct {
	recent     []uint64 // the fingerprint h at h mod its length, until another takes its place
	young, old fingerprints
	forgot     bool
}

// fingerprints is a set by open addressing, 0 being a free slot. Its length is a
// power of two, and at most half of it is used.
type fingerprints struct {
	slots []uint64
	count int
}

// NewFingerprints returns a Network that remembers nothing yet.
func NewFingerprints() *Fingerprints {
	return &Fingerprints{recent: make([]uint64, 64)}
}

// Send implements [Network].
func (f *Fingerprints) Send(m *Message) {
	h := m.Fingerprint()
	was := f.recent[h&uint64(len(f.recent)-1)]
	if was == h {
		return
	}
	if was != 0 {
		f.keep(was)
	}
	f.recent[h&uint64(len(f.recent)-1)] = h
}

// WasSent implements [Network].
func (f *Fingerprints) WasSent(m *Message) Truth {
	h := m.Fingerprint()
	if f.recent[h&uint64(len(f.recent)-1)] == h || f.young.has(h) || f.old.has(h) {
		return Holds
	}
	if f.forgot {
		return Unknown
	}
	return Fails
}

// Forget says that messages may have been sent unseen.
func (f *Fingerprints) Forget() { f.forgot = true }

// keep moves a fingerprint from the last messages to the older ones.
func (f *Fingerprints) keep(h uint64) {
	if f.young.full() {
		f.makeRoom()
	}
	f.young.put(h)
}

// makeRoom sees to a free slot in the younger generation.
func (f *Fingerprints) makeRoom() {
	if n := len(f.young.slots); n < 2*window {
		f.young.resize(max(2*n, 64))
		f.enlarge(min(n/8, recents))
		return
	}
	f.forgot = f.forgot || f.old.count > 0
	f.old.resize(len(f.young.slots))
	f.young, f.old = f.old, f.young
}

// enlarge makes the table of the last messages longer, so that many groups of
// few messages stay small.
func (f *Fingerprints) enlarge(n int) {
	if n <= len(f.recent) {
		return
	}
	last := f.recent
	f.recent = make([]uint64, n)
	for _, h := range last {
		if h != 0 {
			f.recent[h&uint64(n-1)] = h
		}
	}
}

func (t *fingerprints) full() bool { return 2*t.count >= len(t.slots) }

func (t *fingerprints) has(h uint64) bool {
	if t.count == 0 {
		return false
	}
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if t.slots[i] == h {
			return true
		}
	}
	return false
}

// put adds a fingerprint to a table that is not full.
func (t *fingerprints) put(h uint64) {
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for t.slots[i] != 0 {
		if t.slots[i] == h {
			return
		}
		i = (i + 1) & mask
	}
	t.slots[i] = h
	t.count++
}

// resize gives the table a length: a longer one keeps what it holds, the same
// one forgets it.
func (t *fingerprints) resize(n int) {
	if n == len(t.slots) {
		clear(t.slots)
		t.count = 0
		return
	}
	old := t.slots
	t.slots, t.count = make([]uint64, n), 0
	for _, h := range old {
		if h != 0 {
			t.put(h)
		}
	}
}

// Fingerprint is a 64-bit hash of everything that a message shows, never 0.
// Both ends of a message have to show the same fields for it to be recognised.
func (m *Message) Fingerprint() uint64 {
	h := uint64(m.Type)<<56 ^ uint64(m.From)<<32 ^ uint64(m.To)<<16 ^ uint64(m.Has&^MsgLeaderMatch)<<1
	if m.Success {
		h ^= 1
	}
	head := fold(h^seeds[0], m.Term^seeds[1])
	if m.Has&MsgID != 0 {
		return max(fold(head, m.ID^seeds[2]), 1)
	}
	log := fold(m.LogIndex^seeds[2], m.LogTerm^seeds[3])
	rest := fold(m.Entries^seeds[4], m.Commit^seeds[5])
	return max(fold(head^m.Match, log^rest), 1)
}

// seeds are bits without a pattern: the fractions of the square roots of 2, 3,
// 5, 7, 11 and 13.
var seeds = [...]uint64{
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
	0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
}

// fold mixes two words into one by the two halves of their product.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
