package store_test

import (
	"context"
	"maps"
	"reflect"
	"strconv"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestCreditors(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		fee, rate, days := models.Amount(0), models.Percent(9_25), 21
		full := rows.Creditor(t, db, func(c *models.Creditor) {
			c.OrganisationNumber, c.VATRegistered, c.KIDModulus, c.Address2 = "974760673", true, models.Modulus11, "bakgården"
			c.Policy.Enabled, c.Policy.Fee, c.Policy.InterestRate, c.Policy.HandOverDays = true, &fee, &rate, &days
			c.VATRates = models.VATRates{{Name: models.VATHigh, Percent: 25_00, FromDate: day("2005-01-01")}, {Name: models.VATLow, Percent: 11_11, FromDate: day("2018-01-01")}}
			c.Policy.MinimumBalance, c.Policy.AddInterest, c.Policy.WeekdaysOnly = 50_00, false, false
		})
		plain := rows.Creditor(t, db)

		kept, err := db.Creditor(ctx, full.ID)
		must(t, err)
		if p := kept.Policy; p.Fee == nil || *p.Fee != 0 || *p.InterestRate != rate || *p.HandOverDays != days || p.AddInterest || !p.Enabled {
			t.Errorf("the policy is kept as %+v", p)
		}
		kept.Policy, full.Policy = models.Policy{}, models.Policy{}
		if !reflect.DeepEqual(kept, full) {
			t.Errorf("kept is %+v, want %+v", kept, full)
		}
		kept, err = db.Creditor(ctx, plain.ID)
		must(t, err)
		if !reflect.DeepEqual(kept, plain) {
			t.Errorf("kept is %+v, want %+v", kept, plain)
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			locked, err := tx.LockCreditor(ctx, plain.ID)
			must(t, err)
			locked.Policy.Fee, locked.Name = &fee, "Another name"
			return tx.UpdateCreditor(ctx, &locked)
		})
		if again, err := db.CreditorNamed(ctx, "Another name"); err != nil || again.ID != plain.ID || again.Policy.Fee == nil {
			t.Errorf("after a change it is %+v, %v", again, err)
		}

		if all, err := db.Creditors(ctx); err != nil || len(all) != 2 || all[0].ID != full.ID || all[1].ID != plain.ID {
			t.Errorf("all are %+v, %v", all, err)
		}
		_, err = db.Creditor(ctx, plain.ID+1)
		wantKind(t, err, models.KindNotFound)
	})
}

func TestD100ACreditorNamedAsANumber(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		named := func(name string) func(*models.Creditor) { return func(c *models.Creditor) { c.Name = name } }
		first := rows.Creditor(t, db, named("Kattens Melk AS"))
		number := strconv.FormatInt(first.ID, 10)
		numeric := rows.Creditor(t, db, named(number))
		for what, want := range map[string]int64{"Kattens Melk AS": first.ID, number: numeric.ID} {
			if got, err := db.CreditorNamed(t.Context(), what); err != nil || got.ID != want {
				t.Errorf("%q is %d, %v, want %d", what, got.ID, err, want)
			}
		}
		for _, what := range []string{"", "kattens melk as", "999", strconv.FormatInt(numeric.ID, 10)} {
			_, err := db.CreditorNamed(t.Context(), what)
			wantKind(t, err, models.KindNotFound)
		}
	})
}

func TestNamesAndBankAccountsAreOneCreditors(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		first, second := rows.Creditor(t, db), rows.Creditor(t, db)
		none := rows.Creditor(t, db, func(c *models.Creditor) { c.BankAccount = "" })
		rows.Creditor(t, db, func(c *models.Creditor) { c.BankAccount = "" }) // no creditor has the empty account

		create := func(name, account string) error {
			c := models.NewCreditor(name)
			c.BankAccount = account
			return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.CreateCreditor(ctx, &c) })
		}
		update := func(c models.Creditor, change func(*models.Creditor)) error {
			change(&c)
			return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCreditor(ctx, &c) })
		}
		account := func(a string) func(*models.Creditor) { return func(c *models.Creditor) { c.BankAccount = a } }
		wantConflict(t, create(first.Name, ""), "name_in_use", "name")
		wantConflict(t, create("New", first.BankAccount), "bank_account_in_use", "bank_account")
		if _, err := db.CreditorNamed(ctx, "New"); models.KindOf(err) != models.KindNotFound {
			t.Errorf("of the creditor that was refused is left: %v", err)
		}
		wantConflict(t, update(second, func(c *models.Creditor) { c.Name = first.Name }), "name_in_use", "name")
		wantConflict(t, update(second, account(first.BankAccount)), "bank_account_in_use", "bank_account")

		// A creditor keeps an account that it had before, because payments still come in on it (D20).
		old := first.BankAccount
		must(t, update(first, account("86011117947")))
		wantConflict(t, update(none, account(old)), "bank_account_in_use", "bank_account")
		must(t, update(first, account(old)))
		owners, err := db.AccountOwners(ctx)
		want := map[string]int64{old: first.ID, "86011117947": first.ID, second.BankAccount: second.ID}
		if err != nil || !maps.Equal(owners, want) {
			t.Errorf("the accounts are %v, %v, want %v", owners, err, want)
		}
	})
}
