// Package clients_test runs the programs of docs/clients against the whole program, as somebody would who copied them: each orders
// invoices, follows the events and takes webhooks, while answers are lost, requests are refused, and both sides are killed.
package clients_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

var (
	eventually = testkit.Eventually
	must       = testkit.Must
)

// folder of the programs, and the binaries that are built for all tests.
var programs, binaries string

func TestMain(m *testing.M) {
	code, err := build()
	if err == nil {
		code = m.Run()
	}
	if err = errors.Join(err, os.RemoveAll(binaries)); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		code = 1
	}
	os.Exit(code)
}

// build builds purr and the client in Go.
func build() (code int, err error) {
	if programs, err = filepath.Abs("../../docs/clients"); err != nil {
		return 1, err
	}
	if binaries, err = os.MkdirTemp("", "purr-clients-"); err != nil {
		return 1, err
	}
	for name, source := range map[string]string{"purr": "./cmd/purr", "client": "docs/clients/client.go"} {
		if err := goRun("build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(binaries, name), source); err != nil {
			return 1, err
		}
	}
	return 0, nil
}

// goRun runs the go command in the module's folder, as "make build" does, whatever the tests are compiled for.
func goRun(arguments ...string) error {
	c := exec.Command("go", arguments...)
	c.Dir, c.Env = filepath.Join(programs, "..", ".."), append(os.Environ(), "CGO_ENABLED=0", "GOAMD64=")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, out)
	}
	return nil
}

// process is a program, running. It is killed when the test ends, with all that it has started.
type process struct {
	t              *testing.T
	command        *exec.Cmd
	stdout, stderr *testkit.Log
	exited         chan struct{} // closed when it is gone
}

// begin starts a program in a folder, with variables, NAME=VALUE, in an environment that holds nothing else of ours.
func begin(t *testing.T, folder string, variables []string, words ...string) *process {
	t.Helper()
	p := &process{t: t, command: exec.Command(words[0], words[1:]...), stdout: &testkit.Log{}, stderr: &testkit.Log{}, exited: make(chan struct{})}
	p.command.Dir, p.command.Stdout, p.command.Stderr = folder, p.stdout, p.stderr
	p.command.SysProcAttr = servers.DieWithParent()
	if p.command.SysProcAttr == nil {
		p.command.SysProcAttr = &syscall.SysProcAttr{}
	}
	p.command.SysProcAttr.Setpgid = true
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PURR") && !strings.HasPrefix(v, "KEY=") && !strings.HasPrefix(v, "SECRET=") {
			p.command.Env = append(p.command.Env, v)
		}
	}
	p.command.Env = append(p.command.Env, variables...)
	must(t, p.command.Start())
	go func() {
		_ = p.command.Wait() // how it ended is in the state
		close(p.exited)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("%s said:\n%s%s", strings.Join(words, " "), p.stdout, p.stderr.Tail())
		}
	})
	return p
}

// kill ends the process as a crash does, and returns when it is gone.
func (p *process) kill() {
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL) // an error means that all are gone already
	<-p.exited
}

// code waits until the process has ended, and returns its exit code.
func (p *process) code() int {
	p.t.Helper()
	testkit.Await(p.t, strings.Join(p.command.Args, " ")+" ends", p.exited)
	return p.command.ProcessState.ExitCode()
}

// listening waits until the process says where it listens, and returns the address.
func (p *process) listening() (at string) {
	p.t.Helper()
	eventually(p.t, "it listens", func() (bool, any) {
		select {
		case <-p.exited:
			p.t.Fatalf("it has ended: %s%s", p.stdout, p.stderr)
		default:
		}
		line, whole := strings.CutSuffix(p.stdout.String(), "\n")
		var is bool
		at, is = strings.CutPrefix(line, "listening on ")
		return whole && is, line
	})
	return at
}

// installation is purr, running by itself. Each key may send two requests a second.
type installation struct {
	t       *testing.T
	where   []string
	process *process
	base    string // of its paths
	key     string // the test's
}

func newInstallation(t *testing.T) *installation {
	t.Helper()
	data := t.TempDir()
	rows.Migrate(t, "sqlite:"+filepath.Join(data, "purr.db"))
	in := &installation{t: t, where: []string{
		"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0", "PURR_MIN_FREE_DISK=0", "PURR_RATE_LIMIT=2", "PURR_WEBHOOK_PRIVATE_ADDRESSES=on",
	}}
	in.start()
	eventually(t, "a key is said", func() (bool, any) {
		said := in.process.stderr.String()
		in.key = testkit.FirstKey(said, "")
		return in.key != "", said
	})
	return in
}

func (in *installation) start() {
	in.t.Helper()
	in.process = begin(in.t, in.t.TempDir(), in.where, filepath.Join(binaries, "purr"), "serve")
	in.base = in.process.listening() + "/api/v1"
}

// restart ends the program as a service manager does, and starts it again.
func (in *installation) restart() {
	in.t.Helper()
	must(in.t, in.process.command.Process.Signal(syscall.SIGTERM))
	if code := in.process.code(); code != 0 {
		in.t.Fatalf("purr ended with %d", code)
	}
	in.start()
}

// newKey makes a key for a client.
func (in *installation) newKey() string {
	in.t.Helper()
	p := begin(in.t, in.t.TempDir(), in.where, filepath.Join(binaries, "purr"), "keys", "create", "--creditor", "default", "--scope", "write")
	if code := p.code(); code != 0 {
		in.t.Fatalf("purr keys create ended with %d", code)
	}
	return regexp.MustCompile(`purr_[A-Z2-7]+`).FindString(p.stdout.String())
}

// ask asks purr with the test's key, in JSON, again while it has asked too often.
func (in *installation) ask(method, path, body string) map[string]any {
	in.t.Helper()
	var answer map[string]any
	eventually(in.t, method+" "+path, func() (bool, any) {
		r, err := http.NewRequestWithContext(in.t.Context(), method, in.base+path, strings.NewReader(body))
		must(in.t, err)
		r.Header.Set("Authorization", "Bearer "+in.key)
		r.Header.Set("Accept", "application/json")
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		got, err := http.DefaultClient.Do(r)
		must(in.t, err)
		defer got.Body.Close()
		answer = nil
		must(in.t, json.NewDecoder(got.Body).Decode(&answer))
		if got.StatusCode >= 300 && got.StatusCode != http.StatusTooManyRequests {
			in.t.Fatalf("%s %s: %d %v", method, path, got.StatusCode, answer)
		}
		return got.StatusCode < 300, answer
	})
	return answer
}
