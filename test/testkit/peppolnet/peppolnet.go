// Package peppolnet is the network's look-up on loopback: a DNS server, and a register of businesses.
package peppolnet

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/miekg/dns"

	"purr/mailer/peppol"
	"purr/models"
)

// Zone is the zone that the DNS server answers for.
const Zone = "test."

// Net is a DNS server and a register.
type Net struct {
	DNS string // HOST:PORT
	URL string // of the register, and of a directory

	mu       sync.Mutex
	asked    int
	records  map[string][]dns.RR            // by name
	rcodes   map[string]int                 // by name, where it is not that of the records
	types    map[string][]string            // document types by participant, with their schemes
	register func(http.ResponseWriter) bool // answers instead of the register, if it is set and returns true
}

// Start starts both, until the test ends.
func Start(t testing.TB) *Net {
	t.Helper()
	n := &Net{records: map[string][]dns.RR{}, rcodes: map[string]int{}, types: map[string][]string{}}
	register := httptest.NewServer(http.HandlerFunc(n.serveRegister))
	t.Cleanup(register.Close)
	n.URL = register.URL
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	packets, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	n.DNS = listener.Addr().String()
	for _, server := range []*dns.Server{{Listener: listener, Handler: n}, {PacketConn: packets, Handler: n}} {
		started := make(chan struct{})
		server.NotifyStartedFunc = func() { close(started) }
		go func() { _ = server.ActivateAndServe() }()
		<-started
		t.Cleanup(func() { _ = server.Shutdown() })
	}
	return n
}

// Register lets a business receive the kinds of documents, and nothing else.
func (n *Net) Register(organisationNumber string, kinds ...models.DocumentKind) {
	n.Name(organisationNumber, "U", "Meta:SMP", "!.*!"+n.URL+"/smp!")
	var types []string
	for _, k := range kinds {
		types = append(types, "busdox-docid-qns::"+peppol.TypeOf(k).ID)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.types[organisationNumber] = types
}

// Name adds a record of a business to the DNS.
func (n *Net) Name(organisationNumber, flags, service, expression string) {
	name := peppol.HashedName(peppol.Participant(organisationNumber), Zone)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.records[strings.ToLower(name)] = append(n.records[strings.ToLower(name)], &dns.NAPTR{
		Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeNAPTR, Class: dns.ClassINET, Ttl: 60}, Order: 100, Preference: 10,
		Flags: flags, Service: service, Regexp: expression, Replacement: ".",
	})
}

// Fail lets the DNS answer for a business with a code.
func (n *Net) Fail(organisationNumber string, rcode int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rcodes[strings.ToLower(peppol.HashedName(peppol.Participant(organisationNumber), Zone))] = rcode
}

// Recover takes back what Fail did.
func (n *Net) Recover() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.rcodes)
}

// Answer lets the register answer with a function; nil gives it back its own answers.
func (n *Net) Answer(with func(http.ResponseWriter)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.register = nil
	if with != nil {
		n.register = func(w http.ResponseWriter) bool { with(w); return true }
	}
}

// Asked returns how many questions the DNS server has got.
func (n *Net) Asked() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.asked
}

// ServeDNS answers a question.
func (n *Net) ServeDNS(w dns.ResponseWriter, question *dns.Msg) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	answer := new(dns.Msg).SetReply(question)
	name := strings.ToLower(question.Question[0].Name)
	answer.Answer = n.records[name]
	if len(answer.Answer) == 0 {
		answer.Rcode = dns.RcodeNameError
	}
	if rcode, fails := n.rcodes[name]; fails {
		answer.Rcode, answer.Answer = rcode, nil
	}
	_ = w.WriteMsg(answer)
}

func (n *Net) serveRegister(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.register != nil && n.register(w) {
		return
	}
	participant, err := url.PathUnescape(strings.TrimPrefix(r.URL.EscapedPath(), "/smp/"))
	if err != nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	types, registered := n.types[strings.TrimPrefix(participant, "iso6523-actorid-upis::0192:")]
	if !registered {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	references := ""
	for _, t := range types {
		references += `<ServiceMetadataReference href="` + n.URL + "/smp/" + url.PathEscape(participant) + "/services/" + url.PathEscape(t) + `"/>`
	}
	_, _ = io.WriteString(w, `<?xml version="1.0"?><smp:ServiceGroup xmlns:smp="http://busdox.org/serviceMetadata/publishing/1.0/" xmlns="http://busdox.org/serviceMetadata/publishing/1.0/">`+
		`<smp:ServiceMetadataReferenceCollection>`+references+`</smp:ServiceMetadataReferenceCollection></smp:ServiceGroup>`)
}
