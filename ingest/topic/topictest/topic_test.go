package topictest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

const samples = "../../../samples/etcd-raft"

var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "topictest")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "tracecheck")
	build := exec.Command("go", "build", "-o", binary, "./cmd/tracecheck")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// tracecheck runs the program and returns what it writes and its exit status.
func tracecheck(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	c := exec.Command(binary, args...)
	c.Env = append(os.Environ(), env...)
	var out, err bytes.Buffer
	c.Stdout, c.Stderr = &out, &err
	_ = c.Run()
	return out.String(), err.String(), c.ProcessState.ExitCode()
}

// lines returns the lines of a sample's trace.
func lines(t *testing.T, sample string) (lines [][]byte) {
	text, err := os.ReadFile(filepath.Join(samples, sample, "trace.ndjson"))
	require.NoError(t, err)
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// broker starts a broker with the topic "raft" and returns its address.
func broker(t *testing.T, partitions int32, o ...kfake.Opt) string {
	c, err := kfake.NewCluster(append(o, kfake.NumBrokers(1), kfake.SeedTopics(partitions, "raft"))...)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c.ListenAddrs()[0]
}

func writer(t *testing.T, addr string, o ...kgo.Opt) *kgo.Client {
	c, err := kgo.NewClient(append(o, kgo.SeedBrokers(addr), kgo.RecordPartitioner(kgo.ManualPartitioner()))...)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func write(t *testing.T, c *kgo.Client, partition int32, lines [][]byte) {
	var records []*kgo.Record
	for _, l := range lines {
		records = append(records, &kgo.Record{Topic: "raft", Partition: partition, Value: l})
	}
	require.NoError(t, c.ProduceSync(context.Background(), records...).FirstErr())
}

// TestVerdictAndPosition: a topic's partitions are traces of their own, and a finding names
// the offset.
func TestVerdictAndPosition(t *testing.T) {
	addr := broker(t, 2)
	w := writer(t, addr)
	write(t, w, 0, lines(t, "replication"))
	write(t, w, 1, lines(t, "mutant-double-vote"))
	out, err, code := tracecheck(t, nil, "check", "--max-violations", "1", "kafka://"+addr+"/raft")
	require.Equal(t, 1, code, err)
	require.Contains(t, out, "violation V01")
	require.Contains(t, out, "--> kafka://"+addr+"/raft?partition=1 offset 50\n")
	require.Contains(t, out, "1  offset 40  2")
	require.Contains(t, err, "conforms: kafka://"+addr+"/raft?partition=0: 60 lines")

	from, _, _ := tracecheck(t, nil, "decode", "kafka://"+addr+"/raft?partition=0&from=50")
	require.Equal(t, 10, strings.Count(from, "\n"))
}

// TestCodecs: every codec gives the trace that was written.
func TestCodecs(t *testing.T) {
	addr := broker(t, 5)
	for i, codec := range []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()} {
		write(t, writer(t, addr, kgo.ProducerBatchCompression(codec)), int32(i), lines(t, "replication"))
		_, err, code := tracecheck(t, nil, "check", fmt.Sprintf("kafka://%s/raft?partition=%d", addr, i))
		require.Zero(t, code, err)
		require.Contains(t, err, "60 read = 60 checked")
	}
}

// TestTransactions: markers and what was aborted are no lines of the trace, and no lines are
// missing for them.
func TestTransactions(t *testing.T) {
	addr := broker(t, 1)
	w := writer(t, addr, kgo.TransactionalID("t"))
	trace := lines(t, "replication")
	for i, commit := range []bool{true, false, true} {
		require.NoError(t, w.BeginTransaction())
		switch i {
		case 0:
			write(t, w, 0, trace[:30])
		case 1:
			write(t, w, 0, lines(t, "mutant-double-vote")[30:60])
		case 2:
			write(t, w, 0, trace[30:])
		}
		require.NoError(t, w.EndTransaction(context.Background(), kgo.TransactionEndTry(commit)))
	}
	_, err, code := tracecheck(t, nil, "check", "--strict", "kafka://"+addr+"/raft")
	require.Zero(t, code, err)
	require.Contains(t, err, "93 read = 60 checked + 33 ignored + 0 unrecognised + 0 damaged")
	require.Contains(t, err, "3 ignored: transaction marker, first at offset 30")
	require.Contains(t, err, "30 ignored: record of an aborted transaction, first at offset 31")
}

// TestErrors: what is wrong is said in a line.
func TestErrors(t *testing.T) {
	addr := broker(t, 1)
	write(t, writer(t, addr), 0, lines(t, "replication"))
	for url, want := range map[string]string{
		"kafka://127.0.0.1:1/raft":                       "no broker can be reached at 127.0.0.1:1",
		"kafka://" + addr + "/missing":                   "the broker knows no topic missing",
		"kafka://" + addr + "/raft?partition=7":          "the broker knows no topic raft, or not this partition of it",
		"kafka://" + addr + "/raft?partition=0&from=100": "offset 100 is out of range: partition 0 of raft holds 0 to 59",
		"kafka://" + addr + "/raft?partition=x":          "is not a partition's number",
		"kafka://" + addr + "/raft?sasl=plain":           "sasl needs a user: set TRACECHECK_KAFKA_USERNAME",
		"kafka://me:secret@" + addr + "/raft":            "takes no user and no password",
	} {
		out, err, code := tracecheck(t, nil, "check", url)
		require.NotZero(t, code, url)
		require.Contains(t, err, want, url)
		require.NotContains(t, out+err, "secret")
	}
}

// TestSASL: the credentials come from the environment or a file of properties.
func TestSASL(t *testing.T) {
	for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		t.Run(mechanism, func(t *testing.T) {
			addr := broker(t, 1, kfake.EnableSASL(), kfake.Superuser(mechanism, "reader", "s3cret"))
			url := "kafka://" + addr + "/raft?sasl=" + strings.ToLower(mechanism)
			right := []string{"TRACECHECK_KAFKA_USERNAME=reader", "TRACECHECK_KAFKA_PASSWORD=s3cret"}
			_, err, code := tracecheck(t, right, "check", url)
			require.Equal(t, 4, code, err) // an empty topic: too little to say anything
			out, err, code := tracecheck(t, []string{right[0], "TRACECHECK_KAFKA_PASSWORD=wr0ng"}, "check", url)
			require.Equal(t, 3, code, err)
			require.NotContains(t, out+err, "wr0ng")

			file := filepath.Join(t.TempDir(), "client.properties")
			require.NoError(t, os.WriteFile(file, fmt.Appendf(nil,
				"security.protocol=SASL_PLAINTEXT\nsasl.mechanism=%s\nsasl.jaas.config=x.LoginModule required \\\n  username=\"reader\" password=\"s3cret\";\n", mechanism), 0o600))
			_, err, code = tracecheck(t, nil, "check", "kafka://"+addr+"/raft?properties="+file)
			require.Equal(t, 4, code, err)
		})
	}
}
