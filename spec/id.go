package spec

import (
	"math/bits"
	"strconv"
)

// ID names a server within one group. IDs are small and dense, given out by
// [Group.Server] in the order in which names are first met. The zero value,
// [Nil], is no server: votedFor = Nil means that no vote was given.
type ID uint16

// Nil is raft.tla's Nil: no server.
const Nil ID = 0

// Set is a set of servers. The first 64 ids are held inline, so that sets of
// ordinary clusters cost no allocation; a group that has seen more servers than
// that spills into a slice and is still right. The zero value is the empty set.
//
// A Set is a value: Add and Remove never change a slice that another Set shares.
type Set struct {
	low  uint64
	high []uint64
}

// SetOf returns the set of the given servers.
func SetOf(ids ...ID) Set {
	var s Set
	for _, id := range ids {
		s.Add(id)
	}
	return s
}

// Add puts id into s.
func (s *Set) Add(id ID) {
	if id < 64 {
		s.low |= 1 << id
		return
	}
	if s.Has(id) {
		return
	}
	word := int(id/64) - 1
	grown := make([]uint64, max(len(s.high), word+1))
	copy(grown, s.high)
	grown[word] |= 1 << (id % 64)
	s.high = grown
}

// Remove takes id out of s.
func (s *Set) Remove(id ID) {
	if id < 64 {
		s.low &^= 1 << id
		return
	}
	if !s.Has(id) {
		return
	}
	grown := append([]uint64(nil), s.high...)
	grown[id/64-1] &^= 1 << (id % 64)
	s.high = grown
}

// Has reports whether id is in s.
func (s Set) Has(id ID) bool {
	if id < 64 {
		return s.low&(1<<id) != 0
	}
	word := int(id/64) - 1
	return word < len(s.high) && s.high[word]&(1<<(id%64)) != 0
}

// Len returns the number of servers in s.
func (s Set) Len() int {
	n := bits.OnesCount64(s.low)
	for _, w := range s.high {
		n += bits.OnesCount64(w)
	}
	return n
}

// Both returns the number of servers that are in s and in t.
func (s Set) Both(t Set) int {
	n := bits.OnesCount64(s.low & t.low)
	for i := 0; i < min(len(s.high), len(t.high)); i++ {
		n += bits.OnesCount64(s.high[i] & t.high[i])
	}
	return n
}

// Equal reports whether s and t hold the same servers.
func (s Set) Equal(t Set) bool {
	n := s.Len()
	return n == t.Len() && s.Both(t) == n
}

// append writes the members of s, each ended by a comma, behind b.
func (s Set) append(b []byte) []byte {
	for _, id := range s.Members() {
		b = append(strconv.AppendUint(b, uint64(id), 10), ',')
	}
	return b
}

// Members returns the servers of s in ascending order.
func (s Set) Members() []ID {
	ids := make([]ID, 0, s.Len())
	for w := s.low; w != 0; w &= w - 1 {
		ids = append(ids, ID(bits.TrailingZeros64(w)))
	}
	for i, word := range s.high {
		for w := word; w != 0; w &= w - 1 {
			ids = append(ids, ID(64*(i+1)+bits.TrailingZeros64(w)))
		}
	}
	return ids
}
