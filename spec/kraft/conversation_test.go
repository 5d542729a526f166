package kraft_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/assert"

	"github.com/tracecheck/tracecheck/adapters"
	kraftlog "github.com/tracecheck/tracecheck/adapters/kraft"
	"github.com/tracecheck/tracecheck/adapters/kraftmetadata"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
	"github.com/tracecheck/tracecheck/spec/kraft"
)

// TestConversations plays the conversations of testdata. A file is a list of
// blocks: a command, lines, `----`, and what comes of them. The commands are
//
//	given              lines that establish what is known; no breach
//	broken K01 I01     lines that break these rules, no more and no fewer
//	allowed K01        lines that break nothing; each named rule is decided and holds
//	unknown K01        lines that break nothing; each named rule cannot be decided
//
// broken, allowed and unknown begin each time from what was given last. A line is
// a message of Kafka's after the id of its server and a colon; "is X from Y" stands
// for "Completed transition to X from Y". A time before the id is that of the line.
// In a file whose first lines begin with "node", they are those of metadata logs.
func TestConversations(t *testing.T) {
	broken, allowed, played := make(map[string]bool), make(map[string]bool), 0
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if filepath.Ext(path) != ".txt" {
			return
		}
		played++
		var given []string
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			lines := strings.Split(strings.TrimSpace(d.Input), "\n")
			if d.Cmd == "given" {
				given = lines
				lines = nil
			}
			before, after := play(t, given), play(t, append(slices.Clone(given), lines...))
			assert.Empty(t, before.Findings, "what is given breaks something: %s", d.Pos)
			var names, found []string
			for _, arg := range d.CmdArgs {
				names = append(names, arg.Key)
			}
			text := ""
			for i := range after.Findings {
				f := &after.Findings[i]
				_, line := ingest.SplitRef(f.Ref)
				text += fmt.Sprintf("line %d breaks %s: %s\n", int(line)-len(given), f.Rule.ID, f.Message)
				found = append(found, f.Rule.ID)
			}
			slices.Sort(found)
			slices.Sort(names)
			if d.Cmd == "broken" {
				assert.Equal(t, names, slices.Compact(found), d.Pos)
				for _, n := range names {
					broken[n] = true
				}
				return text
			}
			for _, n := range names {
				b, a := coverage(before, n), coverage(after, n)
				if d.Cmd == "allowed" {
					assert.Greater(t, a.Verified, b.Verified, "%s: %s is not decided", d.Pos, n)
					allowed[n] = true
				} else {
					assert.Greater(t, a.Assumed, b.Assumed, "%s: %s is not assumed", d.Pos, n)
					assert.Equal(t, a.Verified, b.Verified, "%s: %s is decided", d.Pos, n)
				}
			}
			return text
		})
	})
	if files, err := filepath.Glob("testdata/*.txt"); err != nil || played < len(files) {
		return // not all of them were to be played
	}
	for _, r := range kraft.WithRecords {
		assert.True(t, broken[r.ID], "no conversation breaks %s %s", r.ID, r.Name)
		assert.True(t, allowed[r.ID], "no conversation shows what %s %s allows", r.ID, r.Name)
	}
}

// play replays the lines of a conversation and returns what came of them.
func play(t *testing.T, lines []string) *replay.Summary {
	groups := &spec.Groups{}
	d, write := kraftlog.Adapter.New(groups), logLine
	if len(lines) > 0 && strings.HasPrefix(lines[0], "node ") {
		d, write = kraftmetadata.Adapter.New(groups), func(l string) string { return l }
	}
	c := replay.New(groups, replay.Options{})
	for i, l := range lines {
		var a spec.Action
		out := d.Decode(&ingest.Record{Data: []byte(write(l))}, &a)
		if out.Verdict == adapters.Ignored && write(l) == l {
			continue
		}
		if !assert.Equal(t, adapters.Checked, out.Verdict, "%s: %s", l, out.Why) {
			continue
		}
		a.Ref = ingest.MakeRef(0, uint64(i+1))
		c.Step(&a)
	}
	return c.Finish()
}

// logLine makes the line that Kafka writes of one of a conversation.
func logLine(l string) string {
	who, message, _ := strings.Cut(l, ": ")
	time := ""
	if at := strings.LastIndexByte(who, ' '); at >= 0 {
		time, who = "["+who[:at]+"] INFO ", who[at+1:]
	}
	if state, is := strings.CutPrefix(message, "is "); is {
		message = "Completed transition to " + state
	}
	return time + "[RaftManager id=" + who + "] " + message + " (org.apache.kafka.raft.X)"
}

func coverage(s *replay.Summary, rule string) replay.Coverage {
	for _, c := range s.Coverage {
		if c.Rule.ID == rule {
			return c
		}
	}
	return replay.Coverage{}
}
