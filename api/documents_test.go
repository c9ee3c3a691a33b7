package api_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestD21InvoiceIsCreditedOnce(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("14")
		in.make(invoice+"/credit_notes", creditBody)
		in.send("POST", invoice+"/credit_notes", creditBody).refused(t, http.StatusConflict, "already_credited")
		if got := in.get("/api/v1/invoice/1").xml(t).at("@status"); got != "invoice_paid" {
			t.Errorf("the credited invoice is %s", got)
		}
	})
}

func TestCreditNoteThatIsWrong(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	customer := in.make("/api/v1/customers", `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`)
	invoice := in.make("/api/v1/invoices", invoiceBody(customer, "14"))
	for _, test := range []struct{ name, body, want string }{
		{"no shipment", `<credit_note/>`, "required@shipments"},
		{"a shipment without a method", `<credit_note><shipments><shipment type="original"/></shipments></credit_note>`, "required@shipments/shipment[1]/shipment_method"},
		{"a copy", strings.Replace(creditBody, "</shipments>", `<shipment type="copy"><shipment_method>EMAIL</shipment_method></shipment></shipments>`, 1), "invalid_shipment_type@shipments/shipment[2]"},
		{"EMAIL without an address", strings.Replace(creditBody, "PAPER", "EMAIL", 1), "email_required@shipments/shipment[1]/shipment_method"},
		{"a line without an amount", strings.Replace(creditBody, "</credit_note>", `<lines><line><line_text>Te</line_text></line></lines></credit_note>`, 1), "required@lines/line[1]/net_amount required@lines/line[1]/vat_rate"},
		{"a long comment", strings.Replace(creditBody, "</credit_note>", `<comment>`+strings.Repeat("x", 501)+`</comment></credit_note>`, 1), "too_long@comment"},
		{"another document", `<overdue_notice/>`, "unknown_element@overdue_notice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in.send("POST", invoice+"/credit_notes", test.body).refused(t, http.StatusUnprocessableEntity, strings.Fields(test.want)...)
		})
	}
}

func TestD22CreditNoteFilters(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		paid, open := in.invoice("14"), in.invoice("14")
		in.make(open+"/ar_transactions", `<ar_transaction><amount>-100</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`)
		in.make(paid+"/credit_notes", creditBody)
		in.make(open+"/credit_notes", creditBody)
		for status, want := range map[string]string{
			"all": "paid not_paid", "paid": "paid", "credit_note_paid": "paid", "not_paid": "not_paid", "credit_note_sent": "not_paid",
			"waiting": "not_paid", "overdue": "", "overdue%7Cpaid": "paid",
		} {
			var found []string
			for _, c := range in.get("/api/v1/credit_notes?status=" + status).xml(t).find("credit_note") {
				found = append(found, c.at("@status"))
			}
			if got := strings.Join(found, " "); got != want {
				t.Errorf("status=%s finds %q, want %q", status, got, want)
			}
		}
	})
}

func TestD27ConditionsOfANotice(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		const reminder = `<overdue_notice><add_overdue_charge>0</add_overdue_charge></overdue_notice>`
		const charged = `<overdue_notice><add_overdue_charge>1</add_overdue_charge></overdue_notice>`
		const warning = `<overdue_notice><is_incasso_notice>1</is_incasso_notice></overdue_notice>`
		invoice := in.invoice("0")
		notices := invoice + "/overdue_notices"
		in.send("POST", notices, reminder).refused(t, http.StatusConflict, "not_overdue")
		in.pass(13)
		in.send("POST", notices, charged).refused(t, http.StatusConflict, "too_early_for_charge")
		in.pass(1)
		in.make(notices, charged)
		in.send("POST", notices, charged).refused(t, http.StatusConflict, "too_early_for_charge")
		in.make(notices, warning)
		in.send("POST", notices, reminder).refused(t, http.StatusConflict, "debt_collection_notice_sent", "too_many_notices")
		if got := in.get(invoice).xml(t).at("@status"); got != "debt_collection_notice_sent" {
			t.Errorf("the invoice is %s", got)
		}
		in.send("POST", "/api/v1/invoice/99/overdue_notices", reminder).refused(t, http.StatusNotFound, "not_found")
	})
}

func TestNoticeThatIsWrong(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	invoice := in.invoice("0")
	in.pass(20)
	in.send("POST", invoice+"/overdue_notices", `<overdue_notice><add_overdue_charge>yes</add_overdue_charge><add_interest/><fee>1</fee><comment>`+
		strings.Repeat("x", 501)+`</comment></overdue_notice>`).refused(t, http.StatusUnprocessableEntity,
		"invalid_flag@add_overdue_charge", "invalid_flag@add_interest", "unknown_element@fee", "too_long@comment")
}

func TestD32Transactions(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("14")
		post := func(uri, elements string) reply {
			return in.send("POST", uri+"/ar_transactions", `<ar_transaction>`+elements+`</ar_transaction>`)
		}
		const today = `<transaction_date>2026-03-02</transaction_date>`
		for _, test := range []struct{ elements, want string }{
			{``, "required@amount required@transaction_date"},
			{`<amount>0</amount>` + today, "amount_zero@amount"},
			{`<amount>-1</amount><transaction_date>2026-03-03</transaction_date>`, "date_in_future@transaction_date"},
			{
				`<amount>0.001</amount><transaction_date>i dag</transaction_date><comment>` + strings.Repeat("x", 501) + `</comment><balance/>`,
				"invalid_amount@amount invalid_date@transaction_date unknown_element@balance too_long@comment",
			},
			{`<amount>1</amount>` + today, "amount_too_large@amount"},
			{`<amount>-1</amount><transaction_type>OCR</transaction_type>` + today, "invalid_transaction_type@transaction_type"},
			{`<amount>-1</amount><transaction_type>GIFT</transaction_type>` + today, "invalid_transaction_type@transaction_type"},
			{`<amount>-1</amount><transaction_type>INTEREST</transaction_type>` + today, "amount_too_large@amount"},
		} {
			post(invoice, test.elements).refused(t, http.StatusUnprocessableEntity, strings.Fields(test.want)...)
		}
		post(invoice, `<amount>-1300.00</amount>`+today).is(t, http.StatusCreated)
		post(invoice, `<amount>50.01</amount>`+today).refused(t, http.StatusUnprocessableEntity, "amount_too_large@amount")
		post(invoice, `<amount>50.00</amount><transaction_type>PAYMENT</transaction_type>`+today).is(t, http.StatusCreated)
		if got := in.get(invoice).xml(t).at("ar_transactions/@balance"); got != "0.00" {
			t.Errorf("the balance is %s", got)
		}
		credit := in.make(invoice+"/credit_notes", creditBody)
		post(credit, `<amount>-1</amount>`+today).refused(t, http.StatusUnprocessableEntity, "amount_not_positive@amount")
		post(credit, `<amount>1250.01</amount>`+today).refused(t, http.StatusUnprocessableEntity, "amount_too_large@amount")
		post(credit, `<amount>1</amount><transaction_type>OCR</transaction_type>`+today).refused(t, http.StatusUnprocessableEntity, "differs@transaction_type")
		post(credit, `<amount>1250</amount>`+today).is(t, http.StatusCreated)
	})
}

func TestD31OnlyAPaymentCanBeDeleted(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		invoice := in.invoice("14")
		payment := in.make(invoice+"/ar_transactions", `<ar_transaction><amount>-10</amount><transaction_date>2026-03-02</transaction_date><comment>Feil</comment></ar_transaction>`)
		in.send("DELETE", "/api/v1/ar_transaction/1", "").refused(t, http.StatusConflict, "not_a_payment")
		in.send("DELETE", payment, "").is(t, http.StatusNoContent)
		in.send("DELETE", payment, "").refused(t, http.StatusNotFound, "not_found")
		in.get(payment).refused(t, http.StatusNotFound, "not_found")
		events := in.get("/api/v1/events").xml(t).find("event")
		last := events[len(events)-1]
		if last.at("type") != "payment.deleted" || !strings.Contains(last.at("text"), "API key 1 (write)") || !strings.Contains(last.at("data"), "Feil") {
			t.Errorf("the audit log says %+v", last)
		}
	})
}
