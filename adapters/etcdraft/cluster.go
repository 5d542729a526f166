package etcdraft

import (
	"fmt"
	"strings"

	"github.com/tracecheck/tracecheck/spec"
)

// One file may hold the traces of several clusters, one after the other: the
// output of a test run, whose tests all call their nodes 1, 2, 3. Nothing marks
// where one ends. What shows is a node that was there before and starts with an
// empty log; but a node whose disk was lost looks the same at first.
//
// So the next cluster is begun on suspicion. A known node that starts with an
// empty log opens it, and whoever starts with an empty log before the first
// message arrives joins it. If later a node receives a message from a node of an
// older cluster, there was only one cluster: the nodes of the younger one go
// back, each as restarted. Sending decides nothing, since a node may send to one
// of its own cluster that has yet to start and is known from the older one.
//
// A node that starts with entries in its log stays where it is.

// clusters knows which cluster each node of the trace belongs to now.
type clusters struct {
	groups    *spec.Groups
	opened    int              // clusters so far
	member    string           // " of n1" if others have files of their own: which clusters of theirs are the same nothing tells
	nodes     map[string]*node // that have written a line, by nid
	order     []*node          // the same, in order of appearance
	newest    *cluster         // that has nodes: where a node is that nobody knew
	gathering bool             // no message has arrived since newest was opened
}

// cluster is one Raft group, with what was learnt of its names.
type cluster struct {
	group *spec.Group
	confs map[string]*conf
	last  *conf
}

// node is one node of the trace.
type node struct {
	name      string
	cluster   *cluster
	id        spec.ID // in the cluster's group
	restoring bool    // between InitState and the first BecomeFollower
	moved     bool    // back to its cluster, as restarted, since its last line
}

// open begins a cluster. The first has an empty name, as the only group of a trace.
func (cs *clusters) open() {
	name := ""
	if cs.opened++; cs.opened > 1 {
		name = fmt.Sprintf("cluster %d%s", cs.opened, cs.member)
	}
	cs.newest = &cluster{group: cs.groups.Get(name, profile, shows), confs: make(map[string]*conf)}
	cs.gathering = true
}

// acting returns the node that wrote an event of the given kind, in the cluster
// that this line belongs to.
func (cs *clusters) acting(e *event, kind spec.Kind) *node {
	n := cs.nodes[e.nid]
	switch {
	case n == nil:
		if cs.newest == nil {
			cs.open()
		}
		n = &node{name: strings.Clone(e.nid)} // it is a piece of the line
		n.join(cs.newest)
		cs.nodes[n.name] = n
		cs.order = append(cs.order, n)
	case kind == spec.Restart && e.has&keyLog != 0 && e.log == 0:
		if !cs.gathering || n.cluster == cs.newest {
			cs.open()
		}
		n.join(cs.newest)
	}
	if kind == spec.Receive {
		cs.gathering = false
		if peer := cs.nodes[e.message.from]; peer != nil && peer.cluster != n.cluster {
			cs.unite(n.cluster, peer.cluster)
		}
	}
	return n
}

// unite moves the nodes of the younger of two clusters to the older.
func (cs *clusters) unite(older, younger *cluster) {
	if older.group.Index > younger.group.Index {
		older, younger = younger, older
	}
	cs.newest = older
	for _, n := range cs.order {
		if n.cluster == younger {
			n.join(older)
			n.moved = true
		}
		if n.cluster.group.Index > cs.newest.group.Index {
			cs.newest = n.cluster
		}
	}
}

// join makes n a node of c.
func (n *node) join(c *cluster) {
	n.cluster, n.id, n.moved = c, c.group.Server([]byte(n.name)), false
}

// act makes n the acting server of a.
func (n *node) act(a *spec.Action) {
	a.Group, a.Server = n.cluster.group.Index, n.id
	if n.moved {
		a.Flags |= spec.Restarted
		n.moved = false
	}
}

// starts reports whether n has not read its HardState yet, so that its lines
// show zeros for what is on disk. That lasts from InitState to the first event
// that is not ApplyConfChange, the BecomeFollower at the end of newRaft.
func (n *node) starts(kind spec.Kind) bool {
	n.restoring = kind == spec.Restart || n.restoring && kind == spec.ApplyConfiguration
	return n.restoring
}

// server returns the id of a node by its name; "0" is raft's None.
func (c *cluster) server(e *event, name string) spec.ID {
	if name == "" || name == "0" {
		return spec.Nil
	}
	id := c.group.Server([]byte(name))
	e.crowded = e.crowded || id == spec.Nil
	return id
}
