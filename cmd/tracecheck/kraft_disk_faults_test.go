package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A disk is the metadata log of one node of a sample, into which a fault is planted.
type disk struct {
	t       *testing.T
	folder  string
	segment string
	bytes   []byte
	starts  []int // of the batches
}

func readDisk(t *testing.T, folder string) *disk {
	segments, err := filepath.Glob(filepath.Join(folder, "*.log"))
	require.NoError(t, err)
	require.NotEmpty(t, segments)
	d := &disk{t: t, folder: folder, segment: segments[len(segments)-1]}
	d.bytes, err = os.ReadFile(d.segment)
	require.NoError(t, err)
	for at := 0; at < len(d.bytes); at += 12 + int(binary.BigEndian.Uint32(d.bytes[at+8:])) {
		d.starts = append(d.starts, at)
	}
	return d
}

// batch is the bytes of the batch that begins at or holds an offset.
func (d *disk) batch(offset int) []byte {
	for i, at := range d.starts {
		base := int(binary.BigEndian.Uint64(d.bytes[at:]))
		if last := base + int(binary.BigEndian.Uint32(d.bytes[at+23:])); base <= offset && offset <= last {
			end := len(d.bytes)
			if i+1 < len(d.starts) {
				end = d.starts[i+1]
			}
			return d.bytes[at:end]
		}
	}
	d.t.Fatalf("%s holds no offset %d", d.segment, offset)
	return nil
}

// seal computes the checksum of a batch anew, and writes the segment.
func (d *disk) seal(batch []byte) {
	binary.BigEndian.PutUint32(batch[17:], crc32.Checksum(batch[21:], crc32.MakeTable(crc32.Castagnoli)))
	require.NoError(d.t, os.WriteFile(d.segment, d.bytes, 0o644))
}

func (d *disk) rename(old, to string) {
	require.NoError(d.t, os.Rename(filepath.Join(d.folder, old), filepath.Join(d.folder, to)))
}

func (d *disk) write(name, text string) {
	require.NoError(d.t, os.WriteFile(filepath.Join(d.folder, name), []byte(text), 0o644))
}

// Where things stand in a batch that begins with the LeaderChange record of a quorum of three voters.
const (
	epochAt   = 12
	keyTypeAt = 61 + 8
	leaderAt  = 61 + 12
	grantsAt  = leaderAt + 4 + 1 + 15 + 1 // the id of the first voter who granted; one more lies 5 bytes behind
)

// epoch2 is where epoch 2 begins in 4.4-leader-killed, led by 1 with the votes of 1 and 2.
const epoch2 = 31

// diskFaults are faults planted on the disk of node 2 of samples/kraft-metadata.
var diskFaults = []struct {
	name, sample string
	plant        func(d *disk)
	rule         string
	offset       int // at which it is found
}{
	{"two leaders of an epoch", "4.4-leader-killed", func(d *disk) {
		b := d.batch(epoch2)
		binary.BigEndian.PutUint32(b[leaderAt:], binary.BigEndian.Uint32(b[grantsAt+5:])^binary.BigEndian.Uint32(b[grantsAt:])^binary.BigEndian.Uint32(b[leaderAt:]))
		d.seal(b)
	}, "I01", epoch2},
	{"a leader by one vote of three", "4.4-leader-killed", func(d *disk) {
		b := d.batch(epoch2)
		copy(b[grantsAt:grantsAt+4], b[leaderAt:leaderAt+4])
		copy(b[grantsAt+5:grantsAt+9], b[leaderAt:leaderAt+4])
		d.seal(b)
	}, "K22", epoch2},
	{"a leader that is no voter", "4.4-leader-killed", func(d *disk) {
		b := d.batch(epoch2)
		binary.BigEndian.PutUint32(b[leaderAt:], 9)
		d.seal(b)
	}, "K22", epoch2},
	{"a vote of who is no voter", "4.4-leader-killed", func(d *disk) {
		b := d.batch(epoch2)
		for _, at := range []int{grantsAt, grantsAt + 5} {
			if binary.BigEndian.Uint32(b[at:]) != binary.BigEndian.Uint32(b[leaderAt:]) {
				binary.BigEndian.PutUint32(b[at:], 9)
			}
		}
		d.seal(b)
	}, "K22", epoch2},
	{"other bytes at an offset of an epoch", "4.4-leader-killed", func(d *disk) {
		b := d.batch(20)
		b[len(b)-3] ^= 1 // a broker is fenced that was not
		d.seal(b)
	}, "K23", 20},
	{"the epoch falls", "4.4-leader-killed", func(d *disk) {
		binary.BigEndian.PutUint32(d.batch(epoch2 + 3)[epochAt:], 1)
		d.seal(d.batch(epoch2 + 3))
	}, "K20", epoch2 + 3},
	{"an epoch without LeaderChange", "4.4-leader-killed", func(d *disk) {
		b := d.batch(epoch2)
		b[keyTypeAt] = 3
		d.seal(b)
	}, "K21", epoch2},
	{"an epoch that begins in the middle of another's", "4.4-leader-killed", func(d *disk) {
		binary.BigEndian.PutUint32(d.batch(25)[epochAt:], 2)
		d.seal(d.batch(25))
	}, "K21", 22},
	{"LeaderChange in the middle of an epoch", "4.4-leader-killed", func(d *disk) {
		binary.BigEndian.PutUint32(d.batch(epoch2)[epochAt:], 1)
		d.seal(d.batch(epoch2))
	}, "K21", epoch2},
	{"an offset is left out", "4.4-leader-killed", func(d *disk) {
		b := d.batch(20)
		binary.BigEndian.PutUint64(b, binary.BigEndian.Uint64(b)+1)
		d.seal(b)
	}, "K19", 21},
	{"an offset is used twice", "4.4-leader-killed", func(d *disk) {
		b := d.batch(20)
		binary.BigEndian.PutUint64(b, binary.BigEndian.Uint64(b)-1)
		d.seal(b)
	}, "K19", 19},
	{"a snapshot of a later epoch than its last record", "4.4-leader-killed", func(d *disk) {
		d.rename("00000000000000000000-0000000000.checkpoint", "00000000000000000031-0000000002.checkpoint")
	}, "K24", 31},
	{"a snapshot that ends one record too late (KAFKA-14618)", "4.4-leader-killed", func(d *disk) {
		d.rename("00000000000000000000-0000000000.checkpoint", "00000000000000000032-0000000001.checkpoint")
	}, "K24", 32},
	{"a leader without what a snapshot says is committed", "4.4-leader-killed", func(d *disk) {
		d.rename("00000000000000000000-0000000000.checkpoint", "00000000000000000040-0000000001.checkpoint")
	}, "K25", 40},
	{"snapshots of two epochs that end at one offset", "3.9-snapshots", func(d *disk) {
		names, _ := filepath.Glob(filepath.Join(d.folder, "*-0000000001.checkpoint"))
		require.NotEmpty(d.t, names)
		name := filepath.Base(names[0])
		d.rename(name, strings.Replace(name, "-0000000001", "-0000000000", 1))
	}, "K14", 591},
	{"a log start without a snapshot (KAFKA-14240)", "3.9-snapshots", func(d *disk) {
		names, _ := filepath.Glob(filepath.Join(d.folder, "*.checkpoint"))
		require.NotEmpty(d.t, names)
		for _, name := range names {
			require.NoError(d.t, os.Remove(name))
		}
	}, "K26", 507},
	{"leader-epoch-checkpoint begins an epoch too early", "4.4-leader-killed", func(d *disk) {
		d.write("leader-epoch-checkpoint", "0\n2\n1 0\n2 29\n")
	}, "K27", 76},
	{"quorum-state knows another leader of the epoch", "4.4-leader-killed", func(d *disk) {
		d.write("quorum-state", `{"leaderId":1,"leaderEpoch":3,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}`)
	}, "I01", 76},
	{"a transaction within a transaction", "4.4-leader-killed", func(d *disk) { d.change(11, "\x01\x18", -1, 0x17) }, "D01", 11},
	{"two topics of one name", "4.4-leader-killed", func(d *disk) { d.change(27, "before-0-", 0, '0') }, "D02", 27},
	{"a partition of no topic", "4.4-leader-killed", func(d *disk) { d.change(23, partition2, 4+15, 0x55) }, "D03", 23},
	{"a change of no partition", "4.4-leader-killed", func(d *disk) { d.change(57, change2, 3, 7) }, "D04", 57},
	{"a change of an older registration", "4.4-leader-killed", func(d *disk) { d.change(56, inShutdown1, 4+7, 18) }, "D05", 56},
	{"a broker epoch that is not reached yet", "4.4-leader-killed", func(d *disk) { d.change(19, broker4, 4+1+16+7, 20) }, "D06", 19},
	{"a replica in sync that is none", "4.4-leader-killed", func(d *disk) { d.change(28, partition2, 4+16+5+4, 11) }, "D08", 28},
	{"a leader that is not in sync", "4.4-leader-killed", func(d *disk) { d.change(28, partition2, 4+16+5+5+1+1+3, 11) }, "D09", 28},
	{"a record that cannot be read, of a batch with the right checksum", "4.4-leader-killed", func(d *disk) { d.change(20, "\x01\x11\x00", -3, 2) }, "D12", 20},
}

// change changes a record in the batch that holds an offset: behind the first occurrence of head, the byte at a distance.
func (d *disk) change(offset int, head string, distance int, to byte) {
	b := d.batch(offset)
	i := bytes.Index(b, []byte(head))
	require.GreaterOrEqual(d.t, i, 0)
	b[i+len(head)+distance] = to
	d.seal(b)
}

// The first bytes of records: the version of the frame, the type, the version of the record.
const (
	broker4     = "\x01\x00\x04"
	partition2  = "\x01\x03\x02"
	change2     = "\x01\x05\x02"
	inShutdown1 = "\x01\x11\x01"
)

// TestDiskFaults: each fault is caught under its own rule, at its offset, whether all nodes are given or the one.
func TestDiskFaults(t *testing.T) {
	for _, f := range diskFaults {
		t.Run(f.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("../../samples/kraft-metadata", f.sample, "trace"))))
			out, summary, code := tracecheck(t, "check", dir)
			require.Zero(t, code, "%s%s", out, summary)
			f.plant(readDisk(t, filepath.Join(dir, "node2", "__cluster_metadata-0")))
			out, summary, code = tracecheck(t, "check", dir)
			require.Equal(t, 1, code, "%s%s", out, summary)
			require.Regexp(t, fmt.Sprintf(`violation %s [^\n]*\n   --> [^\n]*node\d+/__cluster_metadata-0[^\n]* offset %d\n`, f.rule, f.offset), out)
		})
	}
}
