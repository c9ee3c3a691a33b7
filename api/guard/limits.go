package guard

import (
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"purr/models"
)

// RateLimit is how many requests a key may send (rule D11).
type RateLimit struct {
	PerSecond float64 // requests; zero sets no limit
	Burst     int     // requests at once; zero allows those of one second
}

// RateLimiter applies the limit to each key with a token bucket. It is safe for concurrent use.
type RateLimiter struct {
	limit   RateLimit
	mu      sync.Mutex
	buckets map[int64]*rate.Limiter // by the key's ID
}

// NewRateLimiter returns a limiter whose buckets are full.
func NewRateLimiter(limit RateLimit) *RateLimiter {
	if limit.Burst < 1 {
		limit.Burst = max(1, int(math.Ceil(limit.PerSecond)))
	}
	return &RateLimiter{limit: limit, buckets: map[int64]*rate.Limiter{}}
}

// Take takes a token from the key's bucket and returns zero. If the bucket is empty, it returns how long the key must
// wait.
func (l *RateLimiter) Take(keyID int64, now time.Time) time.Duration {
	if l.limit.PerSecond <= 0 {
		return 0
	}
	l.mu.Lock()
	bucket := l.buckets[keyID]
	if bucket == nil {
		bucket = rate.NewLimiter(rate.Limit(l.limit.PerSecond), l.limit.Burst)
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

// Body returns a request's body, limited to most bytes. It fails if the request declares a longer body, another media
// type, or a compressed body. It accepts a body without a declared type.
func Body(w http.ResponseWriter, r *http.Request, most int64, types ...string) (io.Reader, error) {
	if declared := r.Header.Get("Content-Type"); declared != "" && !isOf(declared, types) {
		return nil, &models.Error{
			Kind: models.KindMediaType, Code: "unsupported_media_type",
			Msg: "the Content-Type must be " + strings.Join(types, " or "),
		}
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, &models.Error{Kind: models.KindMediaType, Code: "unsupported_media_type", Msg: "a Content-Encoding is not taken: send the body as it is"}
	}
	if r.ContentLength > most {
		return nil, BrokenBody(&http.MaxBytesError{Limit: most})
	}
	return http.MaxBytesReader(w, r.Body, most), nil
}

func isOf(declared string, types []string) bool {
	media, _, err := mime.ParseMediaType(declared)
	return (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) && slices.Contains(types, media)
}

// BrokenBody returns the refusal for a body whose reading failed.
func BrokenBody(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &models.Error{Kind: models.KindTooLarge, Code: "too_large", Msg: fmt.Sprintf("the body has more than %d bytes", tooLarge.Limit)}
	}
	return &models.Error{Kind: models.KindMalformed, Code: "body_incomplete", Msg: "the body ended too early", Err: err}
}
