package ledger

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"purr/ledger/pain"
	"purr/models"
	"purr/store"
)

// MadeRepaymentFile is what making a file of repayments came to.
type MadeRepaymentFile struct {
	File    models.RepaymentFile // without ID if nothing waited
	Stopped []models.Repayment   // what was left out, because the money that it was to be paid from is not there any more
}

// MakeRepaymentFile puts the creditor's repayments that wait into one file for the bank, up to models.MaxRepaymentsInFile of them (rule
// N12). Of two people at once, one makes it. It looks again whether the free credit covers each: what it does not cover is stopped. The
// file's bytes are kept. today is the day on which the bank is asked to pay. It fails with the conflict no_bank_account if the creditor
// has no account to pay from. seen is how often somebody has ordered or taken back a repayment, or made a file (models.ThingWaiting).
func MakeRepaymentFile(
	ctx context.Context, tx *store.Tx, creditorID int64, today models.Date, actor string, seen ...models.Seen,
) (made MadeRepaymentFile, err error) {
	c, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return made, err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingWaiting, ID: c.ID}, seen...); err != nil {
		return made, err
	}
	waiting, err := tx.WaitingRepayments(ctx, c.ID, models.MaxRepaymentsInFile)
	if err != nil || len(waiting) == 0 {
		return made, err
	}
	if c.BankAccount == "" {
		return made, models.Conflict("no_bank_account", "the creditor has no bank_account to pay from")
	}
	var rs []models.Repayment
	if rs, made.Stopped, err = lockCovered(ctx, tx, c.ID, waiting); err != nil || len(rs) == 0 {
		return made, err
	}
	if made.File, err = createRepaymentFile(ctx, tx, c, rs, today, actor); err != nil {
		return made, err
	}
	for n := range rs {
		rs[n].State, rs[n].FileID = models.RepaymentInFile, made.File.ID
	}
	if err := tx.UpdateRepayments(ctx, rs); err != nil {
		return made, err
	}
	return made, logRepaymentFile(ctx, tx, made.File, models.EventRepaymentFileMade, actor, "made")
}

// lockCovered locks the customers of repayments with what they owe and have, and the repayments. It returns those that still wait and
// are covered, and stops the others.
func lockCovered(ctx context.Context, tx *store.Tx, creditorID int64, waiting []models.Repayment) (covered, stopped []models.Repayment, err error) {
	customers := customersOf(waiting)
	if _, _, err := lockBalances(ctx, tx, creditorID, nil, customers...); err != nil {
		return nil, nil, err
	}
	locked, err := tx.LockRepayments(ctx, creditorID, repaymentIDs(waiting)...)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range customers {
		some, err := stopUncoveredOf(ctx, tx, creditorID, id)
		if err != nil {
			return nil, nil, err
		}
		stopped = append(stopped, some...)
	}
	for _, r := range locked {
		left := slices.ContainsFunc(stopped, func(s models.Repayment) bool { return s.ID == r.ID })
		if r.State == models.RepaymentWaiting && !left {
			covered = append(covered, r)
		}
	}
	return covered, stopped, nil
}

// createRepaymentFile writes a file of repayments with its bytes.
func createRepaymentFile(
	ctx context.Context, tx *store.Tx, c models.Creditor, rs []models.Repayment, today models.Date, actor string,
) (models.RepaymentFile, error) {
	f := models.RepaymentFile{CreditorID: c.ID, Account: c.BankAccount, State: models.RepaymentFileMade, Transactions: len(rs), MadeBy: actor}
	for _, r := range rs {
		f.Amount += r.Amount
	}
	var err error
	if f.Number, err = tx.NextRepaymentFile(ctx, c.ID); err != nil {
		return f, err
	}
	if err := tx.CreateRepaymentFile(ctx, &f); err != nil {
		return f, err
	}
	customers, err := tx.CustomersByID(ctx, c.ID, customersOf(rs))
	if err != nil {
		return f, err
	}
	kept := models.RepaymentFileBytes{FileID: f.ID, CreditorID: c.ID}
	if kept.Pain, err = pain.Write(painOf(c, f, rs, customers, today)); err != nil {
		return f, err
	}
	if kept.CSV, err = repaymentsCSV(rs, customers); err != nil {
		return f, err
	}
	return f, tx.KeepRepaymentFile(ctx, kept)
}

// painOf returns what the bank is asked to pay.
func painOf(c models.Creditor, f models.RepaymentFile, rs []models.Repayment, customers map[int64]models.Customer, today models.Date) pain.File {
	file := pain.File{
		ID: fmt.Sprintf("PURR-%d-%d", c.ID, f.Number), Made: f.CreatedAt.In(c.DisplayZone()), On: today,
		Payer: pain.Payer{Name: c.Name, OrganisationNumber: c.OrganisationNumber, Account: f.Account, BIC: c.BIC},
	}
	for _, r := range rs {
		to := customers[r.CustomerID].Recipient
		file.Payments = append(file.Payments, pain.Payment{ID: EndToEndID(r), Amount: r.Amount, Name: to.Name1, Account: r.Account, Text: c.Name})
	}
	return file
}

// EndToEndID names a repayment from the creditor's bank to the customer's.
func EndToEndID(r models.Repayment) string { return fmt.Sprintf("PURR-%d-R%d", r.CreditorID, r.ID) }

// repaymentsCSV returns the list of repayments that goes with a file.
func repaymentsCSV(rs []models.Repayment, customers map[int64]models.Customer) ([]byte, error) {
	var body bytes.Buffer
	w := csv.NewWriter(&body)
	_ = w.Write([]string{"repayment", "end_to_end_id", "customer", "customer_number", "name1", "account", "amount"}) // the writer keeps its first error until the end
	for _, r := range rs {
		to := customers[r.CustomerID].Recipient
		_ = w.Write([]string{
			strconv.FormatInt(r.ID, 10), EndToEndID(r), strconv.FormatInt(r.CustomerID, 10), models.CSVCell(to.CustomerNumber), models.CSVCell(to.Name1), r.Account, r.Amount.String(),
		})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("write the list of repayments: %w", err)
	}
	return body.Bytes(), nil
}

// WithdrawRepaymentFile withdraws a file that the bank did not take. Its repayments wait again, for the next file; those that are not
// covered any more are stopped. The file and its number stay.
func WithdrawRepaymentFile(ctx context.Context, tx *store.Tx, creditorID, fileID int64, actor string, seen ...models.Seen) (models.RepaymentFile, error) {
	f, rs, err := lockRepaymentFile(ctx, tx, creditorID, fileID, models.RepaymentFileMade, seen)
	if err != nil {
		return f, err
	}
	if _, _, err := lockBalances(ctx, tx, creditorID, nil, customersOf(rs)...); err != nil {
		return f, err
	}
	for n := range rs {
		rs[n].State, rs[n].FileID = models.RepaymentWaiting, 0
	}
	f.State = models.RepaymentFileWithdrawn
	if err := updateFile(ctx, tx, f, rs); err != nil {
		return f, err
	}
	for _, id := range customersOf(rs) {
		if _, err := stopUncoveredOf(ctx, tx, creditorID, id); err != nil {
			return f, err
		}
	}
	return f, logRepaymentFile(ctx, tx, f, models.EventRepaymentFileWithdrawn, actor, "withdrawn")
}

// lockRepaymentFile locks a file of repayments, by its creditor, and returns it with its repayments. It fails with a conflict if the file
// is in another state, or not as a person saw it.
func lockRepaymentFile(
	ctx context.Context, tx *store.Tx, creditorID, fileID int64, want models.RepaymentFileState, seen []models.Seen,
) (f models.RepaymentFile, rs []models.Repayment, err error) {
	if _, err := tx.LockCreditor(ctx, creditorID); err != nil {
		return f, nil, err
	}
	if f, err = tx.RepaymentFile(ctx, creditorID, fileID); err != nil {
		return f, nil, err
	}
	if err := tx.Unchanged(ctx, creditorID, models.Thing{Kind: models.ThingRepaid, ID: fileID}, seen...); err != nil {
		return f, nil, err
	}
	if f.State != want {
		return f, nil, models.Conflict("repayment_file_state", "the file is %s", f.State)
	}
	rs, err = tx.RepaymentsOfFile(ctx, creditorID, fileID)
	return f, rs, err
}

// logRepaymentsOf writes an event about each repayment of a file, and one about the file.
func logRepaymentsOf(
	ctx context.Context, tx *store.Tx, f models.RepaymentFile, rs []models.Repayment, each, all models.EventType, actor, what string,
) error {
	for _, r := range rs {
		if err := logRepayment(ctx, tx, r, each, actor, fmt.Sprintf("Repayment of %s in file %d is %s", r.Amount, f.Number, what), &f); err != nil {
			return err
		}
	}
	return logRepaymentFile(ctx, tx, f, all, actor, what)
}

// logRepaymentFile writes an event about a file of repayments.
func logRepaymentFile(ctx context.Context, tx *store.Tx, f models.RepaymentFile, t models.EventType, actor, what string) error {
	facts := models.Facts{"file_number": f.Number, "repayments": f.Transactions, "amount": f.Amount}
	if f.PaidOn != 0 {
		facts["paid_on"] = f.PaidOn
	}
	return tx.Log(ctx, models.Event{
		CreditorID: f.CreditorID, Type: t, Actor: actor, SubjectID: f.ID, Text: fmt.Sprintf("File %d with %d repayments of %s is %s", f.Number, f.Transactions, f.Amount, what),
		Facts: facts,
	})
}

func repaymentIDs(rs []models.Repayment) (ids []int64) {
	for _, r := range rs {
		ids = append(ids, r.ID)
	}
	return ids
}

func customersOf(rs []models.Repayment) []int64 {
	ids := map[int64]bool{}
	for _, r := range rs {
		ids[r.CustomerID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

func invoicesOf(rs []models.Repayment) []int64 {
	ids := map[int64]bool{}
	for _, r := range rs {
		ids[r.InvoiceID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// updateFile writes a file of repayments, and the repayments.
func updateFile(ctx context.Context, tx *store.Tx, f models.RepaymentFile, rs []models.Repayment) error {
	if err := tx.UpdateRepayments(ctx, rs); err != nil {
		return err
	}
	return tx.UpdateRepaymentFile(ctx, f)
}
