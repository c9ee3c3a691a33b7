package api_test

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/store"
)

const hookBody = `<webhook><url>https://shop.example.no/purr?token=hush</url></webhook>`

// secretIn returns the secret that an answer shows, and fails the test where it shows none.
func (r reply) secretIn(t *testing.T) string {
	t.Helper()
	secret := r.xml(t).at("secret")
	if !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("there is no secret: %s", r.body)
	}
	return secret
}

func TestE7ASecretIsShownWhereItIsMadeAndNowhereElse(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		made := in.send("POST", "/api/v1/webhooks", hookBody)
		made.is(t, http.StatusCreated)
		first := made.secretIn(t)
		uri := made.header.Get("Location")
		renewed := in.send("POST", uri+"/secret", "")
		renewed.is(t, http.StatusOK)
		second := renewed.secretIn(t)
		if first == second {
			t.Error("the new secret is the old one")
		}
		in.invoice("14")
		for _, r := range []reply{
			in.get(uri), in.get("/api/v1/webhooks"), in.get(uri + "/deliveries"), in.get("/api/v1/webhook_delivery/1"), in.get("/api/v1/events"),
			in.send("PUT", uri, `<webhook><enabled>1</enabled></webhook>`), in.send("POST", "/api/v1/webhook_delivery/1/redeliver", ""),
		} {
			r.is(t, http.StatusOK)
			if strings.Contains(r.body, first) || strings.Contains(r.body, second) || strings.Contains(r.body, "whsec") {
				t.Errorf("a secret is shown: %s", r.body)
			}
		}
		if logged := in.logged.String(); strings.Contains(logged, first) || strings.Contains(logged, second) || strings.Contains(logged, "hush") {
			t.Errorf("a secret is logged")
		}
		if events := in.get("/api/v1/events").body; strings.Contains(events, "hush") {
			t.Errorf("the URL stands in the log, which keys of any scope read: %s", events)
		}
	})
}

func TestE7WithAnIdempotencyKeyTheSecretIsShownAgain(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		key := header("Idempotency-Key", "hook")
		first, second := in.send("POST", "/api/v1/webhooks", hookBody, key), in.send("POST", "/api/v1/webhooks", hookBody, key)
		if first.secretIn(t) != second.secretIn(t) || second.status != http.StatusCreated {
			t.Errorf("answered %d: %s", second.status, second.body)
		}
		uri := first.header.Get("Location")
		key = header("Idempotency-Key", "renew")
		first, second = in.send("POST", uri+"/secret", "<secret/>", key), in.send("POST", uri+"/secret", "<secret/>", key)
		if first.secretIn(t) != second.secretIn(t) {
			t.Error("the secret was made anew twice")
		}
	})
}

func TestE7TheOldSecretSignsForADay(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		uri := in.make("/api/v1/webhooks", hookBody)
		in.send("POST", uri+"/secret", "").is(t, http.StatusOK)
		if got := in.get(uri).xml(t).at("old_secret_until"); got != "2026-03-03 12:00:00" {
			t.Errorf("the old one signs until %s", got)
		}
		in.clock.Set(start.Add(24 * time.Hour))
		if got := in.get(uri).xml(t).at("old_secret_until"); got != "-" {
			t.Errorf("a day later the old one signs until %s", got)
		}
	})
}

func TestE7AWebhookIsChangedAsSent(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		uri := in.make("/api/v1/webhooks", `<webhook><url> https://shop.example.no </url><description>Lager &amp; butikk</description>`+
			`<event_types><event_type>invoice.created</event_type><event_type> payment.received </event_type><event_type>invoice.created</event_type></event_types></webhook>`)
		wantHook := func(r reply, url, description, enabled string, types ...string) {
			t.Helper()
			r.is(t, http.StatusOK)
			n := r.xml(t)
			var got []string
			for _, e := range n.find("event_types")[0].find("event_type") {
				got = append(got, e.Text)
			}
			if n.at("url") != url || n.at("description") != description || n.at("enabled") != enabled || !slices.Equal(got, types) {
				t.Errorf("it is %s", r.body)
			}
		}
		wantHook(in.get(uri), "https://shop.example.no", "Lager & butikk", "1", "invoice.created", "payment.received")
		wantHook(in.send("PUT", uri, `<webhook/>`), "https://shop.example.no", "Lager & butikk", "1", "invoice.created", "payment.received")
		wantHook(in.send("PUT", uri, `<webhook><description/><event_types><event_type>dunning.run</event_type></event_types></webhook>`),
			"https://shop.example.no", "", "1", "dunning.run")
		wantHook(in.send("PUT", uri, `<webhook><enabled>0</enabled><url>http://shop.example.no:81</url><event_types/></webhook>`), "http://shop.example.no:81", "", "0")
		wantHook(in.get(uri), "http://shop.example.no:81", "", "0")
		in.send("DELETE", uri, "").is(t, http.StatusNoContent)
		in.get(uri).refused(t, http.StatusNotFound, "not_found")
		var log []string
		for _, e := range in.get("/api/v1/events").xml(t).find("event") {
			log = append(log, e.at("text"))
		}
		by := " by API key 1 (write)"
		want := []string{
			"Webhook 1 created" + by, "Webhook 1 changed" + by, "Webhook 1 changed" + by + ": description, event_types",
			"Webhook 1 changed" + by + ": url, enabled, event_types", "Webhook 1 deleted" + by,
		}
		if !slices.Equal(log, want) {
			t.Errorf("the log is %q", log)
		}
	})
}

func TestE7WebhooksThatAreWrong(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	uri := in.make("/api/v1/webhooks", hookBody)
	for _, test := range []struct{ why, body, want string }{
		{"no URL", `<webhook/>`, "required@url"},
		{"a path", `<webhook><url>/purr</url></webhook>`, "invalid_url@url"},
		{"a user", `<webhook><url>https://me@example.no</url></webhook>`, "invalid_url@url"},
		{
			"types that are none, and one of the webhooks' own", `<webhook><url>http://a.no</url><event_types><event_type>invoice.created</event_type>` +
				`<event_type>invoice.eaten</event_type><event_type>webhook_delivery.failed</event_type></event_types></webhook>`,
			"unknown_event_type@event_types/event_type[2] unknown_event_type@event_types/event_type[3]",
		},
		{"what only answers have", `<webhook><url>http://a.no</url><secret>whsec_x</secret><enabled>yes</enabled></webhook>`, "invalid_flag@enabled differs@secret"},
	} {
		t.Run(test.why, func(t *testing.T) {
			in.send("POST", "/api/v1/webhooks", test.body).refused(t, http.StatusUnprocessableEntity, strings.Fields(test.want)...)
		})
	}
	in.send("PUT", uri, `<webhook><url/></webhook>`).refused(t, http.StatusUnprocessableEntity, "invalid_url@url")
	in.send("POST", uri+"/secret", `<secret>mine</secret>`).refused(t, http.StatusUnprocessableEntity, "unexpected_text")
	in.send("POST", uri+"/secret", `<redeliver/>`).refused(t, http.StatusUnprocessableEntity, "unknown_element@redeliver")
	in.get(uri+"/deliveries?status=lost").refused(t, http.StatusBadRequest, "unknown_status@status")
	if got := in.get("/api/v1/webhooks").xml(t).find("webhook"); len(got) != 1 {
		t.Errorf("there are %d webhooks", len(got))
	}
}

func TestE7TwentyWebhooksAreTheMost(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		for range models.MaxWebhooks - 1 {
			in.make("/api/v1/webhooks", hookBody)
		}
		const atOnce = 4
		statuses := make(chan int, atOnce)
		for range atOnce {
			go func() { statuses <- in.send("POST", "/api/v1/webhooks", hookBody).status }()
		}
		var got []int
		for range atOnce {
			got = append(got, <-statuses)
		}
		if slices.Sort(got); !slices.Equal(got, []int{201, 409, 409, 409}) {
			t.Errorf("the last few were answered %v", got)
		}
		in.send("POST", "/api/v1/webhooks", hookBody).refused(t, http.StatusConflict, "too_many_webhooks")
		in.another("Fri AS").make("/api/v1/webhooks", hookBody)
	})
}

// settleDelivery has a delivery come to its end.
func (in *installation) settleDelivery(id int64, state models.DeliveryState) {
	in.t.Helper()
	in.write(func(ctx context.Context, tx *store.Tx) error {
		d, err := tx.LockWebhookDelivery(ctx, in.creditor.ID, id)
		if err != nil {
			return err
		}
		d.State, d.Attempts, d.ResponseStatus = state, 10, 500
		if state == models.DeliveryDelivered {
			d.Attempts, d.ResponseStatus, d.DeliveredAt = 1, 204, &tx.Now
		} else {
			d.Failure = "status_500"
		}
		return tx.UpdateWebhookDelivery(ctx, d)
	})
}

func TestE7DeliveriesAreListedAndRedelivered(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		uri := in.make("/api/v1/webhooks", `<webhook><url>https://a.no</url><event_types><event_type>customer.created</event_type></event_types></webhook>`)
		for range 3 {
			in.customer()
		}
		in.get(uri+"/deliveries").is(t, http.StatusOK) // the events have their deliveries
		in.settleDelivery(1, models.DeliveryDelivered)
		in.settleDelivery(2, models.DeliveryFailed)
		for status, want := range map[string]string{
			"": "1 2 3", "?status=all": "1 2 3", "?status=pending": "3", "?status=delivered": "1", "?status=failed": "2", "?status=failed|pending": "2 3",
			"?per_page=2&page=2": "3",
		} {
			r := in.get(uri + "/deliveries" + status)
			r.is(t, http.StatusOK)
			var ids []string
			for _, d := range r.xml(t).find("webhook_delivery") {
				ids = append(ids, strings.TrimPrefix(d.at("@uri"), in.http.URL+"/api/v1/webhook_delivery/"))
			}
			if got := strings.Join(ids, " "); got != want {
				t.Errorf("%q lists %s, want %s", status, got, want)
			}
		}
		for id, want := range map[int64]string{
			1: "delivered 1 - 2026-03-02 12:00:00 204 -", 2: "failed 10 - - 500 status_500", 3: "pending 0 2026-03-02 12:00:00 - - -",
		} {
			n := in.get("/api/v1/webhook_delivery/" + strconv.FormatInt(id, 10)).xml(t)
			var got []string
			for _, name := range []string{"@status", "attempts", "next_attempt_at", "delivered_at", "response_status", "failure"} {
				got = append(got, n.at(name))
			}
			if line := strings.Join(got, " "); line != want || n.at("webhook/@uri") != uri || n.at("event_type") != "customer.created" || n.at("message_id") != "evt_"+n.at("event_id") {
				t.Errorf("delivery %d is %s, want %s", id, line, want)
			}
		}
		in.clock.Set(start.Add(time.Hour))
		for id := range 3 {
			path := "/api/v1/webhook_delivery/" + strconv.Itoa(id+1)
			r := in.send("POST", path+"/redeliver", []string{"", "<redeliver/>", ""}[id])
			r.is(t, http.StatusOK)
			if n := r.xml(t); n.at("@status") != "pending" || n.at("attempts") != "0" || n.at("next_attempt_at") != "2026-03-02 13:00:00" {
				t.Errorf("redelivered is %s", r.body)
			}
			if got := in.get(path).body; got != r.body {
				t.Errorf("it is\n%s, answered was\n%s", got, r.body)
			}
		}
		in.send("PUT", uri, `<webhook><enabled>0</enabled></webhook>`).is(t, http.StatusOK)
		in.send("POST", "/api/v1/webhook_delivery/1/redeliver", "").refused(t, http.StatusConflict, "webhook_disabled")
		in.send("DELETE", uri, "").is(t, http.StatusNoContent)
		in.get("/api/v1/webhook_delivery/1").refused(t, http.StatusNotFound, "not_found")
		in.send("POST", "/api/v1/webhook_delivery/1/redeliver", "").refused(t, http.StatusNotFound, "not_found")
	})
}

func TestE7WebhooksNeedTheScopeWriteAndTheirOwnCreditor(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	uri := in.make("/api/v1/webhooks", hookBody)
	in.customer()
	paths := []string{"GET " + uri, "GET " + uri + "/deliveries", "GET /api/v1/webhook_delivery/1", "POST " + uri + "/secret", "DELETE " + uri, "POST /api/v1/webhook_delivery/1/redeliver"}
	reader, other := *in, in.another("Fremmed AS")
	reader.key = in.newKey(in.creditor, models.ScopeRead)
	for _, p := range paths {
		method, path, _ := strings.Cut(p, " ")
		reader.send(method, path, "").refused(t, http.StatusForbidden, "scope_insufficient")
		other.send(method, path, "").refused(t, http.StatusNotFound, "not_found")
	}
	reader.get("/api/v1/webhooks").refused(t, http.StatusForbidden, "scope_insufficient")
	if got := other.get("/api/v1/webhooks").xml(t).find("webhook"); len(got) != 0 {
		t.Errorf("another creditor sees %d webhooks", len(got))
	}
}
