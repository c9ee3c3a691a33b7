//go:build cluster

package cluster_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/servers"
)

// program is the binary, built once.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "purr-cluster-")
		if err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(folder) }()
		program = filepath.Join(folder, "purr")
		if out, err := exec.Command("go", "build", "-o", program, "purr/cmd/purr").CombinedOutput(); err != nil {
			panic(fmt.Sprintf("build purr: %v\n%s", err, out))
		}
		return m.Run()
	}())
}

// command returns purr with arguments, in an environment that holds nothing of ours but the variables.
func command(variables []string, arguments ...string) *exec.Cmd {
	c := exec.Command(program, arguments...)
	c.SysProcAttr = servers.DieWithParent()
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PURR_") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(c.Env, variables...)
	return c
}

// run runs purr to its end, which must be a good one, and returns what it printed.
func run(t *testing.T, variables []string, arguments ...string) string {
	t.Helper()
	c := command(variables, arguments...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("purr %s: %v\n%s%s", strings.Join(arguments, " "), err, stdout.String(), stderr.String())
	}
	return strings.TrimSpace(stdout.String())
}

// process is a part of purr that runs.
type process struct {
	t      *testing.T
	name   string
	c      *exec.Cmd
	out    *testkit.Log
	log    *testkit.Log
	exited chan struct{}
}

func begin(t *testing.T, variables []string, arguments ...string) *process {
	t.Helper()
	p := &process{t: t, name: strings.Join(arguments, " "), c: command(variables, arguments...), out: &testkit.Log{}, log: &testkit.Log{}, exited: make(chan struct{})}
	p.c.Stdout, p.c.Stderr = p.out, p.log
	testkit.Must(t, p.c.Start())
	go func() {
		_ = p.c.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		_ = p.c.Process.Kill()
		<-p.exited
		if t.Failed() {
			t.Logf("purr %s:\n%s", p.name, p.log.Tail())
		}
	})
	return p
}

// url waits until the API listens, and returns its address.
func (p *process) url() string {
	p.t.Helper()
	const line = "listening on "
	testkit.Eventually(p.t, "the API listens", func() (bool, any) { return strings.HasPrefix(p.out.String(), line), p.log })
	return strings.TrimSpace(strings.TrimPrefix(p.out.String(), line))
}

// end asks the part to end. It must end well within 30 seconds (rule R4).
func (p *process) end() {
	p.t.Helper()
	began := time.Now()
	testkit.Must(p.t, p.c.Process.Signal(syscall.SIGTERM))
	<-p.exited
	if took, code := time.Since(began), p.c.ProcessState.ExitCode(); took > 30*time.Second || code != 0 {
		p.t.Errorf("purr %s ended with %d after %s:\n%s", p.name, code, took, p.log.Tail())
	}
}
