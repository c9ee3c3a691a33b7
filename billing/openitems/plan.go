package openitems

import (
	"context"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// What says what a list does to an invoice.
type What string

// What a listener is told of.
const (
	Paid    What = "paid"    // it is no longer in the list
	Balance What = "balance" // another amount is owed of it
	Differs What = "differs" // left for a person
)

// News is what a list does to an adopted invoice.
type News struct {
	Line   int // zero of an invoice that is not in the list
	Number int64
	What   What
	Was    models.Amount // what was owed, without purr's own charges
	Now    models.Amount // what the list says
	Left   models.Amount // of Differs: what cannot be taken back; zero if it is another invoice
}

// known is what the database knows of some rows.
type known struct {
	invoices  map[int64]store.AdoptedInvoice
	kids      map[string]store.Reference
	customers map[string]int64
}

// look reads what is known of rows: of those that are new also whether their KIDs are taken, and their customers.
func (t *taking) look(ctx context.Context, rows []*row) (k known, err error) {
	numbers := make([]int64, len(rows))
	for n, r := range rows {
		numbers[n] = r.adoption.Number
	}
	if k.invoices, err = t.db.AdoptedInvoices(ctx, t.creditor.ID, numbers); err != nil {
		return known{}, err
	}
	var kids, customers []string
	for _, r := range rows {
		if _, is := k.invoices[r.adoption.Number]; is {
			continue
		}
		kids = append(kids, r.adoption.KID)
		if number := r.customer.Recipient.CustomerNumber; number != "" {
			customers = append(customers, number)
		}
		if err := t.ownAccount(ctx, r.adoption.BankAccount); err != nil {
			return known{}, err
		}
	}
	if len(kids) == 0 {
		return k, nil
	}
	if k.kids, err = t.db.ReferencesOf(ctx, t.creditor.ID, kids); err != nil {
		return known{}, err
	}
	k.customers, err = t.db.CustomersByNumber(ctx, t.creditor.ID, customers)
	return k, err
}

// ownAccount learns whether an account is the creditor's.
func (t *taking) ownAccount(ctx context.Context, account string) error {
	if _, is := t.accounts[account]; is || !models.ValidBankAccount(account) {
		return nil
	}
	held, err := t.db.BankAccount(ctx, account)
	if err != nil {
		return err
	}
	t.accounts[account] = held != nil && held.CreditorID == t.creditor.ID
	return nil
}

// plan reads the list, and tells all that is wrong with it and what it would change.
func (t *taking) plan(ctx context.Context) error {
	return t.read(ctx, false, func(ctx context.Context, rows []*row) error {
		k, err := t.look(ctx, rows)
		if err != nil {
			return err
		}
		for _, r := range rows {
			t.result.Rows++
			if err := t.planRow(ctx, r, k); err != nil {
				return err
			}
			for _, f := range r.faults {
				t.fault(f)
			}
		}
		return nil
	})
}

func (t *taking) planRow(ctx context.Context, r *row, k known) error {
	if r.adoption.Number == 0 {
		return nil
	}
	if line, is := t.numbers[r.adoption.Number]; is {
		r.fault("invoice_number", "repeated", "is the number of line %d too", line)
		return nil
	}
	t.numbers[r.adoption.Number] = r.line
	i, is := k.invoices[r.adoption.Number]
	switch {
	case !is:
		t.check(r, k)
		t.result.Adopted++
		t.todo[r.adoption.Number] = true
	case r.isOther(i) && !t.options.Sync:
		r.fault("invoice_number", "number_taken", "another invoice has the number %d", i.Number)
	case r.isOther(i):
		t.result.Differs++
		t.news(News{Line: r.line, Number: i.Number, What: Differs, Was: i.Owed(), Now: r.adoption.Balance})
	case t.options.Sync:
		return t.planBalance(ctx, r, i)
	default:
		t.result.Known++
	}
	return nil
}

// isOther reports whether the row is of another invoice than the one that has its number. What a row of Sync leaves out is as it is.
func (r *row) isOther(i store.AdoptedInvoice) bool {
	a := r.adoption
	return r.has["gross_amount"] && a.Gross != i.Gross || r.has["kid"] && a.KID != i.KID ||
		r.has["issue_date"] && a.IssueDate != i.IssueDate || r.has["due_date"] && a.DueDate != i.DueDate
}

// planBalance tells what a row of a known invoice would change.
func (t *taking) planBalance(ctx context.Context, r *row, i store.AdoptedInvoice) error {
	told := ledger.Told{Number: i.Number, Balance: r.adoption.Balance}
	if r.adoption.Balance == i.Owed() {
		t.result.Known++
		return nil
	}
	var entries []models.Entry
	if r.adoption.Balance > i.Owed() {
		var err error
		if entries, err = t.db.EntriesOfInvoice(ctx, i.ID); err != nil {
			return err
		}
	}
	change, err := told.Change(i, entries)
	if err != nil {
		r.merge(faultsOf(err))
		return nil
	}
	if change.Differs != 0 {
		t.result.Differs++
		t.news(News{Line: r.line, Number: i.Number, What: Differs, Was: change.Was, Now: told.Balance, Left: change.Differs})
	}
	if change.Paid == 0 && change.Raised == 0 {
		return nil
	}
	t.result.Changed++
	t.todo[i.Number] = true
	if told.Balance == 0 && i.Owed() > 0 {
		t.zeros++
	}
	t.news(News{Line: r.line, Number: i.Number, What: Balance, Was: change.Was, Now: change.Was - change.Paid + change.Raised})
	return nil
}

// check finds what is wrong with a row of an invoice that is new.
func (t *taking) check(r *row, k known) {
	a := r.adoption
	number := r.customer.Recipient.CustomerNumber
	if _, is := k.customers[number]; !is {
		a.NewCustomer = &r.customer
	}
	if number == "" {
		r.fault("customer_number", "required", "is required: by it the customer is found, or made")
	}
	if a.NewCustomer != nil && a.NewCustomer.Recipient.Address1 == "" {
		r.fault("address1", "required", "is required")
	}
	if a.Number >= t.creditor.FirstNumber {
		r.fault("invoice_number", "number_in_series", "%d is in the creditor's own series, which begins at %d", a.Number, t.creditor.FirstNumber)
	}
	if _, is := k.kids[a.KID]; is {
		r.fault("kid", "kid_taken", "another document has the KID %s", a.KID)
	}
	if line, is := t.kids[a.KID]; is && a.KID != "" {
		r.fault("kid", "repeated", "is the KID of line %d too", line)
	}
	t.kids[a.KID] = r.line
	if own, asked := t.accounts[a.BankAccount]; asked && !own && a.BankAccount != t.creditor.BankAccount {
		r.fault("bank_account", "unknown_account", "is none of the creditor's accounts: payments to it would be nobody's")
	}
	r.merge(a.Validate(t.creditor, t.today))
}
