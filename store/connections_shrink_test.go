package store

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestD119RefusedConnectionsAreTakenAgain: a part takes fewer connections for a while after the server had none left, and not for ever.
func TestD119RefusedConnectionsAreTakenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pools{wanted: PartConnections, most: PartConnections}
		takes := func(want int) {
			t.Helper()
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.most != want {
				t.Errorf("it takes %d connections, want %d", p.most, want)
			}
		}
		p.shrink()
		p.shrink()
		takes(PartConnections - 8)
		for range 100 {
			p.shrink()
		}
		takes(LeastConnections)
		time.Sleep(growAgain)
		synctest.Wait()
		takes(PartConnections)
		p.shrink()
		takes(PartConnections - 4)
		time.Sleep(growAgain)
		synctest.Wait()
		takes(PartConnections)
	})
}
