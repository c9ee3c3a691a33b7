// Package sender asks the DNS what a domain lacks for its e-mails to be believed: SPF (RFC 7208), DKIM (RFC 6376) and
// DMARC (RFC 7489). It changes nothing, sends nothing and knows no database.
package sender

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// Mail says how e-mails leave.
type Mail struct {
	From    string // domain of the address that recipients see
	Bounces string // domain of the address in the envelope
	DKIM    DKIM   // zero if purr signs none
}

// DKIM says who signs.
type DKIM struct {
	Domain string
	Name   string // of the DNS record
	Record string // that belongs there
}

// State says how it stands with something.
type State string

// The states.
const (
	OK      State = "ok"
	Note    State = "note"    // it works, and could be better; or only a person can know
	Lacks   State = "lacks"   // something must be added or changed
	Unknown State = "unknown" // the DNS did not answer
)

// Finding is how it stands with one thing, in sentences.
type Finding struct {
	About  string `json:"about"` // SPF, DKIM, DMARC, MX or From
	State  State  `json:"state"`
	Text   string `json:"text"`
	Record string `json:"record,omitempty"` // that is to be added to the DNS
}

// Check returns how it stands with a domain's e-mails.
func Check(ctx context.Context, dns Resolver, m Mail) []Finding {
	m.From, m.Bounces, m.DKIM.Domain = inDNS(m.From), inDNS(m.Bounces), inDNS(m.DKIM.Domain)
	c := &checker{ctx: ctx, dns: dns, Mail: m}
	c.spf()
	c.dkim()
	c.dmarc()
	c.mx()
	return c.found
}

// inDNS returns a domain as the DNS has it, with letters of ASCII alone.
func inDNS(domain string) string {
	domain = strings.ToLower(strings.TrimSuffix(domain, "."))
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil {
		return ascii
	}
	return domain
}

type checker struct {
	Mail
	ctx   context.Context
	dns   Resolver
	found []Finding
}

func (c *checker) add(about string, state State, format string, args ...any) {
	c.found = append(c.found, Finding{About: about, State: state, Text: fmt.Sprintf(format, args...)})
}

func (c *checker) lacks(about, name, value, format string, args ...any) {
	c.add(about, Lacks, format, args...)
	c.found[len(c.found)-1].Record = name + `. TXT "` + value + `"`
}

// texts returns the TXT records of a name that begin with a version.
func (c *checker) texts(name, version string) (found []string, err error) {
	all, err := c.dns.texts(c.ctx, name)
	if err != nil {
		return nil, err
	}
	for _, text := range all {
		if first, _, _ := strings.Cut(text+" ", " "); strings.EqualFold(strings.TrimSuffix(first, ";"), version) {
			found = append(found, text)
		}
	}
	return found, nil
}

// unknown tells that the DNS did not answer.
func (c *checker) unknown(about, name string, err error) {
	c.add(about, Unknown, "The DNS does not answer for %s: %v.", name, err)
}

// sameOwner reports whether two domains count as one owner's, as DMARC has it: strictly, or by the registered domain.
func sameOwner(one, other string, strict bool) bool {
	return one == other || !strict && registered(one) == registered(other)
}

// registered returns the domain that somebody has registered, such as example.no of mail.example.no.
func registered(domain string) string {
	if d, err := publicsuffix.EffectiveTLDPlusOne(domain); err == nil {
		return d
	}
	return domain
}

// The version of each kind of record.
const (
	spfVersion   = "v=spf1"
	dkimVersion  = "v=DKIM1"
	dmarcVersion = "v=DMARC1"
)

func (c *checker) spf() {
	records, err := c.texts(c.Bounces, spfVersion)
	switch {
	case err != nil:
		c.unknown("SPF", c.Bounces, err)
		return
	case len(records) == 0:
		c.lacks("SPF", c.Bounces, spfVersion+" mx -all",
			"%s does not say which servers may send its e-mails. Add a record that names them; mx stands for those that take in its mail, and your provider says what else belongs there.", c.Bounces)
		return
	case len(records) > 1:
		c.add("SPF", Lacks, "%s has %d SPF records, which counts as none. Join them in one.", c.Bounces, len(records))
		return
	}
	n, fault, err := c.lookups(c.Bounces, records[0], 0)
	switch all := mechanism(records[0], "all"); {
	case err != nil:
		c.unknown("SPF", c.Bounces, err)
	case fault != "":
		c.add("SPF", Lacks, "The SPF record of %s cannot be read to its end: %s.", c.Bounces, fault)
	case n > mostLookups:
		c.add("SPF", Lacks, "The SPF record of %s needs %d look-ups, and receivers stop after %d. Leave out what no longer sends.", c.Bounces, n, mostLookups)
	case all == "+all" || all == "all":
		c.add("SPF", Lacks, "The SPF record of %s lets every server in the world send its e-mails. End it with -all in place of %s.", c.Bounces, all)
	case all == "?all" || all == "" && mechanism(records[0], "redirect") == "":
		c.add("SPF", Lacks, "The SPF record of %s says nothing about the servers that it does not name. End it with -all.", c.Bounces)
	default:
		c.add("SPF", OK, "%s has %q. Compare it with the servers that you send by.", c.Bounces, records[0])
	}
}

const mostLookups = 10 // RFC 7208, section 4.6.4

// mechanism returns a term of an SPF record by its name, with its sign, or nothing.
func mechanism(record, name string) string {
	for _, term := range strings.Fields(strings.ToLower(record)) {
		bare := strings.TrimLeft(term, "+-~?")
		if bare == name || strings.HasPrefix(bare, name+":") || strings.HasPrefix(bare, name+"=") || strings.HasPrefix(bare, name+"/") {
			return term
		}
	}
	return ""
}

// lookups counts the look-ups that an SPF record needs, with those of the records that it includes. It returns what is
// wrong with one of them.
func (c *checker) lookups(domain, record string, depth int) (n int, fault string, err error) {
	if depth > mostLookups {
		return mostLookups + 1, "", nil
	}
	for _, term := range strings.Fields(strings.ToLower(record))[1:] {
		name, value, _ := strings.Cut(strings.ReplaceAll(strings.TrimLeft(term, "+-~?"), "=", ":"), ":")
		name, _, _ = strings.Cut(name, "/")
		switch name {
		case "a", "mx", "ptr", "exists":
			n++
		case "include", "redirect":
			n++
			if strings.Contains(value, "%") || n > mostLookups {
				continue // what stands there depends on the e-mail; or it is too much already
			}
			records, err := c.texts(value, spfVersion)
			if err != nil {
				return n, "", err
			}
			if len(records) != 1 {
				return n, fmt.Sprintf("%s names %s, which has %d SPF records in place of one", domain, value, len(records)), nil
			}
			more, fault, err := c.lookups(value, records[0], depth+1)
			if err != nil {
				return n, "", err
			}
			if n += more; fault != "" {
				return n, fault, nil
			}
		}
	}
	return n, "", nil
}

func (c *checker) dkim() {
	if c.DKIM.Domain == "" {
		c.add("DKIM", Note, "purr signs no e-mails. If your mail server does, an e-mail that has arrived has a DKIM-Signature with d=%s. If it does not, set --dkim-key, --dkim-domain and --dkim-selector.", c.From)
		return
	}
	records, err := c.dns.texts(c.ctx, c.DKIM.Name)
	switch {
	case err != nil:
		c.unknown("DKIM", c.DKIM.Name, err)
	case len(records) == 0:
		c.lacks("DKIM", c.DKIM.Name, c.DKIM.Record, "The key by which receivers verify the signatures is not in the DNS. Add it.")
	case len(records) > 1:
		c.add("DKIM", Lacks, "%s has %d TXT records, and receivers may take any of them. Leave one.", c.DKIM.Name, len(records))
	case tag(records[0], "p") != tag(c.DKIM.Record, "p"):
		c.lacks("DKIM", c.DKIM.Name, c.DKIM.Record, "%s does not hold the public key of --dkim-key, so no signature holds. Replace it.", c.DKIM.Name)
	case !sameOwner(c.From, c.DKIM.Domain, false):
		c.add("DKIM", Lacks, "E-mails from %s are signed by %s. That proves nothing of %s: sign by a domain of the same owner.", c.From, c.DKIM.Domain, c.From)
	default:
		c.add("DKIM", OK, "%s holds the public key of --dkim-key.", c.DKIM.Name)
	}
}

// tag returns a value of a record such as "v=DKIM1; p=…", without blanks.
func tag(record, name string) string {
	for part := range strings.SplitSeq(record, ";") {
		if key, value, _ := strings.Cut(part, "="); strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.Join(strings.Fields(value), "")
		}
	}
	return ""
}

func (c *checker) dmarc() {
	at, records := "", []string(nil)
	for _, domain := range []string{c.From, registered(c.From)} {
		var err error
		at = domain
		if records, err = c.texts("_dmarc."+domain, dmarcVersion); err != nil {
			c.unknown("DMARC", "_dmarc."+domain, err)
			return
		}
		if len(records) > 0 {
			break
		}
	}
	if len(records) == 0 {
		c.lacks("DMARC", "_dmarc."+at, dmarcVersion+"; p=none; rua=mailto:dmarc@"+at,
			"%s does not say what becomes of e-mails that only claim to be from it, and large mailbox providers refuse bills from such domains. Begin with p=none and read the reports that come to the address.", c.From)
		return
	}
	if len(records) > 1 {
		c.add("DMARC", Lacks, "_dmarc.%s has %d DMARC records, which counts as none. Leave one.", at, len(records))
		return
	}
	policy := strings.ToLower(tag(records[0], "p"))
	switch policy {
	case "none":
		c.add("DMARC", Note, "_dmarc.%s only watches (p=none). Once the reports show that your own e-mails pass, set p=quarantine or p=reject.", at)
	case "quarantine", "reject":
		c.add("DMARC", OK, "_dmarc.%s has %q.", at, records[0])
	default:
		c.add("DMARC", Lacks, "_dmarc.%s has no policy that receivers know: p must be none, quarantine or reject, and not %q.", at, policy)
	}
	strictly := func(name string) bool { return strings.EqualFold(tag(records[0], name), "s") }
	bySPF := sameOwner(c.From, c.Bounces, strictly("aspf"))
	if byDKIM := c.DKIM.Domain != "" && sameOwner(c.From, c.DKIM.Domain, strictly("adkim")); !bySPF && !byDKIM {
		c.add("DMARC", Lacks, "E-mails come from %s, but their envelope is of %s, and purr does not sign by %s: unless your mail server signs, none passes DMARC. Sign by %s.", c.From, c.Bounces, c.From, c.From)
	}
}

// mx says whether delivery reports can arrive.
func (c *checker) mx() {
	servers, err := c.dns.mailServers(c.ctx, c.Bounces)
	switch {
	case err != nil:
		c.unknown("MX", c.Bounces, err)
	case len(servers) == 0:
		c.add("MX", Lacks, "%s has no mail server, so delivery reports get lost. Add an MX record that names one.", c.Bounces)
	case servers[0] == ".":
		c.add("MX", Lacks, "%s says that it takes in no mail (RFC 7505), so delivery reports get lost.", c.Bounces)
	default:
		c.add("MX", OK, "Delivery reports can reach %s.", c.Bounces)
	}
}
