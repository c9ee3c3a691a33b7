//go:build ignore

// A client of purr, of Go's standard library alone (1.24 or later).
//
//	client order FILE       orders the invoice in FILE, once, however often it is run
//	client events           tells what has happened since the last time
//	client webhook ADDRESS  takes the events that purr posts
//
// PURR is the address, such as https://invoices.example.no/api/v1, KEY an API key, SECRET the webhook's.
// Exit code 75: no answer yet, run it again. 1: refused.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// refusal is purr's no. Its codes say why; the same request again would get the same answer.
type refusal struct {
	Errors []struct{ Code, Pointer, Parameter, Detail string }
}

func (r refusal) Error() string {
	var b strings.Builder
	for _, e := range r.Errors {
		fmt.Fprintf(&b, "%s %s%s: %s\n", e.Code, e.Pointer, e.Parameter, e.Detail)
	}
	return b.String()
}

// ofKey reports whether the Idempotency-Key is what is wrong.
func (r refusal) ofKey() bool {
	return len(r.Errors) > 0 && strings.HasPrefix(r.Errors[0].Code, "idempotency_")
}

var client = http.Client{Timeout: 30 * time.Second}

// ask asks until purr answers, nine times at most. After 429 and 503 it waits as long as Retry-After says, else 1, 2, 4 … seconds.
func ask(method, path string, body []byte, key string, answer any) error {
	pause := time.Second
	for attempt := 1; ; attempt++ {
		wait, err := askOnce(method, path, body, key, answer)
		var refused refusal
		switch {
		case err == nil, errors.As(err, &refused) && refused.Errors[0].Code != "idempotency_in_progress":
			return err
		case attempt == 9:
			fmt.Fprintln(os.Stderr, "no answer:", err)
			os.Exit(75)
		}
		if wait == 0 {
			wait = pause
		}
		time.Sleep(wait)
		pause = min(2*pause, time.Minute)
	}
}

// askOnce returns a refusal, or what went wrong otherwise and how long to wait if purr says so.
func askOnce(method, path string, body []byte, key string, answer any) (wait time.Duration, err error) {
	r, err := http.NewRequest(method, os.Getenv("PURR")+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", key)
	}
	got, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer got.Body.Close()
	switch status := got.StatusCode; {
	case status < 300:
		return 0, json.NewDecoder(got.Body).Decode(answer)
	case status == http.StatusTooManyRequests || status >= 500:
		seconds, _ := strconv.Atoi(got.Header.Get("Retry-After"))
		return time.Duration(seconds) * time.Second, errors.New(got.Status)
	}
	var refused refusal
	if err := json.NewDecoder(got.Body).Decode(&refused); err != nil || len(refused.Errors) == 0 {
		return 0, errors.New(got.Status)
	}
	return 0, refused
}

// writeDown keeps a text in a file that is there as a whole or not at all.
func writeDown(path string, text []byte) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func order(path string) error {
	answer, err := os.ReadFile(path + ".answer")
	if errors.Is(err, os.ErrNotExist) {
		answer, err = orderFirst(path)
	}
	if err != nil {
		return err
	}
	var invoice struct {
		URI    string
		Number int `json:"invoice_number"`
	}
	if err := json.Unmarshal(answer, &invoice); err != nil {
		return err
	}
	fmt.Println("invoice", invoice.Number, invoice.URI)
	return nil
}

func orderFirst(path string) (answer json.RawMessage, err error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	// The key is written down before it is used. Whatever happens then, the next run asks with the same one.
	if _, err := os.Stat(path + ".key"); errors.Is(err, os.ErrNotExist) {
		if err := writeDown(path+".key", []byte(rand.Text())); err != nil {
			return nil, err
		}
	}
	// After 24 hours purr has forgotten the key, and would make a second invoice.
	if kept, err := os.Stat(path + ".key"); err != nil {
		return nil, err
	} else if time.Since(kept.ModTime()) > 23*time.Hour {
		return nil, fmt.Errorf("%s.key is a day old: look whether the invoice is there", path)
	}
	key, err := os.ReadFile(path + ".key")
	if err != nil {
		return nil, err
	}
	err = ask("POST", "/invoices", body, string(key), &answer)
	var refused refusal
	if errors.As(err, &refused) && !refused.ofKey() {
		return nil, errors.Join(err, os.Remove(path+".key")) // nothing was made; what is corrected is another order
	}
	if err != nil {
		return nil, err
	}
	return answer, writeDown(path+".answer", answer)
}

func events() error {
	for {
		after, err := os.ReadFile("events.after")
		if errors.Is(err, os.ErrNotExist) {
			after, err = []byte("0"), nil
		}
		if err != nil {
			return err
		}
		var page struct {
			Events []struct {
				ID   int64
				Type string
			}
		}
		if err := ask("GET", "/events?after="+string(after), nil, "", &page); err != nil || len(page.Events) == 0 {
			return err
		}
		for _, e := range page.Events {
			fmt.Println("event", e.ID, e.Type) // here your program does what follows from it
			if err := writeDown("events.after", []byte(strconv.FormatInt(e.ID, 10))); err != nil {
				return err
			}
		}
	}
}

// verified reports whether the message is purr's (Standard Webhooks). While an old secret counts there are several signatures.
func verified(h http.Header, body []byte) bool {
	id, stamp := h.Get("webhook-id"), h.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	right := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for signature := range strings.SplitSeq(h.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(right)) {
			return true
		}
	}
	return false
}

func webhook(address string) error {
	seen := map[string]bool{}
	if kept, err := os.ReadFile("webhook.seen"); err == nil {
		for id := range strings.Lines(string(kept)) {
			seen[strings.TrimSpace(id)] = true
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile("webhook.seen", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	var one sync.Mutex
	take := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !verified(r.Header, body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		one.Lock()
		defer one.Unlock()
		// An id that was there before is a replay, or purr did not hear the answer: it is taken, and nothing done.
		if id := r.Header.Get("webhook-id"); !seen[id] {
			fmt.Println("webhook", id) // here your program does what follows from the body
			if _, err := fmt.Fprintln(file, id); err != nil {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			seen[id] = true
		}
		w.WriteHeader(http.StatusNoContent)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	server := http.Server{Handler: http.HandlerFunc(take), ReadTimeout: 15 * time.Second}
	return server.Serve(listener)
}

func main() {
	err := errors.New("usage: client order FILE | events | webhook ADDRESS")
	switch words := os.Args[1:]; {
	case len(words) == 2 && words[0] == "order":
		err = order(words[1])
	case len(words) == 1 && words[0] == "events":
		err = events()
	case len(words) == 2 && words[0] == "webhook":
		err = webhook(words[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
