// Package servers starts MariaDB and Redis servers of one's own for tests and benchmarks: on a free
// port of 127.0.0.1, in a temporary folder, without touching what else runs on the machine. It knows
// nothing of the program under test.
package servers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// MySQLVariable and RedisVariable name the environment variables that tell tests which servers to
// use: mysql://USER:PASSWORD@HOST:PORT for an account that may create databases, and
// redis://:PASSWORD@HOST:PORT.
const (
	MySQLVariable = "PURR_TEST_MYSQL"
	RedisVariable = "PURR_TEST_REDIS"
)

const (
	startTimeout  = 5 * time.Minute  // a loaded machine recovers a database slowly
	answerTimeout = 10 * time.Second // for one question
	portAttempts  = 5                // another process may take the free port before the server does
	logTailLength = 4 << 10          // bytes of the server's log that an error shows
)

// SharedVariable names the environment variable with the folder that the test processes of one run share. What one of them
// has made, the others find there.
const SharedVariable = "PURR_TEST_SHARED"

// Options choose what a server is started for. The zero value is for tests.
type Options struct {
	// Durable keeps the promises of a production server at a crash of the machine, so that
	// measured times are honest. Without it a write is only safe from a crash of the process.
	Durable bool
	// Dir is where the server gets its folder. If empty, the folder for temporary files.
	Dir string
	// MaxConnections is how many connections a MariaDB server gives, at most: 0 for as many as all tests want.
	MaxConnections int
}

// Server is a server process of one's own.
type Server struct {
	URL string // how to connect, password included

	dir     string   // all that the server writes, removed by Stop
	command []string // the program and its arguments
	version string   // the flag by which it tells its version; --version if empty
	// environment is what the process has besides this program's environment.
	environment []string
	ready       func(context.Context) error
	exited      chan struct{} // closed when the process is gone
	process     *os.Process
}

// startOnFreePort calls configure with free ports until the server starts on one.
func (s *Server) startOnFreePort(ctx context.Context, configure func(port int)) error {
	var failures []error
	for range portAttempts {
		port, err := freePort(ctx)
		if err != nil {
			return err
		}
		configure(port)
		if err = s.Start(ctx); err == nil {
			return nil
		}
		failures = append(failures, err)
		if !errors.Is(err, errExited) {
			break
		}
	}
	return errors.Join(failures...)
}

// freePort returns a port that no process listens on. It is below the ports that operating systems use for outgoing
// connections, so that no client of a killed server can take it.
func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	var err error
	for range 100 {
		port := 20_000 + rand.IntN(12_000)
		var listener net.Listener
		if listener, err = config.Listen(ctx, "tcp", localAddress(port)); err == nil {
			return port, listener.Close()
		}
	}
	return 0, fmt.Errorf("find a free port: %w", err)
}

func localAddress(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func serverURL(scheme string, user *url.Userinfo, port int) string {
	u := url.URL{Scheme: scheme, User: user, Host: localAddress(port)}
	return u.String()
}

var errExited = errors.New("stopped while it started")

// Start starts the process and returns when it answers. It is for a server that was killed: the
// functions that make a server have already started it.
func (s *Server) Start(ctx context.Context) error {
	log, err := os.OpenFile(s.logPath(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the process has its own handle

	// The server outlives the context, which only bounds the start.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), s.command[0], s.command[1:]...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), s.environment...)
	cmd.SysProcAttr = DieWithParent()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.command[0], err)
	}
	s.process, s.exited = cmd.Process, make(chan struct{})
	go func(exited chan struct{}) {
		_ = cmd.Wait() // how it ended shows in its log
		close(exited)
	}(s.exited)
	return s.await(ctx)
}

// await returns when the server answers.
func (s *Server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := s.answers(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.exited:
			return fmt.Errorf("%s %w:\n%s", s.command[0], errExited, s.logTail())
		case <-ctx.Done():
			s.Kill()
			return fmt.Errorf("%s does not answer: %w\n%s", s.command[0], err, s.logTail())
		case <-tick.C:
		}
	}
}

func (s *Server) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	return s.ready(ctx)
}

// Kill ends the process as a crash does, and returns when it is gone. Start starts it again on the
// same port, with what it had written to its folder.
func (s *Server) Kill() {
	_ = s.process.Kill() // an error means that it is gone already
	<-s.exited
}

// Stop kills the process and removes all files that it wrote.
func (s *Server) Stop() error {
	if s.process != nil {
		s.Kill()
	}
	return os.RemoveAll(s.dir)
}

// Version returns the first line of what the program says of its version.
func (s *Server) Version(ctx context.Context) string {
	flag := cmp.Or(s.version, "--version")
	out, err := exec.CommandContext(ctx, s.command[0], flag).Output()
	if err != nil {
		return fmt.Sprintf("%s %s: %v", s.command[0], flag, err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return first
}

func (s *Server) logPath() string { return filepath.Join(s.dir, "server.log") }

func (s *Server) logTail() string {
	log, err := os.ReadFile(s.logPath())
	if err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(log[max(0, len(log)-logTailLength):]))
}

// find returns the path of the first of the programs that is installed.
func find(programs ...string) (string, error) {
	for _, program := range programs {
		if path, err := exec.LookPath(program); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed or not in PATH: run \"make test\", which installs what is missing",
		strings.Join(programs, " or "))
}
