package metadata

import (
	"fmt"

	"github.com/tracecheck/tracecheck/spec"
)

// register: a broker that starts anew is given the offset at which its registration is
// to be written as its epoch. The same incarnation keeps the one that it has; before Kafka
// 4.0 it may be given a new one too.
func (m *Image) register(r *Record, ref spec.Ref) {
	was := m.brokers[r.Broker]
	truth := spec.Holds
	switch {
	case !m.inLoad && uint64(r.BrokerEpoch) > r.Offset:
		truth = spec.Fails
	case was == nil && !m.whole:
		truth = spec.Unknown
	case was != nil && was.incarnation == r.Incarnation:
		truth = spec.Is(r.BrokerEpoch >= was.epoch)
	case was != nil:
		truth = spec.Is(r.BrokerEpoch > was.epoch)
	}
	if v := m.verdict(ruleBrokerEpochs, truth); v != nil {
		v.Message = fmt.Sprintf("broker %d is registered at offset %d with broker epoch %d", r.Broker, r.Offset, r.BrokerEpoch)
		v.Allowed = fmt.Sprintf("a broker epoch of at most %d", r.Offset)
		if was != nil {
			v.Ref, v.Earlier = was.ref, fmt.Sprintf("registers it with broker epoch %d", was.epoch)
			if was.incarnation == r.Incarnation {
				v.Message += fmt.Sprintf(", in the incarnation that has epoch %d", was.epoch)
				v.Allowed = fmt.Sprintf("a broker epoch from %d to %d", was.epoch, r.Offset)
			} else {
				v.Message += fmt.Sprintf("; its incarnation before had %d", was.epoch)
				v.Allowed = fmt.Sprintf("a broker epoch from %d to %d", was.epoch+1, r.Offset)
			}
		}
	}
	m.brokers[r.Broker] = &broker{r.BrokerEpoch, r.Incarnation, ref}
	id := r.Broker
	m.does(func() {
		if was == nil {
			delete(m.brokers, id)
		} else {
			m.brokers[id] = was
		}
	})
}

// ofBroker: a record about a broker names the epoch that it is registered with.
func (m *Image) ofBroker(r *Record) {
	was := m.brokers[r.Broker]
	truth := m.missing()
	if was != nil {
		truth = spec.Is(was.epoch == r.BrokerEpoch)
	}
	if v := m.verdict(ruleBrokerRegistered, truth); v != nil {
		v.Message = fmt.Sprintf("a record is about broker %d with broker epoch %d, which is not registered", r.Broker, r.BrokerEpoch)
		v.Allowed = "a record about a broker that is registered, with its epoch"
		if was != nil {
			v.Message = fmt.Sprintf("a record is about broker %d with broker epoch %d; it is registered with %d", r.Broker, r.BrokerEpoch, was.epoch)
			v.Ref, v.Earlier = was.ref, "registers it"
		}
	}
	if r.Type == UnregisterBroker && was != nil {
		id := r.Broker
		delete(m.brokers, id)
		m.does(func() { m.brokers[id] = was })
	}
}

// handOut: producer ids are handed out in blocks, each behind the last.
func (m *Image) handOut(r *Record, ref spec.Ref) {
	truth := spec.Unknown
	if m.producerRef != 0 {
		truth = spec.Is(r.NextProducerID > m.nextProducerID)
	} else if m.whole {
		truth = spec.Is(r.NextProducerID > 0)
	}
	if v := m.verdict(ruleProducerIDs, truth); v != nil {
		v.Message = fmt.Sprintf("the next producer id goes from %d to %d", m.nextProducerID, r.NextProducerID)
		v.Ref, v.Earlier = m.producerRef, "hands out the ids before"
		v.Allowed = fmt.Sprintf("a next producer id above %d", m.nextProducerID)
	}
	id, at := m.nextProducerID, m.producerRef
	m.nextProducerID, m.producerRef = r.NextProducerID, ref
	m.does(func() { m.nextProducerID, m.producerRef = id, at })
}
