package app

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"purr/api"
	"purr/api/access"
	"purr/api/guard"
	"purr/app/certificate"
	"purr/internal/config"
	"purr/internal/remote"
	"purr/internal/storage"
	"purr/jobs"
	"purr/mailer"
	"purr/mailer/efaktura"
	"purr/mailer/letters"
	"purr/mailer/peppol"
	"purr/mailer/webhook"
	"purr/ocr"
	"purr/ocr/avtalegiro"
	"purr/ocr/inbound"
	"purr/store"
	"purr/store/archive"
)

// Settings are those of all rooms, and the program's own. ReadSettings fills them in; their zero value is no configuration.
type Settings struct {
	Data      string     // folder of the installation: documents, inbox, outbox, and by default the database
	RedisURL  string     // empty for the queue inside the process
	Rules     string     // folder with further figures of the law; empty for none
	LogFormat string     // text or json
	LogLevel  slog.Level // the least severe level that is logged
	Listen    string     // HOST:PORT; port 0 picks a free one; empty for a worker or scheduler that does not listen
	TestClock time.Time  // zero without a test clock
	New       bool       // begin an installation though the data folder holds files of another; no variable sets it
	Tour      bool       // the console leads through the demo; no flag sets it

	Database    store.Settings
	Storage     storage.Settings
	API         api.Settings
	Certificate certificate.Settings
	Inbox       inbound.InboxSettings
	Files       ocr.Settings
	Archive     archive.Settings
	Mail        mailer.Settings
	Callers     guard.Settings
	Sessions    access.Settings
	Webhooks    webhook.Settings
	Worker      jobs.Settings
	Bank        inbound.BankSettings
	Collector   remote.Access
	Reports     time.Duration // between two looks for the debt collector's reports
	AvtaleGiro  avtalegiro.Settings
	Letters     letters.Settings
	EHF         peppol.Settings
	Lookup      peppol.LookupSettings
	EFaktura    efaktura.Settings

	AuditBeforeSending string // "hold" or "warn" (rule U8)
}

// Section is some of the settings under a title.
type Section struct {
	Title    string
	Settings []config.Setting
}

// everywhere returns the settings of every command that works on the installation (rule R5a).
func (s *Settings) everywhere(level string) []Section {
	return []Section{
		{"The installation", slices.Concat(
			[]config.Setting{{Key: "data", Default: "./purr-data", Help: "folder of the installation", Set: config.Text(&s.Data)}},
			s.Database.DeclareURL(),
			s.Storage.Declare(),
			[]config.Setting{
				{Key: "redis-url", Help: "queue, redis://:PASSWORD@HOST:PORT/DB (default: inside the process)", Set: config.Text(&s.RedisURL)},
				{Key: "rules", Help: "folder with CSV files of further figures of the law (see purr dunning rules)", Set: config.Text(&s.Rules)},
			},
		)},
		{"The log", []config.Setting{
			{Key: "log-format", Default: "text", Help: "log as text or json, on standard error", Set: config.OneOf(&s.LogFormat, "text", "json")},
			{Key: "log-level", Default: level, Help: "least severe level that is logged: debug, info, warn or error", Set: s.setLogLevel},
		}},
	}
}

// parts returns the further settings of the long-running commands, in the order in which they are shown.
func (s *Settings) parts() []Section {
	return []Section{
		{"What listens", slices.Concat(s.listen(), s.API.Declare(), s.Certificate.Declare())},
		{"Files that come, and kept files", slices.Concat(s.Inbox.Declare(), s.Files.Declare(), s.Archive.Declare())},
		{"E-mail", s.Mail.Declare()},
		{"Callers, the console and webhooks", slices.Concat(s.Callers.Declare(), s.Sessions.Declare(), s.Webhooks.Declare())},
		{"Work", slices.Concat(s.Worker.Declare(), s.Database.DeclareConnections())},
		{"The bank's files", s.Bank.Declare()},
		{"The debt collector", mailer.DeclareCollector(&s.Collector, &s.Reports)},
		{"AvtaleGiro", s.AvtaleGiro.Declare()},
		{"Letters", s.Letters.Declare()},
		{"E-invoices", slices.Concat(s.EHF.Declare(), s.Lookup.Declare())},
		{"eFaktura", s.EFaktura.Declare()},
		{"The audit", []config.Setting{{
			Key: "audit-before-sending", Default: "hold", Set: config.OneOf(&s.AuditBeforeSending, "hold", "warn"),
			Help: "what becomes of a letter of a notice, or a bundle, that the audit disagrees with before it leaves: hold keeps it back until a person has acted, warn lets it leave and tells it",
		}}},
	}
}

// settingsIn returns the settings of sections, in their order.
func settingsIn(sections ...Section) (all []config.Setting) {
	for _, s := range sections {
		all = append(all, s.Settings...)
	}
	return all
}

func (s *Settings) listen() []config.Setting {
	return []config.Setting{{Key: "listen", Default: "127.0.0.1:8080", Help: "address to listen on; port 0 picks a free one (workers and schedulers: for /healthz, /readyz and /metrics; by default they do not listen)", Set: config.Text(&s.Listen)}}
}

func (s *Settings) testClock() []config.Setting {
	return []config.Setting{{Key: "test-clock", Help: "run on a simulated clock from this RFC 3339 time on; for tests only", Set: config.Time(&s.TestClock)}}
}

func (s *Settings) setLogLevel(value string) error {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, known := levels[value]
	if !known {
		return fmt.Errorf("must be debug, info, warn or error, not %q", value)
	}
	s.LogLevel = level
	return nil
}

// all returns the settings of all commands.
func (s *Settings) all() []config.Setting {
	return settingsIn(s.sections("")...)
}

func (s *Settings) sections(level string) []Section {
	return slices.Concat(s.everywhere(level), s.parts(), []Section{{"For tests only", s.testClock()}})
}

// Sections returns the settings of all commands as purr serve has them, under titles.
func Sections() []Section { return new(Settings).sections("info") }

// AddInstallation adds the flags of a command that works on the installation and ends. Such a command prints its
// results, so by default it logs warnings and errors only.
func AddInstallation(flags *pflag.FlagSet) {
	config.Add(flags, settingsIn(new(Settings).everywhere("warn")...))
}

// AddServer adds the flags of serve and api.
func AddServer(flags *pflag.FlagSet) {
	var s Settings
	config.Add(flags, settingsIn(slices.Concat(s.everywhere("info"), s.parts())...))
}

// AddPart adds the flags of worker and scheduler: those of AddServer, but they only listen where they are told to.
func AddPart(flags *pflag.FlagSet) {
	AddServer(flags)
	ListenIfTold(flags)
}

// ListenIfTold takes away the default of the address to listen on.
func ListenIfTold(flags *pflag.FlagSet) {
	if listen := flags.Lookup("listen"); !listen.Changed {
		listen.DefValue = ""
		_ = listen.Value.Set("") // a text takes every value
	}
}

// AddHealth adds the flags that say where a part of this machine listens.
func AddHealth(flags *pflag.FlagSet) {
	var s Settings
	config.Add(flags, append(s.listen(), s.Certificate.Declare()...))
}

// AddBank adds the flags of the bank's folder. AddServer adds them too.
func AddBank(flags *pflag.FlagSet) { config.Add(flags, new(Settings).Bank.Declare()) }

// AddRoom adds the flag that says how much room the disk must have. AddServer adds it too.
func AddRoom(flags *pflag.FlagSet) { config.Add(flags, new(Settings).Archive.Declare()) }

// AddMail adds the flags that say what the DNS must tell of e-mails. AddServer adds them too.
func AddMail(flags *pflag.FlagSet) { config.Add(flags, new(Settings).Mail.DeclareDomain()) }

// AddMailServer adds the flags of how e-mails are sent. AddServer adds them too.
func AddMailServer(flags *pflag.FlagSet) { config.Add(flags, new(Settings).Mail.Declare()) }

// AddWays adds the flags that say where the installation's documents leave to. AddServer adds them too.
func AddWays(flags *pflag.FlagSet) {
	var s Settings
	config.Add(flags, slices.Concat(s.Mail.Declare(), s.Letters.Declare(), mailer.DeclareCollector(&s.Collector, &s.Reports)))
}

// AddTestClock adds the flag of the test clock. Only serve runs on one (rule E8); the other parts refuse it.
func AddTestClock(flags *pflag.FlagSet) { config.Add(flags, new(Settings).testClock()) }

// ReadSettings returns the settings whose flags were added, as config.Read does. lookup finds a variable.
func ReadSettings(flags *pflag.FlagSet, lookup func(string) (string, bool)) (Settings, error) {
	var s Settings
	if err := config.Read(flags, lookup, s.all()); err != nil {
		return Settings{}, err
	}
	s.inData()
	return s, nil
}

// inData puts what has no place of its own into the data folder (rule R1).
func (s *Settings) inData() {
	if s.Database.URL == "" {
		s.Database.URL = "sqlite:" + filepath.Join(s.Data, "purr.db")
	}
	if folder, is := storageFolder(*s); s.Inbox.Folder == "" && is {
		s.Inbox.Folder = filepath.Join(folder, inboxName)
	}
}

// DefaultSettings returns those of an embedded installation in a folder, for a demonstration or a test. It listens on
// a free port, and leaves it to the folder's owner how full the disk may be.
func DefaultSettings(data string) (Settings, error) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	AddServer(flags)
	if err := flags.Parse([]string{"--data", data, "--listen", "127.0.0.1:0", "--min-free-disk", "0"}); err != nil {
		return Settings{}, err
	}
	return ReadSettings(flags, func(string) (string, bool) { return "", false })
}

// Joined returns the arguments of a command line as config.Joined does.
func Joined(arguments []string) []string { return config.Joined(arguments, new(Settings).all()) }

// UnknownVariables returns the variables of an environment that no setting of any command has, as config.UnknownVariables does.
func UnknownVariables(environment []string) []config.Unknown {
	return config.UnknownVariables(new(Settings).all(), environment)
}
