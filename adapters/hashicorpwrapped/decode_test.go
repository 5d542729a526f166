package hashicorpwrapped

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/spec"
)

// TestLines: what each kind of line says.
func TestLines(t *testing.T) {
	d := newDecoder(new(spec.Groups))
	n1, n2 := spec.ID(1), spec.ID(2)
	for _, c := range []struct {
		line string
		want spec.Action
	}{
		{`{"seq":1,"node":"n1","inc":1,"ev":"start","term":2,"t":2,"cand":"n2","lastI":5,"lastT":2,"prevI":3,"prevT":1,"min":4,"max":5}`,
			spec.Action{Kind: spec.Restart, Server: n1, Flags: spec.Durable, After: spec.State{
				Has:         spec.HasTerm | spec.HasVote | spec.HasLastIndex | spec.HasLastTerm | spec.HasSnapshot,
				CurrentTerm: 2, VotedFor: n2, LastIndex: 5, LastTerm: 2, SnapshotIndex: 3, SnapshotTerm: 1}}},
		{`{"seq":2,"node":"n1","ev":"term","term":2}`,
			spec.Action{Server: n1, Flags: spec.Durable, After: spec.State{Has: spec.HasTerm, CurrentTerm: 2}}},
		{`{"seq":3,"node":"n1","ev":"role","role":"Candidate"}`, spec.Action{Kind: spec.BecomePreCandidate, Server: n1}},
		{`{"seq":4,"node":"n1","ev":"term","term":3}`,
			spec.Action{Kind: spec.Timeout, Server: n1, Flags: spec.Durable, After: spec.State{Has: spec.HasTerm, CurrentTerm: 3}}},
		{`{"seq":6,"node":"n1","ev":"vote","term":3,"cand":"n1"}`,
			spec.Action{Server: n1, Flags: spec.Durable, After: spec.State{Has: spec.HasTerm | spec.HasVote, CurrentTerm: 3, VotedFor: n1}}},
		{`{"seq":7,"node":"n1","ev":"send","rpc":"append","id":9,"peer":"n2","term":3,"prevI":5,"prevT":2,"ents":[{"i":6,"t":3,"k":"cmd","h":"ff"}],"lc":4}`,
			spec.Action{Kind: spec.Send, Server: n1, Entries: []spec.Entry{{Kind: spec.Command, Index: 6, Term: 3, Hash: 255, HasHash: true}},
				Message: spec.Message{Type: spec.AppendEntriesRequest, From: n1, To: n2, Term: 3, ID: 9, LogIndex: 5, LogTerm: 2, Entries: 1, Commit: 4,
					Has: spec.MsgTerm | spec.MsgID | spec.MsgLogIndex | spec.MsgLogTerm | spec.MsgEntries | spec.MsgCommit}}},
		{`{"seq":8,"node":"n1","ev":"ack","rpc":"append","id":9,"peer":"n2","term":3,"lastI":5,"ok":true}`,
			spec.Action{Kind: spec.Receive, Server: n1, Message: spec.Message{Type: spec.AppendEntriesResponse, From: n2, To: n1, Term: 3, ID: 9,
				Success: true, Match: 6, Has: spec.MsgTerm | spec.MsgID | spec.MsgSuccess | spec.MsgMatch}}},
		{`{"seq":9,"node":"n1","ev":"send","rpc":"append","id":10,"peer":"n2","term":3,"lc":0}`,
			spec.Action{Kind: spec.Send, Server: n1, Message: spec.Message{Type: spec.HeartbeatRequest, From: n1, To: n2, Term: 3, ID: 10,
				Has: spec.MsgTerm | spec.MsgID}}},
		{`{"seq":10,"node":"n1","ev":"truncate","min":5,"max":6}`,
			spec.Action{Server: n1, Flags: spec.Durable, After: spec.State{Has: spec.HasLastIndex, LastIndex: 4}}},
		{`{"seq":11,"node":"n1","ev":"commit","i":4}`, spec.Action{Kind: spec.AdvanceCommitIndex, Server: n1, Index: 4}},
	} {
		var a spec.Action
		require.Equal(t, adapters.Outcome{}, d.Decode(&ingest.Record{Data: []byte(c.line)}, &a), c.line)
		c.want.Seq, c.want.Flags = a.Seq, c.want.Flags|spec.SparseSeq // TestNumbers has these
		require.Equal(t, c.want, a, c.line)
	}
	for line, want := range map[string]adapters.Verdict{
		`{"seq":1,"node":"","ev":"note","note":"partition"}`:                                     adapters.Ignored,
		`{"seq":1,"node":"n1","ev":"vote_term","term":2}`:                                        adapters.Ignored,
		`{"seq":1,"node":"n1","ev":"ack","rpc":"vote","id":3,"peer":"n2","err":"no connection"}`: adapters.Ignored,
		`{"seq":1,"node":"n1","ev":"dance"}`:                                                     adapters.Unrecognised,
		`{"seq":1,"node":"n1","ev":"send","rpc":"dance","peer":"n2"}`:                            adapters.Unrecognised,
		`hello`:                                          adapters.Unrecognised,
		`{"seq":1,"node":"n1","ev":"te`:                  adapters.Damaged,
		`{"seq":1,"ev":"term","term":1}`:                 adapters.Damaged,
		`{"seq":1,"node":"n1","ev":"send","rpc":"x`:      adapters.Damaged,
		`{"seq":1,"node":"n1","ev":"send","rpc":"vote"}`: adapters.Damaged,
	} {
		var a spec.Action
		require.Equal(t, want, newDecoder(new(spec.Groups)).Decode(&ingest.Record{Data: []byte(line)}, &a).Verdict, line)
	}
}

// TestNumbers: what the number of a line says of the order of the lines. Each
// line is its number and its server, with ! for one that starts.
func TestNumbers(t *testing.T) {
	for name, c := range map[string]struct{ lines, want string }{
		"one server of several":      {"1a 5a 9a", "1 5 9"},
		"again and late":             {"1a 5a 1a 9a 7a", "1 5 1 9 7"},
		"a process that counts anew": {"1a! 2a 3a 1a! 2a", "1 2 3 4 5"},
		"a start that comes again":   {"4a! 5a 4a=", "4 5 4"},
		"two files, one by one":      {"1a 4a 2b 3b", "1 4 2? 3"},
		"a line lost at the start":   {"1a 2b 4a 5b", "1 2 4? 5"},
		"a line lost within a few": {
			"7a 8b 9a 11b " + strings.Join(turns(12, 99), " ") + " 101b", "7 8 9 11? " + strings.Join(numbers(12, 99), " ") + " 101?"},
		"some of the servers": { // after 50 lines the gaps are too many for losses
			"1a 4b 7a 10b 13a 16b 19a 22b 25a 28b 31a 34b 37a 40b 43a 46b 49a 52b 55a 58b 61a 64b 67a 70b 73a 76b 79a 82b " +
				"85a 88b 91a 94b 97a 100b 103a 106b 109a 112b 115a 118b 121a 124b 127a 130b 133a 136b 139a 142b 145a 148b 151a " +
				"154b 157a 160b 163a 166b 169a 172b 175a 178b",
			"1 4? 7? 10? 13? 16? 19? 22? 25? 28? 31? 34? 37? 40? 43? 46? 49? 52? 55? 58? 61? 64? 67? 70? 73? 76? 79? 82? " +
				"85? 88? 91? 94? 97? 100? 103? 106? 109? 112? 115? 118? 121? 124? 127? 130? 133? 136? 139? 142? 145? 148? 151 " +
				"154 157 160 163 166 169 172 175 178"},
		"a line lost later": {
			strings.Join(turns(7, 60), " ") + " 62a 63b 65a", strings.Join(numbers(7, 60), " ") + " 62? 63 65?"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDecoder(new(spec.Groups))
			var got []string
			for i, l := range strings.Fields(c.lines) {
				ev, ts := `"commit","i":1`, i+1
				switch l[len(l)-1] {
				case '!':
					ev = `"start"`
				case '=':
					ev, ts = `"start"`, 1
				}
				l = strings.TrimRight(l, "!=")
				line := fmt.Sprintf(`{"seq":%s,"ts":%d,"node":%q,"ev":%s}`, l[:len(l)-1], ts, l[len(l)-1:], ev)
				var a spec.Action
				require.Equal(t, adapters.Checked, d.Decode(&ingest.Record{Data: []byte(line)}, &a).Verdict, line)
				require.NotZero(t, a.Flags&spec.SparseSeq)
				text := fmt.Sprint(a.Seq)
				if a.Flags&spec.LinesLost != 0 {
					text += "?"
				}
				got = append(got, text)
			}
			require.Equal(t, c.want, strings.Join(got, " "))
		})
	}
}

// turns are the lines of two servers that take turns; numbers are their numbers.
func turns(from, to int) (lines []string) {
	for i := from; i <= to; i++ {
		lines = append(lines, fmt.Sprintf("%d%c", i, "ab"[i%2]))
	}
	return lines
}

func numbers(from, to int) (ns []string) {
	for i := from; i <= to; i++ {
		ns = append(ns, fmt.Sprint(i))
	}
	return ns
}

// FuzzDecode: whatever the bytes are, there is an outcome, and what a finding
// points at lies within the line.
func FuzzDecode(f *testing.F) {
	for _, line := range []string{
		`{"seq":1,"node":"n1","inc":1,"ev":"start","term":2,"t":2,"cand":"n2","lastI":5,"lastT":2}`,
		`{"seq":7,"node":"n1","ev":"send","rpc":"append","id":9,"peer":"n2","term":3,"prevI":5,"ents":[{"i":6,"t":3,"k":"config","h":"ff","c":[{"id":"n1","s":"voter"}]}],"lc":4}`,
		`{"seq":8,"node":"n1","ev":"ack","rpc":"append","id":9,"peer":"n2","term":3,"ok":true}`,
		`{"seq":9,"node":"n1","ev":"restore","i":9}`,
	} {
		f.Add([]byte(line))
	}
	d := newDecoder(new(spec.Groups))
	f.Fuzz(func(t *testing.T, line []byte) {
		var a spec.Action
		if d.Decode(&ingest.Record{Data: line}, &a).Verdict != adapters.Checked {
			return
		}
		require.NotEqual(t, spec.Nil, a.Server)
		for field := range spec.NumFields {
			start, end := d.Span(line, field)
			require.True(t, start == 0 && end == 0 || start < end && end <= len(line))
		}
	})
}

// TestAnswersTellOfLostLines: in a file of one server an answer without its request,
// or one that shows a longer log than was stored, says that lines are missing.
func TestAnswersTellOfLostLines(t *testing.T) {
	start := `{"seq":1,"node":"n1","inc":1,"ev":"start","term":2,"lastI":5,"lastT":2,"min":1,"max":5}`
	for _, c := range []struct {
		lines []string
		lost  bool
	}{
		{[]string{start, `{"seq":4,"node":"n1","ev":"recv","rpc":"append","id":9,"peer":"n2","term":2,"prevI":5,"prevT":2,"lc":4}`,
			`{"seq":6,"node":"n1","ev":"reply","rpc":"append","id":9,"peer":"n2","term":2,"lastI":5,"ok":true}`}, false},
		{[]string{start, `{"seq":6,"node":"n1","ev":"reply","rpc":"append","id":9,"peer":"n2","term":2,"lastI":5,"ok":true}`}, true},
		{[]string{start, `{"seq":6,"node":"n1","ev":"ack","rpc":"vote","id":9,"peer":"n2","term":2,"ok":true}`}, true},
		{[]string{start, `{"seq":4,"node":"n1","ev":"recv","rpc":"append","id":9,"peer":"n2","term":2,"prevI":7,"prevT":2,"lc":4}`,
			`{"seq":6,"node":"n1","ev":"reply","rpc":"append","id":9,"peer":"n2","term":2,"lastI":7,"ok":true}`}, true},
	} {
		d := newDecoder(new(spec.Groups))
		var a spec.Action
		for _, line := range c.lines {
			a.Reset()
			d.Decode(&ingest.Record{Data: []byte(line)}, &a)
		}
		require.Equal(t, c.lost, a.Flags&spec.LinesLost != 0, c.lines[len(c.lines)-1])
	}
}
