package spec

// Standing is what is known of the variables of a server that every breach shows.
// A variable that has not been shown, or that a gap in the trace may have changed,
// is unknown; its bit in Known is then clear.
type Standing struct {
	Known    StateFields // HasTerm, HasRole, HasVote, HasLastIndex, HasCommit, HasApplied, HasSnapshot, HasFirstIndex
	Role     Role
	VotedFor ID

	CurrentTerm uint64
	Log         Tip // Log.Index is known with HasLastIndex; Log.Run zero is an unknown term
	CommitIndex uint64
	Applied     uint64
}

// Server is the view of one server: what the trace has shown of it so far.
type Server struct {
	Standing

	ID ID

	Config      ConfigID // in force at this server; 0 unknown
	configIndex uint64   // the end of its log when Config came into force, as far as that was seen
	shown       ConfigID // the last configuration that a line showed by itself, 0 if none
	shownIndex  uint64   // the end of its log at that line
	Committable uint64   // Profile.SignedCommits: index of the last entry that may end a commit

	Snapshot   uint64 // last index that its snapshot covers
	image      image  // what its last snapshot holds, where a line has told
	installed  installed
	FirstIndex uint64

	// As a candidate.
	VotesResponded Set
	VotesGranted   Set
	asked          bool // a line has shown it asking for votes or pre-votes in this candidacy, or being answered
	VotesComplete  bool // every vote of this candidacy was seen, so that a missing one is missing

	// As a leader, by ID. NextIndex follows raft.tla; replay reads MatchIndex only.
	NextIndex     []uint64
	MatchIndex    []uint64
	MatchComplete bool // every acknowledgement of this leadership was seen

	inbox   inbox
	offered offered
	durable durable
	last    [numVars]change
	grants  []Ref // by ID: the line that showed the vote
	acks    []Ref // by ID: the line that showed the acknowledgement

	late lateCommit

	seq     uint64 // number of its last line, where lines have one
	lives   uint64 // how often it was shown to start
	clock   clock
	applies bool // its last line was that it applies a configuration
	counts  bool // they are counted, so that each missing one is known
	acted   bool // the trace has lines of it
	gone    bool // lines of it are missing, or are out of order, and none has shown a restart since
}

// The variables for which the machine remembers what changed them last, as
// evidence.
const (
	varTerm = iota
	varRole
	varVote
	varLog
	varCommit
	numVars
)

// change is the last step that changed a variable.
type change struct {
	ref      Ref
	kind     Kind
	message  MessageType
	peer     ID
	from, to uint64
}

// image is a hash of what a snapshot holds. Two snapshots of one index that
// differ, which their encoding alone may do, leave it unknown.
type image struct {
	index, hash uint64
	ref         Ref
	unknown     bool
}

// installed is the last snapshot that a server put in the place of its log. What
// the log held before is gone.
type installed struct {
	ref       Ref
	tip, over Tip // the snapshot's last entry, and the end of the log before; Index 0 if not known
}

// lateCommit is a commit index that has been shown and not yet acted upon.
type lateCommit struct {
	waiting bool
	index   uint64
}

// How many requests of a kind are remembered.
const (
	maxAppends = 16
	maxVotes   = 8
)

// inbox holds the requests that a server has received and may still act upon.
type inbox struct {
	appends  ring[received] // those since the ring was complete
	reach    uint64         // the highest index that any of them, remembered or not, can have brought
	nEntries int            // of those, and of snapshots, ever received: all that may change the log
	logSeen  int            // nEntries when the log was last shown
	logTerm  uint64         // currentTerm when the log was last shown; 0 if not known
	complete bool           // what may still be acted upon was all received in sight: true from the first receive or restart on
	termless bool           // since the last restart a request has come of which no line tells the term
	votes    ring[received]

	snapshot     received // the last snapshot offered; zero Type if none
	leaderCommit uint64   // highest leaderCommit received
	coming       coming   // what is on its way, or has arrived unseen
	highestTerm  uint64   // highest term in a message that may raise currentTerm
}

// coming is what leaders of a term have sent to a server. Where a line that
// receives is missing, its effects show without a cause; then it is rather the
// line that is missing than the message.
type coming struct {
	term   uint64
	reach  uint64 // highest index of an entry sent
	commit uint64 // highest leaderCommit sent
}

// mayCome says whether an entry was sent to s in its present term.
func (s *Server) mayCome(index uint64) bool {
	return index <= s.inbox.coming.reach && s.inbox.coming.term >= s.CurrentTerm
}

// sendTo notes a leader's message on its way to s.
func (s *Server) sendTo(msg *Message) {
	c := &s.inbox.coming
	if msg.Term > c.term {
		*c = coming{term: msg.Term}
	}
	if msg.Term == c.term {
		c.reach, c.commit = max(c.reach, msg.LogIndex+msg.Entries), max(c.commit, msg.Commit)
	}
}

// received is a request as it was received.
type received struct {
	Type     MessageType
	From     ID
	Transfer bool
	Has      MessageFields
	Term     uint64
	LogIndex uint64
	LogTerm  uint64
	Entries  uint64
	Commit   uint64
	Ref      Ref
	current  uint64 // the receiver's currentTerm when it arrived; 0 if not known
}

func (b *inbox) add(m *Message, ref Ref, current uint64) {
	r := received{
		current: current, Type: m.Type, From: m.From, Transfer: m.Transfer, Has: m.Has, Term: m.Term,
		LogIndex: m.LogIndex, LogTerm: m.LogTerm, Entries: m.Entries, Commit: m.Commit, Ref: ref,
	}
	switch m.Type {
	case AppendEntriesRequest:
		*b.appends.put(maxAppends) = r
		if m.Has&MsgEntries == 0 || m.Entries > 0 {
			b.nEntries++
		}
		b.reach = max(b.reach, m.LogIndex+m.Entries)
		if m.Has&(MsgLogIndex|MsgEntries) != MsgLogIndex|MsgEntries {
			b.reach = ^uint64(0)
		}
	case RequestVoteRequest, PreVoteRequest:
		*b.votes.put(maxVotes) = r
	case InstallSnapshotRequest:
		b.snapshot = r
		b.nEntries++
	}
}

// told says whether some leader has told the server that index is committed, so
// that it need not have committed it by itself, even if it leads now.
func (b *inbox) told(index uint64) bool {
	return index <= b.leaderCommit && b.leaderCommit != ^uint64(0)
}

// append returns the k-th last received append, 0 being the last, or nil.
func (b *inbox) append(k int) *received { return b.appends.at(k) }

// whole reports whether everything that may still be acted upon is here, with its term.
func (b *inbox) whole() bool { return b.complete && !b.termless }

// forgotten says whether requests were received that are not remembered.
func (b *inbox) forgotten() bool { return b.appends.n > maxAppends }

// vote returns the last received vote request of a type, candidate and term.
func (b *inbox) vote(t MessageType, from ID, term uint64) *received {
	for k := range b.votes.kept() {
		r := b.votes.at(k)
		if r.Type == t && r.From == from && r.Term == term {
			return r
		}
	}
	return nil
}

// lasting are the variables whose every change the source shows, so that the
// value that was shown last is the present one. Others are known on the very
// line that claims them, and not beyond it.
func lasting(shows Facts) StateFields {
	f := HasCommittable
	for _, v := range [...]struct {
		needs Facts
		field StateFields
	}{
		{ShowsTerm, HasTerm}, {ShowsRole, HasRole}, {ShowsVote, HasVote}, {ShowsLastIndex, HasLastIndex},
		{ShowsCommit, HasCommit}, {ShowsApply, HasApplied}, {ShowsSnapshots, HasSnapshot | HasFirstIndex},
	} {
		if shows&v.needs != 0 {
			f |= v.field
		}
	}
	return f
}

// gap says that lines of s were lost: what it did meanwhile is unknown, and so is
// what it received.
func (s *Server) gap() {
	s.Known, s.Log.Run, s.Role = 0, 0, UnknownRole
	s.forgetConfig()
	s.VotesComplete, s.MatchComplete = false, false
	s.late.waiting = false
	s.durable.shown = false
	s.inbox.complete = false
	s.inbox.leaderCommit = ^uint64(0)
	s.inbox.highestTerm, s.inbox.reach = ^uint64(0), ^uint64(0)
}

// forget makes variables unknown.
func (s *Server) forget(f StateFields) {
	s.Known &^= f
	if f&HasRole != 0 {
		s.Role = UnknownRole
		s.VotesComplete, s.MatchComplete = false, false
	}
	if f&HasTerm != 0 {
		s.VotesComplete, s.MatchComplete = false, false
	}
}

func (s *Server) knows(f StateFields) bool { return s.Known&f == f }

// grow makes room for the peer id in the per-peer slices.
func (s *Server) grow(id ID) {
	for int(id) >= len(s.MatchIndex) {
		s.MatchIndex = append(s.MatchIndex, 0)
		s.NextIndex = append(s.NextIndex, 1)
		s.acks = append(s.acks, 0)
		s.grants = append(s.grants, 0)
	}
}

// config returns the configuration in force at s; nil if not known.
func (m *Machine) config(s *Server) *Config { return m.Group.ConfigOf(s.Config) }
