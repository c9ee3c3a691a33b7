//go:build packages

package packages_test

import (
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"os"
	"strings"
	"testing"

	"purr/test/testkit"
)

const api = "https://invoices.example.no/api/v1/"

// sendsTheFirst sends an invoice by e-mail and one on paper. Each leaves with the PDF that the interface shows.
func (in *installation) sendsTheFirst(string) {
	number, _ := in.issue("EMAIL")
	mails := in.mails(1)
	if pdf := in.world.call(in.key, api+"invoice/"+number+"/pdf"); !strings.HasPrefix(pdf, "%PDF-") || attached(in.t, mails[0]) != pdf {
		in.t.Errorf("the mail does not bring the invoice's PDF:\n%s", mails[0])
	}
	wantAll(in.t, "the mail", mails[0], `(?m)^From: .*<post@fjord-ror\.example>`)

	number, _ = in.issue("PAPER")
	letter := in.letters(1)[0]
	if pdf := in.world.call(in.key, api+"invoice/"+number+"/pdf"); in.read(letter) != pdf {
		in.t.Errorf("%s is not the invoice's PDF", letter)
	}
	in.says("purr status")
}

// mails waits for the mails to the customer, as many as there are to be.
func (in *installation) mails(n int) (taken []string) {
	in.t.Helper()
	testkit.Eventually(in.t, "the customer's mail", func() (bool, any) {
		taken = in.world.mails("kari@example.no")
		return len(taken) >= n, in.logs()
	})
	if len(taken) != n {
		in.t.Fatalf("the customer has %d mails, want %d", len(taken), n)
	}
	return taken
}

// letters waits for the letters in the outbox, as many as there are to be, and returns their paths.
func (in *installation) letters(n int) (paths []string) {
	in.t.Helper()
	testkit.Eventually(in.t, "the customer's letter", func() (bool, any) {
		paths = in.files("/var/lib/purr/outbox/paper/*.pdf")
		return len(paths) >= n, in.logs()
	})
	if len(paths) != n {
		in.t.Fatalf("there are %d letters, want %d", len(paths), n)
	}
	for i := range paths {
		paths[i] = strings.TrimPrefix(paths[i], in.folder)
	}
	return paths
}

// attached returns the PDF of a mail.
func attached(t *testing.T, raw string) string {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(raw))
	testkit.Must(t, err)
	_, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	testkit.Must(t, err)
	for parts := multipart.NewReader(m.Body, parameters["boundary"]); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			t.Fatalf("the mail has no PDF:\n%s", raw)
		}
		testkit.Must(t, err)
		if strings.HasPrefix(part.Header.Get("Content-Type"), "application/pdf") {
			pdf, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
			testkit.Must(t, err)
			return string(pdf)
		}
	}
}

// livesItsDay has the bank pay two invoices, one by SFTP and one by the inbox. The program is killed, and the machine started again; nothing is done
// twice. The backup is made.
func (in *installation) livesItsDay(string) {
	first, kid := in.issue("EMAIL")
	in.shell.run("echo 12345678903," + kid + ",1000.00 | purr ocr generate --from - -o /root/first.txt")
	in.world.write("/srv/fjord/ut/first.txt", in.read("/root/first.txt"), 0o644)
	in.world.do(0, "touch", "-d", "1 minute ago", "/srv/fjord/ut/first.txt")
	in.says("purr ocr fetch", `first\.txt`)
	in.isPaid(first)

	second, kid := in.issue("PAPER")
	in.shell.run("echo 12345678903," + kid + ",1000.00 | purr ocr generate --from - -o /root/second.txt; install -o purr -g purr /root/second.txt /var/lib/purr/inbox/second.txt")
	in.isPaid(second)
	in.mails(2)
	in.letters(2)

	before := in.world.call(in.key, api+"invoices")
	in.says("purr status")
	in.says("purr verify")
	in.isKilled()
	in.startsBeforeItsDatabase()
	if after := in.world.call(in.key, api+"invoices"); after != before {
		in.t.Errorf("the kill changes\n%s\nto\n%s", before, after)
	}
	in.issue("EMAIL")
	in.issue("PAPER")
	in.mails(3) // what came before has not left again, or it were more
	in.letters(3)
	in.says("purr verify")

	if _, err := os.Stat(in.path("/run/units/purr-backup.timer.enabled")); err != nil {
		in.t.Errorf("the backup's timer is not enabled: %v", err)
	}
	in.says("systemctl start purr-backup.service")
	if got := in.files("/var/lib/purr-backup/[1-7]"); len(got) != 1 {
		in.t.Errorf("the backup lies in %q, want one folder of a day of the week", got)
	}
	in.says("purr status", `(?m)^last backup +2`)
}

// isKilled kills the program. The unit starts it again.
func (in *installation) isKilled() {
	killed := in.read("/run/units/purr.service.main")
	in.do(0, "kill", "-9", strings.TrimSpace(killed))
	testkit.Eventually(in.t, "the start after the kill", func() (bool, any) { return in.read("/run/units/purr.service.main") != killed, in.logs() })
	in.isWell()
}

// startsBeforeItsDatabase starts the machine's services again, the program first and its database much later: systemd does not give it up.
func (in *installation) startsBeforeItsDatabase() {
	const refused, times = "127.0.0.1:3306: connect: connection refused", 7 // by default systemd gives up at the sixth start
	in.shell.run("systemctl stop purr.service; /etc/init.d/mariadb stop; /etc/init.d/redis-server stop")
	before := strings.Count(in.read("/var/log/purr.service.log"), refused)
	in.shell.run("systemctl start purr.service")
	testkit.Eventually(in.t, "starts without a database", func() (bool, any) {
		return strings.Count(in.read("/var/log/purr.service.log"), refused) >= before+times, in.logs()
	})
	in.shell.run("/etc/init.d/redis-server start; /etc/init.d/mariadb start")
	in.isWell()
}

// isWell waits until the program does its work again, and the proxy knows.
func (in *installation) isWell() {
	in.t.Helper()
	in.shell.run("until purr health; do sleep 1; done")
	testkit.Eventually(in.t, "the proxy's way back", func() (bool, any) {
		said := in.world.do(0, "curl", "-sS", "--cacert", "/root/proxy.crt", "-o", "/dev/null", "-w", "%{http_code}", "https://invoices.example.no/healthz")
		return said == "200", said
	})
}

func (in *installation) isPaid(number string) {
	in.t.Helper()
	testkit.Eventually(in.t, "the payment of invoice "+number, func() (bool, any) {
		said := in.world.call(in.key, api+"invoice/"+number)
		return strings.Contains(said, `status="invoice_paid"`), said
	})
}

// goes removes the package, and purges it, as the page says.
func (in *installation) goes() {
	in.do(0, "mkdir", "-p", "/run/systemd/system") // or the package believes that there is nobody to ask for a stop
	in.says("apt-get remove -y purr")
	in.do(1, "pgrep", "-x", "purr")
	in.gone("/usr/bin/purr")
	for _, path := range []string{"/etc/purr/purr.env", "/etc/purr/bank.key", "/var/lib/purr/outbox", "/var/lib/purr-backup"} {
		in.do(0, "test", "-e", path)
	}
	in.says("apt-get purge -y purr", `/var/lib/purr stays`, `/var/lib/purr-backup stays`)
	in.gone("/etc/purr")
	for _, path := range []string{"/var/lib/purr/outbox", "/var/lib/purr-backup"} {
		in.do(0, "test", "-e", path)
	}
}
