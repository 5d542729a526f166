package observer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A View is what one controller says of the quorum at one moment.
type View struct {
	// Address is the controller that was asked.
	Address string
	// Leader is the id of the leader that it knows in Epoch, -1 if none.
	Leader int32
	Epoch  int32
	// Described: it leads, and the rest is set.
	Described     bool
	HighWatermark int64
	Voters        []Replica
	Observers     []Replica
}

// A Replica is a voter or an observer as the leader sees it.
type Replica struct {
	ID        int32
	Directory [16]byte
	// LogEndOffset is the offset behind its last record that the leader knows of.
	LogEndOffset int64
	// LastFetch and LastCaughtUp are the leader's clock in milliseconds, -1 if unknown.
	LastFetch, LastCaughtUp int64
}

// Views asks every controller. Those that do not answer are left out; if none does that is an error.
func (q *Quorum) Views(ctx context.Context) ([]View, error) {
	var views []View
	var failed []error
	for i, c := range q.controllers {
		v, err := c.view(ctx)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		views = append(views, v)
		if v.Described && v.Epoch >= q.epoch {
			q.epoch, q.leader = v.Epoch, i
		}
	}
	if len(views) == 0 {
		return nil, errors.Join(failed...)
	}
	return views, nil
}

// view asks one controller. Only the leader describes the quorum; of another one a Fetch in epoch 0, which every
// controller refuses, brings the leader and the epoch that it knows.
func (c *controller) view(ctx context.Context) (View, error) {
	r := kmsg.NewPtrDescribeQuorumRequest()
	topic := kmsg.NewDescribeQuorumRequestTopic()
	topic.Topic = topicName
	topic.Partitions = append(topic.Partitions, kmsg.NewDescribeQuorumRequestTopicPartition())
	r.Topics = append(r.Topics, topic)
	answer, err := c.ask(ctx, r)
	if err != nil {
		return View{}, err
	}
	d := answer.(*kmsg.DescribeQuorumResponse)
	if len(d.Topics) == 1 && len(d.Topics[0].Partitions) == 1 && d.ErrorCode == 0 {
		if p := d.Topics[0].Partitions[0]; p.ErrorCode == 0 {
			return View{Address: c.address, Leader: p.LeaderID, Epoch: p.LeaderEpoch, Described: true,
				HighWatermark: p.HighWatermark, Voters: replicas(p.CurrentVoters), Observers: replicas(p.Observers)}, nil
		} else if err := kerr.ErrorForCode(p.ErrorCode); !errors.Is(err, kerr.NotLeaderForPartition) {
			return View{}, fmt.Errorf("%s: %w", c.address, err)
		}
	}
	if err := kerr.ErrorForCode(d.ErrorCode); err != nil && !errors.Is(err, kerr.NotLeaderForPartition) {
		return View{}, fmt.Errorf("%s: %w", c.address, err)
	}
	f, err := c.fetch(ctx, 0, 0, 0, 0)
	if err != nil {
		return View{}, err
	}
	return View{Address: c.address, Leader: f.CurrentLeader.LeaderID, Epoch: f.CurrentLeader.LeaderEpoch}, nil
}

func replicas(states []kmsg.DescribeQuorumResponseTopicPartitionReplicaState) []Replica {
	all := make([]Replica, len(states))
	for i, s := range states {
		all[i] = Replica{s.ReplicaID, s.ReplicaDirectoryID, s.LogEndOffset, s.LastFetchTimestamp, s.LastCaughtUpTimestamp}
	}
	slices.SortFunc(all, func(a, b Replica) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Status writes the view as kafka-metadata-quorum describe --status does. A controller that does not lead knows only the
// first two lines.
func (v View) Status() string {
	text := fmt.Sprintf("LeaderId:               %d\nLeaderEpoch:            %d\n", v.Leader, v.Epoch)
	if !v.Described {
		return text
	}
	return text + fmt.Sprintf("HighWatermark:          %d\nCurrentVoters:          %s\nCurrentObservers:       %s\n",
		v.HighWatermark, named(v.Voters), named(v.Observers))
}

func named(replicas []Replica) string {
	var all []string
	for _, r := range replicas {
		if r.Directory == ([16]byte{}) {
			all = append(all, fmt.Sprintf(`{"id": %d}`, r.ID))
		} else {
			all = append(all, fmt.Sprintf(`{"id": %d, "directoryId": "%s"}`, r.ID, id(r.Directory)))
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// Replication writes the view as kafka-metadata-quorum describe --replication does; empty if the controller does not lead.
func (v View) Replication() string {
	if !v.Described {
		return ""
	}
	var end int64
	for _, r := range v.Voters {
		if r.ID == v.Leader {
			end = r.LogEndOffset
		}
	}
	text := "NodeId\tDirectoryId\tLogEndOffset\tLag\tLastFetchTimestamp\tLastCaughtUpTimestamp\tStatus\n"
	row := func(r Replica, status string) {
		if r.ID == v.Leader {
			status = "Leader"
		}
		text += fmt.Sprintf("%d\t%s\t%d\t%d\t%d\t%d\t%s\n",
			r.ID, id(r.Directory), r.LogEndOffset, end-r.LogEndOffset, r.LastFetch, r.LastCaughtUp, status)
	}
	for _, r := range v.Voters {
		row(r, "Follower")
	}
	for _, r := range v.Observers {
		row(r, "Observer")
	}
	return text
}
