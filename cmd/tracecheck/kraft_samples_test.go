package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKafkaRecordings checks samples/kraft/*: the logs of all nodes of a real Kafka cluster as one trace, and compares the
// findings and the verdict with want.txt. Each log alone conforms: that a voter has lost its disk, and not the whole
// cluster, only the others' logs show. internal/kafkatest has recorded them.
func TestKafkaRecordings(t *testing.T) {
	folders, err := filepath.Glob("../../samples/kraft/*/nodes")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	for _, folder := range folders {
		dir := filepath.Dir(folder)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Chdir(dir)
			logs, err := filepath.Glob("nodes/*.log.gz")
			require.NoError(t, err)
			out, summary, code := tracecheck(t, append([]string{"check"}, logs...)...)
			verdict, _, _ := strings.Cut(summary, "\n")
			compare(t, "want.txt", fmt.Sprintf("%s%s\nexit %d\n", out, verdict, code))
			alone, _, aloneCode := tracecheck(t, append([]string{"check", "-q", "--separate"}, logs...)...)
			require.Zero(t, aloneCode, alone)
		})
	}
}
