package metadata

// Type is the type of a record: its apiKey in Kafka's message definitions.
type Type uint8

// The types that change the image. All others are applied as nothing.
const (
	RegisterBroker           Type = 0
	UnregisterBroker         Type = 1
	Topic                    Type = 2
	Partition                Type = 3
	PartitionChange          Type = 5
	FenceBroker              Type = 7
	UnfenceBroker            Type = 8
	RemoveTopic              Type = 9
	ProducerIDs              Type = 15
	BrokerRegistrationChange Type = 17
	NoOp                     Type = 20
	BeginTransaction         Type = 23
	EndTransaction           Type = 24
	AbortTransaction         Type = 25
	ClearElr                 Type = 28
	NotKnown                 Type = 252 // a record of a type or version that came later, or one that is not read
	Unreadable               Type = 253 // bytes that are no record
	SnapshotHeader           Type = 254 // a control record: what follows is of a snapshot
	SnapshotFooter           Type = 255 // and here it ends
)

var typeNames = map[Type]string{
	RegisterBroker: "RegisterBroker", UnregisterBroker: "UnregisterBroker", Topic: "Topic", Partition: "Partition",
	PartitionChange: "PartitionChange", FenceBroker: "FenceBroker", UnfenceBroker: "UnfenceBroker", RemoveTopic: "RemoveTopic",
	ProducerIDs: "ProducerIds", BrokerRegistrationChange: "BrokerRegistrationChange", NoOp: "NoOp", BeginTransaction: "BeginTransaction",
	EndTransaction: "EndTransaction", AbortTransaction: "AbortTransaction", ClearElr: "ClearElr", NotKnown: "a record that is not known", Unreadable: "unreadable record", SnapshotHeader: "SnapshotHeader", SnapshotFooter: "SnapshotFooter",
}

// String is the name of a type in Kafka's message definitions, without "Record".
func (t Type) String() string { return typeNames[t] }

// UUID is a topic id or an incarnation id, 16 bytes.
type UUID [16]byte

// None is the leader of a partition without one; Same is a leader that a
// PartitionChange does not change.
const (
	None int32 = -1
	Same int32 = -2
)

// Ids is a list of broker ids that a record may leave out.
type Ids struct {
	Told bool
	List []int32
}

// Record is one record, with the fields that are looked at. It is reused from record to
// record; the image keeps copies.
type Record struct {
	Type   Type
	Offset uint64 // in the log; of a snapshot's record the snapshot's end offset

	Broker      int32 // RegisterBroker, UnregisterBroker, FenceBroker, UnfenceBroker, BrokerRegistrationChange
	BrokerEpoch int64
	Incarnation UUID

	Topic     UUID   // Topic, Partition, PartitionChange, RemoveTopic
	Name      string // Topic, ClearElr; empty in ClearElr: of all topics
	Partition int32

	Leader         int32 // Partition, PartitionChange
	LeaderEpoch    int32 // Partition
	PartitionEpoch int32 // Partition
	Replicas       Ids
	Isr            Ids
	Adding         Ids
	Elr            Ids // eligible leader replicas, and the last that there were (KIP-966)
	LastKnownElr   Ids

	NextProducerID int64 // ProducerIDs: the first that is not handed out
}

// Reset empties a record for the next, and keeps the capacity of its lists.
func (r *Record) Reset() {
	empty := func(ids Ids) Ids { return Ids{List: ids.List[:0]} }
	*r = Record{
		Leader: Same, Replicas: empty(r.Replicas), Isr: empty(r.Isr), Adding: empty(r.Adding), Elr: empty(r.Elr),
		LastKnownElr: empty(r.LastKnownElr),
	}
}
