package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/tracecheck/tracecheck/ingest/observer"
)

// A quorumURL names the controllers of a running KRaft quorum and how they are read:
// kraft://host:port[,host:port…][?follow=30s&keep=DIR&tls=true&ca=FILE&sasl=MECHANISM&properties=FILE].
type quorumURL struct {
	name        string // without its options
	controllers []string
	options     []kgo.Opt
	follow      time.Duration // read on for so long after the end is reached
	keep        string        // the folder that keeps what was read; else it is removed when it has been checked
}

const quorumScheme = "kraft://"

func parseQuorumURL(arg string) (quorumURL, error) {
	var q quorumURL
	// net/url knows no list of hosts.
	rest, query, _ := strings.Cut(strings.TrimPrefix(arg, quorumScheme), "?")
	if strings.Contains(rest, "@") {
		return q, fmt.Errorf("kraft://: %w", errPassword)
	}
	hosts := strings.TrimSuffix(rest, "/")
	q.name = quorumScheme + hosts
	for host := range strings.SplitSeq(hosts, ",") {
		if _, port, ok := strings.Cut(host, ":"); !ok || port == "" {
			return q, fmt.Errorf("%s: %q is not host:port", q.name, host)
		}
		q.controllers = append(q.controllers, host)
	}
	values, err := url.ParseQuery(query)
	for name := range values {
		if err == nil {
			err = q.option(name, values.Get(name))
		}
	}
	var a access
	if err == nil {
		a, err = accessOf(values)
	}
	if err != nil {
		return q, fmt.Errorf("%s: %w", q.name, err)
	}
	q.options = a.options()
	return q, nil
}

func (q *quorumURL) option(name, value string) (err error) {
	switch name {
	case "keep":
		if q.keep = value; value == "" {
			return errors.New("keep= needs a folder")
		}
	case "follow":
		if q.follow, err = time.ParseDuration(value); err != nil || q.follow <= 0 {
			return fmt.Errorf("follow=%s is not a duration such as 30s", value)
		}
	case "tls", "ca", "sasl", "properties":
	default:
		return fmt.Errorf("unknown option %s; there are follow, keep, tls, ca, sasl and properties", name)
	}
	return nil
}

// options are what a client of controllers needs to be let in.
func (a access) options() (opts []kgo.Opt) {
	if a.tls != nil {
		opts = append(opts, kgo.DialTLSConfig(a.tls))
	}
	s := scram.Auth{User: a.user, Pass: a.password}
	switch a.mechanism {
	case "PLAIN":
		opts = append(opts, kgo.SASL(plain.Auth{User: a.user, Pass: a.password}.AsMechanism()))
	case "SCRAM-SHA-256":
		opts = append(opts, kgo.SASL(s.AsSha256Mechanism()))
	case "SCRAM-SHA-512":
		opts = append(opts, kgo.SASL(s.AsSha512Mechanism()))
	}
	return opts
}

// live reads every running quorum among args into a folder, and puts the folder in its place. remove ends what is not kept.
func live(args []string) (paths []string, remove func(), err error) {
	var folders []string
	remove = func() {
		for _, folder := range folders {
			os.RemoveAll(folder)
		}
	}
	for _, arg := range args {
		if !strings.HasPrefix(arg, quorumScheme) {
			paths = append(paths, arg)
			continue
		}
		q, err := parseQuorumURL(arg)
		if err != nil {
			return nil, remove, exit{2, err}
		}
		folder := q.keep
		if folder == "" {
			if folder, err = os.MkdirTemp("", "tracecheck"); err != nil {
				return nil, remove, exit{3, err}
			}
			folders = append(folders, folder)
		}
		if err := q.read(folder); err != nil {
			return nil, remove, exit{3, fmt.Errorf("%s: %w", q.name, err)}
		}
		paths = append(paths, folder)
	}
	return paths, remove, nil
}

// read mirrors the quorum into folder. An interrupt ends the reading; what was read until then is checked.
func (q quorumURL) read(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	quorum, err := observer.Connect(q.controllers, q.options...)
	if err != nil {
		return err
	}
	defer quorum.Close()
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt)
	defer release()
	m := observer.NewMirror(quorum, folder)
	if err := m.Run(ctx, false); err != nil || q.follow == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, q.follow)
	defer cancel()
	return m.Run(ctx, true)
}
