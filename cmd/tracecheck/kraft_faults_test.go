package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kraftFaults are faults planted into recordings of real Kafka: the first line
// of the sample that at matches is changed, and the rule is broken at that line.
var kraftFaults = []struct {
	name, sample string
	at           string // a regular expression
	old, change  string // a regular expression that matches in the line, and what is put in its place
	all          bool   // change every place in the line, not only the first
	rule         string
}{
	{"a follower has another leader in the epoch", "4.4-leader-killed", `id=1\] Completed .*FollowerState\(.*epoch=2, leader=2`, `leader=2`, `leader=3`, false, "I01"},
	{"a controller has another leader in the epoch", "4.4-leader-killed", `id=1\] In the new epoch 2, the leader is 2`, `is 2`, `is 3`, false, "I01"},
	{"another controller is active in the epoch", "4.4-leader-killed", `id=2\] Becoming the active controller at epoch 2`, `id=2`, `id=1`, false, "I01"},
	{"who led an epoch follows another in it (KAFKA-10527)", "4.4-leader-killed", `id=3\] Completed .*FollowerState\(.*epoch=2.*from ResignedState`, `epoch=2`, `epoch=1`, false, "I01"},
	{"a second vote in an epoch", "4.4-leader-killed", `id=1\] Vote .*replicaEpoch=2, replicaId=2.*preVote=false.*granted`, `replicaId=2`, `replicaId=3`, false, "I08"},
	{"a candidate votes for another", "4.4-leader-killed", `id=1\] Vote .*replicaEpoch=3, replicaId=3.*preVote=false.*rejected`, `rejected`, `granted`, false, "I08"},
	{"a vote given as a candidate", "4.4-leader-killed", `id=1\] Vote .*replicaEpoch=3, replicaId=3.*preVote=false.*rejected`, `rejected`, `granted`, false, "K04"},
	{"the epoch falls", "4.4-leader-killed", `id=1\] Completed .*UnattachedState\(epoch=2`, `epoch=2`, `epoch=0`, false, "I06"},
	{"the epoch falls across a restart", "4.4-leader-killed", `id=2\] Completed .*ResignedState\(.*epoch=2.*from null`, `epoch=2`, `epoch=1`, false, "I06"},
	{"a start as leader (KAFKA-10527)", "4.4-leader-killed", `id=3\] Completed .*ResignedState\(.*from null`, `ResignedState\(`, `Leader(`, false, "K02"},
	{"a start that has forgotten the leadership", "4.4-leader-killed", `id=3\] Completed .*ResignedState\(.*from null`, `ResignedState\(.* from`, `UnattachedState(epoch=1, leaderId=OptionalInt.empty, votedKey=Optional.empty) from`, false, "K02"},
	{"a start as candidate after having led", "4.4-leader-killed", `id=2\] Completed .*ResignedState\(.*from null`, `ResignedState\(`, `CandidateState(`, false, "K02"},
	{"a candidate from follower in 4.x", "4.4-leader-killed", `id=2\] Completed .*CandidateState\(`, `from ProspectiveState`, `from FollowerState`, false, "K01"},
	{"a candidate that skips epochs", "4.4-leader-killed", `id=2\] Completed .*CandidateState\(`, `epoch=2`, `epoch=5`, false, "K01"},
	{"a leader that was no candidate", "4.4-leader-killed", `id=2\] Completed .*Leader\(`, `from CandidateState`, `from ProspectiveState`, false, "K01"},
	{"a leader resigns into another epoch", "4.4-leader-killed", `id=3\] Completed .*ResignedState\(localId=3, epoch=4`, `epoch=4`, `epoch=5`, false, "K01"},
	{"a follower of itself", "4.4-leader-killed", `id=1\] Completed .*FollowerState\(.*epoch=2, leader=2`, `leader=2`, `leader=1`, false, "K01"},
	{"Prospective in 3.9", "3.9-majority-lost", `Completed .*CandidateState\(.*from Unattached\(`, `CandidateState\(.* from`, `ProspectiveState(epoch=1) from`, false, "K01"},
	{"a leader with one vote of three", "4.4-leader-killed", `id=2\] Completed .*Leader\(.*from CandidateState`, `(id=[13], directoryId=[^)]*\), state=)GRANTED`, `${1}REJECTED`, true, "K08"},
	{"a candidate that is no voter (KAFKA-17067)", "4.4-leader-killed", `id=2\] Completed .*CandidateState\(`, `2=VoterState\(replicaKey=ReplicaKey\(id=2`, `4=VoterState(replicaKey=ReplicaKey(id=4`, false, "K07"},
	{"the vote's directory changes", "4.4-leader-killed", `id=1\] Completed .*FollowerState\(.*epoch=2, leader=2`, `votedKey=Optional\[ReplicaKey\(id=2, directoryId=[^)]*\)`, `votedKey=Optional[ReplicaKey(id=2, directoryId=dPisytW0LfCltLML5P_V3A)`, false, "K03"},
	{"the vote disappears in 4.x", "4.4-leader-killed", `id=1\] Completed .*FollowerState\(.*epoch=2, leader=2`, `votedKey=Optional\[ReplicaKey\([^)]*\)\]`, `votedKey=Optional.empty`, false, "K03"},
	{"a vote for a log that ends before the high watermark", "4.4-leader-killed", `id=1\] Vote .*replicaEpoch=2, replicaId=2.*preVote=false.*granted`, `lastOffset=\d+`, `lastOffset=30`, false, "K05"},
	{"a vote for a log that holds the epoch already", "4.4-leader-killed", `id=1\] Vote .*replicaEpoch=2, replicaId=2.*preVote=false.*granted`, `lastOffsetEpoch=1`, `lastOffsetEpoch=2`, false, "K06"},
	{"the high watermark falls", "4.4-leader-killed", `id=1\] Completed .*UnattachedState\(epoch=2.*from Prospective`, `offset=33`, `offset=32`, false, "K09"},
	{"a follower's high watermark falls", "4.4-truncation-trace", `id=1\] Follower high watermark updated to 2\d`, `updated to \d+`, `updated to 1`, false, "K09"},
	{"a high watermark at the start of the epoch (KAFKA-12619)", "4.4-leader-killed", `id=2\] High watermark set to .*for epoch 2 based`, `offset=34`, `offset=33`, true, "K10"},
	{"a high watermark that one voter has reached", "4.4-leader-killed", `id=2\] High watermark set to .*for epoch 2 based`, `offset=34`, `offset=99`, false, "K11"},
	{"the wrong voter's end offset", "4.4-leader-killed", `id=3\] High watermark set to .*for epoch 1 based`, `indexOfHw 1`, `indexOfHw 0`, false, "K11"},
	{"a voter too many is counted (KAFKA-16530)", "3.9-static", `High watermark set to .*based on`, `replicaKey=ReplicaKey\(id=\d`, `replicaKey=ReplicaKey(id=4`, false, "K12"},
	{"truncation below the high watermark (KAFKA-12460)", "4.4-truncation-trace", `id=3\] Truncated to offset 36`, `id=3`, `id=2`, false, "K13"},
	{"a snapshot of another epoch", "4.4-snapshots", `id=2\] Creating new KRaft snapshot`, `-0000000001 `, `-0000000000 `, false, "K14"},
	{"LeaderChange at offset 0 (KAFKA-12331)", "4.4-truncation-trace", `id=1\] Leader appended records at base offset`, `base offset \d+`, `base offset 0`, false, "K15"},
	{"a leader appends records of another epoch", "4.4-truncation-trace", `id=1\] Leader appended records at base offset`, `epoch=\d+`, `epoch=1`, false, "K16"},
	{"records of a later epoch (KAFKA-18723)", "4.4-truncation-trace", `id=2\] Follower end offset updated`, `epoch=\d+`, `epoch=9`, false, "K16"},
	{"a controller active before its LeaderChange", "4.4-leader-killed", `id=2\] Becoming the active controller at epoch 2`, `offset 34`, `offset 33`, false, "K17"},
	{"a leader without what is committed", "4.4-leader-killed", `id=3\] Completed .*Leader\(.*epoch=4`, `epochStartOffset=\d+`, `epochStartOffset=20`, false, "I04"},
}

// TestKraftFaults: each fault is caught under its own rule, at its line.
func TestKraftFaults(t *testing.T) {
	for _, f := range kraftFaults {
		t.Run(f.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("../../samples/kraft", f.sample, "trace.log"))
			require.NoError(t, err)
			lines := strings.Split(string(text), "\n")
			line := 0
			for i, l := range lines {
				if !regexp.MustCompile(f.at).MatchString(l) {
					continue
				}
				old, done := regexp.MustCompile(f.old), false
				lines[i] = old.ReplaceAllStringFunc(l, func(s string) string {
					if done && !f.all {
						return s
					}
					done = true
					return old.ReplaceAllString(s, f.change)
				})
				require.NotEqual(t, l, lines[i], "the change is none")
				line = i + 1
				break
			}
			require.NotZero(t, line, "no line is one for this fault")
			path := filepath.Join(t.TempDir(), "trace.log")
			require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644))
			out, summary, code := tracecheck(t, "check", path)
			require.Equal(t, 1, code, "%s%s", out, summary)
			pattern := fmt.Sprintf(`violation %s [^\n]*\n   --> [^\n]*trace.log:%d\n`, f.rule, line)
			require.Regexp(t, pattern, out)
		})
	}
}
