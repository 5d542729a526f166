package kafkatest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A checker is a tracecheck that was built for the test.
type checker struct {
	binary string
	// adapters are the names of those that it has.
	adapters string
}

func build(t *testing.T) *checker {
	t.Helper()
	c := &checker{binary: filepath.Join(t.TempDir(), "tracecheck")}
	cmd := exec.Command("go", "build", "-o", c.binary, "./cmd/tracecheck")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(c.binary, "adapters").Output()
	if err != nil {
		t.Fatal(err)
	}
	c.adapters = string(out)
	return c
}

// A form is one way in which an operator gives a recording to tracecheck.
type form struct {
	adapter, files string
	// forgot is the rule that a voter breaks which comes back without its disk; empty where the form cannot show it. One
	// log alone shows it only where vote requests before and after name the same cluster, which depends on how many
	// elections there were: else the cluster may have been formatted anew.
	forgot string
}

var forms = []form{
	{adapter: "kraft", files: "node*/server.log", forgot: "K18"},
	{adapter: "kraft", files: "node*/controller.log"},
	{adapter: "kraft-metadata", files: "node*/__cluster_metadata-0"},
	{adapter: "kraft-metadata", files: "node*/dump.txt"},
	{adapter: "kraft-metadata", files: "status.txt"},
	{adapter: "kraft-metadata", files: "replication.txt"},
	{adapter: "kraft-metadata", files: "live/__cluster_metadata-0"},
	{adapter: "kraft-metadata", files: "live/*/status.txt"},
	{adapter: "kraft-metadata", files: "live/*/replication.txt"},
}

// check gives every form of the recording in folder to tracecheck, all files together and each alone. It finds nothing, but
// where a voter has forgotten.
func (c *checker) check(t *testing.T, folder string, s Scenario) {
	compare(t, folder)
	var skipped []string
	for _, f := range forms {
		if !strings.Contains(c.adapters, " "+f.adapter+" ") {
			skipped = append(skipped, f.files)
			continue
		}
		files, err := filepath.Glob(filepath.Join(folder, f.files))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no such files (%v)", f.files, err)
			continue
		}
		for _, args := range [][]string{files, append([]string{"--separate"}, files...)} {
			out, err := exec.Command(c.binary, append([]string{"check"}, args...)...).CombinedOutput()
			broken := violated(out)
			forgot := len(broken) == 1 && broken[0] == f.forgot && s.Forgets && exitCode(err) == 1
			together := args[0] != "--separate"
			switch {
			case forgot:
			case s.Forgets && f.forgot != "" && together:
				t.Errorf("%s: want one violation, of %s, and got %v\n%s", f.files, f.forgot, err, out)
			case err != nil:
				t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
			}
		}
	}
	if len(skipped) > 0 {
		t.Logf("not checked, for there is no adapter: %s", strings.Join(skipped, " "))
	}
}

// violated lists the rules of the violations in a report, in their order.
func violated(report []byte) []string {
	var rules []string
	for line := range bytes.Lines(report) {
		if rest, ok := bytes.CutPrefix(line, []byte("violation ")); ok {
			rule, _, _ := bytes.Cut(rest, []byte(" "))
			rules = append(rules, string(rule))
		}
	}
	return rules
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// errNotRead: tracecheck did not read the running quorum as it should.
var errNotRead = errors.New("not read live")

// watch has tracecheck read the running quorum into folder while the scenario happens, through every change of leader,
// until the returned function is called.
func (c *checker) watch(cluster *Cluster, folder string) (func() error, error) {
	var out bytes.Buffer
	cmd := exec.Command(c.binary, "check", fmt.Sprintf("kraft://%s?follow=1h&keep=%s", strings.Join(cluster.Addresses(), ","), folder))
	cmd.Stdout, cmd.Stderr = &out, &out
	p, err := start(cmd)
	if err != nil {
		return nil, err
	}
	return func() error {
		defer p.end(syscall.SIGKILL)
		high, err := cluster.highWatermark()
		if err != nil {
			return err
		}
		err = Await(fmt.Sprintf("offset %d to be read live", high-1), func() bool {
			if !p.running() {
				return true
			}
			for base := range batches(filepath.Join(folder, "__cluster_metadata-0")) {
				if base >= high-1 {
					return true
				}
			}
			return false
		})
		if !p.running() {
			return fmt.Errorf("%w: tracecheck has ended early: %s", errNotRead, &out)
		}
		p.end(syscall.SIGINT)
		if err != nil {
			return fmt.Errorf("%w: %w", errNotRead, err)
		}
		return nil
	}, nil
}

// compare finds every batch that was read live in the logs of the nodes that have its offset: the same bytes.
func compare(t *testing.T, folder string) {
	t.Helper()
	live := batches(filepath.Join(folder, "live/__cluster_metadata-0"))
	nodes, _ := filepath.Glob(filepath.Join(folder, "node*/__cluster_metadata-0"))
	same := 0
	for _, node := range nodes {
		for base, bytes := range batches(node) {
			if read, ok := live[base]; ok && read != bytes {
				t.Errorf("%s: the batch at offset %d has other bytes than were read from the leader", node, base)
			} else if ok {
				same++
			}
		}
	}
	if diverged, _ := filepath.Glob(filepath.Join(folder, "live/diverged-*")); len(diverged) > 0 {
		t.Errorf("what was committed has changed: %v", diverged)
	}
	if same == 0 {
		t.Error("nothing that was read live is on a disk")
	}
	t.Logf("%d batches were read live; nodes have %d of them", len(live), same)
}

// batches are the record batches of a folder's segments by the offset of their first record.
func batches(folder string) map[int64]string {
	all := map[int64]string{}
	logs, _ := filepath.Glob(filepath.Join(folder, "*.log"))
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		for len(text) >= 12 {
			size := 12 + int(binary.BigEndian.Uint32(text[8:]))
			if size > len(text) {
				break
			}
			all[int64(binary.BigEndian.Uint64(text))] = string(text[:size])
			text = text[size:]
		}
	}
	return all
}
