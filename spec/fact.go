package spec

import "slices"

// FactKind is the kind of a [Fact].
type FactKind uint8

// What can become a fact.
const (
	Elected    FactKind = iota // Server leads Term; Tip is its log when it was elected, if Known
	Voted                      // Server's vote in Term went to Peer, and cannot be taken back
	Persisted                  // Server handed its Term and its vote for Peer to stable storage
	TermMoved                  // Server's currentTerm went from Old to Term, in one incarnation or across a restart
	LogMoved                   // the log of Server, leader of Term, went from OldTip to Tip
	Diverged                   // a new piece of lineage contradicts an older one, at Index and Term
	Content                    // the entry at Tip, an older line, of Peer, and this one disagree on what it holds
	Committed                  // Server takes everything up to Tip as committed, in Term
	Applied                    // Server applied the entry at Tip; Hash of its contents if Known
	Incarnated                 // Server began a new incarnation
	Sent                       // Server, as leader of Term, offers the entry at Tip to others
	Disowned                   // Server shows that it never held the entry at Tip, which it has acknowledged in Term
	StateShown                 // the state machine of Server, after applying up to Index, hashes to Hash
	NumFacts
)

// NoTerm stands for a term that is not known: it is above all others, so that
// nothing is claimed of any later leader.
const NoTerm = ^uint64(0)

// Fact is something that can never become untrue: the invariants are checks on
// facts. A new fact either agrees with the old ones or is a breach, in whatever
// order the lines stand.
type Fact struct {
	Kind    FactKind
	Server  ID
	Peer    ID
	Known   bool  // Elected: Tip is known; Applied: Hash is known
	Leader  bool  // Committed: by the leader itself
	Final   bool  // Committed: handed to the application
	Quorum  Truth // Committed by the leader itself: a quorum held it then, see Agreed
	Term    uint64
	Old     uint64
	Tip     Tip
	OldTip  Tip
	Index   uint64
	Hash    uint64
	Ref     Ref // the line that made it a fact
	Earlier Ref // Content: the line of the older piece; Diverged: the line since which it is so, 0 if that is the present one
}

func (m *Machine) fact(f Fact) {
	f.Ref = m.ref
	m.Facts = append(m.Facts, f)
}

// newFact is fact for one that is filled in where it stands.
func (m *Machine) newFact(kind FactKind, server ID) *Fact {
	n := len(m.Facts)
	if n == cap(m.Facts) {
		m.Facts = slices.Grow(m.Facts, 4)
	}
	m.Facts = m.Facts[:n+1]
	f := &m.Facts[n]
	*f = Fact{Kind: kind, Server: server, Ref: m.ref}
	return f
}
