package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// place says where an answer holds a text: the provider's receipt, a reference, a state.
type place struct {
	header string   // the name of a header
	path   []string // the names that lead to it in JSON
	body   bool     // it is the whole body
}

// parsePlace reads json:a.b, header:NAME or body. It may be empty: then there is no text.
func parsePlace(raw string) (place, error) {
	from, name, _ := strings.Cut(raw, ":")
	switch path := strings.Split(name, "."); {
	case raw == "" || raw == "body":
		return place{body: raw == "body"}, nil
	case from == "json" && !slices.Contains(path, ""):
		return place{path: path}, nil
	case from == "header" && headerName.MatchString(name):
		return place{header: name}, nil
	}
	return place{}, fmt.Errorf("must be json:NAME.NAME, header:NAME or body, not %q", raw)
}

// of returns the text of an answer. An answer without one was an answer nevertheless.
func (p place) of(headers http.Header, body []byte) (string, error) {
	switch {
	case p.header != "":
		return headers.Get(p.header), nil
	case p.body:
		return string(body), nil
	case len(p.path) == 0:
		return "", nil
	}
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber() // an ID of many digits stays as it is
	var value any
	if err := dec.Decode(&value); err != nil {
		return "", fmt.Errorf("the answer is no JSON: %w", err)
	}
	for _, name := range p.path {
		value = member(value, name)
	}
	switch v := value.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	}
	return "", errors.New("the answer has no text or number at " + strings.Join(p.path, "."))
}

// member returns what has the name in a JSON object, or the number in a list, or nil.
func member(value any, name string) any {
	switch v := value.(type) {
	case map[string]any:
		return v[name]
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}
