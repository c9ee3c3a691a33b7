package api_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/test/testkit/bench"
)

// bareHandler answers a few requests byte for byte as the program does, with nothing but net/http, database/sql and
// fmt. It is the limit of what the program can do with its SQL. It checks the key, and nothing else.
type bareHandler struct {
	db      *sql.DB
	invoice *bench.InvoiceRows // what a POST inserts
	created []byte             // and answers
}

// serveBare serves the handler on a real listener, and returns its base.
func serveBare(b *testing.B, h *bareHandler) string {
	b.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/invoice/{id}", h.admitted(h.detail))
	mux.HandleFunc("GET /api/v1/invoices", h.admitted(h.list))
	mux.HandleFunc("POST /api/v1/invoices", h.admitted(h.create))
	listener := httptest.NewServer(mux)
	b.Cleanup(listener.Close)
	return listener.URL + "/api/v1"
}

// bareRequest is a request, its creditor and its time.
type bareRequest struct {
	*http.Request
	creditorID int64
	today      models.Date
	zone       *time.Location
}

func (rq bareRequest) uri(resource string, id int64) string {
	return "http://" + rq.Host + "/api/v1/" + resource + "/" + strconv.FormatInt(id, 10)
}

func (h *bareHandler) admitted(answer func(ctx context.Context, rq bareRequest, w io.Writer) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rq, err := h.admit(r)
		var body bytes.Buffer
		if err == nil {
			body.WriteString(xml.Header)
			err = answer(r.Context(), rq, &body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/xml; charset=utf-8")
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = body.WriteTo(w)
	}
}

func (h *bareHandler) admit(r *http.Request) (bareRequest, error) {
	rq := bareRequest{Request: r}
	var revoked sql.NullTime
	var zone string
	hash := models.HashKey(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	err := h.db.QueryRowContext(r.Context(), "SELECT c.id, c.time_zone, k.revoked_at FROM api_keys k JOIN creditors c ON c.id = k.creditor_id WHERE k.hash = ?", hash).
		Scan(&rq.creditorID, &zone, &revoked)
	if err != nil || revoked.Valid {
		return rq, fmt.Errorf("no key in force: %w", err)
	}
	rq.zone, err = models.Creditor{TimeZone: zone}.Location()
	if err == nil {
		rq.today = models.DateOf(clock.System{}.Now().In(rq.zone))
	}
	return rq, err
}

// create inserts an invoice's rows in a transaction of their own.
func (h *bareHandler) create(ctx context.Context, rq bareRequest, w io.Writer) error {
	if _, err := io.Copy(io.Discard, rq.Body); err != nil {
		return err
	}
	if err := h.invoice.Insert(ctx, h.db); err != nil {
		return err
	}
	_, err := w.Write(h.created)
	return err
}

// list answers with a page of all invoices. It counts them as the program does: the counts by day of last night, and
// the invoices since.
func (h *bareHandler) list(ctx context.Context, rq bareRequest, w io.Writer) error {
	const perPage = 100
	page := 1
	if text := rq.URL.Query().Get("page"); text != "" {
		page, _ = strconv.Atoi(text)
	}
	var counted, before, since, mark, position int64
	for _, q := range []struct {
		query string
		args  []any
		into  []any
	}{
		{"SELECT COALESCE(SUM(items), 0), COALESCE(MAX(last_id), 0) FROM list_days WHERE creditor_id = ? AND list = 'invoices'", []any{rq.creditorID}, []any{&before, &counted}},
		{"SELECT COUNT(*) FROM invoices FORCE INDEX (invoices_list) WHERE creditor_id = ? AND id > ?", []any{rq.creditorID, &counted}, []any{&since}},
		{"SELECT COALESCE(MAX(id), 0), COALESCE(MAX(position), 0) FROM list_marks WHERE creditor_id = ? AND list = 'invoices' AND position <= ?", []any{rq.creditorID, (page - 1) * perPage}, []any{&mark, &position}},
	} {
		if err := h.db.QueryRowContext(ctx, q.query, q.args...).Scan(q.into...); err != nil {
			return err
		}
	}
	found, err := h.db.QueryContext(ctx, `SELECT id, number, issue_date, due_date, gross, net, balance, notices, warned, deadline, closed, handed_over
		FROM invoices JOIN (SELECT id FROM invoices FORCE INDEX (invoices_list) WHERE creditor_id = ? AND id >= ? ORDER BY id LIMIT ? OFFSET ?) AS page USING (id) ORDER BY id`,
		rq.creditorID, mark, perPage, int64((page-1)*perPage)-position)
	if err != nil {
		return err
	}
	defer found.Close()
	fmt.Fprintf(w, `<invoices page="%d" total_pages="%d" per_page="%d">`, page, max(1, (before+since+perPage-1)/perPage), perPage)
	for found.Next() {
		var i models.Invoice
		if err := found.Scan(&i.ID, &i.Number, &i.IssueDate, &i.DueDate, &i.Gross, &i.Net, &i.Balance, &i.Notices, &i.Warned, &i.Deadline, &i.Closed, &i.HandedOver); err != nil {
			return err
		}
		fmt.Fprintf(w, `<invoice uri="%s" status="%s"><invoice_number>%d</invoice_number><issue_date>%s</issue_date><due_date>%s</due_date>`+
			`<gross_amount>%s</gross_amount><net_amount>%s</net_amount></invoice>`,
			rq.uri("invoice", i.ID), i.Status(rq.today), i.Number, i.IssueDate, i.DueDate, i.Gross, i.Net)
	}
	fmt.Fprintln(w, `</invoices>`)
	return found.Err()
}

// detail answers with an invoice and all that belongs to it, as of one moment.
func (h *bareHandler) detail(ctx context.Context, rq bareRequest, w io.Writer) error {
	tx, err := h.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	id, err := strconv.ParseInt(rq.PathValue("id"), 10, 64)
	if err != nil {
		return err
	}
	d := bareDetail{rq: rq, tx: tx, w: w, i: models.Invoice{ID: id}}
	for _, part := range []func(ctx context.Context) error{d.head, d.lines, d.shipments, d.entries, d.notices, d.creditNote} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(w, "</invoice>")
	return err
}

// bareDetail is the detail of an invoice while it is written.
type bareDetail struct {
	rq bareRequest
	tx *sql.Tx
	w  io.Writer
	i  models.Invoice

	credited bool
}

// each writes what show makes of each row that a query finds.
func (d *bareDetail) each(ctx context.Context, query string, into []any, show func()) error {
	found, err := d.tx.QueryContext(ctx, query, d.i.ID)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			return err
		}
		show()
	}
	return found.Err()
}

func (d *bareDetail) printf(format string, args ...any) { fmt.Fprintf(d.w, format, args...) }

func (d *bareDetail) head(ctx context.Context) error {
	i, r := &d.i, &d.i.Recipient
	err := d.tx.QueryRowContext(ctx, `SELECT customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid, recipient_name1, recipient_name2,
		recipient_address1, recipient_address2, recipient_postal_code, recipient_postal_name, recipient_country_code, recipient_email, recipient_customer_number,
		balance, notices, warned, deadline, closed, handed_over, hold_held FROM invoices WHERE id = ? AND creditor_id = ?`, i.ID, d.rq.creditorID).Scan(
		&i.CustomerID, &i.Number, &i.IssueDate, &i.DueDate, &i.NumDueDays, &i.Gross, &i.Net, &i.Note, &i.KID, &r.Name1, &r.Name2,
		&r.Address1, &r.Address2, &r.PostalCode, &r.PostalName, &r.CountryCode, &r.Email, &r.CustomerNumber,
		&i.Balance, &i.Notices, &i.Warned, &i.Deadline, &i.Closed, &i.HandedOver, &i.Hold.Held)
	if err != nil {
		return err
	}
	d.printf(`<invoice uri="%s" status="%s"><invoice_number>%d</invoice_number><issue_date>%s</issue_date><due_date>%s</due_date><num_due_days>%d</num_due_days>`+
		`<gross_amount>%s</gross_amount><net_amount>%s</net_amount><invoice_note>%s</invoice_note><ocr_kid_number>%s</ocr_kid_number><recipient><parent_recipient uri="%s"></parent_recipient>`,
		d.rq.uri("invoice", i.ID), i.Status(d.rq.today), i.Number, i.IssueDate, i.DueDate, i.NumDueDays, i.Gross, i.Net, escaped(i.Note), i.KID, d.rq.uri("customer", i.CustomerID))
	d.recipient(*r)
	return nil
}

func (d *bareDetail) recipient(r models.Recipient) {
	d.printf(`<name1>%s</name1><name2>%s</name2><address1>%s</address1><address2>%s</address2><postal_code>%s</postal_code><postal_name>%s</postal_name>`+
		`<email>%s</email><customer_number>%s</customer_number><country_code>%s</country_code></recipient>`,
		escaped(r.Name1), escaped(r.Name2), escaped(r.Address1), escaped(r.Address2), escaped(r.PostalCode), escaped(r.PostalName), escaped(r.Email),
		escaped(r.CustomerNumber), r.CountryCode)
}

func (d *bareDetail) lines(ctx context.Context) error {
	d.printf("<lines>")
	var l models.Line
	into := []any{&l.Position, &l.Text, &l.UnitPrice, &l.NumItems, &l.Discount, &l.Net, &l.Gross, &l.VATPercent, &l.VAT}
	err := d.each(ctx, "SELECT position, text, unit_price, num_items, discount, net, gross, vat_percent, vat FROM invoice_lines WHERE invoice_id = ? ORDER BY position", into, func() {
		discount := ""
		if l.Discount != nil {
			discount = l.Discount.String()
		}
		d.printf(`<line index="%d"><line_text>%s</line_text><unit_price>%s</unit_price><num_items>%s</num_items><discount_percent>%s</discount_percent>`+
			`<net_amount>%s</net_amount><gross_amount>%s</gross_amount><vat_rate percent="%s">%s</vat_rate></line>`,
			l.Position, escaped(l.Text), l.UnitPrice, l.NumItems, discount, l.Net, l.Gross, l.VATPercent, l.VAT)
	})
	d.printf("</lines>")
	return err
}

func (d *bareDetail) shipments(ctx context.Context) error {
	d.printf("<shipments>")
	var s models.Shipment
	r := &s.Recipient
	into := []any{
		&s.Beside, &s.Method, &s.SentAt, &r.Name1, &r.Name2, &r.Address1, &r.Address2, &r.PostalCode, &r.PostalName, &r.CountryCode, &r.Email, &r.CustomerNumber,
	}
	err := d.each(ctx, `SELECT copy, method, sent_at, recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code,
		recipient_postal_name, recipient_country_code, recipient_email, recipient_customer_number
		FROM shipments WHERE document_kind = 'invoice' AND document_id = ? ORDER BY id`, into, func() {
		sent := ""
		if s.SentAt != nil {
			sent = s.SentAt.In(d.rq.zone).Format(time.DateTime)
		}
		if s.Beside {
			d.printf(`<shipment type="copy"><shipment_method>%s</shipment_method><sent_at>%s</sent_at><recipient><email>%s</email></recipient></shipment>`, s.Method, sent, escaped(r.Email))
			return
		}
		d.printf(`<shipment type="original"><shipment_method>%s</shipment_method><sent_at>%s</sent_at><recipient>`, s.Method, sent)
		d.recipient(*r)
		d.printf(`</shipment>`)
	})
	d.printf("</shipments>")
	return err
}

func (d *bareDetail) entries(ctx context.Context) error {
	d.printf(`<ar_transactions balance="%s">`, d.i.Balance)
	var e models.Entry
	into := []any{&e.ID, &e.CreditNoteID, &e.TransactionDate, &e.Amount, &e.Comment, &e.FromAccountNumber, &e.Type}
	err := d.each(ctx, "SELECT id, credit_note_id, transaction_date, amount, comment, from_account_number, type FROM entries WHERE invoice_id = ? ORDER BY id", into, func() {
		if e.CreditNoteID != 0 {
			d.credited = true
			return
		}
		d.printf(`<ar_transaction uri="%s"><transaction_date>%s</transaction_date><amount>%s</amount><comment>%s</comment>`, d.rq.uri("ar_transaction", e.ID), e.TransactionDate, e.Amount, escaped(e.Comment))
		if e.Type == models.EntryOCR {
			d.printf(`<from_account_number>%s</from_account_number>`, e.FromAccountNumber)
		}
		d.printf(`<transaction_type>%s</transaction_type></ar_transaction>`, e.Type)
	})
	d.printf("</ar_transactions>")
	return err
}

func (d *bareDetail) notices(ctx context.Context) error {
	d.printf("<overdue_notices>")
	defer d.printf("</overdue_notices>")
	if d.i.Notices == 0 {
		return nil
	}
	var n models.Notice
	into := []any{&n.ID, &n.IssueDate, &n.DueDate, &n.Gross, &n.Warning, &n.Sequence}
	return d.each(ctx, "SELECT id, issue_date, due_date, gross, warning, sequence FROM overdue_notices WHERE invoice_id = ? AND withdrawn IS NULL ORDER BY sequence", into, func() {
		incasso := 0
		if n.Warning {
			incasso = 1
		}
		d.printf(`<overdue_notice uri="%s"><issue_date>%s</issue_date><due_date>%s</due_date><gross_amount>%s</gross_amount>`+
			`<is_incasso_notice>%d</is_incasso_notice><sequence_number>%d</sequence_number></overdue_notice>`,
			d.rq.uri("overdue_notice", n.ID), n.IssueDate, n.DueDate, n.Gross, incasso, n.Sequence)
	})
}

func (d *bareDetail) creditNote(ctx context.Context) error {
	d.printf("<credit_notes>")
	defer d.printf("</credit_notes>")
	if !d.credited {
		return nil
	}
	var c models.CreditNote
	into := []any{&c.ID, &c.Number, &c.IssueDate, &c.Gross, &c.Net}
	return d.each(ctx, "SELECT id, number, issue_date, gross, net FROM credit_notes WHERE invoice_id = ?", into, func() {
		d.printf(`<credit_note uri="%s"><invoice_number>%d</invoice_number><issue_date>%s</issue_date><gross_amount>%s</gross_amount><net_amount>%s</net_amount></credit_note>`,
			d.rq.uri("credit_note", c.ID), c.Number, c.IssueDate, c.Gross, c.Net)
	})
}

// escaped returns a text as it stands in XML.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder takes everything
	return b.String()
}
