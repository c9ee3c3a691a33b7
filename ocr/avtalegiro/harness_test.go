package avtalegiro_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"purr/billing"
	"purr/internal/clock"
	acts "purr/ledger/avtalegiro"
	"purr/models"
	"purr/ocr"
	"purr/ocr/avtalegiro"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/girobank"
	"purr/test/testkit/rows"
)

const sender = "12345678"

// desk is a creditor that is paid by AvtaleGiro, with its bank. Its days are lived by hand.
type desk struct {
	t        *testing.T
	db       *store.DB
	clock    *clock.Test
	kept     *archive.Archive
	files    *avtalegiro.Files
	creditor models.Creditor
	bank     *girobank.Bank
}

// eachDesk runs a test on each database. Its clock shows 09:00 in Oslo on rows.Start's day, a Monday.
func eachDesk(t *testing.T, test func(d *desk), change ...func(*models.Creditor)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		now := clock.NewTest(rows.Start.Add(-3 * time.Hour))
		db := rows.OpenWith(t, databaseURL, now)
		kept, err := archive.Open(t.TempDir())
		testkit.Must(t, err)
		d := &desk{t: t, db: db, clock: now, kept: kept, files: avtalegiro.New(db, kept)}
		d.creditor = rows.Creditor(t, db, append([]func(*models.Creditor){func(c *models.Creditor) {
			c.KIDLength, c.KIDCustomerDigits = 15, 6
			c.AvtaleGiro = models.AvtaleGiro{Enabled: true, SenderID: sender, LeadDays: 9, Notice: models.OwnNotice}
		}}, change...)...)
		rows.Write(t, db, func(tx *store.Tx) error { return tx.ApproveAccount(t.Context(), d.creditor.ID, d.creditor.BankAccount) })
		d.bank = girobank.New(girobank.Settings{Sender: sender, FixedDigits: 6})
		d.bank.Agreement(d.creditor.BankAccount)
		test(d)
	})
}

// at sets the clock to an hour of a day in Oslo.
func (d *desk) at(day models.Date, hour, minute int) {
	d.t.Helper()
	moment, err := acts.Moment(day, hour)
	testkit.Must(d.t, err)
	d.clock.Set(moment.Add(time.Duration(minute) * time.Minute))
}

func (d *desk) today() models.Date {
	d.t.Helper()
	today, err := models.BankDay(d.clock.Now())
	testkit.Must(d.t, err)
	return today
}

// payer makes a customer who has given a mandate.
func (d *desk) payer() models.Customer {
	d.t.Helper()
	c := rows.Customer(d.t, d.db, d.creditor)
	d.bank.SignUp(d.creditor.BankAccount, d.kid(c), false, d.today())
	d.take(d.bank.MandateFile(d.creditor.BankAccount, false))
	return c
}

// kid returns a KID that names a customer.
func (d *desk) kid(c models.Customer) string {
	digits, fits := d.creditor.KIDCustomer(c.ID)
	if !fits {
		d.t.Fatal("the customer's ID does not fit")
	}
	return models.NewKID(digits+"00000000", models.Modulus10)
}

// take imports a file of the bank's.
func (d *desk) take(content []byte) {
	d.t.Helper()
	if content == nil {
		return
	}
	im := ocr.NewImporter(d.db, d.kept, slog.New(slog.DiscardHandler))
	f, err := im.Import(d.t.Context(), bytes.NewReader(content), ocr.Source{Filename: "bank.txt", Kind: ocr.FromInbox})
	testkit.Must(d.t, err)
	if f.State != models.FileImported {
		d.t.Fatalf("the bank's file is %s: %v", f.State, f.Faults)
	}
}

// issue issues an invoice to a customer, due in some days.
func (d *desk) issue(to models.Customer, days int) models.Invoice {
	d.t.Helper()
	c, err := d.db.Creditor(d.t.Context(), d.creditor.ID)
	testkit.Must(d.t, err)
	return rows.Invoice(d.t, d.db, c, rows.To(to), rows.DueIn(days), func(o *billing.InvoiceRequest) { o.Method = models.ByEmail })
}

// file makes the day's file, and returns one without ID if there is none.
func (d *desk) file() (f models.ClaimFile) {
	d.t.Helper()
	rows.Write(d.t, d.db, func(tx *store.Tx) (err error) {
		f, err = acts.MakeFile(d.t.Context(), tx, d.creditor.ID)
		return err
	})
	return f
}

// deliver brings a file to the bank, and returns the receipts.
func (d *desk) deliver(f models.ClaimFile) []girobank.Receipt {
	d.t.Helper()
	content, err := d.files.Content(d.t.Context(), f)
	testkit.Must(d.t, err)
	receipts := d.bank.Receive(avtalegiro.Name(f), content, d.clock.Now())
	rows.Write(d.t, d.db, func(tx *store.Tx) error {
		locked, err := tx.LockClaimFile(d.t.Context(), f.CreditorID, f.ID)
		if err != nil {
			return err
		}
		return acts.Delivered(d.t.Context(), tx, &locked, tx.Now)
	})
	return receipts
}

// read reads receipts.
func (d *desk) read(receipts []girobank.Receipt) {
	d.t.Helper()
	for _, r := range receipts {
		_, err := d.files.Take(d.t.Context(), r.Name, r.Content, usual(d.t), models.ActorProgram)
		testkit.Must(d.t, err)
	}
}

func usual(t *testing.T) avtalegiro.Columns {
	t.Helper()
	columns, err := avtalegiro.ParseColumns("transmission=Forsendelse,assignment=Oppdrag,kid=KID,due_date=Forfallsdato,amount=Beløp,status=Status,reason=Melding")
	testkit.Must(t, err)
	return columns
}

// settle does what a morning does.
func (d *desk) settle() {
	d.t.Helper()
	testkit.Must(d.t, acts.Settle(d.t.Context(), d.db, d.creditor, d.today()))
}

// claim returns the claim of an invoice.
func (d *desk) claim(i models.Invoice) models.BankClaim {
	d.t.Helper()
	claim, there, err := d.db.BankClaimOf(d.t.Context(), d.creditor.ID, i.ID)
	testkit.Must(d.t, err)
	if !there {
		d.t.Fatal("the invoice has no claim")
	}
	return claim
}

// wants holds the state and the reason of an invoice's claim.
func (d *desk) wants(i models.Invoice, state models.ClaimState, reason string) models.BankClaim {
	d.t.Helper()
	claim := d.claim(i)
	if claim.State != state || claim.Reason != reason {
		d.t.Errorf("the claim is %s (%q), want %s (%q)", claim.State, claim.Reason, state, reason)
	}
	return claim
}

// calm holds that the bank has nothing to complain about.
func (d *desk) calm() {
	d.t.Helper()
	for _, complaint := range d.bank.Complaints() {
		d.t.Errorf("the bank complains: %s", complaint)
	}
}

// locked does something with a locked invoice.
func (d *desk) write(do func(ctx context.Context, tx *store.Tx) error) {
	d.t.Helper()
	testkit.Must(d.t, d.db.InTx(d.t.Context(), do))
}
