package console_test

import (
	"context"
	"fmt"
	"slices"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/mailer/shipments"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit/rows"
)

// overtaken are the acts of the console that somebody else is faster with: the form, which is opened before the other's act.
var overtaken = map[string]func(d *desks) form{
	"/invoices/{number}/hold": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/hold", i.Number))
		d.holds(i)
		return f
	},
	"/invoices/{number}/hold/release": func(d *desks) form { // held again just as it was, since Kari held it
		i := d.invoice()
		page := fmt.Sprintf("invoices/%d/hold", i.Number)
		f := d.undoOf(d.formAt(page), page+"/release")
		d.releases(i)
		d.holds(i)
		return f
	},
	"/invoices/{number}/more-time": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/more-time", i.Number)).typing("until", "31.03.2026")
		d.holds(i)
		return f
	},
	"/invoices/{number}/more-time/end": func(d *desks) form { // given anew since Kari gave it
		i := d.invoice()
		page := fmt.Sprintf("invoices/%d/more-time", i.Number)
		f := d.undoOf(d.formAt(page).typing("until", "31.03.2026"), page+"/end")
		d.givesTime(i, "2026-04-01")
		return f
	},
	"/invoices/{number}/payment-plan": func(d *desks) form {
		i := d.invoice()
		f := d.planForm(i)
		d.holds(i)
		return f
	},
	"/invoices/{number}/payment-plan/end": func(d *desks) form { // another one is made since Kari made it
		i := d.invoice()
		f := d.undoOf(d.planForm(i), fmt.Sprintf("invoices/%d/payment-plan/end", i.Number))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			parts := models.PaymentPlanRequest{Instalments: models.Instalments{{DueDate: today + 30, Amount: i.Balance}}}
			_, err := dunning.MakePaymentPlan(ctx, tx, d.creditor, i.ID, parts, ola)
			return err
		})
		return f
	},
	"/invoices/{number}/acknowledged": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/acknowledged", i.Number)).typing("date", i.IssueDate.String())
		d.acknowledges(i)
		return f
	},
	"/invoices/{number}/acknowledged/remove": func(d *desks) form { // removed and set again since Kari set it
		i := d.invoice()
		page := fmt.Sprintf("invoices/%d/acknowledged", i.Number)
		f := d.undoOf(d.formAt(page).typing("date", i.IssueDate.String()), page+"/remove")
		d.forgets(i)
		d.acknowledges(i)
		return f
	},
	"/invoices/{number}/pay": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/pay", i.Number))
		d.pays(i)
		return f
	},
	"/invoices/{number}/payments/{entry}/delete": func(d *desks) form {
		i := d.invoice()
		e := d.pays(i)
		f := d.formAt(fmt.Sprintf("invoices/%d", i.Number), fmt.Sprintf("invoices/%d/payments/%d/delete", i.Number, e.ID))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			return ledger.DeletePayment(ctx, tx, d.creditor.ID, e.ID, today, ola)
		})
		return f
	},
	"/invoices/{number}/notice": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/notice", i.Number))
		d.holds(i)
		return f
	},
	"/invoices/{number}/close": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/close", i.Number))
		d.closes(i)
		d.reopens(i)
		return f
	},
	"/invoices/{number}/hand-over": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/hand-over", i.Number))
		d.holds(i)
		return f
	},
	"/invoices/{number}/reopen": func(d *desks) form { // closed again since Kari closed it
		i := d.invoice()
		page := fmt.Sprintf("invoices/%d", i.Number)
		f := d.undoOf(d.formAt(page+"/close"), page+"/reopen")
		d.reopens(i)
		d.closes(i)
		return f
	},
	"/invoices/{number}/credit": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/credit", i.Number))
		d.pays(i)
		return f
	},
	"/invoices/{number}/copy": func(d *desks) form { // the customer got another address since
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/copy", i.Number))
		d.changesCustomer(i.CustomerID, func(c *models.Customer) { c.Recipient.Email = "ny@example.no" })
		return f
	},
	"/invoices/{number}/notices/{notice}/copy": func(d *desks) form {
		i, err := d.db.InvoiceByNumber(d.t.Context(), d.creditor.ID, 1) // of those that were there before
		must(d.t, err)
		n := d.reminds(i)
		f := d.formAt(fmt.Sprintf("invoices/%d/notices/%d/copy", i.Number, n.ID))
		d.copies(n.Document())
		return f
	},
	"/credit-notes/{number}/copy": func(d *desks) form {
		note := d.note()
		f := d.formAt(fmt.Sprintf("credit-notes/%d/copy", note.Number))
		d.copies(note.Document())
		return f
	},
	"/invoices/selected": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/selected?number=%d", i.Number))
		d.holds(i)
		return f
	},
	"/invoices/selected/release": func(d *desks) form {
		i := d.invoice()
		f := d.undoOf(d.formAt(fmt.Sprintf("invoices/selected?number=%d", i.Number)), "invoices/selected/release")
		d.holds(i)
		return f
	},
	"/credit-notes/{number}": func(d *desks) form {
		note := d.note()
		f := d.formAt(fmt.Sprintf("credit-notes/%d", note.Number))
		d.paysOut(note)
		return f.typing("amount", "200")
	},
	"/credit-notes/{number}/payments/{entry}/delete": func(d *desks) form {
		note := d.note()
		e := d.paysOut(note)
		f := d.formAt(fmt.Sprintf("credit-notes/%d", note.Number), fmt.Sprintf("credit-notes/%d/payments/%d/delete", note.Number, e.ID))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			return ledger.DeletePayment(ctx, tx, d.creditor.ID, e.ID, today, ola)
		})
		return f
	},
	"/customers/{id}/change": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("customers/%d/change", i.CustomerID))
		d.changesCustomer(i.CustomerID, func(c *models.Customer) { c.Recipient.Email = "ny@example.no" })
		return f.typing("name2", "c/o Ola")
	},
	"/customers/{id}/policy": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("customers/%d/policy", i.CustomerID))
		d.changesCustomer(i.CustomerID, func(c *models.Customer) { c.Policy.Enabled = new(false) })
		return f
	},
	"/customers/{id}/hold": func(d *desks) form {
		i := d.invoice()
		f := d.formAt(fmt.Sprintf("customers/%d/hold", i.CustomerID))
		d.holdsCustomer(i.CustomerID)
		return f
	},
	"/customers/{id}/release": func(d *desks) form {
		i := d.invoice()
		page := fmt.Sprintf("customers/%d", i.CustomerID)
		f := d.undoOf(d.formAt(page+"/hold"), page+"/release")
		d.holdsCustomer(i.CustomerID)
		return f
	},
	"/customers/{id}/letters": func(d *desks) form {
		i := d.invoice()
		since := d.clock.Now()
		d.write(func(ctx context.Context, tx *store.Tx) error {
			c, err := tx.LockCustomer(ctx, d.creditor.ID, i.CustomerID)
			if err != nil {
				return err
			}
			c.LettersHeld = models.LettersHeld{Since: &since, Reason: "returned"}
			return tx.UpdateCustomer(ctx, &c)
		})
		page := fmt.Sprintf("customers/%d", i.CustomerID)
		f := d.formAt(page, page+"/letters")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			return register.ReleaseLetters(ctx, tx, d.creditor.ID, i.CustomerID, ola)
		})
		return f
	},
	"/customers/{id}/settle": func(d *desks) form {
		i := d.invoice()
		customer, err := d.db.Customer(d.t.Context(), d.creditor.ID, i.CustomerID)
		must(d.t, err)
		for range 9 {
			d.pays(i)
		}
		d.pays(i)
		d.pays(i) // 100 too much
		rows.Invoice(d.t, d.db, d.creditor, rows.To(customer), rows.Of(1000_00))
		page := fmt.Sprintf("customers/%d", i.CustomerID)
		f := d.formAt(page, page+"/settle")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.MoveCredit(ctx, tx, d.creditor.ID, customer.ID, today, ola, nil)
			return err
		})
		return f
	},
	"/letters/{shipment}/again": func(d *desks) form {
		s := d.failed("550 no")
		f := d.formAt("letters", fmt.Sprintf("letters/%d/again", s.ID))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := shipments.RetryOf(ctx, tx, d.creditor.ID, s.ID, shipments.Again{Email: "ny@example.no"}, ola)
			return err
		})
		return f
	},
	"/letters/{shipment}/retry": func(d *desks) form { // tried at once by Ola, and refused
		s := d.refusedForASetting()
		f := d.formAt("letters?state=waiting", fmt.Sprintf("letters/%d/retry", s.ID))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := shipments.RetryOf(ctx, tx, d.creditor.ID, s.ID, shipments.Again{}, ola)
			return err
		})
		d.refused(s.ID, "550 5.1.1 no")
		return f
	},
	"/dunning/approve": func(d *desks) form {
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.ConfirmNone(ctx, tx, d.creditor, 0, ola)
			return err
		})
		_, err := d.config.Runs.Make(d.t.Context(), d.creditor.ID, models.RunDunning, today)
		must(d.t, err)
		run, _, err := d.db.RunOf(d.t.Context(), d.creditor.ID, models.RunDunning, today)
		must(d.t, err)
		f := d.formAt("dunning", "dunning/approve")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.ApproveRun(ctx, tx, law.Default(), d.creditor, dunning.Approval{RunID: run.ID, Actor: ola})
			return err
		})
		steps := f.fields[slices.Index(f.fields, "seen")+1]
		return f.typing("steps", steps)
	},
	"/settings/creditor": func(d *desks) form {
		f := d.formAt("settings/creditor")
		d.changes(func(c *models.Creditor) { c.Phone = "55 55 55 55" })
		return f.typing("website", "kake.example.no")
	},
	"/settings/logo/remove": func(d *desks) form {
		d.hasLogo("1")
		f := d.formAt("settings/logo", "settings/logo/remove")
		d.hasLogo("2")
		return f
	},
	"/settings/vat": func(d *desks) form {
		f := d.formAt("settings/vat")
		d.changes(func(c *models.Creditor) { c.VATRegistered, c.VATKnown = false, true })
		return f
	},
	"/money/accounts/plan": func(d *desks) form {
		f := d.formAt("money/accounts/plan")
		d.changes(func(c *models.Creditor) {
			c.AccountPlan = models.AccountPlan{Receivers: []models.ReceiverCode{{Receiver: "visma", Class: models.SalesHigh, VATCode: "31"}}}
		})
		return f.typing("fee-number", "3910")
	},
	"/settings/policy": func(d *desks) form {
		f := d.formAt("settings/policy")
		d.changes(func(c *models.Creditor) { c.Policy.FirstNoticeDays = 21 })
		return f.typing("dunning_policy/second_notice_days", "28")
	},
	"/settings/ways": func(d *desks) form {
		f := d.formAt("settings/ways")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := own.Changer{}.Change(ctx, tx, d.creditor.ID, map[string]string{own.Sender: "faktura@fjord.example"}, own.Who{Actor: ola})
			return err
		})
		return f.typing("sender", "post@fjord.example")
	},
	"/settings/rules": func(d *desks) form {
		f := d.formAt("settings/rules")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			return dunning.SetRule(ctx, tx, law.Default(), models.DunningRule{
				CreditorID: d.creditor.ID, SetBy: ola, Kind: models.RuleLateInterest, FromDate: rows.Day("2027-01-01"), Value: "12.00", Source: "forskrift",
			})
		})
		return f.typing("kind", string(models.RuleLateInterest), "from", "01.01.2027", "value", "11,00", "source", "forskrift")
	},
	"/operations/keys/{key}/revoke": func(d *desks) form {
		key := models.Key{CreditorID: d.creditor.ID, Name: "Old", Scope: models.ScopeRead, Hash: "old"}
		d.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateKey(ctx, &key) })
		f := d.formAt(fmt.Sprintf("operations/keys/%d/revoke", key.ID))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			return register.RevokeKey(ctx, tx, d.creditor.ID, key.ID, ola)
		})
		return f
	},
	"/operations/webhooks/{webhook}/change": func(d *desks) form {
		w := d.webhook()
		f := d.formAt(fmt.Sprintf("operations/webhooks/%d/change", w.ID))
		d.changesWebhook(w)
		return f
	},
	"/operations/webhooks/{webhook}/secret": func(d *desks) form {
		w := d.webhook()
		page := fmt.Sprintf("operations/webhooks/%d", w.ID)
		f := d.formAt(page, page+"/secret")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := register.RenewSecret(ctx, tx, d.creditor.ID, w.ID, "secret", ola)
			return err
		})
		return f
	},
	"/operations/webhooks/{webhook}/delete": func(d *desks) form {
		w := d.webhook()
		f := d.formAt(fmt.Sprintf("operations/webhooks/%d/delete", w.ID))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			return register.DeleteWebhook(ctx, tx, d.creditor.ID, w.ID, ola)
		})
		return f
	},
	"/operations/webhooks/{webhook}/switch": func(d *desks) form {
		w := d.webhook()
		page := fmt.Sprintf("operations/webhooks/%d", w.ID)
		f := d.undoOf(d.formAt(page, page+"/switch"), page+"/switch")
		d.changesWebhook(w)
		return f
	},
	"/operations/webhooks/{webhook}/redeliver": func(d *desks) form {
		w := d.webhook()
		d.changesWebhook(w)
		d.changes(func(c *models.Creditor) { c.Website = "kake.example.no" })
		must(d.t, d.db.NumberEvents(d.t.Context()))
		d.write(func(ctx context.Context, tx *store.Tx) error { return tx.FailDeliveries(ctx, w.ID, "refused") })
		failed, _, err := d.db.WebhookDeliveries(d.t.Context(), d.creditor.ID, w.ID, nil, store.Page{Number: 1, Size: 1})
		must(d.t, err)
		page := fmt.Sprintf("operations/webhooks/%d", w.ID)
		var f form
		for n := range parse(d.t, d.get(page)).Descendants() {
			if n.Data == "form" && attribute(n, "action") == d.base+"/"+page+"/redeliver" && slices.Contains(fieldsOf(n), fmt.Sprint(failed[0].ID)) {
				f = form{d.base + "/" + page + "/redeliver", fieldsOf(n)}
			}
		}
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := register.Redeliver(ctx, tx, d.creditor.ID, failed[0].ID, ola)
			return err
		})
		return f
	},
}
