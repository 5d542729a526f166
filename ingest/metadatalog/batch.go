package metadatalog

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A Batch is a record batch in Kafka's message format 2.
type Batch struct {
	Base, Last int64  // offsets of the first and the last record
	Epoch      int32  // partitionLeaderEpoch: in the metadata log the epoch of KRaft
	CRC        uint32 // CRC-32C of everything behind it; it was verified
	Control    bool   // its records are control records
	Codec      int8   // of Records: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd
	Count      int32  // of records
	Time       int64  // of the first record, in milliseconds since 1970
	Position   int64  // of its first byte in the file
	Records    []byte // as they stand in the file; valid until the next call
	Size       int    // in bytes, with the header
}

// headerSize is that of a batch, up to its records; lengthAt is where its length stands, which counts what follows.
const (
	headerSize = 61
	lengthAt   = 8
	counted    = lengthAt + 4
)

// maxBatch bounds the memory for one batch. Kafka's own bound for the metadata log is 8 MiB.
const maxBatch = 64 << 20

// maxOffset is beyond what a metadata log comes to in a thousand years.
const maxOffset = 1 << 40

// The ways in which a file ends, or breaks off. Behind ErrTorn nothing more is read: the process ended, or the file was
// copied, while the batch was being written. Behind ErrCRC the next batch can be read.
var (
	ErrTorn = errors.New("the last batch is not whole")
	ErrCRC  = errors.New("the checksum of the batch does not match")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Batches reads the batches of a segment or a snapshot, one at a time.
type Batches struct {
	r   *bufio.Reader
	at  int64
	buf []byte
}

// NewBatches returns a reader of the batches in r.
func NewBatches(r io.Reader) *Batches {
	return &Batches{r: bufio.NewReaderSize(r, 256<<10), buf: make([]byte, headerSize, 64<<10)}
}

// Next reads the next batch into b. It returns io.EOF at the end, [ErrTorn] or [ErrCRC], or the error of the reader.
func (s *Batches) Next(b *Batch) error {
	head := s.buf[:headerSize]
	n, err := io.ReadFull(s.r, head)
	switch {
	case err == io.EOF:
		return io.EOF
	case err == io.ErrUnexpectedEOF:
		if allZero(head[:n]) {
			return io.EOF
		}
		return ErrTorn
	case err != nil:
		return err
	}
	size := int64(int32(binary.BigEndian.Uint32(head[lengthAt:]))) + counted
	switch {
	case allZero(head): // a file that was made longer in advance, or was when the machine stopped
		return io.EOF
	case size < headerSize || size > maxBatch:
		return fmt.Errorf("at byte %d: a batch of %d bytes: %w", s.at, size, ErrTorn)
	case head[16] != 2:
		return fmt.Errorf("at byte %d: message format %d: %w", s.at, head[16], ErrTorn)
	}
	if int64(cap(s.buf)) < size {
		grown := make([]byte, size)
		copy(grown, head)
		s.buf = grown
	}
	all := s.buf[:size]
	if _, err := io.ReadFull(s.r, all[headerSize:]); err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrTorn
	} else if err != nil {
		return err
	}
	b.fill(all, s.at)
	s.at += size
	if crc32.Checksum(all[21:], castagnoli) != b.CRC || b.Base < 0 || b.Last < b.Base || b.Last >= maxOffset {
		return ErrCRC
	}
	return nil
}

func (b *Batch) fill(all []byte, at int64) {
	attributes := binary.BigEndian.Uint16(all[21:])
	base := int64(binary.BigEndian.Uint64(all))
	*b = Batch{
		Base: base, Last: base + int64(int32(binary.BigEndian.Uint32(all[23:]))),
		Epoch: int32(binary.BigEndian.Uint32(all[12:])), CRC: binary.BigEndian.Uint32(all[17:]),
		Control: attributes&0x20 != 0, Codec: int8(attributes & 7), Count: int32(binary.BigEndian.Uint32(all[57:])),
		Time: int64(binary.BigEndian.Uint64(all[27:])), Position: at, Records: all[headerSize:], Size: len(all),
	}
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
