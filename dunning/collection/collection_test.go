package collection_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"purr/billing"
	"purr/documents"
	"purr/dunning"
	"purr/dunning/collection"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// agency is a creditor with an invoice that is handed over, and the store of its bundle.
type agency struct {
	t         *testing.T
	db        *store.DB
	documents *documents.Store
	bundles   *collection.Store
	creditor  models.Creditor
	customer  models.Customer
	invoice   models.Invoice
}

func eachAgency(t *testing.T, test func(t *testing.T, a *agency)) {
	t.Helper()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		kept, err := archive.Open(t.TempDir())
		must(t, err)
		a := &agency{t: t, db: db, documents: documents.New(db, kept)}
		a.bundles = collection.New(db, a.documents, kept, law.Default())
		a.creditor = rows.Creditor(t, db, func(c *models.Creditor) {
			c.Name, c.OrganisationNumber, c.BankAccount, c.Email = "Fjord Rør AS", "974760673", "12345678903", "post@fjord-ror.example"
		})
		a.customer = rows.Customer(t, db, a.creditor, func(c *models.Customer) {
			c.Recipient = models.Recipient{
				Name1: "Ærlig Næss AS", Name2: `att. "Åse"`, Address1: "Ålgårdsveien 7, 2. etg.", PostalCode: "4330", PostalName: "ÅLGÅRD",
				CountryCode: "NO", Email: "ase@naess.example", CustomerNumber: "10042",
			}
			c.Recipient.OrganisationNumber, c.Language = "974760673", "nn"
		})
		a.invoice = rows.Invoice(t, db, a.creditor, rows.To(a.customer), rows.Of(1000_00), func(o *billing.InvoiceRequest) {
			o.Method, o.Copies = models.ByEmail, []string{"regnskap@naess.example"}
		})
		test(t, a)
	})
}

// on does something in a transaction on a day.
func (a *agency) on(day models.Date, do func(ctx context.Context, tx *store.Tx) error) {
	a.t.Helper()
	rows.Write(a.t, rows.On(a.db, day), func(tx *store.Tx) error { return do(a.t.Context(), tx) })
}

func (a *agency) notice(day models.Date, req dunning.Request) {
	a.t.Helper()
	rows.Send(a.t, a.db, a.creditor)
	a.on(day, func(ctx context.Context, tx *store.Tx) error {
		n, err := dunning.IssueNotice(ctx, tx, law.Default(), a.creditor, a.invoice.ID, req)
		if err != nil {
			return err
		}
		letters, err := tx.ShipmentsOf(ctx, n.Document())
		if err != nil {
			return err
		}
		letters[0].State, letters[0].SentAt = models.ShipmentSent, &tx.Now
		return tx.UpdateShipment(ctx, letters[0])
	})
}

func (a *agency) pay(day models.Date, amount models.Amount) {
	a.t.Helper()
	a.on(day, func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, a.creditor.ID, a.invoice.ID, ledger.Payment{Amount: -amount, Date: day, Comment: "Vipps"}, day)
		return err
	})
}

func (a *agency) handOver(day models.Date) models.HandOver {
	a.t.Helper()
	rows.Send(a.t, a.db, a.creditor)
	a.on(day, func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HandOverInvoice(ctx, tx, a.creditor, a.invoice.ID, "a test")
		return err
	})
	h, _, err := a.db.LastHandOver(a.t.Context(), a.invoice.ID)
	must(a.t, err)
	return h
}

// unzipped returns the files of a zip file, in order, and their contents by name.
func unzipped(t *testing.T, content []byte) (names []string, files map[string]string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	must(t, err)
	files = map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		must(t, err)
		inside, err := io.ReadAll(r)
		must(t, err)
		names = append(names, f.Name)
		files[f.Name] = string(inside)
	}
	return names, files
}

// pdfLine is a PDF in a manifest. The golden files of package pdf hold its bytes.
var pdfLine = regexp.MustCompile(`(\.pdf(?:" bytes="|,))[0-9]+(" sha256="|,)[0-9a-f]{64}`)

// TestE2Bundle holds the whole bundle of an invoice that was paid in part, reminded, disputed and warned.
func TestE2Bundle(t *testing.T) {
	t.Parallel()
	eachAgency(t, func(t *testing.T, a *agency) {
		due := a.invoice.DueDate
		a.pay(due+1, 200_00)
		a.notice(due+14, dunning.Request{AddFee: true, AddInterest: true})
		a.notice(due+42, dunning.Request{AddFee: true, AddInterest: true, Warning: true})
		a.on(due+50, func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldInvoice(ctx, tx, a.creditor, a.invoice.ID, models.Hold{Reason: models.HoldDispute, Comment: "Lekker <fortsatt>"}, "a test")
			return err
		})
		h := a.handOver(due + 60)
		bundle, err := a.bundles.Bundle(t.Context(), h)
		must(t, err)
		names, files := unzipped(t, bundle.Content)
		var text strings.Builder
		fmt.Fprintf(&text, "%s\n", bundle.Name)
		for _, name := range names {
			if !strings.HasSuffix(name, ".pdf") {
				fmt.Fprintf(&text, "\n== %s\n%s", name, strings.ReplaceAll(files[name], "\r\n", "\n"))
			}
		}
		testkit.Golden(t, "testdata/bundle.txt", pdfLine.ReplaceAllString(text.String(), "${1}…${2}…"))
		a.holdsManifest(names, files)
		a.holdsPDFs(files)
	})
}

// holdsManifest expects the manifest to list every file before it with its SHA-256.
func (a *agency) holdsManifest(names []string, files map[string]string) {
	a.t.Helper()
	listed, err := csv.NewReader(strings.NewReader(files["manifest.csv"])).ReadAll()
	must(a.t, err)
	want := [][]string{{"name", "bytes", "sha256"}}
	for _, name := range names[:len(names)-2] {
		sum := sha256.Sum256([]byte(files[name]))
		want = append(want, []string{name, fmt.Sprint(len(files[name])), hex.EncodeToString(sum[:])})
	}
	if fmt.Sprint(listed) != fmt.Sprint(want) {
		a.t.Errorf("the manifest is %v, want %v", listed, want)
	}
}

// holdsPDFs expects the documents byte for byte as they are sent.
func (a *agency) holdsPDFs(files map[string]string) {
	a.t.Helper()
	notices, err := a.db.NoticesOf(a.t.Context(), a.invoice.ID)
	must(a.t, err)
	for name, d := range map[string]models.Document{
		"invoice-1.pdf": a.invoice.Document(), "notice-1-reminder.pdf": notices[0].Document(),
		"notice-2-debt-collection-warning.pdf": notices[1].Document(),
	} {
		sent, err := a.documents.PDF(a.t.Context(), a.creditor.ID, d)
		must(a.t, err)
		if files[name] != string(sent) {
			a.t.Errorf("%s is not what is sent", name)
		}
	}
}

// TestE2TheBundleIsMadeOnce makes a bundle several times at once, while the claim changes before and after.
func TestE2TheBundleIsMadeOnce(t *testing.T) {
	t.Parallel()
	eachAgency(t, func(t *testing.T, a *agency) {
		due := a.invoice.DueDate
		h := a.handOver(due + 20)
		a.pay(due+21, 300_00)
		made := make([][]byte, 4)
		var all sync.WaitGroup
		for i := range made {
			all.Go(func() {
				bundle, err := a.bundles.Bundle(t.Context(), h)
				if err != nil {
					t.Error(err)
				}
				made[i] = bundle.Content
			})
		}
		all.Wait()
		a.pay(due+22, 300_00)
		kept, err := a.db.HandOver(t.Context(), a.creditor.ID, h.ID)
		must(t, err)
		again, err := a.bundles.Bundle(t.Context(), kept)
		must(t, err)
		for _, content := range append(made[1:], again.Content) {
			if !bytes.Equal(content, made[0]) {
				t.Error("it differs")
			}
		}
		_, files := unzipped(t, made[0])
		if !strings.Contains(files["claim.xml"], "<total>1000.00</total>") || strings.Contains(files["transactions.csv"], "PAYMENT") {
			t.Errorf("it is not the claim of the hand-over:\n%s\n%s", files["claim.xml"], files["transactions.csv"])
		}
	})
}

// TestE2BundleOfACreditedInvoice holds that the bundle has the credit note and what is left of the claim.
func TestE2BundleOfACreditedInvoice(t *testing.T) {
	t.Parallel()
	eachAgency(t, func(t *testing.T, a *agency) {
		rows.CreditNote(t, a.db, a.creditor, a.invoice)
		a.on(a.invoice.DueDate+30, func(ctx context.Context, tx *store.Tx) error {
			h := models.HandOver{CreditorID: a.creditor.ID, InvoiceID: a.invoice.ID, HandedOver: a.invoice.DueDate + 30, LastEntryID: 1 << 60}
			return tx.CreateHandOver(ctx, &h)
		})
		h, _, err := a.db.LastHandOver(t.Context(), a.invoice.ID)
		must(t, err)
		bundle, err := a.bundles.Bundle(t.Context(), h)
		must(t, err)
		names, files := unzipped(t, bundle.Content)
		if !slices.Contains(names, "credit-note-2.pdf") || !strings.Contains(files["claim.xml"], "<total>0.00</total>") {
			t.Errorf("it has %q\n%s", names, files["claim.xml"])
		}
	})
}

func TestE2Withdrawal(t *testing.T) {
	t.Parallel()
	eachAgency(t, func(t *testing.T, a *agency) {
		h := a.handOver(a.invoice.DueDate + 20)
		h.TakenBack = h.HandedOver + 3
		word, err := a.bundles.Withdrawal(t.Context(), h)
		must(t, err)
		testkit.Golden(t, "testdata/withdrawal.txt", word.Name+"\n\n"+string(word.Content))
	})
}

// TestD112TheCollectorLearnsWhoHandedTheClaimOver: the bundle that is made, and taken back, after the creditor has changed shows the
// creditor of the hand-over's day.
func TestD112TheCollectorLearnsWhoHandedTheClaimOver(t *testing.T) {
	t.Parallel()
	eachAgency(t, func(t *testing.T, a *agency) {
		a.notice(rows.Today+20, dunning.Request{})
		h := a.handOver(rows.Today + 60)
		now := a.creditor
		now.Name, now.OrganisationNumber, now.BankAccount = "Tyttebær AS", "923609016", "86011117947"
		rows.Write(t, a.db, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &now) })
		bundle, err := a.bundles.Bundle(t.Context(), h)
		must(t, err)
		_, files := unzipped(t, bundle.Content)
		withdrawal, err := a.bundles.Withdrawal(t.Context(), h)
		must(t, err)
		for name, content := range map[string]string{"claim.xml": files["claim.xml"], withdrawal.Name: string(withdrawal.Content)} {
			if !strings.Contains(content, ">"+a.creditor.Name+"<") || !strings.Contains(content, a.creditor.BankAccount) || strings.Contains(content, now.Name) || strings.Contains(content, now.BankAccount) {
				t.Errorf("%s shows another creditor:\n%s", name, content)
			}
		}
	})
}
