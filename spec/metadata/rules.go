package metadata

import "github.com/tracecheck/tracecheck/spec"

// The places of the rules in [Rules].
const (
	ruleTransactions = iota
	ruleTopicNew
	ruleTopicExists
	rulePartitionExists
	ruleBrokerRegistered
	ruleBrokerEpochs
	ruleProducerIDs
	ruleIsrWithinReplicas
	ruleLeaderInSync
	ruleElrApart
	rulePartitionEpochs
	ruleReadable
	ruleSnapshot
)

// needs is what a source shows that shows records.
const needs = spec.ShowsContents

// Rules are the rules of metadata records. Where one of D01 to D07 or D12 is broken, some or
// all of Kafka's own servers fail as they apply the record; of the others they take no notice.
var Rules = []*spec.Rule{
	ruleTransactions: {
		ID: "D01", Name: "metadata-transactions-do-not-nest",
		Statement: "a transaction of metadata records begins outside of any other, ends once, and stands in no snapshot",
		Formula:   "Begin ⇒ ¬open; End ∨ Abort ⇒ open",
		Doc:       "The records of a transaction take effect together or not at all. Kafka's servers fail on one that begins within another.",
		Breaks:    "BEGIN_TRANSACTION_RECORD at offset 20; another at 24, and no end between",
		Allowed:   "BEGIN_TRANSACTION_RECORD at 20, END_TRANSACTION_RECORD at 23, BEGIN_TRANSACTION_RECORD at 24",
		Causes:    "a controller that took over without aborting what its predecessor had begun",
		Cite:      "KIP-868 · MetadataBatchLoader",
		Needs:     needs,
	},
	ruleTopicNew: {
		ID: "D02", Name: "metadata-topic-is-new",
		Statement: "a topic is created with a name and an id that no topic has",
		Formula:   "Topic(n, id) ⇒ n ∉ names ∧ id ∉ ids",
		Doc:       "A controller fails as it applies a second topic of one name; brokers take no notice, and then disagree about which of the two it is.",
		Breaks:    "TOPIC_RECORD of orders at offset 10; another of orders at 30, and no REMOVE_TOPIC_RECORD between",
		Allowed:   "the same with REMOVE_TOPIC_RECORD between",
		Causes:    "a controller that decides on an image which lags behind its log",
		Cite:      "KIP-746, TopicRecord · ReplicationControlManager.replay",
		Needs:     needs,
	},
	ruleTopicExists: {
		ID: "D03", Name: "metadata-topic-exists",
		Statement: "a record about a topic or its partitions is about one that was created and not removed",
		Formula:   "Partition ∨ PartitionChange ∨ RemoveTopic of id ⇒ id ∈ ids",
		Doc:       "Kafka's servers fail on a record about a topic that they do not know.",
		Breaks:    "REMOVE_TOPIC_RECORD of a topic at offset 10; PARTITION_CHANGE_RECORD of it at 12",
		Allowed:   "PARTITION_CHANGE_RECORD of a topic whose TOPIC_RECORD came before",
		Causes:    "records in the wrong order, a log that lost records",
		Cite:      "KIP-746 · TopicsDelta.replay",
		Needs:     needs,
	},
	rulePartitionExists: {
		ID: "D04", Name: "metadata-partition-exists",
		Statement: "a partition is changed only after it was created",
		Formula:   "PartitionChange of (id, p) ⇒ p ∈ partitions[id]",
		Doc:       "Kafka's servers fail on a change of a partition that they do not know.",
		Breaks:    "PARTITION_CHANGE_RECORD of partition 3 of a topic with partitions 0 to 2",
		Allowed:   "PARTITION_RECORD of partition 3, then its PARTITION_CHANGE_RECORD",
		Causes:    "records in the wrong order, a log that lost records",
		Cite:      "KIP-746, PartitionChangeRecord · TopicDelta.replay",
		Needs:     needs,
	},
	ruleBrokerRegistered: {
		ID: "D05", Name: "metadata-broker-registered",
		Statement: "a record about a broker is about one that is registered, and names the epoch of its registration",
		Formula:   "Fence ∨ Unfence ∨ Unregister ∨ BrokerRegistrationChange of (b, e) ⇒ brokers[b].epoch = e",
		Doc:       "The epoch tells one incarnation of a broker from the next. Kafka's servers fail on a record about another one.",
		Breaks:    "REGISTER_BROKER_RECORD of broker 4 with epoch 90; FENCE_BROKER_RECORD of 4 with epoch 71",
		Allowed:   "REGISTER_BROKER_RECORD of broker 4 with epoch 90; FENCE_BROKER_RECORD of 4 with epoch 90",
		Causes:    "a decision about a broker that has meanwhile registered anew",
		Cite:      "KIP-631 · ClusterDelta, ClusterControlManager.replay",
		Needs:     needs,
	},
	ruleBrokerEpochs: {
		ID: "D06", Name: "metadata-broker-epochs-rise",
		Statement: "each new incarnation of a broker has a higher broker epoch, of at most the offset of its registration",
		Formula:   "Register(b, i, e) at o ⇒ e ≤ o ∧ (i ≠ brokers[b].incarnation ⇒ e > brokers[b].epoch) ∧ (i = brokers[b].incarnation ⇒ e ≥ brokers[b].epoch)",
		Doc:       "The controller takes the offset that it is about to write as the epoch, so that no two registrations have the same one. A broker that registers again without having been restarted keeps its epoch, or is given a new one by older versions.",
		Breaks:    "REGISTER_BROKER_RECORD of broker 4 with epoch 90; at offset 130 one of another incarnation with epoch 90",
		Allowed:   "REGISTER_BROKER_RECORD of broker 4 with epoch 90; at offset 130 one of another incarnation with epoch 130",
		Causes:    "a controller whose end of the log is not its own, an epoch that was taken over from an older registration",
		Cite:      "KIP-631 · ClusterControlManager.registerBroker",
		Needs:     needs,
	},
	ruleProducerIDs: {
		ID: "D07", Name: "metadata-producer-ids-grow",
		Statement: "the next producer id grows with every block that is handed out",
		Formula:   "ProducerIds(n) ⇒ n > nextProducerId",
		Doc:       "Two producers with one id could not be told apart, and their transactions would be mixed. Controllers fail on a block that does not lie behind the last.",
		Breaks:    "nextProducerId 2000; then nextProducerId 2000",
		Allowed:   "nextProducerId 2000; then nextProducerId 3000",
		Causes:    "a controller that hands out ids from an older image",
		Cite:      "KIP-730 · ProducerIdControlManager.replay",
		Needs:     needs,
	},
	ruleIsrWithinReplicas: {
		ID: "D08", Name: "metadata-isr-within-replicas",
		Statement: "the replicas that are in sync, and those that are being added, are replicas of the partition",
		Formula:   "isr ⊆ replicas ∧ addingReplicas ⊆ replicas",
		Doc:       "No server checks this when it applies the record; controllers make their records so that it holds.",
		Breaks:    "replicas [1 2 3]; then isr [1 2 4]",
		Allowed:   "replicas [1 2 3]; then isr [1 2]",
		Causes:    "a reassignment that finished halfway, a request that was decided on an older image",
		Cite:      "KIP-746, PartitionRecord · PartitionRegistration",
		Needs:     needs,
	},
	ruleLeaderInSync: {
		ID: "D09", Name: "metadata-leader-in-sync",
		Statement: "the leader of a partition is in sync, or it has none",
		Formula:   "leader = -1 ∨ leader ∈ isr",
		Doc:       "An unclean election makes the new leader the only one in sync, so this holds for it too. No server checks it when it applies the record.",
		Breaks:    "leader 1, isr [1 2]; then isr [2]",
		Allowed:   "leader 1, isr [1 2]; then leader 2, isr [2]",
		Causes:    "a replica that was taken out of sync without another leader",
		Cite:      "KIP-631 · PartitionChangeBuilder",
		Needs:     needs,
	},
	ruleElrApart: {
		ID: "D10", Name: "metadata-elr-apart-from-isr",
		Statement: "the eligible leader replicas of a partition are not in sync",
		Formula:   "elr ∩ isr = ∅",
		Doc:       "They are those that have left the replicas in sync and still have everything up to the high watermark. One that a reassignment has removed may stay on the list.",
		Breaks:    "isr [1], eligibleLeaderReplicas [1 2]",
		Allowed:   "isr [1], eligibleLeaderReplicas [2]",
		Causes:    "a replica that came back in sync and was not taken off the list",
		Cite:      "KIP-966 · PartitionRegistration",
		Needs:     needs,
	},
	rulePartitionEpochs: {
		ID: "D11", Name: "metadata-partition-epochs-never-fall",
		Statement: "a record that says anew all of a partition lowers neither its leader epoch nor its partition epoch",
		Formula:   "Partition(id, p, le, pe) ∧ p ∈ partitions[id] ⇒ le ≥ leaderEpoch ∧ pe ≥ partitionEpoch",
		Doc:       "A change of a partition tells no epochs: each one raises the partition epoch by one, and one that names a leader the leader epoch too. Brokers ignore a leader of an older epoch, so a partition whose epoch falls may have two leaders, or none.",
		Breaks:    "leaderEpoch 4, partitionEpoch 9; then PARTITION_RECORD with leaderEpoch 3",
		Allowed:   "leaderEpoch 4, partitionEpoch 9; then PARTITION_RECORD with leaderEpoch 4, partitionEpoch 10",
		Causes:    "a partition that was written from an older image",
		Cite:      "KIP-746, PartitionRecord · KIP-320",
		Needs:     needs,
	},
	ruleReadable: {
		ID: "D12", Name: "metadata-record-readable",
		Statement: "every record of a batch whose checksum is right can be read",
		Formula:   "b.crc = crc(b) ∧ r ∈ b ⇒ r = (frame 1, type, version, fields) and nothing behind",
		Doc:       "What the leader wrote is what the checksum covers, so such a record was written wrong, and every server that applies it fails. Types and versions of later releases are not judged.",
		Breaks:    "a PARTITION_CHANGE_RECORD with bytes behind its last field",
		Allowed:   "a record of a type that is not known here",
		Causes:    "a controller that writes in a format that it has not negotiated, memory that has changed",
		Cite:      "KIP-746 · MetadataRecordSerde",
		Needs:     needs,
	},
	ruleSnapshot: {
		ID: "D13", Name: "metadata-snapshot-equals-log",
		Statement: "a snapshot holds the topics, partitions and brokers that the log before its end offset comes to",
		Formula:   "snapshot (e, p) of i ⇒ image(snapshot) = image(log[i][0..e-1])",
		Doc:       "A server that begins with the snapshot must come to the same state as one that has read the whole log. Compared are topics, the replicas, replicas in sync, leader and epochs of partitions, the registrations of brokers, and the next producer id.",
		Breaks:    "by the log the leader epoch of orders-0 is 4; the snapshot has 3",
		Allowed:   "by the log the leader epoch of orders-0 is 4; the snapshot has 4",
		Causes:    "a record that the image does not take over, a snapshot of another offset than it is named for",
		Cite:      "KIP-630 · KAFKA-14618",
		Needs:     needs | spec.ShowsSnapshots,
	},
}
