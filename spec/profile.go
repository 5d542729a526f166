package spec

// Profile says where an implementation differs from the letter of the paper
// without being wrong. An adapter chooses one; the machine never asks which
// adapter it was. The zero Profile is Raft as the paper has it.
type Profile struct {
	Name string

	// SelfVoteOnTimeout: Timeout grants the candidate its own vote at once.
	// raft.tla sets votedFor to Nil and lets the candidate message itself.
	SelfVoteOnTimeout bool

	// SelfAck: a leader counts its own log towards a commit only as far as it
	// has acknowledged it to itself with a message that the trace shows.
	SelfAck bool

	// ConfigOnApply: a configuration is in force when it is applied. Otherwise
	// it is in force as soon as it is in the server's log (Raft §6).
	ConfigOnApply bool

	// UncheckedConfigs: configurations may change by more than one server at a
	// time, since each active one has to agree (CCF).
	UncheckedConfigs bool

	// SignedCommits: only an entry of kind Signature may end a commit, and votes
	// compare the last such entry instead of the last entry (CCF).
	SignedCommits bool

	// BootstrapTerm is the highest term whose entries may be in a log without a
	// leader ever having appended them: 1 for etcd and hashicorp, whose
	// bootstrap writes the initial configuration into every log.
	BootstrapTerm uint64

	// CommitFactsLate: a commit index that a line shows becomes a fact with the
	// next line of the server, since that line is the first that depends on it.
	CommitFactsLate bool

	// AppliesCommandsOnly: no-op and configuration entries are never shown as
	// applied, so that applied indexes may skip.
	AppliesCommandsOnly bool

	// MatchAsLastSaid: matchIndex is what the last answer said, even if an older
	// one comes late and says less. raft.tla to the letter.
	MatchAsLastSaid bool

	// SendsAfterStepDown: what a leader or a candidate sends to each server is sent
	// by tasks of their own, which may send a last message when it is so no more.
	SendsAfterStepDown bool

	// AsksBeforeVoting: a candidate may ask others for their votes before its own
	// is on stable storage. It counts its own only when it is there, so a crash
	// between loses nothing that anybody relied on (hashicorp).
	AsksBeforeVoting bool

	// CountsByFormerConfig: a leader may find that entries are committed by the
	// configuration before the one in force, up to and including the entry that
	// brings the latter. Acknowledgements are counted by tasks of their own, which
	// hear of a configuration after its entry is on its way, and the leader acts on
	// what they found later still. Two configurations that follow each other have
	// no majorities apart, so nothing is lost (hashicorp).
	CountsByFormerConfig bool

	// RolesAnnounced: a term and a role change only on a line that says so, and so
	// does the commit index of a leader (etcd, CCF). With ConfigOnApply a
	// configuration changes right after the line that applies it.
	RolesAnnounced bool

	// EntriesAnnounced: every entry has a line when it is appended, by whomever, so
	// that a log grows by one entry from line to line (CCF).
	EntriesAnnounced bool

	// VoteAnswersUnsent: no line shows that a vote request is answered, or that a
	// server is told to campaign, only that the message arrives (CCF).
	VoteAnswersUnsent bool

	// ReplyInRequestTerm: the answer to a message of an older term carries that
	// term instead of the server's own.
	ReplyInRequestTerm bool
}
