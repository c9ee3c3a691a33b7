package sender_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"purr/mailer/sender"
)

// zone are the records of a DNS server: by name, "TXT …", "MX …", "A …", or "SERVFAIL".
type zone map[string][]string

// serve starts a DNS server on the loopback address, and returns where it listens.
func serve(t *testing.T, z zone) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := conn.LocalAddr().String()
	stream, err := net.Listen("tcp", address) // for answers that are too long for a packet
	if err != nil {                           // somebody else has that port
		_ = conn.Close()
		return serve(t, z)
	}
	for _, server := range []*dns.Server{{PacketConn: conn, Handler: z}, {Listener: stream, Handler: z}} {
		started := make(chan struct{})
		server.NotifyStartedFunc = func() { close(started) }
		go func() { _ = server.ActivateAndServe() }() // it ends when the test does
		<-started
		t.Cleanup(func() { _ = server.Shutdown() })
	}
	return address
}

// ServeDNS answers with the records of the zone.
func (z zone) ServeDNS(w dns.ResponseWriter, query *dns.Msg) {
	answer := new(dns.Msg)
	answer.SetReply(query)
	name := query.Question[0].Name
	records, known := z[strings.ToLower(strings.TrimSuffix(name, "."))]
	if !known {
		answer.Rcode = dns.RcodeNameError
	}
	for _, text := range records {
		kind, value, _ := strings.Cut(text, " ")
		header := dns.RR_Header{Name: name, Class: dns.ClassINET, Rrtype: dns.StringToType[kind], Ttl: 60}
		if kind == "SERVFAIL" {
			answer.Rcode = dns.RcodeServerFailure
		}
		if header.Rrtype != query.Question[0].Qtype && kind != "CNAME" {
			continue
		}
		switch kind {
		case "TXT":
			var parts []string
			for ; len(value) > 200; value = value[200:] {
				parts = append(parts, value[:200])
			}
			answer.Answer = append(answer.Answer, &dns.TXT{Hdr: header, Txt: append(parts, value)})
		case "CNAME":
			answer.Answer = append(answer.Answer, &dns.CNAME{Hdr: header, Target: value})
		case "MX":
			answer.Answer = append(answer.Answer, &dns.MX{Hdr: header, Preference: 10, Mx: value})
		case "A":
			answer.Answer = append(answer.Answer, &dns.A{Hdr: header, A: net.ParseIP(value)})
		}
	}
	if _, is := w.RemoteAddr().(*net.UDPAddr); is {
		answer.Truncate(400) // so that a long key takes another way
	}
	_ = w.WriteMsg(answer) // who does not get it asks again
}

func resolver(t *testing.T, server string) sender.Resolver {
	t.Helper()
	r, err := sender.NewResolver(server)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// with returns the zone with other records of a name. Without any, the name is not there.
func (z zone) with(name string, records ...string) zone {
	changed := zone{}
	for n, r := range z {
		changed[n] = r
	}
	delete(changed, name)
	if len(records) > 0 {
		changed[name] = records
	}
	return changed
}

const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA"

var whole = zone{
	"example.no":                  {"TXT google-site-verification=x", "TXT v=spf1 include:_spf.provider.example mx -all", "MX mail.example.no."},
	"_spf.provider.example":       {"TXT v=spf1 ip4:192.0.2.0/24 ~all"},
	"purr._domainkey.example.no":  {"TXT v=DKIM1; k=rsa; p=" + key + strings.Repeat("x", 600)},
	"_dmarc.example.no":           {"TXT v=DMARC1; p=reject; rua=mailto:dmarc@example.no"},
	"xn--blbr-roah.example":       {"MX mail.example.no."},
	"bounces.other-owner.example": {"A 192.0.2.1", "TXT v=spf1 a -all"},
}

func mailFrom(domain string) sender.Mail {
	return sender.Mail{From: domain, Bounces: domain, DKIM: sender.DKIM{
		Domain: "example.no", Name: "purr._domainkey.example.no", Record: "v=DKIM1; k=rsa; p=" + key + strings.Repeat("x", 600),
	}}
}

// TestS3WhatADomainLacks has a row for each way in which a domain's records can be wrong.
func TestS3WhatADomainLacks(t *testing.T) {
	t.Parallel()
	m := mailFrom("example.no")
	unsigned, foreign, both, sub, ours := m, m, m, m, m
	unsigned.DKIM = sender.DKIM{}
	foreign.From = "kunde.example"
	both.Bounces, both.DKIM = "bounces.other-owner.example", sender.DKIM{}
	sub.From = "faktura.example.no"
	ours.From, ours.Bounces = "blåbær.example", "blåbær.example"
	for _, tt := range []struct {
		name  string
		mail  sender.Mail
		zone  zone
		about string
		want  string // the state and what the text holds
	}{
		{"all is there", m, whole, "SPF", "ok: Compare it with the servers"},
		{"all is there", m, whole, "DKIM", "ok: holds the public key"},
		{"all is there", m, whole, "DMARC", "ok: p=reject"},
		{"all is there", m, whole, "MX", "ok: can reach example.no"},
		{"no SPF", m, whole.with("example.no", "MX mail.example.no."), "SPF", `lacks: which servers may send / example.no. TXT "v=spf1 mx -all"`},
		{"no such domain", m, whole.with("example.no"), "SPF", "lacks: which servers may send"},
		{"no such domain", m, whole.with("example.no"), "MX", "lacks: has no mail server"},
		{"no mail server but itself", both, whole, "MX", "ok: can reach"},
		{"no mail wanted", m, whole.with("example.no", "MX ."), "MX", "lacks: takes in no mail"},
		{"SPF twice", m, whole.with("example.no", "TXT v=spf1 mx -all", "TXT v=spf1 a -all"), "SPF", "lacks: has 2 SPF records"},
		{"SPF for the world", m, whole.with("example.no", "TXT v=spf1 mx +all"), "SPF", "lacks: every server in the world"},
		{"SPF for the world, unsigned", m, whole.with("example.no", "TXT v=spf1 all"), "SPF", "lacks: every server in the world"},
		{"SPF without an end", m, whole.with("example.no", "TXT v=spf1 mx"), "SPF", "lacks: says nothing about"},
		{"SPF that says nothing", m, whole.with("example.no", "TXT v=spf1 mx ?all"), "SPF", "lacks: says nothing about"},
		{"SPF elsewhere", m, whole.with("example.no", "TXT v=spf1 redirect=_spf.provider.example"), "SPF", "ok: redirect"},
		{"SPF that includes nothing", m, whole.with("example.no", "TXT v=spf1 include:gone.example -all"), "SPF", "lacks: gone.example, which has 0"},
		{"SPF that includes itself", m, whole.with("example.no", "TXT v=spf1 include:example.no -all"), "SPF", "lacks: receivers stop after 10"},
		{"SPF with too many", m, whole.with("example.no", "TXT v=spf1"+strings.Repeat(" a:x.example", 11)+" -all"), "SPF", "lacks: needs 11 look-ups"},
		{"another kind of record", m, whole.with("example.no", "TXT v=spf10 mx -all"), "SPF", "lacks: which servers may send"},
		{"no signature", unsigned, whole, "DKIM", "note: purr signs no e-mails"},
		{"no key", m, whole.with("purr._domainkey.example.no"), "DKIM", `lacks: is not in the DNS / purr._domainkey.example.no. TXT "v=DKIM1; k=rsa; p=` + key},
		{"a key twice", m, whole.with("purr._domainkey.example.no", "TXT v=DKIM1; p=x", "TXT v=DKIM1; p=y"), "DKIM", "lacks: has 2 TXT records"},
		{"a revoked key", m, whole.with("purr._domainkey.example.no", "TXT v=DKIM1; p="), "DKIM", "lacks: does not hold the public key"},
		{"another key", m, whole.with("purr._domainkey.example.no", "TXT v=DKIM1; p="+key), "DKIM", "lacks: does not hold the public key"},
		{"a signature of another owner", foreign, whole, "DKIM", "lacks: from kunde.example are signed by example.no"},
		{"no DMARC", m, whole.with("_dmarc.example.no"), "DMARC", `lacks: only claim to be / _dmarc.example.no. TXT "v=DMARC1; p=none; rua=mailto:dmarc@example.no"`},
		{"DMARC twice", m, whole.with("_dmarc.example.no", "TXT v=DMARC1; p=none", "TXT v=DMARC1; p=reject"), "DMARC", "lacks: has 2 DMARC records"},
		{"DMARC that watches", m, whole.with("_dmarc.example.no", "TXT v=DMARC1; p=none"), "DMARC", "note: only watches"},
		{"DMARC without a policy", m, whole.with("_dmarc.example.no", "TXT v=DMARC1; rua=mailto:a@b"), "DMARC", "lacks: no policy"},
		{"DMARC of the domain above", sub, whole, "DMARC", "ok: _dmarc.example.no"},
		{"an envelope of another owner", both, whole, "DMARC", "lacks: none passes DMARC"},
		{"letters beyond ASCII", ours, whole, "MX", "ok: can reach xn--blbr-roah.example"},
		{"a server that fails", m, whole.with("example.no", "SERVFAIL"), "SPF", "unknown: does not answer for example.no"},
		{"a server that fails", m, whole.with("_dmarc.example.no", "SERVFAIL"), "DMARC", "unknown: does not answer for _dmarc.example.no"},
		{"a server that fails", m, whole.with("purr._domainkey.example.no", "SERVFAIL"), "DKIM", "unknown: does not answer for purr._domainkey"},
		{"a key that stands elsewhere", m, whole.with("purr._domainkey.example.no", "CNAME keys.provider.example.", whole["purr._domainkey.example.no"][0]), "DKIM", "ok: holds"},
		{"a server that fails", m, whole.with("_spf.provider.example", "SERVFAIL"), "SPF", "unknown: does not answer"},
	} {
		t.Run(tt.name+": "+tt.about, func(t *testing.T) {
			t.Parallel()
			var all []string
			for _, f := range sender.Check(t.Context(), resolver(t, serve(t, tt.zone)), tt.mail) {
				said := string(f.State) + ": " + f.Text + " / " + f.Record
				all = append(all, f.About+" "+said)
				state, rest, _ := strings.Cut(tt.want, ": ")
				text, record, _ := strings.Cut(rest, " / ")
				if f.About == tt.about && string(f.State) == state && strings.Contains(f.Text, text) && strings.HasPrefix(f.Record, record) {
					return
				}
			}
			t.Errorf("nothing says of %s %q:\n%s", tt.about, tt.want, strings.Join(all, "\n"))
		})
	}
}

func TestS3NoDNSServer(t *testing.T) {
	t.Parallel()
	began := time.Now()
	for _, f := range sender.Check(t.Context(), resolver(t, "127.0.0.1:1"), mailFrom("example.no")) {
		if f.State != sender.Unknown {
			t.Errorf("it says %+v", f)
		}
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}
