// Package metadata is the state that Kafka's metadata log comes to: the topics and
// partitions of a cluster, its brokers, and the producer ids that were handed out.
//
// The log is a list of records (KIP-500, KIP-746). Every controller and broker applies
// them in their order, each to an image of its own, so all of them come to the same
// state. A record that does not fit the image, such as a change of a partition that
// does not exist, stops every server of the cluster that applies it. Other records
// are applied although they say what no controller should write: a leader that is not
// in sync, an epoch that falls.
//
// An image that does not begin with the first record, or with a whole snapshot, does
// not know what was before: what it does not know is never a breach.
package metadata
