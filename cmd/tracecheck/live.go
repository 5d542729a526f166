package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"

	"github.com/tracecheck/tracecheck/ingest/observer"
)

// A quorumURL names the controllers of a running KRaft quorum and how they are read:
// kraft://[user:password@]host:port[,host:port…][?tls=true&follow=30s&keep=DIR].
type quorumURL struct {
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
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		user, password, _ := strings.Cut(rest[:i], ":")
		user, err := url.PathUnescape(user)
		if err != nil {
			return q, err
		}
		if password, err = url.PathUnescape(password); err != nil {
			return q, err
		}
		q.options = append(q.options, kgo.SASL(plain.Auth{User: user, Pass: password}.AsMechanism()))
		rest = rest[i+1:]
	}
	for _, host := range strings.Split(strings.TrimSuffix(rest, "/"), ",") {
		if _, port, ok := strings.Cut(host, ":"); !ok || port == "" {
			return q, fmt.Errorf("%q is not host:port", host)
		}
		q.controllers = append(q.controllers, host)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return q, err
	}
	for name := range values {
		value := values.Get(name)
		switch {
		case name == "keep" && value != "":
			q.keep = value
		case name == "follow":
			if q.follow, err = time.ParseDuration(value); err != nil || q.follow <= 0 {
				return q, fmt.Errorf("follow=%s is not a duration such as 30s", value)
			}
		case name == "tls" && value == "true":
			q.options = append(q.options, kgo.DialTLSConfig(new(tls.Config)))
		default:
			return q, fmt.Errorf("unknown option %s=%s; there are tls=true, follow=DURATION and keep=DIR", name, value)
		}
	}
	return q, nil
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
			return nil, remove, exit{2, fmt.Errorf("%s: %w", arg, err)}
		}
		folder := q.keep
		if folder == "" {
			if folder, err = os.MkdirTemp("", "tracecheck"); err != nil {
				return nil, remove, exit{3, err}
			}
			folders = append(folders, folder)
		}
		if err := q.read(folder); err != nil {
			return nil, remove, exit{3, fmt.Errorf("%s: %w", arg, err)}
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
