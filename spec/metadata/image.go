package metadata

import (
	"fmt"
	"slices"

	"github.com/tracecheck/tracecheck/spec"
)

// Image is the state after the records that were applied so far. [New] makes one.
type Image struct {
	whole   bool // it holds all that there is
	topics  map[UUID]*topic
	names   map[string]UUID
	brokers map[int32]*broker

	nextProducerID int64
	producerRef    spec.Ref

	transaction spec.Ref // the record that began the one that is open; 0: none is
	undo        []func() // takes back what the open transaction did, last first

	verdicts []Verdict
	inLoad   bool // a snapshot is being loaded
}

type topic struct {
	name       string
	ref        spec.Ref
	partitions map[int32]*partition
}

type partition struct {
	replicas, isr, adding []int32
	elr, lastKnownElr     []int32
	leader                int32
	leaderEpoch           int32
	partitionEpoch        int32
	told                  bool // its replicas and those in sync are
	ref                   spec.Ref
	saved                 spec.Ref // the transaction in which it was saved to be taken back
}

type broker struct {
	epoch       int64
	incarnation UUID
	ref         spec.Ref
}

// New returns an image without anything in it. whole: there was nothing before.
func New(whole bool) *Image {
	return &Image{whole: whole, topics: make(map[UUID]*topic), names: make(map[string]UUID), brokers: make(map[int32]*broker)}
}

// Whole reports whether the image holds all that there is.
func (m *Image) Whole() bool { return m.whole }

// Verdict is what became of one rule at one record.
type Verdict struct {
	Rule  int // in [Rules]
	Truth spec.Truth

	// Where it fails: what is wrong, what would be right, and what an earlier record, at
	// Ref, has to do with it.
	Message, Allowed string
	Ref              spec.Ref
	Earlier          string
}

// Apply applies a record, which stands at ref, and says what the rules make of it. The
// slice is reused by the next call. A record that cannot be applied is left out.
func (m *Image) Apply(r *Record, ref spec.Ref) []Verdict {
	m.verdicts = m.verdicts[:0]
	if r.Type == Unreadable || r.Type == NotKnown {
		m.forget()
		if v := m.verdict(ruleReadable, spec.Unknown.And(spec.Is(r.Type == NotKnown))); v != nil {
			v.Message, v.Allowed = fmt.Sprintf("the record at offset %d cannot be read", r.Offset), "a record of a known frame that ends where its length says"
		}
		return m.verdicts
	}
	m.verdict(ruleReadable, spec.Holds)
	switch r.Type {
	case SnapshotHeader:
		m.inLoad = true
	case SnapshotFooter:
		m.inLoad = false
	case Topic:
		m.addTopic(r, ref)
	case RemoveTopic:
		m.removeTopic(r)
	case Partition:
		m.setPartition(r, ref)
	case PartitionChange:
		m.changePartition(r, ref)
	case ClearElr:
		m.clearElr(r, ref)
	case RegisterBroker:
		m.register(r, ref)
	case UnregisterBroker, FenceBroker, UnfenceBroker, BrokerRegistrationChange:
		m.ofBroker(r)
	case ProducerIDs:
		m.handOut(r, ref)
	case BeginTransaction, EndTransaction, AbortTransaction:
		m.bound(r, ref)
	}
	return m.verdicts
}

// forget leaves nothing known: a record that is not read may have changed anything.
func (m *Image) forget() {
	was := *m
	*m = *New(false)
	m.verdicts, m.inLoad = was.verdicts, was.inLoad
}

// verdict notes what a rule makes of the record, and returns it to be explained if it fails.
func (m *Image) verdict(rule int, t spec.Truth) *Verdict {
	m.verdicts = append(m.verdicts, Verdict{Rule: rule, Truth: t})
	if t != spec.Fails {
		return nil
	}
	return &m.verdicts[len(m.verdicts)-1]
}

// missing is Fails for what is missing from an image that holds everything, and Unknown
// from another.
func (m *Image) missing() spec.Truth {
	if m.whole {
		return spec.Fails
	}
	return spec.Unknown
}

// does keeps how to take a change back while a transaction is open.
func (m *Image) does(undo func()) {
	if m.transaction != 0 {
		m.undo = append(m.undo, undo)
	}
}

// bound begins or ends a transaction (KIP-868).
func (m *Image) bound(r *Record, ref spec.Ref) {
	open := m.transaction != 0
	truth := spec.Is(open != (r.Type == BeginTransaction))
	switch {
	case m.inLoad:
		truth = spec.Fails
	case !m.whole && !open && r.Type != BeginTransaction:
		truth = spec.Unknown
	}
	if v := m.verdict(ruleTransactions, truth); v != nil {
		v.Allowed, v.Ref, v.Earlier = "a BeginTransactionRecord", m.transaction, "begins a transaction"
		switch {
		case m.inLoad:
			v.Message, v.Allowed = "a transaction is begun or ended within a snapshot", "a snapshot without records of transactions"
		case open:
			v.Message, v.Allowed = "a transaction begins within another one", "the end of that transaction, or its abort"
		default:
			v.Message = "a transaction ends, and none has begun"
		}
	}
	if r.Type == AbortTransaction {
		for _, undo := range slices.Backward(m.undo) {
			undo()
		}
	}
	m.transaction, m.undo = 0, m.undo[:0]
	if r.Type == BeginTransaction && !m.inLoad {
		m.transaction = ref
	}
}
