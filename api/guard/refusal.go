package guard

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"purr/models"
)

// statuses maps each kind of failure to its HTTP status (rule D6).
var statuses = map[models.Kind]int{
	models.KindInternal:      http.StatusInternalServerError,
	models.KindMalformed:     http.StatusBadRequest,
	models.KindInvalid:       http.StatusUnprocessableEntity,
	models.KindUnauthorized:  http.StatusUnauthorized,
	models.KindForbidden:     http.StatusForbidden,
	models.KindNotFound:      http.StatusNotFound,
	models.KindConflict:      http.StatusConflict,
	models.KindTooLarge:      http.StatusRequestEntityTooLarge,
	models.KindNotAcceptable: http.StatusNotAcceptable,
	models.KindMediaType:     http.StatusUnsupportedMediaType,
	models.KindTooMany:       http.StatusTooManyRequests,
	models.KindUnavailable:   http.StatusServiceUnavailable,
	models.KindFull:          http.StatusInsufficientStorage,
}

// StatusOf returns the HTTP status of a kind of failure (rule D6).
func StatusOf(kind models.Kind) int { return statuses[kind] }

// DiskFull returns the error as models.KindUnavailable if a file could not be written because its disk is full, or has
// become read-only (rule O7). Any other error, and one that has a kind already, it returns as it is.
func DiskFull(err error) error {
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS)
	if full && models.KindOf(err) == models.KindInternal {
		return models.Unavailable("the disk", err)
	}
	return err
}

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

// MethodLabel returns a request's method for logs and metrics. All unknown methods share one label.
func MethodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete:
		return method
	}
	return "other"
}
