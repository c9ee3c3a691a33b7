package api_test

import (
	"net/http"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestO9HostileBodiesHaveABoundTogether sends many bodies at once that need most memory for their length, and measures
// what is in use meanwhile: without a bound, 1.5 GB.
func TestO9HostileBodiesHaveABoundTogether(t *testing.T) {
	in := onSQLite(t, nil)
	const atOnce, most = 128, 300 << 20 // bytes
	bodies := []string{
		"<invoice>" + strings.Repeat("<a/>", 15_000) + "</invoice>",                                                           // small, all tags
		"<invoice>" + strings.Repeat("<lines><b>"+strings.Repeat("x", 80)+"</b></lines>", 9_000) + "</invoice>",               // large
		`<p:invoice xmlns:p="urn:` + strings.Repeat("n", 40) + `">` + strings.Repeat("<p:l>x</p:l>", 19_000) + "</p:invoice>", // large, with a namespace
	}
	before := heapInUse()
	var clients sync.WaitGroup
	var left atomic.Int64
	left.Store(atOnce)
	statuses := make(chan int, atOnce)
	for range atOnce {
		clients.Go(func() {
			for n := left.Add(-1); n >= 0; n = left.Add(-1) {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, in.http.URL+"/api/v1/invoices", strings.NewReader(bodies[n%3]))
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("Authorization", "Bearer "+in.key)
				request.Header.Set("Content-Type", "application/xml")
				got, err := http.DefaultClient.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				_ = got.Body.Close()
				if got.StatusCode == http.StatusServiceUnavailable && got.Header.Get("Retry-After") == "" {
					t.Error("a refusal does not say when to try again")
				}
				statuses <- got.StatusCode
			}
		})
	}
	ended := make(chan struct{})
	go func() { clients.Wait(); close(ended) }()
	peak := uint64(0)
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-time.After(50 * time.Millisecond): // the collector needs a whole core
		}
		peak = max(peak, heapInUse())
	}
	close(statuses)
	count := map[int]int{}
	for s := range statuses {
		count[s]++
	}
	t.Logf("%d MB at most, answers: %v", (peak-before)>>20, count)
	if peak-before > most {
		t.Errorf("%d hostile bodies at once need %d MB", atOnce, (peak-before)>>20)
	}
	if count[http.StatusUnprocessableEntity]+count[http.StatusServiceUnavailable] != atOnce {
		t.Errorf("the answers are %v", count)
	}
}

// heapInUse returns the bytes that are reachable now.
func heapInUse() uint64 {
	runtime.GC()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
