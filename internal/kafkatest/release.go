// Package kafkatest runs real Apache Kafka clusters for the tests: three controllers and a broker as plain processes on
// 127.0.0.1, which it starts, stops, kills, pauses, restarts and wipes, and whose logs and folders it keeps as recordings.
package kafkatest

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Release is one version of Apache Kafka, as Maven Central has it.
type Release struct {
	Version string
	// jars is the folder with kafka_2.13, kafka-tools, a log4j binding and all that they need.
	jars string
}

// Reloads says that the release logs with log4j 1's format (reload4j): before 4.0.
func (r Release) reload4j() bool { return strings.HasPrefix(r.Version, "3.") }

func (r Release) classpath() string { return r.jars + "/*" }

// pom names what a release needs; Maven resolves it.
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tracecheck</groupId>
  <artifactId>kafkatest</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>%[1]s</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>%[1]s</version></dependency>
    <dependency><groupId>%[2]s</groupId><artifactId>%[3]s</artifactId><version>%[4]s</version></dependency>
  </dependencies>
</project>
`

//go:embed Commands.java
var commandsSource []byte

// Obtain copies a release's jars below cache, unless they are there, and compiles Commands.java beside them.
func Obtain(cache, version string) (Release, error) {
	r := Release{Version: version, jars: filepath.Join(cache, version)}
	if _, err := os.Stat(filepath.Join(r.jars, "complete")); err == nil {
		return r, r.compile()
	}
	if err := os.MkdirAll(r.jars, 0o755); err != nil {
		return r, err
	}
	binding := []any{version, "org.apache.logging.log4j", "log4j-slf4j-impl", "2.25.5"}
	if r.reload4j() {
		binding = []any{version, "org.slf4j", "slf4j-reload4j", "1.7.36"}
	}
	file := filepath.Join(r.jars, "pom.xml")
	if err := os.WriteFile(file, fmt.Appendf(nil, pom, binding...), 0o644); err != nil {
		return r, err
	}
	mvn := exec.Command("mvn", "-q", "-B", "-f", file, "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory="+r.jars)
	if out, err := mvn.CombinedOutput(); err != nil {
		return r, fmt.Errorf("mvn could not fetch Kafka %s: %w\n%s", version, err, out)
	}
	if err := os.WriteFile(filepath.Join(r.jars, "complete"), nil, 0o644); err != nil {
		return r, err
	}
	return r, r.compile()
}

func (r Release) compile() error {
	source := filepath.Join(r.jars, "Commands.java")
	if have, err := os.ReadFile(source); err == nil && string(have) == string(commandsSource) {
		return nil
	}
	if err := os.WriteFile(source, commandsSource, 0o644); err != nil {
		return err
	}
	out, err := exec.Command("javac", "-cp", r.classpath(), "-d", r.jars, source).CombinedOutput()
	if err != nil {
		os.Remove(source)
		return fmt.Errorf("javac: %w\n%s", err, out)
	}
	return nil
}
