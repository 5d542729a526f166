package kafkatest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Poll writes down what the quorum says of itself while a scenario runs, as an operator with a loop in the shell would.
type Poll struct {
	stop chan struct{}
	done sync.WaitGroup
}

// StartPoll polls every interval into folder/status.txt and folder/replication.txt. What fails (no leader) is left out.
func (c *Cluster) StartPoll(folder string, interval time.Duration) (*Poll, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	p := &Poll{stop: make(chan struct{})}
	p.done.Go(func() {
		for {
			for _, view := range []string{"status", "replication"} {
				if text, err := c.Describe("--" + view); err == nil {
					appendTo(filepath.Join(folder, view+".txt"), text)
				}
			}
			select {
			case <-p.stop:
				return
			case <-time.After(interval):
			}
		}
	})
	return p, nil
}

// Stop ends the poll.
func (p *Poll) Stop() {
	close(p.stop)
	p.done.Wait()
}

func appendTo(file, text string) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		panic(err)
	}
}

// Record copies every node's logs and metadata folder to folder/node<id>, with the dump of its log and snapshots. Call it
// when the nodes are stopped or killed.
func (c *Cluster) Record(folder string) error {
	for _, n := range c.Nodes() {
		to := filepath.Join(folder, fmt.Sprintf("node%d", n.ID))
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		for _, name := range []string{"server.log", "controller.log", "server.properties", "data/meta.properties"} {
			if size(n.file(name)) == 0 {
				continue
			}
			if err := copyFile(n.file(name), filepath.Join(to, filepath.Base(name))); err != nil {
				return err
			}
		}
		if err := n.copyMetadata(filepath.Join(to, "__cluster_metadata-0")); err != nil {
			return err
		}
		if err := c.dump(n, filepath.Join(to, "dump.txt")); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// copyMetadata copies the metadata folder; an index of a segment that was not closed is 10 MB of zeros, left out: nobody reads it.
func (n *Node) copyMetadata(to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := os.ReadDir(n.Metadata())
	if err != nil {
		return err
	}
	for _, f := range files {
		if strings.Contains(f.Name(), "index") && size(filepath.Join(n.Metadata(), f.Name())) > 1<<20 {
			continue
		}
		if err := copyFile(filepath.Join(n.Metadata(), f.Name()), filepath.Join(to, f.Name())); err != nil {
			return err
		}
	}
	return nil
}

// dump writes what kafka-dump-log --cluster-metadata-decoder prints for all segments and snapshots of a node.
func (c *Cluster) dump(n *Node, to string) error {
	files, err := os.ReadDir(n.Metadata())
	if err != nil {
		return err
	}
	var names []string
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".log") || strings.HasSuffix(f.Name(), ".checkpoint") {
			names = append(names, filepath.Join(n.Metadata(), f.Name()))
		}
	}
	class := "org.apache.kafka.tools.DumpLogSegments"
	if c.release.reload4j() {
		class = "kafka.tools.DumpLogSegments"
	}
	text, err := c.commands.Run(class, "--cluster-metadata-decoder", "--files", strings.Join(names, ","))
	if err != nil {
		return err
	}
	return os.WriteFile(to, []byte(text), 0o644)
}
