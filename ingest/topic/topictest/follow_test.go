package topictest

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestFollow: what is written after the reading began is checked, and an interrupt ends it.
func TestFollow(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "raft"))
	require.NoError(t, err)
	t.Cleanup(cluster.Close)
	addr := cluster.ListenAddrs()[0]
	w := writer(t, addr)
	trace := lines(t, "mutant-double-vote")
	write(t, w, 0, trace[:40])
	var once [2]sync.Once
	var at [2]chan struct{} // closed when the 40 records have been read, and when all have
	at[0], at[1] = make(chan struct{}), make(chan struct{})
	cluster.ControlKey(int16(kmsg.Fetch), func(r kmsg.Request) (kmsg.Response, error, bool) {
		cluster.KeepControl()
		for i, offset := range []int64{40, int64(len(trace))} {
			if r.(*kmsg.FetchRequest).Topics[0].Partitions[0].FetchOffset == offset {
				once[i].Do(func() { close(at[i]) })
			}
		}
		return nil, nil, false
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // so that a failure does not hang
	defer cancel()
	wait := func(c chan struct{}) {
		select {
		case <-c:
		case <-ctx.Done():
			require.Fail(t, "the records are not read")
		}
	}
	c := exec.CommandContext(ctx, binary, "check", "-o", "ndjson", "kafka://"+addr+"/raft?partition=0&follow=true")
	var out bytes.Buffer
	c.Stdout = &out
	require.NoError(t, c.Start())
	wait(at[0])
	write(t, w, 0, trace[40:])
	wait(at[1])
	require.NoError(t, c.Process.Signal(os.Interrupt))
	_ = c.Wait()
	require.Equal(t, 130, c.ProcessState.ExitCode())
	require.Contains(t, out.String(), `"V01"`)
	require.Contains(t, out.String(), `"line":50,"unit":"offset"`)
}

// TestFromTime begins at the first record that is as new.
func TestFromTime(t *testing.T) {
	addr := broker(t, 1)
	w := writer(t, addr)
	trace := lines(t, "replication")
	var records []*kgo.Record
	for i, l := range trace {
		at := time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC)
		records = append(records, &kgo.Record{Topic: "raft", Value: l, Timestamp: at})
	}
	for _, r := range records { // a batch each
		require.NoError(t, w.ProduceSync(t.Context(), r).FirstErr())
	}
	out, stderr, code := tracecheck(t, nil, "decode", "kafka://"+addr+"/raft?from=2026-01-01T00:00:50Z")
	require.Zero(t, code, stderr)
	require.Equal(t, 10, strings.Count(out, "\n"))
}

// TestDeletedBefore: the first records are gone; reading begins at the first that is kept.
// Where those that were asked for are gone it is said.
func TestDeletedBefore(t *testing.T) {
	addr := broker(t, 1)
	w := writer(t, addr)
	write(t, w, 0, lines(t, "replication"))
	request := kmsg.NewPtrDeleteRecordsRequest()
	request.Topics = []kmsg.DeleteRecordsRequestTopic{{Topic: "raft", Partitions: []kmsg.DeleteRecordsRequestTopicPartition{{Offset: 20}}}}
	_, err := request.RequestWith(t.Context(), w)
	require.NoError(t, err)
	_, stderr, _ := tracecheck(t, nil, "check", "kafka://"+addr+"/raft")
	require.Contains(t, stderr, "40 read = ")
	_, stderr, code := tracecheck(t, nil, "check", "kafka://"+addr+"/raft?from=5")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "offset 5 is out of range: partition 0 of raft holds 20 to 59")
}

// TestTrouble: a broker that does not lead for a moment, and connections that break, cost
// no record.
func TestTrouble(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "raft"))
	require.NoError(t, err)
	t.Cleanup(cluster.Close)
	addr := cluster.ListenAddrs()[0]
	write(t, writer(t, addr), 0, lines(t, "replication"))
	cluster.ControlKey(int16(kmsg.Fetch), func(r kmsg.Request) (kmsg.Response, error, bool) {
		answer := r.ResponseKind().(*kmsg.FetchResponse)
		p := kmsg.NewFetchResponseTopicPartition()
		p.ErrorCode = kerr.NotLeaderForPartition.Code
		answer.Topics = []kmsg.FetchResponseTopic{{Topic: "raft", Partitions: []kmsg.FetchResponseTopicPartition{p}}}
		return answer, nil, true
	})
	cluster.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
		return nil, net.ErrClosed, true
	})
	_, stderr, code := tracecheck(t, nil, "check", "kafka://"+addr+"/raft")
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, "60 read = 60 checked")
}

// TestTLS: the broker is believed by the certificate in ca, and not without it.
func TestTLS(t *testing.T) {
	certificate, ca := selfSigned(t)
	addr := broker(t, 1, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{certificate}}),
		kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "reader", "s3cret"))
	env := []string{"TRACECHECK_KAFKA_USERNAME=reader", "TRACECHECK_KAFKA_PASSWORD=s3cret"}
	_, stderr, code := tracecheck(t, env, "check", "kafka://"+addr+"/raft?sasl=scram-sha-256&ca="+ca)
	require.Equal(t, 4, code, stderr)
	_, stderr, code = tracecheck(t, env, "check", "kafka://"+addr+"/raft?sasl=scram-sha-256&tls=true")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "certificate")
}

func selfSigned(t *testing.T) (c tls.Certificate, ca string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, ca
}
