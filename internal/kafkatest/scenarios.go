package kafkatest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Scenario is something that happens to a cluster that serves. When it ends the cluster serves again, so scenarios can
// follow one another.
type Scenario struct {
	Name string
	// Says is what happens, for a recording's README.
	Says string
	// Settings are a server's settings beyond the usual ones.
	Settings map[string]string
	// Static: the voters are those of controller.quorum.voters, kraft.version 0.
	Static bool
	// Forgets: a voter loses its disk and comes back as the same voter, which Raft does not allow.
	Forgets bool
	// Happens does it, and returns when the cluster serves again.
	Happens func(c *Cluster) error
}

// Scenarios are all that there are, the longest first.
var Scenarios = []Scenario{
	{Name: "tour", Says: "one after the other: quiet, leader-killed, leader-paused, truncation, majority-lost, rolling-restart, wiped, membership",
		Settings: busy, Happens: tour},
	{Name: "quiet", Says: "three topics, one deleted, one more", Happens: quiet},
	{Name: "leader-killed", Says: "the leader is killed (SIGKILL) under load, another one leads, the killed one is started again; twice", Happens: leaderKilled},
	{Name: "majority-lost", Says: "both followers are killed; the leader resigns; they come back; then all three are killed and started", Happens: majorityLost},
	{Name: "leader-paused", Says: "the leader is paused (SIGSTOP) until another one leads, and wakes up; then both followers are paused until the leader resigns", Happens: leaderPaused},
	{Name: "rolling-restart", Says: "each controller in turn is stopped and started, the broker too", Happens: rollingRestart},
	{Name: "truncation", Says: "a leader that alone has written is killed, and as a follower it truncates", Settings: busy, Happens: truncation},
	{Name: "snapshots", Says: "small snapshots and segments, until every controller's log has been shortened; the broker's metadata log is removed and it fetches a snapshot",
		Settings: small, Happens: snapshots},
	{Name: "membership", Says: "controller 4 joins as an observer, is added, and the one that leads is removed", Happens: membership},
	{Name: "wiped", Says: "a follower's disk is wiped; it comes back with a new directory id, is removed under the old one and added under the new one", Happens: wiped},
	{Name: "wiped-static", Says: "a follower's disk is wiped and it comes back as the same voter, having forgotten epoch and vote", Static: true, Forgets: true, Happens: wipedStatic},
	{Name: "upgrade", Says: "each controller in turn, then the broker, is stopped and started with the newer version; then the leader is killed", Happens: upgrade},
	{Name: "static", Says: "the leader is killed and started again, twice; static voters", Static: true, Happens: leaderKilled},
}

var (
	// busy: the leader writes a record at least every 200 ms.
	busy = map[string]string{"metadata.max.idle.interval.ms": "200"}
	// small: a snapshot about every 8 s, a segment every 10 s, and as little kept as Kafka allows.
	small = map[string]string{
		"metadata.log.max.record.bytes.between.snapshots": "6000",
		"metadata.log.segment.ms":                         "10000",
		"metadata.max.retention.bytes":                    "8000",
		"metadata.max.retention.ms":                       "5000",
		"metadata.max.idle.interval.ms":                   "100",
	}
)

// A Play is a scenario with real Kafka.
type Play struct {
	Scenario
	// Release is what the nodes run first, Newer what they are upgraded to by a scenario that upgrades.
	Release, Newer Release
	RaftLevel      string
	// Folder takes the recording.
	Folder string
	// Watch is called when the cluster serves; what it returns is called when the scenario has happened and the cluster
	// serves again.
	Watch func(*Cluster) (func() error, error)
}

// Run plays the scenario and leaves its recording in the folder.
func (p Play) Run() error {
	c, err := NewCluster(p.Release, filepath.Join(p.Folder, "run"), Options{RaftLevel: p.RaftLevel, Static: p.Static, Settings: p.Settings})
	if err != nil {
		return err
	}
	defer os.RemoveAll(c.Folder) // what is kept has been copied
	defer c.Close()
	c.newer = p.Newer
	poll, err := c.StartPoll(p.Folder, time.Second)
	if err != nil {
		return err
	}
	if err = c.Start(); err == nil {
		err = p.watched(c)
	}
	poll.Stop()
	if err == nil {
		c.Stop()
	}
	for _, n := range c.Nodes() {
		n.Kill()
	}
	return errors.Join(err, c.Record(p.Folder))
}

func (p Play) watched(c *Cluster) error {
	seen, err := p.Watch(c)
	if err != nil {
		return err
	}
	happened, read := p.Happens(c), seen()
	if happened != nil { // then there may have been nothing to read
		return happened
	}
	return read
}

func (c *Cluster) topics(prefix string, n int) error {
	for i := range n {
		if err := c.CreateTopic(fmt.Sprintf("%s-%d", prefix, i), 3); err != nil {
			return err
		}
	}
	return nil
}

// steps does one after the other until one fails.
func steps(all ...func() error) error {
	for _, step := range all {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func quiet(c *Cluster) error {
	return steps(
		func() error { return c.topics("quiet", 3) },
		func() error { return c.DeleteTopic("quiet-1") },
		c.settle,
	)
}

// settle waits until the leader of now has committed all that it had when asked, that is, until a topic is created.
func (c *Cluster) settle() error {
	return Await("a topic created", func() bool {
		return c.CreateTopic(fmt.Sprintf("settled-%d", time.Now().UnixNano()), 1) == nil
	})
}

// back starts a node and waits until it follows.
func (c *Cluster) back(n *Node) error {
	before := size(n.file("server.log"))
	if err := n.Start(); err != nil {
		return err
	}
	return Await(fmt.Sprintf("node %d to follow or lead", n.ID), func() bool {
		log := n.Log()
		log = log[min(int64(len(log)), before):]
		return strings.Contains(log, "Completed transition to Follower") || strings.Contains(log, "Completed transition to Leader")
	})
}

func leaderKilled(c *Cluster) error {
	for i := range 2 {
		leader, err := c.Leader(nil)
		if err != nil {
			return err
		}
		err = steps(
			func() error { return c.topics(fmt.Sprintf("before-%d", i), 2) },
			func() error { leader.Kill(); return nil },
			func() error { _, err := c.Leader(leader); return err },
			c.settle,
			func() error { return c.back(leader) },
			c.settle,
		)
		if err != nil {
			return err
		}
	}
	return nil
}

func majorityLost(c *Cluster) error {
	leader, err := c.Leader(nil)
	if err != nil {
		return err
	}
	before := size(leader.file("server.log"))
	lost := c.Followers(leader)
	return steps(
		c.settle,
		func() error { lost[0].Kill(); lost[1].Kill(); return nil },
		func() error { return leader.AwaitLog(before, "Completed transition to Resigned") },
		func() error { return steps(lost[0].Start, lost[1].Start) },
		func() error { _, err := c.Leader(nil); return err },
		c.settle,
		func() error {
			for _, n := range c.Controllers {
				n.Kill()
			}
			return steps(c.Controllers[0].Start, c.Controllers[1].Start, c.Controllers[2].Start)
		},
		func() error { _, err := c.Leader(nil); return err },
		c.settle,
	)
}

func leaderPaused(c *Cluster) error {
	leader, err := c.Leader(nil)
	if err != nil {
		return err
	}
	if err := c.settle(); err != nil {
		return err
	}
	others := c.Followers(leader)
	befores := []int64{size(others[0].file("server.log")), size(others[1].file("server.log"))}
	leader.Pause()
	err = Await("another leader", func() bool {
		return strings.Contains(others[0].Log()[befores[0]:], "Completed transition to Leader") ||
			strings.Contains(others[1].Log()[befores[1]:], "Completed transition to Leader")
	})
	before := size(leader.file("server.log"))
	leader.Resume()
	if err != nil {
		return err
	}
	if err := steps(func() error { return leader.AwaitLog(before, "Completed transition to Follower") }, c.settle); err != nil {
		return err
	}
	if leader, err = c.Leader(nil); err != nil {
		return err
	}
	before = size(leader.file("server.log"))
	others = c.Followers(leader)
	others[0].Pause()
	others[1].Pause()
	err = leader.AwaitLog(before, "Completed transition to Resigned")
	others[0].Resume()
	others[1].Resume()
	if err != nil {
		return err
	}
	return c.settle()
}

func rollingRestart(c *Cluster) error {
	for _, n := range c.Nodes() {
		if err := c.settle(); err != nil {
			return err
		}
		before := size(n.file("server.log"))
		n.Stop()
		if err := n.Start(); err != nil {
			return err
		}
		if err := n.AwaitLog(before, "Kafka Server started"); err != nil {
			return err
		}
		if _, err := c.Leader(nil); err != nil {
			return err
		}
	}
	return c.settle()
}

// upgrade runs controllers of two versions together for a while.
func upgrade(c *Cluster) error {
	for _, n := range c.Nodes() {
		if err := c.settle(); err != nil {
			return err
		}
		before := size(n.file("server.log"))
		n.Stop()
		n.release = c.newer
		if err := n.Start(); err != nil {
			return err
		}
		if err := n.AwaitLog(before, "Kafka Server started"); err != nil {
			return err
		}
		if _, err := c.Leader(nil); err != nil {
			return err
		}
	}
	return leaderKilled(c)
}

// logBytes is the length of a node's metadata segments.
func (n *Node) logBytes() (sum int64) {
	files, _ := filepath.Glob(filepath.Join(n.Metadata(), "*.log"))
	for _, f := range files {
		sum += size(f)
	}
	return sum
}

// snapshots counts a node's snapshots and says whether its log starts behind 0.
func (n *Node) snapshots() (count int, shortened bool) {
	checkpoints, _ := filepath.Glob(filepath.Join(n.Metadata(), "*.checkpoint"))
	_, err := os.Stat(filepath.Join(n.Metadata(), "00000000000000000000.log"))
	return len(checkpoints), err != nil
}

// truncation lets the leader write while nobody fetches.
func truncation(c *Cluster) error {
	leader, err := c.Leader(nil)
	if err != nil {
		return err
	}
	others := c.Followers(leader)
	others[0].Pause()
	others[1].Pause()
	// A record is about 75 bytes. What was being fetched when they were paused reaches them; more than that does not.
	grown := leader.logBytes() + 400
	err = Await("a leader that writes alone", func() bool { return leader.logBytes() > grown })
	leader.Kill()
	others[0].Resume()
	others[1].Resume()
	if err != nil {
		return err
	}
	return steps(
		func() error { _, err := c.Leader(leader); return err },
		c.settle,
		func() error { return c.back(leader) },
		c.settle,
	)
}

// snapshots waits for Kafka's cleaner, which runs once a minute.
func snapshots(c *Cluster) error {
	err := Await("a snapshot and a shortened log", func() bool {
		for _, n := range c.Controllers {
			if count, shortened := n.snapshots(); count == 0 || !shortened {
				return false
			}
		}
		return true
	})
	if err != nil {
		return err
	}
	return steps(c.forget, c.settle)
}

// forget stops the broker, an observer, removes its metadata log and starts it again: it must fetch a snapshot.
func (c *Cluster) forget() error {
	c.Broker.Stop()
	if err := os.RemoveAll(c.Broker.Metadata()); err != nil {
		return err
	}
	before := size(c.Broker.file("server.log"))
	if err := c.Broker.Start(); err != nil {
		return err
	}
	return c.Broker.AwaitLog(before, "Kafka Server started")
}

func membership(c *Cluster) error {
	if err := c.settle(); err != nil {
		return err
	}
	n, err := c.Join(4)
	if err != nil {
		return err
	}
	if err := n.AwaitLog(0, "Completed transition to Follower"); err != nil {
		return err
	}
	if err := c.AddController(n); err != nil {
		return err
	}
	if err := c.settle(); err != nil {
		return err
	}
	leader, err := c.Leader(nil)
	if err != nil {
		return err
	}
	directory, err := leader.DirectoryID()
	if err != nil {
		return err
	}
	if err := c.RemoveController(leader.ID, directory); err != nil {
		return err
	}
	return steps(func() error { _, err := c.Leader(leader); return err }, c.settle)
}

func wiped(c *Cluster) error {
	if err := c.settle(); err != nil {
		return err
	}
	leader, err := c.Leader(nil)
	if err != nil {
		return err
	}
	n := c.Followers(leader)[0]
	old, err := n.DirectoryID()
	if err != nil {
		return err
	}
	n.Kill()
	return steps(
		n.Wipe,
		func() error { return c.Format(n, true) },
		func() error { return c.back(n) },
		c.settle,
		func() error { return c.RemoveController(n.ID, old) },
		func() error {
			return Await("the wiped controller added", func() bool { return c.AddController(n) == nil })
		},
		c.settle,
	)
}

func wipedStatic(c *Cluster) error {
	if err := c.settle(); err != nil {
		return err
	}
	leader, err := c.Leader(nil)
	if err != nil {
		return err
	}
	n := c.Followers(leader)[0]
	n.Kill()
	return steps(
		n.Wipe,
		func() error { return c.Format(n, false) },
		func() error { return c.back(n) },
		c.settle,
	)
}

// tour does all that goes with dynamic voters in one cluster: to start one is what costs most.
func tour(c *Cluster) error {
	for i, happens := range []func(*Cluster) error{quiet, leaderKilled, leaderPaused, truncation, majorityLost, rollingRestart, wiped, membership} {
		if err := happens(c); err != nil {
			return fmt.Errorf("part %d of the tour: %w", i+1, err)
		}
	}
	return nil
}
