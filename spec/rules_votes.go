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
		Doc:       "What a server shows of its vote is one value for a whole term. That a vote appears where none was shown before is allowed: it was given between the lines.",
		Breaks:    "a shows term 5, votedFor b; then term 5, votedFor none (or c)",
		Allowed:   "a shows term 5, votedFor b; then term 6, votedFor none",
		Causes:    "stepping down within a term clears votedFor, a hard state that is written back from an older copy",
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
		Doc:       "A grant that nobody asked for can only come from a mixed-up reply. If the candidate is seen in that term, it is taken for a request whose line is missing.",
		Breaks:    "1 asks 3 for its vote of term 3; 3 grants 2, which is in term 2, its vote of term 3",
		Allowed:   "2 asks 3 for its vote of term 3; 3 grants 2 its vote of term 3, once or again",
		Causes:    "an answer that goes to the wrong peer, a vote learnt from somebody else's answer and passed on as one's own",
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
		Doc:       "Leadership is won by an election and left by stepping down. A step to Follower is allowed from every role at any time, within the term or with a new one.",
		Breaks:    "1 is leader of term 5; 1 becomes candidate of term 6 without having been a follower. Or: 1 is follower in term 5; 1 is leader of term 5",
		Allowed:   "1 is leader of term 5; 1 becomes follower; 1 becomes candidate of term 6",
		Causes:    "an election timer that goes on in a leader, a role that is set from a configuration or an operator's command",
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
		Doc:       "A vote of another term would be counted in an election that is over. A voter that hears of a higher term enters it first, and may do so with the very answer.",
		Breaks:    "3 is in term 7; it grants 2 its vote of term 6",
		Allowed:   "3 is in term 5; a request of term 6 arrives; 3 enters term 6 and grants",
		Causes:    "the request's term is not compared, a request that waited in a queue while the term rose",
		Cite:      "raft.tla HandleRequestVoteRequest: m.mterm = currentTerm[i]",
		Needs:     ShowsVote | ShowsTerm,
		Faults:    "F09",
	}
	VoteRequestFromCandidate = &Rule{
		ID: "V09", Name: "vote-request-from-candidate",
		Statement: "only a candidate asks for votes",
		Doc:       "Votes that are asked for outside of an election are counted in it, or in the next one. A pre-vote request is not meant: a pre-candidate sends that.",
		Breaks:    "1 becomes leader of term 4; 1 asks 3 for its vote of term 4",
		Allowed:   "1 becomes candidate of term 4; 1 asks 2 and 3 for their votes, as often as it likes",
		Causes:    "requests are sent again by a timer that outlives the election",
		Cite:      "raft.tla RequestVote: state[i] = Candidate",
		Needs:     ShowsRole | ShowsSends,
		Faults:    "F13",
	}
	CandidateOffersOwnLog = &Rule{
		ID: "V10", Name: "candidate-offers-own-log",
		Statement: "a vote request shows the last entry of the candidate's own log",
		Doc:       "Voters judge the candidate by this position alone. Where only some entries may end a commit (CCF) it is the last of those.",
		Breaks:    "1 holds 10@3; it asks for votes with 11@3, or with 10@4",
		Allowed:   "1 holds 10@3; it asks for votes with 10@3",
		Causes:    "the position is cached across a truncation, it is that of the last sent or last committed entry, a snapshot is left out",
		Cite:      "raft.tla RequestVote: mlastLogTerm, mlastLogIndex",
		Needs:     ShowsLastIndex | ShowsLogTerms | ShowsSends,
		Faults:    "F07",
	}
	AppendFromLeader = &Rule{
		ID: "V11", Name: "append-from-leader",
		Statement: "only the leader of a term sends AppendEntries, heartbeats and snapshots of that term",
		Doc:       "Followers take such a message for the word of the one leader of its term. A leader that has been deposed and does not know it yet may go on sending in its own old term.",
		Breaks:    "a is follower in term 6; a sends AppendEntries of term 6",
		Allowed:   "a leads term 5; b becomes leader of term 6; a sends AppendEntries of term 5",
		Causes:    "a replication loop that outlives the leadership and reads the new term, a leader's messages forwarded by a follower",
		Cite:      "raft.tla AppendEntries: state[i] = Leader · Raft §5.3",
		Needs:     ShowsRole | ShowsSends,
		Faults:    "F27 F26",
	}
	StepDownOnAppend = &Rule{
		ID: "V12", Name: "step-down-on-append",
		Statement: "a server that accepts entries from the leader of its term is a follower",
		Doc:       "There is one leader of a term, so a candidate that hears from it has lost, and a leader never hears from another one. It is judged when the answer with success is sent, not before.",
		Breaks:    "3 is candidate of term 5; it accepts entries of 1, the leader of term 5, as candidate",
		Allowed:   "3 is candidate of term 5; entries of 1 arrive; 3 becomes follower of term 5 and accepts",
		Causes:    "only a higher term makes a candidate step down, two leaders of one term",
		Cite:      "raft.tla HandleAppendEntriesRequest: state[i] = Follower · Raft §5.2",
		Needs:     ShowsRole | ShowsSends,
		Faults:    "F24 F26",
	}
	TermHasCause = &Rule{
		ID: "V13", Name: "term-has-cause",
		Statement: "a server enters a higher term because it begins an election or because a message of that term, other than a pre-vote, reaches it",
		Doc:       "A term that rises without a cause costs a leader its office. A pre-vote asks about a term that nobody has entered; if it raises terms it is no pre-vote. Where another server is seen in that term a line is missing rather than a message.",
		Breaks:    "1 is in term 5; a pre-vote request for term 9 arrives; 1 is in term 9",
		Allowed:   "1 is in term 5; a vote request of term 9 arrives; 1 is in term 9. Or: 1 becomes candidate of term 6",
		Causes:    "pre-vote and vote share a handler, a term that is taken from a granted pre-vote answer",
		Cite:      "raft.tla UpdateTerm: m.mterm > currentTerm[i] · thesis §9.6",
		Needs:     ShowsTerm | ShowsReceives | ShowsPreVote | ShowsRole,
		Faults:    "F20",
	}
	PreVoteUpToDate = &Rule{
		ID: "V14", Name: "prevote-up-to-date",
		Statement: "a pre-vote is granted only to a candidate whose log is at least as up to date as the voter's",
		Doc:       "A pre-vote binds nobody, so such a grant is no danger by itself; but it sends a server into an election that it cannot win, and that deposes the leader. Pre-votes for several candidates are allowed.",
		Breaks:    "voter's log ends at 508@5; it grants a pre-vote to 501@5",
		Allowed:   "voter's log ends at 508@5; it refuses 501@5, or grants to 508@5 or 300@6",
		Causes:    "the comparison of logs is left out of the pre-vote, or made with the commit index",
		Cite:      "thesis §9.6",
		Needs:     ShowsPreVote | ShowsLogTerms | ShowsLastIndex,
		Faults:    "F22",
	}
	MessageTerm = &Rule{
		ID: "V15", Name: "message-carries-current-term",
		Statement: "a message other than a pre-vote carries its sender's current term",
		Doc:       "Who receives a message enters its term or ignores it by its term, so a false one confuses both ends. A receiver need not enter a higher term, for instance under a lease; then it answers in the term that it is in.",
		Breaks:    "3 is in term 5; it answers with term 4",
		Allowed:   "3 is in term 5; a lease makes it refuse a vote of term 6; it answers with term 5",
		Causes:    "a message is built before the term changes and sent after it, the term is copied from the request",
		Cite:      "raft.tla: mterm |-> currentTerm[i] in every Send",
		Needs:     ShowsTerm | ShowsSends,
		Faults:    "F32",
	}
)
