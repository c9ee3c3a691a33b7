//go:build chaos

package chaos_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"purr/test/testkit/servers"
)

// part is one process of the installation. It is started again whenever it has ended, as a service manager does.
type part struct {
	*round
	name      string // api-1
	arguments []string
	variables []string
	database  *proxy // nil in the embedded default
	redis     *proxy
	storage   *proxy // nil where files lie in a folder

	mu       sync.Mutex
	process  *process
	stopping bool // it is not started again
	ended    chan struct{}
}

// process is one life of a part.
type process struct {
	command  *exec.Cmd
	log      string // the file of what it says
	exited   chan struct{}
	expected bool // whoever ended it meant to
	listens  atomic.Bool
}

// stopWithin is how long a part may take to end after SIGTERM (rule R4).
const stopWithin = 30 * time.Second

// begin starts the part, and starts it again until end is called.
func (p *part) begin() {
	p.ended = make(chan struct{})
	go func() {
		defer close(p.ended)
		for life := 1; ; life++ {
			p.mu.Lock()
			if p.stopping {
				p.mu.Unlock()
				return
			}
			now, err := p.start(life)
			p.process = now
			p.mu.Unlock()
			if err != nil {
				p.find("purr %s cannot be started: %v", p.name, err)
				return
			}
			<-now.exited
			p.gate.shut(now)
			p.judge(now)
		}
	}()
}

// start starts a process. Its output goes to a file of its own.
func (p *part) start(life int) (*process, error) {
	log, err := os.Create(filepath.Join(p.folder, fmt.Sprintf("%s.%d.log", p.name, life)))
	if err != nil {
		return nil, err
	}
	c := exec.Command(p.world.binary, p.arguments...)
	c.Env, c.Stderr, c.SysProcAttr = p.environment(p.variables...), log, servers.DieWithParent()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	now := &process{command: c, log: log.Name(), exited: make(chan struct{})}
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			url, is := strings.CutPrefix(lines.Text(), "listening on ")
			if is {
				now.listens.Store(true)
			}
			if is && p.answers() {
				p.gate.open(now, url)
			}
		}
		_, _ = io.Copy(io.Discard, out)
		_ = c.Wait() // how it ended is in the state
		_ = log.Close()
		close(now.exited)
	}()
	return now, nil
}

// judge tells of a process that has ended by itself after it had started. One that could not start, because its
// database is away, tries again.
func (p *part) judge(now *process) {
	p.mu.Lock()
	expected := now.expected || p.stopping
	p.mu.Unlock()
	if expected {
		return
	}
	if now.started() {
		p.find("purr %s ended by itself, %v: %s", p.name, now.command.ProcessState, now.lastWords())
	}
	<-time.After(200 * time.Millisecond)
}

// started reports whether the process has come so far that it must go on: it has said where it listens. Before that it may
// end because its database is away.
func (now *process) started() bool { return now.listens.Load() }

func (now *process) said() string {
	log, err := os.ReadFile(now.log)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(log))
}

// lastWords returns the end of what the process has said.
func (now *process) lastWords() string {
	said := now.said()
	return said[max(0, len(said)-600):]
}

// signal sends a signal to the present process.
func (p *part) signal(s syscall.Signal) *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == syscall.SIGKILL || s == syscall.SIGTERM {
		p.process.expected = true
	}
	_ = p.process.command.Process.Signal(s) // it may be gone already
	return p.process
}

// kill ends the process as a crash does.
func (p *part) kill() {
	<-p.signal(syscall.SIGKILL).exited
}

// terminate asks the process to end, which it must do in time and well (rule R4).
func (p *part) terminate() {
	before := time.Now()
	now := p.signal(syscall.SIGTERM)
	select {
	case <-now.exited:
		took := time.Since(before)
		if code := now.command.ProcessState.ExitCode(); code != 0 && now.started() {
			p.find("purr %s ended after SIGTERM with %v after %s", p.name, now.command.ProcessState, took.Round(time.Millisecond))
		}
	case <-time.After(stopWithin + 2*time.Second):
		p.find("purr %s has not ended %s after SIGTERM", p.name, stopWithin)
		_ = now.command.Process.Signal(syscall.SIGQUIT) // its log then tells where it hangs
		select {
		case <-now.exited:
		case <-time.After(2 * time.Second):
			p.kill()
		}
	}
}

// end ends the part for good.
func (p *part) end() {
	p.mu.Lock()
	p.stopping = true
	p.mu.Unlock()
	p.terminate()
	<-p.ended
}

// gate knows where the API can be reached.
type gate struct {
	mu   sync.Mutex
	urls map[*process]string
}

func (g *gate) open(p *process, url string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.urls[p] = url
}

func (g *gate) shut(p *process) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.urls, p)
}

// url returns one of the addresses, any of them, or nothing.
func (g *gate) url() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, url := range g.urls {
		return url
	}
	return ""
}

// answers reports whether the part serves the API. The others listen too, but say no more than how they are (rule O6).
func (p *part) answers() bool { return p.arguments[0] == "api" || p.arguments[0] == "serve" }

// sends reports whether the part hands documents over to their channels.
func (p *part) sends() bool { return p.arguments[0] == "worker" || p.arguments[0] == "serve" }
