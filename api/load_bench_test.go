package api_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/billing"
	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

const (
	loadClients  = 64
	loadRounds   = 20   // requests of each client before the limit is measured again
	loadInvoices = 4000 // that there are before
)

// BenchmarkLoad has 64 clients ask at the same time for invoices, for lists of a hundred of them, and for new
// ones, over HTTP on MySQL (or MariaDB). The limit is a bare handler of the same requests in the same run. It answers
// the reads byte for byte as the program does, with the same SQL; its POST reads nothing of the body, and inserts the
// rows of an invoice in a transaction of their own, without the series, the checks or the answer kept for a key.
func BenchmarkLoad(b *testing.B) {
	db := bench.MySQL(b)
	creditor := rows.Creditor(b, db.Store)
	customer := rows.Customer(b, db.Store, creditor)
	ids := fillLoad(b, db.Store.WithClock(clock.NewTest(clock.System{}.Now().AddDate(0, 0, -1))), creditor, customer)
	rows.Write(b, db.Store, func(tx *store.Tx) error { return tx.CountLists(b.Context(), creditor.ID) })
	// The database would count the rows by itself some ten seconds later. Until then it thinks that there are hardly any, and reads
	// all of them where it should use an index.
	_, err := db.Bare.ExecContext(b.Context(), "ANALYZE TABLE invoices, invoice_lines, entries, shipments, overdue_notices, credit_notes")
	must(b, err)
	program, key := serveBench(b, db.Store, creditor)
	bare := &bareHandler{db: db.Bare}
	l := &load{program: program, bare: serveBare(b, bare), key: key}
	l.client.Transport = &http.Transport{MaxIdleConnsPerHost: loadClients}
	b.Cleanup(l.client.CloseIdleConnections)

	detail := func(n int) (method, path, body string) {
		return http.MethodGet, fmt.Sprintf("/invoice/%d", ids[n*7919%len(ids)]), ""
	}
	list := func(n int) (method, path, body string) {
		return http.MethodGet, fmt.Sprintf("/invoices?page=%d", 1+n%(loadInvoices/100)), ""
	}
	order := fmt.Sprintf(loadOrder, customer.ID)
	post := func(int) (method, path, body string) { return http.MethodPost, "/invoices", order }

	l.alike(b, detail)
	l.alike(b, list)
	b.Run("detail", func(b *testing.B) { l.run(b, detail) })
	b.Run("list", func(b *testing.B) { l.run(b, list) })
	bare.created = l.call(b, l.program, post, 0)
	var id int64
	_, err = fmt.Sscanf(string(bare.created), `<invoice uri="/invoice/%d"`, &id)
	must(b, err)
	bare.invoice = bench.NewInvoiceRows(b, db.Bare, id)
	b.Run("post", func(b *testing.B) { l.run(b, post) })
	l.keyed = true
	b.Run("post with a key", func(b *testing.B) { l.run(b, post) })
}

const loadOrder = `<invoice><num_due_days>14</num_due_days><recipient uri="/api/v1/customer/%d"/><lines>` +
	`<line><line_text>Membership</line_text><unit_price>500.00</unit_price><num_items>1</num_items><vat_rate>NONE</vat_rate></line>` +
	`<line><line_text>Magazine</line_text><unit_price>80.00</unit_price><num_items>2</num_items><vat_rate>HIGH</vat_rate></line></lines>` +
	`<shipments><shipment type="original"><shipment_method>EMAIL</shipment_method></shipment></shipments></invoice>`

// fillLoad issues invoices and returns their IDs. Every second is paid, one in twenty has a notice, and one in forty
// is credited.
func fillLoad(b *testing.B, db *store.DB, creditor models.Creditor, customer models.Customer) (ids []int64) {
	b.Helper()
	order := billing.InvoiceRequest{
		CustomerID: customer.ID, NumDueDays: 14, Method: models.ByEmail, Note: "Thank you <very> much", Copies: []string{"regnskap@example.no"}, Lines: []models.Line{
			{Text: "Membership", UnitPrice: 500_0000, NumItems: 1000, VAT: models.VATNone},
			{Text: "Magazine", UnitPrice: 80_0000, NumItems: 2000, VAT: models.VATHigh},
		},
	}
	for len(ids) < loadInvoices {
		rows.Write(b, db, func(tx *store.Tx) error {
			issued, err := billing.Issue(b.Context(), tx, creditor, slices.Repeat([]billing.InvoiceRequest{order}, 500))
			for _, i := range issued {
				ids = append(ids, i.Invoice.ID)
				if err == nil {
					err = follow(b.Context(), tx, i.Invoice)
				}
			}
			return err
		})
	}
	return ids
}

func follow(ctx context.Context, tx *store.Tx, i models.Invoice) error {
	switch {
	case i.Number%2 == 0:
		paid := models.Entry{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: models.EntryOCR, Amount: -i.Gross,
			TransactionDate: i.IssueDate, FromAccountNumber: "12345678903",
		}
		if err := tx.CreateEntries(ctx, []models.Entry{paid}); err != nil {
			return err
		}
		return tx.RefreshBalances(ctx, i.ID)
	case i.Number%20 == 1:
		n := models.Notice{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Sequence: 1, IssueDate: i.DueDate, DueDate: i.DueDate + 14,
			Gross: i.Gross, KID: i.KID, Recipient: i.Recipient,
		}
		if err := tx.CreateNotices(ctx, []models.Notice{n}, [][]models.NoticeLine{{{Position: 1, Text: "Invoice", Gross: i.Gross}}}); err != nil {
			return err
		}
		i.Notices, i.Deadline = 1, n.DueDate
		return tx.UpdateInvoice(ctx, i)
	case i.Number%40 == 3:
		note := models.CreditNote{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Number: 1_000_000 + i.Number, IssueDate: i.IssueDate,
			Gross: i.Gross, Net: i.Net, KID: i.KID, Recipient: i.Recipient,
		}
		if err := tx.CreateCreditNote(ctx, &note, nil); err != nil {
			return err
		}
		credit := models.Entry{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, CreditNoteID: note.ID, Type: models.EntryCreditNote,
			Amount: -i.Gross, TransactionDate: i.IssueDate,
		}
		return tx.CreateEntries(ctx, []models.Entry{credit})
	}
	return nil
}

// load has clients ask the program and the bare handler.
type load struct {
	program, bare string // bases
	key           string
	keyed         bool // requests have an Idempotency-Key, each its own
	client        http.Client
	asked         atomic.Int64
}

// asking is the n-th request of a kind.
type asking func(n int) (method, path, body string)

// ask makes a request and returns its answer, read into a buffer.
func (l *load) ask(ctx context.Context, base string, what asking, n int, into *bytes.Buffer) error {
	method, path, body := what(n)
	r, err := http.NewRequestWithContext(ctx, method, base+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+l.key)
	if l.keyed {
		r.Header.Set("Idempotency-Key", fmt.Sprintf("order-%d", n))
	}
	a, err := l.client.Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	into.Reset()
	if _, err := into.ReadFrom(a.Body); err != nil {
		return err
	}
	if a.StatusCode != http.StatusOK && a.StatusCode != http.StatusCreated {
		return fmt.Errorf("%s %s answers %s: %s", method, path, a.Status, into)
	}
	return nil
}

// call makes one request of a base and returns its answer, as a resource of no host and without the XML declaration.
func (l *load) call(b *testing.B, base string, what asking, n int) []byte {
	b.Helper()
	var got bytes.Buffer
	must(b, l.ask(b.Context(), base, what, n, &got))
	_, resource, _ := bytes.Cut(bytes.ReplaceAll(got.Bytes(), []byte(base), nil), []byte("?>\n"))
	return resource
}

// alike fails unless the program and the bare handler answer alike.
func (l *load) alike(b *testing.B, what asking) {
	b.Helper()
	for n := range 100 {
		want, got := l.call(b, l.program, what, n), l.call(b, l.bare, what, n)
		if !bytes.Equal(got, want) {
			b.Fatalf("the bare handler answers\n%s\nwhere the program answers\n%s", got, want)
		}
	}
}

// run measures the program and, in turns with it, the bare handler.
func (l *load) run(b *testing.B, what asking) {
	took := make([][]time.Duration, loadClients)
	var ours, limit bench.Rate
	for b.Loop() {
		ours.Time(loadClients*loadRounds, func() {
			bench.Clients(b, loadClients, loadRounds, func(client int) error {
				begin := clock.System{}.Now()
				err := l.once(b.Context(), l.program, what)
				took[client] = append(took[client], clock.System{}.Now().Sub(begin))
				return err
			})
		})
		b.StopTimer()
		limit.Time(loadClients*loadRounds, func() {
			bench.Clients(b, loadClients, loadRounds, func(int) error { return l.once(b.Context(), l.bare, what) })
		})
		b.StartTimer()
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	bench.Report(b, "requests", &ours, &limit)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(percentile(all, 0.50), "p50-ms")
	b.ReportMetric(percentile(all, 0.99), "p99-ms")
}

// once makes the next request and drops its answer.
func (l *load) once(ctx context.Context, base string, what asking) error {
	var answer bytes.Buffer
	return l.ask(ctx, base, what, int(l.asked.Add(1)), &answer)
}

// percentile returns the smallest of the sorted durations that the share of them does not exceed, in milliseconds.
func percentile(sorted []time.Duration, share float64) float64 {
	return sorted[int(math.Ceil(share*float64(len(sorted))))-1].Seconds() * 1000
}
