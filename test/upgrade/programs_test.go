//go:build upgrade

// Package upgrade_test upgrades an installation that works, part by part, by real programs of three schemas (rules K3, K3a): this tree's, and the
// same tree with one and with two more migrations, which the build alone knows (go build -overlay). With PURR_UPGRADE_FROM the first is of another
// commit, whose schema this tree's must follow, and the second is this tree's.
package upgrade_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/servers"
)

// program is a binary with its schema.
type program struct {
	path   string
	schema int64
}

// Three programs, each of the schema after the one before.
var older, newer, newest program

// The migrations of the programs that are not there yet: what a release may add, and what it takes away in the end.
const (
	addsMySQL = `-- +goose Up
CREATE TABLE upgrade_trial_%d (id BIGINT NOT NULL PRIMARY KEY) ENGINE=InnoDB;
ALTER TABLE invoices ADD COLUMN upgrade_trial_%d INT NULL, ALGORITHM=INSTANT;
ALTER TABLE invoices ADD KEY invoices_upgrade_trial_%d (customer_id, created_at), ALGORITHM=INPLACE, LOCK=NONE;
`
	addsSQLite = `-- +goose Up
CREATE TABLE upgrade_trial_%d (id INTEGER NOT NULL PRIMARY KEY);
`
	takesMySQL = `-- +goose Up
ALTER TABLE invoices DROP KEY invoices_upgrade_trial_%d;
DROP TABLE upgrade_trial_%d;
`
	takesSQLite = `-- +goose Up
DROP TABLE upgrade_trial_%d;
`
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "purr-upgrade-")
		if err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(folder) }()
		tree, err := filepath.Abs("../..")
		if err != nil {
			panic(err)
		}
		if from := os.Getenv("PURR_UPGRADE_FROM"); from != "" {
			past := filepath.Join(folder, "past")
			say(tree, "git", "worktree", "add", "--detach", past, from)
			defer say(tree, "git", "worktree", "remove", "--force", past)
			older = build(past, folder, "older", 0)
			newer = build(tree, folder, "newer", 0)
		} else {
			older = build(tree, folder, "older", 0)
			newer = build(tree, folder, "newer", 1)
		}
		newest = build(tree, folder, "newest", int(older.schema+2-schemaOf(tree)))
		if newer.schema != older.schema+1 || newest.schema != older.schema+2 {
			panic(fmt.Sprintf("the programs have the schemas %d, %d and %d", older.schema, newer.schema, newest.schema))
		}
		return m.Run()
	}())
}

// schemaOf returns the number of the newest migration of a tree.
func schemaOf(tree string) (newest int64) {
	files, err := filepath.Glob(filepath.Join(tree, "store/migrations/expand/mysql/*.sql"))
	if err != nil || len(files) == 0 {
		panic(fmt.Sprintf("%s has no migrations: %v", tree, err))
	}
	if _, err := fmt.Sscanf(filepath.Base(files[len(files)-1]), "%d_", &newest); err != nil {
		panic(err)
	}
	return newest
}

// build builds the program of a tree with so many more migrations.
func build(tree, folder, name string, more int) program {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	last := schemaOf(tree)
	for n := last + 1; n <= last+int64(more); n++ {
		for where, text := range map[string]string{"expand/mysql": addsMySQL, "expand/sqlite": addsSQLite, "finish/mysql": takesMySQL, "finish/sqlite": takesSQLite} {
			file := filepath.Join(folder, fmt.Sprintf("%s-%d-%s.sql", name, n, strings.ReplaceAll(where, "/", "-")))
			must(os.WriteFile(file, []byte(strings.ReplaceAll(text, "%d", fmt.Sprint(n))), 0o600))
			overlay.Replace[filepath.Join(tree, "store/migrations", where, fmt.Sprintf("%04d_trial.sql", n))] = file
		}
	}
	text, err := json.Marshal(overlay)
	must(err)
	list := filepath.Join(folder, name+".json")
	must(os.WriteFile(list, text, 0o600))
	p := program{filepath.Join(folder, name), last + int64(more)}
	say(tree, "go", "build", "-trimpath", "-ldflags=-s -w", "-overlay", list, "-o", p.path, "./cmd/purr")
	return p
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func say(in, name string, arguments ...string) {
	c := exec.Command(name, arguments...)
	c.Dir, c.Env = in, append(os.Environ(), "CGO_ENABLED=0", "GOAMD64=") // as "make build" does
	if out, err := c.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%s %v: %v\n%s", name, arguments, err, out))
	}
}

// command returns a program with arguments, in an environment that holds nothing of ours but the variables.
func (p program) command(variables []string, arguments ...string) *exec.Cmd {
	c := exec.Command(p.path, arguments...)
	c.SysProcAttr = servers.DieWithParent()
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PURR_") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(append(c.Env, "PURR_MIN_FREE_DISK=0"), variables...)
	return c
}

// run runs a program to its end, and returns its exit code and all that it said.
func (p program) run(variables []string, arguments ...string) (code int, said string) {
	c := p.command(variables, arguments...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // how it ended is in the state
	return c.ProcessState.ExitCode(), out.String()
}

// ok runs a program to its end, which must be a good one, and returns what it printed.
func (p program) ok(t *testing.T, variables []string, arguments ...string) string {
	t.Helper()
	c := p.command(variables, arguments...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("purr %s: %v\n%s%s", strings.Join(arguments, " "), err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}

// process is a part that runs.
type process struct {
	t        *testing.T
	kind     string
	c        *exec.Cmd
	out, log *testkit.Log
	exited   chan struct{}
}

func (p program) begin(t *testing.T, variables []string, kind string) *process {
	t.Helper()
	s := &process{t: t, kind: kind, c: p.command(variables, kind, "--listen", "127.0.0.1:0"), out: &testkit.Log{}, log: &testkit.Log{}, exited: make(chan struct{})}
	s.c.Stdout, s.c.Stderr = s.out, s.log
	testkit.Must(t, s.c.Start())
	go func() {
		_ = s.c.Wait()
		close(s.exited)
	}()
	t.Cleanup(func() {
		_ = s.c.Process.Kill()
		<-s.exited
		if t.Failed() {
			t.Logf("purr %s:\n%s", kind, s.log.Tail())
		}
	})
	return s
}

// url waits until the part listens, and returns its address.
func (s *process) url() string {
	s.t.Helper()
	const line = "listening on "
	testkit.Eventually(s.t, "the "+s.kind+" listens", func() (bool, any) { return strings.HasPrefix(s.out.String(), line), s.log })
	return strings.TrimSpace(strings.TrimPrefix(s.out.String(), line))
}

// end asks the part to end, and waits until it has.
func (s *process) end() {
	s.t.Helper()
	testkit.Must(s.t, s.c.Process.Signal(syscall.SIGTERM))
	<-s.exited
	if code := s.c.ProcessState.ExitCode(); code != 0 {
		s.t.Errorf("purr %s ended with %d:\n%s", s.kind, code, s.log.Tail())
	}
}

func (s *process) signal(signal os.Signal) {
	s.t.Helper()
	testkit.Must(s.t, s.c.Process.Signal(signal))
}

// refused waits until the part has ended by itself, which must be with 1 and with the sentence that the gate says.
func (s *process) refused() {
	s.t.Helper()
	testkit.Await(s.t, "the "+s.kind+" ends by itself", s.exited)
	if code := s.c.ProcessState.ExitCode(); code != 1 || !strings.Contains(s.log.String(), "install the newer program") {
		s.t.Errorf("the %s ended with %d:\n%s", s.kind, code, s.log.Tail())
	}
}
