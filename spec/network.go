package spec

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

// Fingerprints is a [Network] for replay. It keeps two generations of 64-bit
// fingerprints; when the younger is full the older is forgotten, and from then
// on a message that is not found may have been sent before: unknown.
type Fingerprints struct {
	young, old []uint64 // open addressing, 0 is free
	count      int
	forgot     bool
}

// NewFingerprints returns a Network that remembers nothing yet.
func NewFingerprints() *Fingerprints {
	return &Fingerprints{young: make([]uint64, 64)}
}

// Send implements [Network].
func (f *Fingerprints) Send(m *Message) {
	h := m.Fingerprint()
	if f.find(f.young, h) {
		return
	}
	if f.count*2 >= len(f.young) {
		f.makeRoom()
	}
	insert(f.young, h)
	f.count++
}

// WasSent implements [Network].
func (f *Fingerprints) WasSent(m *Message) Truth {
	h := m.Fingerprint()
	if f.find(f.young, h) || f.old != nil && f.find(f.old, h) {
		return Holds
	}
	if f.forgot {
		return Unknown
	}
	return Fails
}

// Forget says that messages may have been sent unseen.
func (f *Fingerprints) Forget() { f.forgot = true }

func (f *Fingerprints) makeRoom() {
	if len(f.young) < 2*window {
		grown := make([]uint64, 2*len(f.young))
		for _, h := range f.young {
			if h != 0 {
				insert(grown, h)
			}
		}
		f.young = grown
		return
	}
	spare := f.old
	if spare == nil {
		spare = make([]uint64, len(f.young))
	} else {
		f.forgot = true
		clear(spare)
	}
	f.old, f.young, f.count = f.young, spare, 0
}

func (f *Fingerprints) find(table []uint64, h uint64) bool {
	mask := uint64(len(table) - 1)
	for i := h & mask; table[i] != 0; i = (i + 1) & mask {
		if table[i] == h {
			return true
		}
	}
	return false
}

func insert(table []uint64, h uint64) {
	mask := uint64(len(table) - 1)
	i := h & mask
	for table[i] != 0 {
		i = (i + 1) & mask
	}
	table[i] = h
}

// Fingerprint is a 64-bit hash of everything that a message shows, never 0.
// Both ends of a message have to show the same fields for it to be recognised.
func (m *Message) Fingerprint() uint64 {
	h := uint64(m.Type)<<56 ^ uint64(m.From)<<32 ^ uint64(m.To)<<16 ^ uint64(m.Has)<<1
	if m.Success {
		h ^= 1
	}
	h = mix(h ^ m.Term)
	if m.Has&MsgID != 0 {
		return mix(h^m.ID) | 1
	}
	h = mix(h ^ m.LogIndex)
	h = mix(h ^ m.LogTerm ^ m.Entries<<40)
	h = mix(h ^ m.Commit ^ m.Match<<32)
	return h | 1
}

// mix is the finaliser of MurmurHash3: every bit of x changes half of the result.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return x
}
