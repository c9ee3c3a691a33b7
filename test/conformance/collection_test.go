package conformance_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestE2CollectionBundle hands an invoice over by its policy, reads what the debt collector gets, tells of payments
// that came to the creditor instead, and takes it all back.
func TestE2CollectionBundle(t *testing.T) {
	inMarch(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, tag("dunning_policy", tag("enabled", "1"), tag("debt_collection_notice", "first"), tag("hand_over_days", "1"),
			tag("require_payment_file", "0"), tag("weekdays_only", "0")))
		invoice := c.invoices(order{to: c.customer().URI(), days: "0"})
		c.Get(invoice.URI()+"/collection_bundle").Refused(409, "invoice_not_handed_over")
		in.at(t, "2026-03-31 12:00")
		invoice = c.again(invoice).Shows("@status debt_collection")
		a := c.Get(invoice.URI() + "/collection_bundle").Is(http.StatusOK)
		equal(t, "media type", a.Header.Get("Content-Type"), "application/zip")
		_, name, _ := strings.Cut(a.Header.Get("Content-Disposition"), `filename="`)
		name = strings.Trim(name, `"`)
		delivered, err := os.ReadFile(filepath.Join(in.Config.Data, "outbox", "collection", name))
		must(t, err)
		equal(t, "the collector has the same bytes", bytes.Equal(delivered, a.Body), true)

		warning := c.Get(invoice.Only("overdue_notices/overdue_notice").URI() + "/pdf").Is(http.StatusOK)
		number := invoice.At("invoice_number")
		for file, content := range map[string][]byte{
			"invoice-" + number + ".pdf": c.Get(invoice.URI() + "/pdf").Is(http.StatusOK).Body, "notice-1-debt-collection-warning.pdf": warning.Body,
		} {
			equal(t, "the bundle has "+file+" as it is", bytes.Equal(unzipped(t, a.Body, file), content), true)
		}
		claim := string(unzipped(t, a.Body, "claim.csv"))
		if !strings.Contains(claim, invoice.At("ocr_kid_number")) || !strings.Contains(claim, invoice.At("ar_transactions/@balance")) {
			t.Errorf("the claim is %s", claim)
		}

		paid := c.registers("-100", invoice)
		c.Delete(paid.URI()).Is(http.StatusNoContent)
		c.Post(invoice.URI()+"/reopen", "").Is(http.StatusOK)
		c.Get(invoice.URI()+"/collection_bundle").Refused(409, "invoice_not_handed_over")
		var told []string
		for _, e := range c.List("/events") {
			if kind := e.At("type"); strings.HasPrefix(kind, "collection_bundle.") || kind == "payment.after_hand_over" {
				told = append(told, kind)
			}
		}
		same(t, "events", told, []string{"collection_bundle.delivered", "payment.after_hand_over", "payment.after_hand_over", "collection_bundle.withdrawn"})
		in.at(t, "2026-03-31 12:01")
		if _, err := os.Stat(filepath.Join(in.Config.Data, "outbox", "collection", strings.Replace(name, ".zip", "-taken-back.xml", 1))); err != nil {
			t.Errorf("the collector is not told that it is taken back: %v", err)
		}
	})
}

// unzipped returns a file of a zip file.
func unzipped(t *testing.T, content []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	must(t, err)
	f, err := z.Open(name)
	must(t, err)
	inside, err := io.ReadAll(f)
	must(t, err)
	return inside
}

// TestE2Disputes stops fees on claims that the customer disputes, and nothing but fees (inkassoloven § 17).
func TestE2Disputes(t *testing.T) {
	inMarch(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customers := []node{c.customer(), c.customer()}
		disputed, held := c.invoices(order{to: customers[0].URI(), days: "0"}), c.invoices(order{to: customers[0].URI(), days: "0"})
		others := c.invoices(order{to: customers[1].URI(), days: "0"})
		c.Put(disputed.URI()+"/dunning_hold", tag("dunning_hold", tag("reason", "unwilling"))).Refused(422, "invalid_reason reason")
		c.Put(disputed.URI()+"/dunning_hold", tag("dunning_hold", tag("reason", "dispute"))).Shown().Shows("dunning_hold/reason dispute")
		c.Put(held.URI()+"/dunning_hold", tag("dunning_hold")).Shown().Shows("no dunning_hold/reason")
		c.Put(customers[1].URI()+"/dunning_hold", tag("dunning_hold", tag("reason", "dispute"), tag("until", "2026-03-20"))).Shown().Shows("dunning_hold/reason dispute")
		in.at(t, "2026-03-20 12:00")
		c.refuses(disputed, notice(true, true, false), "disputed")
		c.refuses(others, notice(true, false, false), "disputed")
		c.Post(held.URI()+"/overdue_notices", notice(true, false, false)).Created()
		c.Post(disputed.URI()+"/overdue_notices", notice(false, true, false)).Created()
		in.at(t, "2026-03-21 12:00") // the other customer's dispute is over
		c.Post(others.URI()+"/overdue_notices", notice(true, false, false)).Created()
	})
}
