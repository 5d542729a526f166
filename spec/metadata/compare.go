package metadata

import (
	"fmt"
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

// Compare says whether a snapshot holds what the records before it come to, and if it does
// not, in what way. An image that does not hold everything, or is within a transaction,
// cannot tell.
func (m *Image) Compare(snapshot *Image) Verdict {
	v := Verdict{Rule: ruleSnapshot, Truth: spec.Unknown}
	if !m.whole || !snapshot.whole || m.transaction != 0 {
		return v
	}
	var found []string
	differs := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	for id, t := range m.topics {
		other := snapshot.topics[id]
		if other == nil {
			differs("topic %s is not in it", t.name)
			continue
		}
		if other.name != t.name {
			differs("topic %s is %s in it", t.name, other.name)
		}
		t.compare(other, differs)
	}
	for id, t := range snapshot.topics {
		if m.topics[id] == nil {
			differs("it has topic %s, which does not exist", t.name)
		}
	}
	for id, b := range m.brokers {
		if other := snapshot.brokers[id]; other == nil {
			differs("broker %d is not in it", id)
		} else if other.epoch != b.epoch || other.incarnation != b.incarnation {
			differs("broker %d has epoch %d in it; it is registered with %d", id, other.epoch, b.epoch)
		}
	}
	for id := range snapshot.brokers {
		if m.brokers[id] == nil {
			differs("it has broker %d, which is not registered", id)
		}
	}
	if m.nextProducerID != snapshot.nextProducerID {
		differs("the next producer id is %d in it; it is %d", snapshot.nextProducerID, m.nextProducerID)
	}
	v.Truth = spec.Is(len(found) == 0)
	if len(found) > 0 {
		slices.Sort(found)
		v.Message, v.Allowed = found[0], "a snapshot of what the log comes to at its end offset"
		if n := len(found) - 1; n > 0 {
			v.Message += fmt.Sprintf(" (and %d more)", n)
		}
	}
	return v
}

// compare compares the partitions of a topic with those in a snapshot.
func (t *topic) compare(other *topic, differs func(string, ...any)) {
	for n, p := range t.partitions {
		o := other.partitions[n]
		switch {
		case o == nil:
			differs("partition %s-%d is not in it", t.name, n)
		case o.leader != p.leader || o.leaderEpoch != p.leaderEpoch || o.partitionEpoch != p.partitionEpoch:
			differs("partition %s-%d has leader %d, leader epoch %d, partition epoch %d in it; by the log they are %d, %d, %d", t.name, n,
				o.leader, o.leaderEpoch, o.partitionEpoch, p.leader, p.leaderEpoch, p.partitionEpoch)
		case !slices.Equal(o.replicas, p.replicas) || !same(o.isr, p.isr):
			differs("partition %s-%d has replicas %v, in sync %v in it; by the log they are %v, %v", t.name, n, o.replicas, o.isr, p.replicas, p.isr)
		}
	}
	for n := range other.partitions {
		if t.partitions[n] == nil {
			differs("it has partition %s-%d, which does not exist", t.name, n)
		}
	}
}

func same(a, b []int32) bool { return len(a) == len(b) && within(a, b) && within(b, a) }
