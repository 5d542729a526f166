// Package topic reads the records of one partition of a Kafka topic, in the order of
// their offsets, each as one line of a trace.
//
// It asks with raw fetch requests and not with kafka.Reader, which passes the markers
// that end transactions on as messages, shows what aborted transactions wrote, does not
// compare checksums, never ends at the end of a partition and asks forever for an
// offset that is gone.
package topic
