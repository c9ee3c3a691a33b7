package e2e_test

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"purr/test/testkit"
	"purr/test/testkit/house"
)

// traceCollector takes traces as a collector of OpenTelemetry does.
type traceCollector struct {
	*httptest.Server
	mu  sync.Mutex
	all []*spans.Span
	raw strings.Builder // all that came, as text
}

func startTraceCollector(t *testing.T) *traceCollector {
	t.Helper()
	c := &traceCollector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var told collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &told)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			http.Error(w, fmt.Sprint(err), http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		fmt.Fprintln(&c.raw, &told)
		for _, of := range told.GetResourceSpans() {
			for _, scope := range of.GetScopeSpans() {
				c.all = append(c.all, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// of returns the spans of a trace, "KIND name" each.
func (c *traceCollector) of(trace string) (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.all {
		if hex.EncodeToString(s.GetTraceId()) == trace {
			names = append(names, strings.TrimPrefix(s.GetKind().String(), "SPAN_KIND_")+" "+s.GetName())
		}
	}
	return names
}

func (c *traceCollector) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.raw.String()
}

// TestK7ARequestIsOneTraceToTheChannel lets an API and a worker, two processes, tell a collector what they do: an invoice that a caller's
// trace asks for is told from the request to its e-mail and its letter, under the caller's trace. No word of a person and no amount is told.
// A collector that is away holds nothing up.
func TestK7ARequestIsOneTraceToTheChannel(t *testing.T) {
	t.Parallel()
	c := startTraceCollector(t)
	where := []string{
		"PURR_DATA=" + t.TempDir(), "PURR_DATABASE_URL=" + testkit.MySQL(t), "PURR_REDIS_URL=" + testkit.Redis(t),
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL, "OTEL_BSP_SCHEDULE_DELAY=50", "OTEL_SERVICE_NAME=fjord",
	}
	ok(t, where, "migrate")
	ok(t, where, "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account, "--email", "post@fjord-ror.example")
	key := ok(t, where, "keys", "create", "--creditor", "Fjord Rør AS")
	server := begin(t, where, "api", "--listen", "127.0.0.1:0")
	begin(t, where, "worker")
	begin(t, where, "scheduler")
	api := newClient(t, server.listening, key[:len(key)-1])
	kari := api.customer(t, "Kari Nordmann")
	for method, trace := range map[string]string{"EMAIL": "4bf92f3577b34da6a3ce929d0e0e4736", "PAPER": "0af7651916cd43dd8448eb211c80319c"} {
		body := invoiceOf{customer: kari, days: 14, net: "4711.00", method: method}.xml()
		api.Post("/api/v1/invoices", body, house.Header("traceparent", "00-"+trace+"-00f067aa0ba902b7-01")).Is(http.StatusCreated)
		want := []string{"SERVER POST /api/v1/invoices/", "INTERNAL transaction", "CONSUMER ship", "CLIENT hand over " + method}
		eventually(t, "the "+method+" is one trace", func() (bool, any) {
			told := c.of(trace)
			missing := slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(told, w) })
			return !missing, told
		})
	}
	if !strings.Contains(c.text(), "fjord") {
		t.Error("the service has not the name that the variable gives it")
	}
	for _, word := range []string{"Kari", "Nordmann", "Rør", "Storgata", "4711.00", "5888.75", "example.no"} {
		if strings.Contains(c.text(), word) {
			t.Errorf("the collector hears %q", word)
		}
	}

	c.CloseClientConnections()
	c.Close()
	begun := time.Now()
	second := api.invoice(t, invoiceOf{customer: kari, days: 14, net: "1000.00", method: "EMAIL"})
	eventually(t, "an e-mail leaves without the collector", func() (bool, any) {
		sent := texts(api.Get(second.At("@uri")).Shown().All("shipments/shipment"), "sent_at")
		return len(sent) == 1 && sent[0] != "", sent
	})
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("without the collector an invoice and its e-mail take %s", took)
	}
	equal(t, "exit code of the API", server.terminate(), 0)
}
