package recorder

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/raft"
)

// TestTraceConforms runs a real cluster through elections, a partition, restarts,
// snapshots, changes of membership and a transfer of leadership, and checks the
// trace of it. The schedule of a real cluster is another one in every run.
func TestTraceConforms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.ndjson")
	if keep := os.Getenv("RECORDER_TRACE"); keep != "" {
		path = keep
	}
	file, err := os.Create(path)
	must(t, err)
	c := &cluster{t: t, file: file, acked: make(map[string]uint64), nodes: make(map[string]*node)}
	c.trace = New(c)
	for _, id := range []string{"n1", "n2", "n3"} {
		c.start(id)
	}
	must(t, c.nodes["n1"].raft.BootstrapCluster(raft.Configuration{Servers: []raft.Server{
		{ID: "n1", Address: "n1"}, {ID: "n2", Address: "n2"}, {ID: "n3", Address: "n3"},
	}}).Error())
	first := c.leader()
	c.apply(30)

	c.cut(first) // it goes on for a while, and what it appends is lost
	c.nodes[first].raft.Apply([]byte("lost"), time.Second)
	second := c.leader(first)
	c.apply(20)
	c.heal()
	c.agree()

	follower := c.other(second)
	c.stop(follower)
	c.apply(40)
	c.leads("a snapshot", func(r *raft.Raft) error { return r.Snapshot().Error() })
	c.apply(10)
	c.start(follower) // it lacks what the leader has compacted
	c.agree()
	must(t, c.nodes[follower].raft.Snapshot().Error())
	c.stop(follower)
	c.start(follower) // and starts from a snapshot of its own
	c.agree()

	c.start("n4")
	c.leads("a learner", func(r *raft.Raft) error { return r.AddNonvoter("n4", "n4", 0, 0).Error() })
	c.apply(5)
	c.leads("a voter", func(r *raft.Raft) error { return r.AddVoter("n4", "n4", 0, 0).Error() })
	c.apply(5)
	c.agree()
	c.leads("a transfer", func(r *raft.Raft) error {
		if r == c.nodes["n4"].raft {
			return nil // it has come to lead by itself
		}
		return r.LeadershipTransferToServer("n4", "n4").Error()
	})
	c.leads("a removal", func(r *raft.Raft) error { return r.RemoveServer(raft.ServerID(first), 0, 0).Error() })
	c.stop(first)
	c.apply(10)
	for id := range c.nodes {
		c.stop(id)
	}
	must(t, c.trace.Err())
	must(t, file.Close())
	conforms(t, path)
	text, err := os.ReadFile(path)
	must(t, err)
	for _, action := range []string{"Timeout", "RequestPreVote", "InstallSnapshot", "TakeSnapshot", "CompactLog", "Restart"} {
		if !strings.Contains(string(text), `"action":"`+action+`"`) {
			t.Errorf("the trace has no %s, so the run was not what it is meant to be", action)
		}
	}
}

// TestTraceOverTCP: the names of servers are not their addresses, messages are
// copies, and a vote on disk names an address.
func TestTraceOverTCP(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.ndjson")
	file, err := os.Create(path)
	must(t, err)
	c := &cluster{t: t, file: file, acked: make(map[string]uint64), nodes: make(map[string]*node), tcp: true}
	c.trace = New(c)
	var servers []raft.Server
	for _, id := range []string{"n1", "n2", "n3"} {
		c.start(id)
		servers = append(servers, raft.Server{ID: raft.ServerID(id), Address: c.nodes[id].addr})
	}
	must(t, c.nodes["n1"].raft.BootstrapCluster(raft.Configuration{Servers: servers}).Error())
	c.apply(20)
	c.agree()
	leader := c.leader()
	c.stop(leader)
	c.leader(leader)
	c.apply(20)
	c.start(leader)
	c.agree()
	for id := range c.nodes {
		c.stop(id)
	}
	must(t, c.trace.Err())
	must(t, file.Close())
	conforms(t, path)
}

// conforms has tracecheck read a trace.
func conforms(t *testing.T, path string) {
	t.Helper()
	tracecheck := filepath.Join(t.TempDir(), "tracecheck")
	build := exec.Command("go", "build", "-o", tracecheck, "./cmd/tracecheck")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(tracecheck, "check", "--strict", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// cluster is the servers of a test, by id. An address is the same as the id,
// unless they talk over TCP.
type cluster struct {
	t       *testing.T
	file    io.Writer
	trace   *Trace
	nodes   map[string]*node
	applied int
	tcp     bool

	mu    sync.Mutex
	acked map[string]uint64 // by server: how far its leader knows that it has come
}

// Write writes a line of the trace, and takes from it what a leader has heard.
func (c *cluster) Write(line []byte) (int, error) {
	var l struct {
		Action  string
		Message struct {
			From       string
			MatchIndex uint64
		}
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return 0, err
	}
	if l.Action == "HandleAppendEntriesResponse" {
		c.mu.Lock()
		c.acked[l.Message.From] = max(c.acked[l.Message.From], l.Message.MatchIndex)
		c.mu.Unlock()
	}
	return c.file.Write(line)
}

type node struct {
	raft  *raft.Raft
	trans *raft.InmemTransport // nil over TCP
	addr  raft.ServerAddress
	store *raft.InmemStore
	snaps *raft.InmemSnapshotStore
	fsm   *list
	up    bool
}

func (c *cluster) start(id string) {
	n := c.nodes[id]
	if n == nil {
		n = &node{store: raft.NewInmemStore(), snaps: raft.NewInmemSnapshotStore()}
		c.nodes[id] = n
	}
	n.fsm, n.up = &list{}, true
	var trans raft.Transport
	if c.tcp {
		bind := "127.0.0.1:0"
		if n.addr != "" {
			bind = string(n.addr)
		}
		tcp, err := raft.NewTCPTransport(bind, nil, 3, time.Second, io.Discard)
		must(c.t, err)
		n.addr, trans = tcp.LocalAddr(), tcp
	} else {
		n.addr, n.trans = raft.NewInmemTransportWithTimeout(raft.ServerAddress(id), 2*time.Second)
		trans = n.trans
	}
	conf := raft.DefaultConfig()
	conf.LocalID = raft.ServerID(id)
	conf.HeartbeatTimeout, conf.ElectionTimeout, conf.LeaderLeaseTimeout = 100*time.Millisecond, 100*time.Millisecond, 100*time.Millisecond
	conf.CommitTimeout = 5 * time.Millisecond
	conf.TrailingLogs = 16 // few enough that a server which was away needs a snapshot
	conf.LogOutput = io.Discard
	r, err := c.trace.NewRaft(conf, n.fsm, n.store, n.store, n.snaps, trans)
	must(c.t, err)
	n.raft = r
	c.heal()
}

func (c *cluster) stop(id string) {
	if n := c.nodes[id]; n.up {
		n.up = false
		must(c.t, n.raft.Shutdown().Error())
		c.cut(id)
	}
}

// cut takes a server off the network, and heal puts all back that run.
func (c *cluster) cut(id string) {
	if c.tcp {
		return
	}
	c.nodes[id].trans.DisconnectAll()
	for _, n := range c.nodes {
		n.trans.Disconnect(raft.ServerAddress(id))
	}
}

func (c *cluster) heal() {
	if c.tcp {
		return
	}
	for a, n := range c.nodes {
		for b, m := range c.nodes {
			if a != b && n.up && m.up {
				n.trans.Connect(raft.ServerAddress(b), m.trans)
			}
		}
	}
}

// until waits for something that a cluster does by itself sooner or later.
func (c *cluster) until(what string, done func() bool) {
	c.t.Helper()
	for deadline := time.After(20 * time.Second); !done(); {
		select {
		case <-deadline:
			c.t.Fatalf("%s has not come", what)
		case <-time.After(time.Millisecond):
		}
	}
}

// leader waits for a leader that is none of some servers.
func (c *cluster) leader(but ...string) (leader string) {
	c.t.Helper()
	c.until("a leader", func() bool {
		for id, n := range c.nodes {
			if n.up && n.raft.State() == raft.Leader && !strings.Contains(strings.Join(but, " "), id) {
				leader = id
			}
		}
		return leader != ""
	})
	return leader
}

func (c *cluster) other(than string) string {
	for _, id := range []string{"n1", "n2", "n3"} {
		if id != than {
			return id
		}
	}
	return ""
}

// apply has commands applied by whoever leads; one that is lost with its leader is
// given again.
func (c *cluster) apply(commands int) {
	c.t.Helper()
	for range commands {
		c.applied++
		command := []byte(fmt.Sprint("command ", c.applied))
		c.leads("an entry that is applied", func(r *raft.Raft) error { return r.Apply(command, time.Second).Error() })
	}
}

// leads has whoever leads do something, until one has.
func (c *cluster) leads(what string, do func(*raft.Raft) error) {
	c.t.Helper()
	c.until(what, func() bool {
		for _, n := range c.nodes {
			if n.up && n.raft.State() == raft.Leader && do(n.raft) == nil {
				return true
			}
		}
		return false
	})
}

// agree waits until every server has applied what the leader has, and the leader
// has heard of it: raft sends a snapshot to a server that has compacted its log
// further than its leader knows, and that one's state goes back.
func (c *cluster) agree() {
	c.t.Helper()
	leader := c.leader()
	c.until("agreement", func() bool {
		last := c.nodes[leader].raft.AppliedIndex()
		c.mu.Lock()
		defer c.mu.Unlock()
		for id, n := range c.nodes {
			if n.up && (n.raft.AppliedIndex() < last || id != leader && c.acked[id] < last) {
				return false
			}
		}
		return true
	})
}

// list is a state machine that keeps all commands.
type list struct {
	mu       sync.Mutex
	commands []string
}

func (l *list) Apply(e *raft.Log) any {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.commands = append(l.commands, string(e.Data))
	return len(l.commands)
}

func (l *list) Snapshot() (raft.FSMSnapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return snapshot(append([]string(nil), l.commands...)), nil
}

func (l *list) Restore(data io.ReadCloser) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer data.Close()
	return json.NewDecoder(data).Decode(&l.commands)
}

type snapshot []string

func (s snapshot) Persist(sink raft.SnapshotSink) error {
	if err := json.NewEncoder(sink).Encode([]string(s)); err != nil {
		sink.Cancel()
		return err
	}
	return sink.Close()
}

func (snapshot) Release() {}
