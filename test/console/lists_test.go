package console_test

import (
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/house"
)

// TestN14EachListHasItsNumberAndItsSum reads the lists of a creditor and holds what each says over its table against the interface.
func TestN14EachListHasItsNumberAndItsSum(t *testing.T) {
	t.Parallel()
	r := reads(t, house.Start(t, begins))
	kari, ola := r.customer("Kari Nordmann", "kari@example.no"), r.customer("Ola Nordmann", "")
	for n := range 3 {
		r.invoices(kari, 1000+n, 14)
		r.invoices(ola, 500+n, 14)
	}
	open := r.owed(3)
	r.bankReports(paid{kid: open[0].kid, kroner: open[0].kroner}, paid{kid: "9999999999", kroner: 77.50}, paid{kid: "8888888888", kroner: 12})
	r.bankReports(paid{kid: open[1].kid, kroner: 100}, paid{kid: "7777777777", kroner: 33})
	waiting := r.api.List("/unmatched_payments?status=open")
	r.api.Post(waiting[0].URI()+"/dismiss", tag("dismiss", tag("comment", "ikke vår"))).Is(200)

	sum := func(nodes []house.Node, at string) (n int, amount string) {
		total := 0
		for _, node := range nodes {
			total += node.Ore(at)
		}
		return len(nodes), shownAmount(models.Amount(total))
	}
	says := func(path, format string, values ...any) {
		t.Helper()
		if got, want := r.lead(path), fmt.Sprintf(format, values...); !strings.Contains(got, want) {
			t.Errorf("%s says %q, want %q", path, got, want)
		}
	}
	n, amount := sum(r.api.List("/unmatched_payments?status=open"), "amount")
	says("bank", "%d payments wait, %s", n, amount)
	n, amount = sum(r.api.List("/unmatched_payments?status=resolved"), "amount")
	says("bank?status=resolved", "%d payment of %s", n, amount)
	n, amount = sum(r.api.List("/payment_files"), "amount")
	says("bank/files", "%d files from the bank, with payments of %s", n, amount)
	n, amount = sum(r.api.List("/statement_lines"), "amount")
	if n != 1 {
		t.Fatalf("the statement has %d lines", n)
	}
	says("bank/statement", "One line of %s", amount)

	all := r.shown(r.api.List("/invoices"))
	n, gross := sum(all, "gross_amount")
	_, owed := sum(all, "ar_transactions/@balance")
	says("invoices", "%d of %d · %s in all, %s owed", n, n, gross, owed)
	says("invoices?status=open", "5 of %d", n)
	says("customers", "2 customers · balance %s in all", owed)
	says("customers?search=nordmann", "2 customers with “nordmann” · balance %s in all", owed)
	says("log?type=payment.dismissed", "1 event")
	for _, c := range []house.Node{kari, ola} {
		his := r.shown(r.api.List(c.URI() + "/invoices"))
		n, gross := sum(his, "gross_amount")
		_, owed := sum(his, "ar_transactions/@balance")
		says("customers/"+idOf(c), "%d invoices · %s in all, %s owed", n, gross, strings.Replace(owed, "-", "\u2212", 1))
		says("customers/"+idOf(c)+"?tab=letters", "letters")
	}
	says("customers/"+idOf(kari)+"?tab=payments", "payment")
	says("settings/rules", "figures: those that hold on")
	says("operations/keys", "%d keys", len(r.rows("operations/keys"))-1)
	r.at("2026-02-10 12:00")
	says("letters?state=sent", "sent")
	says("dunning/runs", "of fees and")
}

// lead returns what a page says below its heading.
func (r *reader) lead(path string) string {
	r.T.Helper()
	for n := range r.page(path).Descendants() {
		for _, a := range n.Attr {
			if a.Key == "class" && a.Val == "lead" {
				return textOf(n)
			}
		}
	}
	r.T.Errorf("%s says nothing below its heading", path)
	return ""
}
