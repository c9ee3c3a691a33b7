package ledger

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// RepaymentOrder is what a person asks for who has free credit paid back to a customer (rule N12).
type RepaymentOrder struct {
	Amount  models.Amount
	Account string // of the customer, 11 digits
	Actor   string
	Seen    models.Seen // the customer's credit, as the person saw it (LookAtCredit); may be empty
}

// Validate returns the faults of an order that can be found without the customer. The creditor is who pays.
func (o RepaymentOrder) Validate(c models.Creditor) (faults models.Errors) {
	if o.Amount <= 0 {
		faults.Add("amount_not_positive", "amount", "must be above zero")
	}
	switch {
	case o.Account == "":
		faults.Add("required", "account", "is required")
	case !models.ValidBankAccount(o.Account):
		faults.Add("invalid_bank_account", "account", "must be 11 digits with a right check digit")
	case o.Account == c.BankAccount:
		faults.Add("own_account", "account", "is the creditor's own account")
	}
	return faults
}

// OrderRepayment has free credit of a customer paid back (rule N12). The repayment waits for a file for the bank; its amount is reserved
// until it is paid, so nothing else uses it. It fails with the conflict not_enough_credit if less is free.
func OrderRepayment(ctx context.Context, tx *store.Tx, c models.Creditor, customerID int64, o RepaymentOrder) (models.Repayment, error) {
	if _, err := tx.Customer(ctx, c.ID, customerID); err != nil {
		return models.Repayment{}, err
	}
	if faults := o.Validate(c); len(faults) > 0 {
		return models.Repayment{}, faults
	}
	invoices, notes, reserved, err := lockCredit(ctx, tx, c.ID, customerID)
	if err != nil {
		return models.Repayment{}, err
	}
	if o.Seen != "" {
		credit := models.Thing{Kind: models.ThingCredit, ID: customerID}
		if err := tx.Same(ctx, c.ID, credit, o.Seen, LookAtCredit(invoices, notes, reserved)); err != nil {
			return models.Repayment{}, err
		}
	}
	if free := max(FreeCredit(invoices, notes)-reserved, 0); o.Amount > free {
		return models.Repayment{}, models.Conflict("not_enough_credit", "the customer has %s of free credit that is not reserved", free)
	}
	r := models.Repayment{
		CreditorID: c.ID, CustomerID: customerID, InvoiceID: credits(invoices, notes)[0].InvoiceID, Amount: o.Amount, Account: o.Account,
		State: models.RepaymentWaiting, OrderedBy: o.Actor,
	}
	if err := tx.CreateRepayment(ctx, &r); err != nil {
		return models.Repayment{}, err
	}
	return r, logRepayment(ctx, tx, r, models.EventRepaymentOrdered, o.Actor, fmt.Sprintf("Repayment of %s ordered", r.Amount), nil)
}

// WithdrawRepayment takes a repayment back that is in no file yet. Its credit is free again. It fails with the conflict
// repayment_not_waiting if it does not wait any more, and if the person saw it wait with changed_meanwhile (rule D115).
func WithdrawRepayment(ctx context.Context, tx *store.Tx, creditorID, id int64, actor string, seen ...models.RepaymentState) (models.Repayment, error) {
	r, err := tx.Repayment(ctx, creditorID, id)
	if err != nil {
		return r, err
	}
	if _, err := tx.LockCustomer(ctx, creditorID, r.CustomerID); err != nil {
		return r, err
	}
	locked, err := tx.LockRepayments(ctx, creditorID, id)
	if err != nil {
		return r, err
	}
	if r = locked[0]; len(seen) > 0 && seen[0] != r.State {
		return r, repaymentChanged(ctx, tx, r)
	}
	if r.State != models.RepaymentWaiting {
		return r, models.Conflict("repayment_not_waiting", "only a repayment that waits for a file can be taken back; this one is %s", r.State)
	}
	r.State = models.RepaymentWithdrawn
	if err := tx.UpdateRepayments(ctx, []models.Repayment{r}); err != nil {
		return r, err
	}
	return r, logRepayment(ctx, tx, r, models.EventRepaymentWithdrawn, actor, fmt.Sprintf("Repayment of %s taken back", r.Amount), nil)
}

// repaymentChanged returns the conflict changed_meanwhile about a repayment: its file was made since, or it was taken back or stopped.
func repaymentChanged(ctx context.Context, tx *store.Tx, r models.Repayment) error {
	last := models.Thing{Kind: models.ThingCredit, ID: r.CustomerID}
	if r.FileID != 0 {
		last = models.Thing{Kind: models.ThingRepaid, ID: r.FileID}
	}
	acts, err := tx.LastActs(ctx, r.CreditorID, last)
	if err != nil {
		return err
	}
	return models.ChangedMeanwhile(acts[last].Change())
}

// stopUncovered stops, the newest first, the waiting repayments of the customers of some of a creditor's invoices until the free credit
// covers the rest. The caller has locked the invoices, from which money was taken. What is in a file may be paid already, so it is
// not stopped: what it lacks is owed when it is paid (rule D96).
func stopUncovered(ctx context.Context, tx *store.Tx, creditorID int64, invoiceIDs []int64) error {
	customers, err := tx.WaitingOnInvoices(ctx, creditorID, invoiceIDs)
	if err != nil {
		return err
	}
	for _, id := range customers {
		if _, err := stopUncoveredOf(ctx, tx, creditorID, id); err != nil {
			return err
		}
	}
	return nil
}

// stopUncoveredOf does for a customer what stopUncovered does, and returns what it stopped.
func stopUncoveredOf(ctx context.Context, tx *store.Tx, creditorID, customerID int64) (stopped []models.Repayment, err error) {
	invoices, err := tx.InvoicesWithBalance(ctx, creditorID, customerID)
	if err != nil {
		return nil, err
	}
	notes, err := tx.CreditNotesWithBalance(ctx, creditorID, customerID)
	if err != nil {
		return nil, err
	}
	open, err := tx.OpenRepayments(ctx, creditorID, customerID)
	if err != nil {
		return nil, err
	}
	lacks := -FreeCredit(invoices, notes)
	for _, r := range open {
		lacks += r.Amount
	}
	for n := len(open) - 1; n >= 0 && lacks > 0; n-- {
		if r := open[n]; r.State == models.RepaymentWaiting {
			r.State = models.RepaymentStopped
			stopped, lacks = append(stopped, r), lacks-r.Amount
		}
	}
	if err := tx.UpdateRepayments(ctx, stopped); err != nil {
		return nil, err
	}
	for _, r := range stopped {
		text := fmt.Sprintf("Repayment of %s stopped: the money that it was to be paid from was taken back", r.Amount)
		if err := logRepayment(ctx, tx, r, models.EventRepaymentStopped, "", text, nil); err != nil {
			return nil, err
		}
	}
	return stopped, nil
}

// unreserved fails with the conflict credit_reserved if a payout of an amount by hand would use what is reserved of a customer's free
// credit. The caller has locked the document that is paid out from.
func unreserved(ctx context.Context, tx *store.Tx, creditorID, customerID int64, amount models.Amount) error {
	all, err := tx.Reserved(ctx, creditorID, customerID)
	if err != nil || all[customerID] == 0 {
		return err
	}
	invoices, err := tx.InvoicesWithBalance(ctx, creditorID, customerID)
	if err != nil {
		return err
	}
	notes, err := tx.CreditNotesWithBalance(ctx, creditorID, customerID)
	if err != nil {
		return err
	}
	if free := max(FreeCredit(invoices, notes)-all[customerID], 0); amount > free {
		return models.Conflict("credit_reserved", "%s of the customer's credit is reserved for repayments: %s is free", all[customerID], free)
	}
	return nil
}

// logRepayment writes an event about a repayment.
func logRepayment(ctx context.Context, tx *store.Tx, r models.Repayment, t models.EventType, actor, text string, file *models.RepaymentFile) error {
	facts := models.Facts{"amount": r.Amount}
	if file != nil {
		facts["file_number"] = file.Number
	}
	return tx.Log(ctx, models.Event{
		CreditorID: r.CreditorID, Type: t, Actor: actor, InvoiceID: r.InvoiceID, CustomerID: r.CustomerID, SubjectID: r.ID, Text: text, Facts: facts,
	})
}
