package kafkatest

import (
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
	scenarios = flag.String("scenarios", "tour,snapshots,wiped-static", "scenarios, or all")
	level     = flag.String("level", "", "level of the raft loggers (default: INFO, Kafka's own; in a tour of 4.x TRACE)")
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
	for _, version := range strings.Split(*versions, ",") {
		r, err := Obtain(folder, version)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range Scenarios {
			if *scenarios != "all" && !slices.Contains(strings.Split(*scenarios, ","), s.Name) {
				continue
			}
			t.Run(version+"-"+s.Name, func(t *testing.T) {
				t.Parallel()
				record(t, r, s, checker)
			})
		}
	}
}

func record(t *testing.T, r Release, s Scenario, checker *checker) {
	raftLevel := *level
	if raftLevel == "" {
		raftLevel = "INFO"
		if s.Name == "tour" && strings.HasPrefix(r.Version, "4.") {
			raftLevel = "TRACE"
		}
	}
	folder := t.TempDir()
	if *keep != "" {
		folder = filepath.Join(*keep, strings.Join([]string{r.Version, s.Name, raftLevel}, "-"))
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Run(r, folder, raftLevel); err != nil {
		t.Fatal(err)
	}
	checker.check(t, folder, s)
}
