//go:build packages

package packages_test

import (
	"strings"
)

// The addresses of the machines, which share a network.
const (
	ownAddress  = "192.0.2.1"
	mailAddress = "192.0.2.2"
	bankAddress = "192.0.2.3"
	hosts       = "127.0.0.1 localhost\n" + ownAddress + " invoices.example.no\n" + mailAddress + " mail.example.no\n" + bankAddress + " sftp.bank.example.no\n"
)

// eximSettings are of a provider's mail server: it takes mails from its customer purr alone, over TLS alone, and keeps each in a file.
const eximSettings = `
primary_hostname = mail.example.no
keep_environment =
local_interfaces = ` + mailAddress + `
daemon_smtp_ports = 587
tls_advertise_hosts = *
tls_certificate = /etc/exim4/mail.crt
tls_privatekey = /etc/exim4/mail.key
auth_advertise_hosts = ${if def:tls_in_cipher {*}{}}
acl_smtp_mail = customers
acl_smtp_rcpt = all
begin acl
customers:
  require authenticated = *
  accept
all:
  accept
begin routers
all:
  driver = accept
  transport = file
begin transports
file:
  driver = appendfile
  directory = /var/mail/taken
  maildir_format
  envelope_to_add
  user = mail
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${if and {{eq{$auth2}{purr}} {eq{$auth3}{hemmelig}}}}
  server_set_id = $auth2
`

// bankSettings are of a bank's SFTP server, whose customers see their own folder and no more.
const bankSettings = `
ListenAddress ` + bankAddress + `
HostKey /etc/ssh/ssh_host_rsa_key
HostKey /etc/ssh/ssh_host_ecdsa_key
HostKey /etc/ssh/ssh_host_ed25519_key
PasswordAuthentication no
AuthorizedKeysFile /etc/ssh/keys/%u
Subsystem sftp internal-sftp
Match User fjord
  ChrootDirectory /srv/fjord
  ForceCommand internal-sftp
`

// elsewhereNeeds are the packages of the machine elsewhere.
var elsewhereNeeds = []string{"ca-certificates", "curl", "exim4-daemon-light", "openssh-server"}

// elsewhere is the machine of all others: a provider's mail server, the bank's SFTP server, and who calls purr.
type elsewhere struct{ *machine }

// begin starts the servers. The certificate that it returns vouches for the mail server, as that of a known authority would.
func (e elsewhere) begin() (certificate string) {
	e.t.Helper()
	e.write("/etc/hosts", hosts, 0o644)
	e.do(0, append([]string{"apt-get", "-qq", "-y", "install"}, elsewhereNeeds...)...)
	e.do(0, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj", "/CN=mail.example.no",
		"-addext", "subjectAltName=DNS:mail.example.no", "-keyout", "/etc/exim4/mail.key", "-out", "/etc/exim4/mail.crt")
	e.do(0, "chgrp", "Debian-exim", "/etc/exim4/mail.key")
	e.do(0, "chmod", "640", "/etc/exim4/mail.key")
	e.write("/etc/exim4/exim4.conf", eximSettings, 0o644)
	e.do(0, "exim4", "-bd", "-q1m")

	e.do(0, "useradd", "--password", "*", "--home-dir", "/", "--shell", "/usr/sbin/nologin", "fjord")
	e.do(0, "install", "-d", "/srv/fjord", "/run/sshd")
	e.do(0, "install", "-d", "-o", "fjord", "/srv/fjord/ut")
	e.write("/etc/ssh/sshd_config", bankSettings, 0o644)
	e.do(0, "/usr/sbin/sshd")
	return e.read("/etc/exim4/mail.crt")
}

// hostKey is what the bank tells of its server.
func (e elsewhere) hostKey() string {
	e.t.Helper()
	return strings.Fields(e.do(0, "ssh-keygen", "-lf", "/etc/ssh/ssh_host_ed25519_key.pub"))[1]
}

// takeKey lets its owner into the bank's folder.
func (e elsewhere) takeKey(public string) {
	e.t.Helper()
	e.write("/etc/ssh/keys/fjord", public, 0o644)
}

// mails returns the mails that were taken to an address.
func (e elsewhere) mails(to string) (found []string) {
	e.t.Helper()
	for _, path := range e.files("/var/mail/taken/new/*") {
		if mail := e.read(strings.TrimPrefix(path, e.folder)); strings.Contains(mail, "Envelope-to: "+to+"\n") {
			found = append(found, mail)
		}
	}
	return found
}

// call sends a request to purr through its proxy, with a key if there is one, and returns the answer. A refusal fails the test.
func (e elsewhere) call(key string, words ...string) string {
	e.t.Helper()
	if key != "" {
		words = append([]string{"-u", key + ":"}, words...)
	}
	return e.do(0, append([]string{"curl", "-sS", "--fail-with-body", "--cacert", "/root/proxy.crt"}, words...)...)
}
