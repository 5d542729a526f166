// Package recorder writes what servers of hashicorp/raft do as a trace in
// tracecheck's native format, without a change to raft: it wraps what raft takes
// from its embedder, the LogStore, StableStore, SnapshotStore, Transport and FSM.
//
//	trace := recorder.New(file)
//	r, err := trace.NewRaft(conf, fsm, logs, stable, snaps, transport) // instead of raft.NewRaft
//
// Then `tracecheck check` reads the file. One Trace for all the servers of a
// process puts their lines into one order, which shows most.
//
// What differs from raft without it: heartbeats of a NetworkTransport take the way
// of all other requests, so that a slow disk may hold them up, and a server has
// one request at a time. User restores (Raft.Restore) are not part of Raft and
// make a trace that does not conform.
package recorder

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"sync"

	"github.com/hashicorp/raft"
)

// Trace writes the lines of the servers of one process. Its methods may be called
// at the same time.
type Trace struct {
	mu  sync.Mutex // over every step of every server, so that lines stand in the order of the steps
	w   io.Writer
	err error

	lines map[raft.ServerID]uint64             // how many each server has, over all its lives
	ids   map[raft.ServerAddress]raft.ServerID // a vote on disk names an address
}

// shows are the kinds of facts of which the trace has all.
var shows = []string{
	"terms", "roles", "votes", "last-index", "entry-terms", "entry-contents", "commit-index", "applied-entries",
	"sent-messages", "received-messages", "configuration", "configuration-entries", "restarts", "snapshots", "pre-votes",
	"persistence", "leadership-transfers",
}

// New begins a trace. Each line is one call of w.Write.
func New(w io.Writer) *Trace {
	t := &Trace{w: w, lines: make(map[raft.ServerID]uint64), ids: make(map[raft.ServerAddress]raft.ServerID)}
	t.write(fields{"tracecheck": 1, "profile": "hashicorp", "shows": shows})
	return t
}

// Err returns the first error of writing. After it nothing more is written, and
// raft goes on as it is.
func (t *Trace) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// fields is a JSON object.
type fields map[string]any

// write writes a line; the caller holds the lock.
func (t *Trace) write(line fields) {
	if t.err != nil {
		return
	}
	data, err := json.Marshal(line)
	if err == nil {
		_, err = t.w.Write(append(data, '\n'))
	}
	t.err = err
}

// durable marks a line whose values are on stable storage.
var durable = []string{"durable"}

// entry is what a line shows of a log entry: a hash of its contents, and the
// configuration that it holds.
func entry(l *raft.Log) fields {
	f := fields{"index": l.Index, "term": l.Term}
	switch l.Type {
	case raft.LogCommand:
		f["kind"] = "command"
	case raft.LogNoop, raft.LogBarrier:
		f["kind"] = "noop"
	case raft.LogConfiguration:
		f["kind"] = "config"
		f["config"] = configuration(raft.DecodeConfiguration(l.Data))
	}
	h := fnv.New64a()
	h.Write(l.Data)
	h.Write(l.Extensions)
	f["hash"] = fmt.Sprintf("%016x", h.Sum64())
	return f
}

func entries(logs []*raft.Log) []fields {
	list := make([]fields, len(logs))
	for i, l := range logs {
		list[i] = entry(l)
	}
	return list
}

func configuration(c raft.Configuration) fields {
	voters, learners := []raft.ServerID{}, []raft.ServerID{}
	for _, s := range c.Servers {
		if s.Suffrage == raft.Voter {
			voters = append(voters, s.ID)
		} else {
			learners = append(learners, s.ID)
		}
	}
	f := fields{"voters": voters}
	if len(learners) > 0 {
		f["learners"] = learners
	}
	return f
}

// learn takes a configuration's names for addresses; the caller holds the lock.
func (t *Trace) learn(c raft.Configuration) {
	for _, s := range c.Servers {
		t.ids[s.Address] = s.ID
	}
}
