package spec

// The rules about trace itself, as far as only the machine can see them.
var (
	MessageSent = &Rule{
		ID: "Q08", Name: "message-was-sent",
		Statement: "every message that is received was sent",
		Cite:      "raft.tla Receive: m ∈ DOMAIN messages",
		Needs:     ShowsSends | ShowsReceives,
		Faults:    "D01 D06",
	}
)
