package kafkatest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestScenarios runs every scenario against real Kafka.
// KAFKATEST_VERSIONS, KAFKATEST_LEVELS (comma separated) and KAFKATEST_KEEP (a folder for the recordings) change what is run.
func TestScenarios(t *testing.T) {
	for _, name := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no %s: real Kafka is not run", name)
		}
	}
	version, level := os.Getenv("KAFKATEST_VERSION"), os.Getenv("KAFKATEST_LEVEL")
	r, err := Obtain(os.Getenv("KAFKATEST_CACHE"), version)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Scenarios {
		t.Run(s.Name, func(t *testing.T) {
			folder := t.TempDir()
			if keep := os.Getenv("KAFKATEST_KEEP"); keep != "" {
				folder = filepath.Join(keep, version+"-"+s.Name)
				if level != "" {
					folder += "-" + level
				}
			}
			if err := s.Run(r, folder, level); err != nil {
				t.Error(err)
			}
		})
	}
}
