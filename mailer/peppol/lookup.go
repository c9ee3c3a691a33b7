package peppol

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"

	"purr/internal/address"
	"purr/models"
)

// Lookup asks the network what a business receives. It is safe for concurrent use.
type Lookup interface {
	// Ask returns what the business with the organisation number receives. It fails if that cannot be found out: it is
	// unknown then.
	Ask(ctx context.Context, organisationNumber string) (models.Reception, error)
}

const (
	// ProductionZone is the zone of the network's participants.
	ProductionZone = "participant.sml.prod.tech.peppol.org"
	// networkZones is what the names of all zones of the network end with.
	networkZones = ".peppol.org"
	// DirectoryURL is the network's public directory.
	DirectoryURL = "https://directory.peppol.eu"

	lookupTimeout = 10 * time.Second // of a whole look-up
	queryTimeout  = 3 * time.Second  // of a question to a DNS server
	maxRegister   = 1 << 20          // bytes of an answer that are read
)

// DNS finds the register of a business (its SMP) by the DNS, and asks the register (rule H4a).
type DNS struct {
	zone, server string // server is empty for the system's
	client       *http.Client
}

// NewDNS returns the look-up in a zone, at a DNS server HOST:PORT; an empty one is the system's. The URL of a register comes
// from the network. In the network's own zones it must lead to a public address. A zone of somebody's own, as tests have it, may lead
// anywhere.
func NewDNS(zone, server string) (*DNS, error) {
	zone = strings.ToLower(dns.Fqdn(cmp.Or(zone, ProductionZone)))
	if _, is := dns.IsDomainName(zone); !is || zone == "." {
		return nil, errors.New("the zone must be a domain name")
	}
	if server != "" {
		if host, port, err := net.SplitHostPort(server); err != nil || host == "" || port == "" {
			return nil, errors.New("the DNS server must be HOST:PORT")
		}
	}
	return &DNS{zone, server, registerClient(strings.HasSuffix(zone, networkZones+"."))}, nil
}

// registerClient returns a client of registers, which follows redirects only on the same host.
func registerClient(onlyPublic bool) *http.Client {
	dialer := &net.Dialer{Timeout: queryTimeout}
	transport := &http.Transport{
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
	}
	if onlyPublic {
		address.OnlyPublic(dialer)
	}
	return &http.Client{
		Timeout: lookupTimeout, Transport: transport,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > 3 || r.URL.Host != via[0].URL.Host {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
}

// receives returns what a business receives that registered the document types, given without their scheme.
func receives(number string, registered func(id string) bool) models.Reception {
	answer := func(k models.DocumentKind) models.Receives {
		if registered(strings.ToLower(TypeOf(k).ID)) {
			return models.ReceivesYes
		}
		return models.ReceivesNo
	}
	return models.Reception{
		OrganisationNumber: number, Invoice: answer(models.InvoiceDocument), CreditNote: answer(models.CreditNoteDocument), Reminder: answer(models.NoticeDocument),
	}
}

func nothing(string) bool { return false }

// HashedName returns the name under which the DNS knows a participant in a zone.
func HashedName(participant, zone string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(participant)))
	return strings.TrimRight(base32.StdEncoding.EncodeToString(sum[:]), "=") + "." + ParticipantScheme + "." + dns.Fqdn(zone)
}

// Ask implements Lookup.
func (d *DNS) Ask(ctx context.Context, organisationNumber string) (models.Reception, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	register, err := d.register(ctx, HashedName(Participant(organisationNumber), d.zone))
	if err != nil {
		return models.Reception{}, models.Unavailable("the network's DNS", err)
	}
	if register == "" {
		return receives(organisationNumber, nothing), nil
	}
	types, err := d.types(ctx, register, organisationNumber)
	if err != nil {
		return models.Reception{}, models.Unavailable("the customer's register", err)
	}
	return receives(organisationNumber, func(id string) bool { return slices.Contains(types, id) }), nil
}

// register returns the URL of the register that the DNS names, or the empty text if the business has none.
func (d *DNS) register(ctx context.Context, name string) (string, error) {
	answer, err := d.query(ctx, name)
	switch {
	case err != nil:
		return "", err
	case answer.Rcode == dns.RcodeNameError:
		return "", nil
	case answer.Rcode != dns.RcodeSuccess:
		return "", fmt.Errorf("the DNS server answered %s", dns.RcodeToString[answer.Rcode])
	}
	var records []*dns.NAPTR
	for _, r := range answer.Answer {
		if n, is := r.(*dns.NAPTR); is && strings.EqualFold(n.Service, "Meta:SMP") && strings.EqualFold(n.Flags, "U") {
			records = append(records, n)
		}
	}
	if len(records) == 0 {
		return "", nil
	}
	first := slices.MinFunc(records, func(a, b *dns.NAPTR) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Preference, b.Preference))
	})
	return replacement(first.Regexp)
}

// query asks the DNS server, once more by TCP if the answer was cut off.
func (d *DNS) query(ctx context.Context, name string) (*dns.Msg, error) {
	servers := []string{d.server}
	if d.server == "" {
		conf, err := dns.ClientConfigFromFile("/etc/resolv.conf")
		if err != nil {
			return nil, err
		}
		servers = nil
		for _, s := range conf.Servers {
			servers = append(servers, net.JoinHostPort(s, conf.Port))
		}
	}
	question := new(dns.Msg).SetQuestion(name, dns.TypeNAPTR).SetEdns0(1232, false)
	last := errors.New("there is no DNS server")
	for _, server := range servers {
		answer, err := exchange(ctx, question, server, "udp")
		if err == nil && answer.Truncated {
			answer, err = exchange(ctx, question, server, "tcp")
		}
		if err == nil {
			return answer, nil
		}
		last = fmt.Errorf("ask the DNS server %s: %w", server, err)
	}
	return nil, last
}

func exchange(ctx context.Context, question *dns.Msg, server, network string) (*dns.Msg, error) {
	client := &dns.Client{Net: network, Timeout: queryTimeout}
	answer, _, err := client.ExchangeContext(ctx, question, server)
	if err != nil {
		return nil, err
	}
	if !answer.Response || len(answer.Question) != 1 || !strings.EqualFold(answer.Question[0].Name, question.Question[0].Name) {
		return nil, errors.New("the DNS server answered another question")
	}
	return answer, nil
}

// replacement returns the URL that a record's regular expression puts in the place of everything, such as
// !.*!https://smp.example/!.
func replacement(expression string) (string, error) {
	if expression == "" {
		return "", errors.New("the DNS names no register")
	}
	parts := strings.Split(expression[1:], expression[:1])
	if len(parts) != 3 || (parts[0] != ".*" && parts[0] != "^.*$") {
		return "", errors.New("the DNS names a register in no known form")
	}
	u, err := url.Parse(parts[1])
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("the DNS names a register whose URL is none")
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// types returns the document types that a business has registered, in lower case and without their scheme. It has none that
// the register does not know.
func (d *DNS) types(ctx context.Context, register, organisationNumber string) ([]string, error) {
	id := ParticipantScheme + "::" + Participant(organisationNumber)
	body, found, err := get(ctx, d.client, register+"/"+strings.ReplaceAll(url.PathEscape(id), ":", "%3A"))
	if err != nil || !found {
		return nil, err
	}
	return typesIn(body, Participant(organisationNumber))
}

// typesIn returns the document types of a register's ServiceGroup: the ends of its references. It fails if the group says that
// it is of another participant.
func typesIn(group []byte, participant string) ([]string, error) {
	decoder := xml.NewDecoder(bytes.NewReader(group))
	var types []string
	root, within := "", ""
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && root == "ServiceGroup" {
			return types, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the register's answer is no ServiceGroup: %w", err)
		}
		if text, is := token.(xml.CharData); is && within == "ParticipantIdentifier" {
			if of := strings.TrimSpace(string(text)); of != "" && !strings.EqualFold(of, participant) {
				return nil, errors.New("the register's answer is of another participant")
			}
		}
		element, is := token.(xml.StartElement)
		if within = element.Name.Local; !is {
			continue
		}
		root = cmp.Or(root, element.Name.Local)
		if element.Name.Local != "ServiceMetadataReference" {
			continue
		}
		for _, a := range element.Attr {
			if a.Name.Local == "href" {
				types = append(types, typeIn(a.Value))
			}
		}
	}
}

// typeIn returns the document type at the end of a reference to it.
func typeIn(href string) string {
	const services = "/services/"
	at := strings.LastIndex(href, services)
	if at < 0 {
		return ""
	}
	plain, err := url.PathUnescape(href[at+len(services):])
	if err != nil {
		return ""
	}
	plain = strings.ToLower(plain)
	return strings.TrimPrefix(plain, documentScheme+"::")
}

// get reads a resource, and reports false if there is none. It fails if the resource is too large.
func get(ctx context.Context, client *http.Client, address string) (body []byte, found bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, false, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, false, err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return nil, false, nil
	default:
		return nil, false, fmt.Errorf("it answered %s", models.Foreign(response.Status, 60))
	}
	body, err = io.ReadAll(io.LimitReader(response.Body, maxRegister+1))
	if err == nil && len(body) > maxRegister {
		err = errors.New("its answer is too long")
	}
	return body, true, err
}
