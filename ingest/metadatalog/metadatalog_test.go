package metadatalog

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const first, second = "00000000000000000000.log", "00000000000000000051.log"

// whole is a log of two epochs in two segments.
func whole() map[string][]byte {
	return map[string][]byte{
		first:                     slices.Concat(made(0, 1, 1, true, change(1, []int32{1, 2, 3}, []int32{1, 2})), made(1, 1, 50, false, nil)),
		second:                    made(51, 2, 1, true, change(2, []int32{1, 2, 3}, []int32{2, 3})),
		"leader-epoch-checkpoint": []byte("0\n2\n1 0\n2 51\n"),
		"quorum-state":            []byte(`{"leaderId":2,"leaderEpoch":2,"data_version":1}`),
		"00000000000000000051-0000000001.checkpoint": made(0, 0, 1, true, nil),
		"00000000000000000000.index":                 {1, 2, 3},
	}
}

// texts takes away what differs from machine to machine, and what is not told apart here.
func texts(rows []string) (short []string) {
	for _, r := range rows {
		_, r, _ = strings.Cut(r, ": ")
		r, _, _ = strings.Cut(r, " count: ")
		short = append(short, r)
	}
	return short
}

func TestAFolderIsReadInTheOrderOfItsOffsets(t *testing.T) {
	require.Equal(t, []string{
		"log begins at offset 0, latest snapshot ends at 51",
		"baseOffset: 0 lastOffset: 0",
		"baseOffset: 1 lastOffset: 50",
		"snapshot end offset: 51, epoch: 1",
		"baseOffset: 51 lastOffset: 51",
		"leader-epoch-checkpoint: epoch 1 startOffset 0",
		"leader-epoch-checkpoint: epoch 2 startOffset 51",
		`quorum-state: {"leaderId":2,"leaderEpoch":2,"data_version":1}`,
	}, texts(rows(t, folder(t, whole()))))
}

func TestALeaderChangeIsToldAsKafkaDoes(t *testing.T) {
	all := rows(t, folder(t, whole()))
	require.Contains(t, all[1], ` partitionLeaderEpoch: 1 isControl: true `)
	require.True(t, strings.HasSuffix(all[1], `isvalid: true LeaderChange: {"version":0,"leaderId":1,`+
		`"voters":[{"voterId":1},{"voterId":2},{"voterId":3}],"grantingVoters":[{"voterId":1},{"voterId":2}]}`), all[1])
}

func TestNodesAreReadSideBySide(t *testing.T) {
	var order []string
	for _, r := range rows(t, folder(t, whole()), folder(t, whole())) {
		node, text, _ := strings.Cut(r, ": baseOffset: ")
		if base, _, is := strings.Cut(text, " "); is {
			order = append(order, base)
			require.True(t, strings.HasPrefix(node, "node "))
		}
	}
	require.Equal(t, []string{"0", "0", "1", "1", "51", "51"}, order)
}

func TestTheNodeIsThatOfMetaProperties(t *testing.T) {
	dir := folder(t, whole())
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(dir), "meta.properties"), []byte("#x\nnode.id=7\r\ncluster.id=abc\nversion=1\n"), 0o644))
	f, err := Look(dir)
	require.NoError(t, err)
	require.Equal(t, "7", f.Node)
	require.Equal(t, "abc", f.Cluster)
}

// TestDamage: what a crash, a copy or a bad disk does to a log is told as what it is, and the reading goes on.
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(files map[string][]byte)
		want  string // a row; a loss is "(lost)"
		left  int    // batches that are read
	}{
		{"the last batch is cut", func(f map[string][]byte) { f[second] = f[second][:70] }, "torn: " + second + ": the last batch is not whole", 2},
		{"the last header is cut", func(f map[string][]byte) { f[second] = f[second][:20] }, "torn: " + second + ": the last batch is not whole", 2},
		{"zeros behind the end", func(f map[string][]byte) { f[second] = append(f[second], make([]byte, 100)...) }, "baseOffset: 51 lastOffset: 51", 3},
		{"a few zeros behind the end", func(f map[string][]byte) { f[second] = append(f[second], make([]byte, 9)...) }, "baseOffset: 51 lastOffset: 51", 3},
		{"a segment before the last is cut", func(f map[string][]byte) { f[first] = f[first][:len(f[first])-3] }, "damaged: " + first + ": the last batch is not whole", 2},
		{"a byte has changed", func(f map[string][]byte) { f[first][len(f[first])-1] ^= 1 }, "damaged: " + first + ": at byte 106: the checksum of the batch does not match", 2},
		{"a segment is missing", func(f map[string][]byte) { f["00000000000000000080.log"] = made(80, 2, 1, false, nil) }, "(lost)", 4},
		{"an offset beyond belief", func(f map[string][]byte) { f[second] = made(1<<50, 2, 1, false, nil) }, "damaged: " + second + ": at byte 0: the checksum of the batch does not match", 2},
		{"another format", func(f map[string][]byte) { f[second][16] = 1 }, "torn: " + second + ": at byte 0: message format 1: the last batch is not whole", 2},
		{"a snapshot is cut", func(f map[string][]byte) {
			const name = "00000000000000000051-0000000001.checkpoint"
			f[name] = f[name][:len(f[name])-1]
		}, "damaged: 00000000000000000051-0000000001.checkpoint: the last batch is not whole", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := whole()
			c.spoil(files)
			all := rows(t, folder(t, files))
			lost := slices.Contains(all, "(lost)")
			short := texts(all)
			if c.want == "(lost)" {
				require.True(t, lost)
			} else {
				require.Contains(t, short, c.want)
			}
			batches := 0
			for _, r := range short {
				if strings.HasPrefix(r, "baseOffset: ") {
					batches++
				}
			}
			require.Equal(t, c.left, batches, "%s", all)
		})
	}
}

func TestWhatIsALogAndWhatIsNot(t *testing.T) {
	dir := folder(t, whole())
	require.True(t, Is(dir))
	require.True(t, Is(filepath.Join(dir, first)))
	require.False(t, Is(filepath.Dir(dir)))
	require.False(t, Is(filepath.Join(dir, "quorum-state")))
	require.False(t, Is(filepath.Join(dir, "missing")))
	text := filepath.Join(t.TempDir(), first)
	require.NoError(t, os.WriteFile(text, []byte("[2026-12-01 10:00:00,000] INFO a log of lines that has the name of a segment, for whatever reason\n"), 0o644))
	require.False(t, Is(text))
	_, err := Look(folder(t, nil))
	require.ErrorContains(t, err, "holds no segment and no snapshot")
}

// FuzzBatches: whatever the bytes are, the reading ends, and a batch that is returned has the checksum that it should.
func FuzzBatches(f *testing.F) {
	files := whole()
	f.Add(files[first])
	f.Add(files[first][:100])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := NewBatches(bytes.NewReader(data))
		var b Batch
		for read := 0; ; read++ {
			err := in.Next(&b)
			if errors.Is(err, ErrCRC) {
				continue
			}
			if err != nil {
				require.True(t, err == io.EOF || errors.Is(err, ErrTorn), "%v", err)
				return
			}
			require.LessOrEqual(t, (read+1)*headerSize, len(data))
			require.GreaterOrEqual(t, b.Last, b.Base)
			appendBatch(nil, &b)
		}
	})
}

// BenchmarkFeed reads batches of ten changes of partitions, and batches of one NoOp, as an idle cluster writes them.
func BenchmarkFeed(b *testing.B) {
	change := value(5, 0, append(make([]byte, 20), 2, 0, 9, 3, 0, 0, 0, 1, 0, 0, 0, 2, 1, 4, 0, 0, 0, 2)...)
	var changes []byte
	for i := range byte(10) {
		changes = append(changes, framed(i, change)...)
	}
	for name, batch := range map[string][]byte{"changes": changes, "idle": framed(0, value(20, 0, 0))} {
		b.Run(name, func(b *testing.B) {
			var segment []byte
			for base := int64(0); base < 20_000; base++ {
				if name == "changes" {
					segment = append(segment, made(base*10, 1, 10, false, batch)...)
				} else {
					segment = append(segment, made(base, 1, 1, false, batch)...)
				}
			}
			f, err := Look(folder(b, map[string][]byte{first: segment}))
			require.NoError(b, err)
			b.SetBytes(int64(len(segment)))
			b.ReportAllocs()
			for b.Loop() {
				feed := Open([]*Folder{f})
				for {
					if _, err := feed.Next(); err != nil {
						break
					}
				}
				feed.Close()
			}
		})
	}
}
