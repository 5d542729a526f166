package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/ingest"
	"github.com/tracecheck/tracecheck/replay"
	"github.com/tracecheck/tracecheck/spec"
)

// cluster reads the logs of several servers as one trace.
type cluster struct {
	title    string
	groups   *spec.Groups
	members  []*member
	byServer map[string]*member
	order    *replay.Merge
	files    []string  // by the number of the source
	of       []*member // likewise
	size     int64     // of all files, in bytes
	refs     *refs
}

// openCluster opens the logs of a job as one trace.
func openCluster(j *job) (*trace, error) {
	c := &cluster{title: j.title(), groups: &spec.Groups{}, byServer: make(map[string]*member)}
	first := j.logs[0].glance
	var names []string
	var lines []replay.Lines
	for _, l := range j.logs {
		m := &member{log: l, number: len(c.files), cluster: c}
		if len(j.logs) > 1 {
			m.stamps = &ingest.Stamps{}
		}
		for _, path := range l.paths {
			c.files = append(c.files, path)
			if info, err := os.Stat(path); err == nil {
				c.size += info.Size()
			}
			c.of = append(c.of, m)
		}
		c.members = append(c.members, m)
		c.byServer[l.server] = m
		names, lines = append(names, l.server), append(lines, m)
	}
	for _, m := range c.members {
		if err := m.open(first.adapter, c.groups); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	c.refs = newRefs(len(c.files))
	c.order = replay.NewMerge(c.groups, names, lines)
	return &trace{adapter: first.adapter, how: first.how, groups: c.groups, cluster: c}, nil
}

// next is [trace.next] over all members.
func (c *cluster) next(rec *ingest.Record, a *spec.Action) (out adapters.Outcome, ok bool) {
	i := c.order.Next()
	if i < 0 {
		return out, false
	}
	s := c.members[i].taken
	*rec, *a = s.rec, s.action
	rec.Ref = c.refs.next(ingest.SplitRef(s.rec.Ref))
	a.Ref = rec.Ref
	return s.out, true
}

func (c *cluster) close() error {
	var errs []error
	for _, m := range c.members {
		if m.trace != nil {
			errs = append(errs, m.trace.source.Close())
		}
	}
	return errors.Join(errs...)
}

func (c *cluster) err() error {
	var errs []error
	for _, m := range c.members {
		errs = append(errs, m.err())
	}
	return errors.Join(errs...)
}

// offset is how many bytes were read.
func (c *cluster) offset() (n int64) {
	for _, m := range c.members {
		n += m.passed + m.trace.source.Offset()
	}
	return n
}

// clocks lists where the clocks of two servers contradict the order in which one of
// them received what the other one sent.
func (d *driver) clocks() error {
	c := d.trace.cluster
	for _, k := range c.order.Clocks() {
		receiver, sender := c.members[k.Receiver].log.server, c.members[k.Sender].log.server
		sent := d.position(c.refs.of(ingest.SplitRef(k.Sent)))
		message := fmt.Sprintf("the clock of %s is at least %s behind that of %s: what it received in this line was sent at %s:%d",
			receiver, time.Duration(k.Size).Round(time.Millisecond), sender, sent.Source, sent.Line)
		if k.Count > 1 {
			message += fmt.Sprintf("; %d messages show it, this one the most", k.Count)
		}
		if err := d.quality(&ingest.Record{Ref: c.refs.of(ingest.SplitRef(k.Received))}, adapters.ClockAgainstCausality, message); err != nil {
			return err
		}
	}
	return nil
}

// describe says in one line what was put together.
func (c *cluster) describe() string {
	var parts []string
	for _, m := range c.members {
		parts = append(parts, fmt.Sprintf("%s %s", m.log.server, strings.Join(m.log.paths, " + ")))
	}
	if len(parts) == 1 {
		return "one log of server " + parts[0]
	}
	return fmt.Sprintf("one cluster of %d servers: %s", len(parts), strings.Join(parts, ", "))
}
