package console_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
)

// TestN12FreeCreditFromTheListToTheBank has a clerk see who has free credit, pay it back and have the bank's file made, with a double
// press at each; and in the reader's language.
func TestN12FreeCreditFromTheListToTheBank(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := &desks{openOn(t, databaseURL, models.ScopeAdmin, nil), new(int)}
		d.withAccount()
		d.on("2026-03-30")
		i := d.overpaid()
		d.get("money/credit").tells("1 customer has 100,00 of free credit")
		if soon := d.get("today").is(http.StatusOK); strings.Contains(soon.body, "has had free credit") {
			t.Error("Today tells of free credit at once")
		}
		d.on("2026-04-02")
		d.get("today").tells("1 customer has had free credit for three days", "100,00 in all")
		if list := d.get("money/credit.csv?format=en").is(http.StatusOK); !strings.Contains(list.body, ",2026-03-30,100.00,0.00\n") {
			t.Errorf("the list is %s", list.body)
		}
		page := fmt.Sprintf("customers/%d", i.CustomerID)
		f := d.formAt(page+"/repay").typing("account", "1503.20.80012")
		d.send(f).is(http.StatusUnprocessableEntity).tells("11 digits")
		f = d.formAt(page+"/repay").typing("account", "1503.20.80011", "amount", "100,01")
		d.send(f).is(http.StatusConflict).tells("There is not so much free credit")
		f = d.formAt(page+"/repay").typing("account", "1503.20.80011", "amount", "60")
		d.send(f).is(http.StatusSeeOther)
		d.send(f).is(http.StatusSeeOther) // a double press is one order
		d.get(page).tells("Of it 60,00 is reserved for repayments")
		d.get("money/repayments").tells("1 repayment of 60,00 waits for a file", otherAccount)
		made := d.formAt("money/repayments", "money/repayments/file")
		d.send(made).is(http.StatusSeeOther)
		d.send(made).is(http.StatusSeeOther)
		files, total, err := d.db.RepaymentFiles(t.Context(), d.creditor.ID, store.Page{Number: 1, Size: 10})
		must(t, err)
		if total != 1 || files[0].Amount != 60_00 {
			t.Fatalf("the files are %+v", files)
		}
		d.get("money/repayments").tells("1 file. What was not withdrawn is 60,00 in all.")
		path := fmt.Sprintf("money/repayments/file/%d", files[0].ID)
		if pain := d.get(path + "/pain").is(http.StatusOK); !strings.Contains(pain.body, "<CtrlSum>60.00</CtrlSum>") {
			t.Errorf("the bank's file is %s", pain.body)
		}
		d.get(path + "/csv").is(http.StatusOK)
		d.send(d.formAt(path + "/paid")).is(http.StatusSeeOther)
		d.get("money/repayments?status=paid").tells("1 repayment of 60,00 is paid")
		d.get(fmt.Sprintf("invoices/%d", i.Number)).tells("Paid back")
		for language, says := range map[string]string{"nb": "1 kunde har 40,00 til gode", "nn": "1 kunde har 40,00 til gode"} {
			d.do(http.MethodGet, "money/credit", "", "Accept-Language", language).tells(says)
		}
		d.proved()
	})
}

// TestN12CreditIsMovedAndTheMoveUndone moves free credit to another customer's invoice, and takes that back.
func TestN12CreditIsMovedAndTheMoveUndone(t *testing.T) {
	d := &desks{open(t, models.ScopeAdmin, nil), new(int)}
	d.withAccount()
	d.on("2026-03-30")
	i, to := d.overpaid(), d.invoice()
	page := fmt.Sprintf("invoices/%d/move-credit", i.Number)
	d.send(d.formAt(page).typing("invoice", "999999")).is(http.StatusUnprocessableEntity).tells("There is no such invoice")
	f := d.formAt(page).typing("invoice", fmt.Sprint(to.Number))
	undo := d.undoing(f, fmt.Sprintf("invoices/%d/payments/", to.Number))
	if from, got := d.now(i), d.now(to); from.Balance != 0 || got.Balance != to.Balance-100_00 {
		t.Errorf("moved, the balances are %s and %s", from.Balance, got.Balance)
	}
	for _, invoice := range []models.Invoice{i, to} {
		d.get(fmt.Sprintf("invoices/%d", invoice.Number)).tells(fmt.Sprintf("moved from invoice %d to invoice %d", i.Number, to.Number))
	}
	d.send(undo).is(http.StatusSeeOther)
	if from, got := d.now(i), d.now(to); from.Balance != -100_00 || got.Balance != to.Balance {
		t.Errorf("undone, the balances are %s and %s", from.Balance, got.Balance)
	}
	d.proved()
}

// TestN9ChargesThatAreLeftAreWaivedTogether waives what is left on two invoices, and takes it back; and then all at once.
func TestN9ChargesThatAreLeftAreWaivedTogether(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := &desks{openOn(t, databaseURL, models.ScopeAdmin, nil), new(int)}
		d.withAccount()
		d.on("2026-03-30")
		first, second := d.onlyCharged(), d.onlyCharged()
		d.get("money/charges").tells("70,00 of fees and interest is left on 2 invoices")
		d.get("today").tells("On 2 invoices only fees and interest are left")
		if list := d.get("money/charges.csv?format=en").is(http.StatusOK); strings.Count(list.body, ",35.00,0.00\n") != 2 {
			t.Errorf("the list is %s", list.body)
		}
		d.send(d.formAt("money/charges").typing("comment", "x")).is(http.StatusUnprocessableEntity)
		seen, err := d.db.LookAtInvoice(t.Context(), first)
		must(t, err)
		f := d.formAt("money/charges").typing("invoice", fmt.Sprintf("%d:%s", first.Number, seen), "comment", "kulanse")
		undo := d.undoOf(f, "money/charges/restore")
		d.send(f).is(http.StatusSeeOther)
		if d.now(first).Balance != 0 || d.now(second).Balance != 35_00 {
			t.Errorf("waived, the balances are %s and %s", d.now(first).Balance, d.now(second).Balance)
		}
		d.get(fmt.Sprintf("invoices/%d", first.Number)).tells("kulanse")
		d.send(undo).is(http.StatusSeeOther)
		if d.now(first).Balance != 35_00 {
			t.Errorf("taken back, the balance is %s", d.now(first).Balance)
		}
		all := d.formAt("money/charges").typing("all", "1")
		d.onlyCharged()
		d.send(all).is(http.StatusConflict)
		d.send(d.formAt("money/charges").typing("all", "1")).is(http.StatusSeeOther)
		d.get("money/charges").tells("On no invoice only fees and interest are left")
	})
}

// proved expects the books to add up.
func (d *desks) proved() {
	d.t.Helper()
	differences, err := ledger.Verify(d.t.Context(), d.db, d.creditor)
	must(d.t, err)
	for _, difference := range differences {
		d.t.Error(difference)
	}
}
