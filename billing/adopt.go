package billing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// Adopted is what became of a request to adopt an invoice.
type Adopted struct {
	Invoice models.Invoice
	Lines   []models.Line
	Notices []models.Notice
	Entries []models.Entry // how it stood when it was adopted
	Err     error          // why it was not adopted; models.Errors if the request has faults

	request Adoption
}

// Adopt follows invoices of another system from today on (rule L17): it writes each with its number and KID, the notices that were sent
// of it, and entries dated today that say how it stands. Nothing of it is sent. It is on the ladder where the other system left it: the
// last notice's due date is its deadline. Adopting names the bank account (rule D101). A refused request has its error in Adopted.Err, and
// nothing is written for it. Adopt locks the creditor, so that its series cannot begin lower meanwhile.
func Adopt(ctx context.Context, tx *store.Tx, creditorID int64, requests []Adoption) ([]Adopted, error) {
	c, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	today, err := c.Today(tx.Now)
	if err != nil {
		return nil, err
	}
	adopted := make([]Adopted, len(requests))
	for i, r := range requests {
		adopted[i] = Adopted{request: r, Err: r.Validate(c, today).ErrorOrNil()}
	}
	if err := refuseTaken(ctx, tx, c, taking(adopted)); err != nil {
		return nil, err
	}
	if err := ownAccounts(ctx, tx, c, taking(adopted)); err != nil {
		return nil, err
	}
	customers, err := adoptedRecipients(ctx, tx, c, taking(adopted))
	if err != nil {
		return nil, err
	}
	all := taking(adopted)
	if len(all) == 0 {
		return adopted, nil
	}
	for _, a := range all {
		a.draft(c, customers[a])
	}
	return adopted, writeAdopted(ctx, tx, c, all, today)
}

// taking returns those that are not refused.
func taking(adopted []Adopted) []*Adopted {
	all := make([]*Adopted, 0, len(adopted))
	for i := range adopted {
		if adopted[i].Err == nil {
			all = append(all, &adopted[i])
		}
	}
	return all
}

// refuseTaken refuses numbers of the creditor's own series, and numbers and KIDs that other documents have.
func refuseTaken(ctx context.Context, tx *store.Tx, c models.Creditor, all []*Adopted) error {
	numbers, kids := make([]int64, len(all)), make([]string, len(all))
	for i, a := range all {
		numbers[i], kids[i] = a.request.Number, a.request.KID
	}
	taken, err := tx.NumbersTaken(ctx, c.ID, numbers)
	if err != nil {
		return err
	}
	sent, err := tx.ReferencesOf(ctx, c.ID, kids)
	if err != nil {
		return err
	}
	for _, a := range all {
		var faults models.Errors
		r := a.request
		switch {
		case r.Number >= c.FirstNumber:
			faults = append(faults, conflictAt("invoice_number", "number_in_series", "%d is in the creditor's own series, which begins at %d", r.Number, c.FirstNumber))
		case taken[r.Number]:
			faults = append(faults, conflictAt("invoice_number", "number_taken", "another invoice has the number %d", r.Number))
		}
		if _, is := sent[r.KID]; is {
			faults = append(faults, conflictAt("kid", "kid_taken", "another document has the KID %s", r.KID))
		}
		a.Err, taken[r.Number], sent[r.KID] = faults.ErrorOrNil(), true, store.Reference{}
	}
	return nil
}

// conflictAt returns a conflict of an element.
func conflictAt(field, code, format string, args ...any) *models.Error {
	return models.Conflict(code, format, args...).Under(models.At(field))
}

// ownAccounts gives the invoices the accounts on which they are paid, and refuses accounts that are not the creditor's.
func ownAccounts(ctx context.Context, tx *store.Tx, c models.Creditor, all []*Adopted) error {
	type named struct {
		seller  int64
		account string
		err     error
	}
	known := map[string]named{}
	for _, a := range all {
		n, is := known[a.request.BankAccount]
		if !is {
			n.account, n.err = payee.NamedElsewhere(ctx, tx, c, a.request.BankAccount)
			if n.err != nil && models.KindOf(n.err) != models.KindInvalid {
				return n.err
			}
			var err error
			if n.seller, err = tx.KeepSeller(ctx, c.ID, c.Seller().WithAccount(n.account, c.Seller())); err != nil {
				return err
			}
			known[a.request.BankAccount] = n
		}
		a.Err, a.Invoice.BankAccount, a.Invoice.SellerID = n.err, n.account, n.seller
	}
	return nil
}

// adoptedRecipients returns the customers of the invoices, locked or made anew, and refuses those that the creditor does not have.
func adoptedRecipients(ctx context.Context, tx *store.Tx, c models.Creditor, all []*Adopted) (map[*Adopted]models.Customer, error) {
	var ids []int64
	var fresh []models.Customer
	made := map[*models.Customer]int{}
	for _, a := range all {
		to := a.request.NewCustomer
		if to == nil {
			ids = append(ids, a.request.CustomerID)
			continue
		}
		if _, met := made[to]; !met {
			made[to] = len(fresh)
			fresh = append(fresh, *to)
			fresh[made[to]].CreditorID = c.ID
		}
	}
	known := map[int64]models.Customer{}
	if len(ids) > 0 {
		var err error
		if known, err = tx.LockRecipients(ctx, c.ID, ids); err != nil {
			return nil, err
		}
	}
	if err := tx.CreateCustomers(ctx, fresh); err != nil {
		if fault, is := errors.AsType[*models.Error](err); is && len(fault.Place) > 0 {
			return nil, fault.Under(atRecipient)
		}
		return nil, err
	}
	if err := logFresh(ctx, tx, fresh, all); err != nil {
		return nil, err
	}
	customers := make(map[*Adopted]models.Customer, len(all))
	for _, a := range all {
		if to := a.request.NewCustomer; to != nil {
			customers[a] = fresh[made[to]]
			continue
		}
		customer, is := known[a.request.CustomerID]
		if customers[a] = customer; !is {
			a.Err = noSuchCustomer()
			continue
		}
		if customer.ForgottenAt != nil {
			a.Err = models.ErrForgotten
			continue
		}
		var faults models.Errors
		faults.NotPrintable(atRecipient, customer.Recipient.Unprintable())
		a.Err = faults.ErrorOrNil()
	}
	return customers, nil
}

// logFresh tells of the customers that were made with the invoices.
func logFresh(ctx context.Context, tx *store.Tx, fresh []models.Customer, all []*Adopted) error {
	events := make([]models.Event, len(fresh))
	for n, customer := range fresh {
		events[n] = models.Event{
			CreditorID: customer.CreditorID, Type: models.EventCustomerCreated, Actor: all[0].request.Actor, CustomerID: customer.ID, SubjectID: customer.ID,
			Text: "Customer created with an adopted invoice",
		}
	}
	return tx.Log(ctx, events...)
}

// draft fills in the invoice, its lines and its notices.
func (a *Adopted) draft(c models.Creditor, to models.Customer) {
	r, i := a.request, &a.Invoice
	priced, _ := r.priced(c.VATRates)
	a.Lines = priced.Lines
	i.Net = priced.Invoice.Net
	if len(a.Lines) == 0 {
		i.Net = r.Gross
	}
	i.CreditorID, i.CustomerID, i.Recipient, i.Language = c.ID, to.ID, to.Recipient, c.LanguageOf(to)
	i.Number, i.IssueDate, i.DueDate, i.Deadline, i.NumDueDays = r.Number, r.IssueDate, r.DueDate, r.DueDate, int(r.DueDate-r.IssueDate)
	i.LapsesOn = models.LapsesOn(i.DueDate, 0) // how it stands acknowledges nothing (rule L29)
	i.Gross, i.Balance, i.KID, i.Note, i.Order, i.PDF, i.Adopted = r.Gross, r.Balance, r.KID, r.Note, r.Order, r.PDF, true
	for n, sent := range r.Notices {
		i.Notices, i.Warned, i.Deadline = n+1, sent.Warning, sent.DueDate
	}
}

// notices returns the notices of the other system as rows, and the lines of each: the invoice and what was charged by then. What was paid
// in between is not known.
func (a *Adopted) notices(sheet string) (notices []models.Notice, lines [][]models.NoticeLine) {
	i := a.Invoice
	claim := []models.Entry{{Type: models.EntryInvoice, Amount: i.Gross, TransactionDate: i.IssueDate}}
	gross := i.Gross
	for n, sent := range a.request.Notices {
		gross += sent.Charge + sent.Interest
		claim = append(claim,
			models.Entry{Type: models.EntryOverdueCharge, Amount: sent.Charge, TransactionDate: sent.IssueDate},
			models.Entry{Type: models.EntryInterest, Amount: sent.Interest, TransactionDate: sent.IssueDate})
		notices = append(notices, models.Notice{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Sequence: n + 1, IssueDate: sent.IssueDate, DueDate: sent.DueDate,
			Warning: sent.Warning, Fee: sent.Charge, Interest: sent.Interest, Gross: gross, KID: i.KID, Recipient: i.Recipient, SellerID: i.SellerID,
			Language: i.Language, Sheet: sheet, Adopted: true,
		})
		lines = append(lines, ledger.NoticeLines(slices.DeleteFunc(slices.Clone(claim), isZero), notices, i.Language))
	}
	return notices, lines
}

func isZero(e models.Entry) bool { return e.Amount == 0 }

// opening returns the entries that say how the invoice stands. Their dates are the day of its adoption.
func (a *Adopted) opening(notices []models.Notice, today models.Date) (entries []models.Entry) {
	i := a.Invoice
	add := func(kind models.EntryType, amount models.Amount, noticeID int64) {
		if amount != 0 {
			entries = append(entries, models.Entry{
				CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: kind, Amount: amount, TransactionDate: today,
				Comment: models.AdoptedComment, NoticeID: noticeID, Adopted: models.Opening,
			})
		}
	}
	add(models.EntryInvoice, i.Gross, 0)
	for _, n := range notices {
		add(models.EntryOverdueCharge, n.Fee, n.ID)
		add(models.EntryInterest, n.Interest, n.ID)
	}
	add(models.EntryPayment, i.Balance-i.Gross-a.request.Charged(), 0)
	return entries
}

// writeAdopted writes the invoices with their lines, references, notices, entries and events.
func writeAdopted(ctx context.Context, tx *store.Tx, c models.Creditor, all []*Adopted, today models.Date) error {
	invoices, lines := make([]models.Invoice, len(all)), make([][]models.Line, len(all))
	for n, a := range all {
		invoices[n], lines[n] = a.Invoice, a.Lines
	}
	if err := tx.CreateInvoices(ctx, invoices, lines); err != nil {
		return err
	}
	references, events := make([]store.Reference, len(all)), make([]models.Event, len(all))
	for n, a := range all {
		a.Invoice = invoices[n]
		references[n], events[n] = store.Reference{CreditorID: c.ID, KID: a.Invoice.KID, InvoiceID: a.Invoice.ID}, a.event()
	}
	if err := tx.CreateReferences(ctx, references); err != nil {
		return err
	}
	if err := writeAdoptedNotices(ctx, tx, all); err != nil {
		return err
	}
	var entries []models.Entry
	for _, a := range all {
		a.Entries = a.opening(a.Notices, today)
		entries = append(entries, a.Entries...)
	}
	if err := tx.CreateEntries(ctx, entries); err != nil {
		return err
	}
	for _, a := range all {
		n := len(a.Entries)
		a.Entries, entries = entries[:n:n], entries[n:]
	}
	if !c.Adopts {
		if err := tx.NoteAdopting(ctx, c.ID); err != nil {
			return err
		}
	}
	return tx.Log(ctx, events...)
}

// writeAdoptedNotices writes the notices of the other system.
func writeAdoptedNotices(ctx context.Context, tx *store.Tx, all []*Adopted) error {
	sheet, err := law.Sheet{Adopted: true}.JSON()
	if err != nil {
		return err
	}
	var notices []models.Notice
	var lines [][]models.NoticeLine
	for _, a := range all {
		own, of := a.notices(sheet)
		notices, lines = append(notices, own...), append(lines, of...)
	}
	if err := tx.CreateNotices(ctx, notices, lines); err != nil {
		return err
	}
	for _, a := range all {
		n := len(a.request.Notices)
		a.Notices, notices = notices[:n:n], notices[n:]
	}
	return nil
}

func (a *Adopted) event() models.Event {
	i := a.Invoice
	return models.Event{
		CreditorID: i.CreditorID, Type: models.EventInvoiceAdopted, Actor: a.request.Actor, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
		Text:  fmt.Sprintf("Invoice %d of %s to %s adopted: %s owed, due %s", i.Number, i.Gross, i.Recipient.Name1, i.Balance, i.DueDate),
		Facts: models.Facts{"invoice_number": i.Number, "gross_amount": i.Gross, "balance": i.Balance, "due_date": i.DueDate},
	}
}
