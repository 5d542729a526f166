package kafkatest

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	cache     = flag.String("cache", "", "where Kafka's jars are kept (default: tracecheck/kafka in the user's cache folder)")
	keep      = flag.String("keep", "", "keep the recordings in this folder, as VERSION-SCENARIO-LEVEL")
	versions  = flag.String("versions", "4.4.0,3.9.2", "versions of Apache Kafka")
	scenarios = flag.String("scenarios", "", "scenarios, or all (default: those that CI plays)")
	level     = flag.String("level", "INFO", "level of the raft loggers; in the tour of the first version TRACE")
)

// TestKafka plays scenarios with real Apache Kafka and checks what they leave.
func TestKafka(t *testing.T) {
	for _, name := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("real Kafka is not run: there is no %s", name)
		}
	}
	folder := *cache
	if folder == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		folder = filepath.Join(user, "tracecheck", "kafka")
	}
	checker := build(t)
	all := strings.Split(*versions, ",")
	for i, version := range all {
		r, err := Obtain(folder, version)
		if errors.Is(err, ErrUnreachable) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		names := strings.Split(*scenarios, ",")
		switch {
		case *scenarios == "" && i == 0:
			names = []string{"tour", "snapshots"}
		case *scenarios == "":
			names = []string{"tour", "wiped-static"}
		}
		for _, s := range Scenarios {
			if !slices.Contains(names, s.Name) && *scenarios != "all" {
				continue
			}
			raftLevel := *level
			if s.Name == "tour" && i == 0 {
				raftLevel = "TRACE"
			}
			t.Run(strings.Join([]string{version, s.Name, raftLevel}, "-"), func(t *testing.T) {
				t.Parallel()
				record(t, r, s, raftLevel, checker)
			})
		}
	}
}

func record(t *testing.T, r Release, s Scenario, raftLevel string, checker *checker) {
	folder := t.TempDir()
	if *keep != "" {
		folder = filepath.Join(*keep, filepath.Base(t.Name()))
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	watch := func(c *Cluster) (func() error, error) { return checker.watch(c, filepath.Join(folder, "live")) }
	if err := s.Run(r, folder, raftLevel, watch); err != nil {
		t.Fatal(err)
	}
	checker.check(t, folder, s)
}
