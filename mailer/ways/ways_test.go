package ways_test

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/internal/address"
	"purr/internal/remote"
	"purr/internal/storage"
	"purr/mailer"
	"purr/mailer/ways"
	"purr/models"
	"purr/test/testkit"
)

const template = `{"method": "POST", "headers": {"Content-Type": "application/json"}, "body": "{\"pdf\": \"{{pdf_base64}}\"}"}`

// TestEachURLGivesItsWay: kind, channel, receipts and print shop, and the folder where none is set.
func TestEachURLGivesItsWay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	outbox, err := mailer.NewOutbox(filepath.Join(dir, "outbox"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "template.json")
	if err := os.WriteFile(file, []byte(template), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		m    models.ShipmentMethod
		url  string
		want string // the kind, and what there is besides
	}{
		{models.ByPaper, "", "folder channel"},
		{models.ByPaper, "sftp://purr@shop.example/in", "sftp receipts shop"},
		{models.ByPaper, "ipp://printer.example/ipp/print", "ipp channel"},
		{models.ByPaper, "ipps://printer.example/ipp/print", "ipp channel"},
		{models.ByPaper, "https://house.example/letters", "rest channel"},
		{models.ByEmail, "", "folder channel"},
		{models.ByEmail, "smtp://mail.example:25?tls=none", "smtp channel"},
		{models.ByEHF, "", "folder channel receipts"},
		{models.ByEHF, "file:" + dir + "/ehf", "folder channel receipts"},
		{models.ByEHF, "sftp://purr@ap.example/in", "sftp channel receipts"},
		{models.ByEHF, "phoss-ap+https://ap.example", "ap channel"},
		{models.ByEHF, "https://ap.example/documents", "rest channel"},
		{models.ByEFaktura, "", "none"},
		{models.ByEFaktura, "https://operator.example/v1/einvoices?reference={{instance_id}}", "rest channel"},
		{models.Bundles, "", "folder"},
		{models.Bundles, "sftp://purr@collector.example/in", "sftp"},
	} {
		w, err := ways.Open(tt.m, ways.Setting{
			Access: remote.Access{URL: tt.url, Password: "secret", Prefix: "some"}, Folder: storage.Folder(filepath.Join(dir, "other")), Template: file,
		})
		if err != nil {
			t.Errorf("%s by %q: %v", tt.m, tt.url, err)
			continue
		}
		got := []string{w.Kind}
		channel, err := w.Channel(outbox)
		if err != nil {
			t.Errorf("%s by %q: %v", tt.m, tt.url, err)
		}
		for what, there := range map[string]bool{"channel": channel != nil, "receipts": w.Receipts != nil, "shop": w.Shop != nil} {
			if there {
				got = append(got, what)
			}
		}
		slices.Sort(got[1:]) // a channel, receipts, a shop
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s by %q is %q, want %q", tt.m, tt.url, got, tt.want)
		}
		_, toOutbox := w.Collector(outbox).(*mailer.Outbox)
		if tt.m == models.Bundles && toOutbox != (tt.url == "") {
			t.Errorf("bundles by %q go to the outbox: %v", tt.url, toOutbox)
		}
	}
	if w, err := ways.Open(models.ByPaper, ways.Setting{Access: remote.Access{URL: "gopher://x", Prefix: "letters"}}); err == nil || !strings.Contains(err.Error(), "letters-url") {
		t.Errorf("a URL of no form is %v, %v", w, err)
	}
}

// TestEveryMethodHasAWay: whatever leaves has a folder where nothing is set, and something takes it: a channel, or a shop. Without a folder
// it has none, and says so.
func TestEveryMethodHasAWay(t *testing.T) {
	t.Parallel()
	outbox, err := mailer.NewOutbox(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	settings := map[models.ShipmentMethod]ways.Setting{models.ByEHF: {Folder: storage.Folder(t.TempDir())}}
	all, err := ways.OpenAll(settings)
	if err != nil {
		t.Fatal(err)
	}
	channels, err := all.Channels(outbox)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models.ShipmentMethods {
		if (channels[m] == nil) != m.NeedsSetting() || (all.Kinds().Of(m) == models.WayNone) != m.NeedsSetting() {
			t.Errorf("%s has no channel: its shipments are taken again and again, and never leave", m)
		}
	}
	for _, m := range models.WayMethods {
		if all.Kinds().Real(m) {
			t.Errorf("%s leaves by %s, though nothing is set", m, all.Kinds().Of(m))
		}
	}
	if all.Shop() != nil || len(all.Receipts()) != 1 {
		t.Errorf("a shop %v and %d ways with receipts, want that of e-invoices alone", all.Shop(), len(all.Receipts()))
	}
	settings[models.ByPaper] = ways.Setting{Access: remote.Access{URL: "sftp://purr@shop.example/in", Prefix: "letters"}}
	if _, err := ways.OpenAll(settings); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("a shop without a password: %v", err)
	}
}

// TestQ7AWayToPublicAddressesConnectsToNoOther hands a letter, and tries the way, where the server is on this machine: nothing is connected to.
func TestQ7AWayToPublicAddressesConnectsToNoOther(t *testing.T) {
	t.Parallel()
	var listen net.ListenConfig
	here, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	came := make(chan struct{})
	go func() {
		if conn, err := here.Accept(); err == nil {
			_ = conn.Close()
			close(came)
		}
	}()
	t.Cleanup(func() { _ = here.Close() })
	file := filepath.Join(t.TempDir(), "template.json")
	testkit.Must(t, os.WriteFile(file, []byte(template), 0o600))
	for url, m := range map[string]models.ShipmentMethod{
		"sftp://purr@%s/in": models.ByPaper, "ipp://%s/ipp/print": models.ByPaper, "http://%s/letters": models.ByPaper,
		"smtp://%s?tls=none": models.ByEmail,
	} {
		w, err := ways.Open(m, ways.Setting{
			Access: remote.Access{URL: fmt.Sprintf(url, here.Addr()), Password: "secret", Prefix: "some", Public: true}, Template: file, Plain: true,
		})
		testkit.Must(t, err)
		if w.Shop == nil {
			channel, err := w.Channel(nil)
			testkit.Must(t, err)
			_, err = channel.HandOver(t.Context(), mailer.Parcel{
				Name: "invoice-1-shipment-1", PDF: []byte("%PDF-1.4"), Mail: mailer.Mail{From: mail.Address{Address: "a@example.no"}, To: "b@example.no", Subject: "s", Text: "t"},
			})
			if !errors.Is(err, address.ErrPrivate) {
				t.Errorf("%s: handed over: %v", url, err)
			}
		}
		if err := w.Check(t.Context()); !errors.Is(err, address.ErrPrivate) {
			t.Errorf("%s: tried: %v", url, err)
		}
	}
	select {
	case <-came:
		t.Error("something was connected to")
	default:
	}
}
