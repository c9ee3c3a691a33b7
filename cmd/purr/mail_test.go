package main

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestS3aMailReportNeverSendsAReportBack gives it what is none, and what it cannot take in now.
func TestS3aMailReportNeverSendsAReportBack(t *testing.T) {
	in := newInstallation(t)
	for what, text := range map[string]string{"nothing": "", "garbage": "\x00\xff\n", "a newsletter": "To: bounce@example.no\n\nBuy!\n", "much": strings.Repeat("x", 5<<20)} {
		in.pipe(t, text)
		if said := in.purr(t, 0, "mail report"); said != "ignored: this is no delivery report\n" {
			t.Errorf("of %s it says %q", what, said)
		}
	}
	report := in.bounced(t)
	in.pipe(t, report)
	if said := in.purr(t, 0, "mail report"); !strings.HasPrefix(said, "shipment ") || !strings.HasSuffix(said, ": failed 5.1.1\n") {
		t.Errorf("it says %q", said)
	}

	data := os.Getenv("PURR_DATA")
	t.Setenv("PURR_DATABASE_URL", "mysql://purr@127.0.0.1:1/purr")
	in.pipe(t, report)
	in.purr(t, exitTempFail, "mail report") // there is no folder to keep it in
	testkit.Must(t, os.MkdirAll(filepath.Join(data, "reports"), 0o700))
	in.pipe(t, report)
	if said := in.purr(t, 0, "mail report"); !strings.HasPrefix(said, "later: ") {
		t.Errorf("it says %q", said)
	}
	kept, err := filepath.Glob(filepath.Join(data, "reports", "*.eml"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %v, %v", kept, err)
	}
	if content, err := os.ReadFile(kept[0]); err != nil || string(content) != report {
		t.Errorf("kept is %q, %v", content, err)
	}
	in.pipe(t, report)
	in.purr(t, exitTempFail, "mail report --data "+filepath.Join(data, "none"))
	in.purr(t, exitTempFail, "mail report --log-level nonsense")
}

// TestS3MailCheck asks a DNS server that knows no names, and one that knows the key.
func TestS3MailCheck(t *testing.T) {
	in := newInstallation(t)
	empty := dnsServer(t, nil)
	for _, tt := range []struct{ email, want string }{{"", "purr creditor set --email"}, {"post@example.no", "Fjord AS post@example.no"}} {
		rows.Write(t, in.db, func(tx *store.Tx) error {
			creditors, err := tx.Creditors(t.Context())
			if err != nil {
				return err
			}
			creditors[0].Email = tt.email
			return tx.UpdateCreditor(t.Context(), &creditors[0])
		})
		if said := in.purr(t, 1, "mail check --dns "+empty); !strings.Contains(said, tt.want) {
			t.Errorf("it does not say %q: %s", tt.want, said)
		}
	}
	said := in.purr(t, 1, "mail check --dns "+empty)
	for _, want := range []string{"Fjord AS post@example.no", "SPF    lacks", `example.no. TXT "v=spf1 mx -all"`, "DKIM   note", `_dmarc.example.no. TXT "v=DMARC1; p=none`, "MX     lacks"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q: %s", want, said)
		}
	}

	private, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	testkit.Must(t, err)
	key := filepath.Join(t.TempDir(), "dkim.pem")
	testkit.Must(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	signing := " --dkim-key " + key + " --dkim-domain example.no --dkim-selector purr --bounce-address bounce@bounces.example.no"
	var checked []checkedMail
	testkit.Must(t, json.Unmarshal([]byte(in.purr(t, 1, "mail check --json --dns "+empty+signing)), &checked))
	record := checked[0].Findings[1].Record
	name, text, _ := strings.Cut(record, " TXT ")
	if name != "purr._domainkey.example.no." || !strings.HasPrefix(text, `"v=DKIM1; k=ed25519; p=`) {
		t.Fatalf("the record of the key is %s", record)
	}
	all := dnsServer(t, map[string]string{
		"bounces.example.no.": "v=spf1 a -all", name: strings.Trim(text, `"`), "_dmarc.example.no.": "v=DMARC1; p=quarantine",
	})
	if said := in.purr(t, 0, "mail check --dns "+all+signing); strings.Count(said, " ok ") != 4 {
		t.Errorf("it says %s", said)
	}

	for _, set := range []string{"sender faktura@own.example", "dkim-key " + key + " dkim-domain own.example dkim-selector purr", "bounce-address bounce@bounces.own.example"} { // rule Q7
		in.purr(t, 0, "creditor way 1 set "+set)
	}
	own := dnsServer(t, map[string]string{
		"bounces.own.example.": "v=spf1 a -all", "purr._domainkey.own.example.": strings.Trim(text, `"`), "_dmarc.own.example.": "v=DMARC1; p=quarantine",
	})
	if said := in.purr(t, 0, "mail check --dns "+own+signing); strings.Count(said, " ok ") != 4 || !strings.Contains(said, "Fjord AS faktura@own.example") {
		t.Errorf("of the creditor's own way it says %s", said)
	}

	in.purr(t, 2, "mail check --dns 127.0.0.1:1")
	in.purr(t, 2, "mail check --dns nowhere")
	in.purr(t, 2, "mail check --dkim-key "+key)
	in.purr(t, 2, "mail check --dkim-domain example.no --dkim-selector purr --dkim-key "+filepath.Join(t.TempDir(), "none"))
}

// dnsServer starts a DNS server with TXT records, whose names have an address too.
func dnsServer(t *testing.T, texts map[string]string) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	testkit.Must(t, err)
	started := make(chan struct{})
	server := &dns.Server{PacketConn: conn, NotifyStartedFunc: func() { close(started) }, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, query *dns.Msg) {
		asked := query.Question[0]
		answer := new(dns.Msg).SetReply(query)
		header := dns.RR_Header{Name: asked.Name, Class: dns.ClassINET, Rrtype: asked.Qtype}
		switch text, known := texts[asked.Name]; {
		case !known:
			answer.Rcode = dns.RcodeNameError
		case asked.Qtype == dns.TypeTXT:
			answer.Answer = []dns.RR{&dns.TXT{Hdr: header, Txt: []string{text}}}
		case asked.Qtype == dns.TypeA:
			answer.Answer = []dns.RR{&dns.A{Hdr: header, A: net.IPv4(192, 0, 2, 1)}}
		}
		_ = w.WriteMsg(answer) // who does not get it asks again
	})}
	go func() { _ = server.ActivateAndServe() }() // it ends when the test does
	<-started
	t.Cleanup(func() { _ = server.Shutdown() })
	return conn.LocalAddr().String()
}
