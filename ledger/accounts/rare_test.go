package accounts_test

import (
	"strconv"
	"strings"
	"testing"

	"purr/billing"
	"purr/dunning"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// rare lets happen what months does not: a payment by the bank, credit that is moved and paid back, an invoice of another system and what
// that tells of it, and a payment to the debt collector.
func (l *life) rare() {
	l.t.Helper()
	ctx := l.t.Context()
	first, second := l.invoice(), l.invoice()
	rows.Write(l.t, l.db, func(tx *store.Tx) error {
		made, err := billing.Adopt(ctx, tx, l.creditor.ID, []billing.Adoption{{
			CustomerID: l.customer.ID, Number: 17, IssueDate: l.today() - 40, DueDate: l.today() - 26, Gross: 500_00, Balance: 420_00,
			KID: models.NewKID("8000000017", models.Modulus10), Actor: "a person",
		}})
		must(l.t, err)
		return made[0].Err
	})
	l.pass(1)
	rows.Write(l.t, l.db, func(tx *store.Tx) error {
		_, err := ledger.TellBalance(ctx, tx, l.creditor.ID, ledger.Told{Number: 17, Balance: 20_00, Actor: "a person"})
		return err
	})
	l.charge(first, models.EntryOCR, -first.Gross-77_00)
	rows.Write(l.t, l.db, func(tx *store.Tx) error {
		_, err := ledger.TransferCredit(ctx, tx, l.creditor.ID, ledger.Transfer{FromID: first.ID, ToID: second.ID, Amount: 50_00, Actor: "a person"}, l.today())
		return err
	})
	l.register(first, 27_00, "", l.today())
	rows.Send(l.t, l.db, l.creditor)
	l.pass(40)
	rows.Write(l.t, l.db, func(tx *store.Tx) error {
		_, err := dunning.ForceHandOver(ctx, tx, l.creditor, second.ID, "a person")
		return err
	})
	rows.Write(l.t, l.db, func(tx *store.Tx) error {
		told := models.CollectorTold{Invoice: strconv.FormatInt(second.Number, 10), State: "paid", At: l.today().String(), Amount: "100.00", Reference: "K-1"}
		_, err := dunning.ReportCollection(ctx, tx, l.creditor, []models.CollectorTold{told}, "a person")
		return err
	})
}

// TestA1bEachFormOfWhatIsRare hands over what the other golden files lack, in each form.
func TestA1bEachFormOfWhatIsRare(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db, func(c *models.Creditor) { c.FirstNumber = 1000 })
		start := l.today()
		l.rare()
		l.pass(1)
		for _, form := range models.AccountForms {
			golden(t, "rare."+string(form), l.content(l.make(start, l.today()-1, form)))
		}
		journal := string(l.content(l.make(start, l.today()-1, models.FormCSV)))
		for _, account := range []models.AccountKind{
			models.AccountPaidBank, models.AccountPaidByHand, models.AccountPaidBack, models.AccountTransfer, models.AccountOpening, models.AccountTold,
		} {
			if !strings.Contains(journal, ","+string(account)+",") {
				t.Errorf("nothing is booked as %s", account)
			}
		}
	})
}
