package own

import (
	"errors"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"time"

	"purr/internal/config"
	"purr/internal/remote"
	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/ways"
	"purr/models"
)

// Sender is the setting with the address that a creditor's e-mails come from; the installation has mail-from for those that have none.
const Sender = "sender"

// room are the settings of a creditor, as the rooms of the installation read them.
type room struct {
	mail      mailer.Settings
	letters   letters.Settings
	collector remote.Access
	public    bool // only a public address is connected to
}

// onlyPublic stands in a way's settings where the server was named by who may name public ones only: what its name leads to is then looked
// at with each connection. It is no setting that anybody sets.
const onlyPublic = "only-public"

// onMachine are the settings that name a file of the machine: only who is at its command line sets them. An API key would have the program
// read any file there, another creditor's key among them.
var onMachine = []string{"dkim-key", "letters-key-file", "letters-template", "collection-sftp-key-file"}

// declare returns what can be set for one creditor: the installation's settings, with the same checks, but for those that are how the
// program works and not where something leaves to.
func (r *room) declare() (all []config.Setting) {
	var every time.Duration
	for _, s := range slices.Concat(r.mail.Declare(), r.letters.Declare(), mailer.DeclareCollector(&r.collector, &every)) {
		switch s.Key {
		case "mail-rate", "letters-every", "collector-every":
			continue
		case "mail-from":
			s.Key, s.Help = Sender, "address that the creditor's e-mails come from (default: its own, or else that of mail-from)"
		}
		all = append(all, s)
	}
	return all
}

// Setting is one that can be set for one creditor.
type Setting struct {
	Key       string
	Help      string // one line
	Method    models.ShipmentMethod
	OnMachine bool // only the command line sets it
	Secret    bool // its value is never shown
	config    config.Setting
}

// Settings are all of them, in the order in which they are shown.
func Settings() (all []Setting) {
	for _, s := range new(room).declare() {
		all = append(all, Setting{s.Key, s.Help, methodOf(s.Key), slices.Contains(onMachine, s.Key), s.Secret, s})
	}
	return all
}

// methods are those of which a creditor can have a way of its own, in the order of models.WayMethods.
var methods = []models.ShipmentMethod{models.ByPaper, models.ByEmail, models.Bundles}

// methodOf returns the method whose way a setting is of.
func methodOf(key string) models.ShipmentMethod {
	switch {
	case strings.HasPrefix(key, "letters-"):
		return models.ByPaper
	case strings.HasPrefix(key, "collection-sftp-"):
		return models.Bundles
	}
	return models.ByEmail
}

// Shown returns a value of the setting as it may be shown: without its secrets.
func (s Setting) Shown(value string) string { return config.Shown(s.config, value) }

// Element returns the name of the setting in the interface, such as smtp_url.
func (s Setting) Element() string { return elementOf(s.Key) }

func elementOf(key string) string { return strings.ReplaceAll(key, "-", "_") }

// needs are settings that say nothing without another one.
var needs = []struct{ of, url string }{{"letters-", "letters-url"}, {"collection-sftp-", "collection-sftp-url"}, {"smtp-plain", "smtp-url"}}

// read reads the settings of one method's way, and returns all that is wrong with them, each with the name of its setting.
func read(m models.ShipmentMethod, given models.WaySettings) (r room, faults models.Errors) {
	declared := r.declare()
	r.public = given[onlyPublic] != ""
	for _, s := range declared {
		value, is := given[s.Key]
		if methodOf(s.Key) != m || !is {
			value = s.Default
		}
		if err := s.Set(value); err != nil {
			faults = append(faults, fault(s.Key, err)...)
		}
	}
	for _, s := range declared {
		if s.Check != nil && methodOf(s.Key) == m && len(faults) == 0 {
			faults = append(faults, fault(s.Key, s.Check())...)
		}
	}
	for _, n := range needs {
		for _, s := range declared {
			_, is := given[s.Key]
			if is && strings.HasPrefix(s.Key, n.of) && s.Key != n.url && given[n.url] == "" {
				faults = append(faults, fault(s.Key, errors.New("is used with "+n.url+": set that one too, or clear this"))...)
			}
		}
	}
	return r, faults
}

// fault returns an error as faults of the interface. It belongs to the first setting that stands before its colon, or else to the key's.
func fault(key string, err error) (faults models.Errors) {
	if err == nil {
		return nil
	}
	if all, are := err.(interface{ Unwrap() []error }); are {
		for _, one := range all.Unwrap() {
			faults = append(faults, fault(key, one)...)
		}
		return faults
	}
	text := err.Error()
	names, rest, found := strings.Cut(text, ": ")
	first, _, several := strings.Cut(names, ", ")
	named := found && slices.ContainsFunc(Settings(), func(s Setting) bool { return s.Key == first })
	if named {
		key, text = first, rest
	}
	if named && several {
		text = names + ": " + rest
		return models.Errors{models.Invalid("invalid_setting", elementOf(key), "%s", text)}
	}
	return models.Errors{models.Invalid("invalid_setting", elementOf(key), "%s: %s", key, text)}
}

// setting returns a way's setting: the creditor's own on the installation's. What is used with one server goes to no other: with a URL of
// its own, a creditor has none of the installation's passwords.
func setting(m models.ShipmentMethod, r room, installation ways.Setting) ways.Setting {
	s := installation
	switch m { //nolint:exhaustive // the other methods have no way of a creditor's own
	case models.ByEmail:
		if r.mail.URL != "" {
			s.URL, s.Plain, s.Public = r.mail.URL, r.mail.Plain, r.public
		}
		if r.mail.BounceAddress != "" {
			s.BounceAddress = r.mail.BounceAddress
		}
		if r.mail.Signature.Key != "" {
			s.Signature = r.mail.Signature
		}
	case models.ByPaper:
		s.Access, s.Template, s.Secret = r.letters.Access, r.letters.Template, r.letters.Secret
		s.Public = r.public
	case models.Bundles:
		s.Access, s.Public = r.collector, r.public
	}
	return s
}

// newest returns the newest of a creditor's rows that leads to where a row leads. What went by the row is reached by that one: a password that was
// changed since opens nothing any more.
func newest(rows []models.CreditorWay, row models.CreditorWay) models.CreditorWay {
	place := placeOf(row)
	if place == "" {
		return row
	}
	for _, other := range rows {
		if other.Method == row.Method && other.ID > row.ID && placeOf(other) == place {
			row = other
		}
	}
	return row
}

// placeOf returns where a row leads to, without what one signs in with. It is empty if the row names no server.
func placeOf(row models.CreditorWay) string {
	for _, key := range urls {
		if row.Settings[key] == "" {
			continue
		}
		if folder := (remote.Access{URL: row.Settings[key]}).Folder(); folder != "" {
			return folder
		}
		u, err := url.Parse(row.Settings[key])
		if err != nil {
			return ""
		}
		return u.Scheme + "://" + strings.ToLower(u.Host) + u.EscapedPath()
	}
	return ""
}

// urls are the settings that say where a way leads to. A method has one of them.
var urls = []string{"letters-url", "smtp-url", "collection-sftp-url"}

// SenderOf returns the address that a creditor's e-mails come from, as its rows have it, or nothing.
func SenderOf(rows []models.CreditorWay) string { return present(rows)[models.ByEmail][Sender] }

// SettingOf returns the setting of a method's way as a creditor's rows have it on the installation's, and the sender of its e-mails, if it has one of its
// own. It reports false if the way is the installation's.
func SettingOf(rows []models.CreditorWay, m models.ShipmentMethod, installation ways.Setting) (s ways.Setting, sender string, is bool, err error) {
	given := present(rows)[m]
	if len(given) == 0 {
		return installation, "", false, nil
	}
	r, faults := read(m, given)
	if len(faults) > 0 {
		return installation, "", true, faults
	}
	return setting(m, r, installation), r.mail.From, true, nil
}

// check returns what is wrong with the settings of one method's way, by what opens it. It connects to nothing. A file that is not on this
// machine is another part's to read, unless it is named now.
func check(m models.ShipmentMethod, given models.WaySettings, installation ways.Setting, changed []string) models.Errors {
	r, faults := read(m, given)
	if len(faults) > 0 || len(given) == 0 {
		return faults
	}
	w, err := ways.Open(m, setting(m, r, installation))
	if err == nil {
		_, err = w.Channel(new(mailer.Outbox))
	}
	named := slices.ContainsFunc(changed, func(key string) bool { return slices.Contains(onMachine, key) })
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	return fault(changed[0], err)
}
