package observer

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Position is how far a log has been read: the offset of the next record, and the epoch of the one before it.
type Position struct {
	Offset int64
	Epoch  int32
}

// A Sink takes what Follow reads, in order.
type Sink interface {
	// Append takes whole batches that follow the ones before; all of them are committed.
	Append(first int64, batches []byte) error
	// Snapshot takes a snapshot whose last record has at.Offset-1 and at.Epoch; the log goes on at at.Offset.
	Snapshot(at Position, content []byte) error
	// Diverged: the leader's log is another one from at on, though all that was given was committed. The next Append
	// begins at at.
	Diverged(at Position) error
}

// ErrNoLeader: no controller that answers leads.
var ErrNoLeader = errors.New("no controller that answers is the leader")

// Follow reads one answer's worth of the log behind at into sink, and returns the new position and the high watermark of
// the answer, -1 if the leader does not know it yet. It waits up to waitMillis for something new.
// After ErrNoLeader, or a connection's failure, Views finds the next leader.
func (q *Quorum) Follow(ctx context.Context, at Position, waitMillis int32, sink Sink) (Position, int64, error) {
	if q.leader < 0 {
		return at, -1, ErrNoLeader
	}
	c := q.controllers[q.leader]
	f, err := c.fetch(ctx, q.epoch, at.Offset, at.Epoch, waitMillis)
	if err != nil {
		q.leader = -1
		return at, -1, err
	}
	switch err := kerr.ErrorForCode(f.ErrorCode); {
	case errors.Is(err, kerr.NotLeaderForPartition), errors.Is(err, kerr.FencedLeaderEpoch), errors.Is(err, kerr.UnknownLeaderEpoch),
		kerr.IsRetriable(err): // such as BROKER_NOT_AVAILABLE from a leader that shuts down
		q.leader = -1
		return at, -1, ErrNoLeader
	case err != nil:
		return at, -1, fmt.Errorf("%s: %w", c.address, err)
	case f.DivergingEpoch.EndOffset >= 0:
		to := Position{min(f.DivergingEpoch.EndOffset, at.Offset), f.DivergingEpoch.Epoch}
		return to, f.HighWatermark, sink.Diverged(to)
	case f.SnapshotID.EndOffset >= 0:
		to := Position{f.SnapshotID.EndOffset, f.SnapshotID.Epoch}
		content, err := c.snapshot(ctx, q.epoch, to)
		if err != nil {
			return at, f.HighWatermark, err
		}
		return to, f.HighWatermark, sink.Snapshot(to, content)
	}
	return committed(at, f, sink)
}

// committed gives sink the batches of an answer that lie below its high watermark: a leader sends what it has, committed
// or not.
func committed(at Position, f fetched, sink Sink) (Position, int64, error) {
	from, size := at, 0
	for {
		b, ok := firstBatch(f.RecordBatches[size:])
		if !ok || b.last >= f.HighWatermark {
			break
		}
		if b.base != at.Offset {
			return from, f.HighWatermark, fmt.Errorf("a batch at offset %d where %d was asked for", b.base, at.Offset)
		}
		at, size = Position{b.last + 1, b.epoch}, size+b.size
	}
	if size == 0 {
		return from, f.HighWatermark, nil
	}
	return at, f.HighWatermark, sink.Append(from.Offset, f.RecordBatches[:size])
}

// snapshot fetches a snapshot in pieces.
func (c *controller) snapshot(ctx context.Context, epoch int32, at Position) ([]byte, error) {
	var content []byte
	for {
		r := kmsg.NewPtrFetchSnapshotRequest()
		r.ReplicaID, r.MaxBytes = -1, 8<<20
		topic := kmsg.NewFetchSnapshotRequestTopic()
		topic.Topic = topicName
		p := kmsg.NewFetchSnapshotRequestTopicPartition()
		p.CurrentLeaderEpoch, p.Position = epoch, int64(len(content))
		p.SnapshotID.EndOffset, p.SnapshotID.Epoch = at.Offset, at.Epoch
		topic.Partitions = append(topic.Partitions, p)
		r.Topics = append(r.Topics, topic)
		answer, err := c.ask(ctx, r)
		if err != nil {
			return nil, err
		}
		s := answer.(*kmsg.FetchSnapshotResponse)
		if err := kerr.ErrorForCode(s.ErrorCode); err != nil {
			return nil, fmt.Errorf("%s: %w", c.address, err)
		}
		if len(s.Topics) != 1 || len(s.Topics[0].Partitions) != 1 {
			return nil, fmt.Errorf("%s: an answer without the snapshot", c.address)
		}
		piece := s.Topics[0].Partitions[0]
		if err := kerr.ErrorForCode(piece.ErrorCode); err != nil {
			return nil, fmt.Errorf("%s: snapshot %d-%d: %w", c.address, at.Offset, at.Epoch, err)
		}
		content = append(content, piece.Bytes...)
		if int64(len(content)) >= piece.Size {
			return content, nil
		}
		if len(piece.Bytes) == 0 {
			return nil, fmt.Errorf("%s: snapshot %d-%d: an empty piece", c.address, at.Offset, at.Epoch)
		}
	}
}
