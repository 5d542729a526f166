//go:build with_tla

package main

import (
	"io"
	"log"

	"go.etcd.io/raft/v3"
)

// quiet returns a logger that drops raft's own log lines.
func quiet() raft.Logger {
	return &raft.DefaultLogger{Logger: log.New(io.Discard, "", 0)}
}
