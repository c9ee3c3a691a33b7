package jobs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/internal/remote"
	"purr/internal/storage"
	"purr/mailer"
	"purr/mailer/ways"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/smtpserver"
)

// ownWays lets creditors have ways of their own, on an installation whose letters go to the folder on a server, if one is given. It begins anew
// what a process knows of them, as a restart does.
func (o *office) ownWays(t *testing.T, letters ...remote.Access) own.Changer {
	t.Helper()
	settings := map[models.ShipmentMethod]ways.Setting{models.ByEHF: {Folder: storage.Folder(t.TempDir())}}
	if len(letters) > 0 {
		settings[models.ByPaper] = ways.Setting{Access: letters[0], Every: 15 * time.Minute}
	}
	all, err := ways.OpenAll(settings)
	must(t, err)
	outbox, err := mailer.NewOutbox(o.outbox)
	must(t, err)
	known := own.New(all, settings, outbox)
	o.worker.Dispatch.Own, o.worker.Bundles.Own, o.worker.Folders, o.scheduler.Folders = known, known, known, known
	return own.Changer{Settings: settings}
}

// sets changes a creditor's own ways.
func (o *office) sets(t *testing.T, by own.Changer, c models.Creditor, pairs ...string) {
	t.Helper()
	change := map[string]string{}
	for pair := range slices.Chunk(pairs, 2) {
		change[pair[0]] = pair[1]
	}
	rows.Write(t, o.db, func(tx *store.Tx) error {
		_, err := by.Change(t.Context(), tx, c.ID, change, own.Who{Actor: "anna", OnMachine: true})
		return err
	})
}

// senders are whom a mail server has got mails of, in their order.
func senders(s *smtpserver.Server) (all []string) {
	for _, m := range s.Messages() {
		all = append(all, m.From)
	}
	return all
}

// TestQ7EachCreditorItsMailServer: two creditors, three servers. What one changes does not touch the other, takes effect at once, and is there
// after a restart.
func TestQ7EachCreditorItsMailServer(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		common, first, second := smtpserver.Start(t), smtpserver.Start(t), smtpserver.Start(t)
		o.mail(t, common)
		by := o.ownWays(t)
		o.work(t, 2)
		a, b := rows.Creditor(t, o.db), rows.Creditor(t, o.db)
		both := func() {
			rows.Invoice(t, o.db, a, byEmail())
			rows.Invoice(t, o.db, b, byEmail())
			o.settle(t)
		}
		both()
		o.sets(t, by, a, "smtp-url", first.URL(), own.Sender, "faktura@a.example")
		both()
		by = o.ownWays(t) // a restart
		o.sets(t, by, b, "smtp-url", second.URL())
		both()
		o.sets(t, by, a, "smtp-url", "")
		both()
		want := func(name string, s *smtpserver.Server, from ...string) {
			if got := senders(s); !slices.Equal(got, from) {
				t.Errorf("the %s server got mails of %q, want %q", name, got, from)
			}
		}
		want("first", first, "faktura@a.example", "faktura@a.example")
		want("second", second, b.Email, b.Email)
		if got := senders(common); len(got) != 4 || !slices.Contains(got, "faktura@a.example") {
			t.Errorf("the common server got mails of %q", got)
		}
		wantLines(t, o.events(t, b, models.EventWayChanged), "03-02 11:00:00 way.changed By which ways documents leave was changed by anna: smtp-url")
	})
}

// TestQ7WhatMayHaveLeftKeepsItsWay: an e-mail whose server broke off after it was complete goes by that server again, whatever is set now. One that
// surely did not arrive goes by the one that is set now.
func TestQ7WhatMayHaveLeftKeepsItsWay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		before, now := smtpserver.Start(t), smtpserver.Start(t)
		by := o.ownWays(t)
		o.work(t, 1)
		a, b := rows.Creditor(t, o.db), rows.Creditor(t, o.db)
		for _, c := range []models.Creditor{a, b} {
			o.sets(t, by, c, "smtp-url", before.URL())
		}
		before.HangUp(smtpserver.Content, 1)
		maybe := rows.Invoice(t, o.db, a, byEmail())
		o.settle(t)
		before.Down()
		surely := rows.Invoice(t, o.db, b, byEmail())
		o.settle(t)
		for _, c := range []models.Creditor{a, b} {
			o.sets(t, by, c, "smtp-url", now.URL())
		}
		o.advance(t, time.Minute)
		if s := o.shipments(t, maybe.Document())[0]; s.State != models.ShipmentOwed || len(now.Messages()) != 1 {
			t.Errorf("what may have left is %s, and the new server has %d mails", s.State, len(now.Messages()))
		}
		if s := o.shipments(t, surely.Document())[0]; s.State != models.ShipmentSent {
			t.Errorf("what surely did not leave is %s: %s", s.State, s.Reason)
		}
		before.Up()
		o.advance(t, time.Hour)
		if s := o.shipments(t, maybe.Document())[0]; s.State != models.ShipmentSent || len(before.Messages()) != 1 || len(now.Messages()) != 1 {
			t.Errorf("in the end it is %s, with %d mails there and %d here", s.State, len(before.Messages()), len(now.Messages()))
		}
	})
}

// TestQ7TwoCreditorsNeverWriteIntoOneFolder: the first creditor has the print shop's folder, another one a folder of its number there, and one
// with a folder of its own that one. What a receipt in a creditor's folder says of another's letter is not heard.
func TestQ7TwoCreditorsNeverWriteIntoOneFolder(t *testing.T) {
	server := testkit.SFTPServer(t)
	eachOffice(t, func(t *testing.T, o *office) {
		shop := o.printShop(t, server)
		by := o.ownWays(t, shop.access)
		o.work(t, 2)
		a, b, c := rows.Creditor(t, o.db), rows.Creditor(t, o.db), rows.Creditor(t, o.db)
		dir := t.TempDir()
		o.sets(t, by, c, "letters-url", server.Folder(dir), "letters-key-file", server.KeyFile, "letters-host-key", server.HostKey)
		var letters []models.Shipment
		for _, of := range []models.Creditor{a, b, c} {
			letters = append(letters, o.shipments(t, rows.Invoice(t, o.db, of).Document())[0])
		}
		o.settle(t)
		folders := []string{shop.dir, filepath.Join(shop.dir, "2"), dir}
		for i, folder := range folders {
			if found, err := filepath.Glob(filepath.Join(folder, "*.manifest.xml")); err != nil || len(found) != 1 {
				t.Errorf("%s has %d batches, %v", folder, len(found), err)
			}
			if s := o.shipments(t, letters[i].Document())[0]; s.State != models.ShipmentSent {
				t.Errorf("letter %d is %s: %s", i, s.State, s.Reason)
			}
		}
		told := `<reports><report shipment="` + letters[1].Name(1) + `" state="delivered" at="2026-03-02T12:00:00+01:00"/></reports>`
		for _, folder := range []string{dir, folders[1]} {
			must(t, os.MkdirAll(filepath.Join(folder, "receipts"), 0o755))
			must(t, os.WriteFile(filepath.Join(folder, "receipts", "r.xml"), []byte(told), 0o644))
			if folder == dir { // another's folder
				o.advance(t, 16*time.Minute)
				if s := o.shipments(t, letters[1].Document())[0]; s.State != models.ShipmentSent {
					t.Errorf("another's receipt has made it %s", s.State)
				}
			}
		}
		o.advance(t, 16*time.Minute)
		if s := o.shipments(t, letters[1].Document())[0]; s.State != models.ShipmentDelivered {
			t.Errorf("its own receipt leaves it %s", s.State)
		}
	})
}

// TestQ7EachCollectorIsToldOfItsOwnClaims: the creditor has changed its collector, and the first one its password. What is paid on a claim is told
// to the one that has it, in turn.
func TestQ7EachCollectorIsToldOfItsOwnClaims(t *testing.T) {
	server := testkit.SFTPServer(t)
	eachOffice(t, func(t *testing.T, o *office) {
		by := o.ownWays(t)
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		first, second := t.TempDir(), t.TempDir()
		to := func(dir string, more ...string) {
			pairs := []string{"collection-sftp-url", server.Folder(dir), "collection-sftp-key-file", server.KeyFile, "collection-sftp-host-key", server.HostKey}
			o.sets(t, by, c, append(pairs, more...)...)
		}
		to(first)
		old, _ := o.handedOver(t, c)
		o.settle(t)
		to(first, "collection-sftp-password", "another")
		to(second)
		fresh, _ := o.handedOver(t, c)
		o.settle(t)
		wantFiles := func(dir string, want ...string) {
			t.Helper()
			found, err := filepath.Glob(filepath.Join(dir, "*.xml"))
			must(t, err)
			for i := range found {
				found[i] = filepath.Base(found[i])
			}
			if !slices.Equal(found, want) {
				t.Errorf("%s has %q, want %q", dir, found, want)
			}
		}
		o.payToday(t, c, old, 100_00)
		o.payToday(t, c, fresh, 200_00)
		o.at(t, "2026-04-13 16:00")
		wantFiles(first, "direct-1.xml")
		wantFiles(second)
		o.at(t, "2026-04-14 16:00")
		wantFiles(first, "direct-1.xml")
		wantFiles(second, "direct-2.xml")
		for dir, paid := range map[string]string{filepath.Join(first, "direct-1.xml"): "100.00", filepath.Join(second, "direct-2.xml"): "200.00"} {
			content, err := os.ReadFile(dir)
			must(t, err)
			if strings.Count(string(content), "<entry ") != 1 || !strings.Contains(string(content), `amount="`+paid+`"`) {
				t.Errorf("%s tells %s", dir, content)
			}
		}
	})
}
