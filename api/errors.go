package api

import (
	"encoding/xml"
	"errors"
	"net/http"
	"slices"

	"purr/api/guard"
	"purr/models"
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
	return problemOf(rq, guard.StatusOf(models.KindOf(failure)), failure)
}

// problemOf is problem with a status of its own.
func problemOf(rq *request, status int, failure error) answer {
	kind := models.KindOf(failure)
	shown := []*models.Error{{Code: "internal", Msg: "something went wrong; the request's ID is " + rq.id}}
	if kind != models.KindInternal {
		shown = faultsShown(failure)
	}
	a := answer{status: status, header: problemHeader(kind, failure), code: shown[0].Code, err: failure}
	var err error
	if rq.json {
		a.contentType = contentProblem
		a.body, err = rq.problemJSON(a.status, placesOf(rq, failure), shown)
	} else {
		a.body, err = problemXML(shown)
	}
	if err != nil {
		a.err = errors.Join(failure, err)
	}
	return a
}

// Bounds of what a refusal says (rule O9), in characters.
const (
	maxField = 200
	maxText  = 1000
)

// faultsShown returns the faults that the caller sees. If there are too many, the last one says so.
func faultsShown(err error) []*models.Error {
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
	if more {
		return append(slices.Clone(several), &models.Error{Code: "more_faults", Msg: "there are more faults, which are not listed"})
	}
	return several
}

// problemXML writes faults as XML (rule D5).
func problemXML(faults []*models.Error) ([]byte, error) {
	shown := make([]xmlError, len(faults))
	for i, e := range faults {
		shown[i] = xmlError{e.Code, models.Shorten(e.Place.String(), maxField), models.Shorten(e.Msg, maxText)}
	}
	return document(xmlErrors{Errors: shown})
}

// faultsOf returns the faults that a Validate method found.
func faultsOf(err error) models.Errors {
	var faults models.Errors
	errors.As(err, &faults)
	return faults
}

func problemHeader(kind models.Kind, err error) http.Header {
	header := http.Header{}
	if pause := guard.RetryAfter(err); pause != "" {
		header.Set("Retry-After", pause)
	}
	if kind == models.KindUnauthorized {
		header["Www-Authenticate"] = []string{`Bearer realm="purr"`, `Basic realm="purr", charset="UTF-8"`}
	}
	return header
}
