package e2e_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/servers"
)

// TestD119FewConnectionsAreEnough: two parts on a MariaDB with max_connections=20, asked by 64 clients, while purr verify proves the books.
// Nothing fails but with 503 and Retry-After, readiness and the console are answered, and so is the command line.
func TestD119FewConnectionsAreEnough(t *testing.T) {
	t.Parallel()
	server, err := servers.StartMariaDB(t.Context(), servers.Options{MaxConnections: 20})
	must(t, err)
	t.Cleanup(func() { must(t, server.Stop()) })
	admin, err := servers.OpenMySQL(server.URL)
	must(t, err)
	_, err = admin.ExecContext(t.Context(), "CREATE DATABASE purr CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	must(t, err)
	must(t, admin.Close())
	where := []string{
		"PURR_DATA=" + t.TempDir(), "PURR_DATABASE_URL=" + strings.TrimSuffix(server.URL, "/") + "/purr", "PURR_REDIS_URL=" + testkit.RedisServer(t).URL,
		"PURR_LISTEN=127.0.0.1:0", "PURR_RATE_LIMIT=0",
	}
	ok(t, where, "migrate")
	ok(t, where, "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account)
	key := strings.TrimSpace(ok(t, where, "keys", "create", "--creditor", "Fjord Rør AS", "--scope", "admin"))
	var clients []*client
	for range 2 {
		address := begin(t, where, "serve").listening()
		clients = append(clients, newClient(t, func() string { return address }, key))
	}
	customer := clients[0].customer(t, "Kari Nordmann")
	asks := []call{
		{method: http.MethodPost, path: "/api/v1/invoices", body: invoiceOf{customer: customer, days: 14, net: "100.00"}.xml()},
		{method: http.MethodGet, path: "/api/v1/invoices"},
		{method: http.MethodGet, path: "/readyz"},
		{method: http.MethodGet, path: "/api/v1/receivables"},
		{method: http.MethodGet, path: "/sign-in"},
		{method: http.MethodPost, path: "/api/v1/customers", body: "<customer><name1>Ola</name1><address1>Storgata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></customer>"},
	}
	var asking sync.WaitGroup
	var answered, busy atomic.Int64
	stop := make(chan struct{})
	for n := range 64 {
		asking.Go(func() {
			for i := n; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				ask := asks[i%len(asks)]
				a, err := clients[n%2].do(t.Context(), ask)
				switch {
				case err != nil:
					t.Errorf("%s %s: %v", ask.method, ask.path, err)
					return
				case a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != "" && ask.path != "/readyz":
					busy.Add(1)
				case a.Status >= http.StatusInternalServerError:
					t.Errorf("%s %s: %d %s", ask.method, ask.path, a.Status, a.Body)
					return
				default:
					answered.Add(1)
				}
			}
		})
	}
	enough := func(n int64) {
		t.Helper()
		eventually(t, "the clients are answered", func() (bool, any) { return answered.Load() >= n || t.Failed(), answered.Load() })
	}
	enough(64)
	for _, command := range [][]string{{"creditor", "list"}, {"verify"}, {"creditor", "list"}} {
		asked := time.Now()
		ok(t, where, command...)
		if took := time.Since(asked); command[0] == "creditor" && took > 10*time.Second {
			t.Errorf("purr %s took %s", strings.Join(command, " "), took)
		}
		enough(answered.Load() + 64)
	}
	close(stop)
	asking.Wait()
	if busy.Load() > answered.Load()/10 {
		t.Errorf("%d were answered, and %d were told to come again", answered.Load(), busy.Load())
	}
}
