package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBackwards(t *testing.T) {
	long := strings.Repeat("x", 3*chunk)
	for _, text := range []string{"", "a", "a\n", "a\nb", "a\r\nb\r\n", "\na\n\nb\n\n", long + "\nb\n" + long, strings.Repeat("line\n", chunk)} {
		path := filepath.Join(t.TempDir(), "x")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		forward, err := Open(path, 7)
		require.NoError(t, err)
		back, err := OpenBackwards(path, 7)
		require.NoError(t, err)
		type line struct {
			text string
			ref  any
		}
		read := func(s *Source) (lines []line) {
			var rec Record
			for s.Next(&rec) {
				lines = append(lines, line{string(rec.Data), rec.Ref})
			}
			require.NoError(t, s.Err())
			require.NoError(t, s.Close())
			return lines
		}
		want := read(forward)
		slices.Reverse(want)
		require.Equal(t, want, read(back), "%.20q", text)
	}
}

func TestNewestFirst(t *testing.T) {
	var lines [][]byte
	for i := range 20 {
		lines = append(lines, fmt.Appendf(nil, "2026-12-01T05:17:%02dZ [INFO] x", i/2), []byte("no stamp"))
	}
	require.False(t, NewestFirst(lines))
	slices.Reverse(lines)
	require.True(t, NewestFirst(lines))
	require.False(t, NewestFirst(lines[:5]))
	require.False(t, NewestFirst(nil))
}
