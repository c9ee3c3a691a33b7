package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
)

const lostBody = `<close><reason>lost</reason><comment>bankrupt</comment></close>`

// shows fails the test unless the answer has the status 200 and the values, each path=value.
func (r reply) shows(t *testing.T, want ...string) {
	t.Helper()
	r.is(t, http.StatusOK)
	detail := r.xml(t)
	for _, w := range want {
		path, value, _ := strings.Cut(w, "=")
		if got := detail.at(path); got != value {
			t.Errorf("%s is %q, want %q: %s", path, got, value, r.body)
		}
	}
}

func (in *installation) post(path, body string, options ...option) reply {
	in.t.Helper()
	return in.send(http.MethodPost, path, body, options...)
}

// eventsOf tells the events of a type, each as its text.
func (in *installation) eventsOf(types ...string) []string {
	in.t.Helper()
	var texts []string
	for _, e := range in.get("/api/v1/events").xml(in.t).find("event") {
		for _, t := range types {
			if e.at("type") == t {
				texts = append(texts, e.at("text"))
			}
		}
	}
	return texts
}

func TestE2ClosingReopeningAndHandingOver(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("0")
		in.post(invoice+"/debt_collection", "").refused(t, http.StatusConflict, "not_overdue")
		in.post(invoice+"/reopen", "").refused(t, http.StatusConflict, "invoice_open")
		in.pass(20)

		in.post(invoice+"/close", lostBody).shows(t, "@status=closed_lost", "@uri="+invoice, "ar_transactions/@balance=1250.00")
		in.post(invoice+"/close", lostBody).refused(t, http.StatusConflict, "invoice_closed")
		in.post(invoice+"/debt_collection", "<debt_collection/>").refused(t, http.StatusConflict, "invoice_closed")
		in.post(invoice+"/overdue_notices", "<overdue_notice/>").refused(t, http.StatusConflict, "invoice_closed")
		in.get(invoice).shows(t, "@status=closed_lost")
		in.post(invoice+"/reopen", "").shows(t, "@status=invoice_overdue_chargeable")

		in.post(invoice+"/debt_collection", "").shows(t, "@status=debt_collection")
		in.post(invoice+"/debt_collection", "").refused(t, http.StatusConflict, "invoice_handed_over")
		in.post(invoice+"/overdue_notices", "<overdue_notice/>").refused(t, http.StatusConflict, "invoice_handed_over")
		in.post(invoice+"/close", `<close><reason> other </reason></close>`).shows(t, "@status=closed_other")
		in.post(invoice+"/reopen", "<reopen/>").shows(t, "@status=invoice_overdue_chargeable")

		in.post(invoice+"/debt_collection", "<debt_collection></debt_collection>").shows(t, "@status=debt_collection")
		in.post(invoice+"/reopen", "\n").shows(t, "@status=invoice_overdue_chargeable")
		in.make(invoice+"/ar_transactions", `<ar_transaction><amount>-1250</amount><transaction_date>2026-03-03</transaction_date></ar_transaction>`)
		in.post(invoice+"/close", lostBody).refused(t, http.StatusConflict, "invoice_paid")
		in.post(invoice+"/debt_collection", "").refused(t, http.StatusConflict, "invoice_paid")

		if got := in.eventsOf("invoice.closed", "invoice.reopened", "invoice.handed_over"); len(got) != 7 ||
			got[0] != "Invoice 1 closed (lost) with 1250.00 owed, by API key 1 (write): bankrupt" {
			t.Errorf("the events are %q", got)
		}
	})
}

func TestE2ClosingWithdrawsANoticeThatHasNotLeft(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("0")
		in.pass(20)
		in.make(invoice+"/overdue_notices", "<overdue_notice><add_overdue_charge>1</add_overdue_charge></overdue_notice>")
		in.get(invoice).shows(t, "ar_transactions/@balance=1288.00")
		r := in.post(invoice+"/close", lostBody)
		r.shows(t, "@status=closed_lost", "ar_transactions/@balance=1250.00", "overdue_notices/overdue_notice/@uri=-")
		if got := in.eventsOf("overdue_notice.withdrawn"); len(got) != 1 {
			t.Errorf("the events are %q", got)
		}
	})
}

func TestE2PaymentsAreTakenOnClosedAndHandedOverInvoices(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.admin()
		in.send("PUT", "/api/v1/creditor", `<creditor><bank_account>86011117947</bank_account></creditor>`).is(t, http.StatusOK)
		closed, handedOver := in.invoice("0"), in.invoice("0")
		in.pass(20)
		for _, invoice := range []string{closed, handedOver} {
			in.make(invoice+"/overdue_notices", "<overdue_notice><add_overdue_charge>1</add_overdue_charge></overdue_notice>")
		}
		in.lettersLeave()
		in.post(closed+"/close", lostBody).is(t, http.StatusOK)
		in.post(handedOver+"/debt_collection", "").is(t, http.StatusOK)
		in.send("POST", "/api/v1/payment_files", in.ocrFile(), header("Content-Type", "text/plain")).is(t, http.StatusCreated)
		in.get(closed).shows(t, "@status=closed_lost", "ar_transactions/@balance=288.00")

		entry := func(amount, more string) string {
			return `<ar_transaction><amount>` + amount + `</amount><transaction_date>2026-03-22</transaction_date>` + more + `</ar_transaction>`
		}
		for invoice, status := range map[string]string{closed: "closed_lost", handedOver: "debt_collection"} {
			payment := in.make(invoice+"/ar_transactions", entry("-100", ""))
			in.send("DELETE", payment, "").is(t, http.StatusNoContent)
			in.make(invoice+"/ar_transactions", entry("-38", "<transaction_type>OVERDUE_CHARGE</transaction_type>"))
			in.make(invoice+"/ar_transactions", entry("-1250", ""))
			overpaid := strings.TrimPrefix(in.get(invoice).xml(t).at("ar_transactions/@balance"), "-")
			if overpaid != "0.00" {
				in.make(invoice+"/ar_transactions", entry(overpaid, "")) // and repaid
			}
			in.make(invoice+"/credit_notes", creditBody)
			in.get(invoice).shows(t, "@status="+status, "ar_transactions/@balance=0.00", "credit_notes/credit_note/gross_amount=1250.00")
		}
	})
}

// lettersLeave has every letter that is owed be sent.
func (in *installation) lettersLeave() {
	in.t.Helper()
	in.write(func(ctx context.Context, tx *store.Tx) error {
		var owed []models.Shipment
		creditors, err := tx.CreditorsToShip(ctx, tx.Now, models.OneByOne(false)...)
		for _, id := range creditors {
			due, err := tx.DueShipments(ctx, id, tx.Now, 100, models.ByPaper, models.ByEmail)
			must(in.t, err)
			owed = append(owed, due...)
		}
		for _, s := range owed {
			s.State, s.SentAt, s.Attempts = models.ShipmentSent, &tx.Now, 1
			must(in.t, tx.UpdateShipment(ctx, s))
		}
		return err
	})
}

func TestE2CloseThatIsWrong(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	invoice := in.invoice("0")
	for body, want := range map[string]string{
		``:         "malformed_xml",
		`<reopen>`: "malformed_xml",
	} {
		in.post(invoice+"/close", body).refused(t, http.StatusBadRequest, want)
	}
	for body, want := range map[string]string{
		`<close/>`:                                 "required@reason",
		`<close><reason> </reason></close>`:        "required@reason",
		`<close><reason>paid</reason></close>`:     "invalid_reason@reason",
		`<close><reason>LOST</reason><x/></close>`: "unknown_element@x invalid_reason@reason",
		`<close><reason>lost</reason><comment>` + strings.Repeat("x", 501) + `</comment></close>`: "too_long@comment",
		`<reopen/>`: "unknown_element@reopen",
	} {
		in.post(invoice+"/close", body).refused(t, http.StatusUnprocessableEntity, strings.Fields(want)...)
	}
	for path, element := range map[string]string{"/reopen": "reopen", "/debt_collection": "debt_collection"} {
		in.post(invoice+path, "<close/>").refused(t, http.StatusUnprocessableEntity, "unknown_element@close")
		in.post(invoice+path, "<"+element+">now</"+element+">").refused(t, http.StatusUnprocessableEntity, "unexpected_text")
		in.post(invoice+path, "<"+element+"><comment/></"+element+">").refused(t, http.StatusUnprocessableEntity, "unknown_element@comment")
		in.post(invoice+path, "<"+element+">").refused(t, http.StatusBadRequest, "malformed_xml")
	}
}

func TestE2ActsAreDoneOnceForAnIdempotencyKeyD9(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("0")
		in.pass(20)
		for _, call := range []struct{ path, body string }{{"/close", lostBody}, {"/reopen", ""}, {"/debt_collection", ""}} {
			first := in.post(invoice+call.path, call.body, header("Idempotency-Key", call.path))
			first.is(t, http.StatusOK)
			again := in.post(invoice+call.path, call.body, header("Idempotency-Key", call.path))
			if again.status != http.StatusOK || again.body != first.body {
				t.Errorf("%s once more is answered %d %s", call.path, again.status, again.body)
			}
		}
		in.post(invoice+"/close", lostBody+"\n", header("Idempotency-Key", "/close")).refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
		if got := in.eventsOf("invoice.closed", "invoice.reopened", "invoice.handed_over"); len(got) != 3 {
			t.Errorf("the events are %q", got)
		}
	})
}

func TestE2NothingOfAnotherCreditorIsTouchedD2(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice, customer := in.invoice("0"), in.customer()
		in.pass(20)
		other := in.another("Fremmed AS")
		for _, call := range [][3]string{
			{"POST", invoice + "/close", lostBody},
			{"POST", invoice + "/reopen", ""},
			{"POST", invoice + "/debt_collection", ""},
			{"PUT", invoice + "/dunning_hold", "<dunning_hold/>"},
			{"DELETE", invoice + "/dunning_hold", ""},
			{"PUT", customer + "/dunning_hold", "<dunning_hold/>"},
			{"DELETE", customer + "/dunning_hold", ""},
		} {
			other.send(call[0], call[1], call[2]).refused(t, http.StatusNotFound, "not_found")
		}
	})
}
