//go:build whole

package lives_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit/rows"
)

// TestTheJudgeFindsWhatIsWrong gives the judge the rows of an invoice that was lawfully dunned and handed over, in which he finds nothing,
// and then the same with one thing wrong.
func TestTheJudgeFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		wrong string
		spoil func(*judge)
		want  string // kinds of findings
	}{
		{"nothing", func(*judge) {}, ""},
		{"the invoice left four days late", func(j *judge) { j.letter1().left += 4 }, "fee interest"},
		{"the invoice left after the reminder", func(j *judge) { j.letter1().left += 15 }, "not left fee interest"},
		{"the invoice came back before the reminder", func(j *judge) { j.letter1().back = rows.Day("2025-01-10") }, "not left not left fee interest"},
		{"the invoice came back after the warning", func(j *judge) { j.letter1().back = rows.Day("2025-02-20") }, ""},
		{"the reminder left a day late, as was told after the warning", func(j *judge) { j.late(1, 1, "2025-02-20") }, "counts fee"},
		{"the reminder left six days late, and its deadline is too near", func(j *judge) { j.late(1, 6, "2025-02-20") }, "too short fee"},
		{"the warning came while the reminder ran", func(j *judge) { j.notices[1].issued -= 15; j.late(2, -15, "2025-02-03") }, "second fee interest"},
		{"the reminder's letter failed", func(j *judge) { j.post[document{models.NoticeDocument, 1}][0].failed = time.Unix(1, 0) }, "failed"},
		{"the warning left late, as was told before the hand-over", func(j *judge) { j.late(2, 5, "2025-03-01"); j.notices[1].counts = j.notices[1].due + 5 }, "hand-over"},
		{"the warning left late, as was told after the hand-over", func(j *judge) { j.late(2, 5, "2025-03-20"); j.notices[1].counts = j.notices[1].due + 5 }, "hand-over"},
		{"the same, and an event says so", func(j *judge) {
			j.late(2, 5, "2025-03-20")
			j.notices[1].counts, j.told = j.notices[1].due+5, func(int64) int { return 1 }
		}, ""},
		{"the warning was withdrawn after the hand-over, and nobody was told", func(j *judge) { j.notices[1].withdrawn = j.handOvers[0].on + 1 }, "fee interest hand-over"},
		{"no warning was sent", func(j *judge) { j.notices[1].warning = false }, "unwarned"},
		{"the interest is an øre too much, besides its rounding", func(j *judge) { j.charge(models.EntryInterest, 3) }, "interest"},
		{"a fee is charged for nothing", func(j *judge) { j.charge(models.EntryOverdueCharge, 1) }, "fee"},
		{"more is taken back than was charged", func(j *judge) { j.charge(models.EntryOverdueCharge, -70_01) }, "taken back"},
		{"the balance is another", func(j *judge) { j.invoices[0].balance++ }, "balance"},
		{"money was paid out that nobody paid", func(j *judge) { j.charge(models.EntryPayment, 500_00) }, "principal"},
		{"the same, as a repayment", func(j *judge) { j.charge(models.EntryPayment, 500_00); j.invoices[0].repaysOwing = 500_00 }, ""},
		{"a repayment is owed that nobody paid out", func(j *judge) { j.invoices[0].repaysOwing = 1 }, "repayment"},
		{"a credit note lowers the claim by less than its gross", func(j *judge) { j.credits = []creditNote{{7, 1, 1, 0}} }, "principal"},
		{"credit was moved away from an invoice that owes", func(j *judge) {
			j.charge(models.EntryPayment, -100_00)
			j.charge(models.EntryPayment, 100_00)
			j.entries = append(j.entries, entry{id: 99, invoice: 2, movedFrom: j.entries[len(j.entries)-1].id, kind: models.EntryPayment, amount: -100_00})
		}, "moved"},
		{"a letter asks for more than was invoiced", func(j *judge) { j.lines[2] = 1000_01 }, "letter"},
	} {
		j := lawful()
		test.spoil(j)
		var kinds []string
		for _, f := range j.all() {
			kinds = append(kinds, f.kind)
		}
		if got := strings.Join(kinds, " "); got != test.want {
			t.Errorf("%s: the judge finds %q, want %q", test.wrong, got, test.want)
		}
	}
}

// lawful returns the rows of an invoice of 6 January 2025 over 1000.00, due at once: a reminder on 20 January, a warning on 18 February,
// the hand-over on 12 March.
func lawful() *judge {
	at := func(day string) time.Time { return moment(day + " 06:00") }
	j := &judge{post: post{}, byHand: map[int64]bool{}, told: func(int64) int { return 0 }}
	due := rows.Day("2025-01-06")
	j.invoices = []invoice{{id: 1, customer: 1, issued: due, due: due, gross: 1000_00, balance: 1000_00, handedOver: rows.Day("2025-03-12")}}
	j.entries = []entry{{id: 1, invoice: 1, kind: models.EntryInvoice, amount: 1000_00, on: due}}
	j.notices = []notice{
		{id: 1, invoice: 1, customer: 1, sequence: 1, issued: rows.Day("2025-01-20"), due: rows.Day("2025-02-04"), fee: 35_00, interest: 4_79, made: at("2025-01-20")},
		{id: 2, invoice: 1, customer: 1, sequence: 2, warning: true, issued: rows.Day("2025-02-18"), due: rows.Day("2025-03-10"), fee: 35_00, interest: 9_93, made: at("2025-02-18")},
	}
	j.post[document{models.InvoiceDocument, 1}] = []*sending{{left: due}}
	j.lines = map[int64]models.Amount{1: 1000_00, 2: 1000_00}
	for _, n := range j.notices {
		j.post[document{models.NoticeDocument, n.id}] = []*sending{{left: n.issued}}
		j.charge(models.EntryOverdueCharge, n.fee)
		j.charge(models.EntryInterest, n.interest)
	}
	j.handOvers = []handOver{{invoice: 1, on: rows.Day("2025-03-12"), made: at("2025-03-12")}}
	return j
}

// letter1 returns what became of the invoice's letter.
func (j *judge) letter1() *sending { return j.post[document{models.InvoiceDocument, 1}][0] }

// late has the letter of a notice leave some days late, as is told on a day.
func (j *judge) late(noticeID int64, days models.Date, known string) {
	s := j.post[document{models.NoticeDocument, noticeID}][0]
	s.left, s.known = s.left+days, moment(known+" 12:00")
}

// charge posts an entry on the invoice.
func (j *judge) charge(kind models.EntryType, amount models.Amount) {
	j.entries = append(j.entries, entry{id: int64(len(j.entries) + 1), invoice: 1, kind: kind, amount: amount, on: rows.Day("2025-03-12")})
	j.invoices[0].balance += amount
}

// TestAPaymentPointsAtWhomItPointedAt has a payment of 499.00 point at nobody while two owe as much, then at the one who is left, and at him
// still when he owes less.
func TestAPaymentPointsAtWhomItPointedAt(t *testing.T) {
	t.Parallel()
	var q queue
	b := books{payments: []payment{{id: 1, amount: 499_00, open: true}}, invoices: []invoice{{id: 1, customer: 1, balance: 499_00}, {id: 2, customer: 2, balance: 499_00}}}
	next := int64(0)
	noticed := func() string {
		var told []int64
		next += 2
		b.notices = []notice{{id: next - 1, invoice: 1, customer: 1}, {id: next, invoice: 2, customer: 2}}
		for _, f := range q.wrong(b) {
			told = append(told, f.invoice)
		}
		slices.Sort(told)
		return fmt.Sprint(told)
	}
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"two owe as much", func() {}, "[]"},
		{"one is left", func() { b.invoices[0].balance = 0 }, "[2]"},
		{"he owes less", func() { b.invoices[1].balance = 400_00 }, "[2]"},
		{"another one owes as much, with a repayment", func() { b.invoices[0].balance, b.invoices[0].repaysOwing = 998_00, 499_00 }, "[1 2]"},
		{"the payment came anew, while one of two owes as much with a repayment", func() {
			b.payments = []payment{{id: 2, amount: 499_00, open: true}}
			b.invoices[0].repaysOwing, b.invoices[0].balance = 100_00, 499_00
			b.invoices[1].balance = 499_00
		}, "[]"},
		{"he pays the repayment", func() { b.invoices[0].repaysOwing, b.invoices[0].balance = 0, 399_00 }, "[2]"},
		{"the payment is matched", func() { b.payments[0].open = false }, "[]"},
	} {
		step.do()
		q.point(b, 1)
		if got := noticed(); got != step.want {
			t.Errorf("%s: notices to customers at whom the payment points on invoices %s, want %s", step.what, got, step.want)
		}
	}
}
