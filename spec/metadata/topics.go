package metadata

import (
	"fmt"
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

func (m *Image) addTopic(r *Record, ref spec.Ref) {
	other, byName := m.names[r.Name]
	was, byID := m.topics[r.Topic]
	truth := spec.Is(!byID && !byName)
	if truth == spec.Holds && !m.whole {
		truth = spec.Unknown
	}
	if v := m.verdict(ruleTopicNew, truth); v != nil {
		if byName {
			was = m.topics[other]
			v.Message = fmt.Sprintf("topic %s is created with id %s; a topic of that name exists, with id %s", r.Name, r.Topic, other)
		} else {
			v.Message = fmt.Sprintf("topic %s is created with id %s, which topic %s has", r.Name, r.Topic, was.name)
		}
		v.Ref, v.Earlier, v.Allowed = was.ref, "creates it", "a name and an id that no topic has"
	}
	m.names[r.Name] = r.Topic
	m.topics[r.Topic] = &topic{name: r.Name, ref: ref, partitions: make(map[int32]*partition)}
	id, name := r.Topic, r.Name // the record is used again
	m.does(func() {
		delete(m.topics, id)
		delete(m.names, name)
	})
}

// topic returns the topic that a record is about, and says whether there is one.
func (m *Image) topic(r *Record) *topic {
	t := m.topics[r.Topic]
	if t != nil {
		m.verdict(ruleTopicExists, spec.Holds)
		return t
	}
	if v := m.verdict(ruleTopicExists, m.missing()); v != nil {
		v.Message = fmt.Sprintf("a record is about topic %s, which does not exist", r.Topic)
		v.Allowed = "a record about a topic that was created and not removed"
	}
	return nil
}

func (m *Image) removeTopic(r *Record) {
	t := m.topic(r)
	if t == nil {
		return
	}
	id := r.Topic
	delete(m.topics, id)
	delete(m.names, t.name)
	m.does(func() { m.topics[id], m.names[t.name] = t, id })
}

// setPartition creates a partition, or says anew all that there is to it.
func (m *Image) setPartition(r *Record, ref spec.Ref) {
	t := m.topic(r)
	if t == nil {
		if m.whole {
			return
		}
		t = &topic{name: r.Topic.String(), ref: ref, partitions: make(map[int32]*partition)}
		m.topics[r.Topic] = t
	}
	was := t.partitions[r.Partition]
	truth := spec.Unknown
	if was != nil {
		truth = spec.Is(r.LeaderEpoch >= was.leaderEpoch && r.PartitionEpoch >= was.partitionEpoch)
	}
	if v := m.verdict(rulePartitionEpochs, truth); v != nil {
		v.Message = fmt.Sprintf("partition %s-%d goes from leader epoch %d and partition epoch %d to %d and %d", t.name, r.Partition,
			was.leaderEpoch, was.partitionEpoch, r.LeaderEpoch, r.PartitionEpoch)
		v.Ref, v.Earlier = was.ref, "changes it last"
		v.Allowed = fmt.Sprintf("leader epoch %d and partition epoch %d, or later ones", was.leaderEpoch, was.partitionEpoch)
	}
	p := &partition{
		replicas: slices.Clone(r.Replicas.List), isr: slices.Clone(r.Isr.List), adding: slices.Clone(r.Adding.List), elr: slices.Clone(r.Elr.List),
		lastKnownElr: slices.Clone(r.LastKnownElr.List), told: r.Replicas.Told && r.Isr.Told,
		leader: r.Leader, leaderEpoch: r.LeaderEpoch, partitionEpoch: r.PartitionEpoch, ref: ref,
	}
	t.partitions[r.Partition] = p
	m.judge(t, r.Partition, p, was)
	at := r.Partition
	m.does(func() {
		if was == nil {
			delete(t.partitions, at)
		} else {
			t.partitions[at] = was
		}
	})
}

// changePartition changes what the record tells. Every change raises the partition epoch
// by one, and one that tells a leader the leader epoch too, though no record says so.
func (m *Image) changePartition(r *Record, ref spec.Ref) {
	t := m.topic(r)
	if t == nil {
		return
	}
	p := t.partitions[r.Partition]
	if p == nil {
		if v := m.verdict(rulePartitionExists, m.missing()); v != nil {
			v.Message = fmt.Sprintf("partition %s-%d is changed, which does not exist", t.name, r.Partition)
			v.Ref, v.Earlier, v.Allowed = t.ref, "creates the topic", "a change of a partition of the topic"
		}
		return
	}
	m.verdict(rulePartitionExists, spec.Holds)
	was := *p
	set := func(to *[]int32, ids *Ids) {
		if !ids.Told {
			return
		}
		if m.transaction != 0 { // the old one may be wanted again
			*to = slices.Clone(ids.List)
			return
		}
		*to = append((*to)[:0], ids.List...)
	}
	set(&p.replicas, &r.Replicas)
	set(&p.isr, &r.Isr)
	set(&p.adding, &r.Adding)
	set(&p.elr, &r.Elr)
	set(&p.lastKnownElr, &r.LastKnownElr)
	if r.Leader != Same {
		p.leader = r.Leader
		p.leaderEpoch++
	}
	p.partitionEpoch++
	p.ref = ref
	m.judge(t, r.Partition, p, &was)
	m.save(p, was)
}

// save keeps how a partition was before the transaction that is open changed it.
func (m *Image) save(p *partition, was partition) {
	if m.transaction == 0 || p.saved == m.transaction {
		return
	}
	p.saved = m.transaction
	old := was // so that only this one is allocated
	m.does(func() { *p = old })
}

// clearElr empties the lists of eligible leader replicas, which is a change of each
// partition that has any.
func (m *Image) clearElr(r *Record, ref spec.Ref) {
	for _, t := range m.topics {
		if r.Name != "" && t.name != r.Name {
			continue
		}
		for _, p := range t.partitions {
			if len(p.elr) == 0 && len(p.lastKnownElr) == 0 {
				continue
			}
			was := *p
			p.elr, p.lastKnownElr, p.ref = nil, nil, ref
			p.partitionEpoch++
			m.save(p, was)
		}
	}
}

// judge is what holds of every partition by the way in which controllers make its records.
func (m *Image) judge(t *topic, number int32, p, was *partition) {
	explain := func(v *Verdict, message, allowed string) {
		if v == nil {
			return
		}
		v.Message = fmt.Sprintf("partition %s-%d has %s", t.name, number, message)
		v.Allowed = allowed
		if was != nil {
			v.Ref, v.Earlier = was.ref, "changes it before"
		}
	}
	truth := func(holds bool) spec.Truth {
		if !p.told {
			return spec.Unknown
		}
		return spec.Is(holds)
	}
	if v := m.verdict(ruleIsrWithinReplicas, truth(within(p.isr, p.replicas) && within(p.adding, p.replicas))); v != nil {
		explain(v, fmt.Sprintf("replicas %v, in sync are %v, being added %v", p.replicas, p.isr, p.adding), "replicas in sync, or being added, that are replicas")
	}
	if v := m.verdict(ruleLeaderInSync, truth(p.leader == None || slices.Contains(p.isr, p.leader))); v != nil {
		explain(v, fmt.Sprintf("leader %d; in sync are %v", p.leader, p.isr), "a leader that is in sync, or none (-1)")
	}
	if len(p.elr) == 0 {
		return
	}
	apart := !slices.ContainsFunc(p.elr, func(id int32) bool { return slices.Contains(p.isr, id) })
	if v := m.verdict(ruleElrApart, truth(apart)); v != nil {
		explain(v, fmt.Sprintf("replicas in sync %v and eligible %v", p.isr, p.elr), "eligible replicas that are not in sync")
	}
}

func within(part, of []int32) bool {
	for _, id := range part {
		if !slices.Contains(of, id) {
			return false
		}
	}
	return true
}
