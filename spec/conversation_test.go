package spec_test

import (
	"path/filepath"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/assert"

	"github.com/tracecheck/tracecheck/internal/conversation"
	"github.com/tracecheck/tracecheck/spec"
)

// TestConversations plays the conversations of testdata; package conversation
// has their language. Every rule is shown broken and in the nearest form that is
// allowed.
func TestConversations(t *testing.T) {
	player, played := &conversation.Player{}, 0
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		played++
		datadriven.RunTest(t, path, player.Do)
	})
	if files, err := filepath.Glob("testdata/*.txt"); err != nil || played < len(files) {
		return // not all of them were to be played
	}
	for _, r := range spec.Rules {
		assert.True(t, player.Broken[r.ID], "no conversation breaks %s %s", r.ID, r.Name)
		assert.True(t, player.Allowed[r.ID], "no conversation shows what %s %s allows", r.ID, r.Name)
	}
}
