package api

import (
	"encoding/xml"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"purr/models"
	"purr/store"
)

// The limits of a page (rule D10, section Limits of the interface).
const (
	defaultPerPage = 100
	maxPerPage     = 1000
	maxPage        = 1 << 31 // bounds the page's number; no list has more pages
)

// query reads the query parameters of a request. A parameter that no handler reads is a fault (rule D10).
type query struct {
	rq     *request
	values url.Values
	taken  []string
	faults models.Errors
}

// query returns the request's parameters.
func (rq *request) query() *query {
	values, err := url.ParseQuery(rq.r.URL.RawQuery)
	q := &query{rq: rq}
	if err != nil {
		q.fault("malformed_query", "", "the query cannot be read")
	}
	q.values = values // those that could be parsed
	return q
}

func (q *query) fault(code, field, msg string) {
	q.faults = append(q.faults, models.Malformed(code, field, "%s", msg))
}

// text reads a parameter. It returns false if the request has none, or if it is empty (rule L20).
func (q *query) text(name string) (string, bool) {
	q.taken = append(q.taken, name)
	values := q.values[name]
	if len(values) > 1 {
		q.fault("repeated_parameter", name, "must occur only once")
	}
	if len(values) == 0 {
		return "", false
	}
	if !utf8.ValidString(values[0]) {
		q.fault("malformed_query", name, "is not in UTF-8")
	}
	return values[0], values[0] != ""
}

// line reads a parameter in the form in which texts of one line are kept (rule L20).
func (q *query) line(name string) string {
	text, _ := q.text(name)
	return models.OneLine(text)
}

// integer reads a whole number of at least 1. It returns the fallback if the request has none. A number too large for
// an int becomes the largest int.
func (q *query) integer(name string, fallback int) int {
	text, sent := q.text(name)
	if !sent {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if (err != nil && !errors.Is(err, strconv.ErrRange)) || n < 1 || strings.HasPrefix(text, "+") {
		q.fault("out_of_range", name, "must be a whole number of at least 1")
		return fallback
	}
	return n
}

// id reads an ID, zero if the request has none.
func (q *query) id(name string) int64 {
	text, sent := q.text(name)
	if !sent {
		return 0
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		q.fault("invalid_id", name, "must be an ID")
	}
	return id
}

// flag reads 1 or 0, false if the request has none.
func (q *query) flag(name string) bool {
	text, sent := q.text(name)
	if sent && text != "0" && text != "1" {
		q.fault("invalid_flag", name, "must be 1 or 0")
	}
	return text == "1"
}

// page reads page and per_page (rule D10).
func (q *query) page() store.Page {
	p := store.Page{Number: min(q.integer("page", 1), maxPage), Size: q.integer("per_page", defaultPerPage)}
	if p.Size > maxPerPage {
		q.fault("out_of_range", "per_page", "must be from 1 to "+strconv.Itoa(maxPerPage))
	}
	return p
}

// pageOrCSV reads which page of a list is asked for, or with format=csv that all of it is.
func (q *query) pageOrCSV() (p store.Page, all bool) {
	format, all := q.text("format")
	if all && format != "csv" {
		q.fault("unknown_format", "format", "must be csv; without it a list is XML or JSON, as Accept asks")
	}
	if !all {
		p = q.page()
	}
	return p, all
}

// date reads a day, zero if the request has none.
func (q *query) date(name string) models.Date {
	text, sent := q.text(name)
	if !sent {
		return 0
	}
	d, err := models.ParseDate(text)
	if err != nil {
		q.fault("invalid_date", name, "must be a date of the form yyyy-mm-dd")
	}
	return d
}

// dates reads from_date and to_date, both inclusive.
func (q *query) dates() store.Dates {
	return store.Dates{From: q.date("from_date"), To: q.date("to_date")}
}

// status reads the values of a status filter, nil if the request has none.
func (q *query) status() []string {
	text, sent := q.text("status")
	if !sent {
		return nil
	}
	return strings.Split(text, "|")
}

// done returns every fault of the parameters as queryFaults, nil if there is none.
func (q *query) done() error {
	var unknown []string
	for name := range q.values {
		if !slices.Contains(q.taken, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		q.fault("unknown_parameter", name, "is not a parameter of this path")
	}
	if len(q.faults) == 0 {
		return nil
	}
	return queryFaults{q.faults}
}

// queryFaults are faults of the parameters of a query, whose places are their names.
type queryFaults struct{ models.Errors }

// Unwrap returns the faults.
func (f queryFaults) Unwrap() error { return f.Errors }

// list is one page of a list. Its element has the name of its items.
type list[T any] struct {
	XMLName    xml.Name
	Page       int   `xml:"page,attr"`
	TotalPages int64 `xml:"total_pages,attr"`
	PerPage    int   `xml:"per_page,attr"`
	Items      []T
}

// listed answers with the page of a list that the query asks for. The function read returns the rows of the page and
// the number of all rows; show returns a row as an item.
func listed[R, T any](name string, q *query, show func(R) T, read func(p store.Page) ([]R, int64, error)) (answer, error) {
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	rows, total, err := read(p)
	if err != nil {
		return answer{}, err
	}
	l := list[T]{XMLName: xml.Name{Local: name}, Page: p.Number, TotalPages: p.Pages(total), PerPage: p.Size}
	for _, r := range rows {
		l.Items = append(l.Items, show(r))
	}
	return q.rq.ok(l)
}
