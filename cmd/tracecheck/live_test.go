package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestQuorumURL(t *testing.T) {
	q, err := parseQuorumURL("kraft://a:9093,b:9094?follow=90s&keep=/var/x")
	require.NoError(t, err)
	require.Equal(t, quorumURL{name: "kraft://a:9093,b:9094", controllers: []string{"a:9093", "b:9094"}, follow: 90 * time.Second, keep: "/var/x"}, q)

	t.Setenv(userVariable, "me")
	t.Setenv(passwordVariable, "p@ss")
	q, err = parseQuorumURL("kraft://a:9093?tls=true&sasl=plain")
	require.NoError(t, err)
	require.Equal(t, []string{"a:9093"}, q.controllers)
	require.Len(t, q.options, 2, "SASL and TLS")

	q, err = parseQuorumURL("kraft://a:9093/?sasl=scram-sha-512")
	require.NoError(t, err)
	require.Len(t, q.options, 1)

	_, err = parseQuorumURL("kraft://me:s3cret@a:9093?keep=x")
	require.ErrorContains(t, err, passwordVariable)
	require.NotContains(t, err.Error(), "s3cret")

	for _, wrong := range []string{"kraft://", "kraft://a", "kraft://a:1,", "kraft://a:1?follow=0s", "kraft://a:1?follow=x", "kraft://a:1?keep=", "kraft://a:1?vote=yes",
		"kraft://a:1?sasl=gssapi", "kraft://a:1?tls=no", "kraft://a:1?ca=/nowhere"} {
		_, err := parseQuorumURL(wrong)
		require.Error(t, err, wrong)
	}
}
