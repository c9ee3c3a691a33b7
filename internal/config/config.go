// Package config reads the settings: flags, environment variables and secrets in files. It checks each value by itself
// and names the key of a wrong one. It opens nothing.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Config holds all settings. Read fills it in; its zero value is no configuration.
type Config struct {
	Data           string         // folder of the installation: documents, inbox, outbox, and by default the database
	DatabaseURL    string         // sqlite:PATH or mysql://USER:PASSWORD@HOST:PORT/NAME
	RedisURL       string         // empty for the queue inside the process
	Rules          string         // folder with further figures of the law; empty for none
	Listen         string         // HOST:PORT; port 0 picks a free one; empty for a worker or scheduler that does not listen
	BaseURL        string         // scheme, host and perhaps a path prefix; empty for that of each request
	TLSCertificate string         // PEM file of the certificate chain; empty for HTTP without TLS
	TLSKey         string         // PEM file of the certificate's private key; empty if TLSCertificate is
	Inbox          string         // folder watched for payment files
	SFTP           Folder         // the bank's folder of payment files; no URL if there is none
	SFTPAfter      string         // what happens to an imported file: leave, move or delete
	SFTPEvery      time.Duration  // between two polls of the folder
	SMTPURL        string         // empty for .eml files in DATA/outbox/email
	Mail           Mail           // how e-mails are sent and signed
	MailRate       float64        // e-mails a second of each creditor; 0 is no limit
	EHF            EHF            // how e-invoices leave
	Peppol         Peppol         // how the network is asked what customers receive
	Letters        Letters        // how letters leave
	Collector      Folder         // folder for collection bundles; no URL for files in DATA/outbox/collection
	MinFreeDisk    int64          // bytes that must be free on the archive's disk for a file to be taken; 0 sets no bound
	KeepRejected   time.Duration  // how long rejected payment files are kept; 0 is for ever
	RateLimit      float64        // requests a second for each key; 0 is no limit
	TrustedProxies []netip.Prefix // reverse proxies whose X-Forwarded-For is believed
	ConsoleIdle    time.Duration  // how long a session of the console lasts without use
	// WebhookPrivateAddresses lets webhooks post to addresses that are not public.
	WebhookPrivateAddresses bool

	New         bool       // begin an installation though the data folder holds files of another; no variable sets it
	TestClock   time.Time  // zero without a test clock
	Tour        bool       // the console leads through the demo; no flag sets it
	Concurrency int        // jobs at once
	Connections int        // to the database's server, of this process; 0 for as many as suit
	LogFormat   string     // text or json
	LogLevel    slog.Level // the least severe level that is logged
}

// Mail says how e-mails are sent and signed.
type Mail struct {
	From          string // of e-mails of creditors that have no address; empty if such e-mails wait
	BounceAddress string // gets the delivery reports; empty for the creditor's
	DKIM          DKIM   // signs e-mails; no key if none are signed
}

// DKIM is what signs e-mails: all of its fields are set, or none.
type DKIM struct {
	Key      string // PEM file of the private key
	Domain   string // that signs
	Selector string // under which the public key is in the domain's DNS
}

// EHF says how e-invoices leave (rule H3). Its folder's URL may also be file:, that of an access point, or https: with a template.
type EHF struct {
	Folder
	Every     time.Duration // between two looks for the access point's receipts
	Enveloped bool          // in the network's envelope
	Secret    string        // the access point's token, or {{secret}} of the template
	Template  string        // path of the template of a REST interface
}

// Peppol says how the network is asked what customers receive (rule H4).
type Peppol struct {
	Lookup    string // dns, directory or off
	Zone      string // empty for the network's own
	DNS       string // HOST:PORT; empty for the system's
	Directory string // URL; empty for the network's own
}

// Folder is a folder on another machine, by SFTP.
type Folder struct {
	URL      string // sftp://USER@HOST:PORT/FOLDER
	KeyFile  string // path of the user's private key
	Password string // of the user
	HostKey  string // SHA256:FINGERPRINT, lines of a known_hosts file, or public keys
}

// The prefixes of the settings of a folder: the bank's, the debt collector's, and that of e-invoices.
const (
	SFTPPrefix      = "sftp"
	CollectorPrefix = "collection-sftp"
	EHFPrefix       = "ehf"
)

// Embedded reports whether the database is an SQLite file. The program migrates the schema of such a file itself.
func (c *Config) Embedded() bool { return strings.HasPrefix(c.DatabaseURL, "sqlite:") }

// setting is one setting. Its value comes from the flag, or from the variable PURR_ with the flag's name in capitals.
// A variable that ends in _FILE names a file with the value, for secrets (rule R3).
type setting struct {
	flag     string
	fallback string
	usage    string
	set      func(value string) error
}

// installation returns the settings of every command that works on the installation (rule R5a).
func (c *Config) installation(level string) []setting {
	return []setting{
		{"data", "./purr-data", "folder of the installation", text(&c.Data)},
		{"database-url", "", "database, mysql://USER:PASSWORD@HOST:PORT/NAME (default: an SQLite file in the data folder)", text(&c.DatabaseURL)},
		{"redis-url", "", "queue, redis://:PASSWORD@HOST:PORT/DB (default: inside the process)", text(&c.RedisURL)},
		{"rules", "", "folder with CSV files of further figures of the law (see purr dunning rules)", text(&c.Rules)},
		{"log-format", "text", "log as text or json, on standard error", oneOf(&c.LogFormat, "text", "json")},
		{"log-level", level, "least severe level that is logged: debug, info, warn or error", c.setLogLevel},
	}
}

// server returns the further settings of the long-running commands.
func (c *Config) server() []setting {
	return slices.Concat([]setting{
		{"listen", "127.0.0.1:8080", "address to listen on; port 0 picks a free one (workers and schedulers: for /healthz, /readyz and /metrics; by default they do not listen)", text(&c.Listen)},
		{"base-url", "", "beginning of all URIs (default: scheme and host of each request; URIs in webhooks are then paths)", c.setBaseURL},
		{"tls-certificate", "", "PEM file with the certificate chain; with tls-key the API speaks HTTPS (default: HTTP)", file(&c.TLSCertificate)},
		{"tls-key", "", "PEM file with the certificate's private key", file(&c.TLSKey)},
		{"inbox", "", "folder watched for payment files (default: inbox in the data folder)", text(&c.Inbox)},
		{"keep-rejected", "90", "days for which rejected payment files are kept; 0 keeps them for ever", c.setKeepRejected},
		{"min-free-disk", "1GiB", "room that must be left on the disk for an upload or a file of the inbox to be taken, such as 500MiB or 0", c.setMinFreeDisk},
		{"smtp-url", "", "mail server, smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none (default: .eml files in the data folder)", text(&c.SMTPURL)},
		{"mail-from", "", "address that the e-mails of creditors without one come from, such as faktura@example.no (default: by a mail server those e-mails wait)", c.Mail.setFrom},
	}, c.Mail.settings(), []setting{
		{"mail-rate", "0", "e-mails a second that each creditor may send; 0 sets no limit", rate(&c.MailRate)},
		{"rate-limit", "0", "requests a second that each key may send; 0 sets no limit", rate(&c.RateLimit)},
		{"trusted-proxies", "", "networks of reverse proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8,127.0.0.1 (default: none)", c.setTrustedProxies},
		{"console-idle", "8h", "how long a person stays signed in to the console without using it, at most 7 days", c.setConsoleIdle},
		{"webhook-private-addresses", off, "let webhooks post to private addresses, and by the environment's proxy: on or off", onOff(&c.WebhookPrivateAddresses)},
		{"concurrency", "8", "background jobs at once", c.setConcurrency},
		{"database-connections", "", "most connections to a MySQL server that this process takes, from 8 (default: 48, fewer if the server has fewer than 120)", c.setConnections},
	}, c.bank(), c.Collector.settings(CollectorPrefix, "the debt collector's folder for collection bundles", "files in the data folder"), c.Letters.settings(), c.EHF.settings(), c.Peppol.settings())
}

// settings returns the settings of the way of e-invoices.
func (e *EHF) settings() []setting {
	return append(e.Folder.settings(EHFPrefix, "", "")[1:],
		setting{"ehf-url", "", "where e-invoices go: file:/FOLDER, sftp://USER@HOST:PORT/FOLDER, phoss-ap+https://HOST/BASE, or https://HOST/PATH with ehf-template (default: outbox/ehf in the data folder)", e.setURL},
		setting{"ehf-every", "15m", "pause between two looks for the access point's receipts, in the folder receipts below ehf-url", pollPause(&e.Every)},
		setting{"ehf-envelope", "none", "envelope around each e-invoice: none, or sbdh for that of the network", e.setEnvelope},
		setting{"ehf-secret", "", "token of the access point, or what {{secret}} in ehf-template stands for", text(&e.Secret)},
		setting{"ehf-template", "", "JSON file that describes the access point's REST interface", file(&e.Template)})
}

// ehfURL matches the URLs of the ways of e-invoices. Their packages read them closer.
var ehfURL = regexp.MustCompile(`^(|file:(//)?(/.*)?|sftp://.+|phoss-ap\+https?://.+|https?://.+)$`)

func (e *EHF) setURL(value string) error {
	if !ehfURL.MatchString(value) {
		return errors.New("must be file:/FOLDER, sftp://USER@HOST/FOLDER, phoss-ap+https://HOST/BASE or https://HOST/PATH")
	}
	return e.Folder.setURL(value)
}

func (e *EHF) setEnvelope(value string) error {
	var kind string
	err := oneOf(&kind, "none", "sbdh")(value)
	e.Enveloped = kind == "sbdh"
	return err
}

// InFolder reports whether e-invoices go to a folder of this machine.
func (e *EHF) InFolder() bool { return e.URL == "" || strings.HasPrefix(e.URL, "file:") }

// BySFTP reports whether e-invoices go to a folder of another machine.
func (e *EHF) BySFTP() bool { return strings.HasPrefix(e.URL, "sftp://") }

// byTemplate reports whether e-invoices go by a template's REST interface.
func (e *EHF) byTemplate() bool {
	return strings.HasPrefix(e.URL, "https://") || strings.HasPrefix(e.URL, "http://")
}

// check returns what is wrong with the settings together.
func (e *EHF) check() error {
	switch {
	case e.byTemplate() && e.Template == "":
		return errors.New("ehf-url, ehf-template: an https URL needs a template of the interface there")
	case e.Template != "" && !e.byTemplate():
		return errors.New("ehf-template, ehf-url: a template is of an https URL")
	case e.BySFTP() && e.KeyFile == "" && e.Password == "":
		return errors.New("ehf-url: an SFTP server needs ehf-key-file or ehf-password")
	}
	return nil
}

func (p *Peppol) setLookup(value string) error {
	return oneOf(&p.Lookup, "dns", "directory", "off")(cmp.Or(value, "off"))
}

// settings returns the settings of the look-up.
func (p *Peppol) settings() []setting {
	return []setting{
		{"peppol-lookup", "", "how to find out whether a customer receives EHF: dns, directory or off (default: off)", p.setLookup},
		{"peppol-zone", "", "DNS zone of the network's participants (default: that of production)", text(&p.Zone)},
		{"peppol-dns", "", "DNS server for it, HOST:PORT (default: the system's)", text(&p.DNS)},
		{"peppol-directory", "", "URL of the network's directory (default: https://directory.peppol.eu)", text(&p.Directory)},
	}
}

// bank returns the settings of the bank's folder of payment files.
func (c *Config) bank() []setting {
	return append(c.SFTP.settings(SFTPPrefix, "the bank's folder with payment files", "none"),
		setting{"sftp-after", "leave", "what to do with an imported file there: leave, move (to the folder fetched) or delete", oneOf(&c.SFTPAfter, "leave", "move", "delete")},
		setting{"sftp-every", "15m", "pause between two polls of the bank's folder", pollPause(&c.SFTPEvery)})
}

func (m *Mail) settings() []setting {
	return []setting{
		{"bounce-address", "", "address that gets the mail servers' delivery reports, such as bounce@example.no; purr adds +ID-TOKEN before the @ (default: the creditor's address)", m.setBounceAddress},
		{"dkim-key", "", "PEM file with the private key that signs e-mails by DKIM, RSA or Ed25519 (default: none are signed)", file(&m.DKIM.Key)},
		{"dkim-domain", "", "domain that signs, such as example.no", matching(&m.DKIM.Domain, domainForm, "a domain such as example.no")},
		{"dkim-selector", "", "name under which the public key is in the domain's DNS, such as purr", matching(&m.DKIM.Selector, domainForm, "a name such as purr")},
	}
}

func (f *Folder) settings(prefix, what, without string) []setting {
	return []setting{
		{prefix + "-url", "", what + ", sftp://USER@HOST:PORT/FOLDER, or /~/FOLDER in the user's own (default: " + without + ")", f.setURL},
		{prefix + "-key-file", "", "private key to sign in with there, without a passphrase", file(&f.KeyFile)},
		{prefix + "-password", "", "password to sign in with there", text(&f.Password)},
		{prefix + "-host-key", "", "host key of the server there: SHA256:FINGERPRINT, or a line of a known_hosts file", text(&f.HostKey)},
	}
}

func (c *Config) testClock() []setting {
	return []setting{{"test-clock", "", "run on a simulated clock from this RFC 3339 time on; for tests only", c.setTestClock}}
}

// AddInstallation adds the flags of a command that works on the installation and ends. Such a command prints its
// results, so by default it logs warnings and errors only.
func AddInstallation(flags *pflag.FlagSet) { add(flags, new(Config).installation("warn")) }

// AddServer adds the flags of serve and api.
func AddServer(flags *pflag.FlagSet) {
	add(flags, new(Config).installation("info"))
	add(flags, new(Config).server())
}

// AddPart adds the flags of worker and scheduler: those of AddServer, but they only listen where they are told to.
func AddPart(flags *pflag.FlagSet) {
	AddServer(flags)
	flags.Lookup("listen").DefValue = ""
	_ = flags.Lookup("listen").Value.Set("") // a text takes every value
}

// AddHealth adds the flags that say where a part of this machine listens.
func AddHealth(flags *pflag.FlagSet) {
	listening := func(s setting) bool { return s.flag != "listen" && s.flag != "tls-certificate" && s.flag != "tls-key" }
	add(flags, slices.DeleteFunc(new(Config).server(), listening))
}

// AddSFTP adds the flags of the bank's folder. AddServer adds them too.
func AddSFTP(flags *pflag.FlagSet) { add(flags, new(Config).bank()) }

// AddMail adds the flags that say how e-mails are sent and signed. AddServer adds them too.
func AddMail(flags *pflag.FlagSet) { add(flags, new(Config).Mail.settings()) }

// AddTestClock adds the flag of the test clock. Only serve runs on one (rule E8); the other parts refuse it.
func AddTestClock(flags *pflag.FlagSet) { add(flags, new(Config).testClock()) }

func add(flags *pflag.FlagSet, settings []setting) {
	for _, s := range settings {
		flags.String(s.flag, s.fallback, s.usage+" [$"+Variable(s.flag)+"]")
		if s.fallback == off {
			flags.Lookup(s.flag).NoOptDefVal = on
		}
	}
}

// Variable returns the environment variable of a flag: PURR_DATABASE_URL for database-url (rule R3).
func Variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Read returns the configuration. For each added flag it uses the first of these: the flag's value, its variable, the
// file that its variable with _FILE names, the default. Its error lists every wrong value.
func Read(flags *pflag.FlagSet, lookup func(string) (string, bool)) (Config, error) {
	var c Config
	var errs []error
	for _, s := range slices.Concat(c.installation(""), c.server(), c.testClock()) {
		flag := flags.Lookup(s.flag)
		if flag == nil {
			continue
		}
		value, from, err := read(flag, lookup)
		if err == nil {
			err = s.set(value)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", from, err))
		}
	}
	if (c.TLSCertificate == "") != (c.TLSKey == "") {
		errs = append(errs, errors.New("tls-certificate, tls-key: set both of them, or neither"))
	}
	if d := c.Mail.DKIM; (d.Key == "") != (d.Domain == "") || (d.Key == "") != (d.Selector == "") {
		errs = append(errs, errors.New("dkim-key, dkim-domain, dkim-selector: set all of them, or none"))
	}
	if err := c.Letters.check(); err != nil {
		errs = append(errs, err)
	}
	if err := c.EHF.check(); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return Config{}, errors.Join(errs...)
	}
	if c.DatabaseURL == "" {
		c.DatabaseURL = "sqlite:" + filepath.Join(c.Data, "purr.db")
	}
	if c.Inbox == "" {
		c.Inbox = filepath.Join(c.Data, "inbox")
	}
	return c, nil
}

func read(flag *pflag.Flag, lookup func(string) (string, bool)) (value, from string, err error) {
	variable := Variable(flag.Name)
	fromVariable, set := lookup(variable)
	path, inFile := lookup(variable + fromFile)
	switch {
	case flag.Changed:
		return flag.Value.String(), "--" + flag.Name, nil
	case set && inFile:
		return "", variable, errors.New("is set, and so is " + variable + fromFile + ": set one of them")
	case set:
		return fromVariable, variable, nil
	case inFile:
		content, err := os.ReadFile(path)
		if err == nil && strings.TrimSpace(string(content)) == "" {
			err = fmt.Errorf("%s is empty: write the value into it, or unset the variable", path) // rule D105
		}
		if err != nil {
			return "", variable + fromFile, err
		}
		return strings.TrimRight(string(content), "\r\n"), variable + fromFile, nil
	}
	return flag.DefValue, "--" + flag.Name, nil
}

// Default returns the configuration of an embedded installation in a folder, for a demonstration or a test. It listens on
// a free port, and leaves it to the folder's owner how full the disk may be.
func Default(data string) (Config, error) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	AddServer(flags)
	if err := flags.Parse([]string{"--data", data, "--listen", "127.0.0.1:0", "--min-free-disk", "0"}); err != nil {
		return Config{}, err
	}
	return Read(flags, func(string) (string, bool) { return "", false })
}

func text(field *string) func(string) error {
	return func(value string) error {
		*field = value
		return nil
	}
}

// file reads the path of a file. The value may by mistake be the file's content, a secret. So the error does not
// repeat it.
func file(field *string) func(string) error {
	return func(value string) error {
		if strings.ContainsAny(value, "\r\n\x00") {
			return errors.New("must be the path of a file, not what is in it")
		}
		*field = value
		return nil
	}
}

// matching reads a value of a form, which is described in words. It may be empty.
func matching(field *string, form *regexp.Regexp, words string) func(string) error {
	return func(value string) error {
		if value != "" && !form.MatchString(value) {
			return fmt.Errorf("must be %s, not %q", words, value)
		}
		*field = value
		return nil
	}
}

// A domain, or a part of one, as DNS has it. The name before the @ of the bounce address leaves room for +ID-TOKEN within the
// 64 characters of RFC 5321.
var (
	domainForm        = regexp.MustCompile(`^([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*$`)
	fromForm          = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._+=-]{0,62}[A-Za-z0-9])?@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$`)
	bounceAddressForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._+=-]{0,26}[A-Za-z0-9])?@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$`)
)

func (m *Mail) setBounceAddress(value string) error {
	return matching(&m.BounceAddress, bounceAddressForm, "an address such as bounce@example.no, with at most 28 characters before the @")(value)
}

func (m *Mail) setFrom(value string) error {
	return matching(&m.From, fromForm, "an address such as faktura@example.no")(value)
}

func oneOf(field *string, allowed ...string) func(string) error {
	return func(value string) error {
		if !slices.Contains(allowed, value) {
			return fmt.Errorf("must be %s, not %q", strings.Join(allowed, " or "), value)
		}
		*field = value
		return nil
	}
}

// The values of a setting that is on or off. Its flag alone means on.
const on, off = "on", "off"

func onOff(field *bool) func(string) error {
	return func(value string) error {
		switch value {
		case on, "1":
			*field = true
		case off, "0", "":
			*field = false
		default:
			return fmt.Errorf("must be on or off, not %q", value)
		}
		return nil
	}
}

func (c *Config) setBaseURL(value string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("must be a URL such as https://invoices.example.no, with no query")
	}
	c.BaseURL = strings.TrimRight(value, "/")
	return nil
}

// rate reads how often something may happen in a second.
func rate(field *float64) func(string) error {
	return func(value string) (err error) {
		if *field, err = strconv.ParseFloat(value, 64); err != nil || !(*field >= 0 && *field <= 1e6) {
			return fmt.Errorf("must be a number from 0 to 1000000, not %q", value)
		}
		return nil
	}
}

func (c *Config) setKeepRejected(value string) error {
	const day, most = 24 * time.Hour, 36_500
	days, err := strconv.Atoi(value)
	if err != nil || days < 0 || days > most {
		return fmt.Errorf("must be a whole number of days from 0 to %d, not %q", most, value)
	}
	c.KeepRejected = time.Duration(days) * day
	return nil
}

var sizeForm = regexp.MustCompile(`^(\d{1,6})(KiB|MiB|GiB|TiB)$`)

// setMinFreeDisk reads a number of bytes with its unit.
func (c *Config) setMinFreeDisk(value string) error {
	c.MinFreeDisk = 0
	if value == "0" {
		return nil
	}
	parts := sizeForm.FindStringSubmatch(value)
	if parts == nil {
		return fmt.Errorf("must be 0 or a number with KiB, MiB, GiB or TiB, such as 500MiB, not %q", value)
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return err
	}
	c.MinFreeDisk = n << map[string]int{"KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[parts[2]]
	return nil
}

// setTrustedProxies reads networks and addresses, separated by commas.
func (c *Config) setTrustedProxies(value string) error {
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		network, err := netip.ParsePrefix(item)
		if err != nil {
			address, wrong := netip.ParseAddr(item)
			if wrong != nil {
				return fmt.Errorf("%q is neither a network such as 10.0.0.0/8 nor an address", item)
			}
			network = netip.PrefixFrom(address, address.BitLen())
		}
		c.TrustedProxies = append(c.TrustedProxies, network.Masked())
	}
	return nil
}

func (c *Config) setConcurrency(value string) (err error) {
	if c.Concurrency, err = strconv.Atoi(value); err != nil || c.Concurrency < 1 || c.Concurrency > 1000 {
		return fmt.Errorf("must be a whole number from 1 to 1000, not %q", value)
	}
	return nil
}

func (c *Config) setConnections(value string) (err error) {
	if value == "" {
		c.Connections = 0
		return nil
	}
	if c.Connections, err = strconv.Atoi(value); err != nil || c.Connections < 8 || c.Connections > 10_000 {
		return fmt.Errorf("must be a whole number from 8 to 10000, not %q", value)
	}
	return nil
}

func (c *Config) setTestClock(value string) (err error) {
	if value == "" {
		return nil
	}
	if c.TestClock, err = time.Parse(time.RFC3339, value); err != nil {
		return fmt.Errorf("must be a time such as 2026-01-05T08:00:00+01:00, not %q", value)
	}
	return nil
}

func (c *Config) setLogLevel(value string) error {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, known := levels[value]
	if !known {
		return fmt.Errorf("must be debug, info, warn or error, not %q", value)
	}
	c.LogLevel = level
	return nil
}

func (c *Config) setConsoleIdle(value string) (err error) {
	if c.ConsoleIdle, err = time.ParseDuration(value); err != nil || c.ConsoleIdle < 5*time.Minute || c.ConsoleIdle > 7*24*time.Hour {
		return errors.New("must be a duration from 5m to 168h, such as 8h")
	}
	return nil
}

// pollPause reads the pause between two polls of a folder.
func pollPause(field *time.Duration) func(string) error {
	return func(value string) (err error) {
		if *field, err = time.ParseDuration(value); err != nil || *field < time.Minute || *field > 24*time.Hour {
			return errors.New("must be a duration from 1m to 24h, such as 15m")
		}
		return nil
	}
}

func (f *Folder) setURL(value string) error {
	const most = 500 // characters; the database keeps no more
	if len(value) > most {
		return fmt.Errorf("must be at most %d characters long", most)
	}
	f.URL = value
	return nil
}
