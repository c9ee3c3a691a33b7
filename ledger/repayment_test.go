package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// theirs is an account of a customer.
const theirs = "86011117947"

// desk does what clerks do with the free credit of one creditor's customers.
type desk struct {
	t        testing.TB
	db       *store.DB
	creditor models.Creditor
	of       []*customer
}

// newDesk returns a creditor with customers of some invoices of 1000 kroner each.
func newDesk(t *testing.T, db *store.DB, customers, invoices int) *desk {
	t.Helper()
	d := &desk{t: t, db: db, creditor: rows.Creditor(t, db)}
	for range customers {
		who := rows.Customer(t, db, d.creditor)
		c := &customer{t: t, db: db, creditor: d.creditor, id: who.ID}
		for n := range invoices {
			i := rows.Invoice(t, db, d.creditor, rows.To(who), rows.DueIn(10+n))
			c.invoices = append(c.invoices, &account{t: t, db: db, creditor: d.creditor, id: i.ID})
		}
		d.of = append(d.of, c)
	}
	return d
}

func (d *desk) in(do func(ctx context.Context, tx *store.Tx) error) error {
	return d.db.InTx(d.t.Context(), do)
}

func (d *desk) order(c *customer, amount models.Amount, seen ...models.Seen) (r models.Repayment, err error) {
	err = d.in(func(ctx context.Context, tx *store.Tx) error {
		o := ledger.RepaymentOrder{Amount: amount, Account: theirs, Actor: "Kari"}
		if len(seen) > 0 {
			o.Seen = seen[0]
		}
		r, err = ledger.OrderRepayment(ctx, tx, d.creditor, c.id, o)
		return err
	})
	return r, err
}

func (d *desk) withdraw(id int64) error {
	return d.in(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.WithdrawRepayment(ctx, tx, d.creditor.ID, id, "Kari")
		return err
	})
}

func (d *desk) file() (made ledger.MadeRepaymentFile, err error) {
	err = d.in(func(ctx context.Context, tx *store.Tx) error {
		made, err = ledger.MakeRepaymentFile(ctx, tx, d.creditor.ID, rows.Today, "Kari")
		return err
	})
	return made, err
}

func (d *desk) pay(id int64) error {
	return d.in(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.PayRepaymentFile(ctx, tx, d.creditor.ID, id, rows.Today, rows.Today, "Kari")
		return err
	})
}

func (d *desk) unpay(id int64) error {
	return d.in(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.UnpayRepaymentFile(ctx, tx, d.creditor.ID, id, rows.Today, "Kari")
		return err
	})
}

func (d *desk) withdrawFile(id int64) error {
	return d.in(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.WithdrawRepaymentFile(ctx, tx, d.creditor.ID, id, "Kari")
		return err
	})
}

func (d *desk) move(from, to *account, amount models.Amount) error {
	return d.in(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.TransferCredit(ctx, tx, d.creditor.ID, ledger.Transfer{FromID: from.id, ToID: to.id, Amount: amount, Actor: "Kari"}, rows.Today)
		return err
	})
}

// proved expects the books to add up.
func (d *desk) proved() {
	d.t.Helper()
	differences, err := ledger.Verify(d.t.Context(), d.db, d.creditor)
	must(d.t, err)
	for _, difference := range differences {
		d.t.Error(difference)
	}
}

// states returns the states of all repayments, oldest first.
func (d *desk) states() string {
	d.t.Helper()
	all, _, err := d.db.Repayments(d.t.Context(), d.creditor.ID, store.RepaymentFilter{}, store.Page{Number: 1, Size: 1000})
	must(d.t, err)
	var said []string
	for _, r := range slices.All(all) {
		said = append(said, fmt.Sprintf("%s %s", kroner(r.Amount), r.State))
	}
	return strings.Join(said, ", ")
}

func (d *desk) free(c *customer) models.Amount {
	d.t.Helper()
	free, err := d.db.FreeCredit(d.t.Context(), d.creditor.ID, []int64{c.id})
	must(d.t, err)
	return free[c.id]
}

// codeOf returns the code of a refusal.
func codeOf(err error) string {
	var refused *models.Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return fmt.Sprint(err)
}

func TestN12ARepaymentReservesItsCreditUntilItIsPaid(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db, 1, 2)
		c := d.of[0]
		c.play("1 pay 1500")
		if _, err := d.order(c, 500_01); codeOf(err) != "not_enough_credit" {
			t.Errorf("more than there is: %v", err)
		}
		r, err := d.order(c, 400_00)
		must(t, err)
		d.proved()
		if free := d.free(c); free != 100_00 {
			t.Errorf("%s is free", free)
		}
		for why, err := range map[string]error{
			"a second repayment": second(d.order(c, 200_00)),
			"a move":             d.move(c.invoices[0], c.invoices[1], 200_00),
		} {
			if codeOf(err) != "not_enough_credit" {
				t.Errorf("%s of what is reserved: %v", why, err)
			}
		}
		if _, err := c.invoices[0].register(ledger.Payment{Amount: 200_00, Date: rows.Today}); codeOf(err) != "credit_reserved" {
			t.Errorf("a payout by hand of what is reserved: %v", err)
		}
		c.play("settle")
		if got := c.owed(); got != "-400, 900" {
			t.Errorf("settled, owed is %s", got)
		}
		d.proved()
		must(t, d.withdraw(r.ID))
		if err := d.withdraw(r.ID); codeOf(err) != "repayment_not_waiting" {
			t.Errorf("taken back twice: %v", err)
		}
		c.play("settle")
		if got := c.owed() + " " + d.states(); got != "0, 500 400 withdrawn" {
			t.Errorf("it is %s", got)
		}
		d.proved()
	})
}

func second[T any](_ T, err error) error { return err }

func TestN12AFileIsMadeOnceAndPaid(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db, 2, 1)
		d.of[0].play("1 pay 1500")
		d.of[1].play("1 pay 1000, 1 credit")
		if made, err := d.file(); err != nil || made.File.ID != 0 {
			t.Fatalf("of nothing a file is made: %+v, %v", made, err)
		}
		_, err := d.order(d.of[0], 500_00)
		must(t, err)
		_, err = d.order(d.of[1], 700_00)
		must(t, err)
		// Two clerks at once make one file.
		var all [2]ledger.MadeRepaymentFile
		var clerks sync.WaitGroup
		for n := range all {
			clerks.Go(func() {
				var err error
				if all[n], err = d.file(); err != nil {
					t.Error(err)
				}
			})
		}
		clerks.Wait()
		f := all[0].File
		if f.ID == 0 {
			f = all[1].File
		}
		if (all[0].File.ID == 0) == (all[1].File.ID == 0) || f.Number != 1 || f.Transactions != 2 || f.Amount != 1200_00 {
			t.Fatalf("the files are %+v", all)
		}
		d.proved()
		kept, err := db.RepaymentFileBytes(t.Context(), d.creditor.ID, f.ID)
		must(t, err)
		for _, part := range []string{"<NbOfTxs>2</NbOfTxs>", "<CtrlSum>1200.00</CtrlSum>", theirs, d.creditor.BankAccount, fmt.Sprintf("PURR-%d-%d", d.creditor.ID, f.Number)} {
			if !strings.Contains(string(kept.Pain), part) {
				t.Errorf("the file lacks %s: %s", part, kept.Pain)
			}
		}
		if lines := strings.Count(string(kept.CSV), "\n"); lines != 3 {
			t.Errorf("the list is %s", kept.CSV)
		}
		must(t, d.pay(f.ID))
		d.proved()
		if err := d.pay(f.ID); codeOf(err) != "repayment_file_state" {
			t.Errorf("paid twice: %v", err)
		}
		if got := d.of[0].owed() + "; " + d.of[1].owed() + "; " + d.states(); got != "0; 0; 500 paid, 700 paid" {
			t.Errorf("paid, it is %s", got)
		}
		d.of[0].proved("0")
		d.of[1].proved("-300")
		must(t, d.unpay(f.ID))
		d.proved()
		d.of[0].proved("-500")
		if free := d.free(d.of[0]) + d.free(d.of[1]); free != 300_00 {
			t.Errorf("taken back, %s is free", free)
		}
		must(t, d.withdrawFile(f.ID))
		d.proved()
		made, err := d.file()
		must(t, err)
		if made.File.Number != 2 || made.File.Transactions != 2 {
			t.Errorf("the next file is %+v", made.File)
		}
		again, err := db.RepaymentFileBytes(t.Context(), d.creditor.ID, f.ID)
		must(t, err)
		if string(again.Pain) != string(kept.Pain) {
			t.Error("the bytes of a file have changed")
		}
		d.proved()
	})
}

// TestN12MoneyThatIsGoneIsNotPaidBack has the bank take money back at each stage of a repayment.
func TestN12MoneyThatIsGoneIsNotPaidBack(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db, 1, 1)
		c := d.of[0]
		c.play("1 pay 1000, 1 bank 500")
		must(t, second(d.order(c, 200_00)))
		must(t, second(d.order(c, 300_00)))
		c.play("1 bank -250")
		if got := d.states(); got != "200 waiting, 300 stopped" {
			t.Errorf("it is %s: the newest is stopped, and no more than is needed", got)
		}
		d.proved()
		made, err := d.file()
		must(t, err)
		if made.File.Amount != 200_00 {
			t.Errorf("the file is of %s", made.File.Amount)
		}
		c.play("1 bank -250")
		d.proved() // the bank has the file: nothing stops it
		must(t, d.pay(made.File.ID))
		d.proved()
		if got := c.owed(); got != "0+200" {
			t.Errorf("what was paid out is owed as a repayment; it is %s", got)
		}
	})
}
