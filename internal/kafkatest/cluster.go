package kafkatest

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Options say how a cluster is set up.
type Options struct {
	// RaftLevel is the level of the loggers org.apache.kafka.raft and kafka.raft: INFO is Kafka's default.
	RaftLevel string
	// Static: the voters stand in controller.quorum.voters (kraft.version 0), and cannot be changed.
	Static bool
	// Settings go to every server's properties.
	Settings map[string]string
}

// A Cluster is three controllers (1, 2, 3), those added later, and a broker (10).
type Cluster struct {
	Options
	ID          string
	Controllers []*Node
	Broker      *Node
	Folder      string
	release     Release
	newer       Release
	commands    *Commands
}

// NewCluster formats a cluster below folder; no node runs yet.
func NewCluster(r Release, folder string, o Options) (*Cluster, error) {
	if o.RaftLevel == "" {
		o.RaftLevel = "INFO"
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	c := &Cluster{Options: o, ID: newID(), Folder: folder, release: r}
	var err error
	if c.commands, err = NewCommands(r, folder); err != nil {
		return nil, err
	}
	for id := 1; id <= 3; id++ {
		n := c.newNode(id)
		n.Controller, n.Directory = true, newID()
		c.Controllers = append(c.Controllers, n)
	}
	c.Broker = c.newNode(10)
	for _, n := range c.Nodes() {
		c.configure(n)
		if err := c.Format(n, !n.Controller); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// newStandalone is one server that is controller and broker.
func newStandalone(r Release, folder string) (*Cluster, error) {
	c := &Cluster{Options: Options{RaftLevel: "INFO"}, ID: newID(), Folder: folder, release: r}
	var err error
	if c.commands, err = NewCommands(r, folder); err != nil {
		return nil, err
	}
	n := c.newNode(1)
	n.Controller, n.Directory = true, newID()
	c.Controllers, c.Broker = []*Node{n}, n
	c.configure(n)
	n.settings["process.roles"] = "broker,controller"
	n.settings["listeners"] = fmt.Sprintf("CONTROLLER://%s,BROKER://127.0.0.1:%d", n.address(), freePort())
	n.settings["inter.broker.listener.name"] = "BROKER"
	return c, c.Format(n, false)
}

// newID is a random id in the form that Kafka writes: 22 letters of URL base64, the first no dash.
func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:])
	id[0] &= 0x7f
	return base64.RawURLEncoding.EncodeToString(id[:])
}

func (c *Cluster) newNode(id int) *Node {
	return &Node{ID: id, Port: freePort(), cluster: c, release: c.release, Folder: filepath.Join(c.Folder, fmt.Sprintf("node%d", id))}
}

// freePort finds a port on which nothing listens, below those that the system gives to outgoing connections: one of
// them may not take a node's port while the node is down.
func freePort() int {
	for {
		port := 15000 + mathrand.IntN(17000)
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			l.Close()
			return port
		}
	}
}

// Nodes are the controllers and the broker.
func (c *Cluster) Nodes() []*Node { return append(append([]*Node(nil), c.Controllers...), c.Broker) }

// configure makes a node's settings: short timeouts, few threads.
func (c *Cluster) configure(n *Node) {
	n.settings = map[string]string{
		"node.id":                                   strconv.Itoa(n.ID),
		"log.dirs":                                  n.file("data"),
		"controller.listener.names":                 "CONTROLLER",
		"listener.security.protocol.map":            "CONTROLLER:PLAINTEXT,BROKER:PLAINTEXT",
		"controller.quorum.election.timeout.ms":     "1000",
		"controller.quorum.election.backoff.max.ms": "500",
		"controller.quorum.fetch.timeout.ms":        "1500",
		"controller.quorum.request.timeout.ms":      "1000",
		"broker.heartbeat.interval.ms":              "500",
		"broker.session.timeout.ms":                 "6000",
		"num.network.threads":                       "1",
		"num.io.threads":                            "2",
		"background.threads":                        "2",
		"offsets.topic.num.partitions":              "1",
		"offsets.topic.replication.factor":          "1",
		"log.cleaner.enable":                        "false",
	}
	if c.Static {
		n.settings["controller.quorum.voters"] = c.voters(func(n *Node) string { return fmt.Sprintf("%d@%s", n.ID, n.address()) })
	} else {
		n.settings["controller.quorum.bootstrap.servers"] = c.voters(func(n *Node) string { return n.address() })
	}
	if n.Controller {
		n.settings["process.roles"] = "controller"
		n.settings["listeners"] = "CONTROLLER://" + n.address()
	} else {
		n.settings["process.roles"] = "broker"
		n.settings["listeners"] = "BROKER://" + n.address()
		n.settings["inter.broker.listener.name"] = "BROKER"
	}
	maps.Copy(n.settings, c.Settings)
}

func (c *Cluster) voters(each func(*Node) string) string {
	var all []string
	for _, n := range c.Controllers {
		all = append(all, each(n))
	}
	return strings.Join(all, ",")
}

// Format formats a node's data folder. A controller that joins later, and a broker, know no first voters.
func (c *Cluster) Format(n *Node, joins bool) error {
	if err := n.configure(); err != nil {
		return err
	}
	args := []string{"format", "--cluster-id", c.ID, "--config", n.file("server.properties")}
	switch {
	case c.Static:
	case joins && n.Controller:
		args = append(args, "--no-initial-controllers")
	case !joins:
		args = append(args, "--initial-controllers",
			c.voters(func(n *Node) string { return fmt.Sprintf("%d@%s:%s", n.ID, n.address(), n.Directory) }))
	}
	_, err := c.commands.Run("kafka.tools.StorageTool", args...)
	return err
}

// Start starts the controllers, waits for their leader, and then for the broker to serve.
func (c *Cluster) Start() error {
	for _, n := range c.Controllers {
		if err := n.Start(); err != nil {
			return err
		}
	}
	if _, err := c.Leader(nil); err != nil {
		return err
	}
	if err := c.Broker.Start(); err != nil {
		return err
	}
	return c.Broker.AwaitLog(0, "Kafka Server started")
}

// Stop shuts the broker and then the controllers down.
func (c *Cluster) Stop() {
	c.Broker.Stop()
	for _, n := range c.Controllers {
		n.Stop()
	}
}

// Close kills all that still runs.
func (c *Cluster) Close() {
	for _, n := range c.Nodes() {
		n.Kill()
	}
	c.commands.Close()
}

var leaderLine = regexp.MustCompile(`(?m)^LeaderId:\s+(\d+)\nLeaderEpoch:\s+(\d+)`)

// Leader asks the quorum for its leader until it has one other than not (a node or nil).
func (c *Cluster) Leader(not *Node) (leader *Node, err error) {
	err = Await("a leader", func() bool {
		text, err := c.Describe("--status")
		match := leaderLine.FindStringSubmatch(text)
		if err != nil || match == nil {
			return false
		}
		for _, n := range c.Controllers {
			if strconv.Itoa(n.ID) == match[1] && n != not && n.Running() {
				leader = n
			}
		}
		return leader != nil
	})
	return leader, err
}

var highLine = regexp.MustCompile(`(?m)^HighWatermark:\s+(\d+)`)

// highWatermark is the one that the leader tells now.
func (c *Cluster) highWatermark() (high int64, err error) {
	err = Await("a high watermark", func() bool {
		text, err := c.Describe("--status")
		match := highLine.FindStringSubmatch(text)
		if err != nil || match == nil {
			return false
		}
		high, err = strconv.ParseInt(match[1], 10, 64)
		return err == nil
	})
	return high, err
}

// Followers are the running controllers other than leader.
func (c *Cluster) Followers(leader *Node) []*Node {
	var all []*Node
	for _, n := range c.Controllers {
		if n != leader && n.Running() {
			all = append(all, n)
		}
	}
	return all
}

// clientConfig is a properties file with short timeouts for the tools.
func (c *Cluster) clientConfig() string {
	file := filepath.Join(c.Folder, "client.properties")
	if size(file) == 0 {
		text := "default.api.timeout.ms=4000\nrequest.timeout.ms=2000\nretry.backoff.ms=50\nsocket.connection.setup.timeout.ms=1000\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	return file
}

const quorumCommand = "org.apache.kafka.tools.MetadataQuorumCommand"

// Addresses are those of all controllers, running or not.
func (c *Cluster) Addresses() []string {
	return strings.Split(c.voters(func(n *Node) string { return n.address() }), ",")
}

// running are the addresses of the controllers that run.
func (c *Cluster) running() string {
	var all []string
	for _, n := range c.Followers(nil) {
		all = append(all, n.address())
	}
	return strings.Join(all, ",")
}

// Describe is what kafka-metadata-quorum describe prints; view is --status or --replication.
func (c *Cluster) Describe(view string) (string, error) {
	return c.commands.Run(quorumCommand, "--bootstrap-controller", c.running(), "--command-config", c.clientConfig(), "describe", view)
}

// CreateTopic creates a topic with some partitions.
func (c *Cluster) CreateTopic(name string, partitions int) error {
	_, err := c.commands.Run("org.apache.kafka.tools.TopicCommand", "--bootstrap-server", c.Broker.address(), "--command-config", c.clientConfig(),
		"--create", "--if-not-exists", "--topic", name, "--partitions", strconv.Itoa(partitions))
	return err
}

// DeleteTopic deletes a topic.
func (c *Cluster) DeleteTopic(name string) error {
	_, err := c.commands.Run("org.apache.kafka.tools.TopicCommand", "--bootstrap-server", c.Broker.address(), "--command-config", c.clientConfig(),
		"--delete", "--topic", name)
	return err
}

// Join starts a new controller, which is an observer until AddController.
func (c *Cluster) Join(id int) (*Node, error) {
	n := c.newNode(id)
	n.Controller = true
	c.configure(n)
	if err := c.Format(n, true); err != nil {
		return nil, err
	}
	c.Controllers = append(c.Controllers, n)
	return n, n.Start()
}

// AddController makes an observer a voter. It asks until the quorum says so: a change is refused while another is pending,
// while the leader's epoch has committed nothing, and while the observer is behind.
func (c *Cluster) AddController(n *Node) error {
	directory, err := n.DirectoryID()
	if err != nil {
		return err
	}
	config := n.file("add.properties")
	server, err := os.ReadFile(n.file("server.properties"))
	if err != nil {
		return err
	}
	client, err := os.ReadFile(c.clientConfig())
	if err != nil {
		return err
	}
	if err := os.WriteFile(config, bytes.Join([][]byte{server, client}, nil), 0o644); err != nil {
		return err
	}
	return c.change(directory, true, "--command-config", config, "add-controller")
}

// RemoveController takes a voter, by its id and directory id, out of the set. Like AddController it asks again.
func (c *Cluster) RemoveController(id int, directory string) error {
	return c.change(directory, false, "--command-config", c.clientConfig(),
		"remove-controller", "--controller-id", strconv.Itoa(id), "--controller-directory-id", directory)
}

var votersLine = regexp.MustCompile(`(?m)^CurrentVoters:.*`)

// change asks for a change until directory is among the voters, or is not.
func (c *Cluster) change(directory string, voter bool, args ...string) error {
	var last error
	err := Await("voters to change", func() bool {
		text, err := c.Describe("--status")
		if err == nil && strings.Contains(votersLine.FindString(text), directory) == voter {
			return true
		}
		_, last = c.commands.Run(quorumCommand, append([]string{"--bootstrap-controller", c.running()}, args...)...)
		return false
	})
	if err != nil {
		return fmt.Errorf("%w; the last answer: %w", err, last)
	}
	return nil
}

// DirectoryID reads a node's directory id from its meta.properties.
func (n *Node) DirectoryID() (string, error) {
	text, err := os.ReadFile(n.file("data/meta.properties"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "directory.id="); ok {
			return strings.ReplaceAll(id, `\`, ""), nil
		}
	}
	return "", fmt.Errorf("no directory.id in %s", n.file("data/meta.properties"))
}
