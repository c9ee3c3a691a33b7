package foreign

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"purr/models"
)

// reader fills a set.
type reader struct {
	set       *Set
	faults    *Faults
	byNumber  map[string]int32 // invoices
	customers map[string]int32
}

// Read reads the three files whole. Its error is a *Faults where something in them cannot be taken; then nothing is judged. It takes about 250 bytes of memory
// for each row: what is joined must be held.
func Read(ctx context.Context, source *Source) (*Set, error) {
	r := &reader{new(Set), new(Faults), make(map[string]int32), make(map[string]int32)}
	for i, do := range []func(*table){r.invoice, r.payment, r.letter} {
		if err := r.file(ctx, source, i, do); err != nil {
			return nil, err
		}
	}
	r.sameLetters()
	for i := range r.set.invoices {
		r.takenBack(&r.set.invoices[i])
	}
	r.faults.sort()
	if err := r.faults.whenAny(); err != nil {
		return nil, err
	}
	return r.set, nil
}

func (r *reader) file(ctx context.Context, source *Source, i int, do func(*table)) error {
	file := Files[i]
	in, err := source.open[file.Name]()
	if err != nil {
		return err
	}
	rows, sum, err := readTable(in, file.Name, file.Columns, r.faults, func(t *table) {
		if ctx.Err() == nil {
			do(t)
		}
	})
	if err = errors.Join(err, in.Close(), ctx.Err()); err != nil {
		return err
	}
	r.set.Files = append(r.set.Files, File{file.Name, sum, rows})
	return nil
}

func (r *reader) invoice(t *table) {
	i := invoice{
		number: wanted(t, "invoice", parseText), customer: r.customer(wanted(t, "customer", parseText)), line: int32(t.line),
		trader: wanted(t, "debtor", func(s string) (bool, error) { return parseWord(s, debtors) }),
		issued: field(t, "issued", parseDate), due: wanted(t, "due", parseDate), disputed: field(t, "disputed", parseDate),
		gross: wanted(t, "amount", parseAmount), isAgreed: t.text("agreed_rate") != "", agreed: field(t, "agreed_rate", parsePercent),
		payment: none, letter: none,
	}
	if i.gross < 0 {
		t.fault("amount", "is below zero: a credit note stands in payments.csv")
	}
	if i.issued != 0 && i.due != 0 && i.due < i.issued {
		t.fault("due", "%s is before the invoice's date, %s", i.due, i.issued)
	}
	if t.text("net") != "" && t.text("vat") != "" {
		if sum := field(t, "net", parseAmount) + field(t, "vat", parseAmount); t.taken && sum != i.gross {
			t.fault("amount", "%s is not the sum of net and vat, %s", i.gross, sum)
		}
	}
	if at, twice := r.byNumber[i.number]; twice {
		t.fault("invoice", "%.60q stands in line %d too", i.number, r.set.invoices[at].line)
		return
	}
	r.byNumber[i.number] = int32(len(r.set.invoices))
	r.set.invoices = append(r.set.invoices, i)
}

// customer returns a customer's place among the set's.
func (r *reader) customer(name string) int32 {
	at, known := r.customers[name]
	if !known {
		at = int32(len(r.set.customers))
		r.customers[name] = at
		r.set.customers = append(r.set.customers, name)
	}
	return at
}

// invoiceOf returns the place of the invoice that a row names, and false if there is none.
func (r *reader) invoiceOf(t *table) (int32, bool) {
	number := wanted(t, "invoice", func(s string) (string, error) { return s, nil })
	at, known := r.byNumber[number]
	if !known && number != "" {
		t.fault("invoice", "%.60q is not in invoices.csv", number)
	}
	return at, known
}

func (r *reader) payment(t *table) {
	p := payment{amount: wanted(t, "amount", parseAmount), date: wanted(t, "date", parseDate), line: int32(t.line)}
	p.credit = field(t, "kind", func(s string) (bool, error) { return parseWord(s, moneyKinds) })
	if p.credit && p.amount < 0 {
		t.fault("amount", "a credit note is not taken back: leave the row out")
	}
	if at, known := r.invoiceOf(t); known {
		p.next, r.set.invoices[at].payment = r.set.invoices[at].payment, int32(len(r.set.payments))
		r.set.payments = append(r.set.payments, p)
	}
}

func (r *reader) letter(t *table) {
	l := letter{
		number: wanted(t, "notice", parseText), line: int32(t.line), date: wanted(t, "date", parseDate), sent: field(t, "sent", parseDate),
		kind:     wanted(t, "kind", parseKind),
		deadline: field(t, "due", parseDate), fee: field(t, "fee", parseAmount), compensation: field(t, "compensation", parseAmount),
		interest: field(t, "interest", parseAmount), interestTo: field(t, "interest_to", parseDate), waived: field(t, "waived", parseAmount),
	}
	l.sent = cmp.Or(l.sent, l.date)
	l.interestTo = cmp.Or(l.interestTo, l.date)
	for _, column := range []string{"fee", "compensation", "interest", "waived"} {
		if amount, err := parseAmount(t.text(column)); err == nil && amount < 0 {
			t.fault(column, "is below zero: what was let off stands in waived")
		}
	}
	sum := l.fee + l.compensation + l.interest
	if t.text("charged") != "" {
		if charged := field(t, "charged", parseAmount); t.taken && charged != sum {
			t.fault("charged", "%s is not the sum of fee, compensation and interest, %s", charged, sum)
		}
	}
	if t.taken && l.waived > sum {
		t.fault("waived", "%s is more than the letter charges, %s", l.waived, sum)
	}
	at, known := r.invoiceOf(t)
	if !known {
		return
	}
	l.invoice = at
	l.next, r.set.invoices[at].letter = r.set.invoices[at].letter, int32(len(r.set.letters))
	r.set.letters = append(r.set.letters, l)
}

// sameLetters looks for letters that stand there twice, and for those on several invoices that charge more than one fee.
func (r *reader) sameLetters() {
	letters, invoices := r.set.letters, r.set.invoices
	order := make([]int32, len(letters))
	for i := range order {
		order[i] = int32(i)
	}
	due := func(i int32) models.Date { return invoices[letters[i].invoice].due }
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(letters[a].number, letters[b].number), cmp.Compare(due(a), due(b)),
			cmp.Compare(letters[a].invoice, letters[b].invoice), cmp.Compare(a, b))
	})
	fee := false
	for n, at := range order {
		l := &letters[at]
		if n == 0 || letters[order[n-1]].number != l.number {
			fee = l.fee > 0
			continue
		}
		before := letters[order[n-1]]
		switch {
		case before.invoice == l.invoice:
			r.faults.add(Fault{Files[2].Name, int(l.line), "notice", "the notice on this invoice stands in line " + lineText(before.line) + " too"})
		case l.fee > 0 && fee:
			l.secondFee = true
		}
		fee = fee || l.fee > 0
	}
}

// takenBack looks whether more was taken back than was paid.
func (r *reader) takenBack(i *invoice) {
	sum, last := models.Amount(0), int32(0)
	for at := i.payment; at != none; at = r.set.payments[at].next {
		p := r.set.payments[at]
		sum += p.amount
		if p.amount < 0 {
			last = max(last, p.line)
		}
	}
	if sum < 0 {
		r.faults.add(Fault{Files[1].Name, int(last), "amount", "on this invoice " + (-sum).String() + " more is taken back than was paid"})
	}
}
