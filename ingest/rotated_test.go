package ingest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRotated(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string
		want [][]string
	}{
		{"logrotate", []string{"d/n1.log", "d/n1.log.1", "d/n1.log.10.gz", "d/n1.log.2.gz"}, [][]string{{"d/n1.log.10.gz", "d/n1.log.2.gz", "d/n1.log.1", "d/n1.log"}}},
		{"dates", []string{"n1.log", "n1.log-20261130.gz", "n1.log-20261129.gz", "n2.log"}, [][]string{{"n1.log-20261129.gz", "n1.log-20261130.gz", "n1.log"}, {"n2.log"}}},
		{"lumberjack", []string{"n1-2026-12-01T05-17-20.503.log", "n1-2026-12-01T05-17-19.999.log.gz", "n1.log"}, [][]string{{"n1-2026-12-01T05-17-19.999.log.gz", "n1-2026-12-01T05-17-20.503.log", "n1.log"}}},
		{"hclog", []string{"consul-1701406714123456789.log", "consul-1701406714123456780.log"}, [][]string{{"consul-1701406714123456780.log", "consul-1701406714123456789.log"}}},
		{"container", []string{"0.log", "0.log.20261201-051720.gz"}, [][]string{{"0.log.20261201-051720.gz", "0.log"}}},
		{"servers", []string{"n1.log", "n2.log", "node-1.log", "node-2.log"}, [][]string{{"n1.log"}, {"n2.log"}, {"node-1.log"}, {"node-2.log"}}},
		{"folders", []string{"a/raft.log", "b/raft.log", "b/raft.log.1"}, [][]string{{"a/raft.log"}, {"b/raft.log.1", "b/raft.log"}}},
		{"copies", []string{"n1.log", "n1.log.gz"}, [][]string{{"n1.log"}, {"n1.log.gz"}}},
	} {
		require.Equal(t, c.want, Rotated(c.in), c.name)
	}
}
