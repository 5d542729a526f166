package topic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/fetch"

	"github.com/tracecheck/tracecheck/ingest"
)

// Start says where reading begins: the first record that is kept, unless Offset or Time
// says otherwise.
type Start struct {
	Offset int64 // -1: not given
	Time   time.Time
	Last   bool // only what comes from now on
}

// Partition is the feed of one partition.
type Partition struct {
	c      *Client
	ctx    context.Context
	number int
	next   int64 // the offset to deliver next
	end    int64 // where to stop; -1 to go on for as long as ctx lasts
	rows   []ingest.Row
	failed int // requests in a row that brought nothing although there is something
}

// Why a record is no line of the trace.
const (
	Marker  = "transaction marker"
	Aborted = "record of an aborted transaction"
)

// Open begins to read a partition. Without follow it ends at the offset that is the end
// now; with it, when ctx ends.
func (c *Client) Open(ctx context.Context, partition int, from Start, follow bool) (*Partition, error) {
	first, err := c.offsetAt(ctx, partition, kafka.FirstOffset)
	if err != nil {
		return nil, err
	}
	end, err := c.offsetAt(ctx, partition, kafka.LastOffset)
	if err != nil {
		return nil, err
	}
	p := &Partition{c: c, ctx: ctx, number: partition, next: first, end: end}
	switch {
	case from.Last:
		p.next = end
	case !from.Time.IsZero():
		if p.next, err = c.offsetAt(ctx, partition, from.Time.UnixMilli()); err != nil {
			return nil, err
		}
		if p.next < 0 { // nothing is as new
			p.next = end
		}
	case from.Offset >= 0:
		p.next = from.Offset
		if p.next < first || p.next > end {
			return nil, fmt.Errorf("offset %d is out of range: partition %d of %s holds %d to %d",
				p.next, partition, c.Topic, first, end-1)
		}
	}
	if follow {
		p.end = -1
	}
	return p, nil
}

// Ready says whether a record is there already.
func (p *Partition) Ready() bool { return len(p.rows) > 0 }

// Close closes the connections.
func (p *Partition) Close() error {
	p.c.Close()
	return nil
}

// Next returns the next record.
func (p *Partition) Next() (ingest.Row, error) {
	for len(p.rows) == 0 {
		if p.end >= 0 && p.next >= p.end || p.ctx.Err() != nil {
			return ingest.Row{}, io.EOF
		}
		if err := p.fetch(); err != nil && p.ctx.Err() == nil {
			return ingest.Row{}, err
		}
	}
	row := p.rows[0]
	p.rows = p.rows[1:]
	return row, nil
}

// How a partition is asked.
const (
	maxBytes = 4 << 20 // a batch that is larger comes whole all the same
	maxWait  = 500 * time.Millisecond
	attempts = 8
)

// fetch asks for what follows, and asks again after trouble that passes.
func (p *Partition) fetch() error {
	got, err := p.ask()
	switch {
	case err == nil && got:
		p.failed = 0
		return nil
	case err == nil:
		err = errors.New("the broker sends no record although there are some")
	case errors.Is(err, kafka.OffsetOutOfRange):
		return fmt.Errorf("offset %d of partition %d is gone: it was deleted while it was being read: %w", p.next, p.number, err)
	}
	var of kafka.Error
	if p.failed++; p.failed == attempts || errors.As(err, &of) && !of.Temporary() {
		return p.c.plain(err)
	}
	again := time.NewTimer(min(100*time.Millisecond<<p.failed, 2*time.Second))
	defer again.Stop()
	select {
	case <-p.ctx.Done():
	case <-again.C:
	}
	return nil
}

// ask sends one request. got says whether the partition holds nothing more or brought something.
func (p *Partition) ask() (got bool, err error) {
	ctx, cancel := context.WithTimeout(p.ctx, requestTimeout)
	defer cancel()
	p.c.client()
	m, err := p.c.transport.RoundTrip(ctx, p.c.addr, &fetch.Request{
		ReplicaID: -1, MaxWaitTime: int32(maxWait.Milliseconds()), MinBytes: 1, MaxBytes: maxBytes,
		IsolationLevel: int8(kafka.ReadCommitted), SessionID: -1, SessionEpoch: -1,
		Topics: []fetch.RequestTopic{{Topic: p.c.Topic, Partitions: []fetch.RequestPartition{{
			Partition: int32(p.number), CurrentLeaderEpoch: -1, FetchOffset: p.next,
			LogStartOffset: -1, PartitionMaxBytes: maxBytes,
		}}}},
	})
	if err != nil {
		return false, err
	}
	r := m.(*fetch.Response)
	switch {
	case r.ErrorCode != 0:
		return false, kafka.Error(r.ErrorCode)
	case len(r.Topics) == 0 || len(r.Topics[0].Partitions) == 0:
		return false, io.ErrUnexpectedEOF
	}
	answer := &r.Topics[0].Partitions[0]
	if answer.ErrorCode != 0 {
		return false, kafka.Error(answer.ErrorCode)
	}
	stream, _ := answer.RecordSet.Records.(*protocol.RecordStream)
	if stream == nil || len(stream.Records) == 0 {
		// At the end of what is decided; or the broker makes us wait for our quota.
		return r.ThrottleTimeMs > 0 || p.next >= answer.HighWatermark || p.end < 0 && p.next >= answer.LastStableOffset, nil
	}
	before := p.next
	if err := p.take(stream.Records, answer.AbortedTransactions); err != nil {
		return false, err
	}
	if p.next == before {
		// The batch that holds this offset holds no record from it on: it was compacted.
		p.lose(before + 1)
	}
	return true, nil
}

// take turns batches into rows.
func (p *Partition) take(batches []protocol.RecordReader, aborted []fetch.ResponseTransaction) error {
	running := make(map[int64]bool) // producers within a transaction that was aborted
	for _, b := range batches {
		aside := ""
		switch b := b.(type) {
		case *protocol.ControlBatch:
			aside = Marker
			delete(running, b.ProducerID)
		case *protocol.RecordBatch:
			for _, t := range aborted {
				// One that ended before has its marker before this batch.
				if t.ProducerID == b.ProducerID && t.FirstOffset <= b.BaseOffset && !p.ended(batches, t, b.BaseOffset) {
					running[t.ProducerID] = true
				}
			}
			if b.Attributes.Transactional() && running[b.ProducerID] {
				aside = Aborted
			}
		}
		if err := p.rowsOf(b, aside); err != nil {
			return err
		}
	}
	return nil
}

// ended says whether a marker of the transaction's producer stands between its first record and an offset.
func (p *Partition) ended(batches []protocol.RecordReader, t fetch.ResponseTransaction, before int64) bool {
	for _, b := range batches {
		if c, ok := b.(*protocol.ControlBatch); ok && c.ProducerID == t.ProducerID &&
			c.BaseOffset > t.FirstOffset && c.BaseOffset < before {
			return true
		}
	}
	return false
}

// rowsOf adds the records of a batch from the next offset on.
func (p *Partition) rowsOf(b protocol.RecordReader, aside string) error {
	for {
		r, err := b.ReadRecord()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("partition %d, after offset %d: %w", p.number, p.next-1, err)
		}
		if r.Offset < p.next { // a batch comes whole, also if reading begins within it
			continue
		}
		if p.end >= 0 && r.Offset >= p.end { // written after the reading began
			p.next = max(p.next, p.end)
			return nil
		}
		value, err := protocol.ReadAll(r.Value)
		if err != nil {
			return fmt.Errorf("partition %d, offset %d: %w", p.number, r.Offset, err)
		}
		if r.Offset > p.next {
			p.lose(r.Offset)
		}
		row := ingest.Row{Value: value, Offset: uint64(r.Offset), Aside: aside}
		if aside != "" {
			row.Value = nil
		}
		p.rows = append(p.rows, row)
		p.next = r.Offset + 1
	}
}

// lose notes that no record stands between the next offset and another.
func (p *Partition) lose(until int64) {
	p.rows = append(p.rows, ingest.Row{Offset: uint64(p.next), Lost: true})
	p.next = until
}
