package metadatalog

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/tracecheck/tracecheck/ingest"
)

// The types of the control records that begin and end a snapshot.
const (
	typeSnapshotHeader = 3
	typeSnapshotFooter = 4
)

// record makes the row of the next record that has one, of a batch of the log, or of one of a snapshot, whose rows stand at its end
// offset.
func (n *node) record(of string, at *int64) {
	for n.records.left > 0 {
		offset, key, value, ok, err := n.records.next()
		where := offset
		if at != nil {
			where = *at
		}
		line := append(n.line[:0], n.prefix...)
		line = append(append(line, of...), "| offset: "...)
		line = strconv.AppendInt(line, offset, 10)
		known := false
		switch {
		case err == nil && !ok:
			return
		case err == nil && len(key) > 0: // a control record of a snapshot
			line, known = appendMark(line, key)
		case err == nil:
			line, known, err = appendPayload(append(line, " payload: "...), value, shown)
		}
		n.line = line[:0]
		if err != nil {
			what := "cannot be read"
			if err == errLater {
				what = "is not known"
			}
			n.put(where, fmt.Sprintf("%s%s| offset: %d %s", n.prefix, of, offset, what))
			return
		}
		if known {
			n.line = line
			n.row, n.hasRow = ingest.Row{Offset: uint64(where), Value: line}, true
			return
		}
	}
}

// appendMark writes that a snapshot begins or ends.
func appendMark(line, key []byte) (_ []byte, known bool) {
	if len(key) < 4 {
		return line, false
	}
	switch binary.BigEndian.Uint16(key[2:]) {
	case typeSnapshotHeader:
		return append(line, " SnapshotHeader"...), true
	case typeSnapshotFooter:
		return append(line, " SnapshotFooter"...), true
	}
	return line, false
}

// unload makes the next row of the snapshot that was told of last. Its checksums have been verified.
func (n *node) unload() error {
	if n.records.left == 0 {
		switch err := n.loading.Next(&n.loaded); {
		case err == io.EOF:
			n.snapshot.Close()
			n.snapshot = nil
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", filepath.Base(n.snapshot.Name()), err)
		}
		n.records = recordsOf(&n.loaded)
	}
	n.record("snapshot ", &n.ends)
	return nil
}
