package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

// root is the folder of the module.
var root = func() string {
	path, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return path
}()

// built is the program, built once for all tests that run it.
var built struct {
	once   sync.Once
	folder string
	err    error
}

// binary returns the path of the program.
func binary() (string, error) {
	built.once.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "purr-e2e-"); built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(built.folder, "purr"), "./cmd/purr")
		build.Dir = root
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOAMD64=") // as "make build" does, whatever the tests are compiled for
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("build purr: %w\n%s", err, out)
		}
	})
	return filepath.Join(built.folder, "purr"), built.err
}

// removeBinary removes what binary has built, if it has.
func removeBinary() error {
	if built.folder == "" {
		return nil
	}
	return os.RemoveAll(built.folder)
}

// process is the program, running.
type process struct {
	t              *testing.T
	command        *exec.Cmd
	stdout, stderr *testkit.Log
	exited         chan struct{} // closed when it is gone
}

// begin starts the program with arguments, and with variables, NAME=VALUE, in an environment that holds
// nothing else of ours. It is killed when the test ends.
func begin(t *testing.T, variables []string, arguments ...string) *process {
	t.Helper()
	p := &process{t: t, command: command(t, variables, arguments), stdout: &testkit.Log{}, stderr: &testkit.Log{}, exited: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = p.stdout, p.stderr
	must(t, p.command.Start())
	go func() {
		_ = p.command.Wait() // how it ended is in the state
		close(p.exited)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("purr %s said:\n%s", strings.Join(arguments, " "), p.stderr.Tail())
		}
	})
	return p
}

// migrated returns the folder of an installation that holds nothing yet.
func migrated(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	rows.Migrate(t, "sqlite:"+filepath.Join(data, "purr.db"))
	return data
}

func command(t *testing.T, variables, arguments []string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	must(t, err)
	c := exec.Command(path, arguments...)
	c.SysProcAttr = servers.DieWithParent()
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PURR_") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(append(c.Env, "PURR_MIN_FREE_DISK=0"), variables...)
	return c
}

// listening waits until the API answers, and returns its address, without /api/v1.
func (p *process) listening() string {
	p.t.Helper()
	const line = "listening on "
	eventually(p.t, "the program listens", func() (bool, any) {
		select {
		case <-p.exited:
			p.t.Fatalf("the program ended before it listened: %s", p.stderr)
		default:
		}
		out := p.stdout.String()
		return strings.HasPrefix(out, line) && strings.HasSuffix(out, "\n"), p.stderr
	})
	return strings.TrimSpace(strings.TrimPrefix(p.stdout.String(), line))
}

// firstKey waits until the program has told where its first key lies, and returns the key. root is where the program sees its files.
func (p *process) firstKey(root ...string) (key string) {
	p.t.Helper()
	eventually(p.t, "the first key's file is told", func() (bool, any) {
		key = testkit.FirstKey(p.stderr.String(), strings.Join(root, ""))
		return key != "", p.stderr
	})
	return key
}

// kill ends the process as a crash does, and returns when it is gone.
func (p *process) kill() {
	_ = p.command.Process.Kill() // an error means that it is gone already
	<-p.exited
}

// terminate asks the process to end, as a service manager does, and returns its exit code (rule R4).
func (p *process) terminate() int {
	p.t.Helper()
	must(p.t, p.command.Process.Signal(syscall.SIGTERM))
	return p.code()
}

// code waits until the process has ended, and returns its exit code.
func (p *process) code() int {
	p.t.Helper()
	select {
	case <-p.exited:
	case <-time.After(testkit.Patience):
		p.t.Fatalf("the program does not end: %s", p.stderr)
	}
	return p.command.ProcessState.ExitCode()
}

// result is how a command ended.
type result struct {
	code           int
	stdout, stderr string
}

// refused reports whether the program refused to do what it was told, or to understand it.
func (r result) refused() bool { return r.code == 1 || r.code == 64 }

// run runs the program to its end.
func run(t *testing.T, variables []string, arguments ...string) result {
	t.Helper()
	c := command(t, variables, arguments)
	timer := time.AfterFunc(testkit.Patience, func() { _ = c.Process.Kill() }) // it may have ended just now
	defer timer.Stop()
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	c.WaitDelay = testkit.Patience
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("purr %s: %v", strings.Join(arguments, " "), err)
	}
	return result{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// ok runs the program to its end, which must be a good one, and returns what it said.
func ok(t *testing.T, variables []string, arguments ...string) string {
	t.Helper()
	r := run(t, variables, arguments...)
	if r.code != 0 {
		t.Fatalf("purr %s: exit code %d: %s%s", strings.Join(arguments, " "), r.code, r.stdout, r.stderr)
	}
	return r.stdout
}
