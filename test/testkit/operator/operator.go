// Package operator is a made-up operator of eFaktura on loopback, for tests (rule E20). It knows its recipients by their telephone number
// or e-mail address, keeps what it was sent by its reference, takes each reference once, and tells what became of it. It misbehaves as it
// is told.
package operator

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Secret is what a caller must prove to know.
const Secret = "h3mmelig"

// The states of an invoice.
const (
	Received  = "RECEIVED"
	Presented = "PRESENTED"
	Rejected  = "REJECTED"
)

// Invoice is what the operator was sent.
type Invoice struct {
	Reference     string `json:"reference"`
	Issuer        string `json:"issuer"`
	InvoiceNumber string `json:"invoiceNumber"`
	Payment       struct {
		KID        string      `json:"kid"`
		Account    string      `json:"account"`
		Amount     json.Number `json:"amount"`
		Ore        json.Number `json:"ore"`
		DueDate    string      `json:"dueDate"`
		AvtaleGiro bool        `json:"avtaleGiro"`
	} `json:"payment"`
	Recipient struct {
		Name       string `json:"name"`
		Address    string `json:"address"`
		PostalCode string `json:"postalCode"`
		City       string `json:"city"`
		Country    string `json:"country"`
		Email      string `json:"email"`
		Mobile     string `json:"mobile"`
	} `json:"recipient"`
	Document struct {
		SHA256 string `json:"sha256"`
		PDF    []byte `json:"pdf"`
	} `json:"document"`
}

// Fault is how the operator misbehaves once.
type Fault struct {
	Takes   bool   // it takes the invoice nevertheless
	Silent  bool   // it hangs up without an answer
	Status  int    // 0 is that of an acceptance
	Body    string // in the place of its own
	Another bool   // it answers with the reference of another invoice
}

// Operator is safe for concurrent use.
type Operator struct {
	URL string // of its host

	mu       sync.Mutex
	knows    func(Invoice) bool
	next     []Fault
	asked    []Fault
	first    string // the state of what it has just taken
	taken    map[string]Invoice
	states   map[string]string
	requests []string
}

// Start starts an operator who knows all recipients, and presents at once what it gets.
func Start(t *testing.T) *Operator {
	t.Helper()
	o := &Operator{knows: func(Invoice) bool { return true }, first: Presented, taken: map[string]Invoice{}, states: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/einvoices", o.post)
	mux.HandleFunc("GET /v1/einvoices/{reference}", o.get)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	o.URL = server.URL
	return o
}

// Knows says whom the operator knows.
func (o *Operator) Knows(knows func(Invoice) bool) { o.do(func() { o.knows = knows }) }

// Misbehave lets the next posts be answered so, in order.
func (o *Operator) Misbehave(faults ...Fault) { o.do(func() { o.next = faults }) }

// MisbehaveAsked does so with the next questions for a status.
func (o *Operator) MisbehaveAsked(faults ...Fault) { o.do(func() { o.asked = faults }) }

// Begin sets the state in which invoices are from when it takes them.
func (o *Operator) Begin(state string) { o.do(func() { o.first = state }) }

// Move sets the state of all that it has.
func (o *Operator) Move(state string) {
	o.do(func() {
		for reference := range o.states {
			o.states[reference] = state
		}
	})
}

// Forget forgets all invoices.
func (o *Operator) Forget() { o.do(func() { clear(o.taken); clear(o.states) }) }

// Taken returns what the operator has, in the order of the invoices' numbers.
func (o *Operator) Taken() (all []Invoice) {
	o.do(func() {
		for _, i := range o.taken {
			all = append(all, i)
		}
	})
	slices.SortFunc(all, func(a, b Invoice) int { return strings.Compare(a.InvoiceNumber, b.InvoiceNumber) })
	return all
}

// Requests returns what it was asked, as "POST" and "GET" with the references, in order.
func (o *Operator) Requests() (all []string) {
	o.do(func() { all = slices.Clone(o.requests) })
	return all
}

func (o *Operator) do(what func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	what()
}

// turn returns the next fault of a list, and takes it off.
func turn(faults *[]Fault) (f Fault, is bool) {
	if len(*faults) == 0 {
		return Fault{}, false
	}
	f, *faults = (*faults)[0], (*faults)[1:]
	return f, true
}

func (o *Operator) post(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var i Invoice
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &i)
	}
	key := r.Header.Get("Idempotency-Key")
	o.requests = append(o.requests, "POST "+key)
	fault, faulty := turn(&o.next)
	_, known := o.taken[key]
	switch {
	case r.Header.Get("Authorization") != "Bearer "+Secret:
		answer(w, http.StatusUnauthorized, map[string]string{"code": "UNAUTHORIZED"})
		return
	case err != nil || key == "" || key != i.Reference || i.Payment.KID == "" || len(i.Document.PDF) == 0:
		answer(w, http.StatusBadRequest, map[string]string{"code": "MALFORMED"})
		return
	case faulty && !fault.Takes:
	case known || o.knows(i):
		if !known {
			o.taken[key], o.states[key] = i, o.first
		}
	default:
		answer(w, http.StatusUnprocessableEntity, map[string]string{"code": "RECIPIENT_NOT_FOUND", "message": i.Recipient.Name + " has no eFaktura"})
		return
	}
	o.tell(w, key, fault, http.StatusCreated)
}

func (o *Operator) get(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	key := r.PathValue("reference")
	o.requests = append(o.requests, "GET "+key)
	fault, faulty := turn(&o.asked)
	if _, known := o.taken[key]; !known && !faulty {
		answer(w, http.StatusNotFound, map[string]string{"code": "NOT_FOUND"})
		return
	}
	o.tell(w, key, fault, http.StatusOK)
}

// tell answers as if all were well, but for the fault.
func (o *Operator) tell(w http.ResponseWriter, key string, f Fault, status int) {
	if f.Silent {
		panic(http.ErrAbortHandler)
	}
	if f.Status != 0 {
		status = f.Status
	}
	if f.Another {
		key = "00000000-0000-5000-8000-000000000000"
	}
	if f.Status/100 == 3 {
		w.Header().Set("Location", "/v2/einvoices")
	}
	if f.Body != "" {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, strings.TrimSpace(f.Body))
		return
	}
	answer(w, status, map[string]string{"id": "E-" + key[:8], "reference": key, "state": o.states[key]})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// Template returns the template for the operator that the page docs/efaktura.md shows, below the root of the module.
func Template(t *testing.T, root string) []byte {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "efaktura.md"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(page)) {
		inside, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented && (len(lines) > 0 || inside == "{\n"):
			lines = append(lines, inside)
		case len(lines) > 0:
			return []byte(strings.Join(lines, ""))
		}
	}
	t.Fatal("docs/efaktura.md shows no template")
	return nil
}
