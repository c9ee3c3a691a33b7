// Package config reads what the operator has set: flags, environment variables and secrets in files. It
// checks each value by itself and names the key that is wrong. It opens nothing.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Config is everything that can be set. Read fills it in; its zero value is no configuration.
type Config struct {
	Data           string     // folder of the installation: documents, inbox, outbox, and the database unless it is elsewhere
	DatabaseURL    string     // sqlite:PATH or mysql://USER:PASSWORD@HOST:PORT/NAME
	RedisURL       string     // empty for the queue inside the process
	Rules          string     // folder with figures of the law to add to the program's own; empty for none
	Listen         string     // HOST:PORT; port 0 picks a free one
	BaseURL        string     // scheme, host and perhaps a path prefix; empty for that of each request
	TLSCertificate string     // PEM file of the certificate chain; empty for HTTP without TLS
	TLSKey         string     // PEM file of the certificate's private key; empty where TLSCertificate is
	Inbox          string     // folder watched for payment files
	SFTP           SFTP       // where payment files are fetched from
	SMTPURL        string     // empty for .eml files in DATA/outbox/email
	Collector      Collector  // where collection bundles are put
	RateLimit      float64    // requests a second for each key; 0 is no limit
	TestClock      time.Time  // zero without a test clock
	Concurrency    int        // jobs at once
	LogFormat      string     // text or json
	LogLevel       slog.Level // the least severe that is logged
}

// SFTP is the folder at the bank that payment files are fetched from.
type SFTP struct {
	URL      string        // sftp://USER@HOST:PORT/FOLDER; empty where nothing is fetched
	KeyFile  string        // path of the user's private key
	Password string        // of the user
	HostKey  string        // SHA256:FINGERPRINT, lines of a known_hosts file, or public keys
	After    string        // what becomes of a fetched file: leave, move or delete
	Every    time.Duration // between two polls of the folder
}

// Collector is the debt collector's folder, which collection bundles are put into.
type Collector struct {
	URL      string // sftp://USER@HOST:PORT/FOLDER; empty for files in DATA/outbox/collection
	KeyFile  string // path of the user's private key
	Password string // of the user
	HostKey  string // SHA256:FINGERPRINT, lines of a known_hosts file, or public keys
}

// CollectorPrefix begins the names of the settings of the debt collector's folder.
const CollectorPrefix = "collection-sftp"

// Embedded reports whether the database is an SQLite file, whose schema the program brings up to date itself.
func (c Config) Embedded() bool { return strings.HasPrefix(c.DatabaseURL, "sqlite:") }

// setting is one thing that can be set: by the flag, by a variable of the flag's name in capitals after PURR_, or by
// a file that the variable with _FILE after it names, as for a secret (rule R3).
type setting struct {
	flag     string
	fallback string
	usage    string
	set      func(c *Config, value string) error
}

// installation is the flags of every command that works on the installation (rule R5a).
var installation = []setting{
	{"data", "./purr-data", "folder of the installation", text(func(c *Config) *string { return &c.Data })},
	{"database-url", "", "database, mysql://USER:PASSWORD@HOST:PORT/NAME (default: an SQLite file in the data folder)", text(func(c *Config) *string { return &c.DatabaseURL })},
	{"redis-url", "", "queue, redis://:PASSWORD@HOST:PORT/DB (default: inside the process)", text(func(c *Config) *string { return &c.RedisURL })},
	{"rules", "", "folder with CSV files of figures of the law, to add to the program's own (see purr dunning rules)", text(func(c *Config) *string { return &c.Rules })},
	{"log-format", "text", "log as text or json, on standard error", oneOf(func(c *Config) *string { return &c.LogFormat }, "text", "json")},
}

// logLevels is the flag --log-level. Commands that end print what they did: only what is wrong need be logged beside it.
func logLevels(fallback string) setting {
	return setting{"log-level", fallback, "the least severe lines that are logged: debug, info, warn or error", logLevel}
}

// server is the flags that the long-running commands take besides.
var server = []setting{
	{"listen", "127.0.0.1:8080", "address to listen on; port 0 picks a free one", text(func(c *Config) *string { return &c.Listen })},
	{"base-url", "", "what uris begin with (default: scheme and host of each request; in webhooks, nothing: they are paths)", baseURL},
	{"tls-certificate", "", "PEM file with the certificate chain; with tls-key the API speaks HTTPS (default: HTTP)", file(func(c *Config) *string { return &c.TLSCertificate })},
	{"tls-key", "", "PEM file with the certificate's private key", file(func(c *Config) *string { return &c.TLSKey })},
	{"inbox", "", "folder watched for payment files (default: inbox in the data folder)", text(func(c *Config) *string { return &c.Inbox })},
	{"smtp-url", "", "mail server, smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none (default: .eml files in the data folder)", text(func(c *Config) *string { return &c.SMTPURL })},
	{"rate-limit", "0", "requests a second that each key may make; 0 is no limit", rateLimit},
	{"concurrency", "8", "background jobs at once", concurrency},
}

// sftp is the flags of the commands that fetch files from the bank.
var sftp = []setting{
	{"sftp-url", "", "folder at the bank that payment files are fetched from, sftp://USER@HOST:PORT/FOLDER, or /~/FOLDER in the user's own (default: none)", sftpURL},
	{"sftp-key-file", "", "private key to sign in with there, without a passphrase", file(func(c *Config) *string { return &c.SFTP.KeyFile })},
	{"sftp-password", "", "password to sign in with there", text(func(c *Config) *string { return &c.SFTP.Password })},
	{"sftp-host-key", "", "host key that the bank's server must have: SHA256:FINGERPRINT, or a line of a known_hosts file", text(func(c *Config) *string { return &c.SFTP.HostKey })},
	{"sftp-after", "leave", "what becomes of a file there once it is fetched: leave, move (to the folder fetched) or delete", oneOf(func(c *Config) *string { return &c.SFTP.After }, "leave", "move", "delete")},
	{"sftp-every", "15m", "how often to look for files there", sftpEvery},
}

// collector is the flags of the commands that deliver to the debt collector.
var collector = []setting{
	{CollectorPrefix + "-url", "", "folder of the debt collector, sftp://USER@HOST:PORT/FOLDER, or /~/FOLDER in the user's own (default: files in the data folder)", text(func(c *Config) *string { return &c.Collector.URL })},
	{CollectorPrefix + "-key-file", "", "private key to sign in with there, without a passphrase", file(func(c *Config) *string { return &c.Collector.KeyFile })},
	{CollectorPrefix + "-password", "", "password to sign in with there", text(func(c *Config) *string { return &c.Collector.Password })},
	{CollectorPrefix + "-host-key", "", "host key that the debt collector's server must have: SHA256:FINGERPRINT, or a line of a known_hosts file", text(func(c *Config) *string { return &c.Collector.HostKey })},
}

var testClock = setting{"test-clock", "", "run on a simulated clock from this RFC 3339 time on; for tests only", moment}

// AddInstallation adds the flags of every command that needs the installation.
func AddInstallation(flags *pflag.FlagSet) { add(flags, append(installation, logLevels("warn"))...) }

// AddServer adds the flags of api, worker and scheduler.
func AddServer(flags *pflag.FlagSet) {
	add(flags, slices.Concat(installation, []setting{logLevels("info")}, server, sftp, collector)...)
}

// AddSFTP adds the flags of the bank's folder, which AddServer adds too.
func AddSFTP(flags *pflag.FlagSet) { add(flags, sftp...) }

// AddTestClock adds the flag that serve alone has (rule E8).
func AddTestClock(flags *pflag.FlagSet) { add(flags, testClock) }

func add(flags *pflag.FlagSet, settings ...setting) {
	for _, s := range settings {
		flags.String(s.flag, s.fallback, s.usage+" [$"+Variable(s.flag)+"]")
	}
}

// Variable returns the environment variable of a flag: PURR_DATABASE_URL of database-url (rule R3).
func Variable(flag string) string {
	return "PURR_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Read returns the configuration. The value of each flag that was added is the one given, else that of its variable,
// else what is in the file that its variable with _FILE names, else the default. It reports every wrong value at once.
func Read(flags *pflag.FlagSet, lookup func(string) (string, bool)) (Config, error) {
	var c Config
	var errs []error
	for _, s := range slices.Concat(installation, server, sftp, collector, []setting{testClock, logLevels("")}) {
		flag := flags.Lookup(s.flag)
		if flag == nil {
			continue
		}
		value, from, err := read(flag, lookup)
		if err == nil {
			err = s.set(&c, value)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", from, err))
		}
	}
	if (c.TLSCertificate == "") != (c.TLSKey == "") {
		errs = append(errs, errors.New("tls-certificate, tls-key: set both of them, or neither"))
	}
	if err := errors.Join(errs...); err != nil {
		return Config{}, err
	}
	c.fill()
	return c, nil
}

func read(flag *pflag.Flag, lookup func(string) (string, bool)) (value, from string, err error) {
	variable := Variable(flag.Name)
	fromVariable, set := lookup(variable)
	path, inFile := lookup(variable + "_FILE")
	switch {
	case flag.Changed:
		return flag.Value.String(), "--" + flag.Name, nil
	case set && inFile:
		return "", variable, errors.New("is set, and so is " + variable + "_FILE: set one of them")
	case set:
		return fromVariable, variable, nil
	case inFile:
		content, err := os.ReadFile(path)
		if err != nil {
			return "", variable + "_FILE", err
		}
		return strings.TrimRight(string(content), "\r\n"), variable + "_FILE", nil
	}
	return flag.DefValue, "--" + flag.Name, nil
}

// Default returns the configuration of an embedded installation in a folder, listening on a free port.
func Default(data string) (Config, error) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	AddServer(flags)
	if err := flags.Parse([]string{"--data", data, "--listen", "127.0.0.1:0"}); err != nil {
		return Config{}, err
	}
	return Read(flags, func(string) (string, bool) { return "", false })
}

// fill derives what was not set from the data folder.
func (c *Config) fill() {
	if c.DatabaseURL == "" {
		c.DatabaseURL = "sqlite:" + filepath.Join(c.Data, "purr.db")
	}
	if c.Inbox == "" {
		c.Inbox = filepath.Join(c.Data, "inbox")
	}
}

func text(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, value string) error {
		*field(c) = value
		return nil
	}
}

// file takes the path of a file. What is given in its place may be the file's content, a secret: the error does not
// repeat it.
func file(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, value string) error {
		if strings.ContainsAny(value, "\r\n\x00") {
			return errors.New("must be the path of a file, not what is in it")
		}
		*field(c) = value
		return nil
	}
}

func oneOf(field func(*Config) *string, allowed ...string) func(*Config, string) error {
	return func(c *Config, value string) error {
		if !slices.Contains(allowed, value) {
			return fmt.Errorf("must be %s, not %q", strings.Join(allowed, " or "), value)
		}
		*field(c) = value
		return nil
	}
}

func baseURL(c *Config, value string) error {
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

func rateLimit(c *Config, value string) error {
	rate, err := strconv.ParseFloat(value, 64)
	if err != nil || rate < 0 || rate > 1e6 {
		return fmt.Errorf("must be a number from 0 to 1000000, not %q", value)
	}
	c.RateLimit = rate
	return nil
}

func concurrency(c *Config, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > 1000 {
		return fmt.Errorf("must be a whole number from 1 to 1000, not %q", value)
	}
	c.Concurrency = n
	return nil
}

func moment(c *Config, value string) error {
	if value == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return fmt.Errorf("must be a time such as 2026-01-05T08:00:00+01:00, not %q", value)
	}
	c.TestClock = t
	return nil
}

func logLevel(c *Config, value string) error {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, known := levels[value]
	if !known {
		return fmt.Errorf("must be debug, info, warn or error, not %q", value)
	}
	c.LogLevel = level
	return nil
}

func sftpURL(c *Config, value string) error {
	const most = 500 // characters, as the database keeps
	if len(value) > most {
		return fmt.Errorf("must be at most %d characters long", most)
	}
	c.SFTP.URL = value
	return nil
}

func sftpEvery(c *Config, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d < time.Minute || d > 24*time.Hour {
		return errors.New("must be a duration from 1m to 24h, such as 15m")
	}
	c.SFTP.Every = d
	return nil
}
