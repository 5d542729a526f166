// Package samples holds traces that real implementations wrote, with what
// tracecheck says about each in want.txt beside it: samples/<adapter>/<case>/.
// A test of cmd/tracecheck checks them all; two are built into the program.
package samples

import _ "embed"

// The traces that `tracecheck demo` checks. etcd-io/raft wrote both: one as it
// is, one with a bug put into it, so that a voter forgets whom it has voted for.
var (
	//go:embed etcd-raft/replication/trace.ndjson
	Replication []byte
	//go:embed etcd-raft/mutant-double-vote/trace.ndjson
	DoubleVote []byte
)
