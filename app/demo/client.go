package demo

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"

	"purr/models"
)

// client speaks to the API with a key.
type client struct {
	base string // with /api/v1
	key  string
	http http.Client
}

// refusal is an answer that is no success.
type refusal struct {
	status int
	text   string
	Errors []struct {
		Code  string `xml:"code,attr"`
		Field string `xml:"field,attr"`
		Text  string `xml:",chardata"`
	} `xml:"error"`
}

// newRefusal reads the one form of all errors (rule D5). It takes any other answer as it is.
func newRefusal(status int, answer []byte) *refusal {
	r := &refusal{status: status}
	if err := xml.Unmarshal(answer, r); err != nil || len(r.Errors) == 0 {
		r.text = fmt.Sprintf("%s (%s)", answer, http.StatusText(status))
	}
	return r
}

// Error names every error of the answer.
func (r *refusal) Error() string {
	text := r.text
	for _, e := range r.Errors {
		text += strings.TrimSpace(e.Field+" "+e.Text) + " (" + e.Code + ") "
	}
	return fmt.Sprintf("the API answered %d: %s", r.status, strings.TrimSpace(text))
}

// xmlBody is a request as it is sent, or a part of one.
type xmlBody string

// xmlf puts values into a request. Strings are escaped.
func xmlf(format string, args ...any) xmlBody {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = html.EscapeString(s)
		}
	}
	return xmlBody(fmt.Sprintf(format, args...))
}

// get reads a resource.
func (c *client) get(ctx context.Context, at string, into any) error {
	return c.do(ctx, http.MethodGet, at, "", nil, into)
}

// send sends XML and reads the answer, unless into is nil.
func (c *client) send(ctx context.Context, method, at string, body xmlBody, into any) error {
	return c.do(ctx, method, at, "application/xml", []byte(body), into)
}

// do makes a request and reads the answer, unless into is nil. at is the uri of a resource, or a path below /api/v1. An
// answer that is no success becomes a refusal.
func (c *client) do(ctx context.Context, method, at, contentType string, body []byte, into any) error {
	if strings.HasPrefix(at, "/") {
		at = c.base + at
	}
	request, err := http.NewRequestWithContext(ctx, method, at, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = http.Header{"Authorization": {"Bearer " + c.key}, "Content-Type": {contentType}}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
	case response.StatusCode >= http.StatusMultipleChoices:
		err = newRefusal(response.StatusCode, answer)
	case into != nil:
		if err = xml.Unmarshal(answer, into); err != nil {
			err = fmt.Errorf("read the answer: %w", err)
		}
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, at, err)
	}
	return nil
}

// list reads all pages of a list (rule D10). The path ends with its "?", or with "&" after its own query.
func list[T any](ctx context.Context, c *client, path string, into *[]T) error {
	for page, pages := 1, 1; page <= pages; page++ {
		var l struct {
			TotalPages int `xml:"total_pages,attr"`
			Items      []T `xml:",any"`
		}
		if err := c.get(ctx, fmt.Sprintf("%spage=%d&per_page=1000", path, page), &l); err != nil {
			return err
		}
		*into, pages = append(*into, l.Items...), l.TotalPages
	}
	return nil
}

// documents reads the detail of every document of a list.
func (c *client) documents(ctx context.Context, path string, into *[]document) error {
	err := list(ctx, c, path, into)
	for i := 0; i < len(*into) && err == nil; i++ {
		err = c.get(ctx, (*into)[i].URI, &(*into)[i])
	}
	return err
}

// What follows are the elements that the demo needs of each answer.

type link struct {
	URI string `xml:"uri,attr"`
}

// document is an invoice, a credit note or a notice. A notice has no status, number, shipments or ledger.
type document struct {
	link
	Status    models.Status `xml:"status,attr"`
	Number    int64         `xml:"invoice_number"`
	Gross     models.Amount `xml:"gross_amount"`
	KID       string        `xml:"ocr_kid_number"`
	Name      string        `xml:"recipient>name1"`
	Lines     []line        `xml:"lines>line"`
	Shipments []shipment    `xml:"shipments>shipment"`
	Ledger    struct {
		Balance models.Amount `xml:"balance,attr"`
	} `xml:"ar_transactions"`
}

type line struct {
	Gross models.Amount `xml:"gross_amount"`
}

type shipment struct {
	Method models.ShipmentMethod `xml:"shipment_method"`
	SentAt string                `xml:"sent_at"`
}

// entry is an entry of the ledger. Of a payment in the queue of unmatched payments, it is the amount.
type entry struct {
	Amount     models.Amount    `xml:"amount"`
	Type       models.EntryType `xml:"transaction_type"`
	Invoice    link             `xml:"invoice"`
	CreditNote link             `xml:"credit_note"` // without a uri if the entry is on the invoice
}

type event struct {
	ID      int64            `xml:"id,attr"`
	Type    models.EventType `xml:"type"`
	Invoice link             `xml:"invoice"`
	Subject int64            `xml:"subject_id"`
	Text    string           `xml:"text"`
}

type paymentFile struct {
	link
	Filename     string           `xml:"filename"`
	Status       models.FileState `xml:"status"`
	Transactions int              `xml:"transactions"`
	Amount       models.Amount    `xml:"amount"`
	Matched      sum              `xml:"matched"`
	Unmatched    sum              `xml:"unmatched"`
	Duplicates   sum              `xml:"duplicates"`
	Ignored      sum              `xml:"ignored"`
}

// sum is a number of transactions and their amounts added up.
type sum struct {
	Transactions int           `xml:"transactions,attr"`
	Amount       models.Amount `xml:"amount,attr"`
}

func (s *sum) add(amount models.Amount) { *s = s.plus(sum{1, amount}) }

func (s sum) plus(t sum) sum { return sum{s.Transactions + t.Transactions, s.Amount + t.Amount} }

func (s sum) minus(t sum) sum { return sum{s.Transactions - t.Transactions, s.Amount - t.Amount} }

// String returns the amount and the number of payments.
func (s sum) String() string { return fmt.Sprintf("%s (%d)", kroner(s.Amount), s.Transactions) }
