package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// februaryAndMarch has an invoice of each month, and a payment of March.
func februaryAndMarch(b *browser) {
	b.t.Helper()
	kari := rows.Customer(b.t, b.db, b.creditor)
	february := rows.On(b.db, rows.Day("2026-02-10"))
	i := rows.Invoice(b.t, february, b.creditor, rows.To(kari), func(o *billing.InvoiceRequest) {
		o.Lines = []models.Line{{Text: "Cat", UnitPrice: 1000_00_00, NumItems: 1000, VAT: models.VATHigh}}
	})
	rows.Invoice(b.t, b.db, b.creditor, rows.To(kari), rows.Of(60_00))
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, b.creditor.ID, i.ID, ledger.Payment{Amount: -400_00, Date: rows.Today, Actor: "Ola"}, rows.Today)
		return err
	})
}

// TestA1cTheLastMonthIsHandedOver presses the button of the last month, and finds the export, its files, its sums, and that it agrees.
func TestA1cTheLastMonthIsHandedOver(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	februaryAndMarch(b)
	b.get("money").is(http.StatusOK).says("Accounts")
	b.get("money/accounts").is(http.StatusOK).says("Nothing has been handed over to the accounts yet.", "Hand over February 2026", "No exports.", "The default stands")
	f := b.formAt("money/accounts").typing("format", "gbat10")
	path := b.send(f).is(http.StatusSeeOther).location
	if again := b.send(f).is(http.StatusSeeOther).location; again != path {
		t.Errorf("a second click leads to %s, the first to %s", again, path)
	}
	page := b.get(path).is(http.StatusOK).says("Export 1, 1 February 2026 to 28 February 2026, is made as GBAT10: 1 voucher.", "Vouchers 2026-1 – 2026-1.",
		"1 February 2026 to 28 February 2026 : 1 voucher, 1\u00a0250,00 debit and credit.", "Opening balance 0,00", "Booked in the period 1\u00a0250,00", "Closing balance 1\u00a0250,00",
		"What the customers owed when 28 February 2026 was over 1\u00a0250,00", "It agrees to the øre",
		"1500 Receivables 1\u00a0250,00 0,00 1\u00a0250,00", "2700 VAT, high rate 0,00 250,00 −250,00", "3000 Sales, high rate · Sales, medium rate · Sales, low rate 0,00 1\u00a0000,00 −1\u00a0000,00",
		"Make the file as CSV", "Download export 1 as GBAT10")
	if !strings.Contains(page.body, `class="mono"`) {
		t.Error("the SHA-256 is not shown")
	}
	csv := b.send(page.form(path, b.base+"/money/accounts")).is(http.StatusSeeOther).location // the first form that is not made: CSV
	if csv != path {
		t.Errorf("another format leads to %s, want %s", csv, path)
	}
	if got := b.get(path + "/file/csv").is(http.StatusOK); !strings.HasPrefix(got.body, "date,voucher,") || got.header.Get("Content-Disposition") != `attachment; filename="accounts-1-2026-02-01-2026-02-28-csv.csv"` {
		t.Errorf("the file is %s %q", got.header.Get("Content-Disposition"), got.body)
	}
	if got := b.get(path + "/file/gbat10").is(http.StatusOK); !strings.HasPrefix(got.body, "GBAT10;1;") {
		t.Errorf("the file is %q", got.body)
	}
	b.get(path + "/file/tripletex").is(http.StatusNotFound)
	b.get("money/accounts").is(http.StatusOK).says("Handed over up to 28 February 2026 , by 1 export.", "February 2026 was handed over: export 1", "Export 1 01.02.2026 28.02.2026 1 1\u00a0250,00 1\u00a0250,00")
	for path, want := range map[string]string{
		path + "/sums.csv?format=en":   "1500,Receivables,1250.00,0.00,1250.00\n",
		"money/accounts.csv?format=en": "1,2026-02-01,2026-02-28,1,1250.00,0.00,1250.00,gbat10 csv,",
		"log?type=accounts.exported":   "handed over as gbat10: 1 vouchers of 1\u00a0250,00",
		"money/accounts/plan":          "The default stands",
		"money/accounts.csv":           ";1250,00;0,00;1250,00;gbat10 csv;",
		"money/accounts?page=2":        "No exports.",
	} {
		if got := b.get(path).is(http.StatusOK); !strings.Contains(strings.ReplaceAll(got.body+got.text(), `"`, ""), want) {
			t.Errorf("%s has no %q:\n%s", path, want, got.body)
		}
	}
	for _, language := range []string{"nb", "nn"} {
		for _, path := range []string{"money/accounts", path, "money/accounts/plan"} {
			b.get(path, "Accept-Language", language).is(http.StatusOK)
		}
	}
	b.signIn(b.newKey(b.newCreditor("Andre"), models.ScopeRead))
	for _, path := range []string{"1", "1/sums.csv", "1/file/csv"} {
		b.get("/c/2/money/accounts/" + path).is(http.StatusNotFound)
	}
}

// TestA1cOtherDaysAreHandedOver: what is wrong with the days is said at its field, and of days that were handed over by which export.
func TestA1cOtherDaysAreHandedOver(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	februaryAndMarch(b)
	days := func(from, to, format string) form {
		f := b.formAt("money/accounts")
		return f.typing("from", from, "to", to, "format", format)
	}
	for want, f := range map[string]form{
		"The period is not over yet.":              days("01.03.2026", "02.03.2026", "csv"),
		"The end must not be before the beginning": days("10.02.2026", "09.02.2026", "csv"),
		"The format is unknown":                    days("10.02.2026", "11.02.2026", "doc"),
		"Is required":                              days("", "11.02.2026", "csv"),
	} {
		refused := b.send(f).is(http.StatusUnprocessableEntity)
		if !strings.Contains(refused.text(), want) || !strings.Contains(refused.body, `<p class="fault" id="f-`) {
			t.Errorf("no %q at a field: %s", want, refused.text())
		}
	}
	b.send(days("1.2.2026", "10.2.2026", "csv")).is(http.StatusSeeOther)
	refused := b.send(days("10.02.2026", "28.02.2026", "csv")).is(http.StatusConflict).says("A part of the period was handed over to the accounts with other days.", "Export 1 has some of the days : 01.02.2026 – 10.02.2026")
	if !strings.Contains(refused.body, `id="f-from-fault"`) || !strings.Contains(refused.body, `value="2026-02-28"`) {
		t.Errorf("the fault is not at its field, or what was typed is lost: %s", refused.body)
	}
	refused = b.do(http.MethodPost, "money/accounts", "from=2026-02-10&to=2026-02-28&format=csv", "Content-Type", "application/x-www-form-urlencoded", "Accept-Language", "nb").is(http.StatusConflict)
	refused.says("En del av perioden er overført til regnskapet med andre dager.", "Overføring 1 har noen av dagene")
	page := b.get("money/accounts").is(http.StatusOK).says("A part of February 2026 was handed over with other days.")
	if !strings.Contains(page.body, `name="from" value="2026-02-11"`) {
		t.Errorf("the next days are not offered: %s", page.body)
	}
	b.send(days("21.02.2026", "28.02.2026", "csv")).is(http.StatusSeeOther)
	page = b.get("money/accounts").is(http.StatusOK).says("These days between exports were not handed over: 11.02.2026 – 20.02.2026")
	if !strings.Contains(page.body, `name="from" value="2026-02-11"`) || !strings.Contains(page.body, `name="to" value="2026-02-20"`) {
		t.Errorf("the days that are missing are not offered: %s", page.body)
	}
	b.send(days("11.02.2026", "20.02.2026", "csv")).is(http.StatusSeeOther)
	if page = b.get("money/accounts").is(http.StatusOK); strings.Contains(page.body, "between exports") || !strings.Contains(page.body, `name="from" value="2026-03-01"`) {
		t.Errorf("days are missing still, or the next ones are not offered: %s", page.body)
	}
	b.get("money/accounts/2").is(http.StatusOK).says("Opening balance 1\u00a0250,00", "Booked in the period 0,00", "It agrees to the øre", "Nothing was booked in the period.")
}

// TestA1cAKeyThatMayReadMakesNone, and may take what was made.
func TestA1cAKeyThatMayReadMakesNone(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	februaryAndMarch(b)
	page := b.get("money/accounts").is(http.StatusOK).says("This needs a key that may write")
	b.send(page.form(b.base+"/money/accounts", b.base+"/money/accounts")).is(http.StatusForbidden)
	_, err := b.config.Accounts.Make(t.Context(), b.creditor, accounts.Request{From: rows.Day("2026-02-01"), To: rows.Day("2026-02-28"), Form: models.FormCSV}, "API key 9 (Ola)")
	must(t, err)
	b.get("money/accounts/1/file/csv").is(http.StatusOK)
	b.get("money/accounts/1").is(http.StatusOK).says("Ola (API)", "It agrees to the øre")
	plan := b.get("money/accounts/plan").is(http.StatusOK).says("This needs a key that may administer")
	b.send(plan.form(b.base+"/money/accounts/plan", b.base+"/money/accounts/plan")).is(http.StatusForbidden)

	wrong := models.AccountExport{CreditorID: b.creditor.ID, Number: 2, From: rows.Day("2026-01-01"), To: rows.Day("2026-01-31"), TimeZone: "Europe/Oslo", Closing: 5_00}
	b.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateAccountExport(ctx, &wrong) })
	b.get("money/accounts/2").is(http.StatusOK).says("Closing balance 5,00", "was over 0,00", "It does not agree. Do not use the files")
}

// TestA1bThePlanIsChangedByAForm: what is wrong stands at its field, what is as the default has it is not set.
func TestA1bThePlanIsChangedByAForm(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	plan := func() models.AccountPlan {
		c, err := b.db.Creditor(t.Context(), b.creditor.ID)
		must(t, err)
		return c.AccountPlan
	}
	b.send(b.formAt("money/accounts/plan")).is(http.StatusSeeOther)
	if !plan().IsZero() {
		t.Errorf("nothing was typed, and the plan is %+v", plan())
	}
	refused := b.send(b.formAt("money/accounts/plan").typing("fee-number", "39", "interest-vat_code", "x", "HIGH-vat_account", "", "EXEMPT-vat_code", "", "visma-LOW", "123456")).is(http.StatusUnprocessableEntity)
	for _, field := range []string{"fee-number", "interest-vat_code", "HIGH-vat_account", "EXEMPT-vat_code", "visma-LOW"} {
		if !strings.Contains(refused.body, `id="f-`+field+`-fault"`) {
			t.Errorf("no fault at %s: %s", field, refused.text())
		}
	}
	if !strings.Contains(refused.body, `value="123456"`) || !plan().IsZero() {
		t.Error("what was typed is lost, or something was changed")
	}
	b.send(b.formAt("money/accounts/plan").typing("visma-HIGH", "31")).is(http.StatusSeeOther)
	if p := plan(); len(p.Kinds) != 0 || len(p.Receivers) != 1 || p.Receivers[0] != (models.ReceiverCode{Receiver: "visma", Class: models.SalesHigh, VATCode: "31"}) {
		t.Errorf("the plan is %+v", p)
	}
	b.send(b.formAt("money/accounts/plan").typing("fee-number", "3910")).is(http.StatusSeeOther)
	if p := plan(); p.Kind(models.AccountFee) != (models.KindAccount{Kind: models.AccountFee, Account: "3910", VATCode: "7"}) || len(p.Receivers) != 1 || p.Faults().Any() {
		t.Errorf("the plan is %+v", p)
	}
	b.get("money/accounts").is(http.StatusOK).says("The creditor has a plan of its own")
	b.send(b.formAt("money/accounts/plan").typing("usual", "1")).is(http.StatusSeeOther)
	if !plan().IsZero() {
		t.Errorf("the default does not stand again: %+v", plan())
	}
	b.get("log").is(http.StatusOK).says("account_plan")
}

// TestO14AFileOfTheAccountsThatWasRemovedIsNotLedTo: it named a customer who was forgotten.
func TestO14AFileOfTheAccountsThatWasRemovedIsNotLedTo(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	februaryAndMarch(b)
	path := b.send(b.formAt("money/accounts").typing("format", "gbat10")).is(http.StatusSeeOther).location
	b.send(b.get(path).form(path, b.base+"/money/accounts")).is(http.StatusSeeOther) // as CSV too
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.NoteRemoved(ctx, models.Removal{Kind: models.RemoveAccounts, Subject: 1})
		return err
	})
	for page, says := range map[string]string{"money/accounts": "GBAT10: removed", path: "The file was removed on 2 March 2026, because it named a customer who was forgotten."} {
		got := b.get(page).is(http.StatusOK).says(says)
		if strings.Contains(got.body, "/file/gbat10") || !strings.Contains(got.body, "/file/csv") {
			t.Errorf("%s leads to the file that was removed, or not to the other", page)
		}
	}
	b.get(path + "/file/gbat10").is(http.StatusNotFound)
}
