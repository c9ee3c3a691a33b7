package console_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

// ore reads an amount as the console writes it.
func ore(t testing.TB, text string) int {
	t.Helper()
	digits := strings.NewReplacer(" ", "", "\u00A0", "", ",", "", "−", "-").Replace(strings.TrimSpace(text))
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatalf("%q is no amount: %v", text, err)
	}
	return n
}

// TestConsole27Money holds that the page about money agrees with the interface: with the balances of the open invoices, and
// with the receivables. One invoice is closed, one overpaid, one credited, one at debt collection.
func TestConsole27Money(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeRead)
	kari, ola := d.customer("Kari Nordmann", ""), d.customer(evil, "")
	var made []house.Node
	for i := range 12 {
		made = append(made, d.invoices([]house.Node{kari, ola}[i%2], 1000+37*i, 5+6*i))
	}
	pay := func(i int, amount string) {
		d.api.Post(made[i].URI()+"/ar_transactions", tag("ar_transaction", tag("amount", amount), tag("transaction_date", d.in.Today().String()))).Created()
	}
	d.at("2026-02-12 12:00")
	pay(0, "-1000.00")
	pay(1, "-400.35")
	pay(2, "-5000.00")
	d.api.Post(made[3].URI()+"/close", tag("close", tag("reason", "lost"))).Is(http.StatusOK)
	d.api.Post(made[4].URI()+"/credit_notes", tag("credit_note", tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER"))))).Created()
	d.api.Post(made[5].URI()+"/debt_collection", tag("debt_collection")).Is(http.StatusOK)

	want := 0
	for _, i := range made {
		shown := d.api.Get(i.URI()).Shown()
		if balance := shown.Ore("ar_transactions/@balance"); balance > 0 && !strings.HasPrefix(shown.At("@status"), "closed_") {
			want += balance
		}
	}
	receivables := d.api.Get("/receivables").Shown()
	if got := receivables.Ore("owed/@amount"); got != want {
		t.Errorf("the interface's receivables are %d øre, the balances of the open invoices %d", got, want)
	}

	d.show("money")
	outstanding := strings.TrimPrefix(strings.TrimSpace(d.Find("region", "Outstanding").Text()), "Outstanding")
	if first, _, _ := strings.Cut(strings.TrimSpace(outstanding), "\n"); ore(t, first) != want {
		t.Errorf("the page says %q, the balances of the open invoices are %d øre", first, want)
	}
	sum := 0
	ages := receivables.All("owed/age")
	for n, row := range d.Find("table", "Outstanding by age").Rows()[1:] {
		amount := ore(t, row[len(row)-1])
		if amount != ages[n].Ore("@amount") {
			t.Errorf("%v: the interface says %d øre", row, ages[n].Ore("@amount"))
		}
		sum += amount
	}
	if sum != want || len(ages) != 6 {
		t.Errorf("the table adds up to %d øre, want %d", sum, want)
	}

	d.Find("link", "See who owes most").Follow()
	table := d.All("table")[0].Rows()
	most := receivables.All("customer")[0]
	if last := table[1][len(table[1])-1]; ore(t, last) != most.Ore("owed/@amount") || table[1][0] != most.At("name1") {
		t.Errorf("first comes %v, the interface says %s", table[1], most)
	}
	d.Find("link", most.At("name1")).Follow()
	d.Find("link", "Statement").Follow()
	statement := d.api.Get("/customer/" + fmt.Sprint(lastPart(most.URI())) + "/statement").Shown()
	if rows := d.All("table")[0].Rows(); ore(t, rows[len(rows)-1][len(rows[len(rows)-1])-1]) != statement.Ore("closing_balance") {
		t.Errorf("the statement ends with %v, the interface says %s", rows[len(rows)-1], statement.At("closing_balance"))
	}
	for _, path := range []string{"money", "customers", "customers?order=owed", "customers/" + lastPart(kari.URI()), "customers/" + lastPart(kari.URI()) + "/statement"} {
		d.Look(browser.Light, browser.Size(1280, 800))
		d.show(path)
		d.MustBeAccessible()
		d.Look(browser.Dark, browser.Narrow)
		d.MustBeAccessible()
		if over := d.Overflow(); over > 0 {
			t.Errorf("%s is %d px wider than the window", path, over)
		}
	}
}

// lastPart returns what follows the last slash.
func lastPart(uri string) string { return uri[strings.LastIndexByte(uri, '/')+1:] }
