package observer

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A fake is a controller that answers what its fields say.
type fake struct {
	address string

	mu       sync.Mutex
	leads    bool
	leader   int32
	epoch    int32
	high     int64
	refuses  int16     // the error of the next Fetch as the leader
	diverges *Position // the answer to the next Fetch
	snapshot []byte    // of what lies below start, in pieces of 3 bytes
	start    Position
	batches  []byte
	replicas []int32 // that have fetched
}

func newFake(t *testing.T) *fake {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	f := &fake{address: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go f.serve(c)
		}
	}()
	return f
}

func (f *fake) serve(c net.Conn) {
	defer c.Close()
	for {
		var size [4]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(size[:]))
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		key, version := int16(binary.BigEndian.Uint16(body)), int16(binary.BigEndian.Uint16(body[2:]))
		correlation := body[4:8]
		rest := body[8:]
		rest = rest[2+int(int16(binary.BigEndian.Uint16(rest))):] // the client's id
		request := kmsg.RequestForKey(key)
		request.SetVersion(version)
		if request.IsFlexible() {
			rest = rest[1:] // no tags
		}
		if err := request.ReadFrom(rest); err != nil {
			return
		}
		answer := f.answer(request)
		answer.SetVersion(version)
		out := append([]byte(nil), correlation...)
		if answer.IsFlexible() && key != 18 {
			out = append(out, 0)
		}
		out = answer.AppendTo(out)
		if _, err := c.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(out))), out...)); err != nil {
			return
		}
	}
}

func (f *fake) answer(request kmsg.Request) kmsg.Response {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch r := request.(type) {
	case *kmsg.ApiVersionsRequest:
		a := r.ResponseKind().(*kmsg.ApiVersionsResponse)
		for key, highest := range map[int16]int16{1: 17, 18: 3, 55: 2, 59: 1} {
			a.ApiKeys = append(a.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: key, MaxVersion: highest})
		}
		return a
	case *kmsg.DescribeQuorumRequest:
		p := kmsg.NewDescribeQuorumResponseTopicPartition()
		p.ErrorCode = 6
		if f.leads {
			p.ErrorCode, p.LeaderID, p.LeaderEpoch, p.HighWatermark = 0, f.leader, f.epoch, f.high
			p.CurrentVoters = []kmsg.DescribeQuorumResponseTopicPartitionReplicaState{{ReplicaID: f.leader, LogEndOffset: f.high + 1}}
		}
		a := r.ResponseKind().(*kmsg.DescribeQuorumResponse)
		a.Topics = []kmsg.DescribeQuorumResponseTopic{{Topic: topicName, Partitions: []kmsg.DescribeQuorumResponseTopicPartition{p}}}
		return a
	case *kmsg.FetchRequest:
		f.replicas = append(f.replicas, r.ReplicaID)
		a := r.ResponseKind().(*kmsg.FetchResponse)
		topic := kmsg.FetchResponseTopic{TopicID: topicID, Partitions: []kmsg.FetchResponseTopicPartition{f.fetch(r.Topics[0].Partitions[0])}}
		a.Topics = append(a.Topics, topic)
		return a
	case *kmsg.FetchSnapshotRequest:
		at := int(r.Topics[0].Partitions[0].Position)
		p := kmsg.NewFetchSnapshotResponseTopicPartition()
		p.Size, p.Bytes = int64(len(f.snapshot)), f.snapshot[at:min(at+3, len(f.snapshot))]
		a := r.ResponseKind().(*kmsg.FetchSnapshotResponse)
		a.Topics = []kmsg.FetchSnapshotResponseTopic{{Topic: topicName, Partitions: []kmsg.FetchSnapshotResponseTopicPartition{p}}}
		return a
	}
	panic("a request that no controller serves")
}

func (f *fake) fetch(asked kmsg.FetchRequestTopicPartition) kmsg.FetchResponseTopicPartition {
	p := kmsg.NewFetchResponseTopicPartition()
	p.HighWatermark = f.high
	p.CurrentLeader.LeaderID, p.CurrentLeader.LeaderEpoch = f.leader, f.epoch
	switch {
	case asked.CurrentLeaderEpoch < f.epoch:
		p.ErrorCode = 74
	case !f.leads:
		p.ErrorCode = 6
	case f.refuses != 0:
		p.ErrorCode, f.refuses = f.refuses, 0
	case f.diverges != nil:
		p.DivergingEpoch.EndOffset, p.DivergingEpoch.Epoch = f.diverges.Offset, f.diverges.Epoch
		f.diverges = nil
	case asked.FetchOffset < f.start.Offset:
		p.SnapshotID.EndOffset, p.SnapshotID.Epoch = f.start.Offset, f.start.Epoch
	default:
		for at := 0; ; {
			b, ok := firstBatch(f.batches[at:])
			if !ok {
				break
			}
			if b.base >= asked.FetchOffset {
				p.RecordBatches = f.batches[at:]
				break
			}
			at += b.size
		}
	}
	return p
}

// made is a batch of records without content, from base to last.
func made(base, last int64, epoch int32) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(base))
	b = binary.BigEndian.AppendUint32(b, 61-12)
	b = binary.BigEndian.AppendUint32(b, uint32(epoch))
	b = append(b, 2, 0, 0, 0, 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(last-base))
	return append(b, make([]byte, 61-len(b))...)
}
