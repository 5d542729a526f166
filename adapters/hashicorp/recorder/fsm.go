package recorder

import (
	"io"

	"github.com/hashicorp/raft"
)

// stateMachine writes a line for each entry before it is applied.
type stateMachine struct {
	raft.FSM
	s *server
}

// batching and configured add what a state machine may have beyond an FSM.
type batching struct {
	s     *server
	inner raft.BatchingFSM
}

type configured struct{ inner raft.ConfigurationStore }

// wrapFSM wraps a state machine in one that is no less: raft looks for what it has.
func (s *server) wrapFSM(fsm raft.FSM) raft.FSM {
	m := stateMachine{fsm, s}
	b, batches := fsm.(raft.BatchingFSM)
	c, configures := fsm.(raft.ConfigurationStore)
	switch {
	case batches && configures:
		return &struct {
			stateMachine
			batching
			configured
		}{m, batching{s, b}, configured{c}}
	case batches:
		return &struct {
			stateMachine
			batching
		}{m, batching{s, b}}
	case configures:
		return &struct {
			stateMachine
			configured
		}{m, configured{c}}
	}
	return &m
}

func (m stateMachine) Apply(l *raft.Log) any {
	m.s.applies(l)
	return m.FSM.Apply(l)
}

func (b batching) ApplyBatch(logs []*raft.Log) []any {
	b.s.applies(logs...)
	return b.inner.ApplyBatch(logs)
}

func (c configured) StoreConfiguration(index uint64, config raft.Configuration) {
	c.inner.StoreConfiguration(index, config)
}

func (s *server) applies(logs ...*raft.Log) {
	s.step(func() {
		for _, l := range logs {
			if l.Type == raft.LogCommand {
				s.write("Apply", fields{"entry": entry(l)})
			}
		}
	})
}

// Restore fills the state machine from a snapshot: one that was received, or the
// server's own when it starts.
func (m stateMachine) Restore(data io.ReadCloser) error {
	err := m.FSM.Restore(data)
	if err != nil {
		return err
	}
	s := m.s
	s.step(func() {
		index := s.installed
		if index == 0 {
			s.write("Observe", fields{"after": fields{"lastApplied": s.opened, "commitIndex": s.opened}})
			s.commit = max(s.commit, s.opened)
			return
		}
		s.installed, s.snapshot = 0, max(s.snapshot, index)
		s.commit = max(s.commit, index)
		more := fields{"index": index}
		if r := s.request; r != nil && r.snapshot != nil {
			more["term"] = r.snapshot.LastLogTerm
			config := raft.DecodeConfiguration(r.snapshot.Configuration)
			s.trace.learn(config)
			more["after"] = fields{"config": configuration(config)}
		}
		s.write("InstallSnapshot", more)
	})
	return nil
}
