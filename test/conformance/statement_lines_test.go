package conformance_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestE4FilesAndStatementLinesComeToTheSame: the lines of the bank's statement are the files' payments, each once, however
// often it comes; they add up to what the files show as matched, unmatched and duplicates.
func TestE4FilesAndStatementLinesComeToTheSame(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		account := in.bankAccount()
		in.SetAccount(t, c.creditor, account)
		kid := c.invoices(order{}).At("ocr_kid_number")
		first := c.bankReports(account, kid, kid, "")
		again := c.bankReports(account, kid, "")
		again.Shows("transactions 2", "amount 2500.00", "duplicates/@transactions 0")
		card := c.Post("/payment_files", in.transmission(1, in.next(), account, 10, 20), contentType("text/plain")).Created()

		lines := c.List("/statement_lines")
		same(t, "lines of the statement", texts(lines, "settlement/@serial_number"), []string{"00000", "06053"})
		lines[0].Shows("account "+account, "transaction_date "+in.Today().String(), "format ocr_giro", "settlement/@centre 00", "settlement/@day_code 00",
			"settlement/@partial_settlement 0", "payment_file/@uri "+first.URI(), "transactions 5", "amount 6250.00", "file_amount 6250.00",
			"matched/@transactions 3", "matched/@amount 3750.00", "unmatched/@transactions 2", "unmatched/@amount 2500.00", "duplicates/@transactions 0")
		lines[1].Shows("payment_file/@uri "+card.URI(), "transactions 2", "amount 30.00", "unmatched/@amount 30.00")
		var onStatement, inFiles int // øre
		for _, l := range lines {
			onStatement += l.Ore("amount")
		}
		for _, f := range []node{first, again, card} {
			of := c.List(f.URI() + "/statement_lines")
			inFiles += f.Ore("amount")
			equal(t, "transactions of the file on the statement", of[0].At("transactions"), f.At("transactions"))
		}
		equal(t, "sum of the statement", onStatement, inFiles)

		day := in.Today().String()
		equal(t, "lines of today", len(c.List("/statement_lines?from_date="+day+"&to_date="+day+"&account="+account)), 2)
		equal(t, "lines of another account", len(c.List("/statement_lines?account="+payer)), 0)
		equal(t, "lines of later days", len(c.List("/statement_lines?from_date="+(in.Today()+1).String())), 0)
		table := c.Get("/statement_lines?format=csv").Is(http.StatusOK)
		equal(t, "type of the table", table.Header.Get("Content-Type"), "text/csv; charset=utf-8; header=present")
		want := fmt.Sprintf("%s,%s,ocr_giro,00,00,0,00000,,", account, day)
		if rows := strings.Split(string(table.Body), "\n"); len(rows) != 4 || !strings.HasPrefix(rows[0], "account,transaction_date,format,") || !strings.HasPrefix(rows[1], want) {
			t.Errorf("the table is\n%s", table.Body)
		}
		c.Get("/statement_lines?format=json").Refused(http.StatusBadRequest, "unknown_format format")

		foreign := in.creditor(t)
		equal(t, "lines of another creditor", len(foreign.List("/statement_lines")), 0)
		foreign.Get(first.URI()+"/statement_lines").Refused(http.StatusNotFound, "not_found")
	})
}
