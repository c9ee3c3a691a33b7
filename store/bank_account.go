package store

import (
	"context"

	"purr/models"
)

// AccountOwners returns, for each bank account, the creditor that has it or had it. An account that waits is nobody's (rule D101).
func (r reads) AccountOwners(ctx context.Context) (map[string]int64, error) {
	rows, err := readAll[models.BankAccount](r.with(ctx))
	if err != nil {
		return nil, err
	}
	owners := make(map[string]int64, len(rows))
	for _, row := range rows {
		owners[row.Account] = row.CreditorID
	}
	return owners, nil
}

// BankAccount returns whose an account is, nil if it is nobody's.
func (r reads) BankAccount(ctx context.Context, account string) (*models.BankAccount, error) {
	rows, err := readAll[models.BankAccount](r.with(ctx).Where("account = ?", account))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// SeveralCreditors reports whether the installation has more than one creditor.
func (r reads) SeveralCreditors(ctx context.Context) (bool, error) {
	n, err := scan[int](r.with(ctx).Raw("SELECT COUNT(*) FROM (SELECT id FROM creditors LIMIT 2) AS some"))
	return err == nil && n > 1, err
}

// asksForAccount holds for creditors whose own key asks for an account or an IBAN that waits for the operator.
const asksForAccount = "(waiting_account > '' OR waiting_iban > '')"

// WaitingCreditors returns the creditors whose own key asks for an account or an IBAN that waits for the operator, oldest first.
func (r reads) WaitingCreditors(ctx context.Context) ([]models.Creditor, error) {
	return readAll[models.Creditor](r.with(ctx).Where(asksForAccount).Order("id"))
}

// HeldAccount is an account that a creditor has, with the creditor's name and whether documents name it.
type HeldAccount struct {
	models.BankAccount `gorm:"embedded"`
	Name               string
	Named              bool
}

// heldAccounts is the query of the accounts that creditors have.
const heldAccounts = `SELECT * FROM (SELECT a.*, c.name, (a.named_at IS NOT NULL
		OR EXISTS (SELECT 1 FROM invoices i WHERE i.creditor_id = a.creditor_id AND i.bank_account = a.account)
		OR EXISTS (SELECT 1 FROM credit_notes n WHERE n.creditor_id = a.creditor_id AND n.bank_account = a.account)) AS named
	FROM creditor_accounts a JOIN creditors c ON c.id = a.creditor_id) AS held`

// HeldAccounts returns the accounts that creditors have, by creditor and account.
func (r reads) HeldAccounts(ctx context.Context) ([]HeldAccount, error) {
	return scan[[]HeldAccount](r.with(ctx).Raw(heldAccounts + " ORDER BY creditor_id, account"))
}

// UnapprovedAccounts returns the accounts that creditors have without a word of the operator's, and that no document names.
func (r reads) UnapprovedAccounts(ctx context.Context) ([]HeldAccount, error) {
	return scan[[]HeldAccount](r.with(ctx).Raw(heldAccounts + " WHERE approved_at IS NULL AND named_at IS NULL AND NOT named ORDER BY creditor_id, account"))
}

// AccountUse returns what keeps an account with its creditor (rule D101).
func (r reads) AccountUse(ctx context.Context, a models.BankAccount) (models.AccountUse, error) {
	if a.NamedAt != nil {
		return models.AccountUse{Kind: models.NamedBefore}, nil
	}
	for _, use := range []struct {
		kind  models.AccountUseKind
		query string
		args  []any
	}{
		{models.NamedByInvoice, "SELECT number FROM invoices WHERE creditor_id = ? AND bank_account = ? ORDER BY id LIMIT 1", []any{a.CreditorID, a.Account}},
		{models.NamedByCreditNote, "SELECT number FROM credit_notes WHERE creditor_id = ? AND bank_account = ? ORDER BY id LIMIT 1", []any{a.CreditorID, a.Account}},
		{models.NamedByNotice, "SELECT i.number FROM overdue_notices n JOIN invoices i ON i.id = n.invoice_id WHERE n.creditor_id = ? AND i.bank_account = '' ORDER BY n.id LIMIT 1", []any{a.CreditorID}},
		{models.PaidTo, "SELECT 1 FROM statement_lines WHERE creditor_id = ? AND account = ? LIMIT 1", []any{a.CreditorID, a.Account}},
		{models.BeingPaid, "SELECT f.id FROM payment_files f JOIN transmissions t ON t.payment_file_id = f.id WHERE f.state = ? AND t.account = ? ORDER BY f.id LIMIT 1", []any{models.FileImporting, a.Account}},
	} {
		found, err := scan[[]int64](r.with(ctx).Raw(use.query, use.args...))
		if err != nil {
			return models.AccountUse{}, err
		}
		if len(found) > 0 {
			return models.AccountUse{Kind: use.kind, Number: found[0]}, nil
		}
	}
	return models.AccountUse{}, nil
}

// takeAccount makes the creditor's account its own, if it is not yet. It fails with a conflict if it is another creditor's.
func (tx *Tx) takeAccount(ctx context.Context, c *models.Creditor) error {
	if c.BankAccount == "" {
		return nil
	}
	fresh, err := tx.insertIgnoring(ctx, &models.BankAccount{Account: c.BankAccount, CreditorID: c.ID})
	if err != nil || fresh {
		return err
	}
	row, err := readOne[models.BankAccount](tx.with(ctx).Where("account = ?", c.BankAccount), "bank account")
	if err != nil {
		return err
	}
	if row.CreditorID != c.ID {
		return AccountInUse()
	}
	return nil
}

// AccountInUse returns the conflict that another creditor has a bank account.
func AccountInUse() error {
	return &models.Error{Kind: models.KindConflict, Code: "bank_account_in_use", Place: models.At("bank_account"), Msg: "another creditor has this bank account"}
}

// ApproveAccount notes that the operator said yes to an account of the creditor.
func (tx *Tx) ApproveAccount(ctx context.Context, creditorID int64, account string) error {
	return tx.set(ctx, &models.BankAccount{}, map[string]any{"approved_at": tx.Now}, "account = ? AND creditor_id = ?", account, creditorID)
}

// NameAccount notes that a document of the creditor names its present account. The creditor must be locked.
func (tx *Tx) NameAccount(ctx context.Context, c models.Creditor) error {
	err := tx.set(ctx, &models.BankAccount{}, map[string]any{"named_at": tx.Now}, "account = ? AND creditor_id = ? AND named_at IS NULL", c.BankAccount, c.ID)
	if err != nil {
		return err
	}
	return tx.set(ctx, &models.Creditor{}, map[string]any{"named_account": c.BankAccount}, "id = ?", c.ID)
}

// FreeAccount takes an account from its creditor: from then on it is nobody's.
func (tx *Tx) FreeAccount(ctx context.Context, a models.BankAccount) error {
	return classify(tx.with(ctx).Where("account = ? AND creditor_id = ?", a.Account, a.CreditorID).Delete(&models.BankAccount{}).Error, "")
}
