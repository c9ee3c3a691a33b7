package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"purr/models"
)

// printHouse is a provider that answers as it is told.
func printHouse(t *testing.T, answer http.HandlerFunc, receipt string) *Service {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	parsed, err := Parse(server.URL+"/letters?key={{secret}}", template(asJSON, `{"id":"{{name}}","to":"{{name1}}"}`, receipt), "s3cret", Form{})
	if err != nil {
		t.Fatal(err)
	}
	return NewService(parsed)
}

var letter = Words{"name": "invoice-1-shipment-7", "name1": nasty}

func TestS4cTheStatusDecides(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]models.Kind{
		200: 0, 201: 0, 202: 0, 299: 0,
		301: models.KindInvalid, 307: models.KindInvalid, 400: models.KindInvalid, 401: models.KindInvalid, 404: models.KindInvalid, 409: models.KindInvalid, 422: models.KindInvalid,
		408: models.KindUnavailable, 425: models.KindUnavailable, 429: models.KindUnavailable, 500: models.KindUnavailable, 503: models.KindUnavailable, 599: models.KindUnavailable,
	} {
		calls := 0
		s := printHouse(t, func(w http.ResponseWriter, r *http.Request) {
			calls++
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"data":{"id":4711},"said":%q}`, r.URL.RawQuery)
		}, "json:data.id")
		receipt, err := s.Send(t.Context(), letter)
		if accepted := want == 0; accepted != (err == nil) || calls != 1 || accepted != (receipt == "4711") || !accepted && models.KindOf(err) != want {
			t.Errorf("%d: after %d calls the receipt is %q, the error %v", status, calls, receipt, err)
		}
		if err == nil {
			continue
		}
		ofSettings := status/100 == 3 || status == 401 || status == 404
		if refused := want == models.KindInvalid; models.IsRefused(err) != refused || models.IsSetupFault(err) != (refused && ofSettings) {
			t.Errorf("%d is of the settings, or is not: %v", status, err)
		}
		if refusal, is := errors.AsType[*Refusal](err); !is || !strings.HasPrefix(refusal.Status, fmt.Sprint(status)) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%d: the error is %v", status, err)
		}
	}
}

func TestS4cAnotherAttemptSendsTheSame(t *testing.T) {
	t.Parallel()
	var sent []string
	s := printHouse(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		sent = append(sent, fmt.Sprint(r.Method, r.URL, r.Header, string(body), err))
		w.WriteHeader(http.StatusServiceUnavailable)
	}, "body")
	for range 3 {
		if _, err := s.Send(t.Context(), letter); models.KindOf(err) != models.KindUnavailable {
			t.Fatal(err)
		}
	}
	if len(sent) != 3 || sent[0] != sent[1] || sent[1] != sent[2] || !strings.Contains(sent[0], "invoice-1-shipment-7") {
		t.Errorf("it sent %q", sent)
	}
}

func TestS4cWhatWasAcceptedStaysSo(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"no body": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) },
		"no JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusAccepted)
			_, _ = w.Write([]byte("<html>"))
		},
		"an endless body":  endless(202),
		"half of the body": half,
	} {
		if receipt, err := printHouse(t, answer, "json:id").Send(t.Context(), letter); err != nil || receipt != "202 Accepted" {
			t.Errorf("%s: the receipt is %q, the error %v", name, receipt, err)
		}
	}
}

// endless answers with more than anybody wants to read.
func endless(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		for part := bytes.Repeat([]byte("x"), 1<<16); ; {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}
}

// half breaks the connection within the answer.
func half(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	w.WriteHeader(http.StatusAccepted)
	_, _ = w.Write([]byte(`{"id":`))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func TestS4cNoAnswerIsWorthAnotherAttempt(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"it hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"long headers": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxAnswer))
		},
		"endless faults": endless(500),
	} {
		_, err := printHouse(t, answer, "body").Send(t.Context(), letter)
		if models.KindOf(err) != models.KindUnavailable || strings.Contains(err.Error(), "s3cret") || len(err.Error()) > 2000 {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	waiting := make(chan struct{})
	s := printHouse(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // only then the server sees that the caller has gone
		close(waiting)
		<-r.Context().Done()
	}, "body")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-waiting; cancel() }()
	if _, err := s.Send(ctx, letter); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("silence: the error is %v", err)
	}
}

func TestTheServiceSaysWhetherItAnswers(t *testing.T) {
	t.Parallel()
	status := http.StatusNotFound
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodHead || r.URL.Path != "/" {
			t.Errorf("it asks %s %s", r.Method, r.URL)
		}
		w.WriteHeader(status)
	}))
	defer server.Close()
	parsed, err := Parse(server.URL+"/letters/{{secret}}", []byte(`{"method":"POST"}`), "s3cret", Form{})
	if err != nil {
		t.Fatal(err)
	}
	s := NewService(parsed)
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if shown := fmt.Sprintf("%s %v %+v %#v", s, s, s, s); strings.Contains(shown, "s3cret") {
		t.Error("it shows its secret:", shown)
	}
	status = http.StatusBadGateway
	if err := s.Check(t.Context()); err == nil {
		t.Error("a bad gateway works")
	}
	server.Close()
	if err := s.Check(t.Context()); models.KindOf(err) != models.KindUnavailable {
		t.Error(err)
	}
}
