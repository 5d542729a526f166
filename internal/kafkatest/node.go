package kafkatest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
)

// A Node is one Kafka server, a controller or a broker, with a folder of its own.
type Node struct {
	ID         int
	Controller bool
	// Folder holds server.properties, server.log, controller.log, and in data what the server keeps.
	Folder string
	// Port on 127.0.0.1.
	Port int
	// Directory is the directory id with which the node is formatted first, empty where the format tool may choose.
	Directory string
	cluster   *Cluster
	release   Release
	process   *process
	settings  map[string]string
	options   []string // of the JVM, beyond the usual ones
}

func (n *Node) address() string         { return fmt.Sprintf("127.0.0.1:%d", n.Port) }
func (n *Node) file(name string) string { return filepath.Join(n.Folder, name) }

// Metadata is the node's __cluster_metadata-0 folder.
func (n *Node) Metadata() string { return n.file("data/__cluster_metadata-0") }

// configure writes server.properties.
func (n *Node) configure() error {
	if err := os.MkdirAll(n.Folder, 0o755); err != nil {
		return err
	}
	keys := make([]string, 0, len(n.settings))
	for key := range n.settings {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	var text strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&text, "%s=%s\n", key, n.settings[key])
	}
	return os.WriteFile(n.file("server.properties"), []byte(text.String()), 0o644)
}

// Start starts the server; it does not wait.
func (n *Node) Start() error {
	if n.process.running() {
		panic(fmt.Sprintf("node %d runs already", n.ID))
	}
	stdout, err := os.OpenFile(n.file("stdout"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer stdout.Close()
	args := append(append(logging(n.release, n.Folder, n.cluster.RaftLevel, "file"), append(n.release.java("256m"), n.options...)...),
		"-cp", n.release.classpath(), "kafka.Kafka", n.file("server.properties"))
	cmd := exec.Command("java", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = n.Folder, stdout, stdout
	n.process, err = start(cmd)
	return err
}

// Stop asks the server to shut down and waits until it has.
func (n *Node) Stop() { n.process.end(syscall.SIGTERM) }

// Kill ends the server at once.
func (n *Node) Kill() { n.process.end(syscall.SIGKILL) }

// Pause stops the process where it is, Resume lets it go on.
func (n *Node) Pause()  { n.process.signal(syscall.SIGSTOP) }
func (n *Node) Resume() { n.process.signal(syscall.SIGCONT) }

// Running says that the process lives (a paused one does).
func (n *Node) Running() bool { return n.process.running() }

// Wipe removes all that a stopped server has kept.
func (n *Node) Wipe() error { return os.RemoveAll(n.file("data")) }

// Log is all that the node's server.log holds now.
func (n *Node) Log() string {
	text, _ := os.ReadFile(n.file("server.log"))
	return string(text)
}

// AwaitLog waits until text has come to server.log behind its first after bytes.
func (n *Node) AwaitLog(after int64, text string) error {
	return Await(fmt.Sprintf("%q in node %d's log", text, n.ID), func() bool {
		log := n.Log()
		return int64(len(log)) > after && strings.Contains(log[after:], text)
	})
}
