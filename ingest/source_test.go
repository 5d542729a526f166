package ingest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

func read(t *testing.T, r io.Reader) (lines []string, flaws []Flaws, err error) {
	t.Helper()
	s, err := NewReader(r, "x", 3)
	require.NoError(t, err)
	var rec Record
	for n := uint64(1); s.Next(&rec); n++ {
		source, line := SplitRef(rec.Ref)
		require.Equal(t, 3, source)
		require.Equal(t, n, line)
		lines = append(lines, string(rec.Data))
		flaws = append(flaws, rec.Flaws)
	}
	return lines, flaws, s.Err()
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, in string
		lines    []string
		flaws    []Flaws
	}{
		{"empty", "", nil, nil},
		{"plain", "a\nb\n", []string{"a", "b"}, []Flaws{0, 0}},
		{"no end", "a\nb", []string{"a", "b"}, []Flaws{0, Unterminated}},
		{"crlf and blank", "a\r\n\r\nb\r\n", []string{"a", "", "b"}, []Flaws{0, 0, 0}},
		{"bom", "\xef\xbb\xbfa\n", []string{"a"}, []Flaws{0}},
		{"invalid", "a\xff\n", []string{"a\xff"}, []Flaws{InvalidUTF8}},
		{"binary", "a\x00b\n\tc\n", []string{"a\x00b", "\tc"}, []Flaws{Binary, 0}},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.in), "bytes": iotest.OneByteReader(strings.NewReader(c.in)),
			"half": iotest.HalfReader(strings.NewReader(c.in)),
		} {
			lines, flaws, err := read(t, r)
			require.NoError(t, err)
			require.Equal(t, c.lines, lines, "%s %s", c.name, name)
			require.Equal(t, c.flaws, flaws, "%s %s", c.name, name)
		}
	}
}

func TestLongLineIsPassedOver(t *testing.T) {
	long := strings.Repeat("x", MaxLine+chunk)
	lines, flaws, err := read(t, strings.NewReader("a\n"+long+"\nb\n"))
	require.NoError(t, err)
	require.Len(t, lines, 3)
	require.Equal(t, []Flaws{0, TooLong, 0}, flaws)
	require.Equal(t, long[:keptOfLong], lines[1])
	require.Equal(t, "b", lines[2])
}

// TestPackedIsSeenByItsBytes: what is packed is unpacked, and what ends in the
// middle is an error after everything that could be read.
func TestPackedIsSeenByItsBytes(t *testing.T) {
	bzipped, err := hex.DecodeString("425a68393141592653593c854112000001410000103000200030cc0c7a8271772453850903c8541120")
	require.NoError(t, err)
	packed := map[string][]byte{"bzip2": bzipped}
	for name, to := range map[string]func(io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w)
			require.NoError(t, err)
			return z
		},
	} {
		var b bytes.Buffer
		z := to(&b)
		_, err := io.WriteString(z, "a\nb\n")
		require.NoError(t, err)
		require.NoError(t, z.Close())
		packed[name] = b.Bytes()
	}
	for name, b := range packed {
		lines, _, err := read(t, bytes.NewReader(b))
		require.NoError(t, err, name)
		require.Equal(t, []string{"a", "b"}, lines, name)

		_, _, err = read(t, bytes.NewReader(b[:len(b)-6]))
		require.ErrorContains(t, err, "x:", name)
	}
}

func TestUTF16(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeffaé\r\n→b\n")) {
			b = order.AppendUint16(b, u)
		}
		lines, flaws, err := read(t, bytes.NewReader(b))
		require.NoError(t, err)
		require.Equal(t, []string{"aé", "→b"}, lines)
		require.Equal(t, []Flaws{0, 0}, flaws)
	}
}

// TestHeadOfAFile: enough of a file's first lines to tell whose they are.
func TestHeadOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat(strings.Repeat("x", 200)+"\n", 100)), 0o644))
	s, err := Open(path, 0)
	require.NoError(t, err)
	defer s.Close()
	require.Len(t, s.Head(64), 64)
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("a\r\nb\n\nc"), uint8(1))
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		whole, err := NewReader(bytes.NewReader(in), "x", 0)
		if err != nil {
			return
		}
		pieces, err := NewReader(iotest.OneByteReader(bytes.NewReader(in)), "x", 0)
		require.NoError(t, err)
		var a, b Record
		for whole.Next(&a) {
			require.True(t, pieces.Next(&b))
			require.Equal(t, a.Data, b.Data)
			require.Equal(t, a.Flaws, b.Flaws)
		}
		require.False(t, pieces.Next(&b))
	})
}

// BenchmarkLines reads lines of the length of an etcd trace's; "scan" is
// bufio.Scanner over the same bytes, which looks at nothing but line ends.
func BenchmarkLines(b *testing.B) {
	line := `{"level":"info","ts":"2026-12-01T05:17:20.503Z","msg":"trace","tag":"trace","event":{"name":"SendAppendEntriesRequest","nid":"1",` +
		strings.Repeat(`"state":{"term":2}`, 8) + "}\n"
	text := strings.Repeat(line, 10_000)
	b.Run("source", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			s, err := NewReader(strings.NewReader(text), "x", 0)
			require.NoError(b, err)
			var rec Record
			for s.Next(&rec) {
			}
			require.EqualValues(b, 10_000, s.Lines())
		}
	})
	b.Run("scan", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			s := bufio.NewScanner(strings.NewReader(text))
			for s.Scan() {
			}
		}
	})
}
