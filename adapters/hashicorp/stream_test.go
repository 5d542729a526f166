package hashicorp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// check replays a log and returns the rules that it breaks with their lines.
func check(t *testing.T, file, log string) (found []string, groups *spec.Groups) {
	t.Helper()
	groups = &spec.Groups{}
	d := newDecoder(groups)
	lines := strings.Split(strings.TrimSpace(log), "\n")
	var head [][]byte
	for _, l := range lines[:min(64, len(lines))] {
		head = append(head, []byte(l))
	}
	d.Introduce(file, head)
	c := replay.New(groups, replay.Options{})
	for n, text := range lines {
		var a spec.Action
		if d.Decode(&ingest.Record{Data: []byte(text)}, &a).Verdict != adapters.Checked {
			continue
		}
		a.Ref = ingest.MakeRef(0, uint64(n+1))
		for _, f := range c.Step(&a) {
			found = append(found, f.Rule.ID+" "+lines[n])
		}
	}
	return found, groups
}

const (
	start    = `2031-05-06T07:00:00.000Z [INFO]  raft: initial configuration: index=1 servers="[{Suffrage:Voter ID:a Address:h:1} {Suffrage:Voter ID:b Address:h:2}]"` + "\n"
	blank    = `2031-05-06T07:00:03.000Z [INFO]  raft: initial configuration: index=0 servers=[]` + "\n"
	follows  = `2031-05-06T07:00:01.000Z [INFO]  raft: entering follower state: follower="Node at h:1 [Follower]" leader-address= leader-id=` + "\n"
	stands   = `2031-05-06T07:00:01.500Z [INFO]  raft: entering candidate state: node="Node at h:1 [Candidate]" term=5` + "\n"
	backs    = `2031-05-06T07:00:02.600Z [INFO]  raft: entering follower state: follower="Node at h:1 [Follower]" leader-address= leader-id=` + "\n"
	won      = stands + `2031-05-06T07:00:02.000Z [INFO]  raft: election won: term=5 tally=2` + "\n"
	fell     = `2031-05-06T07:00:09.000Z [INFO]  raft: entering candidate state: node="Node at h:1 [Candidate]" term=5` + "\n"
	kept     = `2031-05-06T07:00:09.000Z [INFO]  raft: entering candidate state: node="Node at h:1 [Candidate]" term=6` + "\n"
	other    = `2031-05-06T07:00:09.000Z [INFO]  raft: entering candidate state: node="Node at h:2 [Candidate]" term=5` + "\n"
	grown    = `2031-05-06T07:00:02.500Z [INFO]  raft: updating configuration: command=AddVoter server-id=c server-addr=h:3 servers="[{Suffrage:Voter ID:a Address:h:1} {Suffrage:Voter ID:b Address:h:2} {Suffrage:Voter ID:c Address:h:3}]"` + "\n"
	restart  = `2031-05-06T07:00:03.000Z [INFO]  raft: initial configuration: index=1 servers="[{Suffrage:Voter ID:a Address:h:1} {Suffrage:Voter ID:b Address:h:2}]"` + "\n"
	alone    = stands + `2031-05-06T07:00:02.000Z [INFO]  raft: election won: term=5 tally=1` + "\n"
	asked    = stands + `2031-05-06T07:00:02.000Z [DEBUG] raft: voting for self: term=5 id=a` + "\n"
	answered = `2031-05-06T07:00:02.000Z [DEBUG] raft: vote granted: from=b term=5 tally=2` + "\n"
)

// TestTerms says when a lower term is a breach, and when nothing can be said.
func TestTerms(t *testing.T) {
	breach := []string{"P02 " + strings.TrimSpace(fell), "I06 " + strings.TrimSpace(fell)}
	prefixed := func(prefix, log string) string {
		return prefix + strings.ReplaceAll(strings.TrimSpace(log), "\n", "\n"+prefix) + "\n"
	}
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"a term that is kept":                 {start + follows + won + restart + kept, nil},
		"a won term is lost":                  {start + follows + won + restart + fell, breach},
		"a won term is lost without restart":  {start + follows + won + backs + fell, breach},
		"an answered term is lost":            {start + follows + asked + answered + restart + fell, breach},
		"nobody has heard of the term":        {start + follows + asked + restart + fell, nil},
		"a cluster of one":                    {start + follows + alone + restart + fell, nil},
		"a data folder was removed":           {start + follows + won + blank + fell, nil},
		"and made anew":                       {start + follows + won + grown + restart + fell, nil},
		"another server after a restart":      {start + follows + won + restart + other, breach[:0]},
		"two servers in one file":             {start + follows + won + other + kept, nil},
		"two leaders in one file":             {start + follows + won + strings.ReplaceAll(kept, ` node="Node at h:1 [Candidate]"`, "") + backs + fell, nil},
		"two servers that show their ids":     {start + follows + asked + answered + strings.ReplaceAll(asked, "id=a", "id=b") + restart + fell, nil},
		"a leader that was never a candidate": {start + follows + strings.ReplaceAll(won, stands, "") + restart + fell, nil},
		"two servers under a collector":       {prefixed("x | ", start+follows+won) + prefixed("y | ", fell), nil},
		"one server under a collector":        {prefixed("x | ", start+follows+won+restart+kept), nil},
		"a piece that was sent twice":         {start + follows + won + restart + kept + start + follows, nil},
		"files joined in the wrong order":     {fell + restart + start + follows + won, nil},
		"the end of a file":                   {won + kept, nil},
		"process ids that a start changes":    {prefixed("host consul[17]: ", start+follows+won) + prefixed("host consul[18]: ", restart+kept), nil},
		"stamps of a collector before a line": {prefixed("2031-05-06T07:00:00Z host ", start+follows+won) + prefixed("2031-05-06T07:00:01Z host ", restart+kept), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := check(t, "x.log", c.log)
			require.Empty(t, cmpLines(c.want, got))
		})
	}
	got, _ := check(t, "x.log", prefixed("host consul[17]: ", start+follows+won)+prefixed("host consul[18]: ", restart+fell))
	require.Len(t, got, 2, "the process id does not tell servers apart")
}

// cmpLines returns what differs.
func cmpLines(want, got []string) (differs []string) {
	for i := 0; i < max(len(want), len(got)); i++ {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			return append(append([]string{"want"}, want...), append([]string{"got"}, got...)...)
		}
	}
	return nil
}

// TestNames: a server is called as it calls itself, or as its file, and its own
// id does not make another one of it.
func TestNames(t *testing.T) {
	_, groups := check(t, "/var/log/x.log", start+follows+asked+strings.ReplaceAll(answered, "from=b", "from=a")+answered)
	require.Equal(t, 2, groups.List[0].Servers())
	require.Equal(t, "h:1", groups.List[0].NameOf(1))
	require.Equal(t, "b", groups.List[0].NameOf(2))
	_, groups = check(t, "/var/log/x.log", `{"@message":"election won","@module":"raft","term":5,"tally":2}`)
	require.Equal(t, "x.log", groups.List[0].NameOf(1))
}

// TestManyServers: what a collector writes before each line may be new each time.
func TestManyServers(t *testing.T) {
	d := newDecoder(&spec.Groups{})
	counts := map[adapters.Outcome]int{}
	for i := range maxStreams + 10 {
		var a spec.Action
		counts[d.Decode(&ingest.Record{Data: []byte(strings.Repeat("x", i) + "y " + strings.TrimSpace(kept))}, &a)]++
	}
	require.Equal(t, map[adapters.Outcome]int{{}: maxStreams, ignored(whyMany): 10}, counts)
}

// TestSniff: what others write is not ours.
func TestSniff(t *testing.T) {
	sure := func(lines ...string) int {
		var head [][]byte
		for _, l := range lines {
			head = append(head, []byte(l))
		}
		return sniff(head)
	}
	require.Equal(t, 90, sure(start, follows))
	require.Equal(t, 90, sure("==> Starting agent", stamp+"[INFO]  agent: x", start, won))
	require.Equal(t, 70, sure(`{"@message":"election won","@module":"storage.raft","term":5,"tally":2}`))
	for _, line := range []string{
		`{"tag":"raft_trace","msg":{"function":"become_candidate"}}`,
		`{"tag":"trace","event":{"name":"BecomeFollower","nid":"1"}}`,
		`{"action":"Timeout","server":"n1"}`,
		"2016-06-16 11:15:08.012415 I | raft: 8211f1d0f64f3269 became candidate at term 14",
		`{"level":"info","logger":"raft","msg":"8211f1d0f64f3269 became leader at term 2"}`,
		stamp + "[INFO]  raft: something else",
	} {
		require.Zero(t, sure(line), line)
	}
}

// TestSpans: a finding points at the term as it is written.
func TestSpans(t *testing.T) {
	d := newDecoder(&spec.Groups{})
	for line, want := range map[string]string{
		strings.TrimSpace(fell): "5",
		`{"@level":"info","@message":"entering candidate state","@module":"raft","term":15}`:                                     "15",
		"2018/05/02 00:59:56 [INFO] raft: Node at 10.0.0.1:1 [Candidate] entering Candidate state in term 25":                    "25",
		`prefix 7 {"@level":"info","@message":"entering candidate state","@module":"raft","node":{"x":1},"term":35,"later":"x"}`: "35",
		"goroutine 17 [running]:": "",
	} {
		start, end := d.Span([]byte(line), spec.FieldTerm)
		require.Equal(t, want, line[start:end], line)
	}
}

// TestPublicLines: pieces of logs that people have published. Nothing wrong can be
// seen in any of them.
func TestPublicLines(t *testing.T) {
	const dir = "../../../shared/traces/public-lines/"
	data, err := os.ReadFile(dir + "index.json")
	if err != nil {
		t.Skip("the shared traces are not beside this checkout")
	}
	pieces := 0
	gjson.ParseBytes(data).ForEach(func(_, piece gjson.Result) bool {
		if strings.HasPrefix(piece.Get("project").Str, "hashicorp/raft") {
			require.Contains(t, []string{"nothing wrong", "cannot tell"}, piece.Get("lines_show").Str)
			require.Empty(t, checkFile(t, dir+piece.Get("file").Str))
			pieces++
		}
		return true
	})
	require.NotZero(t, pieces)
}

// TestSharedLogs: the logs of real servers conform, text and JSON alike, but for
// those of a storage that forgets terms and votes.
func TestSharedLogs(t *testing.T) {
	const shared = "../../../shared/traces"
	var logs []string
	for _, pattern := range []string{"hashicorp/*/*.text.log", "hashicorp-*/*/logs/*.text.log"} {
		found, err := filepath.Glob(filepath.Join(shared, pattern))
		require.NoError(t, err)
		logs = append(logs, found...)
	}
	if len(logs) == 0 {
		t.Skip("the shared traces are not beside this checkout")
	}
	for _, path := range logs {
		t.Run(strings.TrimPrefix(path, shared+"/"), func(t *testing.T) {
			text := checkFile(t, path)
			require.Equal(t, text, checkFile(t, strings.Replace(path, ".text.", ".json.", 1)))
			if strings.Contains(path, "vote-amnesia") {
				require.Equal(t, "P02", strings.Fields(text[0])[0])
			} else {
				require.Empty(t, text)
			}
		})
	}
}
