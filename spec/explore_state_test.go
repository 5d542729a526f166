package spec

// How a state of the explorer is put into the machine and taken out of it.

// known are the variables of raft.tla, all of which a model checker knows.
const known = HasTerm | HasRole | HasVote | HasLastIndex | HasCommit

// encodeServer writes the variables of a server into one word.
func (x *Explorer) encodeServer(s *Server) uint64 {
	var p packer
	p.put(s.CurrentTerm, width)
	p.put(uint64(s.Role), width)
	p.put(uint64(s.VotedFor), 2)
	p.put(s.CommitIndex, width)
	p.put(s.VotesResponded.low>>1, 3)
	p.put(s.VotesGranted.low>>1, 3)
	for _, j := range x.ids {
		p.put(s.NextIndex[j], width)
		p.put(s.MatchIndex[j], width)
	}
	if s.Log.Index > x.MaxLog {
		panic("a log outside the bound has no code")
	}
	p.put(s.Log.Index, width)
	for index := uint64(1); index <= s.Log.Index; index++ {
		at, ok := x.m.Lineage.At(s.Log, index)
		if !ok {
			panic("an entry of an unknown term")
		}
		p.put(x.m.Lineage.Run(at.Run).Term, width)
		p.put(uint64(x.values[at.Run][index]), 1)
	}
	return p.word
}

// decodeServer is the inverse. Its log is set by loadLogs, unless it is the one
// that the server had before the last step.
func (x *Explorer) decodeServer(s *Server, word uint64, log bool) {
	p := packer{word: word}
	s.Known, s.Config = known, x.config
	s.VotesComplete, s.MatchComplete = true, true
	s.CurrentTerm, s.Role, s.VotedFor = p.take(width), Role(p.take(width)), ID(p.take(2))
	s.CommitIndex = p.take(width)
	s.VotesResponded, s.VotesGranted = Set{low: p.take(3) << 1}, Set{low: p.take(3) << 1}
	for _, j := range x.ids {
		s.NextIndex[j], s.MatchIndex[j] = p.take(width), p.take(width)
	}
	if log {
		s.Log = x.before.Log
	}
}

// load puts a state into the machine.
func (x *Explorer) load(p point) {
	x.now = p
	x.bag.decode(p[x.Servers:])
	for _, id := range x.ids {
		x.decodeServer(x.m.servers[id], p[id-1], false)
		x.m.servers[id].inbox.highestTerm = 0
	}
	x.loadLogs()
	x.m.Facts = x.m.Facts[:0]
}

// loadLogs makes the lineage of the logs of the present state. Lineage is
// knowledge of one history, and each state has another.
func (x *Explorer) loadLogs() {
	l := x.m.Lineage
	l.runs = l.runs[:1]
	clear(l.byTerm)
	l.cachedTerm, l.cachedRun = 0, 0
	for _, id := range x.ids {
		p := packer{word: x.now[id-1] >> (width + width + 2 + width + 3 + 3 + 2*width*x.Servers)}
		t := Tip{}
		for range p.take(width) {
			t, _ = l.Extend(t, p.take(width), 0)
			x.values[t.Run][t.Index] = uint8(p.take(1))
		}
		x.m.servers[id].Log = t
	}
	// A leader that has appended nothing yet has begun its run all the same.
	for _, id := range x.ids {
		p := packer{word: x.now[id-1]}
		term, role := p.take(width), Role(p.take(width))
		if role == Leader && l.Find(term) == 0 {
			l.Lead(term, id, x.m.servers[id].Log, true, 0)
		}
	}
}
