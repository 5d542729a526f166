package kraft

import "github.com/tracecheck/tracecheck/spec"

// The rules about the high watermark, the log and snapshots.
var (
	HighNeverFalls = &spec.Rule{
		ID: "K09", Name: "kraft-high-watermark-never-falls",
		Statement: "the high watermark of a KRaft server never falls while its process lives",
		Formula:   "¬Start(i) ⇒ highWatermark'[i] ≥ highWatermark[i]",
		Doc:       "What is committed stays so. After a start the high watermark is unknown, and it may be lower when it is learnt again.",
		Breaks:    "high watermark 51; then 50",
		Allowed:   "high watermark 51; a start; then 50",
		Causes:    "a voter that lost committed records, a high watermark taken over from a leader that has lost them",
		Cite:      "KIP-595 · LeaderState.maybeUpdateHighWatermark, FollowerState.updateHighWatermark",
		Needs:     spec.ShowsCommit,
	}
	HighBeyondEpochStart = &spec.Rule{
		ID: "K10", Name: "kraft-high-watermark-beyond-epoch-start",
		Statement: "the high watermark that a leader sets is beyond the offset at which its epoch starts",
		Formula:   "state[i] = Leader ∧ highWatermark'[i] > highWatermark[i] ⇒ highWatermark'[i] > epochStartOffset[i]",
		Doc:       "Records of earlier epochs are committed only together with one of the leader's own (Raft §5.4.2). The high watermark is an exclusive end, so it must be more than the offset of the LeaderChange record.",
		Breaks:    "Leader with epochStartOffset=51; high watermark 51",
		Allowed:   "Leader with epochStartOffset=51; high watermark 52",
		Causes:    "KAFKA-12619: compared with ≥",
		Cite:      "KIP-595 · Raft §5.4.2 · KAFKA-12619",
		Needs:     spec.ShowsCommit | spec.ShowsLastIndex,
	}
	HighIsMajoritys = &spec.Rule{
		ID: "K11", Name: "kraft-high-watermark-is-majoritys",
		Statement: "the high watermark that a leader sets is the end offset at n/2 of its n voters' in descending order",
		Formula:   "state[i] = Leader sets highWatermark'[i] = h ⇒ h = the end offset at n ÷ 2 (from 0) of those of its n voters, in descending order",
		Doc:       "So many voters hold everything below it that they are a majority. The line that sets it lists all of them; nothing else is needed to check it by hand.",
		Breaks:    "voters at 60, 51, 40; high watermark 60",
		Allowed:   "voters at 60, 51, 40; high watermark 51",
		Causes:    "an off-by-one in the index, offsets that are not sorted",
		Cite:      "KIP-595 · LeaderState.maybeUpdateHighWatermark",
		Needs:     spec.ShowsCommit | spec.ShowsProgress,
	}
	HighCountsVoters = &spec.Rule{
		ID: "K12", Name: "kraft-high-watermark-counts-voters",
		Statement: "a leader counts the end offsets of the voters for the high watermark, all of them and nobody else's",
		Formula:   "state[i] = Leader sets highWatermark'[i] from the end offsets of S ⇒ S = voters[i]",
		Doc:       "It is judged where the set of voters is fixed (controller.quorum.voters), since a line need not show when another takes effect.",
		Breaks:    "voters 1, 2, 3; the high watermark is computed from 1, 2, 3 and 4",
		Allowed:   "voters 1, 2, 3; the high watermark is computed from 3, 1 and 2",
		Causes:    "an observer or a leader outside of the set that is counted (KAFKA-16530, KAFKA-16531)",
		Cite:      "KIP-595, KIP-853 · KAFKA-16530",
		Needs:     spec.ShowsCommit | spec.ShowsConfig | spec.ShowsProgress,
	}
	TruncationKeepsCommitted = &spec.Rule{
		ID: "K13", Name: "kraft-truncation-keeps-committed",
		Statement: "no KRaft server cuts its log, or replaces it by a snapshot, below its high watermark",
		Formula:   "i truncates to e, or replaces its log by a snapshot that ends at e ⇒ e ≥ highWatermark[i]",
		Doc:       "What is below the high watermark is committed, and no leader asks to remove it. Kafka itself ends the process if one does.",
		Breaks:    "high watermark 51; truncated to offset 50",
		Allowed:   "high watermark 51; truncated to offset 51",
		Causes:    "KAFKA-12460; a leader that was elected without committed records",
		Cite:      "KIP-595, KIP-630 · KAFKA-12460",
		Needs:     spec.ShowsCommit | spec.ShowsLastIndex,
	}
	SnapshotIDsAgree = &spec.Rule{
		ID: "K14", Name: "kraft-snapshot-ids-agree",
		Statement: "snapshots that end at one offset are of one epoch, and one that ends later is of the same or a later epoch",
		Formula:   "∀ snapshots (e, p), (f, q): e = f ⇒ p = q; e < f ⇒ p ≤ q",
		Doc:       "A snapshot is named by its end offset and the epoch of the last record before it. It holds committed records only, and the committed log is one, on all servers and for ever.",
		Breaks:    "snapshot 100-3 of one server; snapshot 100-4 of another",
		Allowed:   "snapshot 100-3 of one server; snapshot 101-4 of another",
		Causes:    "an end offset that is off by one (KAFKA-14618), logs that differ below the high watermark",
		Cite:      "KIP-630 · KAFKA-14618",
		Needs:     spec.ShowsSnapshots,
	}
	LeaderAppendsAtEnd = &spec.Rule{
		ID: "K15", Name: "kraft-leader-appends-at-end",
		Statement: "a leader appends at the end of its log, and its LeaderChange record at the offset where its epoch starts",
		Formula:   "state[i] = Leader appends at o ⇒ o = logEndOffset[i]; the first record of its epoch is LeaderChange at epochStartOffset[i]",
		Doc:       "Where a line between is missing the next base offset may be higher; it is never lower.",
		Breaks:    "Leader with epochStartOffset=51; the first batch at base offset 0",
		Allowed:   "Leader with epochStartOffset=51; the first batch at base offset 51",
		Causes:    "KAFKA-12331",
		Cite:      "KIP-595 · KAFKA-12331",
		Needs:     spec.ShowsLastIndex,
	}
	AppendedEpoch = &spec.Rule{
		ID: "K16", Name: "kraft-appended-epoch",
		Statement: "a leader appends records of its own epoch, and a follower none of a later epoch than its own",
		Formula:   "state[i] = Leader appends a record of epoch e ⇒ e = epoch[i]; a follower ⇒ e ≤ epoch[i]",
		Doc:       "Records of a later epoch come from a leader that the follower has not heard of.",
		Breaks:    "Follower(epoch=5) appends records of epoch 6",
		Allowed:   "Follower(epoch=6) appends records of epoch 5",
		Causes:    "batches of a leader that has lost its leadership meanwhile (KAFKA-18723)",
		Cite:      "KIP-595 · KAFKA-18723",
		Needs:     spec.ShowsLastIndex | spec.ShowsLogTerms,
	}
)
