package topic

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl"
)

// Client reaches a topic.
type Client struct {
	Brokers []string // host:port, of which one that answers is enough
	Topic   string
	TLS     *tls.Config    // nil: none
	SASL    sasl.Mechanism // nil: none

	transport *kafka.Transport
	addr      net.Addr
}

// Time limits of a request, and of opening a connection.
const (
	requestTimeout = 30 * time.Second
	dialTimeout    = 5 * time.Second
)

func (c *Client) client() *kafka.Client {
	if c.transport == nil {
		c.transport = &kafka.Transport{
			TLS: c.TLS, SASL: c.SASL, DialTimeout: dialTimeout,
			MetadataTTL: time.Second, MetadataTopics: []string{c.Topic}, ClientID: "tracecheck",
		}
		c.addr = kafka.TCP(c.Brokers...)
	}
	return &kafka.Client{Addr: c.addr, Timeout: requestTimeout, Transport: c.transport}
}

// Close closes the connections.
func (c *Client) Close() {
	if c.transport != nil {
		c.transport.CloseIdleConnections()
	}
}

// Partitions returns the numbers of the topic's partitions.
func (c *Client) Partitions(ctx context.Context) (partitions []int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*dialTimeout)
	defer cancel()
	m, err := c.client().Metadata(ctx, &kafka.MetadataRequest{Topics: []string{c.Topic}})
	if err != nil {
		return nil, c.plain(err)
	}
	for _, t := range m.Topics {
		if t.Name != c.Topic {
			continue
		}
		if t.Error != nil {
			return nil, c.plain(t.Error)
		}
		for _, p := range t.Partitions {
			partitions = append(partitions, p.ID)
		}
	}
	if len(partitions) == 0 {
		return nil, c.plain(kafka.UnknownTopicOrPartition)
	}
	slices.Sort(partitions)
	return partitions, nil
}

// offsetAt asks for the offset at a time in ms, or kafka.FirstOffset or LastOffset; the
// last is the end up to which transactions are decided. It is -1 if no record is as new.
func (c *Client) offsetAt(ctx context.Context, partition int, at int64) (int64, error) {
	r, err := c.client().ListOffsets(ctx, &kafka.ListOffsetsRequest{
		IsolationLevel: kafka.ReadCommitted,
		Topics:         map[string][]kafka.OffsetRequest{c.Topic: {{Partition: partition, Timestamp: at}}},
	})
	if err != nil {
		return 0, c.plain(err)
	}
	for _, p := range r.Topics[c.Topic] {
		switch {
		case p.Error != nil:
			return 0, c.plain(p.Error)
		case at == kafka.FirstOffset:
			return p.FirstOffset, nil
		case at == kafka.LastOffset:
			return p.LastOffset, nil
		}
		for offset := range p.Offsets {
			return offset, nil
		}
	}
	return -1, nil
}

// plain says what an error means to an operator. It never shows credentials.
func (c *Client) plain(err error) error {
	var dial *net.OpError
	brokers := strings.Join(c.Brokers, ",")
	switch {
	case errors.Is(err, kafka.UnknownTopicOrPartition):
		return fmt.Errorf("the broker knows no topic %s, or not this partition of it: %w", c.Topic, err)
	case errors.Is(err, kafka.TopicAuthorizationFailed):
		return fmt.Errorf("the user may not read topic %s: %w", c.Topic, err)
	case errors.Is(err, kafka.SASLAuthenticationFailed):
		return fmt.Errorf("the broker refuses the user name or the password: %w", err)
	case errors.As(err, &dial) && dial.Op == "dial":
		return fmt.Errorf("no broker can be reached at %s: %w", brokers, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no answer from %s in time: %w", brokers, err)
	}
	return err
}
