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
	var releases []Release
	for _, version := range strings.Split(*versions, ",") {
		r, err := Obtain(folder, version)
		if errors.Is(err, ErrUnreachable) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		releases = append(releases, r)
	}
	t.Run("record table", func(t *testing.T) { recordTable(t, releases[0]) })
	for i, r := range releases {
		for _, s := range Scenarios {
			if !chosen(s, i) {
				continue
			}
			p := Play{Scenario: s, Release: r, Newer: releases[0], RaftLevel: *level}
			if s.Name == "tour" && i == 0 {
				p.RaftLevel = "TRACE"
			}
			t.Run(strings.Join([]string{r.Version, s.Name, p.RaftLevel}, "-"), func(t *testing.T) {
				t.Parallel()
				record(t, p, checker)
			})
		}
	}
}

// chosen says whether the i-th version plays s.
func chosen(s Scenario, i int) bool {
	switch {
	case *scenarios == "all":
		return true
	case *scenarios != "":
		return slices.Contains(strings.Split(*scenarios, ","), s.Name)
	case i == 0:
		return slices.Contains([]string{"tour", "snapshots"}, s.Name)
	}
	return slices.Contains([]string{"upgrade", "wiped-static"}, s.Name)
}

// record plays the scenario and has what it leaves checked. What Kafka did not do in time on a busy machine (a leader, a
// topic) says nothing of tracecheck: it is played once more. What tracecheck did not do is not.
func record(t *testing.T, p Play, checker *checker) {
	p.Folder = t.TempDir()
	if *keep != "" {
		p.Folder = filepath.Join(*keep, filepath.Base(t.Name()))
	}
	p.Watch = func(c *Cluster) (func() error, error) { return checker.watch(c, filepath.Join(p.Folder, "live")) }
	var err error
	for range 2 {
		if err := os.RemoveAll(p.Folder); err != nil {
			t.Fatal(err)
		}
		if err = p.Run(); err == nil || errors.Is(err, errNotRead) {
			break
		}
		t.Logf("not played: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	checker.check(t, p.Folder, p.Scenario)
}
