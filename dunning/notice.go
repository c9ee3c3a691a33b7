package dunning

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

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
	Actor       string // who asks for it, for the event log
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
		warning: req.Warning, free: !req.AddFee, addInterest: req.AddInterest, comment: req.Comment, actor: req.Actor, today: today,
	}
	if req.Warning {
		if err := WarningAllowed(r, today); err != nil {
			return models.Notice{}, err
		}
	}
	if req.AddFee {
		if err := FeeAllowed(invoice, customer, today); err != nil {
			return models.Notice{}, err
		}
		o.fee = Fee(o.policy, r, invoice, invoice.Deadline, today)
	}
	a, err := readAccount(ctx, tx, invoice)
	if err != nil {
		return models.Notice{}, err
	}
	notices, err := issue(ctx, tx, r, []account{a}, []order{o})
	if err != nil {
		return models.Notice{}, err
	}
	return notices[0], nil
}

// order is a notice that was decided on.
type order struct {
	customer    models.Customer
	policy      models.Policy // for the customer (rule E6e)
	warning     bool
	fee         Charge
	free        bool // neither fee nor compensation is wanted
	addInterest bool
	comment     string
	actor       string // empty where the policy orders it
	today       models.Date
}

// issue writes notices on locked invoices, one as it is ordered for each account: the sheets, the lines, the entries,
// what follows for the invoices, and the letters (rules D28 to D30). Many take hardly more statements than one.
func issue(ctx context.Context, tx *store.Tx, r *Rules, accounts []account, orders []order) ([]models.Notice, error) {
	notices, lines := make([]models.Notice, len(accounts)), make([][]models.NoticeLine, len(accounts))
	for i, a := range accounts {
		var err error
		if notices[i], lines[i], err = write(r, a, orders[i]); err != nil {
			return nil, err
		}
	}
	if err := tx.CreateNotices(ctx, notices, lines); err != nil {
		return nil, err
	}
	var charges []models.Entry
	for _, n := range notices {
		charges = append(charges, chargesOf(n)...)
	}
	if err := ledger.Post(ctx, tx, charges); err != nil {
		return nil, err
	}
	return notices, follow(ctx, tx, accounts, orders, notices)
}

// write returns the notice that is ordered, with its lines.
func write(r *Rules, a account, o order) (models.Notice, []models.NoticeLine, error) {
	notice, sheet := draft(r, a, o)
	kept, err := json.Marshal(sheet)
	if err != nil {
		return notice, nil, fmt.Errorf("keep the calculation of a notice: %w", err)
	}
	notice.Sheet = string(kept)
	compensations := a.compensations
	if notice.Compensation {
		compensations = slices.Concat(compensations, []int64{notice.ID})
	}
	entries := slices.Concat(a.entries, chargesOf(notice))
	lines := NoticeLines(entries, o.customer.Language, compensations...)
	for _, l := range lines {
		notice.Gross += l.Gross
	}
	return notice, lines, nil
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

// follow notes the notices on their invoices and owes each letter to whoever received the invoice (rule D30).
func follow(ctx context.Context, tx *store.Tx, accounts []account, orders []order, notices []models.Notice) error {
	if err := tx.FollowNotices(ctx, notices); err != nil {
		return err
	}
	letters, events := make([]models.Shipment, len(notices)), make([]models.Event, len(notices))
	for i, n := range notices {
		letters[i] = models.Shipment{
			CreditorID: n.CreditorID, DocumentKind: models.NoticeDocument, DocumentID: n.ID, Method: models.ByPaper, Recipient: n.Recipient,
		}
		events[i] = models.Event{
			CreditorID: n.CreditorID, Type: models.EventNoticeCreated, Actor: orders[i].actor, InvoiceID: n.InvoiceID, CustomerID: n.CustomerID, SubjectID: n.ID,
			Text: fmt.Sprintf("%s %d on invoice %d: %s owed, of that fee %s and interest %s, due %s",
				Title(n), n.Sequence, accounts[i].invoice.Number, n.Gross, n.Fee, n.Interest, n.DueDate),
		}
	}
	if err := tx.CreateShipments(ctx, letters); err != nil {
		return err
	}
	return tx.Log(ctx, events...)
}

// followed returns the invoice as a new notice leaves it, but for its balance.
func followed(invoice models.Invoice, n models.Notice) models.Invoice {
	invoice.Notices, invoice.Warned, invoice.Deadline = n.Sequence, n.Warning, n.DueDate
	return invoice
}

// Title returns what a notice is called in events and logs.
func Title(n models.Notice) string {
	if n.Warning {
		return "Debt-collection warning"
	}
	return "Reminder"
}
