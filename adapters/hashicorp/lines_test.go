package hashicorp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/adapters/native"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// decodeAll reads a log and writes each line as the native format has it, without
// what is the same on all of them.
func decodeAll(t *testing.T, log string) []string {
	t.Helper()
	groups := &spec.Groups{}
	d := Adapter.New(groups)
	var got []string
	for _, text := range strings.Split(strings.TrimSpace(log), "\n") {
		var a spec.Action
		o := d.Decode(&ingest.Record{Data: []byte(text)}, &a)
		if o.Verdict != adapters.Checked {
			got = append(got, [...]string{"", "ignored", "unrecognised", "damaged"}[o.Verdict]+": "+o.Why)
			continue
		}
		require.NotEqual(t, spec.Nil, a.Server, text)
		var b strings.Builder
		require.NoError(t, native.NewEncoder(&b, groups).Encode(&a))
		_, line, _ := strings.Cut(b.String(), `"action":`)
		got = append(got, strings.TrimSuffix(strings.TrimSpace(line), "}"))
	}
	return got
}

const stamp = "2031-05-06T07:08:09.123Z "

// TestRows says what each message becomes, in the wording of version 1.8.
func TestRows(t *testing.T) {
	for _, c := range []struct{ message, want string }{
		{`initial configuration: index=7 servers="[{Suffrage:Voter ID:a Address:h:1}]"`, `"Restart","server":"self"`},
		{`entering follower state: follower="Node at h:1 [Follower]" leader-address= leader-id=`, `"BecomeFollower","server":"self"`},
		{`entering candidate state: node="Node at h:1 [Candidate]" term=5`, `"Observe","server":"self","before":{"currentTerm":4}`},
		{`entering leader state: leader="Node at h:1 [Leader]"`, `"Observe","server":"self","after":{"role":"Leader"}`},
		{`pre-voting for self: term=5 id=a`, `"Observe","server":"self","before":{"currentTerm":4}`},
		{`asking for pre-vote: term=5 from=b address=h:2`, `"RequestPreVote","server":"self","message":{"from":"self","to":"b","term":5}`},
		{`pre-vote received: from=b term=9 tally=1`, "ignored: " + whyNothing},
		{`pre-vote denied: from=b term=9 tally=1`, "ignored: " + whyNothing},
		{`pre-vote granted: from=b term=5 tally=2`, `"HandlePreVoteResponse","server":"self","message":{"from":"b","to":"self","term":5,"voteGranted":true}`},
		{`pre-vote denied: found newer term, falling back to follower: term=9`, `"BecomeFollower","server":"self","after":{"currentTerm":9}`},
		{`pre-vote successful, starting election: term=5 tally=2 refused=0 votesNeeded=2`, "ignored: " + whyNothing},
		{`pre-vote campaign failed, waiting for election timeout: term=5 tally=1 refused=2 votesNeeded=2`, "ignored: " + whyNothing},
		{`voting for self: term=5 id=a`, `"Timeout","server":"self","after":{"currentTerm":5}`},
		{`asking for vote: term=5 from=b address=h:2`, `"RequestVote","server":"self","message":{"from":"self","to":"b","term":5}`},
		{`calculated votes needed: needed=2 term=5`, "ignored: " + whyNothing},
		{`vote granted: from=b term=5 tally=2`, `"HandleRequestVoteResponse","server":"self","after":{"currentTerm":5,"votedFor":"self"},` +
			`"message":{"from":"b","to":"self","term":5,"voteGranted":true},"flags":["durable"]`},
		{`newer term discovered, fallback to follower: term=9`, `"BecomeFollower","server":"self","after":{"currentTerm":9}`},
		{`election won: term=5 tally=2`, `"BecomeLeader","server":"self","after":{"currentTerm":5,"votedFor":"self"},"flags":["durable"]`},
		{`election won: term=5 tally=1`, `"BecomeLeader","server":"self","after":{"currentTerm":5,"votedFor":"self"}`},
		{`failed to make requestVote RPC: target="{Voter b h:2}" error="no route: \"x\" = y" term=5`, "ignored: " + whyNetwork},
		{`lost leadership because received a requestVote with a newer term`, "ignored: " + whyNothing},
		{`rejecting vote request since we have a leader: from=b leader=h:3 leader-id=c`, "ignored: " + whyNothing},
		{`duplicate requestVote for same term: term=5`, `"Observe","server":"self","before":{"currentTerm":5}`},
		{`rejecting vote request since our last term is greater: candidate=b last-term=4 last-candidate-term=3`, `"Observe","server":"self","before":{"lastLogTerm":4}`},
		{`rejecting pre-vote request since our last index is greater: candidate=b last-index=40 last-candidate-index=30`, `"Observe","server":"self","before":{"lastLogIndex":40}`},
		{`failed to contact: server-id=b time=61.04ms`, "ignored: " + whyNetwork},
		{`failed to heartbeat to: peer=h:2 backoff time=10ms error="x"`, "ignored: " + whyNetwork},
		{`starting leadership transfer: id=0xc0001 address=0xc0002`, `"TransferLeadership","server":"self"`},
		{`starting leadership transfer: id=<nil> address=<nil>`, `"TransferLeadership","server":"self"`},
		{`starting leadership transfer: id=b address=h:2`, `"TransferLeadership","server":"self","peer":"b"`},
		{`failed to get previous log: previous-index=50 last-index=40 error="log not found"`, `"Observe","server":"self","before":{"lastLogIndex":40}`},
		{`previous log term mis-match: ours=3 remote=4`, "ignored: " + whyNothing},
		{`clearing log suffix: from=8 to=10`, `"Observe","server":"self","before":{"lastLogIndex":10},"after":{"lastLogIndex":7}`},
		{`clearing log suffix: from=0 to=10`, "unrecognised: " + whyValue},
		{`appendEntries rejected, sending older logs: peer="{Nonvoter b h:2}" next=8`, `"HandleAppendEntriesResponse","server":"self","message":{"from":"b","to":"self","success":false}`},
		{`updating configuration: command=AddVoter server-id=b server-addr=h:2 servers="[{Suffrage:Voter ID:a Address:h:1}]"`, "ignored: " + whyNothing},
		{`failed to append to logs: error="disk full"`, "ignored: " + whyStorage},
		{`removed ourself, shutting down`, `"Stop","server":"self"`},
		{`starting snapshot up to: index=64`, `"TakeSnapshot","server":"self","index":64,"flags":["tentative"]`},
		{`snapshot complete up to: index=64`, "ignored: " + whyFiles},
		{`compacting logs: from=1 to=54`, `"CompactLog","server":"self","index":54`},
		{`installing snapshot on: peer=b id=4-94-1796102314790 size=36`, `"SendSnapshot","server":"self","message":{"from":"self","to":"b","lastIncludedIndex":94,"lastIncludedTerm":4}`},
		{`restored from snapshot: id=4-94-17 last-index=94 last-term=4 size-in-bytes=36`, `"Observe","server":"self","after":{"snapshot":{"index":94,"term":4}}`},
		{`Installed remote snapshot`, `"InstallSnapshot","server":"self"`},
		{`ignoring installSnapshot request with older term than current term: request-term=3 current-term=5`, `"Observe","server":"self","before":{"currentTerm":5}`},
		{`entering candidate state: node="Node at h:1 [Candidate]" term=-5`, "unrecognised: " + whyValue},
		{`asking for vote: term=5`, "unrecognised: " + whyValue},
		{`something that a later version says: term=5`, "unrecognised: " + whyMessage},
	} {
		require.Equal(t, []string{c.want}, decodeAll(t, stamp+"[INFO]  x.raft: "+c.message), c.message)
	}
}

// TestWordings reads the same election as each generation of versions words it.
func TestWordings(t *testing.T) {
	const candidate, won = `"Observe","server":"self","before":{"currentTerm":4}`,
		`"BecomeLeader","server":"self","after":{"currentTerm":5,"votedFor":"self"}`
	follower := `"BecomeFollower","server":"self"`
	granted := `"HandleRequestVoteResponse","server":"self","after":{"currentTerm":5,"votedFor":"self"},` +
		`"message":{"from":"b","to":"self","term":5,"voteGranted":true},"flags":["durable"]`
	truncated := `"Observe","server":"self","before":{"lastLogIndex":10},"after":{"lastLogIndex":7}`
	needed := "ignored: " + whyNothing
	durable := won + `,"flags":["durable"]`
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"2016": {`
2016/05/02 00:59:56 [INFO] raft: Node at 10.0.0.1:1 [Follower] entering Follower state
2016/05/02 00:59:56 [INFO] raft: Node at 10.0.0.1:1 [Candidate] entering Candidate state
2016/05/02 00:59:56 [DEBUG] raft: Votes needed: 2
2016/05/02 00:59:56 [DEBUG] raft: Vote granted. Tally: 1
2016/05/02 00:59:56 [INFO] raft: Election won. Tally: 2
2016/05/02 00:59:57 [WARN] raft: Clearing log suffix from 8 to 10`,
			[]string{follower, `"Observe","server":"self"`, needed, `"Observe","server":"self"`, `"BecomeLeader","server":"self"`, truncated}},
		"1.0": {`
    2018/05/02 00:59:56 [INFO] raft: Node at 10.0.0.1:1 [Follower] entering Follower state (Leader: "")
    2018/05/02 00:59:56 [INFO] raft: Node at 10.0.0.1:1 [Candidate] entering Candidate state in term 5
    2018/05/02 00:59:56 [DEBUG] raft: Votes needed: 2
    2018/05/02 00:59:56 [DEBUG] raft: Vote granted from b in term 5. Tally: 2
    2018/05/02 00:59:56 [INFO] raft: Election won. Tally: 2
    2018/05/02 00:59:57 [WARN] raft: Clearing log suffix from 8 to 10`,
			[]string{follower, candidate, needed, granted, durable, truncated}},
		"1.1.0": {`
2019-05-02T00:59:56.000Z [INFO]  raft: Node at 10.0.0.1:1 [Follower] entering Follower state (Leader: "")
2019-05-02T00:59:56.000Z [INFO]  raft: Node at 10.0.0.1:1 [Candidate] entering Candidate state in term 5
2019-05-02T00:59:56.000Z [DEBUG] raft: Votes needed: 2
2019-05-02T00:59:56.000Z [DEBUG] raft: Vote granted from b in term 5. Tally: 2
2019-05-02T00:59:56.000Z [INFO]  raft: Election won. Tally: 2
2019-05-02T00:59:57.000Z [WARN]  raft: Clearing log suffix from 8 to 10`,
			[]string{follower, candidate, needed, granted, durable, truncated}},
		"1.1.2": {`
2020-05-02T00:59:56.000Z [INFO]  agent.server.raft: entering follower state: follower="Node at 10.0.0.1:1 [Follower]" leader=
2020-05-02T00:59:56.000Z [INFO]  agent.server.raft: entering candidate state: node="Node at 10.0.0.1:1 [Candidate]" term=5
2020-05-02T00:59:56.000Z [DEBUG] agent.server.raft: votes: needed=2
2020-05-02T00:59:56.000Z [DEBUG] agent.server.raft: vote granted: from=b term=5 tally=2
2020-05-02T00:59:56.000Z [INFO]  agent.server.raft: election won: tally=2
2020-05-02T00:59:57.000Z [WARN]  agent.server.raft: clearing log suffix: from=8 to=10`,
			[]string{follower, candidate, needed, granted, durable, truncated}},
		"1.3.10 with location": {`
2022-05-02T00:59:56.000Z [INFO]  raft/raft.go:152: nomad.raft: entering follower state: follower="Node at 10.0.0.1:1 [Follower]" leader-address= leader-id=
2022-05-02T00:59:56.000Z [INFO]  raft/raft.go:250: nomad.raft: entering candidate state: node="Node at 10.0.0.1:1 [Candidate]" term=5
2022-05-02T00:59:56.000Z [DEBUG] raft/raft.go:268: nomad.raft: calculated votes needed: needed=2 term=5
2022-05-02T00:59:56.000Z [DEBUG] raft/raft.go:287: nomad.raft: vote granted: from=b term=5 tally=2
2022-05-02T00:59:56.000Z [INFO]  raft/raft.go:292: nomad.raft: election won: term=5 tally=2
2022-05-02T00:59:57.000Z [WARN]  raft/raft.go:1400: nomad.raft: clearing log suffix: from=8 to=10`,
			[]string{follower, candidate, needed, granted, durable, truncated}},
		"JSON": {`
{"@level":"info","@message":"entering follower state","@module":"storage.raft","@timestamp":"2031-01-01T00:00:00.000001Z","follower":{},"leader-address":"","leader-id":""}
{"@level":"info","@message":"entering candidate state","@module":"storage.raft","@timestamp":"2031-01-01T00:00:00.000002Z","node":{"RestoreCommittedLogs":false},"term":5}
{"@level":"debug","@message":"calculated votes needed","@module":"storage.raft","@timestamp":"2031-01-01T00:00:00.000003Z","needed":2,"term":5}
{"@level":"debug","@message":"vote granted","@module":"storage.raft","@timestamp":"2031-01-01T00:00:00.000004Z","from":"b","term":5,"tally":2}
{"@level":"info","@message":"election won","@module":"storage.raft","@timestamp":"2031-01-01T00:00:00.000005Z","term":5,"tally":2}
{"@level":"warn","@message":"clearing log suffix","@module":"storage.raft","@timestamp":"2031-01-01T00:00:00.000006Z","from":8,"to":10,"@caller":"raft/raft.go:1400"}`,
			[]string{follower, candidate, needed, granted, durable, truncated}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, decodeAll(t, c.log)) })
	}
}

// TestJSONPeers: a server that text writes as {Voter id address} is an object.
func TestJSONPeers(t *testing.T) {
	got := decodeAll(t, `
{"@message":"appendEntries rejected, sending older logs","@module":"raft","next":8,"peer":{"Suffrage":0,"ID":"b","Address":"h:2"}}
{"@message":"installing snapshot on","@module":"raft","id":"4-94-17","peer":"b","size":36}
{"@message":"starting leadership transfer","@module":"raft","address":null,"id":null}`)
	require.Equal(t, []string{
		`"HandleAppendEntriesResponse","server":"self","message":{"from":"b","to":"self","success":false}`,
		`"SendSnapshot","server":"self","message":{"from":"self","to":"b","lastIncludedIndex":94,"lastIncludedTerm":4}`,
		`"TransferLeadership","server":"self"`,
	}, got)
}

// TestOtherLines: nothing that may stand in a log is damage.
func TestOtherLines(t *testing.T) {
	for line, want := range map[string]string{
		stamp + `[INFO]  agent.server.serf.lan: serf: EventMemberJoin: n2 10.0.0.2`:          "ignored: " + whyModule,
		stamp + `[INFO]  core: vault is unsealed`:                                            "ignored: " + whyModule,
		stamp + `[INFO]  storage.raft.autopilot: starting`:                                   "ignored: " + whyModule,
		stamp + `[ERROR] raft`:                                                               "ignored: " + whyModule,
		`{"@level":"info","@message":"x","@module":"core"}`:                                  "ignored: " + whyModule,
		`{"@level":"info","@message":"entering candidate state","@mod`:                       "unrecognised: " + whyText,
		`{"level":"info","msg":"another logger"}`:                                            "unrecognised: " + whyText,
		`goroutine 17 [running]:`:                                                            "unrecognised: " + whyText,
		`	/go/src/raft/raft.go:17 +0x1d`:                                                     "unrecognised: " + whyText,
		`panic: close of closed channel`:                                                     "unrecognised: " + whyText,
		"\x00\xff\xfe raft":                                                                  "unrecognised: " + whyText,
		`state: node="Node at h:1 [Candidate]" term=`:                                        "unrecognised: " + whyText,
		stamp + `[INFO]  raft: entering candid`:                                              "unrecognised: " + whyMessage,
		stamp + `[INFO]  raft: entering candidate state: node="Node at h:1 [Candidate]" ter`: `"Observe","server":"self"`,
		stamp + `[DEBUG] raft-net: accepted connection: remote-address=10.0.0.9:33`:          "ignored: " + whyNetwork,
	} {
		require.Equal(t, []string{want}, decodeAll(t, line), line)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(stamp + `[INFO]  raft/raft.go:1: nomad.raft: entering candidate state: node="Node at h:1 [Candidate]" term=5`))
	f.Add([]byte(`host {"@level":"info","@message":"vote granted","@module":"raft","from":"b","term":5,"tally":2}`))
	f.Add([]byte(`Apr 24 23:22:24 h consul[1]: raft: Rejecting vote request from a since our last index is greater (4, 3)`))
	f.Add([]byte("2016/05/02 00:59:56 [INFO] raft: Initial configuration (index=1): [{Suffrage:Voter ID:a Address:b}]\nx"))
	f.Fuzz(func(t *testing.T, log []byte) {
		groups := &spec.Groups{}
		d := newDecoder(groups)
		d.Introduce("dir/file.log", [][]byte{log})
		for _, text := range strings.Split(string(log), "\n") {
			var a spec.Action
			data := []byte(text)
			o := d.Decode(&ingest.Record{Data: data}, &a)
			if o.Verdict > adapters.Unrecognised || o.Verdict == adapters.Checked && a.Server == spec.Nil {
				t.Fatal(o, a.Server)
			}
			for field := spec.Field(0); field < spec.NumFields; field++ {
				if start, end := d.Span(data, field); start < 0 || end < start || end > len(data) {
					t.Fatal(start, end)
				}
			}
		}
	})
}
