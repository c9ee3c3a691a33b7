//go:build packages

package packages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/test/testkit"
)

// stop is a place of docs/install.md where the test does what the page tells a person to do, or looks at what came of it.
type stop struct {
	shows string            // what one block of the page has
	does  string            // what stands in its place; empty leaves it
	then  func(said string) // is called when the block has run, with what it said
}

// installation is the machine that the page leaves.
type installation struct {
	*machine
	shell *terminal
	world elsewhere
	key   string // an API key
}

// TestQ3TheInstallationPageRuns runs the commands of docs/install.md in an empty Debian, in their order and in one shell. Then the program as the page
// leaves it, on MariaDB and Redis, behind Caddy, with a mail server and a bank's SFTP server, sends its first mail and letter and takes a bank file.
func TestQ3TheInstallationPageRuns(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "install.md"))
	testkit.Must(t, err)
	own, others := newDebian(t), newDebian(t)
	own.fetch(installedBy(string(text))...)
	others.fetch(elsewhereNeeds...)
	own.take(one(t, firstRelease(t), "*_amd64.deb"), "root/purr_1.0.0-1_amd64.deb")
	machines := boot(t, []string{ownAddress, mailAddress, bankAddress}, own, others)
	in := &installation{machine: machines[0], world: elsewhere{machines[1]}}
	in.write("/etc/hosts", hosts, 0o644)
	in.write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 0\n", 0o755) // or Debian starts no service without an init
	standIn, err := os.ReadFile("testdata/systemctl")
	testkit.Must(t, err)
	in.write("/etc/apt/apt.conf.d/99alone", "Acquire::Retries \"0\";\nDpkg::Use-Pty \"0\";\n", 0o644) // no network comes back, and there is no terminal
	in.write("/usr/bin/systemctl", string(standIn), 0o755)
	certificate := in.world.begin()
	in.write("/usr/local/share/ca-certificates/mail.crt", certificate, 0o644)
	in.shell = in.terminal()

	in.follow(string(text), []stop{
		{shows: "purr version", then: in.isInstalled},
		{shows: "mariadb-server redis-server", then: in.listensHereAlone},
		{shows: "SHA256:...", does: in.world.hostKey()},
		{shows: "USER:PASSWORD@", does: "purr:hemmelig@"},
		{shows: "ssh-keygen", then: func(string) { in.world.takeKey(in.read("/etc/purr/bank.key.pub")) }},
		{shows: "purr config check", then: in.isChecked},
		{shows: "cat /var/lib/purr/first-key", then: func(said string) { in.key = regexp.MustCompile(`(?m)^purr_\S+$`).FindString(said) }},
		// No authority of the world vouches for a name in our network: Caddy's own does.
		{shows: "systemctl reload caddy", does: "sed -i 's/^invoices.example.no {/&\\n\\ttls internal/' /etc/caddy/Caddyfile\nsystemctl reload caddy", then: in.signsIn},
		{shows: "--bank-account 12345678903", then: in.sendsTheFirst},
		{shows: "purr creditor set 1 --dunning", then: in.livesItsDay},
	})
	in.goes()
}

// installedBy returns the packages that a page installs by their names.
func installedBy(page string) (packages []string) {
	for _, words := range regexp.MustCompile(`apt-get install -y (.*)`).FindAllStringSubmatch(page, -1) {
		for word := range strings.FieldsSeq(words[1]) {
			if !strings.Contains(word, "/") {
				packages = append(packages, word)
			}
		}
	}
	return packages
}

// follow runs the blocks of the page, with the stops, each of which one block must have.
func (in *installation) follow(page string, stops []stop) {
	in.t.Helper()
	found := make([]int, len(stops))
	for _, block := range blocks(in.t, page) {
		commands := block
		for i, s := range stops {
			if n := strings.Count(block, s.shows); n > 0 {
				found[i] += n
				if s.does != "" {
					commands = strings.Replace(commands, s.shows, s.does, 1)
				}
			}
		}
		said := in.shell.run(commands)
		for _, s := range stops {
			if s.then != nil && strings.Contains(block, s.shows) {
				s.then(said)
			}
		}
	}
	for i, s := range stops {
		if found[i] != 1 {
			in.t.Errorf("the page has %q %d times, want once: the test does there what the page tells", s.shows, found[i])
		}
	}
}

// says runs commands in the shell, and fails the test unless they say all that is wanted.
func (in *installation) says(commands string, want ...string) string {
	in.t.Helper()
	said := in.shell.run(commands)
	wantAll(in.t, commands, said, want...)
	return said
}

func wantAll(t *testing.T, what, said string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !regexp.MustCompile(w).MatchString(said) {
			t.Errorf("%s does not say %q:\n%s", what, w, said)
		}
	}
}

func (in *installation) isInstalled(said string) {
	wantAll(in.t, "the installation", said, `v1\.0\.0`, `systemctl enable --now purr\.service`)
	in.do(0, "update-ca-certificates") // the mail server's certificate is as good as any
}

// listensHereAlone shows that the database and Redis answer on the loopback address alone.
func (in *installation) listensHereAlone(string) {
	for _, port := range []string{"3306", "6379"} {
		in.do(0, "bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/"+port)
		in.do(1, "bash", "-c", "exec 3<>/dev/tcp/"+ownAddress+"/"+port)
	}
}

func (in *installation) isChecked(said string) {
	wantAll(in.t, "the check before the start", said, `TLS 1\.3`, `sftp`)
	if got := len(in.world.mails("you@example.no")); got != 1 {
		in.t.Errorf("the mail server took %d test mails, want 1", got)
	}
	in.says("code=0; PURR_SMTP_URL_FILE=/nowhere purr config check || code=$?; echo ends with $code", `smtp-url`, `ends with 64`)
}

// curlRefused is curl's exit code where the answer is a refusal.
const curlRefused = 22

// signsIn signs in through the proxy, as a browser would, whereupon the file of the key is gone.
func (in *installation) signsIn(string) {
	var authority []string
	testkit.Eventually(in.t, "Caddy's own authority", func() (bool, any) {
		authority = in.files("/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt")
		return len(authority) == 1, in.logs()
	})
	in.world.write("/root/proxy.crt", in.read(strings.TrimPrefix(authority[0], in.folder)), 0o644)
	if said := in.world.call("", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", "-d", "key="+in.key, "https://invoices.example.no/sign-in"); !strings.HasPrefix(said, "303 https://invoices.example.no/") {
		in.t.Errorf("the sign-in with %q answers %s", in.key, said)
	}
	testkit.Eventually(in.t, "the end of the first key's file", func() (bool, any) { return len(in.files("/var/lib/purr/first-key")) == 0, in.logs() })
	for path, code := range map[string]int{"metrics": curlRefused, "readyz": curlRefused, "healthz": 0} {
		in.world.do(code, "curl", "-sS", "--fail", "--cacert", "/root/proxy.crt", "https://invoices.example.no/"+path)
	}
	first := in.key
	in.key = in.says("purr keys create --scope admin --name Ola", `^purr_\S+$`)
	in.says("purr keys revoke 1")
	in.world.call(in.key, api+"customers")
	in.world.do(curlRefused, "curl", "-sS", "--fail", "--cacert", "/root/proxy.crt", "-u", first+":", api+"customers")
}

// issue issues an invoice of 1000.00 with VAT through the proxy, and returns its number and KID.
func (in *installation) issue(method string) (number, kid string) {
	in.t.Helper()
	answer := in.world.call(in.key, "-H", "Content-Type: application/xml", api+"invoices", "-d", fmt.Sprintf(`<invoice><num_due_days>14</num_due_days>
		<recipient><name1>Kari Nordmann</name1><address1>Storgata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name><email>kari@example.no</email></recipient>
		<lines><line><line_text>Rørleggerarbeid</line_text><unit_price>800</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line></lines>
		<shipments><shipment type="original"><shipment_method>%s</shipment_method></shipment></shipments></invoice>`, method))
	of := func(name string) string {
		found := regexp.MustCompile(`<` + name + `>(\d+)</` + name + `>`).FindStringSubmatch(answer)
		if found == nil {
			in.t.Fatalf("the invoice has no %s: %s", name, answer)
		}
		return found[1]
	}
	return of("invoice_number"), of("ocr_kid_number")
}
