package ingest

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"testing/iotest"

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

func TestGzipIsSeenByItsBytes(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte("a\nb\n"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	lines, _, err := read(t, bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, lines)

	_, _, err = read(t, bytes.NewReader(b.Bytes()[:b.Len()-6]))
	require.ErrorContains(t, err, "x:")
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
