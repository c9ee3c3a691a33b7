package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	"purr/models"
)

// TestD94ALetterThatLeftLateCountsFromItsRealLeaving has the letters of warnings of 16 March leave on 18 March, as is told
// then. One has the days for its printer in its deadline: it keeps what is printed, and runs two days longer for whoever asks.
// The other one is withdrawn, and issued anew: the hand-over waits for the new one.
func TestD94ALetterThatLeftLateCountsFromItsRealLeaving(t *testing.T) {
	inMarch(t, func(t *testing.T, in *installation) {
		warned := func(more ...string) (*client, node) {
			c := in.creditor(t, dunned(append([]string{tag("debt_collection_notice", "first"), tag("require_payment_file", "0"), tag("days_to_pay", "14")}, more...)...))
			return c, c.invoices(order{to: c.customer().URI(), days: "0"})
		}
		keeps, kept := warned(tag("postal_days", "1"), tag("handover_days", "2"))
		anew, renewed := warned()
		keeps.Get("/creditor").Shown().Shows("dunning_policy/handover_days 2")
		equal(t, "handover_days where there are none", len(anew.Get("/creditor").Shown().All("dunning_policy/handover_days")), 0)
		keeps.Put("/creditor", tag("creditor", tag("dunning_policy", tag("handover_days", "11")))).Refused(422, "illegal_policy dunning_policy/handover_days")

		in.at(t, "2026-03-18 12:00")
		first := anew.List("/overdue_notices")[0].Shows("issue_date 2026-03-16", "due_date 2026-03-30").URI()
		notice := keeps.List("/overdue_notices")[0].Shows("due_date 2026-04-02").URI()
		equal(t, "counts_until where the letter left on its day", strings.Contains(string(keeps.Get(notice).Body), "counts_until"), false)
		left := moment("2026-03-18 10:00")
		for range 2 { // told twice is told once
			for c, document := range map[*client]string{keeps: notice, anew: first} {
				name := c.List("/shipments?document=" + document)[0].At("@name")
				_, err := in.App.ReportShipment(t.Context(), name, string(models.ShipmentSent), "", &left)
				must(t, err)
			}
		}
		keeps.Get(notice).Shown().Shows("due_date 2026-04-02", "counts_until 2026-04-04")
		keeps.List("/overdue_notices")[0].Shows("counts_until 2026-04-04")
		keeps.again(kept).Shows("overdue_notices/overdue_notice/counts_until 2026-04-04", "@status debt_collection_notice_sent", "ar_transactions/@balance 1293.75")
		equal(t, "events of letters that left late", len(keeps.told("notice.left_late")), 1)

		in.at(t, "2026-03-31 12:00")
		second := anew.List("/overdue_notices")
		equal(t, "notices in force", len(second), 1)
		second[0].Shows("issue_date 2026-03-18", "due_date 2026-04-01")
		anew.Get(first).Shown().Shows("@withdrawn 1", "@replaced_by "+second[0].URI(), "due_date 2026-03-30")
		anew.again(renewed).Shows("@status debt_collection_notice_sent")
		same(t, "plan", anew.plan(""), []string{"left_alone last_notice_sent"})
		anew.Post(renewed.URI()+"/debt_collection", "").Refused(http.StatusConflict, "deadline_running")
		keeps.Post(kept.URI()+"/debt_collection", "").Refused(http.StatusConflict, "deadline_running")
		keeps.Post(kept.URI()+"/debt_collection", tag("debt_collection", tag("force", "1"))).Is(http.StatusOK)
		claim := unzipped(t, keeps.Get(kept.URI()+"/collection_bundle").Is(http.StatusOK).Body, "claim.xml")
		equal(t, "counts_until in the claim", strings.Contains(string(claim), "<due_date>2026-04-02</due_date>\n      <counts_until>2026-04-04</counts_until>"), true)
	})
}

// TestD98ANoticeOnAnInvoiceThatNeverLeftIsWithdrawn has the letter of an invoice of 2 March told to have failed, after the
// reminder of 16 March. The reminder goes with its fee and interest; the next step waits for the invoice.
func TestD98ANoticeOnAnInvoiceThatNeverLeftIsWithdrawn(t *testing.T) {
	inMarch(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("require_payment_file", "0")))
		invoice := c.invoices(order{to: c.customer().URI(), days: "0"})
		in.at(t, "2026-03-18 12:00")
		reminder := c.again(invoice).Shows("@status overdue_notice_sent", "ar_transactions/@balance 1293.75").All("overdue_notices/overdue_notice")[0].URI()
		at := moment("2026-03-17 10:00")
		_, err := in.App.ReportShipment(t.Context(), c.shipment(invoice, "").At("@name"), string(models.ShipmentFailed), "the print shop lost it", &at)
		must(t, err)
		c.again(invoice).Shows("@status invoice_overdue_chargeable", "ar_transactions/@balance 1250.00")
		c.Get(reminder).Shown().Shows("@withdrawn 1")
		equal(t, "notices in force", len(c.List("/overdue_notices")), 0)
		same(t, "why it was withdrawn", c.told("overdue_notice.withdrawn"), []string{"Reminder 1 on invoice 1 withdrawn: the invoice had not left"})
		same(t, "plan of the next day", c.plan("?date=2026-03-19"), []string{"left_alone not_sent"})
		c.Post(c.shipment(invoice, "").URI()+"/retry", "").Is(http.StatusOK)
		in.at(t, "2026-03-31 12:00")
		c.again(invoice).Shows("@status invoice_overdue_chargeable", "ar_transactions/@balance 1250.00") // it left on 18 March, and is due then
		same(t, "plan of the day on which its ladder begins", c.plan("?date=2026-04-01"), []string{"notice 0 38.00 5.75 1293.75"})
	})
}
