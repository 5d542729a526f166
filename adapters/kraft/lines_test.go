package kraft

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// decode decodes one line and returns what it says.
func decode(t testing.TB, line string) (*spec.Action, *kraft.Action, adapters.Outcome) {
	groups := &spec.Groups{}
	d := Adapter.New(groups)
	var a spec.Action
	out := d.Decode(&ingest.Record{Data: []byte(line)}, &a)
	own, _ := a.Own.(*kraft.Action)
	if out.Verdict == adapters.Checked {
		require.NotNil(t, own)
		require.Equal(t, "1", groups.List[0].NameOf(a.Server))
	}
	return &a, own, out
}

// TestLayouts: the same message in every layout that is known says the same.
func TestLayouts(t *testing.T) {
	const message = "[RaftManager id=1] Completed transition to FollowerState(fetchTimeoutMs=2000, epoch=7, leader=3, voters=[1, 2, 3], " +
		"highWatermark=Optional[LogOffsetMetadata(offset=51, metadata=Optional.empty)], fetchingSnapshot=Optional.empty) from Unattached(epoch=7, voters=[1, 2, 3], electionTimeoutMs=1)"
	for name, line := range map[string]string{
		"default":          "[2025-04-09 10:16:48,764] INFO " + message + " (org.apache.kafka.raft.QuorumState)",
		"class:line":       "[2025-04-09 10:16:48,764] INFO " + message + " (org.apache.kafka.raft.QuorumState:735)",
		"Strimzi to 0.46":  "2026-07-10 09:20:24,836 INFO " + message + " (org.apache.kafka.raft.QuorumState) [kafka-1-raft-io-thread]",
		"Strimzi 4.0":      "2025-06-30 10:31:01 INFO  [kafka-1-raft-io-thread] QuorumState:735 - " + message,
		"bare":             message,
		"a container's":    "controller-1  | [2025-04-09 10:16:48,764] INFO " + message + " (org.apache.kafka.raft.QuorumState)",
		"kubectl --prefix": "[pod/kafka-1/kafka] 2026-07-10 09:20:24,836 INFO " + message + " (org.apache.kafka.raft.QuorumState)",
		"colour":           "\x1b[32m[2025-04-09 10:16:48,764] INFO\x1b[0m " + message + " (org.apache.kafka.raft.QuorumState)",
		"a carriage":       "[2025-04-09 10:16:48,764] INFO " + message + " (org.apache.kafka.raft.QuorumState)\r",
		"3.4's prefix":     "[2025-04-09 10:16:48,764] INFO " + strings.Replace(message, "id=1", "nodeId=1", 1) + " (org.apache.kafka.raft.QuorumState)",
	} {
		t.Run(name, func(t *testing.T) {
			_, own, out := decode(t, line)
			require.Equal(t, adapters.Checked, out.Verdict, out.Why)
			require.Equal(t, kraft.Transition, own.Kind)
			require.Equal(t, kraft.Follower, own.To.Name)
			require.Equal(t, kraft.Unattached, own.From.Name)
			require.EqualValues(t, 7, own.To.Epoch)
			require.NotEqual(t, spec.Nil, own.To.Leader)
			require.True(t, own.To.KnowHigh)
			require.EqualValues(t, 51, own.To.High)
			require.Equal(t, 3, own.To.Voters.Set.Len())
		})
	}
}

// TestStates: what each version prints of a state is read whole, and tells the version.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		text     string
		name     kraft.Name
		versions kraft.Columns
	}{
		{"Unattached(epoch=7, voters=[1, 2, 3], electionTimeoutMs=1234)", kraft.Unattached, kraft.Before39},
		{"Unattached(epoch=7, votedKey=null, voters=[1, 2, 3], electionTimeoutMs=1234, highWatermark=Optional.empty)", kraft.Unattached, kraft.Kafka39},
		{"UnattachedState(epoch=7, leaderId=OptionalInt[2], votedKey=Optional.empty, voters=[1, 2, 3], electionTimeoutMs=1234, highWatermark=Optional.empty)", kraft.Unattached, kraft.Since40},
		{"Voted(epoch=7, votedId=2, voters=[1, 2, 3], electionTimeoutMs=1234)", kraft.Voted, kraft.Before39},
		{"Voted(epoch=7, votedKey=ReplicaKey(id=2, directoryId=Optional.empty), voters=[1, 2, 3], electionTimeoutMs=1, highWatermark=Optional.empty)", kraft.Voted, kraft.Before39},
		{"CandidateState(localId=1, epoch=7, retries=1, electionTimeoutMs=1234)", kraft.Candidate, kraft.Before39},
		{"CandidateState(localId=1, localDirectoryId=9QQn1OuuTVTvbmiPXihDEg,epoch=7, retries=1, voteStates={1=GRANTED, 2=UNRECORDED}, highWatermark=Optional.empty, electionTimeoutMs=1)", kraft.Candidate, kraft.Before39 | kraft.Kafka39},
		{"CandidateState(localId=1, localDirectoryId=9QQn1OuuTVTvbmiPXihDEg, epoch=7, epochElection=EpochElection[voterStates={1=VoterState(replicaKey=ReplicaKey(id=1, directoryId=<undefined>), state=GRANTED)}], highWatermark=Optional.empty, electionTimeoutMs=1)", kraft.Candidate, kraft.Since40},
		{"FollowerState(fetchTimeoutMs=2000, epoch=7, leaderId=2, voters=[1, 2, 3], highWatermark=Optional.empty, fetchingSnapshot=Optional.empty)", kraft.Follower, kraft.Before39},
		{"FollowerState(fetchTimeoutMs=2000, epoch=7, leader=2 voters=[1, 2, 3], highWatermark=Optional.empty, fetchingSnapshot=Optional.empty)", kraft.Follower, kraft.Before39},
		{"FollowerState(fetchTimeoutMs=2000, epoch=7, leader=2, leaderEndpoints=Endpoints(endpoints={ListenerName(C)=h/1.2.3.4:9093}), voters=[1, 2, 3], highWatermark=Optional.empty, fetchingSnapshot=Optional.empty)", kraft.Follower, kraft.Kafka39 | kraft.Since40},
		{"Leader(localId=1, epoch=7, epochStartOffset=51, highWatermark=Optional.empty, voterStates={1=ReplicaState(nodeId=1, endOffset=Optional.empty, lastFetchTimestamp=-1, lastCaughtUpTimestamp=-1, hasAcknowledgedLeader=true)})", kraft.Leader, kraft.Before39},
		{"ResignedState(localId=1, epoch=7, voters=[1, 2, 3], electionTimeoutMs=1, unackedVoters=[2, 3], preferredSuccessors=[2])", kraft.Resigned, 0},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, own, out := decode(t, "[RaftManager id=1] Completed transition to "+c.text)
			require.Equal(t, adapters.Checked, out.Verdict, out.Why)
			s := &own.To
			require.Equal(t, c.name, s.Name)
			require.Equal(t, c.versions, s.Versions)
			require.EqualValues(t, 7, s.Epoch)
			if strings.Contains(c.text, "voters=[") {
				require.Equal(t, 3, s.Voters.Set.Len())
			}
			require.Equal(t, strings.Contains(c.text, "GRANTED"), s.HasBallots)
			if s.Name == kraft.Follower || s.Name == kraft.Leader {
				require.NotEqual(t, spec.Nil, s.Leader)
			}
			if s.Name == kraft.Voted {
				require.NotEqual(t, spec.Nil, s.Vote.ID)
			}
		})
	}
}

// TestHighWatermark: the line lists whose end offsets were counted.
func TestHighWatermark(t *testing.T) {
	_, own, out := decode(t, "[RaftManager id=1] High watermark set to LogOffsetMetadata(offset=34, metadata=Optional.empty) for the first time for epoch 2 "+
		"based on indexOfHw 1 and voters [ReplicaState(nodeId=2, endOffset=Optional[LogOffsetMetadata(offset=40, metadata=Optional.empty)], lastFetchTimestamp=1), "+
		"ReplicaState(replicaKey=ReplicaKey(id=1, directoryId=<undefined>), endOffset=Optional[LogOffsetMetadata(offset=34, metadata=Optional.empty)]), ReplicaState(nodeId=3, endOffset=Optional.empty)]")
	require.Equal(t, adapters.Checked, out.Verdict, out.Why)
	require.Equal(t, kraft.LeadersHigh, own.Kind)
	require.EqualValues(t, 34, own.Offset)
	require.EqualValues(t, 2, own.Epoch)
	require.Len(t, own.Ends, 3)
	require.EqualValues(t, 40, own.Ends[0].End)
	require.False(t, own.Ends[2].Known)
}

// TestOthers: what is not of the quorum is counted and says nothing; a message
// that is cut is damaged.
func TestOthers(t *testing.T) {
	for line, want := range map[string]adapters.Verdict{
		"": adapters.Ignored,
		"	at org.apache.kafka.raft.KafkaRaftClient.poll(KafkaRaftClient.java:2362)":                                                              adapters.Ignored,
		"java.lang.IllegalStateException: Cannot transition to Candidate":                                                                        adapters.Ignored,
		"[2025-04-09 10:16:48,764] INFO Kafka version: 4.4.0 (org.apache.kafka.common.utils.AppInfoParser)":                                      adapters.Ignored,
		"[2025-04-09 10:16:48,764] INFO [RaftManager id=1] Node 2 disconnected. (org.apache.kafka.clients.NetworkClient)":                        adapters.Ignored,
		"[2025-04-09 10:16:48,764] TRACE [RaftManager id=1] Received inbound message X(High watermark set to 3) (org.apache.kafka.raft.K)":       adapters.Ignored,
		"[2025-04-09 10:16:48,764] INFO [RaftManager id=1] Completed transition to FollowerState(fetchTimeoutMs=2000, epoch=7, leader=3, voters": adapters.Ignored, // it may go on
	} {
		_, _, out := decode(t, line)
		require.Equal(t, want, out.Verdict, line)
	}
}

// TestSniff: Kafka's logs are known by the quorum's prefix, or less surely by its classes.
func TestSniff(t *testing.T) {
	sniff := func(lines ...string) int {
		var b [][]byte
		for _, l := range lines {
			b = append(b, []byte(l))
		}
		return Adapter.Sniff(b)
	}
	require.GreaterOrEqual(t, sniff("[2025-04-09 10:16:48,764] INFO [RaftManager id=1] Node 2 disconnected. (org.apache.kafka.clients.NetworkClient)"), 90)
	require.Positive(t, sniff("[2025-04-09 10:16:48,764] INFO Registered `kafka:type=kafka.Log4jController` MBean (kafka.utils.Log4jControllerRegistration$)"))
	require.Zero(t, sniff(`{"event":"[RaftManager id=1] Completed transition to X"}`, "2026-01-01 raft: node 1 became follower at term 2"))
}

// FuzzDecode: whatever the bytes are, there is an outcome, and what a finding
// points at is in the line.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"[RaftManager id=1] Completed transition to Leader(localVoterNode=VoterNode(voterKey=ReplicaKey(id=1, directoryId=x), listeners=E()), epoch=7, epochStartOffset=3, highWatermark=Optional.empty, voterStates={1=R(x=)}) from null",
		"[RaftManager id=1] High watermark set to LogOffsetMetadata(offset=3) for the first time for epoch 1 based on indexOfHw 1 and voters [ReplicaState(nodeId=1)]",
		"[RaftManager id=1] Vote request VoteRequestData(clusterId='x', topics=[PartitionData(candidateEpoch=1, candidateId=2)]) with epoch 1 is granted",
		"[RaftManager id=1] Fully truncated the log at (x, 3) after downloading snapshot OffsetAndEpoch[offset=3, epoch=1] from leader 2",
		"[SnapshotGenerator id=1] Creating new KRaft snapshot file snapshot 00000000000000000884-0000000003 because x",
		"[QuorumController id=1] In the new epoch 3, the leader is (none).",
		"[RaftManager id=1] Latest set of voters is VoterSet(voters={1=VoterNode(voterKey=ReplicaKey(id=1, directoryId=Optional[x]))}) at offset 3",
		"[RaftManager id=1] Leader appended records at base offset 3, new end offset is OffsetAndEpoch(offset=4, epoch=1)",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		groups := &spec.Groups{}
		d := Adapter.New(groups)
		var a spec.Action
		out := d.Decode(&ingest.Record{Data: line}, &a)
		if out.Verdict == adapters.Checked {
			require.NotZero(t, a.Server)
			m := spec.New(groups.List[a.Group])
			m.Step(&a)
			m.Step(&a)
		}
		for field := spec.Field(0); field < spec.NumFields; field++ {
			start, end := d.Span(line, field)
			require.True(t, 0 <= start && start <= end && end <= len(line))
		}
	})
}

// TestWrapped: a message that stands in several lines says what it says in one; a
// line that has a time of its own says that the one before was cut.
func TestWrapped(t *testing.T) {
	d := Adapter.New(&spec.Groups{})
	var a spec.Action
	read := func(line string) (adapters.Outcome, *kraft.Action) {
		a.Reset()
		out := d.Decode(&ingest.Record{Data: []byte(line)}, &a)
		own, _ := a.Own.(*kraft.Action)
		return out, own
	}
	out, _ := read("[2025-04-09 10:16:48,764] INFO [RaftManager id=1] Completed transition to FollowerState(fetchTimeoutMs=2000,")
	require.Equal(t, adapters.Ignored, out.Verdict)
	out, _ = read("epoch=7, leader=3, voters=[1,")
	require.Equal(t, adapters.Ignored, out.Verdict)
	out, own := read("  2, 3], highWatermark=Optional.empty) from Unattached(epoch=7) (org.apache.kafka.raft.QuorumState)")
	require.Equal(t, adapters.Checked, out.Verdict, out.Why)
	require.Equal(t, kraft.Follower, own.To.Name)
	require.Equal(t, kraft.Unattached, own.From.Name)
	require.Equal(t, 3, own.To.Voters.Set.Len())

	out, _ = read("[2025-04-09 10:16:49,764] INFO [RaftManager id=1] Completed transition to FollowerState(fetchTimeoutMs=2000,")
	require.Nil(t, out.Warn)
	out, own = read("[2025-04-09 10:16:50,764] INFO [RaftManager id=1] Completed transition to Unattached(epoch=8) from Unattached(epoch=7)")
	require.Equal(t, adapters.Checked, out.Verdict)
	require.Equal(t, adapters.CutLine, out.Warn)
	require.EqualValues(t, 8, own.To.Epoch)
}

// TestAlarms: what Kafka says when its quorum is in a state that cannot be is its own word.
func TestAlarms(t *testing.T) {
	for _, line := range []string{
		"java.lang.IllegalStateException: Received request or response with leader OptionalInt[2] and epoch 5 which is inconsistent with current leader OptionalInt[3] and epoch 5",
		"Caused by: java.lang.IllegalArgumentException: Attempt to truncate to offset 3, which is below the current high watermark 7",
		"[2025-04-09 10:16:48,764] ERROR [RaftManager id=1] The leader sent a snapshot id with a valid end offset 3 but with an invalid epoch 9 (org.apache.kafka.raft.KafkaRaftClient)",
	} {
		_, _, out := decode(t, line)
		require.Equal(t, adapters.ImplementationAlarm, out.Warn, line)
	}
	_, _, out := decode(t, "java.io.IOException: Connection reset by peer")
	require.Nil(t, out.Warn)
}
