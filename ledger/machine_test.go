package ledger_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// book is a model of the ledger of one invoice: it has every entry that the ledger must have.
type book struct {
	invoice, note []posting
	credited      bool
	writtenOff    models.Amount // by a run (rule L25)
}

// free returns the customer's free credit on the invoice.
func (b *book) free() models.Amount { return max(b.writtenOff-sum(b.invoice), 0) }

type posting struct {
	kind   models.EntryType
	amount models.Amount
	id     int64 // of a manual registration
}

func sum(postings []posting, kinds ...models.EntryType) (total models.Amount) {
	for _, p := range postings {
		if len(kinds) == 0 || slices.Contains(kinds, p.kind) {
			total += p.amount
		}
	}
	return total
}

// settle follows rule D21 by the money: payments cover the principal, then the interest, then the fees.
func (b *book) settle() {
	principal := sum(b.invoice, models.EntryInvoice)
	interest, fees := sum(b.invoice, models.EntryInterest), sum(b.invoice, models.EntryOverdueCharge)
	in := -sum(b.invoice, models.EntryPayment, models.EntryOCR, models.EntryCreditNote)
	cover := func(part models.Amount) (left models.Amount) {
		covered := min(max(in, 0), part)
		in -= covered
		return part - covered
	}
	owed := cover(principal)
	unpaidInterest := cover(interest)
	unpaidFees := cover(fees)
	b.invoice = append(b.invoice, posting{kind: models.EntryOverdueCharge, amount: -unpaidFees}, posting{kind: models.EntryInterest, amount: -unpaidInterest})
	if setOff := min(owed, -sum(b.note)); setOff > 0 {
		b.invoice = append(b.invoice, posting{kind: models.EntryCreditNote, amount: -setOff})
		b.note = append(b.note, posting{kind: models.EntryCreditNote, amount: setOff})
	}
}

// machine makes the same acts on the model and the ledger.
type machine struct {
	t    *rapid.T
	real *account
	book book
}

func (m *machine) amount(most models.Amount) models.Amount {
	return models.Amount(rapid.Int64Range(1, int64(most)).Draw(m.t, "amount"))
}

// registered checks that the ledger accepted a registration if and only if the model allows it.
func (m *machine) registered(on *[]posting, kind models.EntryType, amount models.Amount, allowed bool, e models.Entry, err error) {
	switch {
	case allowed != (err == nil), err != nil && rows.Faults(err) != "amount amount_too_large":
		m.t.Fatalf("%s of %s is allowed: %t, and came back as %v", kind, amount, allowed, err)
	case allowed:
		*on = append(*on, posting{kind, amount, e.ID})
	}
}

func (m *machine) pay() {
	amount := -m.amount(1500_00)
	e, err := m.real.register(ledger.Payment{Amount: amount, Date: rows.Today})
	m.registered(&m.book.invoice, models.EntryPayment, amount, true, e, err)
}

func (m *machine) repay() {
	amount := m.amount(500_00)
	e, err := m.real.register(ledger.Payment{Amount: amount, Date: rows.Today})
	m.registered(&m.book.invoice, models.EntryPayment, amount, amount <= m.book.free(), e, err)
}

func (m *machine) charge() {
	if m.book.writtenOff > 0 {
		return // nothing is charged on what is closed
	}
	kind := rapid.SampledFrom([]models.EntryType{models.EntryOverdueCharge, models.EntryInterest}).Draw(m.t, "kind")
	amount := m.amount(70_00)
	m.real.charge(kind, amount)
	m.book.invoice = append(m.book.invoice, posting{kind: kind, amount: amount})
}

func (m *machine) reverse() {
	kind := rapid.SampledFrom([]models.EntryType{models.EntryOverdueCharge, models.EntryInterest}).Draw(m.t, "kind")
	amount := -m.amount(70_00)
	e, err := m.real.register(ledger.Payment{Amount: amount, Date: rows.Today, Type: kind})
	m.registered(&m.book.invoice, kind, amount, -amount <= sum(m.book.invoice, kind), e, err)
}

func (m *machine) credit() {
	if m.book.credited {
		return
	}
	m.real.credit()
	m.book.credited, m.book.writtenOff = true, 0
	m.book.note = []posting{{kind: models.EntryCreditNote, amount: -sum(m.book.invoice, models.EntryInvoice)}}
	m.book.settle()
}

func (m *machine) payOut() {
	if !m.book.credited {
		return
	}
	amount := m.amount(1000_00)
	e, err := m.real.registerOnNote(ledger.Payment{Amount: amount, Date: rows.Today})
	m.registered(&m.book.note, models.EntryPayment, amount, amount <= -sum(m.book.note), e, err)
}

func (m *machine) remove() {
	byHand := func(p posting) bool { return p.kind == models.EntryPayment }
	var payments []posting
	for _, p := range slices.Concat(m.book.invoice, m.book.note) {
		if byHand(p) {
			payments = append(payments, p)
		}
	}
	if len(payments) == 0 {
		return
	}
	gone := rapid.SampledFrom(payments).Draw(m.t, "payment")
	must(m.real.t, m.real.remove(gone.id))
	isGone := func(p posting) bool { return byHand(p) && p.id == gone.id }
	m.book.invoice = slices.DeleteFunc(m.book.invoice, isGone)
	m.book.note = slices.DeleteFunc(m.book.note, isGone)
	if m.book.credited {
		m.book.settle()
	}
	if sum(m.book.invoice) > m.book.writtenOff { // more is owed: the invoice is opened again
		m.book.writtenOff = 0
	}
}

// writeOff closes the invoice as a run does for a small remainder, where some of the principal is left and no repayment is owed.
func (m *machine) writeOff() {
	paidOut := func(p posting) bool { return p.kind == models.EntryPayment && p.amount > 0 } // of a surplus, or it is owed
	left := sum(m.book.invoice, models.EntryInvoice, models.EntryPayment)
	if m.book.credited || m.book.writtenOff > 0 || left <= 0 || slices.ContainsFunc(m.book.invoice, paidOut) {
		return
	}
	m.real.writeOff()
	m.book.writtenOff = left
	for _, kind := range []models.EntryType{models.EntryOverdueCharge, models.EntryInterest} {
		m.book.invoice = append(m.book.invoice, posting{kind: kind, amount: -sum(m.book.invoice, kind)})
	}
}

// claimAgain opens the invoice again, as a person does.
func (m *machine) claimAgain() {
	m.real.claimAgain()
	m.book.writtenOff = 0
}

// check compares the ledger with the model.
func (m *machine) check() {
	a := m.real
	invoice, err := a.db.Invoice(a.t.Context(), a.creditor.ID, a.id)
	must(a.t, err)
	entries, err := a.db.EntriesOfInvoice(a.t.Context(), a.id)
	must(a.t, err)
	m.same("invoice", invoice.Balance, entries, m.book.invoice)
	if invoice.WrittenOff != m.book.writtenOff || invoice.Free() != m.book.free() || m.book.writtenOff > 0 && invoice.Closed != models.ClosedOther {
		m.t.Errorf("%s is written off, %s is free, closed %q; it should be %s and %s", invoice.WrittenOff, invoice.Free(), invoice.Closed, m.book.writtenOff, m.book.free())
	}
	if !m.book.credited {
		return
	}
	note, err := a.db.CreditNote(a.t.Context(), a.creditor.ID, a.note)
	must(a.t, err)
	entries, err = a.db.EntriesOfCreditNote(a.t.Context(), note)
	must(a.t, err)
	m.same("credit note", note.Balance, entries, m.book.note)
	if note.Balance > 0 {
		m.t.Errorf("the credit note's balance is %s", note.Balance)
	}
}

func (m *machine) same(document string, balance models.Amount, entries []models.Entry, want []posting) {
	if total := ledger.TotalsOf(entries).Balance; balance != total || balance != sum(want) {
		m.t.Errorf("the %s's balance is %s, the entries add up to %s, it should be %s", document, balance, total, sum(want))
	}
	for _, kind := range []models.EntryType{
		models.EntryInvoice, models.EntryCreditNote, models.EntryOverdueCharge, models.EntryInterest, models.EntryPayment,
	} {
		var got models.Amount
		for _, e := range entries {
			if e.Type == kind {
				got += e.Amount
			}
		}
		if got != sum(want, kind) {
			m.t.Errorf("on the %s %s is %s, should be %s", document, kind, got, sum(want, kind))
		}
	}
}

// TestLedgerAgreesWithAModel makes random acts on an invoice, in any order.
func TestLedgerAgreesWithAModel(t *testing.T) {
	t.Parallel()
	testkit.Share(t)
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		rapid.Check(t, func(rt *rapid.T) {
			m := &machine{t: rt, real: open(t, db, c)}
			m.book.invoice = []posting{{kind: models.EntryInvoice, amount: 1000_00}}
			steps := map[string]func(){
				"pay": m.pay, "repay": m.repay, "charge": m.charge, "reverse": m.reverse, "credit": m.credit, "pay out": m.payOut, "remove": m.remove,
				"write off": m.writeOff, "claim again": m.claimAgain,
			}
			names := rapid.SampledFrom(slices.Sorted(maps.Keys(steps)))
			for range rapid.IntRange(1, 12).Draw(rt, "steps") {
				steps[names.Draw(rt, "step")]()
				m.check()
			}
		})
		wantNoDifference(t, db, c)
	})
}
