package observer

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// quorum connects to fakes.
func quorum(t *testing.T, fakes ...*fake) *Quorum {
	var addresses []string
	for _, f := range fakes {
		addresses = append(addresses, f.address)
	}
	q, err := Connect(addresses)
	require.NoError(t, err)
	t.Cleanup(q.Close)
	return q
}

func read(t *testing.T, folder, name string) string {
	text, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return string(text)
}

func TestOnlyWhatIsCommittedIsMirrored(t *testing.T) {
	f := newFake(t)
	f.leads, f.leader, f.epoch, f.high = true, 3, 7, 5
	f.batches = slices.Concat(made(0, 2, 6), made(3, 4, 7), made(5, 5, 7))
	folder := t.TempDir()
	m := NewMirror(quorum(t, f), folder)
	require.NoError(t, m.Run(t.Context(), false))
	require.Equal(t, string(f.batches[:2*61]), read(t, folder, "__cluster_metadata-0/00000000000000000000.log"))
	require.Equal(t, Position{5, 7}, m.at)
	for _, replica := range f.replicas {
		require.Equal(t, int32(-1), replica, "a replica id is counted for the high watermark")
	}

	f.high = 6
	require.NoError(t, m.Run(t.Context(), false))
	require.Equal(t, string(f.batches[2*61:]), read(t, folder, "__cluster_metadata-0/00000000000000000005.log"))
}

func TestEveryControllerSaysWhoLeads(t *testing.T) {
	leader, follower, old := newFake(t), newFake(t), newFake(t)
	leader.leads, leader.leader, leader.epoch, leader.high = true, 1, 9, 4
	follower.leader, follower.epoch = 1, 9
	old.leads, old.leader, old.epoch, old.high = true, 3, 8, 2
	q := quorum(t, follower, old, leader)
	views, err := q.Views(t.Context())
	require.NoError(t, err)
	require.Equal(t, "LeaderId:               1\nLeaderEpoch:            9\n", views[0].Status())
	require.Equal(t, "LeaderId:               3\nLeaderEpoch:            8\nHighWatermark:          2\n"+
		"CurrentVoters:          [{\"id\": 3}]\nCurrentObservers:       []\n", views[1].Status())
	require.Equal(t, "NodeId\tDirectoryId\tLogEndOffset\tLag\tLastFetchTimestamp\tLastCaughtUpTimestamp\tStatus\n"+
		"1\tAAAAAAAAAAAAAAAAAAAAAA\t5\t0\t0\t0\tLeader\n", views[2].Replication())
	require.Equal(t, 2, q.leader, "the leader of the highest epoch is read")
}

func TestALeaderThatGoesIsWaitedFor(t *testing.T) {
	f := newFake(t)
	f.leads, f.leader, f.epoch, f.high = true, 3, 7, 3
	f.batches = made(0, 2, 6)
	f.refuses = 8 // BROKER_NOT_AVAILABLE: it shuts down
	m := NewMirror(quorum(t, f), t.TempDir())
	require.NoError(t, m.Run(t.Context(), false))
	require.Equal(t, Position{3, 6}, m.at)

	f.high, f.refuses = 4, 31 // CLUSTER_AUTHORIZATION_FAILED
	require.ErrorContains(t, m.Run(t.Context(), false), "CLUSTER_AUTHORIZATION_FAILED")
}

func TestAShortenedLogBeginsWithItsSnapshot(t *testing.T) {
	f := newFake(t)
	f.leads, f.leader, f.epoch, f.high = true, 1, 4, 12
	f.snapshot, f.start = []byte("content"), Position{10, 3}
	f.batches = made(10, 11, 4)
	folder := t.TempDir()
	require.NoError(t, NewMirror(quorum(t, f), folder).Run(t.Context(), false))
	require.Equal(t, "content", read(t, folder, "__cluster_metadata-0/00000000000000000010-0000000003.checkpoint"))
	require.Equal(t, string(f.batches), read(t, folder, "__cluster_metadata-0/00000000000000000010.log"))
}

func TestAnotherLogGoesToAnotherFolder(t *testing.T) {
	f := newFake(t)
	f.leads, f.leader, f.epoch, f.high = true, 1, 2, 4
	f.batches = slices.Concat(made(0, 1, 1), made(2, 3, 2))
	folder := t.TempDir()
	m := NewMirror(quorum(t, f), folder)
	require.NoError(t, m.Run(t.Context(), false))

	f.epoch, f.diverges = 3, &Position{2, 1}
	f.batches = slices.Concat(made(0, 1, 1), made(2, 3, 3))
	require.NoError(t, m.Run(t.Context(), false))
	require.Equal(t, string(made(2, 3, 3)), read(t, folder, "diverged-1/__cluster_metadata-0/00000000000000000002.log"))
	require.Equal(t, string(slices.Concat(made(0, 1, 1), made(2, 3, 2))), read(t, folder, "__cluster_metadata-0/00000000000000000000.log"))
}

func TestABatchIsReadWhole(t *testing.T) {
	whole := made(7, 9, 2)
	b, ok := firstBatch(append(whole, 1))
	require.True(t, ok)
	require.Equal(t, batch{base: 7, last: 9, epoch: 2, size: 61}, b)
	for n := range whole {
		_, ok := firstBatch(whole[:n])
		require.False(t, ok, "%d bytes", n)
	}
	whole[8] = 0xff // a length below 0
	_, ok = firstBatch(whole)
	require.False(t, ok)
}
