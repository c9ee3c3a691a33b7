package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"purr/models"
)

// his are the IDs of a customer's rows, by table. Rows that hang on others are found by these.
type his map[string][]int64

// ownRows says by which column the rows of a table are a customer's, in the order of locks.
type ownRows struct {
	table  string
	column string // names a row of the other table
	of     string // the other table
	only   string // what else holds of the rows
}

// rowsOfCustomer are the tables with rows of a customer's own, each after those that it is found by.
var rowsOfCustomer = []ownRows{
	{"invoices", "customer_id", "customers", ""},
	{"payment_plans", "customer_id", "customers", ""},
	{"standstills", "customer_id", "customers", ""},
	{"credit_notes", "customer_id", "customers", ""},
	{"overdue_notices", "invoice_id", "invoices", ""},
	{"letters", "customer_id", "customers", ""},
	{"statements", "customer_id", "customers", ""},
	{"hand_overs", "invoice_id", "invoices", ""},
	{"collection_reports", "invoice_id", "invoices", ""},
	{"repayments", "customer_id", "customers", ""},
	{"invoice_lines", "invoice_id", "invoices", ""},
	{"credit_note_lines", "credit_note_id", "credit_notes", ""},
	{"overdue_notice_lines", "notice_id", "overdue_notices", ""},
	{"audit_findings", "customer_id", "customers", ""},
	{"audit_repayments", "customer_id", "customers", ""},
	{"entries", "customer_id", "customers", ""},
	{"deleted_entries", "customer_id", "customers", ""},
}

// recipientWords are the columns in which a document keeps its recipient. The country stays: VAT depends on it.
const recipientWords = "recipient_name1 recipient_name2 recipient_address1 recipient_address2 recipient_postal_code recipient_postal_name " +
	"recipient_email recipient_phone recipient_organisation_number"

// words are the columns with words about a customer, by table, in the order of locks. They become empty when it is forgotten (rule O14).
// A test walks all columns of the schema: each is here, or among those that hold none.
var words = []struct{ table, columns string }{
	{"unmatched_payments", "payer_name ultimate_payer text from_account_number comment"},
	{"invoices", recipientWords + " search note your_reference order_number delivery_place hold_comment more_time_reason"},
	{"customers", "name1 name2 address1 address2 postal_code postal_name email phone organisation_number search hold_comment letters_held_reason ehf_organisation_number ehf_invoice ehf_credit_note ehf_reminder"},
	{"payment_plans", recipientWords},
	{"standstills", "comment"},
	{"shipments", recipientWords + " failure receipt"},
	{"overdue_notices", recipientWords + " comment"},
	{"hand_overs", "failure"},
	{"credit_notes", recipientWords + " search comment"},
	{"repayments", "account"},
	{"letters", recipientWords},
	{"audit_findings", "expected found"},
	{"audit_repayments", "expected found"},
	{"invoice_lines", "text"},
	{"credit_note_lines", "text"},
	{"overdue_notice_lines", "text"},
	{"entries", "comment from_account_number"},
	{"deleted_entries", "comment"},
	{"shipment_reports", "reason"},
	{"collection_reports", "reason reference"},
	{"payment_twins", "from_account_number"},
}

// customerNumbers are the tables that keep the customer's number, and in which column.
var customerNumbers = []struct{ table, column string }{
	{"invoices", "recipient_customer_number"},
	{"customers", "customer_number"},
	{"payment_plans", "recipient_customer_number"},
	{"shipments", "recipient_customer_number"},
	{"overdue_notices", "recipient_customer_number"},
	{"credit_notes", "recipient_customer_number"},
	{"letters", "recipient_customer_number"},
}

// forgetting is the act under way.
type forgetting struct {
	tx       *Tx
	customer models.Customer
	of       models.Forgetting
	today    models.Date
	rows     his
	removals []models.Removal
}

// Forget takes all words about a customer out of the rows, and notes what is to be removed besides (rule O14). decide gets the customer,
// locked with its invoices, and says whether to go on; it may fail. Forget reports whether it did.
func (tx *Tx) Forget(
	ctx context.Context, creditorID, id int64, of models.Forgetting, today models.Date, decide func(context.Context, models.Customer) (bool, error),
) (models.Customer, bool, error) {
	f := &forgetting{tx: tx, of: of, today: today}
	var err error
	if f.customer, err = tx.Customer(ctx, creditorID, id); err != nil {
		return models.Customer{}, false, err
	}
	if err := f.lock(ctx); err != nil {
		return models.Customer{}, false, err
	}
	if f.customer, err = tx.LockCustomer(ctx, creditorID, id); err != nil {
		return models.Customer{}, false, err
	}
	if goOn, err := decide(ctx, f.customer); err != nil || !goOn {
		return f.customer, false, err
	}
	for _, step := range []func(context.Context) error{
		f.read, f.emptyAnswers, f.emptyDeliveries, f.dropRows, f.emptyRows, f.emptyEvents, f.emptyRepaymentFiles, f.oweShared, f.oweFiles, f.emptyFiles, f.keepTexts, f.note,
	} {
		if err := step(ctx); err != nil {
			return models.Customer{}, false, fmt.Errorf("forget customer %d: %w", id, err)
		}
	}
	c, err := tx.Customer(ctx, creditorID, id)
	return c, true, err
}

// lock finds the customer's rows, and locks those that are locked before the customer, in the order of locks.
func (f *forgetting) lock(ctx context.Context) error {
	if err := f.read(ctx); err != nil {
		return err
	}
	for _, table := range []string{"idempotency_keys", "webhook_deliveries", "unmatched_payments", "invoices"} {
		err := some(f.rows[table], func(part []int64) error {
			_, err := idsOf(forUpdate(f.tx.with(ctx)).Table(table).Where("id IN ?", part).Order("id"))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// some calls do with the IDs, as many at once as a statement takes.
func some(ids []int64, do func([]int64) error) error {
	for part := range slices.Chunk(ids, mostIDsAsked) {
		if err := do(part); err != nil {
			return err
		}
	}
	return nil
}

// ids returns the IDs of the rows of a table that name others, in order. It locks nothing.
func (f *forgetting) ids(ctx context.Context, table, column string, named []int64, only string) (found []int64, err error) {
	err = some(named, func(part []int64) error {
		ids, err := idsOf(f.tx.with(ctx).Table(table).Where(column+" IN ?"+only, part))
		if err != nil {
			return err
		}
		found = append(found, ids...)
		return nil
	})
	slices.Sort(found)
	return slices.Compact(found), err
}

// read finds the customer's rows, and what else there is about him.
func (f *forgetting) read(ctx context.Context) error {
	for _, find := range []func(context.Context) error{f.readRows, f.findAnswers, f.findDeliveries, f.findPayments} {
		if err := find(ctx); err != nil {
			return err
		}
	}
	return nil
}

// readRows finds the customer's rows.
func (f *forgetting) readRows(ctx context.Context) (err error) {
	f.rows = his{"customers": {f.customer.ID}}
	for _, of := range rowsOfCustomer {
		if f.rows[of.table], err = f.ids(ctx, of.table, of.column, f.rows[of.of], of.only); err != nil {
			return err
		}
	}
	if f.rows["shipments"], err = f.tx.shipmentsOf(ctx, f.rows); err != nil {
		return err
	}
	f.rows["shipment_reports"], err = f.ids(ctx, "shipment_reports", "shipment_id", f.rows["shipments"], "")
	return err
}

// shipmentsOf returns the IDs of the shipments of the documents, in order.
func (r reads) shipmentsOf(ctx context.Context, rows his) (found []int64, err error) {
	for _, kind := range models.DocumentKinds() {
		err := some(rows[documentTables[kind].name], func(part []int64) error {
			ids, err := idsOf(r.with(ctx).Table("shipments").Where("document_kind = ? AND document_id IN ?", kind, part))
			if err != nil {
				return err
			}
			found = append(found, ids...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(found)
	return found, nil
}

// emptyRows empties the columns with words.
func (f *forgetting) emptyRows(ctx context.Context) error {
	number := models.ForgottenNumber(f.customer.Recipient.CustomerNumber)
	for _, of := range words {
		set := map[string]any{}
		for column := range strings.FieldsSeq(of.columns) {
			set[column] = ""
		}
		for _, n := range customerNumbers {
			if n.table == of.table && (number == "" || of.table != "customers") {
				set[n.column] = number
			}
		}
		if of.table == "customers" {
			set["address_wanted"], set["letters_held_since"], set["ehf_checked_at"], set["forgotten_at"] = nil, nil, nil, f.tx.Now
		}
		if err := f.set(ctx, of.table, set, f.rows[of.table]); err != nil {
			return err
		}
		if of.table == "shipments" {
			if err := f.withdraw(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// withdraw has nothing of the customer's leave any more. None of it is in anybody's hand.
func (f *forgetting) withdraw(ctx context.Context) error {
	return some(f.rows["shipments"], func(part []int64) error {
		return f.tx.set(ctx, &models.Shipment{}, map[string]any{"state": models.ShipmentWithdrawn}, "id IN ? AND state = ?", part, models.ShipmentOwed)
	})
}

// set sets columns of the rows with the IDs.
func (f *forgetting) set(ctx context.Context, table string, columns map[string]any, ids []int64) error {
	return some(ids, func(part []int64) error {
		return classify(f.tx.with(ctx).Table(table).Where("id IN ?", part).UpdateColumns(columns).Error, "")
	})
}

// dropRows removes rows that are nothing but words: those of searches, and of whom payments pointed at. The customer's mandates end.
func (f *forgetting) dropRows(ctx context.Context) error {
	c := f.customer
	if err := f.tx.dropWords(ctx, c.CreditorID, c.ID); err != nil {
		return err
	}
	err := some(f.rows["unmatched_payments"], func(part []int64) error {
		return classify(f.tx.with(ctx).Where("creditor_id = ? AND kind = ? AND row_id IN ?", c.CreditorID, wordOfPayment, part).Delete(&word{}).Error, "")
	})
	if err != nil {
		return err
	}
	for _, query := range []string{
		"DELETE FROM likely_payers WHERE customer_id = ? AND creditor_id = ?",
		"UPDATE mandates SET ended_on = ? WHERE customer_id = ? AND creditor_id = ? AND ended_on IS NULL",
	} {
		args := []any{c.ID, c.CreditorID}
		if strings.HasPrefix(query, "UPDATE") {
			args = append([]any{models.DateOf(f.tx.Now)}, args...)
		}
		if err := f.tx.with(ctx).Exec(query, args...).Error; err != nil {
			return classify(err, "")
		}
	}
	return nil
}

// note writes what is still to be removed.
func (f *forgetting) note(ctx context.Context) error {
	f.owe(models.RemoveFolders, 0, "", f.tx.Common)
	if dialect(f.tx.db.Name()) == dialectSQLite {
		f.owe(models.RemovePages, 0, "", f.tx.Common)
	}
	return f.tx.addRemovals(ctx, f.removals)
}

func (f *forgetting) owe(kind models.RemovalKind, subject int64, sum string, at time.Time) {
	f.removals = append(f.removals, models.Removal{
		CreditorID: f.customer.CreditorID, CustomerID: f.customer.ID, Kind: kind, Subject: subject, SHA256: sum, NextAttempt: at, CreatedAt: f.tx.Now,
	})
}
