package kraft

import "github.com/tracecheck/tracecheck/spec"

// The rules about the metadata log as it lies on disks.
var (
	BatchesContiguous = &spec.Rule{
		ID: "K19", Name: "kraft-batches-contiguous",
		Statement: "in a segment of the metadata log each batch begins at the offset where the one before it ends",
		Formula:   "b follows a ⇒ b.baseOffset = a.lastOffset + 1",
		Doc:       "The metadata log is never compacted, so it has no gaps. A batch that is not whole at the end of the last segment was being written when the process ended, and is left out.",
		Breaks:    "lastOffset: 50; baseOffset: 53",
		Allowed:   "lastOffset: 50; baseOffset: 51",
		Causes:    "segments of two nodes in one folder, a restored folder, damage",
		Cite:      "KIP-595 · UnifiedLog.append",
		Needs:     spec.ShowsContents,
	}
	EpochsNeverFall = &spec.Rule{
		ID: "K20", Name: "kraft-log-epochs-never-fall",
		Statement: "along the metadata log the epochs of the batches never fall",
		Formula:   "b follows a ⇒ b.partitionLeaderEpoch ≥ a.partitionLeaderEpoch",
		Doc:       "A leader appends behind what it has, and all of that is of earlier epochs.",
		Breaks:    "a batch of epoch 6; then one of epoch 5",
		Allowed:   "a batch of epoch 5; then one of epoch 7",
		Causes:    "a log that was not truncated where it diverged, batches that were appended unchecked (KAFKA-18723)",
		Cite:      "KIP-595 · Raft §5.3 · KAFKA-18723",
		Needs:     spec.ShowsContents,
	}
	EpochBegins = &spec.Rule{
		ID: "K21", Name: "kraft-epoch-begins-with-leader-change",
		Statement: "each epoch in the metadata log begins with its one LeaderChange record",
		Formula:   "b follows a ⇒ (b.epoch > a.epoch ⇔ b begins with LeaderChange)",
		Doc:       "A new leader writes it before anything else; with it the records of earlier epochs become committed. Where the log begins in the middle of an epoch the record is in the snapshot's past.",
		Breaks:    "a batch of epoch 5; then one of epoch 6 that holds a TopicRecord",
		Allowed:   "a batch of epoch 5; then a control batch of epoch 6 with LeaderChange",
		Causes:    "a leader that writes before it knows that it leads",
		Cite:      "KIP-595, LeaderChangeMessage · LeaderState.appendStartOfEpochControlRecords",
		Needs:     spec.ShowsContents,
	}
	ChangeOfMajority = &spec.Rule{
		ID: "K22", Name: "kraft-leader-change-of-majority",
		Statement: "a LeaderChange record names a voter as leader, with the votes of a majority of the voters, its own among them",
		Formula:   "leaderId ∈ grantingVoters ⊆ voters ∧ 2 · |grantingVoters| > |voters|",
		Doc:       "The record itself lists the voters and who has granted, so that it can be checked by hand. dump-log of Kafka before 4.1 does not print it, the segments have it.",
		Breaks:    `{"leaderId":1,"voters":[1,2,3],"grantingVoters":[1]}`,
		Allowed:   `{"leaderId":1,"voters":[1,2,3],"grantingVoters":[1,3]}`,
		Causes:    "votes counted wrongly, a leader that is no voter",
		Cite:      "KIP-595, LeaderChangeMessage",
		Needs:     spec.ShowsContents | spec.ShowsVote,
	}
	LogsMatch = &spec.Rule{
		ID: "K23", Name: "kraft-logs-match",
		Statement: "batches of one epoch that begin at one offset are the same on all servers, byte for byte",
		Formula:   "∀ i, j, a ∈ log[i], b ∈ log[j]: (a.baseOffset, a.epoch) = (b.baseOffset, b.epoch) ⇒ a = b",
		Doc:       "One leader writes the records of an epoch, each offset once, and followers copy its batches as they are. They are compared by their checksums, of everything from the attributes on.",
		Breaks:    "server 1 holds offset 51 of epoch 5 with crc 3714449884, server 2 with crc 1000101001",
		Allowed:   "server 1 holds offset 51 of epoch 5, server 2 offset 51 of epoch 6",
		Causes:    "two leaders of one epoch, a leader that came back in its old epoch (KAFKA-10527), a disk that has changed",
		Cite:      "Raft §5.3, Log Matching · KIP-595 · KAFKA-10527",
		Needs:     spec.ShowsContents,
	}
	SnapshotOfOwnLog = &spec.Rule{
		ID: "K24", Name: "kraft-snapshot-of-own-log",
		Statement: "the epoch in a snapshot's id is that of the last record before its end offset in the server's own log",
		Formula:   "snapshot (e, p) of i ∧ e - 1 ∈ log[i] ⇒ log[i][e - 1].epoch = p",
		Doc:       "A snapshot stands for the log up to its end offset. It holds only what is committed, so the server's log agrees with it for as long as it has both.",
		Breaks:    "offset 99 is of epoch 3; snapshot 100-4",
		Allowed:   "offset 99 is of epoch 3, offset 100 of epoch 4; snapshot 100-3",
		Causes:    "an end offset that is off by one (KAFKA-14618, KAFKA-14619)",
		Cite:      "KIP-630 · KAFKA-14618",
		Needs:     spec.ShowsContents | spec.ShowsSnapshots,
	}
	HoldsCommitted = &spec.Rule{
		ID: "K25", Name: "kraft-log-holds-committed",
		Statement: "a log with records of a later epoch holds what any server's snapshot says was committed before",
		Formula:   "snapshot (e, p) of any server ∧ o < e ⇒ log[i][o].epoch ≤ p",
		Doc:       "The records of an epoch follow the log of its leader, and every leader has all that was committed (Leader Completeness). A log whose end has not been truncated yet differs by earlier epochs, never by later ones.",
		Breaks:    "snapshot 100-3 of server 1; server 2 holds offset 98 of epoch 4",
		Allowed:   "snapshot 100-3 of server 1; server 2 holds offset 98 of epoch 2",
		Causes:    "a leader that was elected without committed records, such as by a voter that came back with an empty disk (KAFKA-14205)",
		Cite:      "Raft §5.4 · KIP-595, KIP-630 · KAFKA-14205",
		Needs:     spec.ShowsContents | spec.ShowsSnapshots,
	}
	StartHasSnapshot = &spec.Rule{
		ID: "K26", Name: "kraft-log-start-has-snapshot",
		Statement: "a metadata log that does not begin at offset 0 has a snapshot that ends where it begins, or later",
		Formula:   "logStartOffset[i] > 0 ⇒ ∃ snapshot (e, p) of i: e ≥ logStartOffset[i]",
		Doc:       "Otherwise the records before the log are lost to the server. It is judged for folders of a whole node, which have a quorum-state file or a partition.metadata beside the segments.",
		Breaks:    "the first segment begins at 613; the latest snapshot ends at 500",
		Allowed:   "the first segment begins at 613; the latest snapshot ends at 672",
		Causes:    "KAFKA-14240, files removed by hand, a folder that was copied in parts while the node ran",
		Cite:      "KIP-630 · KAFKA-14240",
		Needs:     spec.ShowsContents | spec.ShowsSnapshots,
	}
	EpochListAgrees = &spec.Rule{
		ID: "K27", Name: "kraft-epoch-checkpoint-agrees",
		Statement: "leader-epoch-checkpoint lists no epoch from before the offset of its first record in the log",
		Formula:   "(p, s) ∈ leaderEpochCheckpoint[i] ∧ log[i] has the first record of p, at o ⇒ s ≥ o",
		Doc:       "A leader answers by it where logs diverge. The file is written behind the log, so what it lacks says nothing; where the log was cut off at its start it lists that start.",
		Breaks:    "epoch 5 begins at offset 51; the file has `5 49`",
		Allowed:   "epoch 5 begins at offset 51; the file has `5 51`",
		Causes:    "a file from another time or node, an epoch that is assigned twice",
		Cite:      "KIP-101, KIP-595 · LeaderEpochFileCache",
		Needs:     spec.ShowsContents,
	}
	ReplicaWithinLeaderLog = &spec.Rule{
		ID: "K28", Name: "kraft-replica-within-leader-log",
		Statement: "no replica's log ends beyond its leader's, as far as the leader knows",
		Formula:   "state[i] = Leader ⇒ ∀ j: endOffset[i][j] ≤ logEndOffset[i]",
		Doc:       "A replica tells its end with each Fetch. Where its log goes on otherwise than the leader's, the leader has it truncated and does not count that end. Offsets of one answer are compared, never of two.",
		Breaks:    "Leader 1 with LogEndOffset 51; Follower 2 with LogEndOffset 53",
		Allowed:   "Leader 1 with LogEndOffset 51; Follower 2 with LogEndOffset 51, Observer 7 with -1",
		Causes:    "a leader that has lost the end of its log, an end that is taken from a log that diverges",
		Cite:      "KIP-595, DescribeQuorum · raft.tla: matchIndex[i][j] ≤ Len(log[i])",
		Needs:     spec.ShowsProgress | spec.ShowsContents,
	}
)
