package console_test

import (
	"context"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// overdue gives the browser's creditor dunning, and invoices that are due for a reminder on the browser's day, 30 March.
func (b *browser) overdue(n int, ceiling int) {
	b.t.Helper()
	b.dunned(func(c *models.Creditor) { c.DunningCeiling = &ceiling })
	for range n {
		rows.Invoice(b.t, b.db, b.creditor)
	}
	rows.Send(b.t, b.db, b.creditor)
	b.clock.Set(start.AddDate(0, 0, 28))
	b.signIn(b.key)
}

// dunned switches dunning on for the browser's creditor.
func (b *browser) dunned(change func(*models.Creditor)) {
	b.t.Helper()
	b.write(func(ctx context.Context, tx *store.Tx) (err error) {
		if b.creditor, err = tx.LockCreditor(ctx, b.creditor.ID); err != nil {
			return err
		}
		c := &b.creditor
		c.OrganisationNumber, c.Address1, c.PostalCode, c.PostalName, c.Email, c.BankAccount = "974760673", "Gata 1", "0155", "Oslo", "post@example.no", "12345678903"
		c.Policy.Enabled = true
		if change != nil {
			change(c)
		}
		return tx.UpdateCreditor(ctx, c)
	})
}

// TestE10ThePlanSaysWhatIsDoneAndWhatNot opens the plan with its steps, the reasons, and another day.
func TestE10ThePlanSaysWhatIsDoneAndWhatNot(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	b.get("dunning").is(200).says("Automatic dunning is switched off", "No invoices")
	b.overdue(3, 100)
	b.get("dunning").is(200).says("The plan of Monday 30 March 2026", "Reminders 3", "Left alone 0", "Fees 114,00", "1\u00a0042,60", "The run is made at 06:00")
	b.get("dunning?date=2026-03-29").is(422) // in the past
	b.get("dunning?date=nonsense").is(400)
	b.get("dunning?date=2026-04-07").says("Left alone 3", "The deadline is running 3")
	b.get("dunning?date=2026-04-07&show=deadline_running&page=99").says("The deadline is running")
	b.get("dunning", "Accept-Language", "nb").says("Planen for mandag 30. mars 2026", "Purringer 3")
}

// TestE10TheNumberIsTypedToApprove approves a run that waits: not with another number, not without an admin's key, and not
// when the plan has changed meanwhile.
func TestE10TheNumberIsTypedToApprove(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	b.overdue(3, 2)
	result, err := b.config.Runs.Make(t.Context(), b.creditor.ID, models.RunDunning, rows.Today+28)
	must(t, err)
	if result.Waits == nil {
		t.Fatal("the run does not wait")
	}
	page := b.get("dunning").is(200).says("3 letters wait for your approval", "more than the ceiling of 2", "Type 3 to approve", "Approve and send")
	approve := func(once string, pairs ...string) *shown {
		return b.post(b.base+"/dunning/approve", append([]string{"once", once, "run", "1", "seen", "3"}, pairs...)...)
	}
	approve(page.once(), "steps", "2").is(422).says("Type the same number", "3 letters wait")
	approve(page.once(), "steps", "").is(422)

	b.write(func(ctx context.Context, tx *store.Tx) error { // one of them is paid meanwhile
		invoice, err := tx.Invoice(ctx, b.creditor.ID, 1)
		if err != nil {
			return err
		}
		invoice.Hold = models.Hold{Held: true, Reason: models.HoldOther}
		return tx.UpdateInvoice(ctx, invoice)
	})
	approve(page.once(), "steps", "3").is(409).says("The plan has changed since you looked", "2 letters wait for your approval")

	b.key = b.newKey(b.creditor, models.ScopeWrite)
	b.signIn(b.key)
	if page := b.get("dunning"); !strings.Contains(page.body, `aria-describedby="needs-admin"`) {
		t.Error("the button does not say that it needs an admin's key")
	}
	approve("w", "steps", "2", "seen", "2").is(403)

	b.signIn(b.newKey(b.newCreditor("Andre"), models.ScopeAdmin))
	b.signIn("key-admin-" + "Kaffe & Kake AS")
	page = b.get("dunning")
	b.post(b.base+"/dunning/approve", "once", page.once(), "run", "1", "seen", "2", "steps", "2").leads(b.base + "/dunning")
	b.get("dunning").says("The run is approved: 2 letters are sent")
	b.post(b.base+"/dunning/approve", "once", page.once(), "run", "1", "seen", "2", "steps", "2").leads(b.base + "/dunning") // clicked twice
	run, err := b.db.Run(t.Context(), b.creditor.ID, 1)
	must(t, err)
	if run.State != models.RunStarted || !strings.HasPrefix(run.ApprovedBy, "console, API key ") {
		t.Errorf("the run is %+v", run)
	}
}

// TestE10TheForecastComparesPolicies opens the forecast beside presets, in its tables and its picture.
func TestE10TheForecastComparesPolicies(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	b.overdue(2, 100)
	page := b.get("dunning/forecast?days=90&with=gentle").is(200).says("Totals", "In force", "Gentle", "Reminders 2 2", "Fees 152,00 0,00")
	if !strings.Contains(page.body, `role="img" aria-label="Letters by week under two policies: In force, Gentle"`) {
		t.Error("the picture has no name")
	}
	b.get("dunning/forecast?with=gentle&with=firm&days=30").says("Gentle", "Firm", "Use Firm")
	b.get("dunning/forecast?days=45").says("45 days")
	b.get("dunning/forecast?days=367").is(400)
	b.get("dunning/forecast?with=harsh").is(400)
	b.get("dunning/runs").is(200).says("No run yet")
	_, err := b.config.Runs.Make(t.Context(), b.creditor.ID, models.RunDunning, rows.Today+28)
	must(t, err)
	b.get("dunning/runs").says("30.03.2026", "Done", "76,00")
	b.get("dunning/runs/2").is(404) // of another kind
	b.get("dunning/runs/1").is(200).says("The run of 30 March 2026", "Reminders 2")
	b.get("dunning/runs/9").is(404)
}
