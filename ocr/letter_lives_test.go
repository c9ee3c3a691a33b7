package ocr

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/mailer/shipments"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// sharedLife is the life of some invoices of one customer who gets joint letters.
type sharedLife struct {
	*books
	t        *testing.T
	rt       *rapid.T
	creditor models.Creditor
	invoices []models.Invoice
	day      models.Date
	files    int
}

// TestL23LivesOfJointLetters has invoices that share letters live at random for some weeks: paid whole, in part and too much, by hand, by their own
// KIDs and by those of letters, taken back by the bank, credited, before and after their letters left, on their day or later, or failed. After each
// act the books are right, no letter charges two fees, and no day bears interest twice.
func TestL23LivesOfJointLetters(t *testing.T) {
	testkit.Tries(t, 10, 0)
	eachBooks(t, func(t *testing.T, b *books) {
		rapid.Check(t, func(rt *rapid.T) {
			l := &sharedLife{books: b, t: t, rt: rt, day: rows.Day("2026-01-12")}
			l.creditor = rows.Creditor(t, b.DB, func(c *models.Creditor) {
				c.Policy.Enabled, c.Policy.JointLetters, c.Policy.RequirePaymentFile = true, true, false
			})
			customer := rows.Customer(t, b.DB, l.creditor)
			for n := range rapid.IntRange(2, 5).Draw(rt, "invoices") {
				l.invoices = append(l.invoices, rows.Invoice(t, rows.On(b.DB, l.day+models.Date(n%3)), l.creditor, rows.To(customer), rows.Of(models.Amount(500_00+n*100_00))))
			}
			rows.Send(t, b.DB, l.creditor)
			l.day = rows.Day("2026-02-11")
			for range rapid.IntRange(4, 12).Draw(rt, "acts") {
				act := rapid.SampledFrom([]func(){l.run, l.run, l.post, l.post, l.wait, l.wait, l.pay, l.payByLetter, l.payByLetter, l.takeBack, l.credit, l.fail}).Draw(rt, "act")
				act()
				l.prove()
			}
		})
	})
}

func (l *sharedLife) write(do func(ctx context.Context, tx *store.Tx) error) {
	rows.Write(l.t, rows.On(l.DB, l.day), func(tx *store.Tx) error { return do(l.t.Context(), tx) })
}

func (l *sharedLife) run() {
	s, err := dunning.TakeSnapshot(l.t.Context(), rows.On(l.DB, l.day), law.Default(), l.creditor, l.day)
	must(l.rt, err)
	_, err = s.Run(l.t.Context(), func() {})
	must(l.rt, err)
}

func (l *sharedLife) wait() { l.day += models.Date(rapid.IntRange(1, 18).Draw(l.rt, "days")) }

// post has what is owed leave.
func (l *sharedLife) post() { l.hand(nil) }

// fail has the printer refuse what is owed.
func (l *sharedLife) fail() {
	l.hand(models.Refuse(models.BlameRecipient, models.Invalid("no", "", "no such address"), "the printer"))
}

func (l *sharedLife) hand(failure error) {
	l.write(func(ctx context.Context, tx *store.Tx) error {
		due, err := tx.DueShipmentIDs(ctx, l.creditor.ID, rows.Start.AddDate(9, 0, 0), 100, models.ByPaper)
		if err != nil {
			return err
		}
		taken, err := shipments.TakeAll(ctx, tx, shipments.SecondLook{Rules: law.Default()}, due, "a worker")
		if err != nil {
			return err
		}
		for _, s := range taken {
			if _, err := shipments.Record(ctx, tx, s, "a receipt", failure); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l *sharedLife) amount() models.Amount {
	return models.Amount(rapid.SampledFrom([]int{100_00, 500_00, 555_55, 1300_00, 4000_00}).Draw(l.rt, "amount"))
}

// pay registers a payment on one of the invoices, on the day or some days before it.
func (l *sharedLife) pay() {
	i := rapid.SampledFrom(l.invoices).Draw(l.rt, "invoice")
	on := l.day - models.Date(rapid.IntRange(0, 20).Draw(l.rt, "days before"))
	l.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, l.creditor.ID, i.ID, ledger.Payment{Amount: -l.amount(), Date: on}, l.day)
		return err
	})
}

// payByLetter has the bank bring a payment with the KID of one of the letters, the withdrawn ones too.
func (l *sharedLife) payByLetter() {
	letters := l.letters()
	if len(letters) == 0 {
		return
	}
	letter := rapid.SampledFrom(letters).Draw(l.rt, "letter")
	amount := l.amount()
	if rapid.Bool().Draw(l.rt, "the whole") {
		amount = letter.Gross
	}
	l.bring(letter.KID, amount, false)
}

// bring has the bank bring a payment, or its reversal.
func (l *sharedLife) bring(kid string, amount models.Amount, back bool) {
	l.files++
	p := paid(kid, amount)
	if back {
		p = byCard(18, kid, amount, "")
	}
	f := fileOf(l.creditor.BankAccount, p)
	content := f.Bytes(l.t)
	for range rapid.IntRange(1, 2).Draw(l.rt, "times") {
		l.take(l.t, content)
	}
}

// takeBack has the bank take the newest payment of a letter back, and a person match that with the letter.
func (l *sharedLife) takeBack() {
	letters := l.letters()
	if len(letters) == 0 {
		return
	}
	letter := rapid.SampledFrom(letters).Draw(l.rt, "letter")
	spread, err := l.DB.SpreadPayments(l.t.Context(), letter)
	must(l.rt, err)
	if len(spread) == 0 {
		return
	}
	l.bring(letter.KID, spread[0].Amount, true)
	queue, err := l.DB.PaymentsToMatch(l.t.Context(), l.creditor.ID, 0, 100)
	must(l.rt, err)
	for _, u := range queue {
		if u.Amount == -spread[0].Amount {
			l.write(func(ctx context.Context, tx *store.Tx) error {
				_, err := unmatched.MatchLetter(ctx, tx, l.creditor, u.ID, letter.ID, "test")
				return err
			})
			return
		}
	}
}

func (l *sharedLife) credit() {
	i := rapid.SampledFrom(l.invoices).Draw(l.rt, "invoice")
	l.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := billing.IssueCreditNote(ctx, tx, l.creditor, i.ID, billing.CreditNoteRequest{Method: models.ByPaper})
		if models.KindOf(err) == models.KindConflict {
			return nil
		}
		return err
	})
}

func (l *sharedLife) letters() (all []models.Letter) {
	sent, err := l.DB.NewestShipments(l.t.Context(), l.creditor.ID, store.ShipmentFilter{}, 1000)
	must(l.rt, err)
	for _, s := range sent {
		if s.DocumentKind == models.LetterDocument {
			letter, err := l.DB.Letter(l.t.Context(), l.creditor.ID, s.DocumentID)
			must(l.rt, err)
			all = append(all, letter)
		}
	}
	return all
}

// prove proves the books, that each letter in force has charged one fee at most, and that no day bears interest twice on an invoice.
func (l *sharedLife) prove() {
	found, err := ledger.Verify(l.t.Context(), l.DB, l.creditor)
	must(l.rt, err)
	for _, d := range found {
		l.rt.Errorf("the books: %s", d)
	}
	fees := map[int64]models.Amount{}
	for _, i := range l.invoices {
		notices, err := l.DB.NoticesOf(l.t.Context(), i.ID)
		must(l.rt, err)
		entries, err := l.DB.EntriesOfInvoice(l.t.Context(), i.ID)
		must(l.rt, err)
		var segments []law.Segment
		for _, n := range notices {
			fees[n.LetterID] += ledger.TotalsOfNotice(entries, n.ID).Fees
			sheet, err := law.ReadSheet(n.Sheet)
			must(l.rt, err)
			segments = append(segments, sheet.Interest.Segments...)
		}
		slices.SortFunc(segments, func(a, b law.Segment) int { return int(a.From - b.From) })
		for n := 1; n < len(segments); n++ {
			if segments[n].From <= segments[n-1].To {
				l.rt.Errorf("invoice %d bears interest twice from %s", i.Number, segments[n].From)
			}
		}
	}
	for letter, fee := range fees {
		if letter != 0 && fee > 38_00 {
			l.rt.Errorf("letter %d charges %s", letter, fee)
		}
	}
}
