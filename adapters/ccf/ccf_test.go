package ccf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

const state = `"state":{"node_id":"1","current_view":2,"last_idx":4,"commit_idx":2,"leadership_state":"Follower","committable_indices":[4]}`

// TestLines says what each kind of line becomes.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		line string
		want adapters.Verdict
		name string
	}{
		{`{"tag":"raft_trace","cmd":"trust_nodes,2,1,2"}`, adapters.Ignored, ""},
		{`{"tag":"raft_trace","msg":{"function":"become_candidate",` + state + `}}`, adapters.Checked, "Timeout"},
		{`{"tag":"raft_trace","msg":{"function":"commit","args":{"idx":4},` + state + `}}`, adapters.Checked, "AdvanceCommitIndex"},
		{`{"tag":"raft_trace","msg":{"function":"recv_append_entries","from_node_id":"0","packet":{"term":2,"prev_idx":4,"prev_term":2,"idx":5,"term_of_idx":2,"leader_commit_idx":4},` + state + `}}`, adapters.Checked, "HandleAppendEntriesRequest"},
		{`{"tag":"raft_trace","msg":{"function":"something_new",` + state + `}}`, adapters.Unrecognised, ""},
		{`{"tag":"raft_trace","msg":{"function":"commit"`, adapters.Damaged, ""},
		{`plain text`, adapters.Unrecognised, ""},
	} {
		var a spec.Action
		o := Adapter.New(&spec.Groups{}).Decode(&ingest.Record{Data: []byte(c.line)}, &a)
		require.Equal(t, c.want, o.Verdict, c.line)
		if c.name != "" {
			require.Equal(t, c.name, a.Name())
		}
	}
}

// TestStateIsFromBefore: the state of a line is a claim about before the event,
// but for the events that change the role.
func TestStateIsFromBefore(t *testing.T) {
	for function, before := range map[string]bool{"replicate": true, "commit": true, "become_follower": false, "become_candidate": false} {
		var a spec.Action
		Adapter.New(&spec.Groups{}).Decode(&ingest.Record{Data: []byte(`{"msg":{"function":"` + function + `",` + state + `}}`)}, &a)
		claimed := a.After
		if before {
			claimed = a.Before
		}
		require.Equal(t, uint64(2), claimed.CurrentTerm, function)
		require.Equal(t, uint64(4), claimed.Committable, function)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"tag":"raft_trace","msg":{"function":"become_candidate",` + state + `}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var a spec.Action
		if o := Adapter.New(&spec.Groups{}).Decode(&ingest.Record{Data: line}, &a); o.Verdict > adapters.Damaged {
			t.Fatal(o)
		}
	})
}

// TestRepeatedKey: readers disagree on which of two values counts, so it is said.
func TestRepeatedKey(t *testing.T) {
	var a spec.Action
	line := `{"msg":{"function":"become_candidate",` + state + `,"function":"become_candidate"}}`
	o := Adapter.New(&spec.Groups{}).Decode(&ingest.Record{Data: []byte(line)}, &a)
	require.Equal(t, adapters.Outcome{Verdict: adapters.Checked, Warn: adapters.DuplicateKey}, o)
}
