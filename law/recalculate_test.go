package law_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/law"
	"purr/models"
	testlaw "purr/test/testkit/law"
)

// ledger is the account of an invoice in the order of its bookings.
type ledger struct {
	t              rapid.TB
	invoice        models.Invoice
	entries        []models.Entry
	notices        []models.Notice
	recalculations []models.Recalculation
	lastID         int64
	known          *law.Known // of the steps that were taken (rule D97); nil asks for none of it
	reversed       []string   // by each recalculation, in words
}

// newLedger is the account of an invoice of an amount, due on a day.
func newLedger(t rapid.TB, amount, due string) *ledger {
	l := &ledger{t: t, invoice: models.Invoice{DueDate: day(due)}}
	l.add(models.Entry{Type: models.EntryInvoice, Amount: kroner(amount), TransactionDate: l.invoice.DueDate - 14})
	return l
}

func (l *ledger) add(e models.Entry) {
	l.lastID++
	e.ID = l.lastID
	l.entries = append(l.entries, e)
}

// notice issues a notice with interest and a fee, as on the day it is known.
func (l *ledger) notice(on models.Date, fee models.Amount) {
	claim := law.NewClaim(l.invoice, 0, l.entries, l.notices, models.Customer{}, models.Policy{})
	sheet := law.Sheet{OverdueCharge: law.Charge{Amount: fee, Maximum: fee, Rule: "a rule"}, Interest: law.Default().Interest(claim, on)}
	text, err := sheet.JSON()
	if err != nil {
		l.t.Fatal(err)
	}
	n := models.Notice{
		ID: int64(len(l.notices) + 1), Sequence: len(l.notices) + 1, IssueDate: on, Fee: fee, Interest: sheet.Interest.Amount, Sheet: text,
	}
	l.notices = append(l.notices, n)
	for _, e := range []models.Entry{{Type: models.EntryOverdueCharge, Amount: n.Fee}, {Type: models.EntryInterest, Amount: n.Interest}} {
		if e.NoticeID, e.TransactionDate = n.ID, on; e.Amount != 0 {
			l.add(e)
		}
	}
}

// book books money that came on a day, and reverses what is then charged too much. A negative amount takes it back.
func (l *ledger) book(amount models.Amount, on models.Date) {
	l.add(models.Entry{Type: models.EntryOCR, Amount: -amount, TransactionDate: on})
	l.recalculate(on)
}

func (l *ledger) recalculate(after models.Date) {
	found, err := law.Recalculate(l.entries, l.notices, l.recalculations, after, l.known)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, x := range found {
		l.reversed = append(l.reversed, fmt.Sprintf("%d: %s %s", x.Notice.Sequence, x.Fee, x.Interest))
		l.add(models.Entry{Type: models.EntryOverdueCharge, Amount: -x.Fee, NoticeID: x.Notice.ID})
		l.add(models.Entry{Type: models.EntryInterest, Amount: -x.Interest, NoticeID: x.Notice.ID})
		text, err := x.Sheet.JSON()
		if err != nil {
			l.t.Fatal(err)
		}
		l.recalculations = append(l.recalculations, models.Recalculation{NoticeID: x.Notice.ID, Sheet: text})
	}
}

// charged returns what is charged of a notice: the fee and the interest.
func (l *ledger) charged(n models.Notice) (fee, interest models.Amount) {
	for _, e := range l.entries {
		switch {
		case e.NoticeID != n.ID:
		case e.Type == models.EntryInterest:
			interest += e.Amount
		default:
			fee += e.Amount
		}
	}
	return fee, interest
}

// TestL4Recalculation reckons notices of 10 000 kroner due on Monday 2 February 2026, at 12 percent, again. The first
// is of 16 February: 14 days are 46.03. The second is of 16 March: 28 days are 92.05. Each has a fee of 35.00. The
// amounts are computed by hand.
func TestL4Recalculation(t *testing.T) {
	t.Parallel()
	const (
		beforeDue, onDue, dayAfter, fourth    = "2026-01-30", "2026-02-02", "2026-02-03", "2026-02-04"
		ofFirst, betweenThem, ofSecond, later = "2026-02-16", "2026-02-26", "2026-03-16", "2026-03-20"
	)
	first := func(l *ledger) { l.notice(day(ofFirst), 35_00) }
	second := func(l *ledger) { l.notice(day(ofSecond), 35_00) }
	book := func(amount, on string) func(*ledger) { return func(l *ledger) { l.book(kroner(amount), day(on)) } }
	byHand := func(kind models.EntryType, amount string) func(*ledger) {
		return func(l *ledger) {
			l.add(models.Entry{Type: kind, Amount: -kroner(amount), TransactionDate: day(ofFirst)})
		}
	}
	tests := []struct {
		why  string
		what []func(*ledger)
		want string // of each recalculation: the notice, its fee and interest reversed
	}{
		{"all of it on the due date: the notice should not have been", []func(*ledger){first, book("10000.00", onDue)}, "1: 35.00 46.03"},
		{"9000 on the next day: 1 day of 10000 is 3.29, 13 of 1000 are 4.27", []func(*ledger){first, book("9000.00", dayAfter)}, "1: 0.00 38.47"},
		{"all of it on the next day: nothing was owed, but a day's interest had run", []func(*ledger){first, book("10000.00", dayAfter)}, "1: 35.00 42.74"},
		{"more than all of it", []func(*ledger){first, book("10100.00", onDue)}, "1: 35.00 46.03"},
		{"all but an øre", []func(*ledger){first, book("9999.99", onDue)}, "1: 0.00 46.03"},
		{"on the day before the notice: one day of 10000 is 3.29", []func(*ledger){first, book("10000.00", "2026-02-15")}, "1: 35.00 3.29"},
		{"on the day of the notice it is not earlier", []func(*ledger){first, book("10000.00", ofFirst)}, ""},
		{"after the notice", []func(*ledger){first, book("10000.00", later)}, ""},
		{"booked in time", []func(*ledger){book("9000.00", dayAfter), first}, ""},
		{"two part payments, the later one booked first", []func(*ledger){first, book("4000.00", fourth), book("6000.00", onDue)}, "1: 0.00 15.78, 1: 35.00 27.62"},
		{
			"two notices for what was paid in time",
			[]func(*ledger){first, second, book("10000.00", onDue)},
			"1: 35.00 46.03, 2: 35.00 92.05",
		},
		{
			"paid between the notices: of the second 10 days are right, 32.88, and its fee, as 81.03 was owed",
			[]func(*ledger){first, second, book("10000.00", betweenThem)},
			"2: 0.00 59.17",
		},
		{
			"paid between them with what the first had charged: nothing was owed when the second was issued",
			[]func(*ledger){first, second, book("10081.03", betweenThem)},
			"2: 35.00 59.17",
		},
		{
			"paid between them with what the first had rightly charged, as is found out later",
			[]func(*ledger){first, second, book("1042.56", betweenThem), book("9000.00", dayAfter)},
			"2: 0.00 6.16, 1: 0.00 38.47, 2: 35.00 82.60",
		},
		{"deleted and booked again: no second reversal", []func(*ledger){
			first, book("9000.00", dayAfter), book("-9000.00", dayAfter), book("9000.00", dayAfter),
		}, "1: 0.00 38.47"},
		{"taken back, and more booked: the rest is reversed", []func(*ledger){
			first, book("9000.00", dayAfter), book("-9000.00", dayAfter), book("10000.00", onDue),
		}, "1: 0.00 38.47, 1: 35.00 7.56"},
		{"taken back, and less booked: nothing is charged again", []func(*ledger){
			first, book("9000.00", dayAfter), book("-9000.00", dayAfter), book("100.00", onDue),
		}, "1: 0.00 38.47"},
		{"a payment that the notice knew was taken back: 14 days of 1150 are 5.29, not twice 2.65", []func(*ledger){
			book("5000.00", "2026-02-09"), first, book("-5000.00", "2026-02-09"), book("8850.00", onDue),
		}, "1: 0.00 29.23"},
		{"a part was reversed by hand", []func(*ledger){
			first, byHand(models.EntryInterest, "20.00"), book("9000.00", dayAfter),
		}, "1: 0.00 18.47"},
		{"all that was too much was reversed by hand", []func(*ledger){
			first, byHand(models.EntryInterest, "38.47"), byHand(models.EntryOverdueCharge, "35.00"), book("9000.00", dayAfter),
		}, ""},
		{"more was reversed by hand than was too much", []func(*ledger){
			first, byHand(models.EntryInterest, "46.03"), book("9000.00", dayAfter),
		}, ""},
		{"what was reversed by hand before the second notice is of the first", []func(*ledger){
			first, byHand(models.EntryOverdueCharge, "35.00"), byHand(models.EntryInterest, "46.03"), second, book("10000.00", onDue),
		}, "2: 35.00 92.05"},
		{"what was reversed by hand after both counts against what is too much", []func(*ledger){
			first, second, byHand(models.EntryOverdueCharge, "35.00"), book("10000.00", betweenThem), book("81.03", betweenThem),
		}, "2: 0.00 59.17"},
		{"money of the notice's day that it knew", []func(*ledger){
			book("4000.00", ofFirst), first, book("6000.00", beforeDue),
		}, "1: 35.00 27.62"},
		{"money of the notice's day that it did not know", []func(*ledger){
			first, book("4000.00", ofFirst), book("6000.00", beforeDue),
		}, "1: 0.00 27.62"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			l := newLedger(t, "10000.00", onDue)
			for _, do := range tt.what {
				do(l)
			}
			if got := strings.Join(l.reversed, ", "); got != tt.want {
				t.Errorf("reversed was %q, want %q", got, tt.want)
			}
		})
	}
}

// TestL4AnyOrderOfBookings books payments in any order before, between and after two notices. In the end each notice has
// charged what is right by the entries' dates, as package testlaw reckons it, and never more than before. The order can
// matter by the rounding alone, in the customer's favour.
func TestL4AnyOrderOfBookings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := newLedger(t, "10000.00", "2025-11-03")
		due := l.invoice.DueDate
		issued := []models.Date{dateIn(t, "first", due+1, due+60), 0}
		issued[1] = dateIn(t, "second", issued[0]+1, issued[0]+60)
		pay := func(after, through models.Date) {
			for range rapid.IntRange(0, 2).Draw(t, "payments") {
				before := l.notices
				var left [][2]models.Amount
				for _, n := range before {
					fee, interest := l.charged(n)
					left = append(left, [2]models.Amount{fee, interest})
				}
				l.book(models.Amount(rapid.Int64Range(1, 6000_00).Draw(t, "amount")), dateIn(t, "of", after, through))
				for i, n := range before {
					if fee, interest := l.charged(n); fee > left[i][0] || interest > left[i][1] || fee < 0 || interest < 0 {
						t.Fatalf("of notice %d there were charged %s, and now %s and %s", n.Sequence, left[i], fee, interest)
					}
				}
			}
		}
		known := []int{0, 0} // how many entries each notice knew
		for i, on := range issued {
			pay(due-10, on)
			if known[i] = len(l.entries); balance(l.entries) > 0 {
				l.notice(on, 35_00)
			}
		}
		pay(due-10, issued[1]+10)

		var charged models.Amount // rightly, by the notices so far
		var chargedTo models.Date
		for i, n := range l.notices {
			wantFee, owed := models.Amount(35_00), charged
			for k, e := range l.entries {
				if e.NoticeID == 0 && (k < known[i] || e.TransactionDate < n.IssueDate) {
					owed += e.Amount
				}
			}
			if owed <= 0 {
				wantFee = 0
			}
			wantInterest := testlaw.Claim{
				Due: due, ChargedTo: chargedTo, Unpaid: l.unpaid,
				Rate: func(on models.Date) models.Percent { rate, _ := law.Default().InterestRate(on); return rate },
			}.Interest(n.IssueDate)
			// Each payment cuts the interest into one more part, which is rounded. So one more payment may make the right
			// interest an øre higher, and that øre is not charged again.
			most := min(wantInterest, n.Interest)
			fee, interest := l.charged(n)
			if fee != wantFee || interest > most || interest < most-models.Amount(len(l.entries)) {
				t.Fatalf("notice %d of %s has charged %s and %s, right are %s and %s\n%+v", n.Sequence, n.IssueDate, fee, interest, wantFee, wantInterest, l.entries)
			}
			charged += fee + interest
			if n.Interest > 0 {
				chargedTo = n.IssueDate
			}
		}
	})
}

// unpaid returns the principal that is unpaid in the morning of a day.
func (l *ledger) unpaid(morning models.Date) (principal models.Amount) {
	for _, e := range l.entries {
		if e.NoticeID == 0 && e.TransactionDate < morning {
			principal += e.Amount
		}
	}
	return max(principal, 0)
}
