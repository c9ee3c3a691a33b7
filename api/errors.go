package api

import (
	"encoding/xml"
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

// How long a caller should wait if a server that we need is away, and if the disk is nearly full.
const (
	unavailablePause = 5 * time.Second
	fullPause        = 5 * time.Minute
)

// xmlErrors is the body of every refusal (rule D5).
type xmlErrors struct {
	XMLName xml.Name   `xml:"errors"`
	Errors  []xmlError `xml:"error"`
}

type xmlError struct {
	Code  string `xml:"code,attr"`
	Field string `xml:"field,attr,omitempty"`
	Text  string `xml:",chardata"`
}

// problem answers a request that failed. The caller gets the code, path and message of each fault. For an internal
// failure the caller gets only the request's ID.
func problem(rq *request, failure error) answer {
	kind := models.KindOf(failure)
	shown := []xmlError{{Code: "internal", Text: "something went wrong; the request's ID is " + rq.id}}
	if kind != models.KindInternal {
		shown = describe(failure)
	}
	a := answer{status: statuses[kind], header: problemHeader(kind, failure), code: shown[0].Code, err: failure}
	body, err := document(xmlErrors{Errors: shown})
	if err != nil {
		a.err = errors.Join(failure, err)
	}
	a.body = body
	return a
}

// Bounds of what a refusal says (rule O9), in characters.
const (
	maxField = 200
	maxText  = 1000
)

// describe returns the faults as the caller sees them. If there are too many, the last one says so.
func describe(err error) []xmlError {
	var several models.Errors
	if !errors.As(err, &several) {
		var one *models.Error
		errors.As(err, &one)
		several = models.Errors{one}
	}
	more := len(several) > models.MaxFaults
	if more {
		several = several[:models.MaxFaults-1]
	}
	shown := make([]xmlError, len(several))
	for i, e := range several {
		shown[i] = xmlError{e.Code, models.Shorten(e.Field, maxField), models.Shorten(e.Msg, maxText)}
	}
	if more {
		shown = append(shown, xmlError{Code: "more_faults", Text: "there are more faults, which are not listed"})
	}
	return shown
}

// faultsOf returns the faults that a Validate method found.
func faultsOf(err error) models.Errors {
	var faults models.Errors
	errors.As(err, &faults)
	return faults
}

func problemHeader(kind models.Kind, err error) http.Header {
	header := http.Header{}
	var wait *waitError
	switch {
	case errors.As(err, &wait):
		header.Set("Retry-After", seconds(wait.pause))
	case kind == models.KindUnavailable:
		header.Set("Retry-After", seconds(unavailablePause))
	case kind == models.KindFull:
		header.Set("Retry-After", seconds(fullPause))
	case kind == models.KindUnauthorized:
		header["Www-Authenticate"] = []string{`Bearer realm="purr"`, `Basic realm="purr", charset="UTF-8"`}
	}
	return header
}

// waitError is a refusal that says when to try again.
type waitError struct {
	refusal *models.Error
	pause   time.Duration
}

func (e *waitError) Error() string { return e.refusal.Error() }

func (e *waitError) Unwrap() error { return e.refusal }

// tooMany refuses a request until the pause is over.
func tooMany(code, msg string, pause time.Duration) error {
	return &waitError{&models.Error{Kind: models.KindTooMany, Code: code, Msg: msg}, pause}
}

// seconds returns a pause in whole seconds, at least one.
func seconds(pause time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(pause.Seconds()))))
}
