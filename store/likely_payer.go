package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm/clause"

	"purr/models"
)

// LikelyPayer says that an unmatched payment has pointed at a customer, when it came or since (rule D95). A payment may have pointed
// at several customers, one after the other.
type LikelyPayer struct {
	ID         int64
	CreditorID int64
	CustomerID int64
	PaymentID  int64
}

// ForgetLikelyPayer forgets that a payment of the creditor has pointed at a customer.
func (tx *Tx) ForgetLikelyPayer(ctx context.Context, creditorID, customerID, paymentID int64) error {
	return classify(tx.with(ctx).Where("payment_id = ? AND customer_id = ? AND creditor_id = ?", paymentID, customerID, creditorID).Delete(&LikelyPayer{}).Error, "")
}

// LikelyPayers returns, by payment, the customers that the creditor's open unmatched payments have pointed at.
func (r reads) LikelyPayers(ctx context.Context, creditorID int64) (map[int64][]int64, error) {
	kept, err := scan[[]LikelyPayer](r.with(ctx).Table("unmatched_payments u").Joins("JOIN likely_payers p ON p.payment_id = u.id AND p.creditor_id = u.creditor_id").
		Select("p.*").Where("u.creditor_id = ? AND u.status = ?", creditorID, models.PaymentOpen).Order("p.id"))
	if err != nil {
		return nil, err
	}
	customers := map[int64][]int64{}
	for _, p := range kept {
		customers[p.PaymentID] = append(customers[p.PaymentID], p.CustomerID)
	}
	return customers, nil
}

// PaymentsBeside returns up to limit of the creditor's open unmatched payments, others than these, that have pointed at a customer whom
// one of these has pointed at, in order of ID.
func (r reads) PaymentsBeside(ctx context.Context, creditorID int64, these []models.UnmatchedPayment, limit int) ([]models.UnmatchedPayment, error) {
	ids := make([]int64, len(these))
	for n, u := range these {
		ids[n] = u.ID
	}
	beside := r.with(ctx).Table("likely_payers mine").Joins("JOIN likely_payers p ON p.creditor_id = mine.creditor_id AND p.customer_id = mine.customer_id").
		Select("p.payment_id").Where("mine.creditor_id = ? AND mine.payment_id IN ?", creditorID, ids)
	return readAll[models.UnmatchedPayment](r.with(ctx).
		Where("creditor_id = ? AND status = ? AND id IN (?) AND id NOT IN ?", creditorID, models.PaymentOpen, beside, append(ids, 0)).Order("id").Limit(limit))
}

// SetLikelyPayer keeps that the creditor's payments point at a customer, or zero for none. It forgets nobody whom they pointed at
// before, and leaves out the payments of which a person said that they are not the customer's.
func (tx *Tx) SetLikelyPayer(ctx context.Context, creditorID, customerID int64, paymentIDs []int64) error {
	const these = "id IN ? AND creditor_id = ?"
	err := tx.set(ctx, &models.UnmatchedPayment{}, map[string]any{"suggested_customer_id": customerID},
		these+" AND COALESCE(suggested_customer_id, 0) = 0", paymentIDs, creditorID)
	if err != nil || customerID == 0 {
		return err
	}
	own, err := readAll[models.UnmatchedPayment](tx.with(ctx).Select("id, not_of").Where(these, paymentIDs, creditorID).Order("id"))
	if err != nil {
		return err
	}
	var payers []LikelyPayer
	for _, u := range own {
		if !slices.Contains(u.NotOf, customerID) { // a person was faster
			payers = append(payers, LikelyPayer{CreditorID: creditorID, CustomerID: customerID, PaymentID: u.ID})
		}
	}
	if len(payers) == 0 {
		return nil
	}
	return tx.insertOr(ctx, &payers, clause.OnConflict{DoNothing: true})
}

// QueuedPayment is an unmatched payment, and how often somebody has acted on it.
type QueuedPayment struct {
	models.UnmatchedPayment `gorm:"embedded"`
	Turn                    int64
}

// Look returns what a person sees of the payment (rule D115).
func (q QueuedPayment) Look() models.Seen { return LastAct{Turn: q.Turn}.Look() }

// PaymentsPerhapsOf returns up to limit of the creditor's open unmatched payments with an ID above after that may point at the
// customer, in order of ID. Every payment is among them that has a hint of one of the customer's invoices (rule E5), and few others
// are: the amount is owed on one, or the customer has paid from the account, or a KID or a number may be an invoice's, or a word of
// a name is in both. It asks one question. The database looks at each open payment.
func (r reads) PaymentsPerhapsOf(ctx context.Context, creditorID, customerID, after int64, limit int) ([]QueuedPayment, error) {
	const invoices = "FROM invoices WHERE customer_id = ? AND +creditor_id = ?"
	is := []any{customerID, creditorID}
	maybe := []string{"amount IN (SELECT balance " + invoices + " AND balance > 0 AND closed = ?)"}
	args := []any{customerID, creditorID, models.NotClosed}

	// The second condition lets SQLite use its index of payers' accounts.
	maybe = append(maybe, `(from_account_number <> '' AND EXISTS (SELECT 1 FROM entries e WHERE e.creditor_id = ? AND e.customer_id = ?
		AND e.from_account_number = unmatched_payments.from_account_number AND e.from_account_number <> ''))`)
	args = append(args, creditorID, customerID)

	// A number below 1000 in a text weighs nothing without another hint.
	// DISTINCT has the invoices read once, and not anew for each payment.
	maybe = append(maybe, "(text <> '' AND EXISTS (SELECT 1 FROM (SELECT DISTINCT number, kid "+invoices+") AS own"+
		" WHERE own.number >= 1000 AND INSTR(unmatched_payments.text, own.number) > 0 OR INSTR(unmatched_payments.text, own.kid) > 0))")
	args = append(args, is...)

	maybe = append(maybe, "id IN (SELECT row_id FROM words WHERE creditor_id = ? AND kind = ? AND word IN (SELECT word FROM words WHERE row_id = ? AND kind = ? AND creditor_id = ?))")
	args = append(args, creditorID, wordOfPayment, customerID, wordOfName, creditorID)

	kids := []string{padded("kid") + " IN (SELECT " + padded("number") + " " + invoices + ")"}
	args = append(args, is...)
	for n, all := range butOneSlip("unmatched_payments.kid") {
		kids = append(kids, all+" IN (SELECT "+butOneSlip("invoices.kid")[n]+" "+invoices+")")
		args = append(args, is...)
	}
	maybe = append(maybe, "(kid <> '' AND ("+strings.Join(kids, " OR ")+"))")
	const turn = "(SELECT a.turn FROM last_acts a WHERE a.creditor_id = unmatched_payments.creditor_id AND a.thing = ? AND a.thing_id = unmatched_payments.id)"
	return readAll[QueuedPayment](r.with(ctx).Table("unmatched_payments").Select("unmatched_payments.*, COALESCE("+turn+", 0) AS turn", models.ThingPayment).
		Where("creditor_id = ? AND status = ? AND id > ?", creditorID, models.PaymentOpen, after).
		Where("("+strings.Join(maybe, " OR ")+")", args...).Order("id").Limit(limit))
}

// padded is what makes KIDs and numbers equal that differ in leading zeros.
func padded(column string) string { return fmt.Sprintf("SUBSTR(CONCAT('%030d', %s), -30)", 0, column) }

// butOneSlip returns parts of a KID, at least one of which is the same in two KIDs that differ in one digit, or in two neighbours
// that are swapped: all but two neighbours, for each two of the last five digits, and the last four.
func butOneSlip(column string) []string {
	kid := padded(column)
	parts := []string{fmt.Sprintf("SUBSTR(%s, 1, 28)", kid), fmt.Sprintf("SUBSTR(%s, -4)", kid)}
	for last := range 3 {
		parts = append(parts, fmt.Sprintf("CONCAT(SUBSTR(%[1]s, 1, %[2]d), SUBSTR(%[1]s, -%[3]d))", kid, 27-last, last+1))
	}
	return parts
}

// PayersToSeek asks whether suggestions were not sought yet for unmatched payments.
var PayersToSeek = Question{"EXISTS (SELECT 1 FROM unmatched_payments WHERE suggested_customer_id IS NULL AND creditor_id > 0)", these()}
