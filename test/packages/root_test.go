//go:build packages

package packages_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/test/testkit"
)

// machine is a Debian in a folder that runs: what is started in it goes on, and ends with the test. Its network has no way out.
type machine struct {
	debian
	enter []string // the words that have a command run in it
}

// fetch downloads packages, with what they need, for apt-get to find them when there is no network. It installs nothing.
func (d debian) fetch(packages ...string) {
	d.t.Helper()
	run(d.t, "cp", "/etc/resolv.conf", d.path("/etc/resolv.conf"))
	run(d.t, "chroot", d.folder, "apt-get", "-qq", "update")
	run(d.t, "chroot", append([]string{d.folder, "apt-get", "-qq", "-y", "--download-only", "install"}, packages...)...)
}

// boot starts machines that share a network of their own, in which all addresses are theirs.
func boot(t *testing.T, addresses []string, debians ...debian) []*machine {
	t.Helper()
	network := hold(t, "--net")
	run(t, "nsenter", "--net=/proc/"+network+"/ns/net", "ip", "link", "set", "lo", "up")
	for _, address := range addresses {
		run(t, "nsenter", "--net=/proc/"+network+"/ns/net", "ip", "address", "add", address, "dev", "lo")
	}
	machines := make([]*machine, 0, len(debians))
	for _, d := range debians {
		pid := hold(t, "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--root="+d.folder, "--wd=/")
		machines = append(machines, &machine{d, []string{
			"nsenter", "--net=/proc/" + network + "/ns/net", "--mount=/proc/" + pid + "/ns/mnt", "--pid=/proc/" + pid + "/ns/pid_for_children",
			"chroot", d.folder, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", "HOME=/root",
		}})
	}
	return machines
}

// hold makes namespaces, which last until the test ends, however it does: what holds them waits for a line that never comes. It returns the process ID of unshare.
func hold(t *testing.T, flags ...string) (pid string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "unshare", append(flags, "bash", "-c", "echo up; read -r")...)
	stdin, err := c.StdinPipe()
	testkit.Must(t, err)
	stdout, err := c.StdoutPipe()
	testkit.Must(t, err)
	testkit.Must(t, c.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = c.Wait() // the test's end kills it
	})
	if said, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("unshare %q says %q: %v", flags, said, err)
	}
	return strconv.Itoa(c.Process.Pid)
}

// do runs a command in the machine. The code must be the one that is wanted.
func (m *machine) do(code int, words ...string) string {
	m.t.Helper()
	c := exec.CommandContext(m.t.Context(), m.enter[0], append(m.enter[1:len(m.enter):len(m.enter)], words...)...)
	c.WaitDelay = time.Second // what a command starts and leaves behind may keep its output open
	said, _ := c.CombinedOutput()
	if got := c.ProcessState.ExitCode(); got != code {
		m.t.Fatalf("%q ends with %d, want %d:\n%s", words, got, code, said)
	}
	return string(said)
}

// write writes a file of the machine.
func (m *machine) write(path, text string, mode os.FileMode) {
	m.t.Helper()
	testkit.Must(m.t, os.MkdirAll(filepath.Dir(m.path(path)), 0o755))
	testkit.Must(m.t, os.WriteFile(m.path(path), []byte(text), mode))
	testkit.Must(m.t, os.Chmod(m.path(path), mode))
}

func (m *machine) read(path string) string {
	m.t.Helper()
	text, err := os.ReadFile(m.path(path))
	testkit.Must(m.t, err)
	return string(text)
}

// files returns the files that a pattern finds in the machine.
func (m *machine) files(pattern string) []string {
	m.t.Helper()
	found, err := filepath.Glob(m.path(pattern))
	testkit.Must(m.t, err)
	return found
}

// terminal is root's terminal on a machine: one shell, in which variables last. A command that fails ends it, and the test.
type terminal struct {
	m      *machine
	typed  io.Writer
	answer *bufio.Reader
	end    func()
}

// terminal opens one. Its folder is root's.
func (m *machine) terminal() *terminal {
	m.t.Helper()
	c := exec.CommandContext(m.t.Context(), m.enter[0], append(m.enter[1:len(m.enter):len(m.enter)], "bash", "-euc", "cd /root; while read -r file; do . $file </dev/null; echo; echo ==done; done")...)
	typed, err := c.StdinPipe()
	testkit.Must(m.t, err)
	read, write, err := os.Pipe()
	testkit.Must(m.t, err)
	c.Stdout, c.Stderr = write, write
	testkit.Must(m.t, c.Start())
	testkit.Must(m.t, write.Close())
	m.t.Cleanup(func() {
		_ = typed.Close()
		_ = c.Wait()
		_ = read.Close()
	})
	return &terminal{m, typed, bufio.NewReader(read), func() { _ = c.Process.Kill(); _ = read.Close() }}
}

// run has the shell run commands, and returns what they say.
func (s *terminal) run(commands string) string {
	s.m.t.Helper()
	s.m.write("/root/.typed", commands, 0o600)
	_, err := io.WriteString(s.typed, "/root/.typed\n")
	testkit.Must(s.m.t, err)
	defer time.AfterFunc(testkit.Patience, s.end).Stop()
	var said strings.Builder
	for {
		line, err := s.answer.ReadString('\n')
		if line == "==done\n" {
			s.m.t.Logf("# %s\n%s", strings.TrimSpace(commands), strings.TrimSpace(said.String()))
			return strings.TrimSpace(said.String())
		}
		said.WriteString(line)
		if err != nil {
			s.m.t.Fatalf("the shell ends (%v) at\n%s\n%s%s", err, commands, &said, s.m.logs())
		}
	}
}

// logs returns the ends of the logs of the units.
func (m *machine) logs() string {
	var all strings.Builder
	for _, path := range m.files("/var/log/*.service.log") {
		lines := strings.Split(m.read(strings.TrimPrefix(path, m.folder)), "\n")
		fmt.Fprintf(&all, "\n%s:\n%s", filepath.Base(path), strings.Join(lines[max(0, len(lines)-40):], "\n"))
	}
	return all.String()
}

// blocks returns the indented command blocks of a page, in their order.
func blocks(t *testing.T, page string) (found []string) {
	t.Helper()
	var block strings.Builder
	for line := range strings.Lines(page) {
		if command, ok := strings.CutPrefix(line, "    "); ok {
			block.WriteString(command)
		} else if block.Len() > 0 {
			found = append(found, block.String())
			block.Reset()
		}
	}
	if block.Len() > 0 || len(found) == 0 {
		t.Fatalf("the page has %d blocks, and ends with %q", len(found), block.String())
	}
	return found
}
