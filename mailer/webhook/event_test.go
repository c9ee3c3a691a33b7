package webhook_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/mailer/webhook"
	"purr/models"
)

// TestJ4BodiesInJSON: an event is posted as an object whose data holds its facts as they stand in the log.
func TestJ4BodiesInJSON(t *testing.T) {
	t.Parallel()
	kaffe := models.Creditor{Name: "Kaffe & Kake <AS>", OrganisationNumber: "987654325", TimeZone: "Europe/Oslo"}
	e := models.Event{
		ID: 17, At: time.Date(2026, time.March, 2, 11, 0, 0, 0, time.UTC), Type: models.EventPaymentReceived, Actor: "API key 1 (æ)",
		InvoiceID: 3, CustomerID: 4, SubjectID: 5, Text: "Paid by \"Øst\" & Vest", Data: `{"amount":"1.00","customer":4}`,
	}
	for _, test := range []struct {
		why, base string
		e         models.Event
		of        models.Creditor
		want      string
	}{
		{
			"all that an event may have", "https://faktura.example.no/purr", e, kaffe,
			`{"type":"payment.received","timestamp":"2026-03-02T12:00:00+01:00","id":17,"creditor":{"organisation_number":"987654325","name":"Kaffe & Kake <AS>"},` +
				`"actor":"API key 1 (æ)","data":{"text":"Paid by \"Øst\" & Vest","subject_id":5,"invoice":{"uri":"https://faktura.example.no/purr/api/v1/invoice/3"},` +
				`"customer":{"uri":"https://faktura.example.no/purr/api/v1/customer/4"},"facts":{"amount":"1.00","customer":4}}}`,
		},
		{
			"an old one, in summer, of a creditor without a number", "",
			models.Event{ID: 18, At: time.Date(2026, time.July, 1, 22, 30, 0, 0, time.UTC), Type: models.EventInvoiceOverdue, InvoiceID: 3, Text: "x\u2028\x00\xff"},
			models.Creditor{Name: "K", TimeZone: "Europe/Oslo"},
			`{"type":"invoice.overdue","timestamp":"2026-07-02T00:30:00+02:00","id":18,"creditor":{"organisation_number":"","name":"K"},` +
				`"data":{"text":"x\u2028\u0000\ufffd","subject_id":0,"invoice":{"uri":"/api/v1/invoice/3"}}}`,
		},
	} {
		got, err := webhook.Body(test.e, test.base, test.of, true)
		if err != nil || got != test.want+"\n" || !webhook.IsJSON(got) || !json.Valid([]byte(got)) {
			t.Errorf("%s: the body is\n%s, want\n%s (%v)", test.why, got, test.want, err)
		}
	}
	if asXML, err := webhook.Body(e, "", kaffe, false); err != nil || webhook.IsJSON(asXML) {
		t.Errorf("as XML it is %s, %v", asXML, err)
	}
}

// TestJ4FactsStandApart: facts have a member of their own, because of some the data has the names too. Where none had, they could stand
// beside the others.
func TestJ4FactsStandApart(t *testing.T) {
	t.Parallel()
	shared := false
	for _, f := range models.EventFacts {
		for name := range strings.FieldsSeq(f.Facts) {
			shared = shared || slices.Contains([]string{"text", "subject_id", "invoice", "customer"}, strings.TrimSuffix(name, "?"))
		}
	}
	if !shared {
		t.Error("no fact has a name of the data's own")
	}
}

// TestJ4EveryEventInJSON: of each type of event the body has the facts of the log, and nothing else than its form says.
func TestJ4EveryEventInJSON(t *testing.T) {
	t.Parallel()
	for _, f := range models.EventFacts {
		facts := map[string]any{}
		for name := range strings.FieldsSeq(f.Facts) {
			facts[strings.TrimSuffix(name, "?")] = map[string]any{"was": nil, "is": []any{"<1.00>", true, 17.0}}
		}
		logged, err := json.Marshal(facts)
		if err != nil {
			t.Fatal(err)
		}
		body, err := webhook.Body(models.Event{ID: 1, Type: f.Type, CustomerID: 1, InvoiceID: 2, Text: "x", Data: string(logged)}, "", models.Creditor{}, true)
		if err != nil {
			t.Fatal(err)
		}
		var read struct {
			Type string
			Data struct {
				Facts             json.RawMessage
				Invoice, Customer map[string]string
			}
		}
		if err := json.Unmarshal([]byte(body), &read); err != nil || read.Type != string(f.Type) || string(read.Data.Facts) != string(logged) ||
			read.Data.Customer["uri"] != "/api/v1/customer/1" || read.Data.Invoice["uri"] != "/api/v1/invoice/2" {
			t.Errorf("%s is posted as %s (%v)", f.Type, body, err)
		}
	}
}
