package kafkatest

import (
	"os/exec"
	"path/filepath"
	"strings"
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
type form struct{ adapter, files string }

var forms = []form{
	{"kraft", "node*/server.log"},
	{"kraft-metadata", "node*/__cluster_metadata-0"},
	{"kraft-metadata", "node*/dump.txt"},
	{"kraft-metadata", "status.txt"},
	{"kraft-metadata", "replication.txt"},
}

// check gives every form of the recording in folder to tracecheck, which has to find nothing.
func (c *checker) check(t *testing.T, folder string, s Scenario) {
	for _, f := range forms {
		if !strings.Contains(c.adapters, f.adapter+" ") {
			t.Logf("%s: there is no adapter %s yet", f.files, f.adapter)
			continue
		}
		files, err := filepath.Glob(filepath.Join(folder, f.files))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no such files (%v)", f.files, err)
			continue
		}
		cmd := exec.Command(c.binary, append([]string{"check", "-a", f.adapter}, files...)...)
		out, err := cmd.CombinedOutput()
		if err != nil && !s.Forgets {
			t.Errorf("%s: %v\n%s", f.files, err, out)
		}
	}
}
