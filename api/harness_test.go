package api_test

import (
	"context"
	"encoding/xml"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/api"
	"purr/documents"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/law"
	"purr/ledger/accounts"
	"purr/models"
	"purr/ocr"
	"purr/register"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/validate"
)

// start is when the tests' clocks begin: a Monday, noon in Oslo.
var start = time.Date(2026, time.March, 2, 11, 0, 0, 0, time.UTC)

// installation is a server with a database of its own and one creditor.
type installation struct {
	t        *testing.T
	db       *store.DB
	clock    *clock.Test
	wall     *clock.Test
	queue    *hints
	importer *ocr.Importer
	archive  *archive.Archive
	server   *api.Server
	http     *httptest.Server
	creditor models.Creditor
	logged   *lockedBuffer
	key      string // of scope write
}

// eachDatabase runs the test with an installation on each database.
func eachDatabase(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) { test(t, install(t, databaseURL, nil)) })
}

// onSQLite runs the test with an installation on SQLite, where the database makes no difference.
func onSQLite(t *testing.T, configure func(*api.Config)) *installation {
	t.Helper()
	return install(t, testkit.SQLite(t), configure)
}

func install(t *testing.T, databaseURL string, configure func(*api.Config)) *installation {
	t.Helper()
	in := &installation{t: t, clock: clock.NewTest(start), wall: clock.NewTest(start), queue: &hints{}, logged: &lockedBuffer{}}
	db := rows.OpenWith(t, databaseURL, in.clock)
	in.db = db
	kept, err := archive.Open(t.TempDir())
	must(t, err)
	in.archive = kept
	log := slog.New(slog.NewTextHandler(in.logged, nil))
	in.importer = ocr.NewImporter(db, kept, log)
	made := documents.New(db, kept)
	cfg := api.Config{
		DB: db, Documents: made, Collection: collection.New(db, made, kept, law.Default()), Accounts: accounts.New(db, kept, "v1.2.3"), Importer: in.importer, Queue: in.queue, Clock: in.clock, Wall: in.wall, Log: log, PublicWebhooks: true,
	}
	if configure != nil {
		configure(&cfg)
	}
	in.server = api.New(cfg)
	in.http = httptest.NewUnstartedServer(nil)
	in.http.Config = in.server.HTTP()
	in.http.Start()
	in.http.Client().Transport = validate.Transport(t, in.http.Client().Transport)
	t.Cleanup(func() {
		in.http.Close()
		must(t, in.server.Close())
	})
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server's log:\n%s", in.logged)
		}
	})
	in.creditor = in.newCreditor("Kaffe & Kake AS")
	in.key = in.newKey(in.creditor, models.ScopeWrite)
	return in
}

func (in *installation) newCreditor(name string) models.Creditor {
	in.t.Helper()
	c := models.NewCreditor(name)
	in.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateCreditor(ctx, &c) })
	return c
}

// account sets the creditor's bank account, as the operator does (rule D101).
func (in *installation) account(number string) {
	in.t.Helper()
	in.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := register.SetCreditor(ctx, tx, in.creditor.ID, 0, "the operator", func(c *models.Creditor) error { c.BankAccount = number; return nil })
		return err
	})
}

func (in *installation) newKey(c models.Creditor, scope models.Scope) string {
	in.t.Helper()
	secret := "key-" + string(scope) + "-" + c.Name
	key := models.Key{CreditorID: c.ID, Name: string(scope), Scope: scope, Hash: models.HashKey(secret)}
	in.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateKey(ctx, &key) })
	return secret
}

// admin has the installation's requests made with an admin key.
func (in *installation) admin() *installation {
	in.t.Helper()
	as := *in
	as.key = in.newKey(in.creditor, models.ScopeAdmin)
	return &as
}

// another is the same server seen with the key of another creditor.
func (in *installation) another(name string) *installation {
	in.t.Helper()
	as := *in
	as.creditor = in.newCreditor(name)
	as.key = in.newKey(as.creditor, models.ScopeWrite)
	return &as
}

func (in *installation) write(do func(ctx context.Context, tx *store.Tx) error) {
	in.t.Helper()
	ctx := in.t.Context()
	must(in.t, in.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return do(ctx, tx) }))
}

// pass lets days go by.
func (in *installation) pass(days int) {
	rows.Send(in.t, in.db, in.creditor)
	in.clock.Set(in.clock.Now().AddDate(0, 0, days))
	in.wall.Set(in.clock.Now())
}

// reply is what the server answered.
type reply struct {
	status int
	header http.Header
	body   string
}

// option changes a request before it is sent.
type option func(*http.Request)

func header(name, value string) option {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func noKey(r *http.Request) { r.Header.Del("Authorization") }

// send makes a request with the installation's key. A body is sent as XML.
func (in *installation) send(method, path, body string, options ...option) reply {
	in.t.Helper()
	url := path
	if strings.HasPrefix(path, "/") {
		url = in.http.URL + path
	}
	r, err := http.NewRequestWithContext(in.t.Context(), method, url, strings.NewReader(body))
	must(in.t, err)
	r.Header.Set("Authorization", "Bearer "+in.key)
	if body != "" {
		r.Header.Set("Content-Type", "application/xml")
	}
	for _, o := range options {
		o(r)
	}
	answered, err := in.http.Client().Do(r)
	must(in.t, err)
	defer answered.Body.Close()
	data, err := io.ReadAll(answered.Body)
	must(in.t, err)
	return reply{answered.StatusCode, answered.Header, string(data)}
}

func (in *installation) get(path string, options ...option) reply {
	in.t.Helper()
	return in.send(http.MethodGet, path, "", options...)
}

// make posts a resource that must be created, and returns its URI.
func (in *installation) make(path, body string, options ...option) string {
	in.t.Helper()
	r := in.send(http.MethodPost, path, body, options...)
	r.is(in.t, http.StatusCreated)
	return r.header.Get("Location")
}

// customer makes a customer and returns its URI.
func (in *installation) customer() string {
	in.t.Helper()
	return in.make("/api/v1/customers", `<customer><name1>Kari Nordmann</name1><address1>Storgata 1</address1>`+
		`<postal_code>0155</postal_code><postal_name>Oslo</postal_name><email>kari@example.no</email></customer>`)
}

// invoice sends an invoice of 1000 kroner and 250 VAT, due after the days, and returns its URI.
func (in *installation) invoice(days string) string {
	in.t.Helper()
	return in.make("/api/v1/invoices", invoiceBody(in.customer(), days))
}

func invoiceBody(customerURI, days string) string {
	return `<invoice><num_due_days>` + days + `</num_due_days><recipient uri="` + customerURI + `"/><lines><line><line_text>Kaffe</line_text>` +
		`<unit_price>500</unit_price><num_items>2</num_items><vat_rate>HIGH</vat_rate></line></lines>` +
		`<shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></invoice>`
}

const creditBody = `<credit_note><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></credit_note>`

// is fails the test unless the answer has the status.
func (r reply) is(t *testing.T, status int) {
	t.Helper()
	if r.status != status {
		t.Fatalf("answered %d, want %d: %s", r.status, status, r.body)
	}
}

// fault is an error as a client reads it.
type fault struct {
	Code  string `xml:"code,attr"`
	Field string `xml:"field,attr"`
	Text  string `xml:",chardata"`
}

// refused fails the test unless the answer has the status and exactly the faults, each code or code@field.
func (r reply) refused(t *testing.T, status int, want ...string) {
	t.Helper()
	r.is(t, status)
	var doc struct {
		XMLName xml.Name `xml:"errors"`
		Errors  []fault  `xml:"error"`
	}
	if err := xml.Unmarshal([]byte(r.body), &doc); err != nil {
		t.Fatalf("the errors are not XML of rule D5: %v: %s", err, r.body)
	}
	var got []string
	for _, f := range doc.Errors {
		name := f.Code
		if f.Field != "" {
			name += "@" + f.Field
		}
		got = append(got, name)
		if f.Text == "" {
			t.Errorf("%s has no text", name)
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("refused with\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// node is any element of an answer.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []node     `xml:",any"`
}

func (r reply) xml(t *testing.T) node {
	t.Helper()
	var n node
	if err := xml.Unmarshal([]byte(r.body), &n); err != nil {
		t.Fatalf("the answer is not XML: %v: %s", err, r.body)
	}
	return n
}

// at returns the text of the first element at the path below, or its attribute where the path ends in
// @name; "-" where it is absent.
func (n node) at(path string) string {
	name, rest, more := strings.Cut(path, "/")
	if attr, is := strings.CutPrefix(name, "@"); is {
		for _, a := range n.Attrs {
			if a.Name.Local == attr {
				return a.Value
			}
		}
		return "-"
	}
	for _, c := range n.Children {
		if c.XMLName.Local != name {
			continue
		}
		if !more {
			return c.Text
		}
		return c.at(rest)
	}
	return "-"
}

// find returns the elements of the name right below.
func (n node) find(name string) []node {
	var found []node
	for _, c := range n.Children {
		if c.XMLName.Local == name {
			found = append(found, c)
		}
	}
	return found
}

// hints is a queue that remembers what it was told.
type hints struct {
	mu   sync.Mutex
	made []models.Document
}

func (h *hints) DocumentMade(_ context.Context, _ int64, d models.Document) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made = append(h.made, d)
}

func (h *hints) all() []models.Document {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]models.Document(nil), h.made...)
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }
