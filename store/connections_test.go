package store_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

// fewConnections returns the URL of a migrated database on a server that gives so many connections.
func fewConnections(t *testing.T, most int) string {
	t.Helper()
	databaseURL := testkit.MySQL(t)
	rows.Migrate(t, databaseURL)
	admin, err := servers.OpenMySQL(databaseURL)
	must(t, err)
	u, err := url.Parse(databaseURL)
	must(t, err)
	name := "few_" + strings.ToLower(rand.Text()[:12])
	who := fmt.Sprintf("'%s'@'%%'", name)
	for _, statement := range []string{
		fmt.Sprintf("CREATE USER %s IDENTIFIED BY '%s' WITH MAX_USER_CONNECTIONS %d", who, name, most),
		"GRANT ALL ON " + strings.Trim(u.Path, "/") + ".* TO " + who,
	} {
		_, err := admin.ExecContext(t.Context(), statement)
		must(t, err)
	}
	t.Cleanup(func() {
		_, err := admin.ExecContext(context.WithoutCancel(t.Context()), "DROP USER "+who)
		must(t, err)
		must(t, admin.Close())
	})
	u.User = url.UserPassword(name, name)
	return u.String()
}

// asks asks the database in every way: a transaction, a read, a view, and a read that may take long.
func asks(ctx context.Context, db *store.DB, n int) error {
	switch n % 4 {
	case 0:
		return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.SetSetting(ctx, fmt.Sprint("d119 ", n), fmt.Sprint(n))
		})
	case 1:
		_, err := db.Setting(ctx, "d119")
		return err
	case 2:
		return db.View(ctx, func(v store.View) error {
			_, err := v.Setting(ctx, "d119")
			return err
		})
	}
	_, err := db.Patient().Creditors(ctx)
	return err
}

// TestD119TheConnectionsAreCounted: two parts, each asked by 64 at once, on a server that gives 20 connections, leave some for the command
// line. Nothing fails but as unavailable, and readiness answers. They do so where nothing is set, and where too many are.
func TestD119TheConnectionsAreCounted(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]store.Connections{"nothing is set": {}, "too many are set": {Most: 48}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			databaseURL := fewConnections(t, 20)
			var asking sync.WaitGroup
			var done, refused atomic.Int64
			stop := make(chan struct{})
			for range 2 {
				part, err := store.OpenWith(databaseURL, clock.System{}, of)
				must(t, err)
				t.Cleanup(func() { must(t, part.Close()) })
				ours, servers, err := part.Most(t.Context())
				if err != nil || servers != 20 || of.Most == 0 && ours != store.LeastConnections || of.Most != 0 && ours > of.Most {
					t.Errorf("%d of %d connections are taken, %v", ours, servers, err)
				}
				for n := range 64 {
					asking.Go(func() {
						for {
							select {
							case <-stop:
								return
							default:
							}
							switch err := asks(t.Context(), part, n); {
							case err == nil:
								done.Add(1)
							case models.KindOf(err) == models.KindUnavailable:
								refused.Add(1)
							default:
								t.Errorf("ask %d: %v", n, err)
								return
							}
						}
					})
				}
				asking.Go(func() { must(t, part.ForReadiness().Probe(t.Context())) })
			}
			testkit.Eventually(t, "all are served", func() (bool, any) { return done.Load() > 2000, done.Load() })
			soon, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			command, err := store.OpenWith(databaseURL, clock.System{}, store.Connections{Command: true})
			must(t, err)
			var commanding sync.WaitGroup
			for n := range 8 {
				commanding.Go(func() { must(t, asks(soon, command, n)) })
			}
			commanding.Wait()
			if n := command.OpenConnections(); n > store.CommandConnections {
				t.Errorf("the command has %d connections", n)
			}
			must(t, command.Close())
			close(stop)
			asking.Wait()
			if refused.Load() > done.Load()/10 {
				t.Errorf("%d were served and %d refused", done.Load(), refused.Load())
			}
		})
	}
}

// TestD119PagesTakeWhatIsFree: the console's transactions take the connections of all work while these are free, and those that are kept
// for it when they are not. While all of both wait, as for a row lock, readiness answers at once.
func TestD119PagesTakeWhatIsFree(t *testing.T) {
	t.Parallel()
	for _, most := range []int{store.LeastConnections, store.PartConnections} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			t.Parallel()
			databaseURL := testkit.MySQL(t)
			rows.Migrate(t, databaseURL)
			part, err := store.OpenWith(databaseURL, clock.System{}, store.Connections{Most: most})
			must(t, err)
			t.Cleanup(func() { must(t, part.Close()) })
			inside, end := make(chan struct{}, most), make(chan struct{})
			var waiting sync.WaitGroup
			wait := func(db *store.DB, n int) {
				t.Helper()
				for range n {
					waiting.Go(func() {
						must(t, db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
							if _, err := tx.Setting(t.Context(), "d119"); err != nil {
								return err
							}
							inside <- struct{}{}
							<-end
							return nil
						}))
					})
				}
				for range n {
					select {
					case <-inside:
					case <-time.After(testkit.Patience):
						t.Fatalf("not all of %d transactions have a connection", n)
					}
				}
			}
			work, pages := store.Shares(most)
			wait(part.ForPages(), work)
			wait(part.ForPages(), pages)
			soon, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			must(t, part.ForReadiness().Probe(soon))
			_, err = part.ForReadiness().CreditorFaults(soon, 1)
			must(t, err)
			close(end)
			waiting.Wait()
		})
	}
}
