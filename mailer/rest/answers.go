package rest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"purr/models"
)

// answersFile is what a template may say of the answers of an operator (rule E20).
type answersFile struct {
	NoRecipient []mark      `json:"no_recipient"` // statuses and words of an answer that says that the recipient is unknown
	Reference   string      `json:"reference"`    // where answers repeat the reference that they were sent
	Status      *statusFile `json:"status"`       // how to ask what became of a document; it may be missing
}

// mark is a status or a word. A status may be written as a number.
type mark string

// UnmarshalJSON reads it.
func (m *mark) UnmarshalJSON(text []byte) error {
	if number := string(text); statusDigits.MatchString(number) {
		*m = mark(number)
		return nil
	}
	return json.Unmarshal(text, (*string)(m))
}

// statusFile describes the request, a GET, and its answer.
type statusFile struct {
	URL     string            `json:"url"` // or only its path, at the host of the first request
	Headers map[string]string `json:"headers"`
	State   string            `json:"state"`  // where the answer holds the state
	Sent    []string          `json:"sent"`   // the states of what the recipient has
	Failed  []string          `json:"failed"` // those of what it will never have; in all others the operator goes on
}

// answers are what a template says of answers.
type answers struct {
	statuses  []int    // of no recipient
	unknown   []string // the words of no recipient
	reference place
	status    *status
}

// status is how the operator is asked.
type status struct {
	call
	state        place
	sent, failed []string
}

// keys names what a template may hold.
func (f Form) keys() string {
	if f.Asks {
		return "method, headers, body, receipt, no_recipient, reference and status"
	}
	return "method, headers, body and receipt"
}

// setAnswers reads what the template says of answers.
func (t *Template) setAnswers(f answersFile, form Form) error {
	if !form.Asks {
		if len(f.NoRecipient) > 0 || f.Reference != "" || f.Status != nil {
			return errors.New("no_recipient, reference, status: only an efaktura-template has use for them")
		}
		return nil
	}
	for _, word := range f.NoRecipient {
		if err := t.setNoRecipient(string(word)); err != nil {
			return fmt.Errorf("no_recipient: %w", err)
		}
	}
	var err error
	if t.reference, err = parsePlace(f.Reference); err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	if f.Status == nil {
		return nil
	}
	if t.status, err = t.statusOf(*f.Status); err != nil {
		return fmt.Errorf("status: %w", err)
	}
	return nil
}

// The forms of a status, and of a word of an answer.
var (
	statusDigits = regexp.MustCompile(`^[0-9]{3}$`)
	aWord        = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:-]{2,79}$`)
)

// setNoRecipient takes a status or a word. A status that says something else of any document is refused.
func (t *Template) setNoRecipient(word string) error {
	if statusDigits.MatchString(word) {
		n, err := strconv.Atoi(word)
		wrong := err != nil || n/100 != 4 || again(n) || ofTheSettings(n) && n != http.StatusNotFound
		if wrong {
			return fmt.Errorf("%s does not say that there is no such recipient: name a status such as 404 or 422, or a word of the answer", word)
		}
		t.statuses = append(t.statuses, n)
		return nil
	}
	if !aWord.MatchString(word) {
		return fmt.Errorf("%q must be a status, or a word of 3 to 80 letters, digits and _ . : - as the answer has it", word)
	}
	t.unknown = append(t.unknown, word)
	return nil
}

// references are the words that name one document. An operator recognises by them what it gets again.
var references = []string{"instance_id", "name", "id"}

// statusOf reads how the operator is asked.
func (t *Template) statusOf(f statusFile) (*status, error) {
	s := &status{sent: f.Sent, failed: f.Failed}
	s.method, s.escape = http.MethodGet, asItIs
	if strings.HasPrefix(f.URL, "/") {
		f.URL = t.base() + f.URL
	}
	if err := s.set(t, f.URL, f.Headers); err != nil {
		return nil, err
	}
	if !s.names() {
		return nil, errors.New("the URL or a header must hold {{instance_id}}, {{name}} or {{id}}: after no answer nothing else is known")
	}
	var err error
	if s.state, err = parsePlace(f.State); err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	switch {
	case f.State == "" || len(f.Sent) == 0:
		return nil, errors.New("state, sent: must say where the answer holds the state, and which states say that the recipient has it")
	case slices.ContainsFunc(f.Sent, func(s string) bool { return slices.Contains(f.Failed, s) }):
		return nil, errors.New("sent, failed: a state stands in both")
	}
	_, err = t.fill(s.call, t.samples)
	return s, err
}

// names reports whether a request names the one document.
func (c call) names() bool {
	all := []text{c.path, c.query}
	for _, h := range c.headers {
		all = append(all, h)
	}
	return slices.ContainsFunc(slices.Concat(all...), func(p piece) bool { return slices.Contains(references, p.word) })
}

// knowsNone reports whether an answer says that the operator does not know the recipient.
func (a answers) knowsNone(r reply) bool {
	return slices.Contains(a.statuses, r.StatusCode) || r.StatusCode/100 != 3 && a.saysNone(string(r.body))
}

// saysNone reports whether a text holds one of the words of no recipient, as a whole.
func (a answers) saysNone(text string) bool {
	return slices.ContainsFunc(a.unknown, func(word string) bool {
		for rest := text; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				return false
			}
			before, after := rest[:i], rest[i+len(word):]
			if !strings.ContainsAny(lastOf(before), wordSigns) && !strings.ContainsAny(firstOf(after), wordSigns) {
				return true
			}
			rest = after
		}
	})
}

// wordSigns are the signs of words: what stands beside one is another word.
const wordSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

func lastOf(s string) string { return s[max(len(s)-1, 0):] }

func firstOf(s string) string { return s[:min(len(s), 1)] }

func (s *Service) noRecipient(r reply) error {
	return models.Refuse(models.BlameUnknown, s.refusal(r), "%s knows no such recipient", s)
}

// ofAnother fails if an answer is about another document than the one it was sent. One that names none is believed.
func (s *Service) ofAnother(r reply, document Words) error {
	named, err := s.template.reference.of(r.Header, r.body)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	known := func(word string) bool { return strings.EqualFold(named, document[word]) }
	if named == "" || slices.ContainsFunc(references, known) {
		return nil
	}
	return s.unavailable(errors.New("its answer is about another document"))
}

// CanBeAsked reports whether the template says how to ask what became of a document.
func (s *Service) CanBeAsked() bool { return s.template.status != nil }

// Ask asks what became of a document that may have been sent, or was. It reports whether the recipient has it; the operator goes on with
// it if not. It fails with models.KindNotFound if the operator has no such document, with a models.Refused if the recipient will
// not get it, and with models.KindUnavailable if the answer does not tell. receipt is empty if the answer holds none.
func (s *Service) Ask(ctx context.Context, document Words) (sent bool, receipt string, err error) {
	how := s.template.status
	r, err := s.do(ctx, how.call, document)
	if err != nil {
		return false, "", err
	}
	switch {
	case r.StatusCode == http.StatusNotFound, r.StatusCode == http.StatusGone:
		return false, "", models.NotFound("document at the operator")
	case ofTheSettings(r.StatusCode):
		return false, "", models.Refuse(models.BlameSettings, s.refusal(r), "%s refuses to tell", s)
	case r.StatusCode/100 != 2:
		return false, "", s.unavailable(s.refusal(r))
	}
	if err := s.ofAnother(r, document); err != nil {
		return false, "", err
	}
	state, err := how.state.of(r.Header, r.body)
	if err != nil || strings.TrimSpace(state) == "" || r.incomplete != nil {
		return false, "", s.unavailable(cmp.Or(r.incomplete, err, errors.New("its answer tells no state")))
	}
	state = strings.TrimSpace(state)
	receipt, _ = s.template.receipt.of(r.Header, r.body) // a later answer may hold none
	switch {
	case slices.Contains(how.sent, state):
		return true, receipt, nil
	case s.template.saysNone(string(r.body)):
		return false, "", s.noRecipient(r)
	case slices.Contains(how.failed, state):
		return false, "", models.Refuse(models.BlameRecipient, s.refusal(r), "%s could not deliver it", s)
	}
	return false, receipt, nil
}
