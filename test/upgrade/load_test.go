//go:build upgrade

package upgrade_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const invoice = `<invoice><num_due_days>14</num_due_days><recipient><name1>Kari Nordmann</name1><address1>Storgata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></recipient>
<lines><line><line_text>%s</line_text><unit_price>1000.00</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line></lines>
<shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></invoice>`

// load issues invoices through all APIs until it is stopped.
type load struct {
	t    *testing.T
	key  string
	http *http.Client

	stop    chan struct{}
	writers sync.WaitGroup

	mu           sync.Mutex
	apis         []string          // addresses
	acknowledged map[string]string // numbers by path
	took         []time.Duration   // the answered POSTs since mark
	statuses     map[int]int
}

func startLoad(t *testing.T, key string, writers int, apis ...string) *load {
	l := &load{t: t, key: key, http: &http.Client{Timeout: 30 * time.Second}, stop: make(chan struct{}), apis: apis, acknowledged: map[string]string{}, statuses: map[int]int{}}
	for w := range writers {
		l.writers.Go(func() { l.write(w) })
	}
	return l
}

// write issues one invoice after the other. What one API does not do is asked of the next, with the same Idempotency-Key.
func (l *load) write(writer int) {
	for n := 0; ; n++ {
		key := fmt.Sprintf("%d-%d", writer, n)
		for try := writer; ; try++ {
			select {
			case <-l.stop:
				return
			default:
			}
			if l.issue(try, key, fmt.Sprintf(invoice, key)) {
				break
			}
			time.Sleep(50 * time.Millisecond) // as a client does
		}
	}
}

// issue reports false if the request must be made again.
func (l *load) issue(try int, key, body string) bool {
	l.mu.Lock()
	api := l.apis[try%len(l.apis)]
	l.mu.Unlock()
	status, header, answer := l.post(api, key, body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statuses[status]++
	switch status {
	case http.StatusCreated:
		var made struct {
			Number string `xml:"invoice_number"`
		}
		if err := xml.Unmarshal([]byte(answer), &made); err != nil {
			l.t.Errorf("%v in %s", err, answer)
		}
		_, path, _ := strings.Cut(header.Get("Location"), "/api/")
		l.acknowledged[path] = made.Number
		return true
	case http.StatusServiceUnavailable:
		if header.Get("Retry-After") == "" {
			l.t.Errorf("503 without Retry-After: %s", answer)
		}
	case 0, http.StatusConflict: // the part ended, or the first request still runs
	default:
		l.t.Errorf("answered %d: %s", status, answer)
	}
	return false
}

// post makes a request, and returns status 0 if there was no answer.
func (l *load) post(api, key, body string) (status int, header http.Header, answer string) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, api+"/api/v1/invoices/", strings.NewReader(body))
	if err != nil {
		l.t.Error(err)
		return 0, nil, ""
	}
	r.Header.Set("Authorization", "Bearer "+l.key)
	r.Header.Set("Content-Type", "application/xml")
	r.Header.Set("Idempotency-Key", key)
	began := time.Now()
	got, err := l.http.Do(r)
	if err != nil {
		return 0, nil, ""
	}
	defer func() { _ = got.Body.Close() }()
	read, err := io.ReadAll(got.Body)
	if err != nil {
		return 0, nil, ""
	}
	l.mu.Lock()
	l.took = append(l.took, time.Since(began))
	l.mu.Unlock()
	return got.StatusCode, got.Header, string(read)
}

// use has all requests from now on go to the APIs.
func (l *load) use(apis ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.apis = apis
}

// mark begins to measure anew.
func (l *load) mark() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.took = nil
}

// p99 returns how long the slowest but one in a hundred took since mark, and of how many.
func (l *load) p99() (time.Duration, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.took) == 0 {
		return 0, 0
	}
	took := slices.Sorted(slices.Values(l.took))
	return took[len(took)*99/100], len(took)
}

func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acknowledged)
}

func (l *load) finish() {
	close(l.stop)
	l.writers.Wait()
}
