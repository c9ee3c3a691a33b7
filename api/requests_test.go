package api_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/api"
	"purr/models"
	"purr/test/testkit"
)

func TestD4AnswersAreXMLInUTF8(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for _, r := range []reply{in.get("/api/v1/invoices"), in.get("/api/v1/nothing"), in.get("/api/v1/invoices", noKey)} {
		if got := r.header.Get("Content-Type"); got != "application/xml; charset=utf-8" {
			t.Errorf("Content-Type is %q", got)
		}
		if !strings.HasPrefix(r.body, `<?xml version="1.0" encoding="UTF-8"?>`) {
			t.Errorf("no XML declaration: %s", r.body)
		}
	}
}

func TestD4ContentTypesAndEncodings(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	const utf8Body = `<customer><name1>Kåre</name1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></customer>`
	latin1Body := "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + strings.ReplaceAll(utf8Body, "å", "\xe5")
	for _, test := range []struct {
		contentType, body string
		want              int
	}{
		{"application/xml", utf8Body, http.StatusCreated},
		{"application/xml; charset=utf-8", utf8Body, http.StatusCreated},
		{"Application/XML; charset", utf8Body, http.StatusCreated},
		{"text/xml", utf8Body, http.StatusCreated},
		{"", utf8Body, http.StatusCreated},
		{"text/xml", latin1Body, http.StatusCreated},
		{"application/json", utf8Body, http.StatusUnsupportedMediaType},
		{"application/x-www-form-urlencoded", utf8Body, http.StatusUnsupportedMediaType},
		{"/", utf8Body, http.StatusUnsupportedMediaType},
	} {
		r := in.send("POST", "/api/v1/customers", test.body, func(r *http.Request) { r.Header["Content-Type"] = []string{test.contentType} })
		if r.status != test.want {
			t.Errorf("Content-Type %q: answered %d, want %d: %s", test.contentType, r.status, test.want, r.body)
		}
		if name := r.xml(t).at("name1"); r.status == http.StatusCreated && name != "Kåre" {
			t.Errorf("Content-Type %q: the name became %q", test.contentType, name)
		}
	}
}

func TestD4BodyAboveOneMebibyteIsRefused(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	frame := len("<customer><!----></customer>")
	for _, test := range []struct {
		size, want int
	}{{1 << 20, http.StatusUnprocessableEntity}, {1<<20 + 1, http.StatusRequestEntityTooLarge}} {
		body := "<customer><!--" + strings.Repeat("x", test.size-frame) + "--></customer>"
		in.send("POST", "/api/v1/customers", body).is(t, test.want)
	}
}

func TestD5AllFaultsOfABodyAtOnce(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.send("POST", "/api/v1/invoices", `<invoice>
		<invoice_number>7</invoice_number>
		<num_due_days>366</num_due_days>
		<recipient uri="`+in.http.URL+`/api/v1/customer/99"/>
		<lines>
			<line><line_text>A</line_text><unit_price>1</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line>
			<line><line_text></line_text><unit_price>1.00001</unit_price><vat_rate>25</vat_rate><discount_percent>101</discount_percent></line>
		</lines>
		<shipments>
			<shipment type="copy"><shipment_method>PAPER</shipment_method><recipient><email>nobody</email></recipient></shipment>
			<shipment type="original"><shipment_method>FAX</shipment_method></shipment>
			<shipment><shipment_method>EMAIL</shipment_method></shipment>
		</shipments></invoice>`).refused(t, http.StatusUnprocessableEntity,
		"required@lines/line[2]/num_items",
		"invalid_number@lines/line[2]/unit_price",
		"invalid_shipment_method@shipments/shipment[1]/shipment_method",
		"invalid_email@shipments/shipment[1]/recipient/email",
		"invalid_shipment_method@shipments/shipment[2]/shipment_method",
		"invalid_shipment_type@shipments/shipment[3]",
		"out_of_range@num_due_days",
		"required@lines/line[2]/line_text",
		"invalid_vat_rate@lines/line[2]/vat_rate",
		"out_of_range@lines/line[2]/discount_percent",
		"differs@invoice_number",
		"not_found@recipient",
	)
}

func TestD6UnknownPathsAndResources(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for _, path := range []string{
		"/api/v1/nothing", "/api/v1", "/api/v1/invoice", "/api/v1/invoice/1", "/api/v1/invoice/0", "/api/v1/invoice/-1", "/api/v1/invoice/x",
		"/api/v1/invoice/01", "/api/v1/invoice/99999999999999999999", "/api/v1/invoice/1/nothing", "/api/v1/invoice/1/", "/api/v1//invoices",
		"/api/v1/customer/1/invoices", "/api/v1/test_clock", "/nothing", "/", "/metrics",
	} {
		in.get(path).refused(t, http.StatusNotFound, "not_found")
	}
	in.send("POST", "/api/v1/test_clock", "<test_clock/>").refused(t, http.StatusNotFound, "not_found")
}

func TestD6MethodsThatAPathDoesNotHave(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	invoice := strings.TrimPrefix(in.invoice("14"), in.http.URL)
	for _, test := range []struct{ method, path, allow string }{
		{"PUT", invoice, "GET"},
		{"DELETE", invoice, "GET"},
		{"PUT", "/api/v1/credit_note/1", "GET"},
		{"DELETE", "/api/v1/credit_note/1", "GET"},
		{"PUT", "/api/v1/overdue_notice/1", "GET"},
		{"DELETE", "/api/v1/overdue_notice/1", "GET"},
		{"PUT", "/api/v1/ar_transaction/1", "DELETE, GET"},
		{"DELETE", "/api/v1/invoices", "GET, POST"},
		{"PATCH", "/api/v1/customer/1", "DELETE, GET, PUT"},
		{"GET", "/api/v1/invoice/1/credit_notes", "POST"},
		{"POST", "/healthz", "GET"},
	} {
		r := in.send(test.method, test.path, "<x/>")
		r.refused(t, http.StatusMethodNotAllowed, "method_not_allowed")
		if got := r.header.Get("Allow"); got != test.allow {
			t.Errorf("%s %s: Allow is %q, want %q", test.method, test.path, got, test.allow)
		}
	}
}

func TestD6FaultOfOursShowsNothingOfItself(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.TestClock = brokenClock{} }).admin()
	r := in.get("/api/v1/test_clock")
	r.refused(t, http.StatusInternalServerError, "internal")
	if id := r.header.Get("X-Request-Id"); !strings.Contains(r.body, id) || strings.Contains(r.body, "secret") {
		t.Errorf("the answer to request %s is %s", id, r.body)
	}
	if !strings.Contains(in.logged.String(), "secret cause") {
		t.Error("the cause is not in the log")
	}
}

type brokenClock struct{}

func (brokenClock) Now() time.Time                           { panic("secret cause") }
func (brokenClock) Advance(context.Context, time.Time) error { return nil }

func TestQueueThatFailsFailsNoRequest(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.Queue = brokenQueue{} })
	in.invoice("14")
	must(t, in.server.Close())
	if !strings.Contains(in.logged.String(), "telling the queue of a document failed") {
		t.Error("the log does not say so")
	}
}

type brokenQueue struct{}

func (brokenQueue) DocumentMade(context.Context, int64, models.Document) { panic("out of order") }

func TestD6DatabaseAway(t *testing.T) {
	t.Parallel()
	wire := cutWire(t, testkit.MySQL(t))
	in := install(t, wire.url, nil)
	in.get("/api/v1/invoices").is(t, http.StatusOK)
	wire.cut()
	r := in.get("/api/v1/invoices")
	r.refused(t, http.StatusServiceUnavailable, "unavailable")
	if r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func TestD7CreationAnswersWithLocationAndDetail(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		customer := in.customer()
		bodies := [][2]string{
			{"/api/v1/customers", `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`},
			{"/api/v1/invoices", invoiceBody(customer, "0")},
			{"/api/v1/invoice/1/ar_transactions", `<ar_transaction><amount>-1</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`},
			{"/api/v1/invoice/1/overdue_notices", `<overdue_notice/>`},
			{"/api/v1/invoice/1/credit_notes", creditBody},
			{"/api/v1/credit_note/1/ar_transactions", `<ar_transaction><amount>1</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`},
		}
		for i, b := range bodies {
			if i == 3 {
				in.pass(20)
			}
			r := in.send("POST", b[0], b[1])
			r.is(t, http.StatusCreated)
			location := r.header.Get("Location")
			if got := r.xml(t).at("@uri"); got != location || location == "" {
				t.Errorf("%s: Location is %q, the detail's uri %q", b[0], location, got)
			}
			if detail := in.get(location); detail.body != r.body {
				t.Errorf("%s: answered\n%s\nbut the detail is\n%s", b[0], r.body, detail.body)
			}
		}
	})
}

func TestD8CollectionsHaveATrailingSlashOrNot(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.invoice("14")
	for _, path := range []string{
		"invoices", "credit_notes", "overdue_notices", "customers", "ar_transactions", "customer/1/invoices", "customer/1/credit_notes",
		"customer/1/ar_transactions", "payment_files", "unmatched_payments", "events",
	} {
		plain, slashed := in.get("/api/v1/"+path), in.get("/api/v1/"+path+"/")
		plain.is(t, http.StatusOK)
		if slashed.status != http.StatusOK || slashed.body != plain.body {
			t.Errorf("%s/ answered %d %s", path, slashed.status, slashed.body)
		}
	}
	in.make("/api/v1/invoices/", invoiceBody(in.customer(), "14"))
}

func TestD8URIsBeginWithTheBaseURL(t *testing.T) {
	t.Parallel()
	onSQLite(t, func(c *api.Config) { c.BaseURL = "https://faktura.example.no/purr/" }).checkBase("https://faktura.example.no/purr/api/v1/customer/")
	in := onSQLite(t, nil)
	in.checkBase(in.http.URL + "/api/v1/customer/")
	r := in.get("/api/v1/customer/1", func(r *http.Request) { r.Host = "purr.example.no" })
	if got := r.xml(t).at("@uri"); got != "http://purr.example.no/api/v1/customer/1" {
		t.Errorf("uri is %q", got)
	}
}

func (in *installation) checkBase(want string) {
	in.t.Helper()
	r := in.send("POST", "/api/v1/customers", `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`)
	r.is(in.t, http.StatusCreated)
	for _, uri := range []string{r.header.Get("Location"), r.xml(in.t).at("@uri")} {
		if !strings.HasPrefix(uri, want) {
			in.t.Errorf("uri is %q, want one that begins with %q", uri, want)
		}
	}
	for _, uri := range []string{r.header.Get("Location"), in.http.URL + "/api/v1/customer/1", "/api/v1/customer/1", "https://elsewhere.example/api/v1/customer/1"} {
		in.make("/api/v1/invoices", invoiceBody(uri, "14"))
	}
	for _, uri := range []string{"https://elsewhere.example/api/v1/customer/99", "customer/1", "/api/v1/customer/1/", "/api/v1/invoice/1", ""} {
		in.send("POST", "/api/v1/invoices", invoiceBody(uri, "14")).refused(in.t, http.StatusNotFound, "not_found@recipient")
	}
}

func TestD12RequestID(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for _, test := range []struct {
		given string
		kept  bool
	}{
		{"abc-123 ~", true},
		{strings.Repeat("x", 128), true},
		{strings.Repeat("x", 129), false},
		{"", false},
		{"tab\tbed", false},
		{"æ", false},
	} {
		got := in.get("/api/v1/invoices", header("X-Request-Id", test.given)).header.Get("X-Request-Id")
		if (got == test.given) != test.kept || got == "" {
			t.Errorf("X-Request-Id %q was answered with %q", test.given, got)
		}
	}
	for _, r := range []reply{in.get("/healthz", noKey), in.get("/nothing"), in.get("/api/v1/invoices", noKey)} {
		if r.header.Get("X-Request-Id") == "" {
			t.Errorf("answer %d without X-Request-Id", r.status)
		}
	}
}

func TestHeadIsAnsweredAsGetWithoutBody(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	r := in.send("HEAD", "/api/v1/invoices", "")
	r.is(t, http.StatusOK)
	if r.body != "" || r.header.Get("Content-Length") == "0" {
		t.Errorf("HEAD answered %q with Content-Length %s", r.body, r.header.Get("Content-Length"))
	}
}

func TestBodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(in.http.URL, "http://"))
	must(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+in.key+"\r\nContent-Length: 100\r\n\r\n<customer>")
	must(t, err)
	half, is := conn.(*net.TCPConn)
	if !is {
		t.Fatal("not a TCP connection")
	}
	must(t, half.CloseWrite())
	answered, err := io.ReadAll(conn)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(answered), "HTTP/1.1 400 ") || !strings.Contains(string(answered), "body_incomplete") {
		t.Errorf("answered %s", answered)
	}
}

// wire carries connections to a MySQL server until it is cut.
type wire struct {
	url      string
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
}

func cutWire(t *testing.T, databaseURL string) *wire {
	t.Helper()
	u, err := url.Parse(databaseURL)
	must(t, err)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	w := &wire{listener: listener}
	server := u.Host
	u.Host = listener.Addr().String()
	w.url = u.String()
	go w.carry(server)
	t.Cleanup(w.cut)
	return w
}

func (w *wire) carry(server string) {
	for {
		from, err := w.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", server)
		if err != nil {
			from.Close()
			continue
		}
		w.mu.Lock()
		w.open = append(w.open, from, to)
		w.mu.Unlock()
		go io.Copy(from, to)
		go io.Copy(to, from)
	}
}

func (w *wire) cut() {
	w.listener.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		c.Close()
	}
	w.open = nil
}
