package console_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"purr/console"
	"purr/dunning"
	"purr/dunning/law"
	"purr/internal/testkit"
	"purr/internal/testkit/payments"
	"purr/internal/testkit/rows"
	"purr/ledger"
	"purr/models"
	"purr/register"
	"purr/shipments"
	"purr/store"
	"purr/unmatched"
)

// form is a form of a page, as a browser would send it.
type form struct {
	action string
	fields []string // pairs of a name and its value
}

// form returns the form of the page at a path that is sent to an action, which is that path if the form names none.
func (s *shown) form(at, action string) form {
	s.t.Helper()
	page, err := html.Parse(strings.NewReader(s.body))
	must(s.t, err)
	for n := range page.Descendants() {
		if n.Data != "form" || attribute(n, "method") != "post" {
			continue
		}
		if to := attribute(n, "action"); to == action || to == "" && action == at {
			return form{action, fieldsOf(n)}
		}
	}
	s.t.Fatalf("no form is sent to %s:\n%s", action, s.text())
	return form{}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// fieldsOf returns what a browser sends of a form that nobody has typed into.
func fieldsOf(f *html.Node) (fields []string) {
	for n := range f.Descendants() {
		name := attribute(n, "name")
		switch {
		case name == "" || has(n, "disabled"):
		case n.Data == "textarea" && n.FirstChild != nil:
			fields = append(fields, name, n.FirstChild.Data)
		case n.Data == "select":
			for o := range n.Descendants() {
				if o.Data == "option" && has(o, "selected") {
					fields = append(fields, name, attribute(o, "value"))
				}
			}
		case n.Data != "input":
		case slices.Contains([]string{"checkbox", "radio"}, attribute(n, "type")) && !has(n, "checked"):
		default:
			fields = append(fields, name, attribute(n, "value"))
		}
	}
	return fields
}

// typing returns a form with other values in some fields.
func (f form) typing(pairs ...string) form {
	fields := slices.Clone(f.fields)
	for i := 0; i+1 < len(pairs); i += 2 {
		at := -2
		for n := 0; n+1 < len(fields); n += 2 {
			if fields[n] == pairs[i] {
				at = n
			}
		}
		if at < 0 {
			fields = append(fields, pairs[i], pairs[i+1])
		} else {
			fields[at+1] = pairs[i+1]
		}
	}
	return form{f.action, fields}
}

// send sends a form.
func (b *browser) send(f form) *shown {
	b.t.Helper()
	return b.post(f.action, f.fields...)
}

// formAt opens a page, and returns its form that is sent to a path; without one, to the page's own.
func (b *browser) formAt(page string, action ...string) form {
	b.t.Helper()
	at := b.base + "/" + page
	to := at
	if len(action) > 0 {
		to = b.base + "/" + action[0]
	}
	return b.get(page).is(http.StatusOK).form(at, to)
}

// undoOf does what a form asks for, and returns the Undo of what the next page says.
func (b *browser) undoOf(f form, undo string) form {
	b.t.Helper()
	next := b.send(f).is(http.StatusSeeOther).location
	page, err := html.Parse(strings.NewReader(b.get(next).is(http.StatusOK).body))
	must(b.t, err)
	for n := range page.Descendants() {
		if n.Data == "form" && n.Parent != nil && attribute(n.Parent, "class") == "message" && attribute(n, "action") == b.base+"/"+undo {
			return form{b.base + "/" + undo, fieldsOf(n)}
		}
	}
	b.t.Fatalf("the page has no Undo by %s", undo)
	return form{}
}

const ola = "API key 9 (Ola)"

// today is the day of the desks: 30 March.
var today = rows.Today + 28

// desks are those of a creditor that two people work for. Kari is at the console.
type desks struct {
	*browser
	made *int // payments
}

// ola has Ola act, who is not at this console.
func (d *desks) ola(do func(ctx context.Context, tx *store.Tx) error) { d.t.Helper(); d.write(do) }

// invoice returns an invoice that is overdue.
func (d *desks) invoice() models.Invoice {
	d.t.Helper()
	d.clock.Set(start)
	i := d.owing(14)
	d.clock.Set(start.AddDate(0, 0, 28))
	return i
}

func (d *desks) holds(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldInvoice(ctx, tx, d.creditor, i.ID, models.Hold{}, ola)
		return err
	})
}

func (d *desks) releases(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		return dunning.ReleaseInvoice(ctx, tx, d.creditor, i.ID, ola)
	})
}

func (d *desks) pays(i models.Invoice) (e models.Entry) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) (err error) {
		e, err = ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, i.ID, ledger.Payment{Amount: -100_00, Date: today, Actor: ola}, today)
		return err
	})
	return e
}

func (d *desks) closes(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.CloseInvoice(ctx, tx, d.creditor, i.ID, dunning.Closing{Reason: models.ClosedLost, Actor: ola})
		return err
	})
}

func (d *desks) reopens(i models.Invoice) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.ReopenInvoice(ctx, tx, d.creditor, i.ID, ola)
		return err
	})
}

func (d *desks) resolves(u models.UnmatchedPayment, again bool) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := unmatched.Dismiss(ctx, tx, d.creditor, u.ID, "sent back", ola)
		if err == nil && again {
			_, err = unmatched.Reopen(ctx, tx, d.creditor, u.ID, ola)
		}
		return err
	})
}

func (d *desks) changes(change func(*models.Creditor)) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.ChangeCreditor(ctx, tx, d.creditor.ID, 38_00, ola, func(c *models.Creditor) error { change(c); return nil })
		return err
	})
}

func (d *desks) changesCustomer(id int64, change func(*models.Customer)) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.ChangeCustomer(ctx, tx, d.creditor.ID, id, 38_00, ola, func(c *models.Customer) error { change(c); return nil })
		return err
	})
}

func (d *desks) holdsCustomer(id int64) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldCustomer(ctx, tx, d.creditor, id, models.Hold{}, ola)
		return err
	})
}

func (d *desks) webhook() (w models.Webhook) {
	d.t.Helper()
	w = models.Webhook{CreditorID: d.creditor.ID, Enabled: true, URL: "https://shop.example.no/purr"}
	d.ola(func(ctx context.Context, tx *store.Tx) error { return register.CreateWebhook(ctx, tx, &w, ola) })
	return w
}

func (d *desks) changesWebhook(w models.Webhook) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.ChangeWebhook(ctx, tx, d.creditor.ID, w.ID, ola, func(w *models.Webhook) error { w.Description = "the shop's"; return nil })
		return err
	})
}

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
			c.LettersHeld = models.LettersHeld{Since: &since, Reason: "returned"}
			if err != nil {
				return err
			}
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
	"/bank/payment/{payment}/match": func(d *desks) form {
		u, i := d.payment(), d.invoice()
		f := d.formAt(fmt.Sprintf("bank?payment=%d", u.ID), fmt.Sprintf("bank/payment/%d/match", u.ID))
		d.resolves(u, true)
		return f.typing("meant", "another", "invoice", fmt.Sprint(i.Number))
	},
	"/bank/payment/{payment}/unmatch": func(d *desks) form { // matched elsewhere since Kari matched it
		u, i, other := d.payment(), d.invoice(), d.invoice()
		page := fmt.Sprintf("bank/payment/%d", u.ID)
		f := d.undoOf(d.formAt(fmt.Sprintf("bank?payment=%d", u.ID), page+"/match").typing("meant", "another", "invoice", fmt.Sprint(i.Number)), page+"/unmatch")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			if _, err := unmatched.Unmatch(ctx, tx, d.creditor, u.ID, ola); err != nil {
				return err
			}
			_, err := unmatched.Match(ctx, tx, d.creditor, u.ID, []int64{other.ID}, ola)
			return err
		})
		return f
	},
	"/bank/payment/{payment}/dismiss": func(d *desks) form {
		u := d.payment()
		f := d.formAt(fmt.Sprintf("bank/payment/%d/dismiss", u.ID))
		d.resolves(u, true)
		return f.typing("comment", "not ours")
	},
	"/bank/payment/{payment}/reopen": func(d *desks) form {
		u := d.payment()
		page := fmt.Sprintf("bank/payment/%d", u.ID)
		f := d.undoOf(d.formAt(page+"/dismiss").typing("comment", "not ours"), page+"/reopen")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := unmatched.Reopen(ctx, tx, d.creditor, u.ID, ola)
			return err
		})
		d.resolves(u, false)
		return f
	},
	"/letters/{shipment}/retry": func(d *desks) form {
		s := d.failed("550 no")
		f := d.formAt("letters", fmt.Sprintf("letters/%d/retry", s.ID))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := shipments.RetryOf(ctx, tx, d.creditor.ID, s.ID, shipments.Again{Email: "ny@example.no"}, ola)
			return err
		})
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
	"/settings/vat": func(d *desks) form {
		f := d.formAt("settings/vat")
		d.changes(func(c *models.Creditor) { c.VATRegistered, c.VATKnown = false, true })
		return f
	},
	"/settings/policy": func(d *desks) form {
		f := d.formAt("settings/policy")
		d.changes(func(c *models.Creditor) { c.Policy.FirstNoticeDays = 21 })
		return f.typing("dunning_policy/second_notice_days", "28")
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

func parse(t testing.TB, s *shown) *html.Node {
	t.Helper()
	page, err := html.Parse(strings.NewReader(s.is(http.StatusOK).body))
	must(t, err)
	return page
}

// note returns a credit note of which all is outstanding.
func (d *desks) note() models.CreditNote {
	d.t.Helper()
	i := d.invoice()
	for range 10 {
		d.pays(i)
	}
	return rows.CreditNote(d.t, d.db, d.creditor, i)
}

func (d *desks) paysOut(n models.CreditNote) (e models.Entry) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) (err error) {
		e, err = ledger.RegisterOnCreditNote(ctx, tx, d.creditor.ID, n.ID, ledger.Payment{Amount: 100_00, Date: today, Actor: ola}, today)
		return err
	})
	return e
}

// payment returns a payment that waits.
func (d *desks) payment() models.UnmatchedPayment {
	d.t.Helper()
	*d.made++
	waiting := d.queue(models.Amount(700_00 + *d.made))
	return waiting[len(waiting)-1]
}

// alone are the acts that no act of somebody else can make another one than the reader has decided on, and why.
var alone = map[string]string{
	"/sign-in":                  "it begins a session",
	"/sign-in/{token}":          "it begins a session",
	"/sign-out":                 "it ends the reader's own session",
	"/settings/console":         "it is the reader's own choice, kept in the browser",
	"/clock":                    "it moves to a moment that the form names, and never back",
	"/customers/new":            "it makes something",
	"/invoices/new":             "it makes something",
	"/operations/keys":          "it makes something",
	"/operations/webhooks":      "it makes something",
	"/bank/files":               "a file that came before is a duplicate",
	"/customers/{id}/statement": "a statement shows the account as it is when it is sent",
	"/operations/confirm-none":  "it names a day; a second confirmation changes nothing",
	"/bank/certain":             "each payment is matched or left out by itself: TestD115OfSeveralThoseAreLeftOut",
}

// TestD115NobodyActsOnWhatIsNoLongerSo walks all forms of the console. Each is opened, then somebody else acts on the same thing, and
// then the form is sent: nothing is done, and the page says what has changed, by whom and when.
func TestD115NobodyActsOnWhatIsNoLongerSo(t *testing.T) {
	_, acting := console.Paths()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := &desks{openOn(t, databaseURL, models.ScopeAdmin, nil), new(int)}
		d.withAccount()
		d.overdue(3, 2)
		for _, path := range acting {
			path = strings.TrimPrefix(path, "/c/{creditor}")
			open, walked := overtaken[path]
			if _, exempt := alone[path]; exempt == walked {
				t.Errorf("%s: it stands in one of the two tables, and only in one", path)
			}
			if !walked {
				continue
			}
			t.Run(path, func(t *testing.T) {
				d := &desks{d.within(t), d.made}
				f := open(d)
				if !slices.Contains(f.fields, "seen") && !strings.Contains(path, "{entry}") {
					t.Errorf("the form does not carry what was seen: %q", f.fields)
				}
				before := d.byKari()
				refused := d.send(f).is(http.StatusConflict).tells("What was done last: ", "by "+ola+", 30.03.2026 13:00")
				if !strings.Contains(refused.body, `role="alert"`) {
					t.Error("no alert says so")
				}
				if after := d.byKari(); after != before {
					t.Errorf("it was done all the same: %d acts, then %d", before, after)
				}
			})
		}
	})
}

// within returns the browser in a subtest.
func (b *browser) within(t *testing.T) *browser {
	same := *b
	same.t = t
	return &same
}

// byKari counts what was done at the console.
func (d *desks) byKari() (n int) {
	d.t.Helper()
	events, err := d.db.NewestEvents(d.t.Context(), d.creditor.ID, store.EventFilter{Actor: "console, API key 1 (Kari)"}, 0, 1000)
	must(d.t, err)
	return len(events)
}

// TestD115OfSeveralThoseAreLeftOut holds three invoices together, one of which Ola has held meanwhile, and takes that back after he
// has released another one: what he has done stays, and the page says what was left out. So do payments that are matched together.
func TestD115OfSeveralThoseAreLeftOut(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := &desks{openOn(t, databaseURL, models.ScopeAdmin, nil), new(int)}
		d.withAccount()
		d.on("2026-03-30")
		first, second, third := d.invoice(), d.invoice(), d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/selected?number=%d&number=%d&number=%d", first.Number, second.Number, third.Number))
		d.holds(second)
		undo := d.undoOf(f.typing("comment", "ringer"), "invoices/selected/release")
		for i, want := range map[*models.Invoice]string{&first: "ringer", &second: "", &third: "ringer"} {
			if h := d.now(*i).Hold; !h.Held || h.Comment != want {
				t.Errorf("the hold of invoice %d is %+v, want %q", i.Number, h, want)
			}
		}
		d.releases(third)
		d.holds(third)
		said := d.get(d.send(undo).is(http.StatusSeeOther).location)
		said.tells("1 was left out", fmt.Sprintf("Invoice %d: What was done last: Hold set, by %s, 30.03.2026 13:00.", third.Number, ola))
		if d.now(first).Hold.Held || !d.now(second).Hold.Held || !d.now(third).Hold.Held {
			t.Error("of the holds not just the first is taken back")
		}

		fifth, sixth := rows.Invoice(t, d.db, d.creditor, rows.Of(501_00)), rows.Invoice(t, d.db, d.creditor, rows.Of(502_00))
		waiting := d.queueOf(payments.Paid("9"+fifth.KID[1:], 501_00), payments.Paid("9"+sixth.KID[1:], 502_00)) // a digit of each KID is wrong
		f = d.formAt("bank/certain")
		d.resolves(waiting[0], true)
		d.get(d.send(f).is(http.StatusSeeOther).location).tells("Matched 1 payment.", "1 was left out:", "What was done last: Match taken back, by "+ola+", 30.03.2026 13:00.")
		d.owes(fifth, 501_00)
		d.owes(sixth, 0)
	})
}
