package metadatalog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/tracecheck/tracecheck/ingest"
)

// node reads the folder of one node, row by row, in the order of their offsets: where the log begins, its batches, its
// snapshots among them, and behind the end what else lies in the folder.
type node struct {
	folder *Folder
	prefix string

	segment   int // the next to be opened
	open      *os.File
	batches   *Batches
	batch     Batch
	pending   bool // batch is read and not delivered
	end       int64
	snapshots []file // that are not delivered
	extra     []string
	started   bool
	read      int64 // bytes

	records records // of the batch that was delivered last, as far as they are not delivered

	// The snapshot whose records are being delivered, nil without one.
	snapshot *os.File
	ends     int64 // its end offset
	loading  *Batches
	loaded   Batch

	row     ingest.Row // the next
	hasRow  bool
	waiting []ingest.Row // behind it
	line    []byte
}

func newNode(f *Folder) *node {
	n := &node{folder: f, prefix: "node " + f.Node + ": ", snapshots: f.snapshots}
	for _, e := range f.epochs {
		n.extra = append(n.extra, fmt.Sprintf("%sleader-epoch-checkpoint: epoch %d startOffset %d", n.prefix, e.epoch, e.start))
	}
	if f.state != "" {
		n.extra = append(n.extra, n.prefix+"quorum-state: "+f.state)
	}
	return n
}

// peek returns the next row; io.EOF at the end.
func (n *node) peek() (*ingest.Row, error) {
	for !n.hasRow {
		if len(n.waiting) > 0 {
			n.row, n.waiting, n.hasRow = n.waiting[0], n.waiting[1:], true
			break
		}
		if err := n.advance(); err != nil {
			return nil, err
		}
	}
	return &n.row, nil
}

func (n *node) put(offset int64, text string) {
	n.waiting = append(n.waiting, ingest.Row{Offset: uint64(offset), Value: []byte(text)})
}

// advance makes one or more rows.
func (n *node) advance() error {
	if !n.started {
		n.started = true
		n.begin()
		return nil
	}
	if n.snapshot != nil {
		return n.unload()
	}
	if n.records.left > 0 {
		n.record("", nil)
		return nil
	}
	if !n.pending {
		if err := n.load(); err != nil {
			return err
		}
		if len(n.waiting) > 0 {
			return nil
		}
	}
	if len(n.snapshots) > 0 && (!n.pending || n.snapshots[0].offset <= n.batch.Base) {
		s := n.snapshots[0]
		n.snapshots = n.snapshots[1:]
		return n.tellSnapshot(s)
	}
	if n.pending {
		n.pending = false
		n.end = n.batch.Last + 1
		n.line = appendBatch(append(n.line[:0], n.prefix...), &n.batch)
		n.row, n.hasRow = ingest.Row{Offset: uint64(n.batch.Base), Value: n.line}, true
		if !n.batch.Control {
			n.records = recordsOf(&n.batch)
			if n.batch.Codec != 0 {
				n.put(n.batch.Base, fmt.Sprintf("%s| offset: %d is not known", n.prefix, n.batch.Base))
			}
		}
		return nil
	}
	if len(n.extra) > 0 {
		n.put(n.end, n.extra[0])
		n.extra = n.extra[1:]
		return nil
	}
	return io.EOF
}

// begin says where the log begins and where the latest snapshot ends.
func (n *node) begin() {
	if len(n.folder.segments) == 0 {
		return
	}
	n.end = n.folder.segments[0].offset
	text := n.prefix + "log begins at offset " + strconv.FormatInt(n.end, 10)
	if n.folder.whole {
		latest := int64(0)
		if k := len(n.folder.snapshots); k > 0 {
			latest = n.folder.snapshots[k-1].offset
		}
		text += ", latest snapshot ends at " + strconv.FormatInt(latest, 10)
	}
	n.put(n.end, text)
}

// load reads the next batch, of the next segment if need be. Without one, pending stays false.
func (n *node) load() error {
	for {
		if n.open == nil {
			if n.segment == len(n.folder.segments) {
				return nil
			}
			s := n.folder.segments[n.segment]
			n.segment++
			f, err := os.Open(s.path)
			if err != nil {
				return err
			}
			n.open, n.batches = f, NewBatches(f)
			if s.offset != n.end { // of a folder that was copied while its log was replaced, perhaps
				n.waiting = append(n.waiting, ingest.Row{Offset: uint64(n.end), Lost: true})
				n.end = s.offset
				return nil
			}
		}
		err := n.batches.Next(&n.batch)
		name := filepath.Base(n.open.Name())
		switch {
		case err == nil:
			n.read += int64(n.batch.Size)
			n.pending = true
			return nil
		case errors.Is(err, ErrCRC):
			n.put(n.end, fmt.Sprintf("%sdamaged: %s: at byte %d: %v", n.prefix, name, n.batch.Position, err))
			if n.batch.Last < maxOffset {
				n.end = max(n.end, n.batch.Last+1)
			}
			return nil
		case errors.Is(err, ErrTorn):
			what := "damaged"
			if n.segment == len(n.folder.segments) {
				what = "torn"
			}
			n.put(n.end, fmt.Sprintf("%s%s: %s: %v", n.prefix, what, name, err))
			n.shut()
			return nil
		case err != io.EOF:
			return fmt.Errorf("%s: %w", n.open.Name(), err)
		}
		n.shut()
	}
}

func (n *node) shut() {
	for _, f := range []**os.File{&n.open, &n.snapshot} {
		if *f != nil {
			(*f).Close()
			*f = nil
		}
	}
}

// tellSnapshot tells of a snapshot, once its checksums are verified.
func (n *node) tellSnapshot(s file) error {
	f, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var b Batch
	in := NewBatches(f)
	for err == nil {
		if err = in.Next(&b); err == nil {
			n.read += int64(b.Size)
		}
	}
	n.put(s.offset, fmt.Sprintf("%ssnapshot end offset: %d, epoch: %d", n.prefix, s.offset, s.epoch))
	switch {
	case errors.Is(err, ErrCRC), errors.Is(err, ErrTorn):
		n.put(s.offset, fmt.Sprintf("%sdamaged: %s: %v", n.prefix, filepath.Base(s.path), err))
	case err != io.EOF:
		return fmt.Errorf("%s: %w", s.path, err)
	case s.offset > 0 && len(n.folder.segments) > 0 && s.offset >= n.folder.segments[0].offset:
		again, err := os.Open(s.path)
		if err != nil {
			return err
		}
		n.snapshot, n.loading, n.ends = again, NewBatches(again), s.offset
	}
	return nil
}

// appendBatch writes a batch in the words of kafka-dump-log.
func appendBatch(line []byte, b *Batch) []byte {
	line = strconv.AppendInt(append(line, "baseOffset: "...), b.Base, 10)
	line = strconv.AppendInt(append(line, " lastOffset: "...), b.Last, 10)
	line = strconv.AppendInt(append(line, " count: "...), int64(b.Count), 10)
	line = strconv.AppendInt(append(line, " partitionLeaderEpoch: "...), int64(b.Epoch), 10)
	line = strconv.AppendBool(append(line, " isControl: "...), b.Control)
	line = strconv.AppendInt(append(line, " position: "...), b.Position, 10)
	line = strconv.AppendInt(append(line, " CreateTime: "...), b.Time, 10)
	line = strconv.AppendInt(append(line, " size: "...), int64(b.Size), 10)
	line = strconv.AppendUint(append(line, " crc: "...), uint64(b.CRC), 10)
	line = append(line, " isvalid: true"...)
	if change, ok := leaderChange(b); ok {
		line = appendChange(line, &change)
	}
	return line
}
