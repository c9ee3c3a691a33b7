//go:build realprinter

package letters

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"purr/documents/pdf"
	"purr/mailer"
	"purr/models"
	"purr/test/testkit"
)

// debianPrinter starts ippeveprinter of CUPS, with the dbus and avahi that it needs, all on the loopback address. It needs
// root. It returns the printer's URL and the folder of what it printed.
func debianPrinter(t *testing.T) (url, spool string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	bus := "unix:path=" + filepath.Join(dir, "bus")
	start := func(ready func() bool, program string, args ...string) {
		t.Helper()
		c := exec.Command(program, args...)
		c.Env = append(os.Environ(), "DBUS_SYSTEM_BUS_ADDRESS="+bus)
		var said strings.Builder
		c.Stdout, c.Stderr, c.WaitDelay = &said, &said, time.Second
		if err := c.Start(); err != nil {
			t.Fatalf("%v: make test-printer installs it", err)
		}
		t.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
			if t.Failed() {
				t.Logf("%s said:\n%s", program, said.String())
			}
		})
		testkit.Eventually(t, program+" is ready", func() (bool, any) { return ready(), "not yet" })
	}
	exists := func(path string) func() bool {
		return func() bool { _, err := os.Stat(path); return err == nil }
	}
	start(exists(filepath.Join(dir, "bus")), "dbus-daemon", "--nofork", "--config-file="+write("dbus.conf",
		`<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>`+bus+`</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/><allow send_type="method_return"/><allow send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="signal"/><allow receive_type="method_return"/><allow receive_type="error"/></policy></busconfig>`))
	start(func() bool {
		c := exec.Command("dbus-send", "--bus="+bus, "--print-reply", "--dest=org.freedesktop.Avahi", "/", "org.freedesktop.Avahi.Server.GetState")
		said, err := c.Output()
		return err == nil && strings.Contains(string(said), "int32 2") // running
	}, "avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "-f", write("avahi.conf",
		"[server]\nuse-ipv4=yes\nuse-ipv6=no\nallow-interfaces=lo\nenable-dbus=yes\nhost-name=purr-test\n"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	testkit.Must(t, err)
	testkit.Must(t, listener.Close())
	spool = filepath.Join(dir, "spool")
	testkit.Must(t, os.Mkdir(spool, 0o700))
	start(func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, "ippeveprinter", "-r", "off", "-k", "-d", spool, "-p", port, "-f", "application/pdf", "-n", "localhost", "purr")
	return "ipp://localhost:" + port + "/ipp/print", spool
}

func TestS4bDebiansPrinterPrintsALetter(t *testing.T) {
	url, spool := debianPrinter(t)
	c, err := NewPrinter(url, "")
	testkit.Must(t, err)
	testkit.Must(t, c.Check(t.Context()))
	p := aLetter()
	p.PDF, err = pdf.Invoice(pdf.InvoiceInput{Invoice: models.Invoice{Number: 10001, Recipient: p.Recipient, IssueDate: 20000, DueDate: 20014}})
	testkit.Must(t, err)
	if _, err := c.Ask(t.Context(), p); models.KindOf(err) != models.KindNotFound {
		t.Fatalf("before it is printed the answer is %v", err)
	}
	answer, err := c.HandOver(t.Context(), p)
	testkit.Must(t, err)
	found, err := c.Ask(t.Context(), p) // by its name, as after silence
	if err != nil || found.Receipt != answer.Receipt {
		t.Errorf("by its name it is %+v, %v, and not %+v", found, err, answer)
	}
	p.Receipt = answer.Receipt
	testkit.Eventually(t, "the letter is printed", func() (bool, any) {
		now, err := c.Ask(t.Context(), p)
		return err == nil && now == mailer.Answer{Receipt: answer.Receipt}, fmt.Sprint(now, err)
	})
	files, err := filepath.Glob(filepath.Join(spool, "*"+p.Name+".pdf"))
	if err != nil || len(files) != 1 {
		t.Fatalf("printed are %v, %v", files, err)
	}
	if printed, err := os.ReadFile(files[0]); err != nil || string(printed) != string(p.PDF) {
		t.Errorf("it printed %d bytes of %d, %v", len(printed), len(p.PDF), err)
	}
	p.Receipt = "job 4711"
	p.Name = "invoice-1-shipment-1"
	if _, err := c.Ask(t.Context(), p); models.KindOf(err) != models.KindInvalid {
		t.Errorf("of a job that there is not the answer is %v", err)
	}
}
