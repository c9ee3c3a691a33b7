package api

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// RateLimit is the token bucket that each key has (rule D11).
type RateLimit struct {
	PerSecond float64 // requests; zero is no limit
	Burst     int     // requests that may come at once; zero is those of one second
}

// limits holds the buckets of the keys that were used.
type limits struct {
	of      RateLimit
	mu      sync.Mutex
	buckets map[int64]*rate.Limiter // by key
}

func newLimits(of RateLimit) *limits {
	if of.Burst < 1 {
		of.Burst = max(1, int(math.Ceil(of.PerSecond)))
	}
	return &limits{of: of, buckets: map[int64]*rate.Limiter{}}
}

// take takes a token of the key's bucket and returns zero, or, where there is none, how long it takes
// until there is.
func (l *limits) take(keyID int64, now time.Time) time.Duration {
	if l.of.PerSecond <= 0 {
		return 0
	}
	l.mu.Lock()
	bucket := l.buckets[keyID]
	if bucket == nil {
		bucket = rate.NewLimiter(rate.Limit(l.of.PerSecond), l.of.Burst)
		l.buckets[keyID] = bucket
	}
	l.mu.Unlock()
	r := bucket.ReserveN(now, 1)
	pause := r.DelayFrom(now)
	if pause > 0 {
		r.CancelAt(now)
	}
	return pause
}
