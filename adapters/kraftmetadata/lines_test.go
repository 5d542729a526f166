package kraftmetadata

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

const (
	leaderBatch = "baseOffset: 0 lastOffset: 2 count: 3 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 partitionLeaderEpoch: 1 isTransactional: false isControl: true deleteHorizonMs: OptionalLong.empty position: 0 CreateTime: 1796582309022 size: 292 magic: 2 compresscodec: none crc: 3677724426 isvalid: true"
	dataBatch   = "baseOffset: 3 lastOffset: 4 count: 2 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 partitionLeaderEpoch: 1 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty position: 292 CreateTime: 1796582309122 size: 100 magic: 2 compresscodec: none crc: 17 isvalid: true"
	ofRecord    = "| offset: 0 CreateTime: 1796582309022 keySize: 4 valueSize: 34 sequence: -1 headerKeys: [] "
)

// read decodes lines, and writes each of them as what became of it.
func read(t *testing.T, d adapters.Decoder, groups *spec.Groups, lines ...string) (became []string, actions []kraft.Action) {
	t.Helper()
	for _, l := range lines {
		var a spec.Action
		out := d.Decode(&ingest.Record{Data: []byte(l)}, &a)
		if out.Verdict != adapters.Checked {
			became = append(became, out.Why)
			continue
		}
		became = append(became, groups.List[a.Group].NameOf(a.Server))
		actions = append(actions, *a.Own.(*kraft.Action))
	}
	return became, actions
}

// TestDump: the text of kafka-dump-log, of versions that print who voted, and of those that do not.
func TestDump(t *testing.T) {
	for _, c := range []struct {
		record string
		known  bool
	}{
		{ofRecord + "controlType: LEADER_CHANGE(2)", false},
		{ofRecord + `LeaderChange: {"version":0,"leaderId":1,"voters":[{"voterId":1},{"voterId":2},{"voterId":3}],"grantingVoters":[{"voterId":1},{"voterId":2}]}`, true},
	} {
		groups := &spec.Groups{}
		d := Adapter.New(groups)
		d.(adapters.Introduced).Introduce("some/node1.txt", nil)
		became, actions := read(t, d, groups,
			"Dumping /data/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint", "Snapshot end offset: 0, epoch: 0", leaderBatch, c.record,
			"Dumping /data/__cluster_metadata-0/00000000000000000000.log", "Log starting offset: 0", leaderBatch, c.record,
			"| offset: 1 CreateTime: 1796582309022 keySize: 4 valueSize: 5 sequence: -1 headerKeys: [] KRaftVersion {}", dataBatch, "| offset: 3 payload: {}",
			"Dumping /data/__cluster_metadata-0/00000000000000000005.log", "Log starting offset: 5",
			"Dumping /data/__cluster_metadata-0/00000000000000000099.log", "Log starting offset: 99")
		require.Equal(t, []string{
			"the name of a file", "node1", "of a snapshot", "a control record, or one that is not decoded",
			"the name of a file", "node1", "a control batch, whose first record follows", "node1",
			"a control record, or one that is not decoded", "node1", "node1",
			"the name of a file", "the next segment",
			"the name of a file", "node1",
		}, became)
		require.Equal(t, kraft.SnapshotHeld, actions[0].Kind)
		require.Equal(t, kraft.LogBegins, actions[1].Kind)
		change := actions[2]
		require.Equal(t, kraft.LeaderChangeHeld, change.Kind)
		require.Equal(t, c.known, change.Change.Known)
		require.EqualValues(t, 3, change.Offset)
		require.Equal(t, uint32(3677724426), change.Content)
		if c.known {
			require.Equal(t, 3, change.Change.Voters.Len())
			require.Equal(t, 2, change.Change.Granting.Len())
		}
		require.Equal(t, kraft.BatchHeld, actions[3].Kind)
		require.False(t, actions[3].Fresh)
		require.Equal(t, kraft.RecordHeld, actions[4].Kind)
		require.Equal(t, kraft.LogBegins, actions[5].Kind)
		require.EqualValues(t, 99, actions[5].Offset)
	}
}

// TestDumpsOfTwoServers: a file of another folder is of another server.
func TestDumpsOfTwoServers(t *testing.T) {
	groups := &spec.Groups{}
	became, _ := read(t, Adapter.New(groups), groups,
		"Dumping /n1/__cluster_metadata-0/00000000000000000000.log", "Log starting offset: 0",
		"Dumping /n2/__cluster_metadata-0/00000000000000000000.log", "Log starting offset: 0")
	require.Equal(t, []string{"the name of a file", "log", "the name of a file", "/n2/__cluster_metadata-0"}, became)
}

// TestDamagedLines: what is cut or does not match is damage, and what was never written is not.
func TestDamagedLines(t *testing.T) {
	for line, want := range map[string]adapters.Verdict{
		strings.Replace(dataBatch, "isvalid: true", "isvalid: false", 1): adapters.Damaged,
		dataBatch[:200]:                   adapters.Damaged,
		"node 1: torn: x.log: the last":   adapters.Ignored,
		"node 1: damaged: x.log: at":      adapters.Damaged,
		"node 1: quorum-state: {":         adapters.Damaged,
		"node 1: quorum-state: {}":        adapters.Damaged,
		"Error at 12, skipping. whatever": adapters.Unrecognised,
		"1\tx\t51\t0\t1\t1\tLeader":       adapters.Ignored,
		"1 2 3":                           adapters.Unrecognised,
	} {
		var a spec.Action
		require.Equal(t, want, Adapter.New(&spec.Groups{}).Decode(&ingest.Record{Data: []byte(line)}, &a).Verdict, line)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"node 1: " + dataBatch, leaderBatch + "\n" + ofRecord + "controlType: LEADER_CHANGE(2)", "Dumping a/b.log\n" + leaderBatch + "\n" + dataBatch,
		`node 1: ` + leaderBatch + ` LeaderChange: {"leaderId":1,"voters":[{"voterId":1}],"grantingVoters":[{"voterId":1}]}`,
		"node 1: log begins at offset 613, latest snapshot ends at 672", "node 1: snapshot end offset: 672, epoch: 3",
		"node 1: leader-epoch-checkpoint: epoch 3 startOffset 66", `node 1: quorum-state: {"leaderId":4,"leaderEpoch":14,"votedId":2}`,
		"LeaderId: 1\nLeaderEpoch: 2\nHighWatermark: 3", "NodeId LogEndOffset\n2 4 0 1 1 Follower\n1 3 0 1 1 Leader",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		groups := &spec.Groups{}
		d := Adapter.New(groups)
		var m *spec.Machine
		for line := range strings.SplitSeq(string(text), "\n") {
			var a spec.Action
			if d.Decode(&ingest.Record{Data: []byte(line)}, &a).Verdict == adapters.Checked {
				require.NotZero(t, a.Server)
				if m == nil {
					m = spec.New(groups.List[a.Group])
				}
				m.Step(&a)
			}
			for field := spec.Field(0); field < spec.NumFields; field++ {
				start, end := d.Span([]byte(line), field)
				require.True(t, 0 <= start && start <= end && end <= len(line))
			}
		}
	})
}
