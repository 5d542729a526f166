package metadatalog

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func all(uint64) bool { return true }

// TestPayload: records are written as kafka-dump-log does.
func TestPayload(t *testing.T) {
	topic := []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}
	for want, v := range map[string][]byte{
		`{"type":"TOPIC_RECORD","version":0,"data":{"name":"orders","topicId":"AAAAAAAAAAAAAAAAAAAAAQ"}}`: value(2, 0, append(append([]byte("\x07orders"), topic...), 0)...),
		// Tagged fields: isr (0) [1,2], leader (1) 2, and one (40) that is not known.
		`{"type":"PARTITION_CHANGE_RECORD","version":0,"data":{"partitionId":3,"topicId":"AAAAAAAAAAAAAAAAAAAAAQ","isr":[1,2],"leader":2}}`: value(5, 0,
			append(append([]byte{0, 0, 0, 3}, topic...), 3, 0, 9, 3, 0, 0, 0, 1, 0, 0, 0, 2, 1, 4, 0, 0, 0, 2, 40, 1, 77)...),
		// A negative number; a string that needs quotes.
		`{"type":"UNREGISTER_BROKER_RECORD","version":0,"data":{"brokerId":-1,"brokerEpoch":258}}`:      value(1, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 1, 2, 0),
		`{"type":"TOPIC_RECORD","version":0,"data":{"name":"a\"b","topicId":"AAAAAAAAAAAAAAAAAAAAAQ"}}`: value(2, 0, append(append([]byte("\x04a\"b"), topic...), 0)...),
	} {
		line, known, err := appendPayload(nil, v, all)
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, want, string(line))
	}
}

// TestPayloadUnknown: types and versions that came later are told as that, and what is not whole is an error.
func TestPayloadUnknown(t *testing.T) {
	for _, v := range [][]byte{value(120, 0, 1, 2), value(2, 9, 1)} {
		line, _, err := appendPayload([]byte("x"), v, all)
		require.ErrorIs(t, err, errLater)
		require.Equal(t, "x", string(line))
	}
	for _, v := range [][]byte{nil, {2, 2, 0}, value(1, 0, 0, 0, 0, 1), value(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 99), value(2, 0, 0)} {
		_, _, err := appendPayload(nil, v, all)
		require.ErrorIs(t, err, errRecord)
	}
}

// FuzzPayload: whatever stands in a value, what is written of it is JSON.
func FuzzPayload(f *testing.F) {
	f.Add(value(2, 0, append([]byte("\x07orders"), make([]byte, 17)...)...))
	f.Add(value(0, 1, make([]byte, 60)...))
	f.Add(value(5, 2, append(make([]byte, 20), 2, 0, 5, 2, 0, 0, 0, 1, 6, 1, 0)...))
	f.Add(value(27, 0, make([]byte, 40)...))
	f.Fuzz(func(t *testing.T, v []byte) {
		line, known, err := appendPayload(nil, v, all)
		if known && err == nil {
			require.True(t, json.Valid(line), "%s", line)
		}
		recs := records{rest: v, left: 3}
		for {
			if _, _, _, ok, _ := recs.next(); !ok {
				break
			}
		}
	})
}

// TestRecordRows: the records of a log that say which topics, partitions and brokers there are have rows of their own.
func TestRecordRows(t *testing.T) {
	topic := value(2, 0, append([]byte("\x02a"), make([]byte, 17)...)...)
	noop := value(20, 0, 0)
	log := made(0, 1, 1, true, change(1, []int32{1}, []int32{1}))
	log = append(log, made(1, 1, 3, false, append(append(framed(0, noop), framed(1, topic)...), framed(2, []byte{7})...))...)
	dir := folder(t, map[string][]byte{"00000000000000000000.log": log})
	got := rows(t, dir)
	require.Len(t, got, 5)
	require.Contains(t, got[3], `: | offset: 2 payload: {"type":"TOPIC_RECORD","version":0,"data":{"name":"a","topicId":"AAAAAAAAAAAAAAAAAAAAAA"}}`)
	require.Contains(t, got[4], ": | offset: 3 cannot be read")
}

// TestDefinitions: the table is read as it is written.
func TestDefinitions(t *testing.T) {
	text, err := os.ReadFile("records.txt")
	require.NoError(t, err)
	require.Equal(t, string(text), recordsText)
	require.Len(t, definitions, 27)
	broker := definitions[0]
	require.Equal(t, "REGISTER_BROKER_RECORD", broker.name)
	require.Equal(t, versions{0, 5}, broker.versions)
	require.Len(t, broker.fields[4].fields, 4)
	for key := range definitions {
		require.True(t, !shown(key) || definitions[key].versions.has(0))
	}
}
