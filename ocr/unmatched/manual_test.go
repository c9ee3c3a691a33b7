package unmatched

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

const actor = "API key 1 (write)"

// clerk does manual acts on a creditor's queue. An act that is refused returns its code.
type clerk struct {
	*books
	t *testing.T
	c models.Creditor
}

func (k clerk) do(act func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error)) (u models.UnmatchedPayment, code string) {
	k.t.Helper()
	err := k.DB.InTx(k.t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		u, err = act(k.t.Context(), tx)
		return err
	})
	var refusal *models.Error
	if errors.As(err, &refusal) {
		return u, refusal.Code
	}
	must(k.t, err)
	return u, ""
}

func (k clerk) match(u models.UnmatchedPayment, invoices ...models.Invoice) (models.UnmatchedPayment, string) {
	k.t.Helper()
	return k.do(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		var ids []int64
		for _, i := range invoices {
			ids = append(ids, i.ID)
		}
		return Match(ctx, tx, k.c, u.ID, ids, actor)
	})
}

func (k clerk) unmatch(u models.UnmatchedPayment) (models.UnmatchedPayment, string) {
	k.t.Helper()
	return k.do(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return Unmatch(ctx, tx, k.c, u.ID, actor)
	})
}

func (k clerk) dismiss(u models.UnmatchedPayment, comment string) (models.UnmatchedPayment, string) {
	k.t.Helper()
	return k.do(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return Dismiss(ctx, tx, k.c, u.ID, comment, actor)
	})
}

func (k clerk) reopen(u models.UnmatchedPayment) (models.UnmatchedPayment, string) {
	k.t.Helper()
	return k.do(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return Reopen(ctx, tx, k.c, u.ID, actor)
	})
}

// owes expects what is owed on an invoice, and books that hold.
func (k clerk) owes(i models.Invoice, want models.Amount) {
	k.t.Helper()
	if got := k.Balance(k.t, i); got != want {
		k.t.Errorf("%s is owed on invoice %d, want %s", got, i.Number, want)
	}
	k.Prove(k.t, k.c)
}

func wantCode(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("refused for %q, want %q", got, want)
	}
}

// eachClerk runs the test with either database and with unmatched payments.
func eachClerk(t *testing.T, test func(t *testing.T, k clerk, f bankFile, queue []models.UnmatchedPayment)) {
	t.Helper()
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		matched := rows.Invoice(t, b.DB, c)
		unknown := otherKID(c.KIDLength, c.KIDModulus)
		f := fileOf(c.BankAccount, paid(matched.KID, 1000_00), paid(unknown, 400_00), paid(unknown, 400_00), byCard(18, unknown, 50_00, ""))
		b.take(t, f.Bytes(t))
		test(t, clerk{b, t, c}, f, b.Queue(t, c))
	})
}

func TestE5MatchAndTakeBack(t *testing.T) {
	eachClerk(t, func(t *testing.T, k clerk, f bankFile, queue []models.UnmatchedPayment) {
		wrong, right := rows.Invoice(t, k.DB, k.c), rows.Invoice(t, k.DB, k.c)
		u, code := k.match(queue[0], wrong)
		wantCode(t, code, "")
		k.owes(wrong, 600_00)
		e, err := k.DB.Entry(t.Context(), k.c.ID, u.EntryID)
		must(t, err)
		want := models.Entry{
			ID: e.ID, CreditorID: k.c.ID, CustomerID: wrong.CustomerID, InvoiceID: wrong.ID, Type: models.EntryOCR, Amount: -400_00,
			TransactionDate: today - 1, BankDate: today - 2, FromAccountNumber: "98765432103", PaymentFileID: u.PaymentFileID, CreatedAt: e.CreatedAt,
		}
		if !reflect.DeepEqual(e, want) { // no line key: the line is in one place
			t.Errorf("the entry is\n%+v, want\n%+v", e, want)
		}
		_, code = k.match(u, right)
		wantCode(t, code, "payment_resolved")
		_, code = k.dismiss(u, "sent back")
		wantCode(t, code, "payment_resolved")

		u, code = k.unmatch(u)
		wantCode(t, code, "")
		if u.Status != models.PaymentOpen || u.EntryID != 0 || u.LikelyPayerID != nil {
			t.Errorf("taken back it is %+v", u)
		}
		k.owes(wrong, 1000_00)
		_, code = k.unmatch(u)
		wantCode(t, code, "payment_not_matched")
		_, code = k.match(u, right)
		wantCode(t, code, "")
		k.owes(right, 600_00)

		if again := k.take(t, f.Bytes(t)); again.State != models.FileDuplicate {
			t.Errorf("the same file is %s", again.State)
		}
		f.Number = "4711"
		another := k.take(t, f.Bytes(t))
		if p := k.Part(t, another, k.c.ID); p.Duplicates != 4 || p.Transactions != 4 {
			t.Errorf("of the same lines in another file %+v", p)
		}
		k.owes(right, 600_00)
	})
}

// TestE5MatchWithSeveralInvoices settles two invoices with one payment, and takes it back.
func TestE5MatchWithSeveralInvoices(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		k := clerk{b, t, c}
		first, second, other := rows.Invoice(t, b.DB, c), rows.Invoice(t, b.DB, c), rows.Invoice(t, b.DB, c)
		must(t, b.Pay(t.Context(), second, 300_00))
		unknown := otherKID(c.KIDLength, c.KIDModulus)
		b.take(t, fileOf(c.BankAccount, paid(unknown, 1700_00), byCard(18, unknown, 1700_00, "")).Bytes(t))
		queue := b.Queue(t, c)
		for _, tt := range []struct {
			what     string
			invoices []models.Invoice
			want     string
		}{
			{"none", nil, "required"},
			{"one twice", []models.Invoice{first, first}, "duplicate_element"},
			{"more than was paid", []models.Invoice{first, other}, "amounts_differ"},
			{"less than was paid, if the second counted twice", []models.Invoice{second, second}, "duplicate_element"},
		} {
			if _, code := k.match(queue[0], tt.invoices...); code != tt.want {
				t.Errorf("%s: refused for %q, want %q", tt.what, code, tt.want)
			}
		}
		_, code := k.match(queue[1], first, second) // money out
		wantCode(t, code, "amounts_differ")
		k.owes(first, 1000_00)

		u, code := k.match(queue[0], second, first)
		wantCode(t, code, "")
		if kept, err := k.DB.UnmatchedPayment(t.Context(), c.ID, u.ID); err != nil || len(kept.EntryIDs()) != 2 || !reflect.DeepEqual(kept.EntryIDs(), u.EntryIDs()) {
			t.Errorf("matched it is %+v (%v)", kept, err)
		}
		k.owes(first, 0)
		k.owes(second, 0)
		_, code = k.match(queue[1], first, second) // of which nothing is owed
		wantCode(t, code, "amounts_differ")

		u, code = k.unmatch(u)
		wantCode(t, code, "")
		if u.Status != models.PaymentOpen || u.EntryIDs() != nil {
			t.Errorf("taken back it is %+v", u)
		}
		k.owes(first, 1000_00)
		k.owes(second, 700_00)
		events, err := b.DB.Events(t.Context(), c.ID, 0, 100)
		must(t, err)
		var got []string
		for _, e := range events[len(events)-4:] {
			got = append(got, e.Text)
		}
		want := "Payment of 1700.00 of 2026-03-01 matched with invoice 2, 700.00 of it, by API key 1 (write)\n" +
			"Payment of 1700.00 of 2026-03-01 matched with invoice 1, 1000.00 of it, by API key 1 (write)\n" +
			"Payment of 1700.00 of 2026-03-01 no longer matched with invoice 2, 700.00 of it, by API key 1 (write)\n" +
			"Payment of 1700.00 of 2026-03-01 no longer matched with invoice 1, 1000.00 of it, by API key 1 (write)"
		if strings.Join(got, "\n") != want {
			t.Errorf("logged is\n%s\nwant\n%s", strings.Join(got, "\n"), want)
		}
	})
}

func TestE5MoneyOutRaisesWhatIsOwed(t *testing.T) {
	eachClerk(t, func(t *testing.T, k clerk, _ bankFile, queue []models.UnmatchedPayment) {
		invoice := rows.Invoice(t, k.DB, k.c)
		u, code := k.match(queue[2], invoice)
		wantCode(t, code, "")
		k.owes(invoice, 1050_00)
		_, code = k.unmatch(u)
		wantCode(t, code, "")
		k.owes(invoice, 1000_00)
	})
}

func TestE5Dismiss(t *testing.T) {
	eachClerk(t, func(t *testing.T, k clerk, _ bankFile, queue []models.UnmatchedPayment) {
		invoice := rows.Invoice(t, k.DB, k.c)
		for want, comment := range map[string]string{"required": " \n", "too_long": strings.Repeat("å", 501), "control_character": "a\x00b"} {
			_, code := k.dismiss(queue[0], comment)
			wantCode(t, code, want)
		}
		u, code := k.dismiss(queue[0], "sent back\non 3 March")
		wantCode(t, code, "")
		if u.Status != models.PaymentDismissed || u.EntryID != 0 || u.Comment != "sent back\non 3 March" {
			t.Errorf("dismissed it is %+v", u)
		}
		_, code = k.match(u, invoice)
		wantCode(t, code, "payment_resolved")
		_, code = k.dismiss(u, "again")
		wantCode(t, code, "payment_resolved")
		_, code = k.unmatch(u)
		wantCode(t, code, "payment_not_matched")
		k.owes(invoice, 1000_00)

		u, code = k.reopen(u)
		wantCode(t, code, "")
		if u.Status != models.PaymentOpen || u.Comment != "" || u.LikelyPayerID != nil {
			t.Errorf("reopened it is %+v", u)
		}
		_, code = k.reopen(u)
		wantCode(t, code, "payment_not_dismissed")
		_, code = k.match(u, invoice)
		wantCode(t, code, "")
		_, code = k.reopen(u)
		wantCode(t, code, "payment_not_dismissed")
		k.owes(invoice, 600_00)
	})
}

func TestE5ManualActsAreLogged(t *testing.T) {
	eachClerk(t, func(t *testing.T, k clerk, _ bankFile, queue []models.UnmatchedPayment) {
		invoice := rows.Invoice(t, k.DB, k.c)
		u, _ := k.match(queue[0], invoice)
		k.unmatch(u)
		k.dismiss(u, "sent back")
		k.reopen(u)
		events, err := k.DB.Events(t.Context(), k.c.ID, 0, 100)
		must(t, err)
		var got []string
		for _, e := range events[len(events)-4:] {
			got = append(got, string(e.Type)+": "+e.Text)
			if onInvoice := strings.Contains(e.Text, "invoice"); e.SubjectID != u.ID || (e.InvoiceID == invoice.ID) != onInvoice ||
				(e.CustomerID == invoice.CustomerID) != onInvoice || !strings.Contains(e.Data, `"actor":"API key 1 (write)"`) {
				t.Errorf("the event of %s is %+v", e.Type, e)
			}
		}
		want := "payment.matched: Payment of 400.00 of 2026-03-01 matched with invoice 2, by API key 1 (write)\n" +
			"payment.reopened: Payment of 400.00 of 2026-03-01 no longer matched with invoice 2, by API key 1 (write)\n" +
			"payment.dismissed: Payment of 400.00 of 2026-03-01 dismissed, by API key 1 (write): sent back\n" +
			"payment.reopened: Payment of 400.00 of 2026-03-01 is no longer dismissed, by API key 1 (write)"
		if strings.Join(got, "\n") != want {
			t.Errorf("logged is\n%s\nwant\n%s", strings.Join(got, "\n"), want)
		}
	})
}

func TestD2NobodyMatchesWhatIsAnothers(t *testing.T) {
	eachClerk(t, func(t *testing.T, k clerk, _ bankFile, queue []models.UnmatchedPayment) {
		stranger := clerk{k.books, t, rows.Creditor(t, k.DB)}
		mine, theirs := rows.Invoice(t, k.DB, k.c), rows.Invoice(t, k.DB, stranger.c)
		_, code := k.match(queue[0], theirs)
		wantCode(t, code, "not_found")
		_, code = stranger.match(queue[0], theirs)
		wantCode(t, code, "not_found")
		_, code = stranger.dismiss(queue[0], "not ours")
		wantCode(t, code, "not_found")
		u, _ := k.match(queue[0], mine)
		_, code = stranger.unmatch(u)
		wantCode(t, code, "not_found")
		away, _ := k.dismiss(queue[1], "sent back")
		_, code = stranger.reopen(away)
		wantCode(t, code, "not_found")
		k.owes(mine, 600_00)
		stranger.owes(theirs, 1000_00)
	})
}

// What is owed again on a credited invoice is settled against its credit note.
func TestD21ACreditedInvoiceIsSettledWhenAMatchIsTakenBack(t *testing.T) {
	eachClerk(t, func(t *testing.T, k clerk, _ bankFile, queue []models.UnmatchedPayment) {
		invoice := rows.Invoice(t, k.DB, k.c)
		u, _ := k.match(queue[0], invoice)
		note := rows.CreditNote(t, k.DB, k.c, invoice)
		outstanding := func(want models.Amount) {
			t.Helper()
			now, err := k.DB.CreditNote(t.Context(), k.c.ID, note.ID)
			must(t, err)
			if -now.Balance != want {
				t.Errorf("%s of the credit is outstanding, want %s", -now.Balance, want)
			}
			k.owes(invoice, 0)
		}
		outstanding(400_00)
		_, code := k.unmatch(u)
		wantCode(t, code, "")
		outstanding(0)
	})
}

func TestE5OfMatchesAtOnceOneIsMade(t *testing.T) {
	eachClerk(t, func(t *testing.T, k clerk, _ bankFile, queue []models.UnmatchedPayment) {
		invoices := []models.Invoice{rows.Invoice(t, k.DB, k.c), rows.Invoice(t, k.DB, k.c)}
		var all sync.WaitGroup
		var made, refused atomic.Int32
		for n := range 6 {
			all.Go(func() {
				switch _, code := k.match(queue[0], invoices[n%2]); code {
				case "":
					made.Add(1)
				case "payment_resolved":
					refused.Add(1)
				}
			})
		}
		all.Wait()
		if made.Load() != 1 || refused.Load() != 5 || k.Balance(t, invoices[0])+k.Balance(t, invoices[1]) != 1600_00 {
			t.Errorf("%d were made, %d refused; %s and %s are owed", made.Load(), refused.Load(), k.Balance(t, invoices[0]), k.Balance(t, invoices[1]))
		}
		k.Prove(t, k.c)
	})
}
