package adapters

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestClock(t *testing.T) {
	for text, want := range map[string]uint64{
		"1700000000.0281951":             1700000000028195100,
		"1712329729.6024537":             1712329729602453700,
		"1700000000":                     1700000000000000000,
		"1700000000123":                  1700000000123000000,
		"1700000000123.5":                1700000000123500000,
		"1700000000123456":               1700000000123456000,
		"1700000000123456789":            1700000000123456789,
		"683":                            683000000000,
		"0.25":                           250000000,
		"2023-11-14T22:13:20Z":           1700000000000000000,
		"2023-11-14T22:13:20.5Z":         1700000000500000000,
		"2023-11-14 22:13:20,028":        1700000000028000000,
		"2023-11-15T00:13:20.028+0200":   1700000000028000000,
		"2023-11-14T16:43:20.028-05:30":  1700000000028000000,
		"":                               0,
		"yesterday":                      0,
		"2023-13-14T22:13:20Z":           0,
		"2023-11-14T22:13:2xZ":           0,
		"12345678901234567890":           0,
		"1700000000.0281951x":            0,
		"2023-11-14T22:13:20 Europe/Rom": 0,
	} {
		require.Equal(t, want, Clock(text), "%q", text)
	}
}

// FuzzClock holds the calendar against the standard library's.
func FuzzClock(f *testing.F) {
	f.Add(int64(1700000000), int64(5))
	f.Add(int64(951782400), int64(999999999)) // 29 February 2000
	f.Fuzz(func(t *testing.T, seconds, nanos int64) {
		at := time.Unix(seconds&(1<<32-1)+1, nanos&(1<<29-1)).UTC()
		text := at.Format(time.RFC3339Nano)
		require.Equal(t, uint64(at.UnixNano()), Clock(text), text)
		Clock(text[:len(text)/2])
	})
}
