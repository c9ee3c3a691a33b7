package api_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/api"
	"purr/api/guard"
	"purr/models"
	"purr/store"
)

func TestD1EveryPathNeedsAKey(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for _, path := range []string{"/api/v1/invoices", "/api/v1/invoice/1", "/api/v1/nothing", "/api/v1", "/api/v1/../v1/invoices"} {
		r := in.get(path, noKey)
		r.refused(t, http.StatusUnauthorized, "key_required")
		if len(r.header.Values("WWW-Authenticate")) != 2 {
			t.Errorf("%s: WWW-Authenticate is %q", path, r.header.Values("WWW-Authenticate"))
		}
	}
	in.get("/api/v1/invoices", header("Authorization", "Bearer wrong")).refused(t, http.StatusUnauthorized, "key_wrong")
	in.get("/api/v1/invoices", header("Authorization", "Digest x")).refused(t, http.StatusUnauthorized, "key_required")
}

func TestD1KeyComesAsBearerOrAsBasicUserName(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	basic := base64.StdEncoding.EncodeToString([]byte(in.key + ":anything"))
	for _, value := range []string{"Bearer " + in.key, "bearer " + in.key, "Basic " + basic} {
		in.get("/api/v1/invoices", header("Authorization", value)).is(t, http.StatusOK)
	}
}

func TestD1Scopes(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.TestClock = &stillClock{} })
	calls := []struct {
		scope        models.Scope
		method, path string
	}{
		{models.ScopeRead, "GET", "/api/v1/creditor"},
		{models.ScopeRead, "GET", "/api/v1/events"},
		{models.ScopeWrite, "POST", "/api/v1/customers"},
		{models.ScopeWrite, "PUT", "/api/v1/customer/1"},
		{models.ScopeWrite, "DELETE", "/api/v1/customer/1"},
		{models.ScopeWrite, "POST", "/api/v1/payment_files"},
		{models.ScopeAdmin, "PUT", "/api/v1/creditor"},
		{models.ScopeAdmin, "GET", "/api/v1/test_clock"},
		{models.ScopeAdmin, "POST", "/api/v1/test_clock"},
	}
	for _, have := range []models.Scope{models.ScopeRead, models.ScopeAdmin} {
		in.newKey(in.creditor, have)
	}
	for _, call := range calls {
		for _, have := range []models.Scope{models.ScopeRead, models.ScopeWrite, models.ScopeAdmin} {
			key := "key-" + string(have) + "-" + in.creditor.Name
			r := in.send(call.method, call.path, "", header("Authorization", "Bearer "+key))
			if forbidden := r.status == http.StatusForbidden; forbidden == have.Allows(call.scope) {
				t.Errorf("%s %s with a key of scope %s: %d", call.method, call.path, have, r.status)
			}
		}
	}
}

// stillClock is a test clock that moves nothing but itself.
type stillClock struct{ now time.Time }

func (c *stillClock) Now() time.Time                                { return c.now }
func (c *stillClock) Advance(_ context.Context, to time.Time) error { c.now = to; return nil }

func TestD3RevokedKeyIsWrongAtOnce(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		in.get("/api/v1/invoices").is(t, http.StatusOK)
		keys, err := in.db.Keys(t.Context(), in.creditor.ID)
		must(t, err)
		in.write(func(ctx context.Context, tx *store.Tx) error { return tx.RevokeKey(ctx, in.creditor.ID, keys[0].ID) })
		in.get("/api/v1/invoices").refused(t, http.StatusUnauthorized, "key_wrong")
	})
}

func TestD3TenWrongKeysInAMinute(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	wrong := func() reply { return in.get("/api/v1/invoices", header("Authorization", "Bearer guess")) }
	for range 20 {
		in.get("/api/v1/invoices", noKey).is(t, http.StatusUnauthorized)
	}
	for range 10 {
		wrong().refused(t, http.StatusUnauthorized, "key_wrong")
		in.wall.Set(in.wall.Now().Add(time.Second))
	}
	r := wrong()
	r.refused(t, http.StatusTooManyRequests, "too_many_wrong_keys")
	if got := r.header.Get("Retry-After"); got != "50" {
		t.Errorf("Retry-After is %q, want 50: the first of the ten was 10 seconds ago", got)
	}
	in.get("/api/v1/invoices").is(t, http.StatusOK)
	in.get("/api/v1/invoices", noKey).is(t, http.StatusUnauthorized)
	in.wall.Set(in.wall.Now().Add(50 * time.Second))
	wrong().refused(t, http.StatusUnauthorized, "key_wrong")
	wrong().refused(t, http.StatusTooManyRequests, "too_many_wrong_keys")
}

func TestD3LastUseIsNotedOnceAMinute(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		lastUse := func() *time.Time {
			must(t, in.server.Close())
			keys, err := in.db.Keys(t.Context(), in.creditor.ID)
			must(t, err)
			return keys[0].LastUsedAt
		}
		in.get("/api/v1/invoices")
		if got := lastUse(); got == nil || !got.Equal(start) {
			t.Fatalf("last use is %v, want %v", got, start)
		}
		in.clock.Set(start.Add(59 * time.Second))
		in.get("/api/v1/invoices")
		if got := lastUse(); !got.Equal(start) {
			t.Errorf("last use is %v: noted again within a minute", got)
		}
		in.clock.Set(start.Add(time.Minute))
		in.get("/api/v1/invoices")
		if got := lastUse(); !got.Equal(start.Add(time.Minute)) {
			t.Errorf("last use is %v, want a minute after %v", got, start)
		}
	})
}

func TestD11RateLimitPerKey(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.RateLimit = guard.RateLimit{PerSecond: 0.5, Burst: 2} })
	in.get("/api/v1/invoices").is(t, http.StatusOK)
	in.get("/api/v1/invoices").is(t, http.StatusOK)
	r := in.get("/api/v1/invoices")
	r.refused(t, http.StatusTooManyRequests, "rate_limited")
	pause, err := strconv.Atoi(r.header.Get("Retry-After"))
	if err != nil || pause != 2 {
		t.Fatalf("Retry-After is %q, want 2", r.header.Get("Retry-After"))
	}
	in.another("Annen AS").get("/api/v1/invoices").is(t, http.StatusOK)
	in.wall.Set(in.wall.Now().Add(2 * time.Second))
	in.get("/api/v1/invoices").is(t, http.StatusOK)
}

func TestD11RateLimitLimitsKeysAlone(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.RateLimit = guard.RateLimit{PerSecond: 0.5, Burst: 1} })
	for range 3 {
		in.get("/healthz", noKey).is(t, http.StatusOK)
		in.get("/readyz").is(t, http.StatusOK)
		in.get("/api/v1/invoices", noKey).is(t, http.StatusUnauthorized)
		in.get("/api/v1/invoices", header("Authorization", "Bearer guess")).is(t, http.StatusUnauthorized)
	}
	const body = `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`
	in.get("/api/v1/nothing").is(t, http.StatusNotFound)
	for range 2 {
		in.send("POST", "/api/v1/customers", body, header("Idempotency-Key", "k")).refused(t, http.StatusTooManyRequests, "rate_limited")
	}
	in.wall.Set(in.wall.Now().Add(2 * time.Second))
	in.make("/api/v1/customers", body, header("Idempotency-Key", "k")) // the refusals were not kept
}

// TestD12EveryAnswerBearsTheRequestsID asks for every kind of answer.
func TestD12EveryAnswerBearsTheRequestsID(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) {
		c.RateLimit = guard.RateLimit{PerSecond: 0.5, Burst: 100}
		c.TestClock = brokenClock{}
		c.Checks = []api.Check{{Name: "queue", Ask: func(context.Context) error { return errors.New("away") }}}
		c.Metrics = http.NotFoundHandler()
	})
	customer, admin := in.customer(), in.admin()
	for n, call := range []struct {
		as           *installation
		method, path string
		body         string
		options      []option
		status       int
	}{
		{in, "GET", customer, "", nil, http.StatusOK},
		{in, "HEAD", customer, "", nil, http.StatusOK},
		{in, "POST", "/api/v1/customers", `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name></customer>`, nil, http.StatusCreated},
		{in, "DELETE", customer, "", nil, http.StatusNoContent},
		{in, "POST", "/api/v1/customers", "<", nil, http.StatusBadRequest},
		{in, "GET", customer, "", []option{noKey}, http.StatusUnauthorized},
		{in, "PUT", "/api/v1/creditor", "<creditor/>", nil, http.StatusForbidden},
		{in, "GET", "/nothing", "", nil, http.StatusNotFound},
		{in, "GET", "//", "", nil, http.StatusNotFound},
		{in, "OPTIONS", "/api/v1/customers", "", nil, http.StatusMethodNotAllowed},
		{in, "POST", "/api/v1/customers", strings.Repeat(" ", 1<<20+1), nil, http.StatusRequestEntityTooLarge},
		{in, "POST", "/api/v1/customers", "{}", []option{header("Content-Type", "application/yaml")}, http.StatusUnsupportedMediaType},
		{in, "POST", "/api/v1/customers", "<customer/>", nil, http.StatusUnprocessableEntity},
		{admin, "GET", "/api/v1/test_clock", "", nil, http.StatusInternalServerError},
		{in, "GET", "/readyz", "", nil, http.StatusServiceUnavailable},
		{in, "GET", "/metrics", "", nil, http.StatusNotFound},
	} {
		id := "request-" + strconv.Itoa(n)
		r := call.as.send(call.method, call.path, call.body, append(call.options, header("X-Request-Id", id))...)
		r.is(t, call.status)
		if got := r.header.Get("X-Request-Id"); got != id {
			t.Errorf("%s %s: answer %d bears the ID %q", call.method, call.path, r.status, got)
		}
		if call.path != "/metrics" && !strings.Contains(in.logged.String(), "id="+id+" ") {
			t.Errorf("%s %s: it is not in the log", call.method, call.path)
		}
	}
}
