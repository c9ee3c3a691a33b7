package models_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/models"
)

func TestE7WebhookURLs(t *testing.T) {
	for _, test := range []struct {
		why, url string
		good     bool
	}{
		{"the usual", "https://shop.example.no/purr?shop=17", true},
		{"without TLS, in a network of one's own", "http://10.0.0.7:8080", true},
		{"the longest", "https://a.no/" + strings.Repeat("å", models.MaxWebhookURL-13), true},
		{"one character more", "https://a.no/" + strings.Repeat("å", models.MaxWebhookURL-12), false},
		{"none", "", false},
		{"no scheme", "shop.example.no/purr", false},
		{"a path alone", "/purr", false},
		{"another scheme", "ftp://shop.example.no/purr", false},
		{"no host", "https:///purr", false},
		{"a port alone", "https://:443/purr", false},
		{"user and password", "https://me:secret@shop.example.no/purr", false},
		{"a user alone", "https://me@shop.example.no/purr", false},
		{"a port that is none", "https://shop.example.no:x/purr", false},
		{"a line feed", "https://shop.example.no/\npurr", false},
	} {
		err := models.Webhook{URL: test.url}.Validate()
		if (err == nil) != test.good {
			t.Errorf("%s: %q: %v", test.why, test.url, err)
		}
		if err != nil && places(t, err) != "url invalid_url" {
			t.Errorf("%s: refused with %s", test.why, places(t, err))
		}
	}
	err := models.Webhook{URL: "https://a.no", Description: strings.Repeat("x", models.MaxComment+1)}.Validate()
	if got := places(t, err); got != "description too_long" {
		t.Errorf("a long description: %q", got)
	}
}

func TestE7WhatAWebhookWants(t *testing.T) {
	some := models.EventTypes{models.EventInvoiceCreated, models.EventPaymentReceived}
	for _, test := range []struct {
		why   string
		hook  models.Webhook
		event models.EventType
		want  bool
	}{
		{"no types named are all", models.Webhook{Enabled: true}, models.EventDunningRun, true},
		{"one of those named", models.Webhook{Enabled: true, EventTypes: some}, models.EventPaymentReceived, true},
		{"none of those named", models.Webhook{Enabled: true, EventTypes: some}, models.EventDunningRun, false},
		{"switched off", models.Webhook{EventTypes: some}, models.EventPaymentReceived, false},
		{"a failed delivery makes no other", models.Webhook{Enabled: true}, models.EventDeliveryFailed, false},
		{"not even where it is named", models.Webhook{Enabled: true, EventTypes: models.EventTypes{models.EventDeliveryFailed}}, models.EventDeliveryFailed, false},
	} {
		if got := test.hook.Wants(test.event); got != test.want {
			t.Errorf("%s: %t", test.why, got)
		}
	}
}

// Webhooks can have every new type of event, unless it is one of the webhooks' own.
func TestE7EveryTypeOfEventIsPosted(t *testing.T) {
	types := eventTypes(t)
	if len(types) < 30 {
		t.Fatalf("only %d types were found", len(types))
	}
	for _, e := range types {
		if own := strings.HasPrefix(string(e), "webhook"); e.Posted() == own {
			t.Errorf("%s is posted: %t", e, e.Posted())
		}
		rows := slices.DeleteFunc(slices.Clone(models.EventFacts), func(f models.EventFact) bool { return f.Type != e })
		if len(rows) != 1 || rows[0].Subject == "" || rows[0].Tells == "" {
			t.Errorf("the table of events says of %s: %+v", e, rows)
		}
	}
	if len(models.EventFacts) != len(types) {
		t.Errorf("the table has %d events, there are %d types", len(models.EventFacts), len(types))
	}
}

// eventTypes reads the constants of type EventType from the source.
func eventTypes(t *testing.T) []models.EventType {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var types []models.EventType
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, is := n.(*ast.ValueSpec)
			if !is {
				return true
			}
			if name, typed := spec.Type.(*ast.Ident); !typed || name.Name != "EventType" {
				return true
			}
			for _, value := range spec.Values {
				if literal, is := value.(*ast.BasicLit); is {
					text, err := strconv.Unquote(literal.Value)
					if err != nil {
						t.Fatal(err)
					}
					types = append(types, models.EventType(text))
				}
			}
			return true
		})
	}
	return types
}

func TestE7TheOldSecretSignsForADay(t *testing.T) {
	noon := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	w := models.Webhook{Secret: "first"}
	wantSecrets := func(why string, at time.Time, want ...models.Secret) {
		t.Helper()
		if got := w.Secrets(at); !slices.Equal(got, want) {
			t.Errorf("%s: %q", why, asText(got))
		}
	}
	wantSecrets("before there is another", noon, "first")
	w.Renew("second", noon)
	wantSecrets("at once", noon, "second", "first")
	wantSecrets("to the end of the day", noon.Add(24*time.Hour-time.Microsecond), "second", "first")
	wantSecrets("not longer", noon.Add(24*time.Hour), "second")
	w.Renew("third", noon.Add(time.Hour))
	wantSecrets("of three the last two", noon.Add(2*time.Hour), "third", "second")
}

func asText(secrets []models.Secret) []string {
	var texts []string
	for _, s := range secrets {
		texts = append(texts, string(s))
	}
	return texts
}

func TestE7ASecretIsNotPrinted(t *testing.T) {
	w := models.Webhook{Secret: "whsec_hush", OldSecret: "whsec_hush"}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if got := fmt.Sprintf(format, w); strings.Contains(got, "hush") {
			t.Errorf("%s prints %s", format, got)
		}
	}
}

func TestE7PausesOfTheSpecification(t *testing.T) {
	want := []string{"5s", "5m0s", "30m0s", "2h0m0s", "5h0m0s", "10h0m0s", "14h0m0s", "20h0m0s", "24h0m0s"}
	for n, pause := range want {
		if got, more := models.DeliveryPause(n + 1); got.String() != pause || !more {
			t.Errorf("after attempt %d the pause is %s, %t, want %s", n+1, got, more, pause)
		}
	}
	if pause, more := models.DeliveryPause(10); more {
		t.Errorf("after the tenth attempt there is another in %s", pause)
	}
}

func TestE7RedeliveringBeginsAnewOrGoesOn(t *testing.T) {
	noon := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		before   models.DeliveryState
		attempts int // of three
	}{{models.DeliveryPending, 3}, {models.DeliveryDelivered, 0}, {models.DeliveryFailed, 0}} {
		d := models.WebhookDelivery{State: test.before, Attempts: 3, NextAttempt: noon.Add(time.Hour)}
		d.Redeliver(noon)
		if d.State != models.DeliveryPending || d.Attempts != test.attempts || !d.NextAttempt.Equal(noon) {
			t.Errorf("one that was %s is %+v", test.before, d)
		}
	}
}

func TestE7DeliveryFilters(t *testing.T) {
	const p, d, f = models.DeliveryPending, models.DeliveryDelivered, models.DeliveryFailed
	for _, test := range []struct {
		value string
		want  []models.DeliveryState
		known bool
	}{
		{"pending", []models.DeliveryState{p}, true},
		{"failed|pending", []models.DeliveryState{f, p}, true},
		{"all", []models.DeliveryState{p, d, f}, true},
		{"failed|lost", nil, false},
		{"", nil, false},
	} {
		got, known := models.ParseDeliveryStates(strings.Split(test.value, "|"))
		if known != test.known || !slices.Equal(got, test.want) {
			t.Errorf("%q is read as %v, %t", test.value, got, known)
		}
	}
}

func TestE7EventTypesAreKeptAsOneText(t *testing.T) {
	for _, types := range []models.EventTypes{nil, {models.EventDunningRun}, {models.EventInvoiceCreated, models.EventDunningRun}} {
		kept, err := types.Value()
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []any{kept, []byte(kept.(string))} {
			read := models.EventTypes{models.EventHoldSet}
			if err := read.Scan(from); err != nil || !slices.Equal(read, types) {
				t.Errorf("%v came back as %v, %v", types, read, err)
			}
		}
	}
	if err := new(models.EventTypes).Scan(17); err == nil {
		t.Error("a number was read as types")
	}
}
