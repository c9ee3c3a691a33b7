package conformance_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/app"
	"purr/models"
)

// endpoints are all calls of the interface, each with the scope that it needs. ID stands for whatever is there.
var endpoints = []struct {
	scope models.Scope
	call  string
}{
	{models.ScopeRead, "GET /invoices"},
	{models.ScopeRead, "GET /invoice/ID"},
	{models.ScopeRead, "GET /invoice/ID/pdf"},
	{models.ScopeWrite, "POST /invoices"},
	{models.ScopeWrite, "POST /invoice/ID/close"},
	{models.ScopeWrite, "POST /invoice/ID/reopen"},
	{models.ScopeWrite, "POST /invoice/ID/debt_collection"},
	{models.ScopeRead, "GET /invoice/ID/collection_bundle"},
	{models.ScopeWrite, "PUT /invoice/ID/dunning_hold"},
	{models.ScopeWrite, "DELETE /invoice/ID/dunning_hold"},
	{models.ScopeRead, "GET /credit_notes"},
	{models.ScopeRead, "GET /credit_note/ID"},
	{models.ScopeRead, "GET /credit_note/ID/pdf"},
	{models.ScopeWrite, "POST /invoice/ID/credit_notes"},
	{models.ScopeRead, "GET /overdue_notices"},
	{models.ScopeRead, "GET /overdue_notice/ID"},
	{models.ScopeRead, "GET /overdue_notice/ID/pdf"},
	{models.ScopeRead, "GET /overdue_notice/ID/calculation"},
	{models.ScopeWrite, "POST /invoice/ID/overdue_notices"},
	{models.ScopeRead, "GET /dunning_plan"},
	{models.ScopeRead, "GET /invoice/ID/course"},
	{models.ScopeRead, "GET /dunning_rules"},
	{models.ScopeAdmin, "PUT /dunning_rules"},
	{models.ScopeRead, "GET /dunning_runs"},
	{models.ScopeRead, "GET /dunning_run/ID"},
	{models.ScopeAdmin, "POST /dunning_run/ID/approve"},
	{models.ScopeRead, "GET /customers"},
	{models.ScopeRead, "GET /customer/ID"},
	{models.ScopeWrite, "POST /customers"},
	{models.ScopeWrite, "PUT /customer/ID"},
	{models.ScopeWrite, "DELETE /customer/ID"},
	{models.ScopeWrite, "PUT /customer/ID/dunning_hold"},
	{models.ScopeWrite, "DELETE /customer/ID/dunning_hold"},
	{models.ScopeRead, "GET /customer/ID/invoices"},
	{models.ScopeRead, "GET /customer/ID/credit_notes"},
	{models.ScopeRead, "GET /customer/ID/ar_transactions"},
	{models.ScopeRead, "GET /ar_transactions"},
	{models.ScopeRead, "GET /ar_transaction/ID"},
	{models.ScopeWrite, "POST /invoice/ID/ar_transactions"},
	{models.ScopeWrite, "POST /credit_note/ID/ar_transactions"},
	{models.ScopeWrite, "DELETE /ar_transaction/ID"},
	{models.ScopeRead, "GET /creditor"},
	{models.ScopeAdmin, "PUT /creditor"},
	{models.ScopeRead, "GET /events"},
	{models.ScopeWrite, "GET /webhooks"},
	{models.ScopeWrite, "POST /webhooks"},
	{models.ScopeWrite, "GET /webhook/ID"},
	{models.ScopeWrite, "PUT /webhook/ID"},
	{models.ScopeWrite, "DELETE /webhook/ID"},
	{models.ScopeWrite, "POST /webhook/ID/secret"},
	{models.ScopeWrite, "GET /webhook/ID/deliveries"},
	{models.ScopeWrite, "GET /webhook_delivery/ID"},
	{models.ScopeWrite, "POST /webhook_delivery/ID/redeliver"},
	{models.ScopeRead, "GET /payment_files"},
	{models.ScopeRead, "GET /payment_file/ID"},
	{models.ScopeRead, "GET /payment_file/ID/raw"},
	{models.ScopeRead, "GET /payment_file/ID/statement_lines"},
	{models.ScopeRead, "GET /statement_lines"},
	{models.ScopeWrite, "POST /payment_files"},
	{models.ScopeRead, "GET /unmatched_payments"},
	{models.ScopeRead, "GET /unmatched_payment/ID"},
	{models.ScopeAdmin, "GET /test_clock"},
	{models.ScopeAdmin, "POST /test_clock"},
}

// makes makes an endpoint's call with an ID, and an empty body where it has one.
func (c *client) makes(call, id string) *answer {
	c.T.Helper()
	method, path, _ := strings.Cut(call, " ")
	body := ""
	if method == http.MethodPost || method == http.MethodPut {
		body = "<x/>"
	}
	return c.Send(method, strings.ReplaceAll(path, "ID", id), body)
}

// TestInterfaceAuthenticationD1 makes every call without a key, and some with a wrong one.
func TestInterfaceAuthenticationD1(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		none, wrong := c.withKey(""), c.withKey("purr_WRONG")
		wrong.HTTP = from(t, "127.0.0.2")
		for _, e := range endpoints {
			a := none.makes(e.call, "1")
			a.Refused(http.StatusUnauthorized, "key_required")
			if schemes := strings.Join(a.Header.Values("WWW-Authenticate"), ", "); !strings.Contains(schemes, "Bearer") || !strings.Contains(schemes, "Basic") {
				t.Errorf("%s: WWW-Authenticate is %q", a.Asked, schemes)
			}
		}
		none.Get("/nowhere").Refused(http.StatusUnauthorized, "key_required")
		for _, call := range []string{"GET /invoices", "POST /invoices", "DELETE /customer/ID"} {
			a := wrong.makes(call, "1")
			a.Refused(http.StatusUnauthorized, "key_wrong")
			if a.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: no WWW-Authenticate", a.Asked)
			}
		}
	})
}

// TestD1AKeyComesAsBearerOrAsBasic sends a key in both ways.
func TestD1AKeyComesAsBearerOrAsBasic(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		c.Get("/invoices", header("Authorization", "Bearer "+c.Key)).Shown()
		for _, password := range []string{"", "x", "whatever:it is"} {
			c.Get("/invoices", func(r *http.Request) { r.SetBasicAuth(c.Key, password) }).Shown()
		}
	})
}

// TestD1Scopes makes every call with a key of each scope: what the scope does not cover is refused, what it
// covers is not refused for the scope.
func TestD1Scopes(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		order := []models.Scope{models.ScopeRead, models.ScopeWrite, models.ScopeAdmin}
		for i, scope := range order {
			as := c.withScope(scope)
			for _, e := range endpoints {
				a := as.makes(e.call, "999999999")
				if slices.Index(order, e.scope) > i {
					a.Refused(http.StatusForbidden, "scope_insufficient")
				} else if a.Status == http.StatusForbidden || a.Status == http.StatusUnauthorized {
					t.Errorf("%s with a key of scope %s: answered %d", a.Asked, scope, a.Status)
				}
			}
		}
	})
}

// TestD2AnotherCreditorsResourcesAreNotThere tries to reach what belongs to one creditor with the admin key of
// another, by every path, list, search and uri.
func TestD2AnotherCreditorsResourcesAreNotThere(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		mine := in.common.on(t)
		customer := mine.customer(named("Mathilde Skomakersvenn"))
		invoice := mine.invoices(order{to: customer.URI(), days: "0"})
		payment := mine.registers("-1", invoice)
		in.at(t, "2023-12-09 00:01")
		reminder := mine.notices(invoice, notice(false, false, false))
		note := mine.credits(invoice)
		in.at(t, "2024-01-08 00:01")
		other := in.creditor(t)

		hook := mine.Post("/webhooks", tag("webhook", tag("url", "http://127.0.0.1:1/"), tag("enabled", "0"))).Created()

		belongs := map[string]node{"/webhook/": hook, "/customer/": customer, "/invoice/": invoice, "/credit_note/": note, "/overdue_notice/": reminder, "/ar_transaction/": payment}
		for _, e := range endpoints {
			for kind, n := range belongs {
				method, path, _ := strings.Cut(e.call, " ")
				if !strings.HasPrefix(path, kind) {
					continue
				}
				uri := strings.Replace(path, kind+"ID", n.URI(), 1)
				body := map[string]string{
					"POST /invoice/ID/credit_notes": creditNote(), "POST /invoice/ID/overdue_notices": notice(false, false, false),
					"PUT /customer/ID":                     tag("customer", tag("name2", "x")),
					"POST /invoice/ID/ar_transactions":     entry("-1", in.Today()),
					"POST /credit_note/ID/ar_transactions": entry("1", in.Today()),
					"POST /invoice/ID/close":               tag("close", tag("reason", "lost")),
					"POST /invoice/ID/reopen":              "<reopen/>",
					"POST /invoice/ID/debt_collection":     "<debt_collection/>",
					"PUT /invoice/ID/dunning_hold":         tag("dunning_hold"),
					"PUT /customer/ID/dunning_hold":        tag("dunning_hold"),
					"PUT /webhook/ID":                      tag("webhook", tag("enabled", "0")),
					"POST /webhook/ID/secret":              "<secret/>",
				}[e.call]
				other.Send(method, uri, body).Refused(http.StatusNotFound, "not_found")
			}
		}
		other.Post("/invoices", order{to: customer.URI()}.xml()).Refused(http.StatusNotFound, "not_found recipient")
		for _, list := range []string{
			"/invoices", "/credit_notes", "/overdue_notices", "/customers", "/ar_transactions", "/webhooks", "/payment_files", "/unmatched_payments",
			"/invoices?search=skomaker", "/credit_notes?search=skomaker", "/customers?search=skomaker", "/invoices?search=" + invoice.At("invoice_number"),
		} {
			equal(t, "number of items in "+list, len(other.List(list)), 0)
		}
		same(t, "types in /events", texts(other.List("/events"), "type"), []string{"creditor.created", "key.created"})
		mine.again(customer).Equals(customer)
		equal(t, "number of items for whom it belongs to", len(mine.List("/customers?search=skomaker")), 1)

		// The numbers and texts of one creditor are no secret of another's, but nothing is shared either.
		same := other.customer(named("Mathilde Skomakersvenn"), tag("customer_number", "1"))
		other.again(same).Shows("customer_number 1")
		other.invoices(order{to: same.URI()}).Shows("invoice_number 1")
	})
}

// TestD3AKeyIsRevokedAtOnce and the creditor's others go on.
func TestD3AKeyIsRevokedAtOnce(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		revoked := c.withScope(models.ScopeRead)
		revoked.HTTP = from(t, "127.0.0.3")
		revoked.Get("/invoices").Shown()
		creditor, err := in.App.Creditor(t.Context(), c.creditor)
		must(t, err)
		keys, err := in.App.DB.Keys(t.Context(), creditor.ID)
		must(t, err)
		for _, k := range keys {
			if k.Scope == models.ScopeRead {
				must(t, in.App.RevokeKey(t.Context(), c.creditor, k.ID))
			}
		}
		revoked.Get("/invoices").Refused(http.StatusUnauthorized, "key_wrong")
		c.Get("/invoices").Shown()
	})
}

// TestD3TenWrongKeysInAMinute: after ten from one address its further failures are told to wait. Missing keys,
// right keys and other addresses are not.
func TestD3TenWrongKeysInAMinute(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		c.HTTP = from(t, "127.0.0.4")
		wrong, none := c.withKey("purr_WRONG"), c.withKey("")
		for range 12 {
			none.Get("/invoices").Refused(http.StatusUnauthorized, "key_required")
		}
		for range 10 {
			wrong.Get("/invoices").Refused(http.StatusUnauthorized, "key_wrong")
		}
		for range 2 {
			a := wrong.Get("/invoices")
			a.Refused(http.StatusTooManyRequests, "too_many_wrong_keys")
			waits(a, 60)
		}
		c.Get("/invoices").Shown()
		none.Get("/invoices").Refused(http.StatusUnauthorized, "key_required")
		elsewhere := wrong.on(t)
		elsewhere.HTTP = from(t, "127.0.0.5")
		elsewhere.Get("/invoices").Refused(http.StatusUnauthorized, "key_wrong")
	})
}

// waits fails the test unless the answer asks to wait for 1 to the most seconds.
func waits(a *answer, most int) {
	a.T.Helper()
	if s, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || s < 1 || s > most {
		a.T.Errorf("%s: Retry-After is %q", a.Asked, a.Header.Get("Retry-After"))
	}
}

// TestD11RateLimit: each key has a bucket of its own where a limit is configured; where none is, a key may call
// as often as it likes.
func TestD11RateLimit(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		unlimited := in.creditor(t)
		for range 30 {
			unlimited.Get("/customers").Shown()
		}
		limited := in.own(t, beginning, func(_ testing.TB, cfg *app.Settings) { cfg.Callers.RateLimit.PerSecond = 1 })
		c := limited.creditor(t)
		answered, refused := 0, 0
		for _, a := range c.AtOnce(8, func() *answer { return c.Get("/customers") }) {
			if a.Status == http.StatusOK {
				answered++
				continue
			}
			refused++
			a.Refused(http.StatusTooManyRequests, "rate_limited")
			waits(a, 60)
		}
		if answered == 0 || refused == 0 {
			t.Errorf("of many calls at once %d were answered and %d refused", answered, refused)
		}
		c.withScope(models.ScopeRead).Get("/customers").Shown()
		eventually(t, "the key may call again", func() (bool, any) {
			a := c.Get("/customers")
			return a.Status == http.StatusOK, strconv.Itoa(a.Status)
		})
	})
}
