// Package metadatalog reads the metadata log of Apache Kafka from disks: the folder
// __cluster_metadata-0 of one node or of several, or a single segment of it.
//
// What is read becomes lines of text, one for each batch, in the words of Kafka's own
// tool kafka-dump-log, so that one adapter reads both, and what a report quotes can be
// looked up with that tool. The checksum of each batch is verified on the way. Of the
// records only the one that begins an epoch is opened.
//
// The folders of several nodes are read side by side, by offset: what is to be compared
// stands next to each other, and memory does not grow with the length of the log.
package metadatalog
