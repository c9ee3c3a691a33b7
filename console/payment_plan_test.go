package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestL15APlanOnTheInvoicesPage looks at the instalments, makes the plan, changes it, takes that back and ends it.
func TestL15APlanOnTheInvoicesPage(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		invoice := b.owing(14)
		one := fmt.Sprintf("invoices/%d", invoice.Number)
		runs := func(parts int) {
			t.Helper()
			plans, err := b.db.PlansOf(t.Context(), b.creditor.ID, b.now(invoice))
			must(t, err)
			if got := len(plans[invoice.ID].Instalments); got != parts {
				t.Errorf("a plan of %d instalments runs, want %d", got, parts)
			}
		}
		b.get(one).is(http.StatusOK).tells("Payment plan")
		for asked, want := range map[string]string{
			"first=20.03.2026": "Is required", "first=01.03.2026&months=2": "The due dates must ascend", "first=soon&months=2": "", "first=20.03.2026&months=40": "A plan has 1 to 36 instalments",
			"first=20.03.2026&sum=1": "A plan has 1 to 36 instalments",
		} {
			page := b.get(one + "/payment-plan?" + asked).is(http.StatusOK)
			if want != "" && !strings.Contains(page.text(), want) {
				t.Errorf("%s is answered with\n%s", asked, page.text())
			}
		}
		page := b.get(one+"/payment-plan?first=20.03.2026&sum=400").tells("Show the instalments", "20.03.2026", "20.05.2026", "The customer gets a letter")
		_, rest, _ := strings.Cut(page.body, `name="instalments" value="`)
		parts, _, _ := strings.Cut(rest, `"`)
		for range 2 {
			b.post(one+"/payment-plan", "instalments", parts).is(http.StatusSeeOther)
			runs(3)
		}
		b.get(one).tells("Invoice 1 has a payment plan of 3 instalments.", "Waits for", "Change the plan", "End the plan", "The letter (PDF)")
		b.get(one + "/payment-plan/pdf").is(http.StatusOK)
		if got := b.post(one+"/payment-plan", "instalments", "2026-03-20 1.00"); b.now(invoice).PlanID == 0 || got.status != http.StatusUnprocessableEntity {
			t.Errorf("a plan of one krone: %d\n%s", got.status, got.text())
		}
		b.get("standing-still?kind=payment_plan").is(http.StatusOK).tells("1 in the list.", "Payment plan")
		b.post(one + "/payment-plan/end").is(http.StatusSeeOther)
		runs(0)
		b.undo(b.get(one))
		runs(3)
		b.post(one + "/payment-plan/end").is(http.StatusSeeOther)
		b.post(one + "/payment-plan/end").is(http.StatusSeeOther)
		runs(0)
	})
}

// TestL15TodayTellsOfBrokenPlans, and the list has them until the invoice is paid.
func TestL15TodayTellsOfBrokenPlans(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	invoice := b.owing(14)
	b.write(func(ctx context.Context, tx *store.Tx) error {
		p := models.PaymentPlan{
			CreditorID: b.creditor.ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Since: rows.Today - 20, Sum: invoice.Balance, State: models.PlanBroken, EndedOn: rows.Today,
			Instalments: models.Instalments{{DueDate: rows.Today - 10, Amount: invoice.Balance}},
		}
		return tx.CreatePlan(ctx, &p)
	})
	b.get("today").is(http.StatusOK).tells("1 payment plan is broken", "See the plans")
	b.get("broken-plans").is(http.StatusOK).tells("Broken payment plans", "Broken on")
}
