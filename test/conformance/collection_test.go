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
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.own(t, "2026-03-02 00:01", nothing)
		c := in.creditor(t, tag("dunning_policy", tag("enabled", "1"), tag("debt_collection_notice", "first"), tag("hand_over_days", "1"),
			tag("require_payment_file", "0"), tag("weekdays_only", "0")))
		invoice := c.invoices(order{to: c.customer().uri(), days: "0"})
		c.get(invoice.uri()+"/collection_bundle").refused(409, "invoice_not_handed_over")
		c.goesOn("2026-03-31 12:00")
		invoice = c.again(invoice).shows("@status debt_collection")
		a := c.get(invoice.uri() + "/collection_bundle").is(http.StatusOK)
		equal(t, "media type", a.header.Get("Content-Type"), "application/zip")
		_, name, _ := strings.Cut(a.header.Get("Content-Disposition"), `filename="`)
		name = strings.Trim(name, `"`)
		delivered, err := os.ReadFile(filepath.Join(in.data, "outbox", "collection", name))
		must(t, err)
		equal(t, "the collector has the same bytes", bytes.Equal(delivered, a.body), true)

		warning := c.get(invoice.only("overdue_notices/overdue_notice").uri() + "/pdf").is(http.StatusOK)
		number := invoice.at("invoice_number")
		for file, content := range map[string][]byte{
			"invoice-" + number + ".pdf": c.get(invoice.uri() + "/pdf").is(http.StatusOK).body, "notice-1-debt-collection-warning.pdf": warning.body,
		} {
			equal(t, "the bundle has "+file+" as it is", bytes.Equal(unzipped(t, a.body, file), content), true)
		}
		claim := string(unzipped(t, a.body, "claim.csv"))
		if !strings.Contains(claim, invoice.at("ocr_kid_number")) || !strings.Contains(claim, invoice.at("ar_transactions/@balance")) {
			t.Errorf("the claim is %s", claim)
		}

		paid := c.registers("-100", invoice)
		c.remove(paid.uri()).is(http.StatusNoContent)
		c.post(invoice.uri()+"/reopen", "").is(http.StatusOK)
		c.get(invoice.uri()+"/collection_bundle").refused(409, "invoice_not_handed_over")
		var told []string
		for _, e := range c.list("/events") {
			if kind := e.at("type"); strings.HasPrefix(kind, "collection_bundle.") || kind == "payment.after_hand_over" {
				told = append(told, kind)
			}
		}
		same(t, "events", told, []string{"collection_bundle.delivered", "payment.after_hand_over", "payment.after_hand_over", "collection_bundle.withdrawn"})
		c.goesOn("2026-03-31 12:01")
		if _, err := os.Stat(filepath.Join(in.data, "outbox", "collection", strings.Replace(name, ".zip", "-taken-back.xml", 1))); err != nil {
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
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.own(t, "2026-03-02 00:01", nothing)
		c := in.creditor(t)
		customers := []node{c.customer(), c.customer()}
		disputed, held := c.invoices(order{to: customers[0].uri(), days: "0"}), c.invoices(order{to: customers[0].uri(), days: "0"})
		others := c.invoices(order{to: customers[1].uri(), days: "0"})
		c.put(disputed.uri()+"/dunning_hold", tag("dunning_hold", tag("reason", "unwilling"))).refused(422, "invalid_reason reason")
		c.put(disputed.uri()+"/dunning_hold", tag("dunning_hold", tag("reason", "dispute"))).shown().shows("dunning_hold/reason dispute")
		c.put(held.uri()+"/dunning_hold", tag("dunning_hold")).shown().shows("no dunning_hold/reason")
		c.put(customers[1].uri()+"/dunning_hold", tag("dunning_hold", tag("reason", "dispute"), tag("until", "2026-03-20"))).shown().shows("dunning_hold/reason dispute")
		c.goesOn("2026-03-20 12:00")
		c.refuses(disputed, notice(true, true, false), "disputed")
		c.refuses(others, notice(true, false, false), "disputed")
		c.post(held.uri()+"/overdue_notices", notice(true, false, false)).created()
		c.post(disputed.uri()+"/overdue_notices", notice(false, true, false)).created()
		c.goesOn("2026-03-21 12:00") // the other customer's dispute is over
		c.post(others.uri()+"/overdue_notices", notice(true, false, false)).created()
	})
}
