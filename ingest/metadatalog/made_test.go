package metadatalog

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// made is a batch of count records, as Kafka writes it.
func made(base, epoch int64, count int, control bool, records []byte) []byte {
	b := make([]byte, headerSize, headerSize+len(records))
	b = append(b, records...)
	binary.BigEndian.PutUint64(b, uint64(base))
	binary.BigEndian.PutUint32(b[lengthAt:], uint32(len(b)-counted))
	binary.BigEndian.PutUint32(b[12:], uint32(epoch))
	b[16] = 2
	if control {
		b[22] = 0x20
	}
	binary.BigEndian.PutUint32(b[23:], uint32(count-1))
	binary.BigEndian.PutUint64(b[27:], 1_700_000_000_000)
	binary.BigEndian.PutUint32(b[57:], uint32(count))
	binary.BigEndian.PutUint32(b[17:], crc32.Checksum(b[21:], castagnoli))
	return b
}

// change is the record that begins an epoch.
func change(leader int32, voters, granting []int32) []byte {
	list := func(ids []int32) (voters []kmsg.LeaderChangeMessageVoter) {
		for _, id := range ids {
			voters = append(voters, kmsg.LeaderChangeMessageVoter{VoterID: id})
		}
		return voters
	}
	m := kmsg.LeaderChangeMessage{LeaderID: leader, Voters: list(voters), GrantingVoters: list(granting)}
	value := m.AppendTo(nil)
	record := []byte{0, 0, 0}                                   // attributes, timestampDelta, offsetDelta
	record = append(binary.AppendVarint(record, 4), 0, 0, 0, 2) // key: version 0, type 2
	record = append(binary.AppendVarint(record, int64(len(value))), value...)
	record = append(record, 0) // headers
	return append(binary.AppendVarint(nil, int64(len(record))), record...)
}

// value is the value of a metadata record: frame version 1, apiKey, version, and the fields.
func value(apiKey, version byte, fields ...byte) []byte {
	return append([]byte{1, apiKey, version}, fields...)
}

// framed is the record with a value, delta behind the first offset of its batch.
func framed(delta byte, v []byte) []byte {
	r := []byte{0, 0}                                   // attributes, timestampDelta
	r = append(binary.AppendVarint(r, int64(delta)), 1) // no key
	r = append(append(binary.AppendVarint(r, int64(len(v))), v...), 0)
	return append(binary.AppendVarint(nil, int64(len(r))), r...)
}

// folder writes files into a folder of a node and returns its path.
func folder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "__cluster_metadata-0")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	return dir
}

// rows are the texts of all rows of folders, with "(lost)" where records are missing.
func rows(t testing.TB, paths ...string) (texts []string) {
	t.Helper()
	var folders []*Folder
	for _, p := range paths {
		f, err := Look(p)
		require.NoError(t, err)
		folders = append(folders, f)
	}
	feed := Open(folders)
	defer feed.Close()
	last := uint64(0)
	for {
		row, err := feed.Next()
		if err != nil {
			return texts
		}
		require.GreaterOrEqual(t, row.Offset, last, "rows are in order")
		last = row.Offset
		if row.Lost {
			texts = append(texts, "(lost)")
			continue
		}
		texts = append(texts, string(row.Value))
	}
}
