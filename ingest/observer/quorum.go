package observer

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The metadata topic's name and its id, which is the same in every cluster.
const topicName = "__cluster_metadata"

var topicID = [16]byte{15: 1}

// A Quorum is the controllers that were named, each asked directly: controllers do not serve Metadata requests, so there
// is nobody to ask where the others are.
type Quorum struct {
	controllers []*controller
	// epoch and leader are the newest leader heard of: an index into controllers, -1 if none.
	epoch  int32
	leader int
}

// A controller is one address with its own client.
type controller struct {
	address string
	// id is -1 until an answer has told it.
	id     int32
	client *kgo.Client
}

// Connect makes a quorum of controllers' addresses (host:port). It does not wait for an answer of any of them.
// The options are those for TLS and SASL.
func Connect(addresses []string, options ...kgo.Opt) (*Quorum, error) {
	q := &Quorum{leader: -1, epoch: -1}
	for _, address := range addresses {
		client, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(address), kgo.ClientID("tracecheck"),
			kgo.DisableClientMetrics(), kgo.RequestRetries(0)}, options...)...)
		if err != nil {
			q.Close()
			return nil, fmt.Errorf("%s: %w", address, err)
		}
		q.controllers = append(q.controllers, &controller{address: address, id: -1, client: client})
	}
	if len(q.controllers) == 0 {
		return nil, errors.New("no controller's address")
	}
	return q, nil
}

// Close closes the connections.
func (q *Quorum) Close() {
	for _, c := range q.controllers {
		c.client.Close()
	}
}

func (c *controller) ask(ctx context.Context, r kmsg.Request) (kmsg.Response, error) {
	answer, err := c.client.SeedBrokers()[0].Request(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.address, err)
	}
	return answer, nil
}

// fetched is what one Fetch has brought.
type fetched struct {
	kmsg.FetchResponseTopicPartition
}

// fetch asks for batches from offset on; epoch is that of the batch before it. currentLeaderEpoch must be the leader's.
func (c *controller) fetch(ctx context.Context, currentLeaderEpoch int32, offset int64, epoch, waitMillis int32) (fetched, error) {
	r := kmsg.NewPtrFetchRequest()
	r.ReplicaID = -1
	r.MaxWaitMillis, r.MinBytes, r.MaxBytes = waitMillis, 0, 8<<20
	r.SessionEpoch = -1
	topic := kmsg.NewFetchRequestTopic()
	topic.Topic, topic.TopicID = topicName, topicID
	partition := kmsg.NewFetchRequestTopicPartition()
	partition.CurrentLeaderEpoch, partition.FetchOffset, partition.LastFetchedEpoch = currentLeaderEpoch, offset, epoch
	partition.PartitionMaxBytes = 8 << 20
	topic.Partitions = append(topic.Partitions, partition)
	r.Topics = append(r.Topics, topic)
	answer, err := c.ask(ctx, r)
	if err != nil {
		return fetched{}, err
	}
	f := answer.(*kmsg.FetchResponse)
	if err := kerr.ErrorForCode(f.ErrorCode); err != nil {
		return fetched{}, fmt.Errorf("%s: %w", c.address, err)
	}
	if len(f.Topics) != 1 || len(f.Topics[0].Partitions) != 1 {
		return fetched{}, fmt.Errorf("%s: an answer without the partition", c.address)
	}
	return fetched{f.Topics[0].Partitions[0]}, nil
}
