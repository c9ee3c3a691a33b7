package demo

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// client speaks to the API with a key.
type client struct {
	base string // with /api/v1
	key  string
	http http.Client
}

// refusal is an answer that is no success.
type refusal struct {
	status int
	faults []fault
}

type fault struct {
	Code  string `xml:"code,attr"`
	Field string `xml:"field,attr"`
	Text  string `xml:",chardata"`
}

// Error names every fault.
func (r *refusal) Error() string {
	texts := make([]string, len(r.faults))
	for i, f := range r.faults {
		texts[i] = strings.TrimSpace(f.Field + " " + f.Text + " (" + f.Code + ")")
	}
	return fmt.Sprintf("the API answered %d: %s", r.status, strings.Join(texts, "; "))
}

// refusedAs reports whether the API refused for the reason that the code names.
func refusedAs(err error, code string) bool {
	var r *refusal
	return errors.As(err, &r) && len(r.faults) > 0 && r.faults[0].Code == code
}

// get reads a resource into an answer.
func (c *client) get(ctx context.Context, at string, into any) error {
	return c.do(ctx, http.MethodGet, at, "", nil, into)
}

// send writes a form and reads the answer, unless into is nil.
func (c *client) send(ctx context.Context, method, at string, form, into any) error {
	body, err := xml.Marshal(form)
	if err != nil {
		return fmt.Errorf("write a %T as XML: %w", form, err)
	}
	return c.do(ctx, method, at, "application/xml", body, into)
}

// do makes a request. at is the uri of a resource, or a path below /api/v1.
func (c *client) do(ctx context.Context, method, at, contentType string, body []byte, into any) error {
	if strings.HasPrefix(at, "/") {
		at = c.base + at
	}
	request, err := http.NewRequestWithContext(ctx, method, at, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, at, err)
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %w", method, at, newRefusal(response.StatusCode, answer))
	}
	if into == nil {
		return nil
	}
	if err := xml.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%s %s: read the answer: %w", method, at, err)
	}
	return nil
}

// newRefusal reads the one form of all errors (rule D5), and takes what is not in it as it is.
func newRefusal(status int, answer []byte) *refusal {
	var errs struct {
		Faults []fault `xml:"error"`
	}
	if err := xml.Unmarshal(answer, &errs); err != nil || len(errs.Faults) == 0 {
		errs.Faults = []fault{{Code: http.StatusText(status), Text: string(answer)}}
	}
	return &refusal{status, errs.Faults}
}

// list reads all pages of a list (rule D10).
func list[T any](ctx context.Context, c *client, path string, query url.Values) ([]T, error) {
	if query == nil {
		query = url.Values{}
	}
	query.Set("per_page", "1000")
	var items []T
	for page := 1; ; page++ {
		query.Set("page", strconv.Itoa(page))
		var l struct {
			TotalPages int `xml:"total_pages,attr"`
			Items      []T `xml:",any"`
		}
		if err := c.get(ctx, path+"?"+query.Encode(), &l); err != nil {
			return nil, err
		}
		items = append(items, l.Items...)
		if page >= l.TotalPages {
			return items, nil
		}
	}
}
