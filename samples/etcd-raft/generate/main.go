//go:build with_tla

// Command generate runs a small cluster of go.etcd.io/raft/v3 in one process and
// prints its trace. It is the recipe for switching tracing on in an application:
// build with -tags with_tla and set raft.Config.TraceLogger.
//
//	go run -tags with_tla . -seed 1 -nodes 3 -steps 2000 > trace.ndjson
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
)

// logger is what an application adds: one line for each event, in the order in
// which raft hands them over.
type logger struct {
	out  *bufio.Writer
	tick int
}

func (l *logger) TraceEvent(e *raft.TracingEvent) {
	l.tick++
	b, err := json.Marshal(map[string]any{"ts": l.tick, "tag": "trace", "event": e})
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(l.out, "%s\n", b)
}

// node is one server: its raft, its disk and its state machine.
type node struct {
	id      uint64
	disk    *raft.MemoryStorage
	raw     *raft.RawNode
	conf    raftpb.ConfState
	applied uint64
	down    bool
}

type cluster struct {
	nodes   map[uint64]*node
	ids     []uint64
	net     []raftpb.Message
	cut     map[uint64]bool // partitioned away
	r       *rand.Rand
	log     *logger
	options options
	next    uint64
}

type options struct {
	preVote, checkQuorum, loss, restarts, snapshots, membership, transfer, partitions bool
}

func main() {
	seed := flag.Int64("seed", 1, "seed of the schedule")
	n := flag.Int("nodes", 3, "number of servers")
	steps := flag.Int("steps", 2000, "steps of the schedule")
	flag.Parse()
	r := rand.New(rand.NewSource(*seed))
	flip := func() bool { return r.Intn(2) == 0 }
	c := &cluster{
		nodes: map[uint64]*node{}, cut: map[uint64]bool{}, r: r, log: &logger{out: bufio.NewWriter(os.Stdout)},
		options: options{flip(), flip(), flip(), flip(), flip(), flip(), flip(), flip()},
		next:    uint64(*n) + 1,
	}
	defer c.log.out.Flush()
	raft.SetLogger(quiet())
	var peers []raft.Peer
	for i := 1; i <= *n; i++ {
		peers = append(peers, raft.Peer{ID: uint64(i)})
	}
	for _, p := range peers {
		c.start(p.ID, peers)
	}
	defer func() {
		// Now and then a schedule ends in a state that the library refuses with a
		// panic, about one in eighty. What was written until then is a trace.
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "seed %d ends early: %v\n", *seed, p)
		}
	}()
	for range *steps {
		c.step()
	}
}

func (c *cluster) start(id uint64, peers []raft.Peer) {
	n := c.nodes[id]
	if n == nil {
		n = &node{id: id, disk: raft.NewMemoryStorage()}
		c.nodes[id] = n
		c.ids = append(c.ids, id)
	}
	n.down = false
	raw, err := raft.NewRawNode(&raft.Config{
		ID: id, ElectionTick: 10, HeartbeatTick: 1, Storage: n.disk, Applied: 0,
		MaxSizePerMsg: 256, MaxInflightMsgs: 8,
		PreVote: c.options.preVote, CheckQuorum: c.options.checkQuorum, TraceLogger: c.log,
	})
	if err != nil {
		panic(err)
	}
	// What is applied begins again at the snapshot, and with it the configuration.
	s, _ := n.disk.Snapshot()
	n.raw, n.applied, n.conf = raw, s.Metadata.Index, s.Metadata.ConfState
	if len(peers) > 0 {
		if err := raw.Bootstrap(peers); err != nil {
			panic(err)
		}
	}
}

// step does one thing at random.
func (c *cluster) step() {
	n := c.nodes[c.ids[c.r.Intn(len(c.ids))]]
	o := c.options
	switch x := c.r.Intn(1000); {
	case x < 4 && o.restarts && !n.down:
		n.down = true // a crash: what was not written is gone
	case x < 10 && n.down:
		c.start(n.id, nil)
	case x < 14 && o.partitions:
		c.cut[n.id] = !c.cut[n.id]
	case x < 18 && o.membership && !n.down:
		c.change(n)
	case x < 21 && o.transfer && !n.down:
		n.raw.TransferLeader(c.ids[c.r.Intn(len(c.ids))])
	case x < 30 && o.snapshots && !n.down && n.applied > 0:
		if first, _ := n.disk.FirstIndex(); n.applied > first+4 {
			if _, err := n.disk.CreateSnapshot(n.applied, &n.conf, []byte("state")); err == nil {
				_ = n.disk.Compact(n.applied - 2)
			}
		}
	case x < 80 && !n.down:
		_ = n.raw.Propose(fmt.Appendf(nil, "v%d", c.r.Int31())) // refused without a leader
	case x < 400:
		for _, id := range c.ids {
			if m := c.nodes[id]; !m.down && c.r.Intn(8) > 0 {
				m.raw.Tick()
			}
		}
	case x < 700 && len(c.net) > 0:
		for range 1 + c.r.Intn(4) {
			c.deliver()
		}
	case !n.down:
		c.ready(n)
	}
}

func (c *cluster) deliver() {
	if len(c.net) == 0 {
		return
	}
	i := 0
	if c.options.loss {
		i = c.r.Intn(min(len(c.net), 8))
	}
	m := c.net[i]
	if !(c.options.loss && c.r.Intn(20) == 0) { // else it stays, and comes again
		c.net = append(c.net[:i], c.net[i+1:]...)
	}
	if c.options.loss && c.r.Intn(20) == 0 || c.cut[m.From] != c.cut[m.To] {
		return
	}
	if n := c.nodes[m.To]; n != nil && !n.down {
		_ = n.raw.Step(m) // an old message may be refused
	}
}

// ready does what an application does with a Ready: write, send, apply, advance.
func (c *cluster) ready(n *node) {
	if !n.raw.HasReady() {
		return
	}
	rd := n.raw.Ready()
	if c.options.restarts && c.r.Intn(300) == 0 {
		n.down = true // a crash before anything was written
		return
	}
	if !raft.IsEmptySnap(rd.Snapshot) {
		_ = n.disk.ApplySnapshot(rd.Snapshot)
		n.conf, n.applied = rd.Snapshot.Metadata.ConfState, rd.Snapshot.Metadata.Index
	}
	if !raft.IsEmptyHardState(rd.HardState) {
		_ = n.disk.SetHardState(rd.HardState)
	}
	if err := n.disk.Append(rd.Entries); err != nil {
		panic(err)
	}
	c.net = append(c.net, rd.Messages...)
	if len(c.net) > 300 {
		c.net = c.net[len(c.net)-300:]
	}
	for _, e := range rd.CommittedEntries {
		n.applied = e.Index
		switch e.Type {
		case raftpb.EntryConfChange:
			var cc raftpb.ConfChange
			if err := cc.Unmarshal(e.Data); err != nil {
				panic(err)
			}
			n.conf = *n.raw.ApplyConfChange(cc)
		case raftpb.EntryConfChangeV2:
			var cc raftpb.ConfChangeV2
			if err := cc.Unmarshal(e.Data); err != nil {
				panic(err)
			}
			n.conf = *n.raw.ApplyConfChange(cc)
		}
	}
	for _, m := range rd.Messages {
		if m.Type == raftpb.MsgSnap {
			n.raw.ReportSnapshot(m.To, raft.SnapshotFinish)
		}
	}
	n.raw.Advance(rd)
}

// change proposes a membership change: simple or joint.
func (c *cluster) change(n *node) {
	var changes []raftpb.ConfChangeSingle
	for range 1 + c.r.Intn(3) {
		switch c.r.Intn(3) {
		case 0:
			id := c.next
			if c.r.Intn(2) == 0 || len(c.ids) > 8 {
				id = c.ids[c.r.Intn(len(c.ids))]
			} else {
				c.next++
				c.start(id, nil)
			}
			kind := raftpb.ConfChangeAddNode
			if c.r.Intn(3) == 0 {
				kind = raftpb.ConfChangeAddLearnerNode
			}
			changes = append(changes, raftpb.ConfChangeSingle{Type: kind, NodeID: id})
		case 1:
			changes = append(changes, raftpb.ConfChangeSingle{Type: raftpb.ConfChangeAddNode, NodeID: c.ids[c.r.Intn(len(c.ids))]})
		default:
			if len(c.ids) > 3 {
				changes = append(changes, raftpb.ConfChangeSingle{Type: raftpb.ConfChangeRemoveNode, NodeID: c.ids[c.r.Intn(len(c.ids))]})
			}
		}
	}
	if len(changes) == 0 {
		return
	}
	_ = n.raw.ProposeConfChange(raftpb.ConfChangeV2{Changes: changes}) // refused without a leader
}
