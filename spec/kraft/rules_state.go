package kraft

import "github.com/tracecheck/tracecheck/spec"

// The rules about states, elections and votes.
var (
	LegalTransition = &spec.Rule{
		ID: "K01", Name: "kraft-legal-transition",
		Statement: "a KRaft server changes its state only as Kafka's QuorumState allows",
		Formula:   "(state[i], state'[i]) ∈ the transitions of QuorumState, of any version that the lines allow",
		Doc:       "QuorumState refuses every other step with an IllegalStateException. The table differs between 3.8, 3.9 and 4.0; where the lines do not tell the version, what any of them allows is allowed.",
		Breaks:    "Kafka 4: Follower(epoch=5) becomes Candidate(epoch=6) without having been Prospective",
		Allowed:   "Kafka 3.9: Follower(epoch=5) becomes Candidate(epoch=6)",
		Causes:    "lines of two servers under one name, a patched or faulty QuorumState",
		Cite:      "KIP-595, KIP-996 · org.apache.kafka.raft.QuorumState",
		Needs:     spec.ShowsRole | spec.ShowsTerm,
	}
	StartsFromQuorumState = &spec.Rule{
		ID: "K02", Name: "kraft-starts-from-quorum-state",
		Statement: "a KRaft server starts in the state that its quorum-state file tells it, and never as Leader",
		Formula:   "Start(i) ⇒ (state'[i], epoch'[i]) = initialize(quorumState[i]) ∧ state'[i] ≠ Leader",
		Doc:       "Who led an epoch starts as Resigned in it, since it would write other records at offsets that it has used already; who has voted starts with that vote. Where the process ended while it was writing the file, both the old and the new state are allowed.",
		Breaks:    "Leader(epoch=5); then a start as Leader(epoch=5), or as Unattached(epoch=5) without the vote that was given",
		Allowed:   "Leader(epoch=5); then a start as Resigned(epoch=5)",
		Causes:    "KAFKA-10527; a quorum-state file that was lost, could not be read and was reset (up to 3.7), or was restored from an old copy",
		Cite:      "KIP-595 · QuorumState.initialize · KAFKA-10527, KAFKA-15412",
		Needs:     spec.ShowsRestart | spec.ShowsTerm | spec.ShowsRole,
	}
	VoteKept = &spec.Rule{
		ID: "K03", Name: "kraft-vote-kept",
		Statement: "within an epoch the vote of a KRaft server neither changes its directory id nor disappears",
		Formula:   "epoch'[i] = epoch[i] ∧ votedKey[i] ≠ Nil ⇒ votedKey'[i] = votedKey[i] (up to 3.9: ∨ leaderId'[i] ≠ Nil)",
		Doc:       "A vote goes to a voter, which is an id with a directory id. Up to 3.9 the vote is dropped from view when the leader of the epoch is learnt. That a vote goes to another id is said by vote-once.",
		Breaks:    "votedKey 3 with directory X in epoch 5; then votedKey 3 with directory Y in epoch 5",
		Allowed:   "votedKey 3 in epoch 5; then Follower of 3 in epoch 5 without votedKey, in Kafka 3.9",
		Causes:    "a vote that is cleared without a new epoch",
		Cite:      "KIP-595, KIP-853 · QuorumState",
		Needs:     spec.ShowsVote | spec.ShowsTerm,
	}
	GrantsInState = &spec.Rule{
		ID: "K04", Name: "kraft-grants-in-state",
		Statement: "a KRaft server grants a vote of its epoch only while it is Unattached, Voted or Prospective, and a pre-vote only while it is not Leader",
		Formula:   "i grants m ∧ m.epoch = epoch[i] ⇒ state[i] ∈ {Unattached, Voted, Prospective}; i grants the pre-vote m ⇒ state[i] ≠ Leader",
		Doc:       "A candidate and a leader have voted for themselves, a follower knows that its epoch has a leader, and a request of an earlier epoch is fenced.",
		Breaks:    "Follower(epoch=5) grants a vote of epoch 5",
		Allowed:   "Follower(epoch=5) gets a request of epoch 6, becomes Unattached(epoch=6) and grants it",
		Causes:    "a vote that is decided on an older state than the present one",
		Cite:      "KIP-595, KIP-996 · EpochState.canGrantVote",
		Needs:     spec.ShowsVote | spec.ShowsRole,
	}
	GrantsUpToDate = &spec.Rule{
		ID: "K05", Name: "kraft-grants-up-to-date",
		Statement: "a KRaft server grants no vote to a candidate whose log ends before the voter's own high watermark",
		Formula:   "i grants m ⇒ m.lastOffset ≥ highWatermark[i]",
		Doc:       "What is below the high watermark is committed, and such a candidate does not hold it: either its log is older than the voter's, or committed records are lost.",
		Breaks:    "a voter with high watermark 51 grants a candidate with lastOffset=50",
		Allowed:   "a voter with high watermark 51 grants a candidate with lastOffset=51",
		Causes:    "a voter that came back with an empty disk (KAFKA-12181, KAFKA-14205), log ends compared wrongly",
		Cite:      "KIP-595 · Raft §5.4.1",
		Needs:     spec.ShowsVote | spec.ShowsCommit,
	}
	RequestSane = &spec.Rule{
		ID: "K06", Name: "kraft-request-before-epoch",
		Statement: "a KRaft server grants a vote only if the candidate's last record is of an earlier epoch than the one it stands for",
		Formula:   "i grants m ⇒ m.lastOffsetEpoch < m.replicaEpoch (pre-vote: ≤)",
		Doc:       "Only the leader of an epoch writes records of it, and there is none yet. In a pre-vote the epoch is the present one, so the two may be equal.",
		Breaks:    "a vote of epoch 5 granted to a candidate with lastOffsetEpoch=5",
		Allowed:   "a pre-vote of epoch 5 granted with lastOffsetEpoch=5",
		Causes:    "a request that is not checked (INVALID_REQUEST)",
		Cite:      "KIP-595 · KafkaRaftClient.handleVoteRequest",
		Needs:     spec.ShowsVote,
	}
	VoterStands = &spec.Rule{
		ID: "K07", Name: "kraft-voter-stands",
		Statement: "only a voter becomes Prospective or Candidate",
		Formula:   "state'[i] ∈ {Prospective, Candidate} ⇒ i ∈ voters[i]",
		Doc:       "Whom a candidate counts votes of are the voters as it knows them, and it is one of them itself.",
		Breaks:    "a broker becomes Candidate",
		Allowed:   "a controller that has been added as a voter becomes Prospective",
		Causes:    "KAFKA-17067",
		Cite:      "KIP-595, KIP-853 · QuorumState.transitionToCandidate · KAFKA-17067",
		Needs:     spec.ShowsRole | spec.ShowsConfig,
	}
	LeaderHasMajority = &spec.Rule{
		ID: "K08", Name: "kraft-leader-has-majority",
		Statement: "a candidate becomes leader with the votes of a majority of the voters",
		Formula:   "state'[i] = Leader ∧ state[i] ≠ Leader ⇒ 2 · |{i} ∪ granted[i]| > |voters[i]|",
		Doc:       "The votes are those that the candidate itself prints. Kafka 3.9 prints them unreadably.",
		Breaks:    "Leader from Candidate with {1=GRANTED, 2=UNRECORDED, 3=UNRECORDED}",
		Allowed:   "Leader from Candidate with {1=GRANTED, 2=GRANTED, 3=UNRECORDED}",
		Causes:    "votes counted wrongly, or over another set than the voters",
		Cite:      "KIP-595 · CandidateState, EpochElection",
		Needs:     spec.ShowsVote | spec.ShowsRole,
	}
	ActiveAfterLeaderChange = &spec.Rule{
		ID: "K17", Name: "kraft-active-after-leader-change",
		Statement: "a controller that becomes active writes behind the record that begins its epoch",
		Formula:   "i becomes active in epoch e and writes at o ⇒ o > the offset of the LeaderChange record of e",
		Doc:       "A leader's first record is its LeaderChange, at the offset where its log ended when it was elected. The controller becomes active when that is committed.",
		Breaks:    "Leader with epochStartOffset=51; active with next write offset 51",
		Allowed:   "Leader with epochStartOffset=51; active with next write offset 52",
		Causes:    "a controller that is told of a leader that has resigned (KAFKA-17333) or has not written yet",
		Cite:      "KIP-595, KIP-631 · KAFKA-17333",
		Needs:     spec.ShowsRole | spec.ShowsLastIndex,
	}
	VoterKeepsDisk = &spec.Rule{
		ID: "K18", Name: "kraft-voter-keeps-disk",
		Statement: "a voter that is known by its id alone never starts from an empty disk in the same cluster",
		Formula:   "Start(i) with an empty disk ∧ the cluster id is as before ⇒ i ∉ voters, or voters have directory ids",
		Doc:       "It has forgotten its vote and its log: it may vote again in an epoch in which it has voted, and what it helped to commit may be on too few disks. It is said only where a later line shows that the cluster was not made anew. With kraft.version 1 a new disk has a new directory id and is another voter.",
		Breaks:    "static voters: Follower(epoch=5); then a start as Unattached(epoch=0), and another voter of that cluster goes on",
		Allowed:   "the same of an observer, of a voter with a directory id, or in a cluster that was formatted anew",
		Causes:    "a disk that was replaced or wiped, a volume that was not mounted (KAFKA-12181, KAFKA-14205)",
		Cite:      "KIP-595, KIP-853 · KAFKA-12181, KAFKA-14205",
		Needs:     spec.ShowsRestart | spec.ShowsTerm,
	}
)
