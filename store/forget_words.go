package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"purr/models"
)

// emptyAnswers empties the kept answers that show the customer: their requests get an answer without a body if they come again.
func (f *forgetting) emptyAnswers(ctx context.Context) error {
	return f.set(ctx, "idempotency_keys", map[string]any{"body": ""}, f.rows["idempotency_keys"])
}

// findAnswers finds these answers.
func (f *forgetting) findAnswers(ctx context.Context) error {
	type kept struct {
		ID             int64
		Location, Body string
	}
	var ids []int64
	shows := f.shows()
	err := eachAs(f.tx.with(ctx).Model(&Answer{}).Where("creditor_id = ? AND body <> ''", f.customer.CreditorID).Select("id, location, body"), func(k kept) error {
		if shows(k.Location) || shows(k.Body) {
			ids = append(ids, k.ID)
		}
		return nil
	})
	slices.Sort(ids)
	f.rows["idempotency_keys"] = ids
	return err
}

// inXML writes a text as it stands in an answer in XML.
var inXML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// shows returns what reports whether a text of an answer is about the customer: it has the address of the customer or of one of his
// documents, or one of his words.
func (f *forgetting) shows() func(string) bool {
	var needles []string
	for resource, table := range map[string]string{
		"customer": "customers", "invoice": "invoices", "credit_note": "credit_notes", "overdue_notice": "overdue_notices", "letter": "letters", "shipment": "shipments",
		"repayment": "repayments",
	} {
		for _, id := range f.rows[table] {
			needles = append(needles, "/"+resource+"/"+strconv.FormatInt(id, 10))
		}
	}
	r := f.customer.Recipient
	for _, word := range []string{r.Name1, r.Name2, r.Address1, r.Address2, r.Email, r.Phone} {
		if len(word) < 3 {
			continue
		}
		needles = append(needles, word, inXML.Replace(word))
		if quoted, err := json.Marshal(word); err == nil {
			needles = append(needles, strings.Trim(string(quoted), `"`))
		}
	}
	return func(text string) bool {
		for _, n := range needles {
			for rest := text; ; {
				at := strings.Index(rest, n)
				if at < 0 {
					break
				}
				rest = rest[at+len(n):]
				if n[0] != '/' || rest == "" || rest[0] < '0' || rest[0] > '9' { // not /invoice/10 of /invoice/100
					return true
				}
			}
		}
		return false
	}
}

// emptyDeliveries empties the bodies of events about the customer that were posted to webhooks. One that is still to be posted is made of
// what is left of the event.
func (f *forgetting) emptyDeliveries(ctx context.Context) error {
	return f.set(ctx, "webhook_deliveries", map[string]any{"body": "", "failure": ""}, f.rows["webhook_deliveries"])
}

// findDeliveries finds these deliveries.
func (f *forgetting) findDeliveries(ctx context.Context) error {
	events, err := f.events(ctx, "events")
	if err != nil || len(events) == 0 {
		return err
	}
	webhooks, err := idsOf(f.tx.with(ctx).Table("webhooks").Where("creditor_id = ?", f.customer.CreditorID))
	if err != nil || len(webhooks) == 0 {
		return err
	}
	var ids, numbers []int64
	for _, e := range events {
		numbers = append(numbers, e.ID)
	}
	err = some(numbers, func(part []int64) error {
		found, err := idsOf(f.tx.with(ctx).Table("webhook_deliveries").Where("webhook_id IN ? AND event_id IN ?", webhooks, part))
		if err != nil {
			return err
		}
		ids = append(ids, found...)
		return nil
	})
	slices.Sort(ids)
	f.rows["webhook_deliveries"] = ids
	return err
}

// told is an event's words.
type told struct {
	ID   int64
	Type models.EventType
	Text string
	Data string
}

// events returns the events about the customer and his invoices.
func (f *forgetting) events(ctx context.Context, table string) (found []told, err error) {
	creditor := f.customer.CreditorID
	if found, err = scan[[]told](f.tx.with(ctx).Table(table).Select("id, type, text, data").Where("customer_id = ? AND creditor_id = ?", f.customer.ID, creditor)); err != nil {
		return nil, err
	}
	known := map[int64]bool{}
	for _, e := range found {
		known[e.ID] = true
	}
	err = some(f.rows["invoices"], func(part []int64) error {
		more, err := scan[[]told](f.tx.with(ctx).Table(table).Select("id, type, text, data").Where("invoice_id IN ? AND creditor_id = ?", part, creditor))
		if err != nil {
			return err
		}
		for _, e := range more {
			if !known[e.ID] {
				known[e.ID], found = true, append(found, e)
			}
		}
		return nil
	})
	return found, err
}

// emptyEvents takes the words out of the log: an event keeps what happened, when, by whom, and its numbers.
func (f *forgetting) emptyEvents(ctx context.Context) error {
	for _, table := range []string{"events", "new_events"} {
		found, err := f.events(ctx, table)
		if err != nil {
			return err
		}
		for _, e := range found {
			text, data, err := models.WithoutWords(e.Type, e.Data)
			if err != nil {
				return fmt.Errorf("event %d: %w", e.ID, err)
			}
			if text == e.Text && data == e.Data {
				continue
			}
			if err := f.set(ctx, table, map[string]any{"text": text, "data": data}, []int64{e.ID}); err != nil {
				return err
			}
		}
	}
	return nil
}

// findPayments finds the payments without a KID that are the customer's, and what is kept of the same lines. Payments that wait are
// nobody's yet, and stay.
func (f *forgetting) findPayments(ctx context.Context) error {
	creditor, mine := f.customer.CreditorID, map[int64]bool{}
	for _, id := range f.rows["entries"] {
		mine[id] = true
	}
	files, err := scan[[]int64](f.tx.with(ctx).Raw("SELECT DISTINCT payment_file_id FROM entries WHERE customer_id = ? AND payment_file_id <> 0", f.customer.ID))
	if err != nil {
		return err
	}
	var ids []int64
	keep := func(u models.UnmatchedPayment) error { //nolint:unparam // eachAs asks for it
		if f.isHis(u, mine) {
			ids = append(ids, u.ID)
		}
		return nil
	}
	err = some(files, func(part []int64) error {
		return eachAs(f.tx.with(ctx).Model(&models.UnmatchedPayment{}).Where("payment_file_id IN ? AND creditor_id = ? AND status = ?", part, creditor, models.PaymentMatched), keep)
	})
	if err != nil {
		return err
	}
	if err := eachAs(f.tx.with(ctx).Model(&models.UnmatchedPayment{}).Where("creditor_id = ? AND status = ?", creditor, models.PaymentDismissed), keep); err != nil {
		return err
	}
	slices.Sort(ids)
	f.rows["unmatched_payments"] = ids
	f.rows["payment_twins"], err = idsOf(f.tx.with(ctx).Table("payment_twins").
		Where("creditor_id = ? AND line_key IN (SELECT line_key FROM entries WHERE customer_id = ? AND line_key IS NOT NULL)", creditor, f.customer.ID))
	return err
}

// isHis reports whether a payment that waits no longer is the customer's: an entry of his came of it, or it was dismissed and pointed
// at him or named him. mine are his entries.
func (f *forgetting) isHis(u models.UnmatchedPayment, mine map[int64]bool) bool {
	if u.Status == models.PaymentDismissed {
		name := f.customer.Recipient.Name1
		return u.LikelyPayerID != nil && *u.LikelyPayerID == f.customer.ID || name != "" && (u.PayerName == name || u.UltimatePayer == name)
	}
	return slices.ContainsFunc(u.EntryIDs(), func(id int64) bool { return mine[id] })
}

// emptyRepaymentFiles empties the files of repayments that name the customer. What was paid to whom else stands on the other rows.
func (f *forgetting) emptyRepaymentFiles(ctx context.Context) error {
	files, err := scan[[]int64](f.tx.with(ctx).Raw("SELECT DISTINCT file_id FROM repayments WHERE customer_id = ? AND file_id <> 0", f.customer.ID))
	if err != nil || len(files) == 0 {
		return err
	}
	return classify(f.tx.with(ctx).Table("repayment_file_bytes").Where("file_id IN ?", files).UpdateColumns(map[string]any{"pain": []byte{}, "csv": []byte{}}).Error, "")
}
