package conformance_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestL8DunningWantsACompleteCreditor: dunning cannot be switched on before the creditor is complete. Where something goes
// missing later nothing is refused, and no step is taken until it is there again; an event tells of it once.
func TestL8DunningWantsACompleteCreditor(t *testing.T) {
	inMarch(t, func(t *testing.T, in *installation) {
		c := in.bareCreditor(t)
		on := dunned(tag("first_notice_days", "1"))
		c.Put("/creditor", tag("creditor", on)).Refused(422, "creditor_not_ready organisation_number", "creditor_not_ready address1", "creditor_not_ready postal_code",
			"creditor_not_ready postal_name", "creditor_not_ready bank_account", "creditor_not_ready email")
		facts := tag("organisation_number", "974760673") + tag("address1", "Kaigaten 1") + tag("postal_code", "5003") + tag("postal_name", "Bergen") + tag("bank_account", in.bankAccount())
		c.Put("/creditor", tag("creditor", facts+tag("name", "default"), tag("phone", "55 00 00 00"), on)).Refused(422, "creditor_not_ready name")
		c.Get("/dunning_plan").Shown().Shows("@missing organisation_number address1 postal_code postal_name email bank_account")
		c.Put("/creditor", tag("creditor", facts, tag("phone", "55 00 00 00"), on)).Is(http.StatusOK)
		in.Approve(t, c.creditor)
		c.Get("/dunning_plan").Shown().Shows("no @missing")

		c.Put("/creditor", tag("creditor", tag("address1"), tag("phone"))).Is(http.StatusOK)
		c.Put("/creditor", string(c.Get("/creditor").Body)).Is(http.StatusOK)
		invoice := c.invoices(order{days: "0"})
		in.at(t, "2026-03-04 12:00")
		c.Get("/dunning_plan").Shown().Shows("@missing address1 email", "left_alone/@reason creditor_not_ready")
		in.at(t, "2026-03-05 12:00")
		equal(t, "what was told", strings.Join(c.told("creditor.not_ready"), "; "), "Dunning takes no step until the creditor is complete. Missing: address1, email")
		equal(t, "notices", len(c.again(invoice).All("overdue_notices/overdue_notice")), 0)
		c.Put("/creditor", tag("creditor", tag("email", "post@example.no"))).Is(http.StatusOK)
		c.Get("/dunning_plan").Shown().Shows("@missing address1")
		c.Put("/creditor", tag("creditor", tag("address1", "Kaigaten 2"))).Is(http.StatusOK)
		in.at(t, "2026-03-06 12:00")
		equal(t, "notices", len(c.again(invoice).All("overdue_notices/overdue_notice")), 1)
	})
}

// TestL9NoVATOfTheUnregistered: where it was said that the creditor is not registered, no line may have VAT. Where nobody
// has said, the invoice is issued, and an event tells of it once.
func TestL9NoVATOfTheUnregistered(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.bareCreditor(t)
		lines := func(vat ...string) string {
			var all []string
			for _, class := range vat {
				all = append(all, tag("line", tag("line_text", "Arbeid"), tag("unit_price", "100"), tag("num_items", "1"), tag("vat_rate", class)))
			}
			return tag("invoice", tag("num_due_days", "14"), tag("recipient", tag("name1", "Kari"), tag("address1", "Storgata 2"), tag("postal_code", "0155"), tag("postal_name", "Oslo")), tag("lines", all...),
				`<shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments>`)
		}
		c.Post("/invoices", lines("NONE")).Created()
		equal(t, "events", len(c.told("creditor.vat_unknown")), 0)
		c.Post("/invoices", lines("NONE", "HIGH")).Created()
		c.Put("/creditor", string(c.Get("/creditor").Body)).Is(http.StatusOK) // says nothing (rule L20)
		c.Post("/invoices", lines("LOW")).Created()
		equal(t, "events", len(c.told("creditor.vat_unknown")), 1)

		c.Put("/creditor", tag("creditor", tag("vat_registered", "0"))).Is(http.StatusOK)
		c.Post("/invoices", lines("NONE", "HIGH", "NONE", "MEDIUM")).Refused(422, "vat_not_registered lines/line[2]", "vat_not_registered lines/line[4]")
		c.Post("/invoices", lines("NONE")).Created()
		c.Put("/creditor", tag("creditor", tag("vat_registered", "1"))).Is(http.StatusOK)
		c.Post("/invoices", lines("HIGH")).Created()
	})
}

// TestL10HandingOverWhileTheDeadlineRuns is refused without force, and the bundle says that it was forced, or that there
// was no notice.
func TestL10HandingOverWhileTheDeadlineRuns(t *testing.T) {
	inMarch(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		warned, unnoticed := c.invoices(order{days: "0"}), c.invoices(order{days: "0"})
		in.at(t, "2026-03-03 12:00")
		c.notices(warned, notice(false, false, true))
		in.at(t, "2026-03-17 23:00") // the deadline's last day
		collect := func(of node, body string) *answer { return c.Post(of.URI()+"/debt_collection", body) }
		for _, body := range []string{"", "<debt_collection/>", tag("debt_collection", tag("force", "0"))} {
			collect(warned, body).Refused(409, "deadline_running")
		}
		collect(warned, tag("debt_collection", tag("force", "yes"))).Refused(422, "invalid_flag force")
		collect(warned, tag("debt_collection", tag("force", "1"))).Shown().Shows("@status debt_collection")
		collect(unnoticed, "").Shown().Shows("@status debt_collection")
		root := func(of node) string {
			claim := string(unzipped(t, c.Get(of.URI()+"/collection_bundle").Is(http.StatusOK).Body, "claim.xml"))
			_, element, _ := strings.Cut(claim, "<collection_claim ")
			element, _, _ = strings.Cut(element, ">")
			_, flags, _ := strings.Cut(element, `handed_over="2026-03-17"`)
			return strings.TrimSpace(flags)
		}
		equal(t, "the forced claim", root(warned), `forced="1"`)
		equal(t, "the claim without a notice", root(unnoticed), `without_notice="1"`)

		c.Post(warned.URI()+"/reopen", "").Is(http.StatusOK)
		in.at(t, "2026-03-18 00:01")
		collect(warned, tag("debt_collection", tag("force", "1"))).Is(http.StatusOK) // force where none is needed
		equal(t, "the claim after the deadline", strings.Contains(root(warned), "forced"), false)
	})
}

// TestL12OnceTheRunIsMadeThePlanForTodayIsDone: what falls due after the run is the next day's.
func TestL12OnceTheRunIsMadeThePlanForTodayIsDone(t *testing.T) {
	inMarch(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("first_notice_days", "1")))
		invoice := c.invoices(order{days: "0"})
		c.Put(invoice.URI()+"/dunning_hold", tag("dunning_hold")).Is(http.StatusOK)
		in.at(t, "2026-03-04 05:00")
		c.Get("/dunning_plan").Shown().Shows("no @run", "left_alone/@reason hold")
		in.at(t, "2026-03-04 07:00")
		c.Get("/dunning_plan").Shown().Shows("@run done", "left_alone/@reason hold")
		c.Delete(invoice.URI() + "/dunning_hold").Is(http.StatusNoContent)
		same(t, "the plan for today", c.plan(""), []string{"left_alone too_early"})
		c.Get("/dunning_plan?date=2026-03-05").Shown().Shows("no @run", "notice/@is_incasso_notice 0")
		in.at(t, "2026-03-05 07:00")
		same(t, "the plan for the next day, once its run is made", c.plan(""), []string{"left_alone deadline_running"})
	})
}

// TestL11TheActIsKnownUntil: which statute is in force is known until a day, as rates are, and warned of as they are. Once
// a day is set for the next one, nothing is unknown.
func TestL11TheActIsKnownUntil(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned())
		known := func(query string) string {
			for _, k := range c.Get("/dunning_rules" + query).Shown().All("known") {
				if k.At("@kind") == "act" {
					return k.At("@until")
				}
			}
			return ""
		}
		equal(t, "known until", known("?date=2026-11-01"), "2026-12-31")
		says := func(path string) string {
			for _, w := range c.Get(path).Shown().All("warning") {
				if strings.Contains(w.Text, "act on debt collection") {
					return w.Text
				}
			}
			return ""
		}
		equal(t, "warned of before four weeks", says("/dunning_rules?date=2026-12-03"), "")
		equal(t, "four weeks before", says("/dunning_rules?date=2026-12-04"), "the act on debt collection is known until 2026-12-31: after that day the last one, 1988, goes on unless the next is set")
		equal(t, "after it", says("/dunning_rules?date=2027-01-01"), "the act on debt collection is not known for the days after 2026-12-31: the last one, 1988, goes on")
	})
}
