package spec

// Facts is a set of kinds of facts. An adapter declares the set that its source
// shows; a rule declares the set that it needs. What a rule needs and a source
// does not show is "not checkable", and that is known before the run.
type Facts uint32

// The kinds of facts that a source may show.
const (
	ShowsTerm       Facts = 1 << iota // a server's currentTerm
	ShowsRole                         // a server's role, or the events that change it
	ShowsVote                         // votedFor, or the vote granted in a reply
	ShowsLastIndex                    // the index of the last log entry
	ShowsLogTerms                     // terms of entries, directly or through prevLogTerm and lastLogTerm
	ShowsContents                     // a hash of what entries hold
	ShowsCommit                       // commitIndex
	ShowsApply                        // which entry was applied
	ShowsSends                        // every message when it is sent
	ShowsReceives                     // every message when it is received
	ShowsConfig                       // the configuration in force
	ShowsConfigLog                    // configuration entries with their index
	ShowsRestart                      // restarts, with the state that was read back
	ShowsSnapshots                    // snapshots taken and installed, with index and term
	ShowsPreVote                      // PreVote requests and responses
	ShowsReads                        // reads served, with the index they reflect
	ShowsPersist                      // when a value reached stable storage
	ShowsClientAcks                   // answers to clients
	ShowsTransfer                     // leadership transfers
	ShowsProgress                     // a leader's matchIndex and nextIndex
)

// FactNames lists the kinds of facts in order, in words for reports and docs:
// FactNames[i] names the bit 1<<i.
var FactNames = []string{
	"terms", "roles", "votes", "last index", "entry terms", "entry contents", "commit index", "applied entries",
	"sent messages", "received messages", "configuration", "configuration entries", "restarts", "snapshots",
	"pre-votes", "reads", "persistence", "client answers", "leadership transfers", "replication progress",
}

// Rule is one thing that the specification demands: the guard of a transition
// or a safety invariant. Guards and invariants share the type, so that `rules`,
// `explain`, coverage and every report share one path. A Rule is never changed.
type Rule struct {
	ID        string // "V01"; the letter is the family, see docs/rules.md
	Name      string // kebab-case, "one-vote-per-term"
	Statement string // one sentence without a full stop, true of every correct run
	Formula   string // the same in the notation of raft.tla, where there is one
	Doc       string // why it matters and what it does not demand
	Cite      string // paper section, TLA+ action, KIP
	Needs     Facts  // without these it is not checkable
	Breaks    string // a shortest example that breaks it
	Allowed   string // a near miss that is allowed
	Causes    string // what usually causes a breach in practice
	Faults    string // the known faults that it catches, "F01 F10"

	slot uint // position in Rules, for counters
}

// Invariant reports whether the rule is one of the safety invariants rather
// than the guard of a transition.
func (r *Rule) Invariant() bool { return r.ID[0] == 'I' }

// Quality reports whether the rule speaks of the trace itself rather than of
// the protocol. Such a finding is never a protocol violation.
func (r *Rule) Quality() bool { return r.ID[0] == 'Q' }
