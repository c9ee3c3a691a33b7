//go:build cluster

package cluster_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load issues invoices through all APIs until it is stopped.
type load struct {
	t    *testing.T
	apis []string // addresses
	key  string
	http *http.Client

	stop    chan struct{}
	writers sync.WaitGroup
	answers [600]atomic.Int64 // by status; 0 for none

	mu           sync.Mutex
	acknowledged map[string]string // numbers by path
	slowest      time.Duration     // of the answered requests
}

// startLoad starts so many writers for each API. The name is the beginning of their Idempotency-Keys.
func startLoad(t *testing.T, name string, apis []string, key string, writersOfEach int) *load {
	l := &load{
		t: t, apis: apis, key: key, http: &http.Client{Timeout: 30 * time.Second}, stop: make(chan struct{}), acknowledged: map[string]string{},
	}
	for i := range apis {
		for w := range writersOfEach {
			l.writers.Go(func() { l.write(i, fmt.Sprintf("%s-%d-%d", name, i, w)) })
		}
	}
	return l
}

// write issues one invoice after the other. What one API does not do is asked of the next, with the same Idempotency-Key.
func (l *load) write(api int, name string) {
	for n := 0; ; n++ {
		select {
		case <-l.stop:
			return
		default:
		}
		body := fmt.Sprintf(invoice, name, n)
		for try := 0; ; try++ {
			at := (api + try) % len(l.apis)
			path, number, ok := l.issue(at, fmt.Sprintf("%s-%d", name, n), body)
			if !ok {
				time.Sleep(100 * time.Millisecond) // as the client of a service does
				continue
			}
			l.mu.Lock()
			l.acknowledged[path] = number
			l.mu.Unlock()
			other := (at + 1) % len(l.apis)
			if status, _, _ := l.ask(http.MethodGet, other, path, "", ""); status == http.StatusNotFound {
				l.t.Errorf("API %d answered 201 for %s, and then API %d 404", at, path, other)
			}
			break
		}
	}
}

// issue reports false if the request must be made again.
func (l *load) issue(api int, idempotencyKey, body string) (path, number string, ok bool) {
	status, location, answer := l.ask(http.MethodPost, api, "/api/v1/invoices/", idempotencyKey, body)
	switch status {
	case http.StatusCreated:
		var made struct {
			Number string `xml:"invoice_number"`
		}
		if err := xml.Unmarshal([]byte(answer), &made); err != nil {
			l.t.Errorf("%v in %s", err, answer)
		}
		_, path, _ := strings.Cut(location, "/api/")
		return "/api/" + path, made.Number, true
	case 0, http.StatusServiceUnavailable, http.StatusConflict: // away, or the first request still runs
	default:
		l.t.Errorf("API %d answered %d: %s", api, status, answer)
	}
	return "", "", false
}

// ask makes a request, and returns status 0 if there was no answer.
func (l *load) ask(method string, api int, path, idempotencyKey, body string) (status int, location, answer string) {
	r, err := http.NewRequestWithContext(context.Background(), method, l.apis[api]+path, strings.NewReader(body))
	if err != nil {
		l.t.Error(err)
		return 0, "", ""
	}
	r.Header.Set("Authorization", "Bearer "+l.key)
	if body != "" {
		r.Header.Set("Content-Type", "application/xml")
		r.Header.Set("Idempotency-Key", idempotencyKey)
	}
	began := time.Now()
	got, err := l.http.Do(r)
	if err != nil {
		l.answers[0].Add(1)
		return 0, "", ""
	}
	defer got.Body.Close()
	read, err := io.ReadAll(got.Body)
	if err != nil {
		l.answers[0].Add(1)
		return 0, "", ""
	}
	l.mu.Lock()
	l.slowest = max(l.slowest, time.Since(began))
	l.mu.Unlock()
	l.answers[got.StatusCode].Add(1)
	return got.StatusCode, got.Header.Get("Location"), string(read)
}

// finish stops the writers. Each gets its last invoice acknowledged.
func (l *load) finish() {
	close(l.stop)
	l.writers.Wait()
}

// count returns how many invoices are acknowledged.
func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acknowledged)
}

const invoice = `<invoice><num_due_days>14</num_due_days><recipient><name1>Kari %s</name1><address1>Gata %d</address1><postal_code>0155</postal_code>` +
	`<postal_name>Oslo</postal_name><email>kari@example.no</email></recipient>` +
	`<lines><line><line_text>Kaffe</line_text><unit_price>100</unit_price><num_items>2</num_items><vat_rate>NONE</vat_rate></line></lines>` +
	`<shipments><shipment type="original"><shipment_method>EMAIL</shipment_method></shipment></shipments></invoice>`
