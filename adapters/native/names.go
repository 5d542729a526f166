package native

import (
	"strings"

	"github.com/tracecheck/tracecheck/spec"
)

// version is the version of the format, the value of "tracecheck" in a header.
const version = 1

// step is what the name of an action stands for.
type step struct {
	kind    spec.Kind
	message spec.MessageType
}

// steps has every action by its name.
var steps = func() map[string]step {
	all := make(map[string]step)
	for k := range spec.NumKinds {
		if k != spec.Send && k != spec.Receive {
			all[k.String()] = step{k, spec.NoMessage}
		}
	}
	for t := spec.NoMessage + 1; t < spec.NumMessageTypes; t++ {
		all[spec.ActionName(spec.Send, t)] = step{spec.Send, t}
		all[spec.ActionName(spec.Receive, t)] = step{spec.Receive, t}
	}
	return all
}()

// factNames are the names in "shows": factNames[i] is the bit 1<<i of
// [spec.Facts]. They are the words of the reports, "sent messages", in
// kebab-case, so that what a report misses can be looked up and declared.
var factNames = func() []string {
	names := make([]string, len(spec.FactNames))
	for i, words := range spec.FactNames {
		names[i] = strings.ReplaceAll(words, " ", "-")
	}
	return names
}()

var flagNames = [...]struct {
	name string
	flag spec.ActionFlags
}{
	{"tentative", spec.Tentative},
	{"persisting", spec.Persisting},
	{"durable", spec.Durable},
	{"hands-out", spec.HandsOut},
	{"restarted", spec.Restarted},
	{"sparse-seq", spec.SparseSeq},
	{"clock-seq", spec.ClockSeq},
	{"lines-lost", spec.LinesLost},
}

// entryKindNames are the names of the kinds of entries. An unknown kind is not
// written.
var entryKindNames = [...]string{
	spec.Command: "command", spec.Configuration: "config", spec.NoOp: "noop", spec.Signature: "signature",
}

// messageKeys are the keys whose name depends on the type of the message: the
// paper has no common word for the log position in a request, or for the result
// in a response. Under another type's name the value is not read, since a
// prevLogIndex in a vote request is a mistake.
type messageKeys struct{ index, term, result string }

var (
	voteKeys     = messageKeys{"lastLogIndex", "lastLogTerm", "voteGranted"}
	appendKeys   = messageKeys{"prevLogIndex", "prevLogTerm", "success"}
	answerKeys   = messageKeys{"conflictIndex", "conflictTerm", "success"}
	snapshotKeys = messageKeys{"lastIncludedIndex", "lastIncludedTerm", "success"}
)

var keysOf = [spec.NumMessageTypes]*messageKeys{
	spec.NoMessage:               &appendKeys,
	spec.RequestVoteRequest:      &voteKeys,
	spec.RequestVoteResponse:     &voteKeys,
	spec.PreVoteRequest:          &voteKeys,
	spec.PreVoteResponse:         &voteKeys,
	spec.AppendEntriesRequest:    &appendKeys,
	spec.AppendEntriesResponse:   &answerKeys,
	spec.HeartbeatRequest:        &appendKeys,
	spec.HeartbeatResponse:       &answerKeys,
	spec.InstallSnapshotRequest:  &snapshotKeys,
	spec.InstallSnapshotResponse: &snapshotKeys,
	spec.TimeoutNow:              &appendKeys,
}
