package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"purr/api/form"
	"purr/api/schema"
	"purr/models"
)

// jsonProblem is the body of every refusal in JSON (rule J2, RFC 9457).
type jsonProblem struct {
	Type      string      `json:"type"`
	Title     string      `json:"title"`
	Status    int         `json:"status"`
	RequestID string      `json:"request_id"`
	Errors    []jsonFault `json:"errors"`
}

// jsonFault is one fault. It has one place, or none: a JSON pointer in the body, a query parameter, or, of a payment file, what the file
// calls it.
type jsonFault struct {
	Code      string  `json:"code"`
	Pointer   *string `json:"pointer,omitempty"`
	Parameter string  `json:"parameter,omitempty"`
	Field     string  `json:"field,omitempty"`
	Detail    string  `json:"detail"`
}

// places says what the places of faults are.
type places int

const (
	inFile places = iota
	inBody
	inQuery
)

// placesOf returns what the places of a failure's faults are.
func placesOf(rq *request, failure error) places {
	if _, is := errors.AsType[queryFaults](failure); is || rq.r.Method == http.MethodGet || rq.r.Method == http.MethodHead {
		return inQuery
	}
	if schema.RequestOf(rq.r.Method, rq.route) != nil {
		return inBody
	}
	return inFile
}

// problemJSON writes faults as JSON.
func (rq *request) problemJSON(status int, in places, faults []*models.Error) ([]byte, error) {
	problem := jsonProblem{Type: "about:blank", Title: http.StatusText(status), Status: status, RequestID: rq.id, Errors: make([]jsonFault, len(faults))}
	root := schema.RequestOf(rq.r.Method, rq.route)
	for i, e := range faults {
		shown := jsonFault{Code: e.Code, Detail: models.Shorten(e.Msg, maxText)}
		switch at := models.Shorten(e.Place.String(), maxField); {
		case at == "":
		case in == inQuery:
			shown.Parameter = at
		case in == inBody:
			shown.Pointer = new(models.Shorten(form.Pointer(root, e.Place), maxField))
		default:
			shown.Field = at
		}
		problem.Errors[i] = shown
	}
	text, err := json.Marshal(problem)
	if err != nil {
		return nil, fmt.Errorf("write a refusal as JSON: %w", err)
	}
	return append(text, '\n'), nil
}
