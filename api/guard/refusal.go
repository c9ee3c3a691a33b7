package guard

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"purr/models"
)

// statuses maps each kind of failure to its HTTP status (rule D6).
var statuses = map[models.Kind]int{
	models.KindInternal:     http.StatusInternalServerError,
	models.KindMalformed:    http.StatusBadRequest,
	models.KindInvalid:      http.StatusUnprocessableEntity,
	models.KindUnauthorized: http.StatusUnauthorized,
	models.KindForbidden:    http.StatusForbidden,
	models.KindNotFound:     http.StatusNotFound,
	models.KindConflict:     http.StatusConflict,
	models.KindTooLarge:     http.StatusRequestEntityTooLarge,
	models.KindMediaType:    http.StatusUnsupportedMediaType,
	models.KindTooMany:      http.StatusTooManyRequests,
	models.KindUnavailable:  http.StatusServiceUnavailable,
	models.KindFull:         http.StatusInsufficientStorage,
}

// StatusOf returns the HTTP status of a kind of failure (rule D6).
func StatusOf(kind models.Kind) int { return statuses[kind] }

// How long a caller should wait if a server that we need is away, and if the disk is nearly full.
const (
	unavailablePause = 5 * time.Second
	fullPause        = 5 * time.Minute
)

// RetryAfter returns how long a refused caller should wait, in seconds as the header Retry-After says it. It is empty if
// the refusal has nothing to do with time.
func RetryAfter(err error) string {
	var wait *waitError
	switch kind := models.KindOf(err); {
	case errors.As(err, &wait):
		return seconds(wait.pause)
	case kind == models.KindUnavailable:
		return seconds(unavailablePause)
	case kind == models.KindFull:
		return seconds(fullPause)
	}
	return ""
}

// waitError is a refusal that says when to try again.
type waitError struct {
	refusal *models.Error
	pause   time.Duration
}

func (e *waitError) Error() string { return e.refusal.Error() }

func (e *waitError) Unwrap() error { return e.refusal }

// TooMany refuses a request until the pause is over.
func TooMany(code, msg string, pause time.Duration) error {
	return &waitError{&models.Error{Kind: models.KindTooMany, Code: code, Msg: msg}, pause}
}

// seconds returns a pause in whole seconds, at least one.
func seconds(pause time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(pause.Seconds()))))
}
