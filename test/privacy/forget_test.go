// Package privacy_test looks for what is left of a customer who was forgotten: in every byte of the data folder, every row of the database,
// Redis, the log, a new backup, and an old one that is restored (rule O14).
package privacy_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"purr/app"
	"purr/app/operator"
	"purr/models"
	"purr/ocr/camt"
	"purr/register/privacy"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/house"
)

var must = testkit.Must

// words are all that anybody has said about the customer.
var words = []string{
	"Zebulon", "Qvistgaard", "Hemmeligveien", "Kjellerleilighet", "BERGENSKOGEN", "zebulon@qvist", "91234567", "Plughtekst", "Fiskebollerogpotet", "Zebref",
	"Betalingsnotat", "Holdegrunn", "Lukkegrunn", "Kreditgrunn", "BANKTEKSTEN", "15068013629", "Stedet Hvor",
}

// town is an installation with one customer, of whom everything is known.
type town struct {
	*house.Installation
	t        *testing.T
	client   *house.Client
	creditor string
	customer string // the path of the customer
	id       int64
	invoice  house.Node
	first    string // the path of the first invoice
}

func build(t *testing.T, setup house.Setup) *town {
	t.Helper()
	w := &town{Installation: house.Start(t, house.Moment("2020-03-02 12:00"), setup.Change), t: t}
	w.creditor = w.NewCreditor(t, "")
	w.client = w.Client(t, w.creditor, models.ScopeAdmin)
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(hook.Close)
	w.client.Post("/webhooks", `<webhook><url>`+hook.URL+`</url><event_types></event_types></webhook>`)
	w.client.Put("/creditor", `<creditor><dunning_policy><enabled>1</enabled></dunning_policy></creditor>`).Is(http.StatusOK)
	made := w.client.Post("/customers", `<customer><name1>Zebulon Qvistgaard</name1><address1>Hemmeligveien 77</address1><postal_code>5099</postal_code>
		<postal_name>BERGENSKOGEN</postal_name><email>zebulon@qvist.example</email><phone>+4791234567</phone><customer_number>7001</customer_number></customer>`,
		house.Header("Idempotency-Key", "customer")).Created()
	w.customer = house.Below(house.PathOf(made.URI()))
	_, err := fmt.Sscanf(w.customer, "/customer/%d", &w.id)
	must(t, err)
	w.client.Put(w.customer, `<customer><address2>Kjellerleilighet</address2></customer>`).Is(http.StatusOK)
	w.issue("EMAIL")
	w.issue("PAPER")
	return w
}

// issue issues an invoice to the customer.
func (w *town) issue(method string) {
	w.t.Helper()
	w.invoice = w.client.Post("/invoices", `<invoice><num_due_days>14</num_due_days><invoice_note>Notat Plughtekst</invoice_note><your_reference>Zebref</your_reference>
		<delivery_place>Stedet Hvor</delivery_place><recipient uri="/api/v1`+w.customer+`"/>
		<lines><line><line_text>Fiskebollerogpotet</line_text><unit_price>1000.00</unit_price><num_items>1</num_items><vat_rate>NONE</vat_rate></line></lines>
		<shipments><shipment type="original"><shipment_method>`+method+`</shipment_method></shipment></shipments></invoice>`, house.Header("Idempotency-Key", "invoice "+method)).Created()
	if w.first == "" {
		w.first = house.Below(house.PathOf(w.invoice.URI()))
	}
}

// live lets the customer be dunned, hold, pay by hand and by the bank, with and without a KID, and be credited.
func (w *town) live() {
	w.t.Helper()
	second := house.Below(house.PathOf(w.invoice.URI()))
	w.client.Put(w.first+"/dunning_hold", `<dunning_hold><comment>Holdegrunn</comment></dunning_hold>`).Is(http.StatusOK)
	w.client.MoveClock(house.Moment("2020-05-20 12:00"))
	w.client.Post(w.customer+"/statement", "").Created()
	w.client.Post(w.first+"/ar_transactions", `<ar_transaction><amount>-100.00</amount><transaction_date>2020-05-20</transaction_date><comment>Betalingsnotat</comment></ar_transaction>`).Created()
	w.client.Post(w.first+"/credit_notes", `<credit_note><comment>Kreditgrunn</comment><shipments><shipment type="original"><shipment_method>EMAIL</shipment_method></shipment></shipments></credit_note>`)
	w.bring(w.client.Get(second).Shown().At("ocr_kid_number"), w.owed(second)-1000, "1")
	w.bring("", 1000, "2")
	if found := w.client.List("/unmatched_payments?status=open"); len(found) == 1 {
		w.client.Post(house.Below(house.PathOf(found[0].URI()))+"/match", `<match><invoice uri="/api/v1`+second+`"/></match>`).Is(http.StatusOK)
	} else {
		w.t.Fatalf("%d payments wait, want one", len(found))
	}
	for _, path := range []string{w.first, second} {
		if owed := w.owed(path); owed < 0 {
			w.client.Post(path+"/ar_transactions", `<ar_transaction><amount>`+house.Kroner(-owed)+`</amount><transaction_date>2020-05-20</transaction_date><comment>Betalingsnotat tilbake</comment></ar_transaction>`).Created()
		} else if owed > 0 {
			w.client.Post(path+"/close", `<close><reason>lost</reason><comment>Lukkegrunn</comment></close>`)
		}
	}
	for _, n := range w.client.List("/credit_notes") {
		path := house.Below(house.PathOf(n.URI()))
		if owed := w.owed(path); owed != 0 {
			w.client.Post(path+"/ar_transactions", `<ar_transaction><amount>`+house.Kroner(-owed)+`</amount><transaction_date>2020-05-20</transaction_date></ar_transaction>`).Created()
		}
	}
}

// owed returns the balance of a document, in øre.
func (w *town) owed(path string) int {
	w.t.Helper()
	return w.client.Get(path).Shown().Only("ar_transactions").Ore("@balance")
}

// bring has the bank bring a file with a payment.
func (w *town) bring(kid string, ore int, id string) {
	w.t.Helper()
	c, err := w.App.DB.Creditor(w.t.Context(), w.creditorID())
	must(w.t, err)
	day, err := models.ParseDate("2020-05-19")
	must(w.t, err)
	var file bytes.Buffer
	f := camt.NewWriter(&file)
	must(w.t, f.StartMessage(camt.MessageHeader{ID: "M" + id, Created: day}))
	must(w.t, f.StartNotification(camt.NotificationHeader{ID: "N" + id, Created: day, Account: c.BankAccount}))
	must(w.t, f.Write(camt.EntryHeader{Reference: "E" + id, BankReference: "B" + id, Status: camt.StatusBooked, Booked: day, Value: day, Direction: camt.Credit, Amount: models.Amount(ore), Currency: "NOK"},
		camt.Payment{Amount: models.Amount(ore), Name: "Zebulon Qvistgaard", KID: kid, Text: "BANKTEKSTEN", DebitAccount: "15068013629", TransactionID: "T" + id}))
	must(w.t, f.Close())
	must(w.t, os.WriteFile(filepath.Join(w.Config.Data, "inbox", "camt-"+id+".xml"), file.Bytes(), 0o600))
	testkit.Eventually(w.t, "the bank's file is imported", func() (bool, any) {
		found := w.client.List("/payment_files")
		return len(found) > 0 && found[len(found)-1].At("filename") == "camt-"+id+".xml" && found[len(found)-1].At("status") == "imported", len(found)
	})
}

func (w *town) creditorID() (id int64) {
	_, err := fmt.Sscan(w.creditor, &id)
	must(w.t, err)
	return id
}

// settled waits until nothing is owed any more since customers were forgotten.
func (w *town) settled() {
	w.t.Helper()
	testkit.Eventually(w.t, "all is removed that is due", func() (bool, any) {
		due, err := w.App.DB.RemovalsDue(w.t.Context(), w.App.DB.Common(), 1)
		must(w.t, err)
		return len(due) == 0, due
	})
}

// found returns the words that a text has, and where.
func found(where string, text []byte) (all []string) {
	for _, word := range words {
		if at := bytes.Index(bytes.ToLower(text), []byte(strings.ToLower(word))); at >= 0 {
			all = append(all, fmt.Sprintf("%s: %q in %.120q", where, word, text[max(at-40, 0):min(at+60, len(text))]))
		}
	}
	return all
}

// inFolder returns the words that the files of a folder have, also those that are compressed.
func inFolder(t *testing.T, folder string) (all []string) {
	t.Helper()
	must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		all = append(all, found(path, append([]byte(filepath.Base(path)+" "), content...))...)
		if bytes.HasPrefix(content, []byte("%PDF")) {
			all = append(all, path+" is a PDF")
		}
		if unzipped, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
			plain, err := io.ReadAll(unzipped)
			must(t, err)
			all = append(all, found(path+" unzipped", plain)...)
		}
		return nil
	}))
	return all
}

// everywhere returns the words that are left anywhere.
func (w *town) everywhere() (all []string) {
	w.t.Helper()
	all = append(inFolder(w.t, w.Config.Data), found("the log", []byte(w.Log.String()))...)
	var rows bytes.Buffer
	must(w.t, w.App.DB.View(w.t.Context(), func(v store.View) error { return v.Dump(w.t.Context(), &rows) }))
	for line := range bytes.Lines(rows.Bytes()) {
		all = append(all, found("a row", line)...)
	}
	if w.Config.RedisURL == "" {
		return all
	}
	options, err := redis.ParseURL(w.Config.RedisURL)
	must(w.t, err)
	queue := redis.NewClient(options)
	defer func() { must(w.t, queue.Close()) }()
	for keys := queue.Scan(w.t.Context(), 0, "*", 1000).Iterator(); keys.Next(w.t.Context()); {
		all = append(all, found("Redis", []byte(keys.Val()))...)
		value, err := queue.Dump(w.t.Context(), keys.Val()).Bytes()
		if err == nil {
			all = append(all, found("Redis", value)...)
		}
	}
	return all
}

// TestO14NoWordIsLeftOfACustomerWhoWasForgotten searches everywhere after a customer was forgotten.
func TestO14NoWordIsLeftOfACustomerWhoWasForgotten(t *testing.T) {
	for _, setup := range house.Setups {
		t.Run(setup.Name, func(t *testing.T) {
			w := build(t, setup)
			w.client.Post(w.customer+"/forget", "").Refused(http.StatusConflict, "documents_open")
			w.live()
			w.client.Post(w.customer+"/forget", "<forget/>").Refused(http.StatusConflict, "bookkeeping")
			before := t.TempDir()
			_, err := app.Backup(t.Context(), w.Config, before, "", slog.New(slog.DiscardHandler), nil)
			must(t, err)
			if len(w.everywhere()) < len(words) || len(inFolder(t, before)) == 0 {
				t.Fatal("the words were nowhere before")
			}
			c, err := w.App.DB.Creditor(t.Context(), w.creditorID())
			must(t, err)
			must(t, w.App.ForgetCustomer(t.Context(), c, w.id, operator.ForgetRequest{Before: w.Today() + 1, Despite: true}))
			shown := w.client.Post(w.customer+"/forget", "").Is(http.StatusOK)
			again := w.client.Post(w.customer+"/forget", "").Is(http.StatusOK)
			if !bytes.Equal(shown.Body, again.Body) || len(found("the answer", shown.Body)) > 0 || !bytes.Contains(shown.Body, []byte("7001")) {
				t.Errorf("the answers are %s and %s", shown.Body, again.Body)
			}
			w.settled()
			for _, left := range w.everywhere() {
				t.Error("left: " + left)
			}
			w.mustStillAnswer()
			events := 0
			for _, e := range w.client.List("/events") {
				if e.At("type") == string(models.EventCustomerForgotten) {
					events++
				}
			}
			if events != 1 {
				t.Errorf("%d events tell that the customer was forgotten, want one", events)
			}
			w.mustNotComeBack(before)
		})
	}
}

// mustStillAnswer asks for all that there is of the customer: each answer is as the schema says, without words. The books still add up.
func (w *town) mustStillAnswer() {
	w.t.Helper()
	for _, path := range []string{
		w.customer, w.customer + "/statement", w.customer + "/invoices", w.customer + "/credit_notes", w.customer + "/ar_transactions", w.customer + "/unmatched_payments", w.customer + "/repayments",
		"/customers", "/invoices", "/credit_notes", "/events", "/shipments", "/payment_files", "/unmatched_payments", "/receivables", "/standing_still", "/search?q=7001", "/free_credit", "/collections", "/overdue_notices",
		"/account_exports", "/statement_lines", "/closings",
	} {
		a := w.client.Get(path)
		if a.Status == http.StatusNotFound && !strings.HasPrefix(path, "/customer/") {
			continue
		}
		for _, left := range found("GET "+path, a.Is(http.StatusOK).Body) {
			w.t.Error(left)
		}
	}
	for _, i := range w.client.List("/invoices") {
		path := house.Below(house.PathOf(i.URI()))
		for _, left := range found("GET "+path, w.client.Get(path).Is(http.StatusOK).Body) {
			w.t.Error(left)
		}
		w.client.Get(path+"/pdf").Refused(http.StatusNotFound, "file_removed")
		for _, n := range w.client.Get(path).Shown().All("overdue_notices/overdue_notice") {
			w.client.Get(house.Below(house.PathOf(n.URI()))).Is(http.StatusOK)
		}
	}
	for _, s := range w.client.List("/shipments") {
		w.client.Get(house.Below(house.PathOf(s.URI()))).Is(http.StatusOK)
	}
	w.client.Put(w.customer, `<customer><name1>Ny</name1></customer>`).Refused(http.StatusConflict, "customer_forgotten")
	w.client.Post("/customers", `<customer><name1>Zebulon Qvistgaard</name1></customer>`, house.Header("Idempotency-Key", "customer"))
	w.client.Post(house.Below(house.PathOf(w.invoice.URI()))+"/credit_notes", `<credit_note><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></credit_note>`,
		house.Header("Idempotency-Key", "later credit note")).Refused(http.StatusConflict, "customer_forgotten")
	w.client.Post("/invoices", `<invoice><num_due_days>14</num_due_days><recipient uri="/api/v1`+w.customer+`"/><lines><line><line_text>Ny</line_text><unit_price>1.00</unit_price><num_items>1</num_items><vat_rate>NONE</vat_rate></line></lines><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></invoice>`,
		house.Header("Idempotency-Key", "later invoice")).Refused(http.StatusConflict, "customer_forgotten")
	exported := w.client.Get(w.customer + "/export").Is(http.StatusOK)
	z, err := zip.NewReader(bytes.NewReader(exported.Body), int64(len(exported.Body)))
	must(w.t, err)
	for _, f := range z.File {
		in, err := f.Open()
		must(w.t, err)
		content, err := io.ReadAll(in)
		must(w.t, err)
		for _, left := range found(f.Name+" of the export", content) {
			w.t.Error(left)
		}
	}
	_, err = w.App.Prove(w.t.Context(), operator.Proof{Deep: true}, func(f operator.Finding) { w.t.Error("the books: " + f.String()) })
	must(w.t, err)
}

// mustNotComeBack restores the backup of before, with and without the list, and makes a new one.
func (w *town) mustNotComeBack(before string) {
	w.t.Helper()
	after, quiet := w.t.TempDir(), slog.New(slog.DiscardHandler)
	_, err := app.Backup(w.t.Context(), w.Config, after, "", quiet, nil)
	must(w.t, err)
	for _, left := range inFolder(w.t, after) {
		w.t.Error("left in a new backup: " + left)
	}
	for _, restored := range []struct {
		name  string
		lists []string
	}{{"with the list of a newer backup", []string{filepath.Join(after, privacy.ListName)}}, {"without a list", nil}} {
		cfg, err := app.DefaultSettings(filepath.Join(w.t.TempDir(), "data"))
		must(w.t, err)
		r, err := app.Restore(w.t.Context(), cfg, before, quiet, nil, restored.lists...)
		must(w.t, err)
		left := inFolder(w.t, cfg.Data)
		if back := len(left) > 0; back != (restored.lists == nil) || r.Doubtful != (restored.lists == nil) || len(r.Differences) > 0 {
			w.t.Errorf("restored %s: %d words are back, doubtful %t, differences %v: %v", restored.name, len(left), r.Doubtful, r.Differences, left[:min(len(left), 5)])
		}
	}
}
