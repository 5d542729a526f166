package invariants_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/assert"

	"github.com/tracecheck/tracecheck/internal/conversation"
	"github.com/tracecheck/tracecheck/invariants"
	"github.com/tracecheck/tracecheck/spec"
)

// TestConversations plays the conversations of testdata, one file for each
// invariant; package conversation has their language. Beside an invariant the
// rules of the steps that lead to a breach of it are named too.
func TestConversations(t *testing.T) {
	player, played := &conversation.Player{Watch: watch}, 0
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		played++
		datadriven.RunTest(t, path, player.Do)
	})
	if files, err := filepath.Glob("testdata/*.txt"); err != nil || played < len(files) {
		return // not all of them were to be played
	}
	for _, inv := range invariants.All {
		assert.True(t, player.Broken[inv.ID], "no conversation breaks %s %s", inv.ID, inv.Name)
		assert.True(t, player.Allowed[inv.ID], "no conversation shows what %s %s allows", inv.ID, inv.Name)
	}
}

// watch shows every fact of a conversation to every invariant.
func watch() conversation.Watch {
	checks, tallies := make([]invariants.Check, len(invariants.All)), make([]spec.Tally, len(invariants.All))
	for k, inv := range invariants.All {
		checks[k] = inv.New()
	}
	return conversation.Watch{
		Observe: func(m *spec.Machine, f *spec.Fact) (breaches []*spec.Breach) {
			for k, c := range checks {
				if !slices.Contains(invariants.All[k].Facts, f.Kind) {
					continue
				}
				if b := c.Observe(m, f, &tallies[k]); b != nil {
					breaches = append(breaches, b)
				}
			}
			return breaches
		},
		Tally: func(m *spec.Machine, id string) (spec.Tally, bool) {
			for k, inv := range invariants.All {
				if inv.ID != id {
					continue
				}
				t := tallies[k]
				if inv.Held != nil {
					t.Verified += inv.Held(m)
				}
				return t, true
			}
			return spec.Tally{}, false
		},
	}
}
