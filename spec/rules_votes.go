package spec

// The rules about votes, terms and roles.
var (
	OneVotePerTerm = &Rule{
		ID: "V01", Name: "one-vote-per-term",
		Statement: "a server votes for at most one candidate in a given term",
		Doc:       "Two votes of one server in one term can make two leaders. A refusal, or the same vote given again, is always allowed.",
		Breaks:    "4 votes for 2 in term 2; 4 votes for 3 in term 2",
		Allowed:   "4 votes for 2 in term 2; 4 votes for 3 in term 3",
		Causes:    "a vote that is answered before it is written, a restart that forgets it, a vote kept without its term",
		Cite:      "raft.tla HandleRequestVoteRequest: votedFor[i] ∈ {Nil, j} · Raft §5.2",
		Needs:     ShowsVote | ShowsTerm,
		Faults:    "F01 F06 F10 F31",
	}
	VoteKept = &Rule{
		ID: "V02", Name: "vote-kept-within-term",
		Statement: "within a term a server that has voted neither takes its vote back nor changes it",
		Cite:      "Raft §5.2, Figure 2: votedFor changes with currentTerm",
		Needs:     ShowsVote | ShowsTerm,
		Faults:    "F02 F01",
	}
	UpToDate = &Rule{
		ID: "V03", Name: "up-to-date",
		Statement: "a vote goes only to a candidate whose log is at least as up to date as the voter's",
		Doc:       "It keeps a committed entry in every later leader's log: a quorum that holds the entry and a quorum that votes always share a server.",
		Breaks:    "voter's log ends at 10@3; it grants to a candidate whose log ends at 20@2",
		Allowed:   "voter's log ends at 10@3; it grants to 9@4",
		Causes:    "lengths compared before terms, an index after compaction taken for a length, a restored snapshot left out",
		Cite:      "raft.tla HandleRequestVoteRequest: logOk · Raft §5.4.1",
		Needs:     ShowsVote | ShowsLogTerms | ShowsLastIndex,
		Faults:    "F07 F08 F11",
	}
	GrantAnswersRequest = &Rule{
		ID: "V04", Name: "grant-answers-request",
		Statement: "a vote is granted in answer to a request of the same candidate and term",
		Cite:      "raft.tla HandleRequestVoteRequest: Reply(…, m)",
		Needs:     ShowsVote | ShowsReceives | ShowsSends,
		Faults:    "F11",
	}
	TermIncrements = &Rule{
		ID: "V05", Name: "term-increments-per-election",
		Statement: "a server that begins an election enters a new term",
		Doc:       "Otherwise two elections of one server share a term, and its voters may have voted already.",
		Breaks:    "candidate of term 5; candidate of term 5 again",
		Allowed:   "candidate of term 5; candidate of term 6",
		Causes:    "an election restarted by a timer that skips the increment",
		Cite:      "raft.tla Timeout: currentTerm' = currentTerm + 1 · Raft §5.2",
		Needs:     ShowsTerm | ShowsRole,
		Faults:    "F19",
	}
	RoleGraph = &Rule{
		ID: "V06", Name: "role-graph",
		Statement: "a leader was a candidate in its term, and a candidate of a term was a follower of an earlier one",
		Cite:      "raft.tla Timeout, BecomeLeader · Raft Figure 4",
		Needs:     ShowsRole,
		Faults:    "F18",
	}
	ElectionQuorum = &Rule{
		ID: "V07", Name: "election-quorum",
		Statement: "a candidate becomes leader with the votes of a majority of its configuration, given in its term",
		Doc:       "Votes count once for each voter of every set of the configuration, and only those of the candidate's present term. A quorum in a configuration that is not in force is none.",
		Breaks:    "5 voters; one grant and its own vote; leader",
		Allowed:   "5 voters; two grants and its own vote; leader",
		Causes:    "n/2 in an even cluster, answers of an older term counted, a learner's answer counted",
		Cite:      "raft.tla BecomeLeader: votesGranted[i] ∈ Quorum · Raft §5.2, §6",
		Needs:     ShowsRole | ShowsVote | ShowsReceives | ShowsConfig,
		Faults:    "F12 F13 F14 F15 F16 F21 F86 F89",
	}
	VoteInCurrentTerm = &Rule{
		ID: "V08", Name: "request-term-not-stale",
		Statement: "a vote is granted in the voter's current term",
		Cite:      "raft.tla HandleRequestVoteRequest: m.mterm = currentTerm[i]",
		Needs:     ShowsVote | ShowsTerm,
		Faults:    "F09",
	}
	VoteRequestFromCandidate = &Rule{
		ID: "V09", Name: "vote-request-from-candidate",
		Statement: "only a candidate asks for votes",
		Cite:      "raft.tla RequestVote: state[i] = Candidate",
		Needs:     ShowsRole | ShowsSends,
		Faults:    "F13",
	}
	CandidateOffersOwnLog = &Rule{
		ID: "V10", Name: "candidate-offers-own-log",
		Statement: "a vote request shows the last entry of the candidate's own log",
		Cite:      "raft.tla RequestVote: mlastLogTerm, mlastLogIndex",
		Needs:     ShowsLastIndex | ShowsLogTerms | ShowsSends,
		Faults:    "F07",
	}
	AppendFromLeader = &Rule{
		ID: "V11", Name: "append-from-leader",
		Statement: "only the leader of a term sends AppendEntries, heartbeats and snapshots of that term",
		Cite:      "raft.tla AppendEntries: state[i] = Leader · Raft §5.3",
		Needs:     ShowsRole | ShowsSends,
		Faults:    "F27 F26",
	}
	StepDownOnAppend = &Rule{
		ID: "V12", Name: "step-down-on-append",
		Statement: "a server that accepts entries from the leader of its term is a follower",
		Cite:      "raft.tla HandleAppendEntriesRequest: state[i] = Follower · Raft §5.2",
		Needs:     ShowsRole | ShowsSends,
		Faults:    "F24 F26",
	}
	TermHasCause = &Rule{
		ID: "V13", Name: "term-has-cause",
		Statement: "a server enters a higher term because it begins an election or because a message of that term, other than a pre-vote, reaches it",
		Cite:      "raft.tla UpdateTerm: m.mterm > currentTerm[i] · thesis §9.6",
		Needs:     ShowsTerm | ShowsReceives | ShowsPreVote | ShowsRole,
		Faults:    "F20",
	}
	PreVoteUpToDate = &Rule{
		ID: "V14", Name: "prevote-up-to-date",
		Statement: "a pre-vote is granted only to a candidate whose log is at least as up to date as the voter's",
		Cite:      "thesis §9.6",
		Needs:     ShowsPreVote | ShowsLogTerms | ShowsLastIndex,
		Faults:    "F22",
	}
	MessageTerm = &Rule{
		ID: "V15", Name: "message-carries-current-term",
		Statement: "a message other than a pre-vote carries its sender's current term",
		Cite:      "raft.tla: mterm |-> currentTerm[i] in every Send",
		Needs:     ShowsTerm | ShowsSends,
		Faults:    "F32",
	}
)
