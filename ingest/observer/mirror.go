package observer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Mirror writes what a quorum shows into a folder in the forms that Kafka itself uses: below the address of each
// controller, status.txt and replication.txt as kafka-metadata-quorum prints them, and __cluster_metadata-0 with snapshots
// and segments. Where the log turns out to be another one than before, a folder diverged-1 and so on, with a
// __cluster_metadata-0 of its own, takes what comes then.
type Mirror struct {
	quorum *Quorum
	folder string
	at     Position
	log    *os.File
	other  int
}

// NewMirror mirrors q into folder.
func NewMirror(q *Quorum, folder string) *Mirror { return &Mirror{quorum: q, folder: folder} }

const (
	// interval is the time between two polls of the controllers' views, and between two looks for a leader.
	interval = time.Second
	// patience is how long there may be no leader where only what is there is to be read.
	patience = 30 * time.Second
)

// Run mirrors until the end of ctx, or, if it does not follow, only until it has what was committed when it began. A
// second Run goes on where the first has ended. If it follows it outlasts elections and lost connections, and the end of
// ctx is no error.
func (m *Mirror) Run(ctx context.Context, follow bool) error {
	defer m.close()
	goal := int64(-1)
	var polled time.Time
	heard := time.Now()
	for ctx.Err() == nil {
		if m.quorum.leader < 0 || time.Since(polled) >= interval {
			polled = time.Now()
			if err := m.poll(ctx); err != nil && !follow && time.Since(heard) > patience {
				return err
			}
		}
		at, high, err := m.quorum.Follow(ctx, m.at, 500, m)
		m.at = at
		switch {
		case err == nil:
			heard = time.Now()
		case m.quorum.leader >= 0:
			return err
		case !follow && time.Since(heard) > patience:
			return err
		default:
			wait(ctx, interval) // for an election
			continue
		}
		if goal < 0 {
			goal = high
		}
		if !follow && goal >= 0 && m.at.Offset >= goal {
			return nil
		}
	}
	if !follow {
		return ctx.Err()
	}
	return nil
}

// poll writes down what every controller says. One that knows no leader says nothing.
func (m *Mirror) poll(ctx context.Context) error {
	views, err := m.quorum.Views(ctx)
	if err != nil {
		return err
	}
	for _, v := range views {
		if v.Leader < 0 {
			continue
		}
		folder := strings.ReplaceAll(v.Address, ":", "_")
		if err := m.append(folder, "status.txt", v.Status()); err != nil {
			return err
		}
		if err := m.append(folder, "replication.txt", v.Replication()); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mirror) append(folder, name, text string) error {
	if text == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(m.folder, folder), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(m.folder, folder, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// metadata is the folder of the log that is written now.
func (m *Mirror) metadata() string {
	if m.other > 0 {
		return filepath.Join(m.folder, fmt.Sprintf("diverged-%d", m.other), topicName+"-0")
	}
	return filepath.Join(m.folder, topicName+"-0")
}

// Append implements [Sink].
func (m *Mirror) Append(first int64, batches []byte) error {
	if m.log == nil {
		if err := os.MkdirAll(m.metadata(), 0o755); err != nil {
			return err
		}
		var err error
		if m.log, err = os.Create(filepath.Join(m.metadata(), fmt.Sprintf("%020d.log", first))); err != nil {
			return err
		}
	}
	_, err := m.log.Write(batches)
	return err
}

// Snapshot implements [Sink].
func (m *Mirror) Snapshot(at Position, content []byte) error {
	if err := m.close(); err != nil {
		return err
	}
	if err := os.MkdirAll(m.metadata(), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.metadata(), fmt.Sprintf("%020d-%010d.checkpoint", at.Offset, at.Epoch)), content, 0o644)
}

// Diverged implements [Sink].
func (m *Mirror) Diverged(Position) error {
	m.other++
	return m.close()
}

// close ends the segment; the next Append begins another.
func (m *Mirror) close() error {
	if m.log == nil {
		return nil
	}
	err := m.log.Close()
	m.log = nil
	return err
}

// wait returns after d, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
