package peppol_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"purr/mailer/peppol"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/peppolnet"
)

const business = "987654325"

// asked returns what is said of the business in words: invoice, credit note, reminder; or unknown.
func asked(t *testing.T, look peppol.Lookup) string {
	t.Helper()
	r, err := look.Ask(t.Context(), business)
	if models.KindOf(err) == models.KindUnavailable {
		return "unknown"
	}
	if err != nil || r.OrganisationNumber != business {
		t.Errorf("%+v, %v", r, err)
	}
	return string(r.Invoice + " " + r.CreditNote + " " + r.Reminder)
}

func TestH4aANameIsTheHashOfTheParticipant(t *testing.T) {
	t.Parallel()
	for participant, hash := range map[string]string{
		"9915:test":      "EH5BOAVAKTMBGZYH2A63DZ4QOV33FVP5NSDVQKLUCFRAAYOODW6A",
		"0192:974760673": "N7XQXD72MCN4TDKKOX5HZPKE3KWLV6TXP5SAMLSSXX7SE6EOQNDQ",
		"0192:ABC":       strings.SplitN(peppol.HashedName("0192:abc", "test."), ".", 2)[0],
	} {
		if got := peppol.HashedName(participant, "test"); got != hash+".iso6523-actorid-upis.test." {
			t.Errorf("%s: %s", participant, got)
		}
	}
}

func TestH4aTheDNSAndTheRegisterAreAsked(t *testing.T) {
	t.Parallel()
	answer := func(status int, body string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	const invoice, note, notice = models.InvoiceDocument, models.CreditNoteDocument, models.NoticeDocument
	for _, tt := range []struct {
		name string
		set  func(n *peppolnet.Net)
		want string
	}{
		{"not registered", func(*peppolnet.Net) {}, "no no no"},
		{"registered for all", func(n *peppolnet.Net) { n.Register(business, invoice, note, notice) }, "yes yes yes"},
		{"for invoices alone", func(n *peppolnet.Net) { n.Register(business, invoice) }, "yes no no"},
		{"for reminders alone", func(n *peppolnet.Net) { n.Register(business, notice) }, "no no yes"},
		{"for nothing", func(n *peppolnet.Net) { n.Register(business) }, "no no no"},
		{"a record of another service", func(n *peppolnet.Net) { n.Name(business, "U", "Meta:Other", "!.*!"+n.URL+"!") }, "no no no"},
		{"the register does not know it", func(n *peppolnet.Net) { n.Name(business, "U", "meta:smp", "!^.*$!"+n.URL+"/smp/!") }, "no no no"},
		{"the DNS fails", func(n *peppolnet.Net) { n.Register(business, invoice); n.Fail(business, dns.RcodeServerFailure) }, "unknown"},
		{"the DNS refuses", func(n *peppolnet.Net) { n.Fail(business, dns.RcodeRefused) }, "unknown"},
		{"the register fails", func(n *peppolnet.Net) { n.Register(business, invoice); n.Answer(answer(500, "")) }, "unknown"},
		{"the register is away", func(n *peppolnet.Net) { n.Name(business, "U", "Meta:SMP", "!.*!http://127.0.0.1:1!") }, "unknown"},
		{"garbage", func(n *peppolnet.Net) { n.Register(business, invoice); n.Answer(answer(200, "<html>")) }, "unknown"},
		{"another page", func(n *peppolnet.Net) { n.Register(business, invoice); n.Answer(answer(200, "<html/>")) }, "unknown"},
		{"a hostile megabyte", func(n *peppolnet.Net) {
			n.Register(business, invoice)
			n.Answer(answer(200, "<ServiceGroup>"+strings.Repeat(" ", 1<<20)+"</ServiceGroup>"))
		}, "unknown"},
		{"ten megabytes, packed", func(n *peppolnet.Net) {
			n.Register(business, invoice)
			n.Answer(func(w http.ResponseWriter) {
				w.Header().Set("Content-Encoding", "gzip")
				packed := gzip.NewWriter(w)
				_, _ = io.WriteString(packed, "<ServiceGroup>"+strings.Repeat(" ", 10<<20)+"</ServiceGroup>")
				_ = packed.Close()
			})
		}, "unknown"},
		{"a redirect to another host", func(n *peppolnet.Net) {
			n.Register(business, invoice)
			n.Answer(func(w http.ResponseWriter) {
				w.Header().Set("Location", "http://127.0.0.1:1/latest/meta-data")
				w.WriteHeader(http.StatusFound)
			})
		}, "unknown"},
		{"redirects without an end", func(n *peppolnet.Net) {
			n.Register(business, invoice)
			n.Answer(func(w http.ResponseWriter) {
				w.Header().Set("Location", "again")
				w.WriteHeader(http.StatusTemporaryRedirect)
			})
		}, "unknown"},
		{"what another business receives", func(n *peppolnet.Net) {
			n.Register(business, invoice)
			n.Answer(answer(200, `<ServiceGroup><ParticipantIdentifier scheme="iso6523-actorid-upis">0192:974760673</ParticipantIdentifier></ServiceGroup>`))
		}, "unknown"},
		{"what it receives, by its name", func(n *peppolnet.Net) {
			n.Register(business, invoice)
			n.Answer(answer(200, `<ServiceGroup><ParticipantIdentifier scheme="iso6523-actorid-upis"> 0192:987654325 </ParticipantIdentifier></ServiceGroup>`))
		}, "no no no"},
		{"an entity that grows", func(n *peppolnet.Net) {
			n.Register(business, invoice)
			n.Answer(answer(200, `<!DOCTYPE a [<!ENTITY a "aaaa">]><ServiceGroup>&a;</ServiceGroup>`))
		}, "unknown"},
		{"no URL", func(n *peppolnet.Net) { n.Name(business, "U", "Meta:SMP", "!.*!file:///etc/passwd!") }, "unknown"},
		{"half an expression", func(n *peppolnet.Net) { n.Name(business, "U", "Meta:SMP", "!.*!") }, "unknown"},
		{"no expression", func(n *peppolnet.Net) { n.Name(business, "U", "Meta:SMP", "") }, "unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n := peppolnet.Start(t)
			tt.set(n)
			look, err := peppol.NewDNS(peppolnet.Zone, n.DNS)
			testkit.Must(t, err)
			if got := asked(t, look); got != tt.want {
				t.Errorf("it said %s", got)
			}
		})
	}
}

// The URL of a register comes from the network: in the network's own zones it must not lead into a network of somebody's own.
func TestO10ARegisterAtAPrivateAddressIsNotAsked(t *testing.T) {
	t.Parallel()
	asked := false
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	t.Cleanup(private.Close)
	server, packets := &dns.Server{Addr: "127.0.0.1:0", Net: "udp"}, make(chan string)
	server.Handler = dns.HandlerFunc(func(w dns.ResponseWriter, question *dns.Msg) {
		answer := new(dns.Msg).SetReply(question)
		answer.Answer = []dns.RR{&dns.NAPTR{
			Hdr: dns.RR_Header{Name: question.Question[0].Name, Rrtype: dns.TypeNAPTR, Class: dns.ClassINET}, Flags: "U", Service: "Meta:SMP",
			Regexp: "!.*!http://localhost:" + strings.Split(private.URL, ":")[2] + "!", Replacement: ".",
		}}
		_ = w.WriteMsg(answer)
	})
	server.NotifyStartedFunc = func() { packets <- server.PacketConn.LocalAddr().String() }
	go func() { _ = server.ListenAndServe() }()
	address := <-packets
	t.Cleanup(func() { _ = server.Shutdown() })
	for _, zone := range []string{"", peppol.ProductionZone, "participant.sml.test.tech.peppol.org."} {
		look, err := peppol.NewDNS(zone, address)
		testkit.Must(t, err)
		if _, err := look.Ask(t.Context(), business); err == nil || !strings.Contains(err.Error(), "not public") || asked {
			t.Errorf("%q: %v", zone, err)
		}
	}
}

func TestH4aWhatNamesNoDNSIsRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{{"..", ""}, {".", ""}, {"", "127.0.0.1"}, {"", ":53"}} {
		if _, err := peppol.NewDNS(tt[0], tt[1]); err == nil {
			t.Errorf("%q is taken", tt)
		}
	}
}

func TestH4TheDirectoryIsAsked(t *testing.T) {
	t.Parallel()
	status, body := http.StatusOK, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/search/1.0/json" || r.URL.Query().Get("participant") != "iso6523-actorid-upis::0192:"+business {
			t.Errorf("it was asked for %s", r.URL)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	look, err := peppol.NewDirectory(server.URL)
	testkit.Must(t, err)
	for _, tt := range []struct {
		status int
		body   string
		want   string
	}{
		{200, `{"total-result-count":0,"matches":[]}`, "no no no"},
		{200, `{"total-result-count":1,"matches":[{"participantID":{"scheme":"iso6523-actorid-upis","value":"0192:987654325"},"docTypes":[{"scheme":"busdox-docid-qns","value":"` +
			peppol.TypeOf(models.InvoiceDocument).ID + `"}]}]}`, "yes no no"},
		{200, `{"total-result-count":1,"matches":[{"participantID":{"value":"0192:974760673"},"docTypes":[{"value":"` + peppol.TypeOf(models.InvoiceDocument).ID + `"}]}]}`, "no no no"},
		{200, `{}`, "unknown"},
		{200, `<html>`, "unknown"},
		{404, ``, "unknown"},
		{429, ``, "unknown"},
	} {
		status, body = tt.status, tt.body
		if got := asked(t, look); got != tt.want {
			t.Errorf("%d %s: %s", tt.status, tt.body, got)
		}
	}
}
