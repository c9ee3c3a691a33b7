package api_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"purr/api"
	"purr/models"
	"purr/test/testkit"
)

// Texts that are in the requests of the test, and that no log may hold.
const (
	secretName    = "Solveig Hemmelsen"
	secretStreet  = "Lønngata 77"
	secretPlace   = "Hemmelby"
	secretEmail   = "solveig@hemmelig.example"
	secretNumber  = "KUNDE-4711"
	secretText    = "Fortrolig rådgivning"
	secretAmount  = "7654.32"
	secretGross   = "9567.90"
	secretAccount = "86011117947"
	wrongKey      = "purr_FEILNØKKEL"
)

const secretPerson = `<name1>` + secretName + `</name1><address1>` + secretStreet + `</address1><postal_code>0155</postal_code><postal_name>` + secretPlace +
	`</postal_name><email>` + secretEmail + `</email>`

const secretInvoice = `<invoice><num_due_days>0</num_due_days><invoice_note>` + secretText + `</invoice_note><recipient uri="/api/v1/customer/1"/><lines><line><line_text>` +
	secretText + `</line_text><unit_price>` + secretAmount + `</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line></lines>` +
	`<shipments><shipment type="original"><shipment_method>EMAIL</shipment_method></shipment></shipments></invoice>`

// TestTheLogHoldsNoPersonAndNoSecret has requests succeed and fail in every way.
func TestTheLogHoldsNoPersonAndNoSecret(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		in := install(t, databaseURL, func(c *api.Config) {
			c.TestClock = tellingClock{}
			c.Queue = tellingQueue{}
			c.Checks = []api.Check{{Name: "queue", Ask: func(context.Context) error { return errors.New("away") }}}
		}).admin()
		kid := in.talk(t)
		in.fail(t)
		in.breakDatabase(t, openDump(t, databaseURL))
		must(t, in.server.Close())
		log := in.logged.String()
		for _, secret := range []string{
			in.key, wrongKey, kid, secretName, "Hemmel", "hemmel", secretStreet, secretEmail, secretNumber, secretText, "Fortrolig", secretAmount, secretGross,
			secretAccount, "98765432103", "id_token",
		} {
			if at := strings.Index(log, secret); at >= 0 {
				t.Errorf("the log holds %q: …%s…", secret, log[max(0, at-300):min(len(log), at+200)])
			}
		}
		for _, said := range []string{"route=/api/v1/customers/ status=201", "status=400", "status=401", "status=404", "status=409", "status=422", "status=500", "status=503", "panic"} {
			if !strings.Contains(log, said) {
				t.Errorf("the log does not hold %q", said)
			}
		}
	})
}

// talk makes requests that succeed, and returns the KID of the invoice.
func (in *installation) talk(t *testing.T) string {
	t.Helper()
	in.send("PUT", "/api/v1/creditor", `<creditor><bank_account>`+secretAccount+`</bank_account><email>`+secretEmail+`</email></creditor>`).is(t, http.StatusOK)
	in.make("/api/v1/customers", `<customer>`+secretPerson+`<customer_number>`+secretNumber+`</customer_number></customer>`, header("Idempotency-Key", secretEmail))
	invoice := in.make("/api/v1/invoices", secretInvoice)
	in.get("/api/v1/customers?search=Hemmelsen").is(t, http.StatusOK)
	in.get(invoice+"/pdf").is(t, http.StatusOK)
	in.pass(20)
	in.make(invoice+"/overdue_notices", `<overdue_notice><add_interest>1</add_interest><comment>`+secretText+`</comment></overdue_notice>`)
	in.make(invoice+"/ar_transactions", `<ar_transaction><amount>-`+secretAmount+`</amount><transaction_date>2026-03-03</transaction_date><comment>`+secretText+`</comment></ar_transaction>`)
	kid := in.get(invoice).xml(t).at("ocr_kid_number")
	file := in.bankFile(secretAccount, kid)
	in.send("POST", "/api/v1/payment_files?filename=Hemmelsen.txt", file, header("Content-Type", "text/plain")).is(t, http.StatusCreated)
	in.send("POST", "/api/v1/payment_files?filename=Hemmelsen.txt", file, header("Content-Type", "text/plain")).is(t, http.StatusConflict)
	in.send("POST", "/api/v1/payment_files?filename=Hemmelsen.txt", strings.ReplaceAll(file, kid, "12345"), header("Content-Type", "text/plain")).is(t, http.StatusUnprocessableEntity)
	return kid
}

// fail makes requests that are refused, or that fail inside the server.
func (in *installation) fail(t *testing.T) {
	t.Helper()
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(wrongKey+":"+in.key))
	for _, call := range []struct {
		method, path, body string
		option             option
		status             int
	}{
		{"GET", "/api/v1/customers?search=Hemmelsen", "", header("Authorization", "Bearer "+wrongKey), http.StatusUnauthorized},
		{"GET", "/api/v1/customers", "", header("Authorization", basic), http.StatusUnauthorized},
		{"GET", "/api/v1/customers?id_token=" + secretEmail, "", nil, http.StatusBadRequest},
		{"GET", "/api/v1/customers?page=Hemmelsen", "", nil, http.StatusBadRequest},
		{"GET", "/api/v1/customer/Hemmelsen", "", nil, http.StatusNotFound},
		{"GET", "/Hemmelsen", "", nil, http.StatusNotFound},
		{"HEMMELSEN", "/api/v1/customers", "", nil, http.StatusMethodNotAllowed},
		{"POST", "/api/v1/customers", `<customer>` + secretPerson, nil, http.StatusBadRequest},
		{"POST", "/api/v1/customers", "<Hemmelsen/>", nil, http.StatusUnprocessableEntity},
		{"POST", "/api/v1/customers", `<customer>` + secretPerson + `<customer_number>` + secretNumber + `</customer_number></customer>`, nil, http.StatusConflict},
		{"POST", "/api/v1/customers", `<customer><email>Hemmelsen</email></customer>`, nil, http.StatusUnprocessableEntity},
		{"POST", "/api/v1/customers", `x`, header("Content-Type", "text/Hemmelsen"), http.StatusUnsupportedMediaType},
		{"POST", "/api/v1/invoices", strings.ReplaceAll(secretInvoice, secretAmount, secretText), nil, http.StatusUnprocessableEntity},
		{"POST", "/api/v1/customers", `<customer/>`, header("Idempotency-Key", secretEmail), http.StatusUnprocessableEntity},
		{"POST", "/api/v1/customers", `<customer>` + secretPerson + `</customer>`, header("Idempotency-Key", secretEmail), http.StatusUnprocessableEntity},
		{"GET", "/api/v1/test_clock", "", nil, http.StatusInternalServerError},
		{"GET", "/readyz", "", nil, http.StatusServiceUnavailable},
	} {
		options := []option{}
		if call.option != nil {
			options = append(options, call.option)
		}
		in.send(call.method, call.path, call.body, options...).is(t, call.status)
	}
}

// breakDatabase has the database refuse rows with errors into which MySQL writes values.
func (in *installation) breakDatabase(t *testing.T, all dump) {
	t.Helper()
	run := func(statement string) {
		t.Helper()
		_, err := all.db.ExecContext(t.Context(), statement)
		must(t, err)
	}
	run("DELETE FROM shipments WHERE id > 1")
	run("CREATE UNIQUE INDEX broken ON shipments (recipient_email)")
	in.send("POST", "/api/v1/invoices", secretInvoice).is(t, http.StatusInternalServerError)
	run("DROP TABLE api_keys")
	in.get("/api/v1/customers").is(t, http.StatusInternalServerError)
}

// tellingClock panics with all it knows of a person.
type tellingClock struct{}

func (tellingClock) Now() time.Time {
	panic(models.Customer{Recipient: models.Recipient{Name1: secretName, Email: secretEmail}})
}
func (tellingClock) Advance(context.Context, time.Time) error { return nil }

// tellingQueue panics with all it knows of a document.
type tellingQueue struct{}

func (tellingQueue) DocumentMade(_ context.Context, _ int64, d models.Document) {
	panic(struct {
		models.Document
		Name string
	}{d, secretName})
}
