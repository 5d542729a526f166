//go:build with_tla

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestTracesConform runs new schedules of the real etcd raft and checks that
// every trace conforms. The seeds are printed, so that a failure can be repeated.
func TestTracesConform(t *testing.T) {
	dir := t.TempDir()
	build := func(name, from, pkg string, tags ...string) string {
		out := filepath.Join(dir, name)
		cmd := exec.Command("go", append(append([]string{"build", "-o", out}, tags...), pkg)...)
		cmd.Dir = from
		if b, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		return out
	}
	generate := build("generate", ".", ".", "-tags", "with_tla")
	tracecheck := build("tracecheck", "../../..", "./cmd/tracecheck")
	first := time.Now().UnixNano() % 1_000_000
	for seed := first; seed < first+8; seed++ {
		nodes := strconv.FormatInt(3+seed%2*2, 10)
		t.Logf("seed %d, %s nodes", seed, nodes)
		trace, err := exec.Command(generate, "-seed", strconv.FormatInt(seed, 10), "-nodes", nodes, "-steps", "2000").Output()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		path := filepath.Join(dir, "trace.ndjson")
		if err := os.WriteFile(path, trace, 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(tracecheck, "check", "--strict", path).CombinedOutput(); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, out)
		}
	}
}
