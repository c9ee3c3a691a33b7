package app

import (
	"cmp"
	"context"
	"fmt"
	"net/mail"
	"slices"

	"purr/internal/clock"
	"purr/internal/config"
	"purr/internal/remote"
	"purr/internal/storage"
	"purr/mailer"
	"purr/mailer/ways"
	"purr/mailer/ways/own"
	"purr/mailer/webhook"
	"purr/models"
	"purr/store"
)

// signInKeys are the settings of a folder on a server.
func signInKeys(prefix string) []string {
	return []string{prefix + "-url", prefix + "-key-file", prefix + "-password", prefix + "-host-key"}
}

// signatureKeys are the settings of what signs e-mails.
var signatureKeys = []string{"dkim-key", "dkim-domain", "dkim-selector"}

// wayPrefix begins the names of the settings of a method's way.
func wayPrefix(cfg Settings, m models.ShipmentMethod) string {
	return waySettings(cfg, storage.Folder(""))[m].Prefix
}

// wayKeys are the settings that a method's way is opened by.
func wayKeys(cfg Settings, m models.ShipmentMethod) []string {
	prefix := wayPrefix(cfg, m)
	keys := append(signInKeys(prefix), "data", prefix+"-template", prefix+"-secret")
	if m == models.ByEmail {
		keys = append(append(keys, "smtp-plain"), signatureKeys...)
	}
	return keys
}

// tryWay opens the way out of a method, and asks whether it works.
func tryWay(ctx context.Context, cfg Settings, m models.ShipmentMethod) error {
	outbox, err := OpenOutbox(ctx, cfg)
	if err != nil {
		return err
	}
	return tryOpened(ctx, m, waySettings(cfg, outbox)[m])
}

// tryOpened opens a way by its setting, and asks whether it works.
func tryOpened(ctx context.Context, m models.ShipmentMethod, s ways.Setting) error {
	w, err := ways.Open(m, s)
	if err != nil {
		return err
	}
	if in, is := ways.FolderOf(s.URL, s.Folder); is && in != nil {
		if folder, is := in.Folder(); is {
			return mayWrite(folder)
		}
		return nil // s3 is tried by itself
	}
	return w.Check(ctx)
}

// namedWays are the ways that a person can have tried, by their names, in the order in which they are shown. The bank's folder and
// webhooks are no ways of a method.
var namedWays = []struct {
	name, setting string
	method        models.ShipmentMethod
	without       string // what happens if it is not set
}{
	{"smtp", "smtp-url", models.ByEmail, "e-mails become files in the data folder"},
	{"print", "letters-url", models.ByPaper, "letters become files in the data folder"},
	{"ehf", "ehf-url", models.ByEHF, "e-invoices become files in the data folder"},
	{"efaktura", "efaktura-url", models.ByEFaktura, "there is no eFaktura"},
	{"collector", "collection-sftp-url", models.Bundles, "bundles become files in the data folder"},
	{"avtalegiro", "avtalegiro-url", models.Claims, "claims become files in the data folder"},
	{"bank", "sftp-url", "", "no payment files are fetched"},
	{"sftp", "sftp-url", "", "no payment files are fetched"},
	{"s3", "storage-url", "", "all files lie in the data folder"},
}

// WayNames are the names that TryWays knows.
func WayNames() (names []string) {
	for _, w := range namedWays {
		names = append(names, w.name)
	}
	return names
}

// TriedWay is what came of a way that was tried.
type TriedWay struct {
	Name, Setting string
	Err           error // nil if it works
}

// TryWays connects to the ways that are named, or to all that are set if none is, signs in, and writes and removes a file where that is
// harmless. It sends nothing. It refuses a named way that is not set (rule Q1).
func TryWays(ctx context.Context, cfg Settings, names []string) (tried []TriedWay, err error) {
	for _, w := range namedWays {
		named := slices.Contains(names, w.name)
		if !named && (len(names) > 0 || w.name == "sftp") { // the second name of the bank's folder
			continue
		}
		url := cfg.Bank.URL
		switch {
		case w.name == "s3":
			url = cfg.Storage.URL
		case w.method != "":
			url = waySettings(cfg, storage.Folder(""))[w.method].URL
		}
		if url == "" {
			if named {
				return nil, RefusedError{fmt.Sprintf("%s is not set, nor %s: %s", w.setting, config.Variable(w.setting), w.without)}
			}
			continue
		}
		within, cancel := context.WithTimeout(ctx, tryLimit)
		switch {
		case w.name == "s3":
			err = tryStorage(within, cfg)
		case w.method == "":
			err = tryBank(within, cfg)
		default:
			err = tryWay(within, cfg, w.method)
		}
		cancel()
		tried = append(tried, TriedWay{w.name, w.setting, err})
	}
	return tried, nil
}

// ownWays are the names of the ways that a creditor can have for its own, by method.
var ownWays = []struct {
	name   string
	method models.ShipmentMethod
}{{"smtp", models.ByEmail}, {"print", models.ByPaper}, {"collector", models.Bundles}}

// TryOwnWays does with the ways of single creditors what TryWays does with the installation's: with those that are named, or all if none is. A way
// whose creditor only has another sender, or what signs, is tried too.
func (a *App) TryOwnWays(ctx context.Context, cfg Settings, names []string) (tried []TriedWay, err error) {
	rows, err := a.DB.EveryCreditorWay(ctx)
	if err != nil {
		return nil, err
	}
	place, err := OpenOutbox(ctx, cfg)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		for _, w := range ownWays {
			if w.method != row.Method || len(names) > 0 && !slices.Contains(names, w.name) {
				continue
			}
			setting, _, _, err := own.SettingOf([]models.CreditorWay{row}, row.Method, waySettings(cfg, place)[row.Method])
			if err == nil {
				within, cancel := context.WithTimeout(ctx, tryLimit)
				err = tryOpened(within, row.Method, setting)
				cancel()
			}
			tried = append(tried, TriedWay{w.name, fmt.Sprintf("creditor %d", row.CreditorID), err})
		}
	}
	return tried, nil
}

// TryWebhooks asks the endpoints of all webhooks that are on whether they answer, and posts nothing.
func (a *App) TryWebhooks(ctx context.Context, cfg Settings) (tried []TriedWay, err error) {
	sender := webhook.NewSender(webhook.Timeout, clock.System{}, cfg.Webhooks.Private)
	creditors, err := a.DB.Creditors(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range creditors {
		hooks, _, err := a.DB.Webhooks(ctx, c.ID, store.Page{Number: 1, Size: 1000})
		if err != nil {
			return nil, err
		}
		for _, h := range hooks {
			if h.Enabled {
				tried = append(tried, TriedWay{"webhook", fmt.Sprintf("webhook %d of creditor %d", h.ID, c.ID), sender.Reach(ctx, h.URL)})
			}
		}
	}
	return tried, nil
}

// HasInstallation reports whether there is an installation.
func HasInstallation(cfg Settings) bool {
	if cfg.Database.Embedded() {
		return !isMissing(databaseFile(cfg))
	}
	return archiveFolder(cfg) == "" || !isMissing(archiveFolder(cfg))
}

// SentMail is what became of a test mail.
type SentMail struct {
	mailer.Greeting  // of the mail server; zero if the mail became a file
	From             string
	InFolder         bool   // it became a file, since no mail server is set
	Domain, Selector string // that it is signed for by DKIM; empty if it is not signed
	Answer           string // of the server, or the path of the file
}

// TestMail sends a plain e-mail by the way that is set: by that of a creditor's own among rows, if there is one. With an error it returns how far
// it has come (rules Q1, Q7).
func TestMail(ctx context.Context, cfg Settings, rows []models.CreditorWay, from mail.Address, to string) (sent SentMail, err error) {
	place, err := OpenOutbox(ctx, cfg)
	if err != nil {
		return sent, err
	}
	setting, sender, _, err := own.SettingOf(rows, models.ByEmail, waySettings(cfg, place)[models.ByEmail])
	if err != nil {
		return sent, err
	}
	from.Address = cmp.Or(sender, from.Address)
	sent.From = from.Address
	w, err := ways.Open(models.ByEmail, setting)
	if err != nil {
		return sent, err
	}
	sent.InFolder = w.Kind == models.WayFolder
	outbox := new(mailer.Outbox)
	if sent.InFolder {
		if outbox, err = mailer.OutboxIn(place); err != nil {
			return sent, err
		}
	}
	channel, err := w.Channel(outbox)
	if err != nil {
		return sent, err
	}
	now := clock.System{}.Now()
	p := mailer.Parcel{Name: "mail-test-" + now.UTC().Format("20060102T150405"), Date: now, Mail: mailer.Mail{
		From: from, To: to, Subject: "Test of purr", Text: "This e-mail was sent by `purr mail test`. It says that e-mails leave by the way that is set.\n",
	}}
	switch c := channel.(type) {
	case *mailer.SMTP:
		sent.Domain, sent.Selector = c.DKIM.Signs()
		if sent.Greeting, err = c.Greet(ctx); err != nil {
			return sent, err
		}
	case mailer.Email:
		sent.Domain, sent.Selector = c.DKIM.Signs()
	}
	answer, err := channel.HandOver(ctx, p)
	if err != nil {
		return sent, err
	}
	if sent.Answer = answer.Receipt; sent.InFolder {
		sent.Answer = place.Below("email").Below(answer.Receipt).String()
	}
	return sent, nil
}

// tryStorage writes, reads and removes a small file in the bucket. A folder is tried as the data folder is.
func tryStorage(ctx context.Context, cfg Settings) error {
	in, err := OpenStorage(ctx, cfg)
	if err != nil {
		return err
	}
	if folder, is := in.Folder(); is {
		if cfg.Storage.URL == "" {
			return nil
		}
		return mayWrite(folder)
	}
	if err := storage.Check(ctx, in); err != nil {
		return unusable(err)
	}
	return nil
}

// tryBank opens the bank's folder, and writes nothing there.
func tryBank(ctx context.Context, cfg Settings) error {
	if cfg.Bank.URL == "" {
		return nil
	}
	server, err := remote.NewServer(cfg.Bank.Access)
	if err != nil {
		return err
	}
	folder, err := server.Open(ctx)
	if err != nil {
		return err
	}
	defer folder.Close()
	_, err = folder.List()
	return err
}
