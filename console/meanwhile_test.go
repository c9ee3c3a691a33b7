package console_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"purr/console"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

// alone are the acts that no act of somebody else can make another one than the reader has decided on, and why.
var alone = map[string]string{
	"/sign-in":                             "it begins a session",
	"/sign-in/{token}":                     "it begins a session",
	"/sign-out":                            "it ends the reader's own session",
	"/settings/console":                    "it is the reader's own choice, kept in the browser",
	"/clock":                               "it moves to a moment that the form names, and never back",
	"/customers/new":                       "it makes something",
	"/invoices/new":                        "it makes something",
	"/invoices/adopt":                      "it makes something",
	"/invoices/{number}/told-balance":      "its invoice is of another system, and it is held in TestL17AnInvoiceOfAnotherSystemIsFollowed",
	"/operations/keys":                     "it makes something",
	"/operations/webhooks":                 "it makes something",
	"/operations/audits":                   "it begins something, and reads alone: TestU5TheConsoleAudits",
	"/operations/audits/{audit}/repay":     "it refuses what it did not show: TestU6TheConsolePutsRight",
	"/money/accounts":                      "it names its days; whoever has handed them over meanwhile has made the same file: TestA1cTheLastMonthIsHandedOver",
	"/settings/logo":                       "it has a file, and is held in TestL19ALogoIsPutAndRemoved",
	"/invoices/{number}/collection-report": "its invoice is with the debt collector, and it is held in TestC3TheConsoleListsWhatTheCollectorHas",
	"/bank/files":                          "a file that came before is a duplicate",
	"/customers/{id}/forget":               "whatever is known by then goes, and what has become open refuses it: TestO14NoWordIsLeftOfACustomerWhoWasForgotten",
	"/customers/{id}/statement":            "a statement shows the account as it is when it is sent",
	"/operations/confirm-none":             "it names a day; a second confirmation changes nothing",
	"/bank/certain":                        "each payment is matched or left out by itself: TestD115OfSeveralThoseAreLeftOut",
}

// TestD115NobodyActsOnWhatIsNoLongerSo walks all forms of the console. Each is opened, then somebody else acts on the same thing, and
// then the form is sent: nothing is done, and the page says what has changed, by whom and when.
func TestD115NobodyActsOnWhatIsNoLongerSo(t *testing.T) {
	_, acting := console.Paths()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := &desks{openOn(t, databaseURL, models.ScopeAdmin, nil), new(int)}
		d.withAccount()
		d.overdue(4, 2)
		for _, path := range acting {
			path = strings.TrimPrefix(path, "/c/{creditor}")
			open, walked := overtaken[path]
			if !walked {
				open, walked = overtakenOnPayments[path]
			}
			if _, exempt := alone[path]; exempt == walked {
				t.Errorf("%s: it stands in one of the two tables, and only in one", path)
			}
			if !walked {
				continue
			}
			t.Run(path, func(t *testing.T) {
				d := &desks{d.within(t), d.made}
				f := open(d)
				if !slices.Contains(f.fields, "seen") {
					t.Errorf("the form does not carry what was seen: %q", f.fields)
				}
				before := d.byKari()
				refused := d.send(f).is(http.StatusConflict).tells("What was done last: ", "by "+olaShown+", 30.03.2026 13:00")
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
	events, err := d.db.NewestEvents(d.t.Context(), d.creditor.ID, store.EventFilter{Actors: []string{"console, API key 1 (Kari)"}}, 0, 1000)
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
		said.tells("1 was left out", fmt.Sprintf("Invoice %d: What was done last: Hold set, by %s, 30.03.2026 13:00.", third.Number, olaShown))
		if d.now(first).Hold.Held || !d.now(second).Hold.Held || !d.now(third).Hold.Held {
			t.Error("of the holds not just the first is taken back")
		}

		fifth, sixth := rows.Invoice(t, d.db, d.creditor, rows.Of(501_00)), rows.Invoice(t, d.db, d.creditor, rows.Of(502_00))
		waiting := d.queueOf(payments.Paid("9"+fifth.KID[1:], 501_00), payments.Paid("9"+sixth.KID[1:], 502_00)) // a digit of each KID is wrong
		f = d.formAt("bank/certain")
		d.resolves(waiting[0], true)
		d.get(d.send(f).is(http.StatusSeeOther).location).tells("Matched 1 payment.", "1 was left out:", "What was done last: Match taken back, by "+olaShown+", 30.03.2026 13:00.")
		d.owes(fifth, 501_00)
		d.owes(sixth, 0)
	})
}
