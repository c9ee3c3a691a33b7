package testkit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// eximConfig is a mail server that takes every e-mail and delivers it by SMTP to one of two servers on this machine: those
// to the domain purr.example.no to the second, all others to the first. What it cannot deliver it reports to the sender.
const eximConfig = `
exim_path = %[1]s
exim_user = %[5]d
exim_group = %[6]d
spool_directory = %[2]s/spool
log_file_path = %[2]s/%%slog
primary_hostname = mail.example.no
untrusted_set_sender = *
keep_environment =
tls_advertise_hosts =
dsn_advertise_hosts = *
acl_smtp_rcpt = all
acl_smtp_data = all
begin acl
all:
  accept
begin routers
own:
  driver = manualroute
  domains = purr.example.no
  transport = to_own
  route_list = * 127.0.0.1
  self = send
others:
  driver = manualroute
  transport = to_others
  route_list = * 127.0.0.1
  self = send
begin transports
to_own:
  driver = smtp
  port = %[4]s
  allow_localhost
to_others:
  driver = smtp
  port = %[3]s
  allow_localhost
begin retry
* * F,1h,1m
`

// nobody is the user that Exim runs as where the tests run as root: Exim refuses to be root.
const nobody = 65534

// Exim starts a real mail server, Debian's Exim, on the loopback address, and returns its address. It hands what is for the
// domain purr.example.no over to the server at own, and everything else to the one at others; both are HOST:PORT on this machine.
// It ends with the test.
func Exim(t testing.TB, others, own string) string {
	t.Helper()
	path, err := exec.LookPath("exim4")
	if err != nil {
		path, err = exec.LookPath("exim")
	}
	if err != nil {
		t.Fatalf("Exim is missing: test/scripts/install-test-servers installs it: %v", err)
	}
	within := "" // the folder of temporary files
	if os.Getuid() == 0 {
		within = "/tmp" // nobody else may look into a folder of root's
	}
	dir, err := os.MkdirTemp(within, "exim-*") //nolint:usetesting // the path of a test's own folder may be too long for Exim
	Must(t, err)
	t.Cleanup(func() { Must(t, os.RemoveAll(dir)) })
	_, othersPort, err := net.SplitHostPort(others)
	Must(t, err)
	_, ownPort, err := net.SplitHostPort(own)
	Must(t, err)
	uid, gid, attributes := os.Getuid(), os.Getgid(), &syscall.SysProcAttr{}
	if uid == 0 {
		uid, gid, attributes.Credential = nobody, nobody, &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	config := filepath.Join(dir, "exim.conf")
	Must(t, os.WriteFile(config, fmt.Appendf(nil, eximConfig, path, dir, othersPort, ownPort, uid, gid), 0o600))
	Must(t, errors.Join(os.Chown(dir, uid, gid), os.Chown(config, uid, gid)))
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	Must(t, err)
	var sessions sync.WaitGroup
	serve := func(conn net.Conn) { // not the socket itself: from that, Exim takes nothing unless root starts it
		var complaints bytes.Buffer
		c := exec.CommandContext(context.WithoutCancel(t.Context()), path, "-C", config, "-odi", "-bs")
		c.Stdin, c.Stdout, c.Stderr, c.SysProcAttr = conn, conn, &complaints, attributes
		if err := c.Run(); err != nil {
			t.Logf("Exim: %v: %s", err, complaints.String())
		}
		_ = conn.Close() // the client may have been faster
	}
	sessions.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // the test has ended
			}
			sessions.Go(func() { serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		sessions.Wait()
		if log, err := os.ReadFile(filepath.Join(dir, "mainlog")); t.Failed() && err == nil {
			t.Logf("Exim's log:\n%s", log)
		}
	})
	return listener.Addr().String()
}
