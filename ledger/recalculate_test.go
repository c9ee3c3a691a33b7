package ledger_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit/rows"
)

// late is an invoice of 10 000 kroner, issued on 2 March 2026 and due on the 16th, to which money comes late. Its notices
// have fee and interest. The amounts in the tests are computed by hand: a day of 10 000 kroner at 12 percent is 3.29, 14
// days are 46.03. The fee is 38.00.
type late struct {
	*account
	today  models.Date
	paid   []models.Entry // by hand
	queued int64          // the unmatched payment
}

const byHand = "a person"

func newLate(t testing.TB, db *store.DB, c models.Creditor) *late {
	l := &late{account: &account{t: t, db: db, creditor: c, id: rows.Invoice(t, db, c, rows.Of(10_000_00)).ID}, today: rows.Today}
	rows.Send(t, db, c)
	return l
}

// play makes acts, joined by commas: "30 March" (that day begins), "notice", "letter" (the first notice's leaves), "pay 9000 of
// 17", "repay 10 of 20", "delete 1" (the first that was paid or repaid by hand), "waive 20" (of the interest), "queue 9000
// of 17", "match", "unmatch", "credit", "close", "hand over", "withdraw" (the last notice, if it is needless). Dates
// without a month are of March.
func (l *late) play(story string) {
	l.t.Helper()
	for act := range strings.SplitSeq(story, ", ") {
		what, of, dated := strings.Cut(act, " of ")
		what, value, _ := strings.Cut(what, " ")
		if n, err := strconv.Atoi(what); err == nil {
			l.today = rows.Day(fmt.Sprintf("2026-0%d-%02d", map[string]int{"March": 3, "April": 4, "May": 5}[value], n))
			l.db = rows.On(l.db, l.today)
			continue
		}
		date := l.today
		if dated {
			date = rows.Day("2026-03-" + of)
		}
		amount, _ := models.ParseAmount(value)
		rows.Write(l.t, l.db, func(tx *store.Tx) error { return l.do(l.t.Context(), tx, what, amount, date) })
	}
}

func (l *late) do(ctx context.Context, tx *store.Tx, what string, amount models.Amount, date models.Date) (err error) {
	register := func(kind models.EntryType, amount models.Amount) error {
		e, err := ledger.RegisterOnInvoice(ctx, tx, l.creditor.ID, l.id, ledger.Payment{Amount: amount, Date: date, Type: kind, Actor: byHand}, l.today)
		if err != nil {
			return err
		}
		l.paid = append(l.paid, e)
		return nil
	}
	switch what {
	case "notice":
		_, err = dunning.IssueNotice(ctx, tx, law.Default(), l.creditor, l.id, dunning.Request{AddFee: true, AddInterest: true, Actor: byHand})
	case "letter", "withdraw":
		notices, readErr := tx.NoticesOf(ctx, l.id)
		must(l.t, readErr)
		if what == "withdraw" {
			_, err := dunning.WithdrawIfNeedless(ctx, tx, l.creditor.ID, notices[len(notices)-1].ID)
			return err
		}
		letters, readErr := tx.ShipmentsOf(ctx, notices[0].Document())
		must(l.t, readErr)
		letters[0].State, letters[0].SentAt = models.ShipmentSent, &tx.Now
		err = tx.UpdateShipment(ctx, letters[0])
	case "pay":
		err = register("", -amount)
	case "repay":
		err = register("", amount)
	case "waive":
		err = register(models.EntryInterest, -amount)
	case "delete":
		err = ledger.DeletePayment(ctx, tx, l.creditor.ID, l.paid[amount/100-1].ID, l.today, byHand)
	case "queue":
		u := []models.UnmatchedPayment{{
			CreditorID: l.creditor.ID, LineKey: fmt.Appendf(nil, "%032d", l.id), Amount: amount, TransactionDate: date, Status: models.PaymentOpen,
		}}
		err = tx.CreateUnmatchedPayments(ctx, u)
		l.queued = u[0].ID
	case "match":
		_, err = unmatched.Match(ctx, tx, l.creditor, l.queued, []int64{l.id}, byHand)
	case "unmatch":
		_, err = unmatched.Unmatch(ctx, tx, l.creditor, l.queued, byHand)
	case "credit":
		_, err = billing.IssueCreditNote(ctx, tx, l.creditor, l.id, billing.CreditNoteRequest{Method: models.ByPaper})
	case "close":
		_, err = dunning.CloseInvoice(ctx, tx, l.creditor, l.id, dunning.Closing{Reason: models.ClosedLost})
	case "hand":
		_, err = dunning.HandOverInvoice(ctx, tx, l.creditor, l.id, byHand)
	default:
		err = fmt.Errorf("the test knows no %q", what)
	}
	return err
}

// events returns the texts of the invoice's events of a type, oldest first, each with its actor.
func (l *late) events(kind models.EventType) (texts []string) {
	l.t.Helper()
	events, err := l.db.Events(l.t.Context(), l.creditor.ID, 0, 1000)
	must(l.t, err)
	for _, e := range events {
		if e.Type == kind && e.InvoiceID == l.id {
			texts = append(texts, e.Text+" ("+e.Actor+")")
		}
	}
	return texts
}

// TestL4EveryWayOfBooking books money that came before a notice in every way in which entries come.
func TestL4EveryWayOfBooking(t *testing.T) {
	t.Parallel()
	const noticed = "30 March, notice, letter, 31 March, "
	tests := []struct {
		why, story string
		want       string // the entries after the first, and what is owed
	}{
		{"paid on the due date", noticed + "pay 10000 of 16", "fee 38 interest 46.03 paid -10000 fee -38 interest -46.03 = 0"},
		{"9000 paid a day late: 7.56 is right", noticed + "pay 9000 of 17", "fee 38 interest 46.03 paid -9000 interest -38.47 = 1045.56"},
		{"paid on the notice's day", noticed + "pay 10000 of 30", "fee 38 interest 46.03 paid -10000 = 84.03"},
		{
			"what the notice asked for was paid too", noticed + "pay 84.03 of 31, pay 10000 of 16",
			"fee 38 interest 46.03 paid -84.03 paid -10000 fee -38 interest -46.03 = -84.03",
		},
		{"deleted: nothing is charged again", noticed + "pay 10000 of 16, delete 1", "fee 38 interest 46.03 fee -38 interest -46.03 = 10000"},
		{
			"deleted and booked again", noticed + "pay 10000 of 16, delete 1, pay 10000 of 16",
			"fee 38 interest 46.03 fee -38 interest -46.03 paid -10000 = 0",
		},
		{"matched", noticed + "queue 9000 of 17, match", "fee 38 interest 46.03 OCR -9000 interest -38.47 = 1045.56"},
		{
			"matched, taken back and matched again", noticed + "queue 9000 of 17, match, unmatch, match",
			"fee 38 interest 46.03 OCR -9000 interest -38.47 OCR 9000 OCR -9000 = 1045.56",
		},
		{
			"what was paid out of money that was taken back bears no interest (D96)", "17 March, pay 10500, repay 500, delete 1, " + noticed + "delete 2",
			"fee 38 interest 46.03 = 10084.03",
		},
		{"a part of the interest was waived before", noticed + "waive 20, pay 9000 of 17", "fee 38 interest 46.03 interest -20 paid -9000 interest -18.47 = 1045.56"},
		{"the invoice is closed", noticed + "close, pay 9000 of 17", "fee 38 interest 46.03 paid -9000 interest -38.47 = 1045.56"},
		{
			"what a credit note has reversed is not reversed again", noticed + "credit, pay 10000 of 16",
			"fee 38 interest 46.03 fee -38 interest -46.03 credited -10000 paid -10000 = -10000",
		},
		{
			"all was paid and credited, and paid in time before", noticed + "pay 10084.03 of 31, credit, queue 10000 of 16, match",
			"fee 38 interest 46.03 paid -10084.03 OCR -10000 fee -38 interest -46.03 = -10084.03",
		},
		{
			"two notices for nothing", noticed + "30 April, notice, pay 10000 of 16",
			"fee 38 interest 46.03 fee 38 interest 101.92 paid -10000 fee -38 interest -46.03 fee -38 interest -101.92 = 0",
		},
		{"the letter has not left: it is withdrawn", "30 March, notice, pay 10000 of 16, withdraw", "fee 38 interest 46.03 paid -10000 fee -38 interest -46.03 = 0"},
		{
			"the letter has not left, and 40 are owed: it is not needless", "30 March, notice, pay 9960 of 16, withdraw",
			"fee 38 interest 46.03 paid -9960 interest -45.85 = 78.18",
		},
		{
			"the second is withdrawn, and nothing of the first is reversed", noticed + "30 April, notice, pay 10084.03 of 31, withdraw",
			"fee 38 interest 46.03 fee 38 interest 101.92 paid -10084.03 fee -38 interest -98.63 interest -3.29 = 0",
		},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				l := newLate(t, db, c)
				l.play(tt.story)
				if got := strings.TrimPrefix(l.books(), "invoice invoiced 10000 "); got != tt.want {
					t.Errorf("the books are\n%s, want\n%s", got, tt.want)
				}
			})
		}
		wantNoDifference(t, db, c)
	})
}

// TestL4IsToldAndKept looks at what a recalculation leaves: the entries' notice and date, the calculation, the events.
func TestL4IsToldAndKept(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx, c := t.Context(), rows.Creditor(t, db)
		l := newLate(t, db, c)
		l.play("30 March, notice, letter, 20 April, hand over, 21 April, pay 9000 of 17, pay 1000 of 16")
		notices, err := l.db.NoticesOf(ctx, l.id)
		must(t, err)
		kept, err := l.db.RecalculationsOf(ctx, notices[0].ID)
		must(t, err)
		entries, err := l.db.EntriesOfInvoice(ctx, l.id)
		must(t, err)
		if len(kept) != 2 || len(entries) != 8 || kept[0].EntryID != entries[4].ID || kept[1].EntryID != entries[7].ID {
			t.Fatalf("of %+v there are kept %+v", entries, kept)
		}
		for _, e := range []models.Entry{entries[4], entries[6], entries[7]} {
			if e.NoticeID != notices[0].ID || e.TransactionDate != l.today {
				t.Errorf("the reversal is %+v", e)
			}
		}
		for i, want := range []string{"38.00 for 1d of 10000.00 13d of 1000.00, 7.56", "0.00 for 1d of 9000.00, 2.96"} {
			sheet, err := law.ReadSheet(kept[i].Sheet)
			must(t, err)
			got := sheet.OverdueCharge.Amount.String() + " for"
			for _, s := range sheet.Interest.Segments {
				got += fmt.Sprintf(" %dd of %s", s.Days, s.Principal)
			}
			if got += ", " + sheet.Interest.Amount.String(); got != want {
				t.Errorf("the calculation is %s, want %s", got, want)
			}
		}
		if again, err := l.db.NoticesOf(ctx, l.id); err != nil || again[0].Sheet != notices[0].Sheet || again[0].Interest != 46_03 {
			t.Errorf("the notice is now %+v (%v)", again, err)
		}
		want := "Notice 1 on invoice 1 recalculated with money that came on 2026-03-17, before it: fee of 0.00 and interest of 38.47 reversed (a person)\n" +
			"Notice 1 on invoice 1 recalculated with money that came on 2026-03-16, before it: fee of 38.00 and interest of 4.60 reversed (a person)"
		if got := strings.Join(l.events(models.EventNoticeRecalculated), "\n"); got != want {
			t.Errorf("the events are\n%s, want\n%s", got, want)
		}
		want = "9000.00 was paid on invoice 1, which went to debt collection on 2026-04-20: 1045.56 is owed (purr)\n" +
			"1000.00 was paid on invoice 1, which went to debt collection on 2026-04-20: 2.96 is owed (purr)"
		if got := strings.Join(l.events(models.EventPaymentInCollection), "\n"); got != want {
			t.Errorf("the debt collector is told\n%s, want\n%s", got, want)
		}
		wantNoDifference(t, db, c)
	})
}
