package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/ingest/topic"
)

const topicScheme = "kafka://"

func isTopic(arg string) bool { return strings.HasPrefix(arg, topicScheme) }

// A topicURL names a topic and what is read of it:
// kafka://host:port[,host:port…]/TOPIC[?partition=&from=&follow=&tls=&ca=&sasl=&properties=].
type topicURL struct {
	client    *topic.Client
	partition int // -1: all
	from      topic.Start
	follow    bool
	base      string
	values    url.Values
}

func parseTopicURL(arg string) (*topicURL, error) {
	rest, query, _ := strings.Cut(strings.TrimPrefix(arg, topicScheme), "?")
	brokers, name, ok := strings.Cut(rest, "/")
	switch {
	case strings.Contains(rest, "@"):
		return nil, fmt.Errorf("kafka://: %w", errPassword)
	case !ok || name == "" || brokers == "" || strings.Contains(name, "/"):
		return nil, fmt.Errorf("%s: it is kafka://host:port/TOPIC", arg)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", arg, err)
	}
	u := &topicURL{
		client: &topic.Client{Brokers: strings.Split(brokers, ","), Topic: name}, partition: -1,
		from: topic.Start{Offset: -1}, base: topicScheme + rest, values: values,
	}
	for key := range values {
		if err := u.option(key, values.Get(key)); err != nil {
			return nil, fmt.Errorf("%s: %w", u.base, err)
		}
	}
	a, err := accessOf(values)
	if err == nil {
		err = a.let(u.client)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.base, err)
	}
	return u, nil
}

func (u *topicURL) option(key, value string) (err error) {
	switch key {
	case "partition":
		if u.partition, err = strconv.Atoi(value); err != nil || u.partition < 0 {
			return fmt.Errorf("partition=%s is not a partition's number", value)
		}
	case "from":
		u.from, err = startOf(value)
		return err
	case "follow":
		if u.follow = value == "true"; !u.follow {
			return fmt.Errorf("follow=%s: it is follow=true", value)
		}
	case "tls", "ca", "sasl", "properties":
	default:
		return fmt.Errorf("unknown option %s; there are partition, from, follow, tls, ca, sasl and properties", key)
	}
	return nil
}

func startOf(value string) (topic.Start, error) {
	s := topic.Start{Offset: -1}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
		s.Offset = n
		return s, nil
	}
	if t, err := time.Parse(time.RFC3339, value); err == nil {
		s.Time = t
		return s, nil
	}
	switch value {
	case "earliest":
		return s, nil
	case "latest":
		s.Last = true
		return s, nil
	}
	return s, fmt.Errorf("from=%s is neither an offset, nor a time such as 2026-01-31T12:00:00Z, nor earliest or latest", value)
}

// name is the address of a partition without what is not needed to find it.
func (u *topicURL) name(partition int) string {
	return fmt.Sprintf("%s?partition=%d", u.base, partition)
}

// topics puts the partitions of every topic among args in its place.
func topics(args []string) (paths []string, err error) {
	for _, arg := range args {
		if !isTopic(arg) {
			paths = append(paths, arg)
			continue
		}
		u, err := parseTopicURL(arg)
		if err != nil {
			return nil, exit{2, err}
		}
		partitions := []int{u.partition}
		if u.partition < 0 {
			partitions, err = u.client.Partitions(context.Background())
			u.client.Close()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", u.base, err)
			}
		}
		if u.follow && (len(partitions) > 1 || len(args) > 1) {
			return nil, exit{2, fmt.Errorf("%s: one process follows one partition; name it with partition=, there are %d", u.base, len(partitions))}
		}
		for _, p := range partitions {
			u.values.Set("partition", strconv.Itoa(p))
			paths = append(paths, u.base+"?"+u.values.Encode())
		}
	}
	return paths, nil
}

// openTopic opens one partition, which is read until ctx is done.
func openTopic(ctx context.Context, arg string, number int, adapter string) (*trace, error) {
	u, err := parseTopicURL(arg)
	if err != nil {
		return nil, err
	}
	if u.partition < 0 {
		partitions, err := u.client.Partitions(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", u.base, err)
		}
		if len(partitions) > 1 {
			return nil, fmt.Errorf("%s has %d partitions; name one with partition=", u.base, len(partitions))
		}
		u.partition = partitions[0]
	}
	p, err := u.client.Open(ctx, u.partition, u.from, u.follow)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.name(u.partition), err)
	}
	src := ingest.NewFeed(p, u.name(u.partition), number)
	t, err := newTrace(src, adapter)
	if err != nil {
		src.Close()
	}
	return t, err
}

// unit is what a position counts; empty for lines.
func (t *trace) unit() string {
	if t.cluster == nil && t.source.Offsets() {
		return "offset"
	}
	return ""
}
