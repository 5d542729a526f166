package recorder

import (
	"io"

	"github.com/hashicorp/raft"
)

// The keys under which raft keeps its term and its vote. The vote is two writes.
const (
	keyTerm     = "CurrentTerm"
	keyVoteTerm = "LastVoteTerm"
	keyVote     = "LastVoteCand"
)

// stableStore writes a line when something is on disk, before raft goes on.
type stableStore struct {
	raft.StableStore
	s *server
}

func (w *stableStore) Set(key, value []byte) error {
	err := w.StableStore.Set(key, value)
	if err == nil && string(key) == keyVote {
		w.s.step(func() {
			w.s.write("Observe", fields{"flags": durable,
				"after": fields{"currentTerm": w.s.voteTerm, "votedFor": w.s.named(value)}})
		})
	}
	return err
}

func (w *stableStore) SetUint64(key []byte, n uint64) error {
	err := w.StableStore.SetUint64(key, n)
	if err != nil {
		return err
	}
	switch string(key) {
	case keyTerm:
		w.s.step(func() { w.s.entersTerm(n) })
	case keyVoteTerm:
		w.s.step(func() { w.s.voteTerm = n })
	}
	return nil
}

// logStore writes a line when entries are on disk or gone from it.
type logStore struct {
	raft.LogStore
	s *server
}

// trackingLogStore is one that keeps the commit index as well.
type trackingLogStore struct {
	logStore
	tracking raft.CommitTrackingLogStore
}

func (w *trackingLogStore) StageCommitIndex(i uint64) error { return w.tracking.StageCommitIndex(i) }
func (w *trackingLogStore) GetCommitIndex() (uint64, error) { return w.tracking.GetCommitIndex() }

func (s *server) wrapLogs(logs raft.LogStore) raft.LogStore {
	if t, ok := logs.(raft.CommitTrackingLogStore); ok {
		return &trackingLogStore{logStore{logs, s}, t}
	}
	return &logStore{logs, s}
}

// IsMonotonic implements [raft.MonotonicLogStore] as the store within does.
func (w *logStore) IsMonotonic() bool {
	m, ok := w.LogStore.(raft.MonotonicLogStore)
	return ok && m.IsMonotonic()
}

func (w *logStore) StoreLog(l *raft.Log) error { return w.StoreLogs([]*raft.Log{l}) }

func (w *logStore) StoreLogs(logs []*raft.Log) error {
	err := w.LogStore.StoreLogs(logs)
	if err != nil || len(logs) == 0 {
		return err
	}
	w.s.step(func() {
		for _, l := range logs {
			if l.Type == raft.LogConfiguration {
				w.s.trace.learn(raft.DecodeConfiguration(l.Data))
			}
		}
		action := "Observe"
		if w.s.role == "Leader" {
			action = "ClientRequest"
		}
		w.s.write(action, fields{"entries": entries(logs), "flags": durable})
	})
	return nil
}

// DeleteRange compacts the log up to a snapshot, or cuts off its end.
func (w *logStore) DeleteRange(min, max uint64) error {
	err := w.LogStore.DeleteRange(min, max)
	if err != nil {
		return err
	}
	w.s.step(func() {
		if max <= w.s.snapshot {
			w.s.write("CompactLog", fields{"index": max})
			return
		}
		w.s.write("Observe", fields{"after": fields{"lastLogIndex": min - 1}, "flags": durable})
	})
	return nil
}

// snapshotStore writes a line when a snapshot is complete.
type snapshotStore struct {
	raft.SnapshotStore
	s *server
}

func (w *snapshotStore) Create(version raft.SnapshotVersion, index, term uint64, config raft.Configuration,
	configIndex uint64, trans raft.Transport) (raft.SnapshotSink, error) {
	sink, err := w.SnapshotStore.Create(version, index, term, config, configIndex, trans)
	if err != nil {
		return nil, err
	}
	k := &snapshotSink{SnapshotSink: sink, s: w.s, index: index, term: term}
	w.s.step(func() { k.received = w.s.brings(index) })
	return k, nil
}

func (w *snapshotStore) Open(id string) (*raft.SnapshotMeta, io.ReadCloser, error) {
	meta, data, err := w.SnapshotStore.Open(id)
	if err == nil {
		w.s.step(func() { w.s.opened = meta.Index })
	}
	return meta, data, err
}

// snapshotSink is a snapshot that is being written: the server's own, or its copy
// of one that it receives.
type snapshotSink struct {
	raft.SnapshotSink
	s           *server
	index, term uint64
	received    bool
}

func (k *snapshotSink) Close() error {
	err := k.SnapshotSink.Close()
	if err != nil {
		return err
	}
	k.s.step(func() {
		if k.received {
			k.s.installed = k.index
			return
		}
		k.s.snapshot = max(k.s.snapshot, k.index)
		k.s.write("TakeSnapshot", fields{"index": k.index, "term": k.term})
	})
	return nil
}
