package console_test

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"purr/console/locale"
	"purr/models"
	"purr/test/testkit/house"
)

// figures are the console's pages with numbers that the interface has too, and where their numbers are held against it.
var figures = map[string]func(r *reader){
	"/bank": func(r *reader) {
		r.mustList("bank", columns(r.api.List("/unmatched_payments?status=open"), kroner("amount")))
		r.mustList("bank?status=resolved", columns(r.api.List("/unmatched_payments?status=resolved"), kroner("amount")))
	},
	"/bank/files": func(r *reader) {
		r.mustList("bank/files", columns(r.api.List("/payment_files"), text("transactions"), kroner("amount"), text("unmatched/@transactions")))
	},
	"/bank/files/{file}": func(r *reader) {
		for _, file := range r.api.List("/payment_files") {
			var sums []house.Node
			for _, name := range []string{"matched", "unmatched", "duplicates", "ignored"} {
				sums = append(sums, file.Only(name))
			}
			r.mustList("bank/files/"+idOf(file), columns(sums, text("@transactions"), kroner("@amount")))
		}
	},
	"/bank/statement": func(r *reader) {
		r.mustList("bank/statement", columns(r.api.List("/statement_lines"),
			text("transactions"), kroner("amount"), kroner("matched/@amount"), kroner("unmatched/@amount"), kroner("duplicates/@amount")))
	},
	"/customers": func(r *reader) {
		var accounts []house.Node
		for _, c := range r.api.List("/customers") {
			accounts = append(accounts, r.api.Get(c.URI()+"/statement").Shown())
		}
		r.mustList("customers", columns(accounts, kroner("closing_balance")))
		overdue := func(n house.Node) string {
			sum := 0
			for _, age := range n.All("owed/age") {
				if age.At("@days") != "not_due" {
					sum += age.Ore("@amount")
				}
			}
			return signed(sum)
		}
		debtors := r.api.Get("/receivables?per_page=1000").Shown().All("customer")
		r.mustList("customers?order=owed", columns(debtors, text("owed/@invoices"), overdue, kroner("owed/@amount")))
	},
	"/customers/{id}": func(r *reader) {
		for _, c := range r.api.List("/customers") {
			r.mustList("customers/"+idOf(c), columns(r.shown(r.api.List(c.URI()+"/invoices")), kroner("gross_amount"), kroner("ar_transactions/@balance")))
			paid := slices.DeleteFunc(r.api.List(c.URI()+"/ar_transactions"), func(e house.Node) bool {
				return e.At("transaction_type") != "OCR" && e.At("transaction_type") != "PAYMENT"
			})
			r.mustList("customers/"+idOf(c)+"?tab=payments", columns(paid, kroner("amount")))
		}
	},
	"/customers/{id}/statement": func(r *reader) {
		for _, c := range r.api.List("/customers") {
			account := r.api.Get(c.URI() + "/statement").Shown()
			want := columns([]house.Node{account}, kroner("opening_balance"))
			want = append(want, columns([]house.Node{account}, kroner("closing_balance"))...)
			want = append(want, columns(account.All("ar_transaction"), kroner("amount"), kroner("balance"))...)
			for _, open := range account.Only("open").Nodes() {
				want = append(want, columns([]house.Node{open}, kroner("balance"))...)
			}
			r.mustList("customers/"+idOf(c)+"/statement", want)
		}
	},
	"/invoices": func(r *reader) {
		r.mustList("invoices", columns(r.shown(r.api.List("/invoices")), kroner("gross_amount"), kroner("ar_transactions/@balance")))
	},
	"/invoices/{number}": func(r *reader) {
		for _, i := range r.shown(r.api.List("/invoices")) {
			percent := func(n house.Node) string { return n.At("vat_rate/@percent") + " %" }
			want := columns(i.All("lines/line"), text("num_items"), kroner("unit_price"), percent, kroner("gross_amount"))
			want = append(want, columns([]house.Node{i}, kroner("gross_amount"))...) // below the lines
			want = append(want, columns(i.All("ar_transactions/ar_transaction"), kroner("amount"))...)
			if plan := i.All("payment_plan"); len(plan) > 0 {
				want = append(want, columns(i.All("payment_plan/instalment"), kroner("@amount"), kroner("covered"))...)
				want = append(want, columns(plan, kroner("@sum"), kroner("@covered"))...)
			}
			r.mustList("invoices/"+i.At("invoice_number"), want)
		}
	},
	"/invoices/{number}/notices/{notice}/calculation": func(r *reader) {
		for _, i := range r.shown(r.api.List("/invoices")) {
			for _, n := range i.All("overdue_notices/overdue_notice") {
				reckoned, facts := r.api.Get(n.URI()+"/calculation").Shown(), r.facts("invoices/"+i.At("invoice_number")+"/notices/"+idOf(n)+"/calculation")
				for name, want := range map[string]string{
					"Fee": kroner("overdue_charge/@amount")(reckoned), "Interest": kroner("interest/@amount")(reckoned), "Sum": kroner("gross_amount")(r.api.Get(n.URI()).Shown()),
				} {
					if facts[name] != want {
						r.T.Errorf("notice %s, %s: the page shows %q, the interface says %s", idOf(n), name, facts[name], want)
					}
				}
			}
		}
	},
	"/credit-notes": func(r *reader) {
		left := func(n house.Node) string { return signed(-n.Ore("ar_transactions/@balance")) }
		r.mustList("credit-notes", columns(r.shown(r.api.List("/credit_notes")), kroner("gross_amount"), left))
	},
	"/standing-still": func(r *reader) {
		for _, status := range []string{"", "ended"} {
			found := r.api.Get("/standing_still?per_page=1000&status=" + status).Shown()
			r.mustList("standing-still?status="+status, columns(found.All("standstill"), kroner("sum")))
		}
	},
	"/collections": func(r *reader) {
		found := r.api.Get("/collections?per_page=1000").Shown()
		r.mustList("collections", columns(found.All("collection"), text("days"), kroner("claim/@total"), kroner("collected"), kroner("direct"), kroner("left")))
	},
	"/money/open": func(r *reader) {
		receivables := r.api.Get("/receivables?per_page=1000").Shown()
		want := columns(receivables.All("owed/age"), text("@invoices"), kroner("@amount"))
		overdue := func(n house.Node) string { return signed(n.Ore("owed/@amount") - n.All("owed/age")[0].Ore("@amount")) }
		r.mustList("money/open", append(want, columns(receivables.All("customer"), text("owed/@invoices"), overdue, kroner("owed/@amount"))...))
	},
	"/money/month": func(r *reader) {
		now := r.api.Get("/test_clock").Shown().At("now")
		month, rows := r.api.Get("/reports/month?month="+now[:7]).Shown(), r.rows("money/month?month="+now[:7])
		for name, path := range map[string]string{
			"Opening balance": "@opening", "Invoiced": "invoiced/@gross", "Credited": "credited/@amount", "Fees": "fees/@amount", "Interest": "interest/@amount",
			"Reversed fees and interest": "reversals/@amount", "Paid by bank": "paid/@bank", "Paid, registered by hand": "paid/@by_hand",
			"Paid back": "paid_back/@amount", "Moved between documents": "moved/@amount", "Closing balance": "@closing",
		} {
			if cells := rows[name]; len(cells) != 2 || cells[1] != kroner(path)(month) {
				r.T.Errorf("%s is %q, the interface says %s", name, cells, kroner(path)(month))
			}
		}
	},
	"/money/accounts": func(r *reader) {
		r.mustList("money/accounts", columns(r.api.List("/account_exports"), text("vouchers"), kroner("debit"), kroner("closing_balance")))
	},
	"/money/accounts/{export}": func(r *reader) {
		for _, e := range r.shown(r.api.List("/account_exports")) {
			bytes := func(n house.Node) string { return locale.Number(n.At("@size")) }
			balance := func(n house.Node) string { return signed(n.Ore("@debit") - n.Ore("@credit")) }
			moved := func(n house.Node) string { return signed(n.Ore("closing_balance") - n.Ore("opening_balance")) }
			want := append(columns(e.All("file"), bytes), columns(e.All("account_sum"), kroner("@debit"), kroner("@credit"), balance)...)
			for _, figure := range []func(house.Node) string{kroner("opening_balance"), moved, kroner("closing_balance"), kroner("closing_balance")} {
				want = append(want, columns([]house.Node{e}, figure)...)
			}
			r.mustList("money/accounts/"+idOf(e), want)
		}
	},
	"/operations/audits": func(r *reader) {
		r.mustList("operations/audits", columns(r.api.List("/audits"), text("letters"), text("number_of_findings"), kroner("back")))
	},
	"/operations/audits/{audit}": func(r *reader) {
		for _, a := range r.api.List("/audits") {
			facts := r.facts("operations/audits/" + idOf(a))
			for name, path := range map[string]string{"Letters": "letters", "Questions": "checks", "Kinds of questions": "kinds", "Unknown": "unknown", "Findings": "number_of_findings"} {
				if facts[name] != locale.Number(a.At(path)) {
					r.T.Errorf("audit %s, %s: the page shows %q, the interface says %s", idOf(a), name, facts[name], a.At(path))
				}
			}
		}
	},
	"/search": func(r *reader) {
		for _, c := range r.api.List("/customers") {
			if c.At("name1") == "" { // it was forgotten
				continue
			}
			q := "search?q=" + url.QueryEscape(c.At("name1"))
			found := r.api.Get("/" + q).Shown()
			if len(found.All("invoice")) == 0 { // one hit opens
				continue
			}
			r.mustList(q, columns(found.Nodes(), cellOf("amount"), cellOf("balance", "customer", "invoice", "overdue_notice")))
		}
	},
	"/credit-notes/{number}": func(r *reader) {
		for _, n := range r.shown(r.api.List("/credit_notes")) {
			r.mustList("credit-notes/"+n.At("invoice_number"), columns(n.All("ar_transactions/ar_transaction"), kroner("amount")))
		}
	},
}

// elsewhere are the console's other pages, and why they are not among the figures.
var elsewhere = map[string]string{
	"/today":                                 "TestD91EachNumberIsTheInterfaces",
	"/dunning":                               "TestD91EachNumberIsTheInterfaces",
	"/dunning/forecast":                      "TestD91EachNumberIsTheInterfaces",
	"/dunning/runs":                          "TestD91EachNumberIsTheInterfaces",
	"/dunning/runs/{run}":                    "TestD91EachNumberIsTheInterfaces",
	"/money":                                 "TestD91EachNumberIsTheInterfaces",
	"/money/credit":                          "TestN12FreeCreditFromTheListToTheBank, api/testdata/repayments.http",
	"/money/repayments":                      "TestN12FreeCreditFromTheListToTheBank, api/testdata/repayments.http",
	"/money/charges":                         "TestN9ChargesThatAreLeftAreWaivedTogether, api/testdata/only_charges.http",
	"/money/ledger":                          "its rows are bookings, whose sums are those of the month (TestN5MonthsAddUp, TestN5TheMonth)",
	"/lapsing":                               "TestL26TodayTellsOfClaimsThatLapse: what is owed stands in each, and in no list of the interface",
	"/broken-plans":                          "TestL15TodayTellsOfBrokenPlans: what became of a plan stands in each, and in no list of the interface",
	"/bank/certain":                          "its amounts are those of the queue, and what is certain is no interface's",
	"/joint-letters/{letter}":                "its numbers are those of the letter's notices",
	"/letters":                               "its numbers are those of documents",
	"/operations":                            "the queue's numbers are of the installation, and no interface's",
	"/log":                                   "what it says is the events' own",
	"/money/accounts/{export}/file/{format}": "it is a file",
	"/settings":                              "it leads to another page",
	"/settings/api":                          "its numbers are those of examples",
	"/settings/logo":                         "it has no numbers",
	"/settings/logo/file":                    "it is a picture",
	"/invoices/{number}/notices/{notice}/proof": "its answers are those of GET /overdue_notice/:id/audit, which the same function reckons (TestU5TheConsoleAudits)",
	"/start":                         "it has no numbers",
	"/customers/{id}/forget":         "what would go is counted in rows, in no list of the interface",
	"/operations/webhooks/{webhook}": "it has no amounts, and the deliveries are those of the webhook",
}

// isFile reports whether a path leads to a file.
func isFile(path string) bool {
	for _, end := range []string{".csv", "pdf", "/ehf", "/bundle", "/export", "/raw", "/pain", "/csv"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// columns returns a row for each of the interface's things.
func columns(things []house.Node, cells ...func(house.Node) string) (rows [][]string) {
	for _, n := range things {
		var row []string
		for _, cell := range cells {
			row = append(row, cell(n))
		}
		rows = append(rows, row)
	}
	return rows
}

func text(path string) func(house.Node) string {
	return func(n house.Node) string { return n.At(path) }
}

// kroner returns the amount at a path, as the console writes it.
func kroner(path string) func(house.Node) string {
	return func(n house.Node) string { return signed(n.Ore(path)) }
}

// cellOf returns the amount at a path of things of the kinds, and nothing where a thing has none or is of another kind. No kinds are all.
func cellOf(path string, kinds ...string) func(house.Node) string {
	return func(n house.Node) string {
		if _, has := n.Find(path); !has || len(kinds) > 0 && !slices.Contains(kinds, n.Name()) {
			return ""
		}
		return kroner(path)(n)
	}
}

func signed(ore int) string {
	return strings.Replace(shownAmount(models.Amount(ore)), "-", "\u2212", 1)
}

func idOf(n house.Node) string { return n.URI()[strings.LastIndexByte(n.URI(), '/')+1:] }

// shown returns each of a list's items with all that it has.
func (r *reader) shown(list []house.Node) (all []house.Node) {
	for _, n := range list {
		all = append(all, r.api.Get(n.URI()).Shown())
	}
	return all
}

// mustList fails the test unless the cells with numbers in a page's tables are the rows, in any order.
func (r *reader) mustList(path string, want [][]string) {
	r.T.Helper()
	var got [][]string
	for n := range r.page(path).Descendants() {
		if n.Data != "tr" {
			continue
		}
		var row []string
		for c := range n.ChildNodes() {
			if c.Data == "td" && class(c) == "amount" {
				row = append(row, textOf(c))
			}
		}
		if row != nil {
			got = append(got, row)
		}
	}
	slices.SortFunc(got, slices.Compare[[]string])
	slices.SortFunc(want, slices.Compare[[]string])
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		r.T.Errorf("%s shows\n%q\nthe interface says\n%q", path, got, want)
	}
}

// facts returns the facts of a page, by name.
func (r *reader) facts(path string) map[string]string {
	r.T.Helper()
	facts, name := map[string]string{}, ""
	for n := range r.page(path).Descendants() {
		switch n.Data {
		case "dt":
			name = textOf(n)
		case "dd":
			facts[name] = textOf(n)
		}
	}
	return facts
}

func class(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "class" {
			return a.Val
		}
	}
	return ""
}
