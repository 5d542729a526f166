package kafkatest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Commands is the process that runs Kafka's command line tools.
type Commands struct {
	mu      sync.Mutex
	process *process
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  *os.File
}

// NewCommands starts it; what the tools print to standard error goes to commands.log in folder.
func NewCommands(r Release, folder string) (*Commands, error) {
	c := &Commands{}
	var err error
	if c.stderr, err = os.Create(filepath.Join(folder, "commands.log")); err != nil {
		return nil, err
	}
	cmd := exec.Command("java", append(append(logging(r, folder, "ERROR", "stderr"), r.java("128m")...),
		"-cp", r.classpath()+":"+r.jars, "Commands")...)
	cmd.Stderr = c.stderr
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	c.process, err = start(cmd)
	return c, err
}

// Run runs a tool's main class and gives what it printed to standard output. A status other than 0 is an error.
func (c *Commands) Run(class string, args ...string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := fmt.Fprintln(c.in, strings.Join(append([]string{class}, args...), "\t")); err != nil {
		return "", err
	}
	head, err := c.out.ReadString('\n')
	if err != nil {
		return "", err
	}
	var output, errors, status int
	if _, err := fmt.Sscan(head, &output, &errors, &status); err != nil {
		return "", fmt.Errorf("%q: %w", head, err)
	}
	text := make([]byte, output+errors)
	if _, err := io.ReadFull(c.out, text); err != nil {
		return "", err
	}
	if status != 0 {
		return string(text[:output]), fmt.Errorf("%s %s: status %d: %s", class, strings.Join(args, " "), status, text)
	}
	return string(text[:output]), nil
}

// Close ends the process.
func (c *Commands) Close() {
	c.process.end(syscall.SIGKILL)
	c.stderr.Close()
}
