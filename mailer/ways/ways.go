// Package ways opens the ways out. From the URL of a setting it gives all that there is of a way: its kind, the channel that takes
// shipments one by one, the receipts that its other side gives, and the print shop that takes batches (rules D105, S3, S4, H3). No other
// package looks at the scheme of such a URL. It connects to nothing, and knows nothing of the database or the queue.
//
// The table of forms in this file is where a new form of URL begins. Begin reading at Open.
package ways

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/dunning/collection/reports"
	"purr/internal/remote"
	"purr/internal/storage"
	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/ocr/avtalegiro"
)

// Setting says where what goes by a method leaves to. The zero setting is the outbox.
type Setting struct {
	remote.Access               // its URL is the way's; its prefix begins the names of the settings, in errors
	Folder        storage.Place // where e-invoices and claims go if the URL names no other
	Every         time.Duration // between two looks for receipts
	Template      string        // path of the template of a REST interface
	Secret        string        // what {{secret}} in it stands for, or an access point's token
	Enveloped     bool          // e-invoices are in the network's envelope
	BounceAddress string        // gets the delivery reports of e-mails; empty for the creditor's
	Plain         bool          // the mail server's password may go without encryption
	Signature     mailer.SignatureSettings
}

// Way is a way out.
type Way struct {
	Method   models.ShipmentMethod
	Kind     string         // such as models.WaySMTP
	Receipts *receipts.Way  // nil if its other side gives none
	Shop     *letters.Shop  // takes the shipments in batches; nil if they leave one by one
	server   *remote.Server // nil unless it is by SFTP
	setting  Setting
	form     form
}

// form is a form that the URL of a method's setting may have.
type form struct {
	method   models.ShipmentMethod
	schemes  []string // of the URL; nil takes any, whose reader says what is wrong
	kind     string
	channel  func(Way, *mailer.Outbox) (mailer.Channel, error) // nil if they leave in batches, or not at all, or are no shipments
	receipts bool                                              // its other side gives receipts
}

// forms are all of them. The empty scheme is that of no URL.
var forms = []form{
	{models.ByPaper, []string{""}, models.WayFolder, paperFiles, false},
	{models.ByPaper, []string{"sftp"}, models.WaySFTP, nil, true},
	{models.ByPaper, []string{"ipp", "ipps"}, models.WayIPP, printer, false},
	{models.ByPaper, []string{"https", "http"}, models.WayREST, printHouse, false},
	{models.ByEmail, []string{""}, models.WayFolder, emailFiles, false},
	{models.ByEmail, nil, models.WaySMTP, mailServer, false},
	{models.ByEHF, []string{"", "file"}, models.WayFolder, ehfFiles, true},
	{models.ByEHF, []string{"sftp"}, models.WaySFTP, ehfServer, true},
	{models.ByEHF, []string{"phoss-ap+https", "phoss-ap+http"}, models.WayAP, accessPoint, false},
	{models.ByEHF, []string{"https", "http"}, models.WayREST, ehfService, false},
	{models.ByEFaktura, []string{""}, models.WayNone, nil, false},
	{models.ByEFaktura, []string{"https", "http"}, models.WayREST, efakturaOperator, false},
	{models.Bundles, []string{""}, models.WayFolder, nil, false},
	{models.Bundles, []string{"sftp"}, models.WaySFTP, nil, false},
	{models.Claims, []string{""}, models.WayFolder, nil, false},
	{models.Claims, []string{"sftp"}, models.WaySFTP, nil, false},
}

// Open returns the way out of a method. Its error names the setting that is wrong.
func Open(m models.ShipmentMethod, s Setting) (w Way, err error) {
	scheme, _, _ := strings.Cut(s.URL, ":")
	i := slices.IndexFunc(forms, func(f form) bool {
		return f.method == m && (f.schemes == nil || slices.Contains(f.schemes, scheme))
	})
	if i < 0 {
		return Way{}, fmt.Errorf("%s-url: there is no such way out for %s", s.Prefix, m)
	}
	w = Way{Method: m, Kind: forms[i].kind, setting: s, form: forms[i]}
	if w.Kind == models.WaySFTP {
		if w.server, err = remote.NewServer(s.Access); err != nil {
			return Way{}, err
		}
		if slices.Contains(models.BatchMethods, m) {
			w.Shop = letters.NewShop(w.server)
		}
	}
	switch {
	case !w.form.receipts:
	case w.server != nil:
		w.Receipts = receipts.FromServer(m, w.server, s.Every)
	default:
		w.Receipts = receipts.FromFolder(m, w.folder(), s.Every)
	}
	return w, nil
}

// Numbered returns the same way with a creditor's folder, below the way's own and with the creditor's number as its name: two creditors never
// write into one (rule Q7). The folder is made where it is missing. A way that leads to no folder on a server stays as it is: each file of
// the outbox names its shipment.
func (w Way) Numbered(creditorID int64) Way {
	if w.server == nil {
		return w
	}
	w.server = w.server.Made(strconv.FormatInt(creditorID, 10))
	if w.Shop != nil {
		w.Shop = letters.NewShop(w.server)
	}
	if w.Receipts != nil {
		w.Receipts = receipts.FromServer(w.Method, w.server, w.setting.Every)
	}
	return w
}

// OnServer returns the URL of the folder on a server that the way leads to, which holds no secret. It is empty if the way leads elsewhere.
func (w Way) OnServer() string {
	if w.server == nil {
		return ""
	}
	return w.server.String()
}

// FolderOf returns the folder of this machine that a URL names, or the other one if it names none. It reports false if the way leads
// elsewhere.
func FolderOf(url string, other storage.Place) (folder storage.Place, is bool) {
	path, is := strings.CutPrefix(url, "file:")
	if path = strings.TrimPrefix(path, "//"); is && path != "" {
		return storage.Folder(path), true
	}
	return other, is || url == ""
}

func (w Way) folder() storage.Place {
	folder, _ := FolderOf(w.setting.URL, w.setting.Folder)
	return folder
}

// All are the ways out of an installation, by method.
type All map[models.ShipmentMethod]Way

// OpenAll opens the ways of all methods.
func OpenAll(settings map[models.ShipmentMethod]Setting) (All, error) {
	all := All{} //nolint:exhaustive // it is filled
	for _, m := range models.WayMethods {
		w, err := Open(m, settings[m])
		if err != nil {
			return nil, err
		}
		all[m] = w
	}
	return all, nil
}

// Kinds returns the kinds of the ways (rule D105).
func (a All) Kinds() models.Ways {
	kinds := models.Ways{} //nolint:exhaustive // it is filled
	for m, w := range a {
		kinds[m] = w.Kind
	}
	return kinds
}

// Receipts returns the ways whose other side gives receipts (rule S4a).
func (a All) Receipts() (found []*receipts.Way) {
	for _, m := range models.WayMethods {
		if w := a[m]; w.Receipts != nil {
			found = append(found, w.Receipts)
		}
	}
	return found
}

// Shop returns the print shop that takes letters in batches, or nil if there is none.
func (a All) Shop() *letters.Shop {
	for _, m := range models.BatchMethods {
		if shop := a[m].Shop; shop != nil {
			return shop
		}
	}
	return nil
}

// Channels returns what takes shipments one by one, by method.
func (a All) Channels(outbox *mailer.Outbox) (map[models.ShipmentMethod]mailer.Channel, error) {
	channels := map[models.ShipmentMethod]mailer.Channel{} //nolint:exhaustive // it is filled
	for _, m := range models.ShipmentMethods {
		channel, err := a[m].Channel(outbox)
		if err != nil {
			return nil, err
		}
		channels[m] = channel
	}
	return channels, nil
}

// Channel returns what takes the shipments one by one: nil if a print shop takes them in batches, or the method is not set up. outbox takes those that go to a folder.
// It makes a folder of e-invoices, and reads the files that the setting names.
func (w Way) Channel(outbox *mailer.Outbox) (mailer.Channel, error) {
	if w.form.channel == nil {
		return nil, nil //nolint:nilnil // see above
	}
	return w.form.channel(w, outbox)
}

// Collector returns what takes collection bundles.
func (w Way) Collector(outbox *mailer.Outbox) mailer.CollectorSender {
	if w.server != nil {
		return mailer.NewSFTP(w.server)
	}
	return outbox
}

// Claims returns where files of claims of AvtaleGiro go: the bank's folder, or one of this machine.
func (w Way) Claims() remote.Place {
	if w.server != nil {
		return remote.OnServer(w.server)
	}
	return remote.In(w.folder())
}

// ClaimReceipts returns where the bank leaves its receipts, below the folder of the claims.
func (w Way) ClaimReceipts() remote.Place {
	if w.server != nil {
		return remote.OnServer(w.server.Below(avtalegiro.FolderName))
	}
	return remote.In(w.folder().Below(avtalegiro.FolderName))
}

// CollectorReports returns where the collector leaves its reports, below the folder of its bundles.
func (w Way) CollectorReports(outbox storage.Place) remote.Place {
	if w.server != nil {
		return remote.OnServer(w.server.Below(reports.FolderName))
	}
	return remote.In(outbox.Below("collection").Below(reports.FolderName))
}

// Check asks the way whether it works, without sending anything: it reads the files that the setting names, connects, signs in, and where
// that is harmless writes a small file and removes it (rule Q1). Of a folder of this machine it makes nothing.
func (w Way) Check(ctx context.Context) error {
	switch {
	case w.server != nil:
		return w.server.Check(ctx)
	case w.Kind == models.WayFolder && w.Method != models.ByEmail, w.form.channel == nil:
		return nil
	}
	channel, err := w.Channel(new(mailer.Outbox))
	if err != nil {
		return err
	}
	if c, can := channel.(mailer.Checker); can {
		return c.Check(ctx)
	}
	return nil
}
