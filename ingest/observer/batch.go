package observer

import (
	"encoding/base64"
	"encoding/binary"
)

// A batch is the beginning of a record batch, format 2: what is needed to walk from one to the next. Its length in bytes
// is size, and its records have the offsets base to last.
type batch struct {
	base, last int64
	epoch      int32
	size       int
}

// The header up to lastOffsetDelta: baseOffset 8, batchLength 4, partitionLeaderEpoch 4, magic 1, crc 4, attributes 2, lastOffsetDelta 4.
const headerBytes = 27

// firstBatch reads the head of b. false: b holds no whole batch.
func firstBatch(b []byte) (batch, bool) {
	if len(b) < headerBytes {
		return batch{}, false
	}
	base := int64(binary.BigEndian.Uint64(b))
	length := int64(int32(binary.BigEndian.Uint32(b[8:])))
	if length < headerBytes-12 || length+12 > int64(len(b)) {
		return batch{}, false
	}
	return batch{
		base: base, last: base + int64(int32(binary.BigEndian.Uint32(b[23:]))),
		epoch: int32(binary.BigEndian.Uint32(b[12:])), size: int(length + 12),
	}, true
}

// id writes a directory id as Kafka does.
func id(b [16]byte) string { return base64.RawURLEncoding.EncodeToString(b[:]) }
