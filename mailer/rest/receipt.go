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

// receipt says where an answer holds the provider's receipt.
type receipt struct {
	header string   // the name of a header
	path   []string // the names that lead to it in JSON
	body   bool     // it is the whole body
}

// parseReceipt reads json:a.b, header:NAME or body. It may be empty: then there is no receipt.
func parseReceipt(raw string) (receipt, error) {
	from, name, _ := strings.Cut(raw, ":")
	switch path := strings.Split(name, "."); {
	case raw == "" || raw == "body":
		return receipt{body: raw == "body"}, nil
	case from == "json" && !slices.Contains(path, ""):
		return receipt{path: path}, nil
	case from == "header" && headerName.MatchString(name):
		return receipt{header: name}, nil
	}
	return receipt{}, fmt.Errorf("must be json:NAME.NAME, header:NAME or body, not %q", raw)
}

// of returns the receipt of an answer. An answer without one was an answer nevertheless.
func (r receipt) of(headers http.Header, body []byte) (string, error) {
	switch {
	case r.header != "":
		return headers.Get(r.header), nil
	case r.body:
		return string(body), nil
	case len(r.path) == 0:
		return "", nil
	}
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber() // an ID of many digits stays as it is
	var value any
	if err := dec.Decode(&value); err != nil {
		return "", fmt.Errorf("the answer is no JSON: %w", err)
	}
	for _, name := range r.path {
		value = member(value, name)
	}
	switch v := value.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	}
	return "", errors.New("the answer has no text or number at " + strings.Join(r.path, "."))
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
