package metadatalog

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// records goes through the records of a batch.
type records struct {
	rest []byte
	left int32
	base int64
}

// recordsOf returns the records of a batch that is not compressed.
func recordsOf(b *Batch) records {
	if b.Codec != 0 {
		return records{}
	}
	return records{rest: b.Records, left: b.Count, base: b.Base}
}

// errRecord: a record is not what Kafka's format says.
var errRecord = errors.New("a record cannot be read")

// errLater: a record is of a type or a version that the table does not have.
var errLater = errors.New("a record of a later version of Kafka")

// next returns the offset, the key and the value of the next record; of one that cannot be read the offset of the batch. ok is
// false at the end.
func (r *records) next() (offset int64, key, value []byte, ok bool, err error) {
	if r.left <= 0 || len(r.rest) == 0 {
		r.left = 0
		return r.base, nil, nil, false, nil
	}
	r.left--
	c := cursor{b: r.rest}
	length := c.varint()
	if c.failed || length < 0 || length > int64(len(c.b)) {
		r.left = 0
		return r.base, nil, nil, false, errRecord
	}
	r.rest = c.b[length:]
	c.b = c.b[:length]
	c.take(1) // attributes
	c.varint()
	offset = r.base + c.varint()
	key, value = c.blob(), c.blob()
	if c.failed || offset < r.base || offset >= maxOffset {
		return r.base, nil, nil, false, errRecord
	}
	return offset, key, value, true, nil
}

// cursor reads from the front of b. After a failure everything that it reads is zero.
type cursor struct {
	b      []byte
	failed bool
}

func (c *cursor) take(n int64) []byte {
	if n < 0 || n > int64(len(c.b)) {
		c.failed, c.b = true, nil
		return nil
	}
	taken := c.b[:n]
	c.b = c.b[n:]
	return taken
}

func (c *cursor) varint() int64 {
	n, size := binary.Varint(c.b)
	c.pass(size)
	return n
}

func (c *cursor) uvarint() uint64 {
	n, size := binary.Uvarint(c.b)
	c.pass(size)
	return n
}

// pass goes on behind a varint of a size as package binary returns it: not positive, and the varint 0, if it is none.
func (c *cursor) pass(size int) {
	if size <= 0 {
		c.failed, c.b = true, nil
		return
	}
	c.b = c.b[size:]
}

// blob reads bytes behind their length; -1 stands for null.
func (c *cursor) blob() []byte {
	n := c.varint()
	if n == -1 {
		return nil
	}
	return c.take(n)
}

// fixed reads a number of n bytes.
func (c *cursor) fixed(n int64) (u uint64) {
	for _, x := range c.take(n) {
		u = u<<8 | uint64(x)
	}
	return u
}

// appendPayload writes the record in a value as Kafka's tools do: its type, its version and its fields. known is false for a
// type that is not wanted; then nothing is written.
func appendPayload(line, value []byte, wanted func(apiKey uint64) bool) (_ []byte, known bool, err error) {
	c := cursor{b: value}
	frame, key, version := c.uvarint(), c.uvarint(), int64(c.uvarint())
	if c.failed || frame != 1 {
		return line, true, errRecord
	}
	d := definitions[key]
	if d == nil || !d.versions.has(version) {
		return line, true, errLater
	}
	start := len(line)
	line = append(line, `{"type":"`...)
	line = append(line, d.name...)
	line = append(line, `","version":`...)
	line = strconv.AppendInt(line, version, 10)
	line = append(line, `,"data":`...)
	line = c.object(line, d.fields, version, 0)
	if c.failed || len(c.b) > 0 {
		return line[:start], true, errRecord
	}
	if !wanted(key) {
		return line[:start], false, nil
	}
	return append(line, '}'), true, nil
}

// maxDepth is more than any record nests.
const maxDepth = 8

// object writes the fields of a message, and then the tagged ones that are there.
func (c *cursor) object(line []byte, fields []field, version int64, depth int) []byte {
	if depth > maxDepth {
		c.failed = true
		return line
	}
	line = append(line, '{')
	first := true
	one := func(f *field) {
		if !first {
			line = append(line, ',')
		}
		first = false
		line = append(line, f.key...)
		line = c.value(line, f, f.kind, version, depth)
	}
	for i := range fields {
		if f := &fields[i]; f.versions.has(version) && !f.tagged.has(version) {
			one(f)
		}
	}
	for n := c.uvarint(); n > 0 && !c.failed; n-- {
		tag, size := c.uvarint(), c.uvarint()
		if size > uint64(len(c.b)) {
			c.failed = true
			break
		}
		rest := c.b[size:]
		for i := range fields {
			if f := &fields[i]; f.tagged.has(version) && f.tag == tag {
				c.b = c.b[:size]
				one(f)
				c.failed = c.failed || len(c.b) > 0
				break
			}
		}
		c.b = rest // also behind a tag that is not known
	}
	return append(line, '}')
}

// value writes one value, or a list of them.
func (c *cursor) value(line []byte, f *field, kind string, version int64, depth int) []byte {
	if len(kind) > 2 && kind[:2] == "[]" {
		n := c.uvarint()
		if n == 0 {
			c.failed = c.failed || !f.nullable.has(version)
			return append(line, "null"...)
		}
		if n-1 > uint64(len(c.b)) {
			c.failed = true
			return line
		}
		line = append(line, '[')
		for i := uint64(1); i < n && !c.failed; i++ {
			if i > 1 {
				line = append(line, ',')
			}
			if kind == "[]struct" {
				line = c.object(line, f.fields, version, depth+1)
			} else {
				line = c.value(line, f, kind[2:], version, depth)
			}
		}
		return append(line, ']')
	}
	switch kind {
	case "bool":
		return strconv.AppendBool(line, c.fixed(1) != 0)
	case "int8":
		return strconv.AppendInt(line, int64(int8(c.fixed(1))), 10)
	case "int16":
		return strconv.AppendInt(line, int64(int16(c.fixed(2))), 10)
	case "uint16":
		return strconv.AppendUint(line, c.fixed(2), 10)
	case "int32":
		return strconv.AppendInt(line, int64(int32(c.fixed(4))), 10)
	case "int64":
		return strconv.AppendInt(line, int64(c.fixed(8)), 10)
	case "float64":
		return appendFloat(line, math.Float64frombits(c.fixed(8)))
	case "uuid":
		line = append(line, '"')
		line = base64.RawURLEncoding.AppendEncode(line, c.take(16))
		return append(line, '"')
	case "string", "bytes":
		return c.text(line, f, kind, version)
	}
	panic("metadatalog: records.txt: there is no type " + kind)
}

func appendFloat(line []byte, x float64) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return append(line, "null"...)
	}
	return strconv.AppendFloat(line, x, 'g', -1, 64)
}

// text writes a string, or bytes in base64.
func (c *cursor) text(line []byte, f *field, kind string, version int64) []byte {
	n := c.uvarint()
	if n == 0 {
		c.failed = c.failed || !f.nullable.has(version)
		return append(line, "null"...)
	}
	if n-1 > uint64(len(c.b)) {
		c.failed = true
		return line
	}
	b := c.take(int64(n - 1))
	if kind == "bytes" {
		line = append(line, '"')
		line = base64.StdEncoding.AppendEncode(line, b)
		return append(line, '"')
	}
	return appendString(line, b)
}

func appendString(line, b []byte) []byte {
	for _, x := range b {
		if x < ' ' || x >= 0x7f || x == '"' || x == '\\' {
			quoted, err := json.Marshal(string(b))
			if err != nil {
				panic(err) // a string can always be written
			}
			return append(line, quoted...)
		}
	}
	line = append(line, '"')
	line = append(line, b...)
	return append(line, '"')
}

// shown are the apiKeys of the records that have a row of their own: those that say which topics, partitions and brokers there
// are, and transactions. The others are part of their batch's row.
func shown(apiKey uint64) bool {
	switch apiKey {
	case 0, 1, 2, 3, 5, 7, 8, 9, 15, 17, 23, 24, 25, 28:
		return true
	}
	return false
}
