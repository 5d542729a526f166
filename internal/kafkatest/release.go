// Package kafkatest runs real Apache Kafka clusters for the tests: three controllers and a broker as plain processes on
// 127.0.0.1, which it starts, stops, kills, pauses, restarts and wipes, and whose logs and folders it keeps as recordings.
package kafkatest

import (
	"bytes"
	_ "embed"
	"errors"
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

// reload4j says that the release logs with log4j 1: before 4.0.
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

// ErrUnreachable: Maven could not get the jars, as without a network.
var ErrUnreachable = errors.New("no jars of Kafka to be had")

// Obtain copies a release's jars below cache, unless they are there, compiles Commands.java beside them and archives the
// classes of a server, which halves what it costs to start one.
func Obtain(cache, version string) (Release, error) {
	r := Release{Version: version, jars: filepath.Join(cache, version)}
	if err := os.MkdirAll(r.jars, 0o755); err != nil {
		return r, err
	}
	for _, step := range []func() error{r.fetch, r.compile, r.archive} {
		if err := step(); err != nil {
			return r, err
		}
	}
	return r, nil
}

// fetch has Maven resolve the pom.
func (r Release) fetch() error {
	binding := []any{r.Version, "org.apache.logging.log4j", "log4j-slf4j-impl", "2.25.5"}
	if r.reload4j() {
		binding = []any{r.Version, "org.slf4j", "slf4j-reload4j", "1.7.36"}
	}
	file := filepath.Join(r.jars, "pom.xml")
	return once(file, fmt.Appendf(nil, pom, binding...), func() error {
		out, err := exec.Command("mvn", "-q", "-B", "-f", file, "dependency:copy-dependencies",
			"-DincludeScope=runtime", "-DoutputDirectory="+r.jars).CombinedOutput()
		if err != nil {
			first, _, _ := strings.Cut(string(out), "\n")
			return fmt.Errorf("%w: %s: %w: %s", ErrUnreachable, r.Version, err, first)
		}
		return nil
	})
}

func (r Release) compile() error {
	source := filepath.Join(r.jars, "Commands.java")
	return once(source, commandsSource, func() error {
		out, err := exec.Command("javac", "-cp", r.classpath(), "-d", r.jars, source).CombinedOutput()
		if err != nil {
			return fmt.Errorf("javac: %w\n%s", err, out)
		}
		return nil
	})
}

// once writes text to file and does what belongs to it, unless the file is there with that text.
func once(file string, text []byte, do func() error) error {
	if have, err := os.ReadFile(file); err == nil && bytes.Equal(have, text) {
		return nil
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return err
	}
	if err := do(); err != nil {
		os.Remove(file)
		return err
	}
	return nil
}

func (r Release) archived() string { return filepath.Join(r.jars, "classes.jsa") }

// java are the options of every Java process: little memory, the quick compiler, the archive.
func (r Release) java(heap string) []string {
	o := []string{"-Xms32m", "-Xmx" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}
	if size(r.archived()) > 0 {
		o = append(o, "-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-XX:SharedArchiveFile="+r.archived())
	}
	return o
}

// archive runs a server that is controller and broker once, and has the JVM write down the classes that it loaded.
func (r Release) archive() error {
	if size(r.archived()) > 0 {
		return nil
	}
	folder, err := os.MkdirTemp("", "kafkatest")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	c, err := newStandalone(r, folder)
	if err != nil {
		return err
	}
	defer c.commands.Close()
	c.Broker.options = []string{"-XX:ArchiveClassesAtExit=" + r.archived()}
	if err := c.Broker.Start(); err != nil {
		return err
	}
	err = c.Broker.AwaitLog(0, "Kafka Server started")
	c.Broker.Stop()
	return err
}
