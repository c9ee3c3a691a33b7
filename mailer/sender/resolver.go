package sender

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// Resolver asks DNS servers that look up for others.
type Resolver struct{ servers []string } // HOST:PORT, the first that answers counts

// askWithin is how long one server may take.
const askWithin = 5 * time.Second

// NewResolver returns what asks the DNS server HOST:PORT, or the system's if it is empty.
func NewResolver(server string) (Resolver, error) {
	if server != "" {
		return Resolver{[]string{server}}, nil
	}
	system, err := dns.ClientConfigFromFile("/etc/resolv.conf")
	if err != nil {
		return Resolver{}, fmt.Errorf("find the system's DNS servers: %w", err)
	}
	var r Resolver
	for _, host := range system.Servers {
		r.servers = append(r.servers, net.JoinHostPort(host, system.Port))
	}
	return r, nil
}

// ask returns the records of a name and a kind; none where there is no such name. It fails if no server answers.
func (r Resolver) ask(ctx context.Context, name string, kind uint16) ([]dns.RR, error) {
	if _, is := dns.IsDomainName(name); !is {
		return nil, nil
	}
	query := new(dns.Msg).SetQuestion(dns.Fqdn(name), kind).SetEdns0(dns.DefaultMsgSize, false)
	failed := errors.New("no DNS server is known")
	for _, server := range r.servers {
		for _, network := range []string{"udp", "tcp"} {
			client := dns.Client{Net: network, Timeout: askWithin}
			answer, _, err := client.ExchangeContext(ctx, query, server)
			if err != nil {
				failed = err
				break
			}
			if answer.Truncated {
				continue
			}
			if answer.Rcode == dns.RcodeSuccess || answer.Rcode == dns.RcodeNameError {
				return answer.Answer, nil
			}
			failed = fmt.Errorf("%s answers %s", server, dns.RcodeToString[answer.Rcode])
			break
		}
	}
	return nil, failed
}

// texts returns the TXT records of a name.
func (r Resolver) texts(ctx context.Context, name string) (found []string, err error) {
	records, err := r.ask(ctx, name, dns.TypeTXT)
	if err != nil {
		return nil, err
	}
	for _, record := range records {
		if text, is := record.(*dns.TXT); is { // the others say that the name stands for another one
			found = append(found, strings.Join(text.Txt, ""))
		}
	}
	return found, nil
}

// mailServers returns the names of a domain's mail servers; the domain itself if it names none and has an address.
func (r Resolver) mailServers(ctx context.Context, domain string) (found []string, err error) {
	records, err := r.ask(ctx, domain, dns.TypeMX)
	if err != nil {
		return nil, err
	}
	for _, record := range records {
		if mx, is := record.(*dns.MX); is {
			found = append(found, mx.Mx)
		}
	}
	for _, kind := range []uint16{dns.TypeA, dns.TypeAAAA} {
		if len(found) > 0 {
			break
		}
		addresses, err := r.ask(ctx, domain, kind)
		if err != nil {
			return nil, err
		}
		if len(addresses) > 0 {
			found = []string{domain}
		}
	}
	return found, nil
}
