package kafkatest

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// patience bounds every wait. It is far more than a wait takes on an idle machine.
const patience = 90 * time.Second

// A process is a Java process in a group of its own, so that its end is the end of all that it has started.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// start runs cmd in a new process group. On Linux the kernel kills it if this process dies.
func start(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = attributes()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

func (p *process) signal(s syscall.Signal) { _ = syscall.Kill(-p.cmd.Process.Pid, s) }

// running says that the process has not ended; a nil process never ran.
func (p *process) running() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// end sends s and waits for the end; after patience it kills.
func (p *process) end(s syscall.Signal) {
	if !p.running() {
		return
	}
	p.signal(s)
	select {
	case <-p.done:
	case <-time.After(patience):
		p.signal(syscall.SIGKILL)
		<-p.done
	}
}

// Await asks what until it says yes.
func Await(name string, what func() bool) error {
	until := time.Now().Add(patience)
	for !what() {
		if time.Now().After(until) {
			return fmt.Errorf("waited %v in vain: %s", patience, name)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// size is a file's length, 0 if there is none.
func size(file string) int64 {
	if info, err := os.Stat(file); err == nil {
		return info.Size()
	}
	return 0
}
