package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestQuorumURL(t *testing.T) {
	q, err := parseQuorumURL("kraft://a:9093,b:9094?follow=90s&keep=/var/x")
	require.NoError(t, err)
	require.Equal(t, quorumURL{controllers: []string{"a:9093", "b:9094"}, follow: 90 * time.Second, keep: "/var/x"}, q)

	q, err = parseQuorumURL("kraft://me:p%40ss@a:9093?tls=true")
	require.NoError(t, err)
	require.Equal(t, []string{"a:9093"}, q.controllers)
	require.Len(t, q.options, 2, "SASL and TLS")

	for _, wrong := range []string{"kraft://", "kraft://a", "kraft://a:1,", "kraft://a:1?follow=0s", "kraft://a:1?follow=x", "kraft://a:1?keep=", "kraft://a:1?vote=yes"} {
		_, err := parseQuorumURL(wrong)
		require.Error(t, err, wrong)
	}
}
