package console_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime/multipart"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr"
	"purr/ocr/giro"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

// queue takes a file with payments under a KID that no invoice has, and returns them as they wait.
func (b *browser) queue(amounts ...models.Amount) []models.UnmatchedPayment {
	b.t.Helper()
	unknown := payments.OtherKID(b.creditor.KIDLength, b.creditor.KIDModulus)
	var all []giro.Payment
	for _, a := range amounts {
		all = append(all, payments.Paid(unknown, a))
	}
	return b.queueOf(all...)
}

// queueOf takes a file with payments, and returns all that wait.
func (b *browser) queueOf(all ...giro.Payment) []models.UnmatchedPayment {
	b.t.Helper()
	for n := range all { // after the invoices
		all[n].NetsDate = models.DateOf(b.clock.Now())
	}
	_, err := b.config.Importer.Import(b.t.Context(), bytes.NewReader(payments.FileOf(b.creditor.BankAccount, all...).Bytes(b.t)), ocr.Source{Kind: ocr.FromCommand, Filename: "OCR.txt"})
	must(b.t, err)
	return b.waiting()
}

func (b *browser) waiting() []models.UnmatchedPayment {
	b.t.Helper()
	found, err := b.db.PaymentsToMatch(b.t.Context(), b.creditor.ID, 0, 1000)
	must(b.t, err)
	return found
}

// withAccount gives the creditor a bank account.
func (b *browser) withAccount() {
	b.t.Helper()
	b.write(func(ctx context.Context, tx *store.Tx) (err error) {
		if b.creditor, err = tx.LockCreditor(ctx, b.creditor.ID); err != nil {
			return err
		}
		b.creditor.BankAccount, b.creditor.VATKnown, b.creditor.VATRegistered = "12345678903", true, true
		return tx.UpdateCreditor(ctx, &b.creditor)
	})
}

func (b *browser) owes(invoice models.Invoice, want models.Amount) {
	b.t.Helper()
	i, err := b.db.Invoice(b.t.Context(), b.creditor.ID, invoice.ID)
	must(b.t, err)
	if i.Balance != want {
		b.t.Errorf("on invoice %d %s is owed, want %s", i.Number, i.Balance, want)
	}
}

// radio returns the value of the form's choice whose label begins with the words.
func (s *shown) radio(label string) string {
	s.t.Helper()
	m := regexp.MustCompile(`name="meant" value="([^"]*)"[^>]*><span class="wide"><strong>` + regexp.QuoteMeta(label)).FindStringSubmatch(s.body)
	if m == nil {
		s.t.Fatalf("there is no choice %q:\n%s", label, s.text())
	}
	return m[1]
}

func TestE10MatchUndoAndDismiss(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		b.withAccount()
		b.get("bank").is(http.StatusOK).says("Payments to match", "No payment waits")
		invoice, other := rows.Invoice(t, b.db, b.creditor), rows.Invoice(t, b.db, b.creditor)
		waiting := b.queue(500_00, 1000_00, 30_00)
		must(t, b.pay(other, 300_00))

		page := b.get("bank").is(http.StatusOK).says("3 payments wait", "Payments, oldest first", "Unknown KID", "It is meant for", "No invoice fits", "Another invoice")
		if strings.Count(page.body, `aria-selected="true"`) != 1 || !strings.Contains(page.body, `data-key="j"`) {
			t.Error("not one payment is selected, with a way to the next")
		}
		page = b.get(fmt.Sprintf("bank?payment=%d", waiting[1].ID)).says("Invoice "+fmt.Sprint(invoice.Number)+" , Kari Nordmann", "owes just this", "0,00 is owed after it")
		match := fmt.Sprintf("bank/payment/%d/match", waiting[1].ID)
		meant, form := page.radio(fmt.Sprintf("Invoice %d", invoice.Number)), page.once()

		done := b.post(match, "once", form, "meant", meant).leads(fmt.Sprintf("%s/bank?past=%d", b.base, waiting[1].ID))
		b.get(done.location).says(fmt.Sprintf("Matched 1\u00a0000,00 from 98765432103 with invoice %d.", invoice.Number), "Undo", "2 payments wait", "30,00 from")
		b.owes(invoice, 0)
		b.post(match, "once", form, "meant", meant).leads(done.location) // Back, and sent again
		b.owes(invoice, 0)
		b.get(fmt.Sprintf("bank?payment=%d", waiting[1].ID)).leads(fmt.Sprintf("%s/bank?status=resolved&payment=%d", b.base, waiting[1].ID))
		b.get("bank?status=resolved").says("Matched with invoice "+fmt.Sprint(invoice.Number), "Undo")

		b.post(match, "once", "another", "meant", meant).is(http.StatusConflict).says("matched or dismissed already")
		b.post(fmt.Sprintf("bank/payment/%d/unmatch", waiting[1].ID), "once", "u").leads(fmt.Sprintf("%s/bank?payment=%d", b.base, waiting[1].ID))
		b.owes(invoice, 1000_00)

		must(t, b.pay(invoice, 300_00)) // while the page is looked at
		b.post(match, "once", "x", "meant", meant).is(http.StatusConflict).says("700.00 is owed now; it was 1000.00")

		for why, tt := range map[string]struct {
			fields []string
			says   string
		}{
			"nothing is chosen":      {[]string{}, "Choose something first."},
			"no number is given":     {[]string{"meant", "another"}, "required"},
			"a number is not there":  {[]string{"meant", "another", "invoice", "99"}, "there is no invoice 99"},
			"they do not add up":     {[]string{"meant", "another", "invoice", fmt.Sprintf("%d %d", invoice.Number, other.Number)}, "do not add up"},
			"a suggestion, a number": {[]string{"meant", meant, "invoice", "1"}, "leave this field empty"},
		} {
			got := b.post(match, append([]string{"once", why}, tt.fields...)...).is(http.StatusUnprocessableEntity)
			if !strings.Contains(got.text(), tt.says) && tt.says != "required" || !strings.Contains(got.body, `role="alert"`) {
				t.Errorf("%s: the page says %s", why, got.text())
			}
			if len(tt.fields) > 2 && !strings.Contains(got.body, `value="`+tt.fields[3]+`"`) {
				t.Errorf("%s: what was typed is lost", why)
			}
		}
		both := fmt.Sprintf("%d, %s", invoice.Number, other.KID)
		must(t, b.pay(other, 400_00))
		done = b.post(match, "once", "both", "meant", "another", "invoice", both).is(http.StatusSeeOther)
		b.get(done.location).says(fmt.Sprintf("with invoices %d and %d.", invoice.Number, other.Number))
		b.owes(invoice, 0)
		b.owes(other, 0)

		dismiss := fmt.Sprintf("bank/payment/%d/dismiss", waiting[2].ID)
		b.post(dismiss, "once", "d", "comment", " ").is(http.StatusUnprocessableEntity)
		b.get(b.post(dismiss, "once", "e", "comment", "sent <b>back</b>").is(http.StatusSeeOther).location).says("Dismissed 30,00", "Undo")
		b.get("bank?status=resolved").says("Not ours: sent <b>back</b>")
		b.post(fmt.Sprintf("bank/payment/%d/reopen", waiting[2].ID), "once", "f").is(http.StatusSeeOther)
		if len(b.waiting()) != 2 {
			t.Errorf("%d payments wait", len(b.waiting()))
		}
	})
}

func (b *browser) pay(i models.Invoice, amount models.Amount) error {
	return (&payments.Books{DB: b.db}).Pay(b.t.Context(), i, amount)
}

func TestE10MatchTheCertainOnes(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	var invoices []models.Invoice
	for n := range 3 {
		invoices = append(invoices, rows.Invoice(t, b.db, b.creditor, rows.Of(models.Amount(700+n)*100)))
	}
	var all []giro.Payment
	for n, i := range invoices { // each KID has one wrong digit
		all = append(all, payments.Paid("9"+i.KID[1:], models.Amount(700+n)*100))
	}
	waiting := b.queueOf(append(all, payments.Paid(payments.OtherKID(b.creditor.KIDLength, b.creditor.KIDModulus), 1_11))...)
	b.get("bank").says("Match the 3 certain ones…")
	page := b.get("bank/certain").is(http.StatusOK).says("Match 3 payments", "issued 2 March 2026, due 16 March 2026, owes 700,00", "0,00 is owed after it")
	values := regexp.MustCompile(`name="payment" value="([^"]+)" checked`).FindAllStringSubmatch(page.body, -1)
	if len(values) != 3 {
		t.Fatalf("%d boxes are checked", len(values))
	}
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := unmatched.Match(ctx, tx, b.creditor, waiting[1].ID, []int64{invoices[2].ID}, "API key 9")
		return err
	})
	form := []string{"once", page.once()}
	for _, v := range values {
		form = append(form, "payment", v[1])
	}
	done := b.post("bank/certain", form...).leads(b.base + "/bank")
	b.get("bank").says("Matched 1 payment.", "2 were left out:", fmt.Sprintf("was matched meanwhile with invoice %d", invoices[2].Number), "something else is owed now")
	b.owes(invoices[0], 0)
	b.post("bank/certain", form...).leads(done.location)
	b.owes(invoices[0], 0)
	b.post("bank/certain", "once", "none").is(http.StatusUnprocessableEntity).says("Choose something first.")
}

// TestD9TheCertainOnesAreMatchedOnce sends a form whose act takes several transactions: again, changed, and while another process does
// what it asks for.
func TestD9TheCertainOnesAreMatchedOnce(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	invoice := rows.Invoice(t, b.db, b.creditor, rows.Of(700_00))
	b.queueOf(payments.Paid("9"+invoice.KID[1:], 700_00))
	page := b.get("bank/certain")
	value := regexp.MustCompile(`name="payment" value="([^"]+)" checked`).FindStringSubmatch(page.body)
	if value == nil {
		t.Fatal("nothing is certain")
	}
	path := sha256.Sum256([]byte(b.base + "/bank/certain"))
	held := store.Answer{CreditorID: b.creditor.ID, IdempotencyKey: store.FormKeys + page.once() + "-" + hex.EncodeToString(path[:8]), CreatedAt: start}
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.LeaseKey(ctx, &held)
		return err
	})
	send := func(payment string) *shown { return b.post("bank/certain", "once", page.once(), "payment", payment) }
	send(value[1]).is(http.StatusConflict).tells("The same is being done just now")
	b.owes(invoice, 700_00)
	b.write(func(ctx context.Context, tx *store.Tx) error { return tx.DropAnswers(ctx, []int64{held.ID}) })
	for range 2 {
		send(value[1]).leads(b.base + "/bank")
		b.get("bank").says("Matched 1 payment.")
	}
	b.owes(invoice, 0)
	send("17:1 " + strconv.FormatInt(invoice.ID, 10) + "=0.00").is(http.StatusConflict).tells("This form was sent already")
}

func TestE10AFileIsUploadedAndWatched(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	invoice := rows.Invoice(t, b.db, b.creditor)
	good := payments.FileOf(b.creditor.BankAccount, payments.Paid(invoice.KID, 1000_00)).Bytes(t)
	b.get("bank/files").says("Payment file", "Import", "No files yet")
	first := b.upload("once-1", "OCR.txt", good).is(http.StatusSeeOther).location
	b.upload("once-1", "OCR.txt", good).leads(first) // a double click
	b.upload("once-1", "OCR.txt", append(good, '\n')).is(http.StatusConflict).tells("This form was sent already")
	b.config.Background.Wait()
	b.get(first).is(http.StatusOK).says("Imported", "Totals", "Matched 1 1\u00a0000,00", "Unmatched 0 0,00")
	if got := b.get(first + "?part=progress"); !strings.Contains(got.body, `"done":true`) {
		t.Errorf("the progress is %s", got.body)
	}
	b.owes(invoice, 0)
	again := b.upload("once-2", "OCR.txt", good).is(http.StatusSeeOther).location
	broken := b.upload("once-3", "OCR<script>.txt", bytes.Replace(good, []byte("NY09"), []byte("NY0X"), 1)).is(http.StatusSeeOther).location
	b.config.Background.Wait()
	b.get(again).says("Duplicate of File")
	b.get(broken).says("Rejected", "Faults", "line ", "OCR<script>.txt")
	b.get(first + "/raw").is(http.StatusOK).says("NY000010")
	b.upload("once-4", "", nil).is(http.StatusUnprocessableEntity)
	b.post("bank/files", "once", "x").is(http.StatusUnsupportedMediaType)
	b.get("bank/files").says("OCR.txt", "Imported", "Duplicate", "Rejected")
	b.get("bank/statement").is(http.StatusOK).says("One line", "1\u00a0000,00")
	if csv := b.get("bank/statement.csv?format=en").is(http.StatusOK); !strings.Contains(csv.body, "1000.00") {
		t.Errorf("the CSV is %s", csv.body)
	}

	stranger := b.newCreditor("Fremmed")
	b.creditor = stranger
	b.signIn(b.newKey(stranger, models.ScopeAdmin))
	for _, path := range []string{"bank/files/1", "bank/files/1/raw", "bank?payment=1", "bank/payment/1/dismiss"} {
		b.get(path).is(http.StatusNotFound)
	}
	b.post("bank/payment/1/match", "once", "s", "meant", "another", "invoice", "1").is(http.StatusUnprocessableEntity)
}

// upload sends a file by the form.
func (b *browser) upload(once, filename string, content []byte) *shown {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must(b.t, form.WriteField("once", once))
	part, err := form.CreateFormFile("file", filename)
	must(b.t, err)
	_, err = part.Write(content)
	must(b.t, err)
	must(b.t, form.Close())
	return b.do(http.MethodPost, "bank/files", body.String(), "Content-Type", form.FormDataContentType())
}

func TestE10AReadKeyMatchesNothing(t *testing.T) {
	b := open(t, models.ScopeRead, nil)
	b.withAccount()
	invoice := rows.Invoice(t, b.db, b.creditor)
	waiting := b.queue(1000_00)
	page := b.get("bank")
	if !strings.Contains(page.body, `aria-disabled="true" aria-describedby="needs-write"`) {
		t.Error("Match is not shown as disabled")
	}
	for _, act := range []string{"match", "unmatch", "dismiss", "reopen"} {
		b.post(fmt.Sprintf("bank/payment/%d/%s", waiting[0].ID, act), "meant", "another", "invoice", "1", "comment", "x").is(http.StatusForbidden)
	}
	b.post("bank/certain", "payment", "1 1=1").is(http.StatusForbidden)
	b.upload("x", "OCR.txt", []byte("x")).is(http.StatusForbidden)
	b.owes(invoice, 1000_00)
}
