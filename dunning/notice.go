package dunning

import (
	"context"
	"encoding/json"
	"fmt"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Request is a notice that somebody asks for.
type Request struct {
	AddFee      bool
	AddInterest bool
	Warning     bool // a debt-collection warning
	Comment     string
}

// Validate returns the faults that need no invoice to be seen (rule D16).
func (req Request) Validate() models.Errors {
	var faults models.Errors
	faults.Prose("comment", req.Comment, models.MaxComment)
	return faults
}

// IssueNotice sends a notice on an invoice at a request, when the four conditions hold (rule D27). It
// fails with conflicts that name the conditions that do not.
func IssueNotice(ctx context.Context, tx *store.Tx, r *Rules, c models.Creditor, invoiceID int64, req Request) (models.Notice, error) {
	if faults := req.Validate(); len(faults) > 0 {
		return models.Notice{}, faults
	}
	today, err := c.Today(tx.Now)
	if err != nil {
		return models.Notice{}, err
	}
	invoice, err := tx.LockInvoice(ctx, c.ID, invoiceID)
	if err != nil {
		return models.Notice{}, err
	}
	if err := Conditions(invoice, req.AddFee, today); err != nil {
		return models.Notice{}, err
	}
	customer, err := tx.Customer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return models.Notice{}, err
	}
	o := order{
		customer: customer, policy: customer.Policy.Apply(c.Policy),
		warning: req.Warning, addInterest: req.AddInterest, comment: req.Comment, today: today,
	}
	if req.Warning {
		if err := WarningAllowed(r, today); err != nil {
			return models.Notice{}, err
		}
	}
	if req.AddFee {
		o.fee = Fee(o.policy, r, invoice, invoice.Deadline, today)
	}
	return issue(ctx, tx, r, invoice, o)
}

// order is a notice that was decided on.
type order struct {
	customer    models.Customer
	policy      models.Policy // for the customer (rule E6e)
	warning     bool
	fee         Charge
	addInterest bool
	comment     string
	today       models.Date
}

// issue writes a notice on a locked invoice: the sheet, the lines, the entries, what follows for the
// invoice, and the letter (rules D28 to D30).
func issue(ctx context.Context, tx *store.Tx, r *Rules, invoice models.Invoice, o order) (models.Notice, error) {
	entries, err := tx.EntriesOfInvoice(ctx, invoice.ID)
	if err != nil {
		return models.Notice{}, err
	}
	sheet, err := reckon(ctx, tx, r, invoice, entries, o)
	if err != nil {
		return models.Notice{}, err
	}
	kept, err := json.Marshal(sheet)
	if err != nil {
		return models.Notice{}, fmt.Errorf("keep the calculation of a notice: %w", err)
	}
	notice := models.Notice{
		CreditorID: invoice.CreditorID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Sequence: invoice.Notices + 1,
		IssueDate: o.today, DueDate: NoticeDueDate(o.policy, o.today), Warning: o.warning,
		Fee: sheet.OverdueCharge.Amount, Interest: sheet.Interest.Amount, Comment: o.comment,
		KID: invoice.KID, Recipient: invoice.Recipient, Sheet: string(kept),
	}
	charges := chargesOf(notice)
	lines := NoticeLines(append(entries[:len(entries):len(entries)], charges...), o.customer.Language)
	for _, l := range lines {
		notice.Gross += l.Gross
	}
	if err := tx.CreateNotice(ctx, &notice, lines); err != nil {
		return models.Notice{}, err
	}
	for i := range charges {
		charges[i].NoticeID = notice.ID
	}
	if err := ledger.Post(ctx, tx, charges); err != nil {
		return models.Notice{}, err
	}
	return notice, follow(ctx, tx, invoice, notice)
}

// reckon calculates fee and interest.
func reckon(ctx context.Context, tx *store.Tx, r *Rules, invoice models.Invoice, entries []models.Entry, o order) (Sheet, error) {
	sheet := Sheet{OverdueCharge: o.fee}
	if !o.addInterest {
		return sheet, nil
	}
	before, err := tx.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return sheet, err
	}
	claim := Claim{
		DueDate: invoice.DueDate, Entries: entries, OwnRate: o.policy.InterestRate, Business: o.customer.OrganisationNumber != "",
	}
	for _, n := range before {
		if n.Interest > 0 {
			claim.ChargedTo = n.IssueDate
		}
	}
	sheet.Interest = r.Interest(claim, o.today)
	return sheet, nil
}

// chargesOf returns the entries that a notice posts.
func chargesOf(n models.Notice) []models.Entry {
	var entries []models.Entry
	for _, charge := range []struct {
		kind   models.EntryType
		amount models.Amount
	}{{models.EntryOverdueCharge, n.Fee}, {models.EntryInterest, n.Interest}} {
		if charge.amount != 0 {
			entries = append(entries, models.Entry{
				CreditorID: n.CreditorID, CustomerID: n.CustomerID, InvoiceID: n.InvoiceID, NoticeID: n.ID,
				Type: charge.kind, Amount: charge.amount, TransactionDate: n.IssueDate,
			})
		}
	}
	return entries
}

// follow notes the notice on its invoice and owes the letter to whoever received the invoice (rule D30).
func follow(ctx context.Context, tx *store.Tx, invoice models.Invoice, n models.Notice) error {
	invoice.Notices, invoice.Warned, invoice.Deadline = n.Sequence, n.Warning, n.DueDate
	if err := tx.FollowInvoice(ctx, invoice); err != nil {
		return err
	}
	letter := models.Shipment{
		CreditorID: n.CreditorID, DocumentKind: models.NoticeDocument, DocumentID: n.ID, Method: models.ByPaper, Recipient: n.Recipient,
	}
	if err := tx.CreateShipments(ctx, []models.Shipment{letter}); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: n.CreditorID, Type: models.EventNoticeCreated, InvoiceID: n.InvoiceID, CustomerID: n.CustomerID, SubjectID: n.ID,
		Text: fmt.Sprintf("%s %d on invoice %d: %s owed, of that fee %s and interest %s, due %s",
			Title(n), n.Sequence, invoice.Number, n.Gross, n.Fee, n.Interest, n.DueDate),
	})
}

// Title returns what a notice is called in events and logs.
func Title(n models.Notice) string {
	if n.Warning {
		return "Debt-collection warning"
	}
	return "Reminder"
}
