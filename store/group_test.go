package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// wish is a work of a group: a customer to be created, with a number that another customer may have.
type wish struct{ number string }

// grouped is a group whose first transaction waits until the test releases it. It records its transactions.
type grouped struct {
	*store.Group[*wish]
	begun, goOn chan struct{}

	mu    sync.Mutex
	sizes []int
}

func newGrouped(db *store.DB, c models.Creditor, most int) *grouped {
	g := &grouped{begun: make(chan struct{}), goOn: make(chan struct{})}
	var first sync.Once
	g.Group = store.NewGroup(db, most, func(ctx context.Context, tx *store.Tx, wishes []*wish) error {
		first.Do(func() {
			close(g.begun)
			<-g.goOn
		})
		g.mu.Lock()
		g.sizes = append(g.sizes, len(wishes))
		g.mu.Unlock()
		for _, w := range wishes {
			customer := models.Customer{CreditorID: c.ID, Recipient: models.Recipient{Name1: w.number, CustomerNumber: w.number}}
			if w.number == "panic" {
				panic(w.number)
			}
			if err := tx.CreateCustomer(ctx, &customer); err != nil {
				return err
			}
		}
		return nil
	})
	return g
}

// all asks for one wish, and for all others while the first is under way. It returns their errors.
func (g *grouped) all(t *testing.T, first string, others ...string) []error {
	t.Helper()
	errs := make([]error, 1+len(others))
	var asking sync.WaitGroup
	ask := func(n int, number string) {
		asking.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					errs[n] = errors.New("panic")
				}
			}()
			errs[n] = g.Do(t.Context(), 1, &wish{number})
		})
	}
	ask(0, first)
	<-g.begun
	for n, number := range others {
		ask(n+1, number)
		for g.Waiting(1) != n+1 { // nothing else shows that it is in line
			runtime.Gosched()
		}
	}
	close(g.goOn)
	asking.Wait()
	return errs
}

func TestGroup(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		t.Run("what waits is done together", func(t *testing.T) {
			c := rows.Creditor(t, db)
			g := newGrouped(db, c, 3)
			if errs := g.all(t, "1", "2", "3", "4", "5"); errors.Join(errs...) != nil {
				t.Error(errs)
			}
			if want := []int{1, 3, 1}; !slices.Equal(g.sizes, want) {
				t.Errorf("the transactions held %v works, want %v", g.sizes, want)
			}
			if _, made, err := db.Customers(t.Context(), c.ID, "", everything); err != nil || made != 5 {
				t.Errorf("%d customers were made, %v, want 5", made, err)
			}
		})
		t.Run("who was served and comes again is done with who waited", func(t *testing.T) {
			c := rows.Creditor(t, db)
			g := newGrouped(db, c, 10)
			store.Patiently(func() {
				errs := make([]error, 3)
				var asking sync.WaitGroup
				ask := func(n int) { errs[n] = g.Do(t.Context(), 1, &wish{fmt.Sprint(n)}) }
				asking.Go(func() { ask(0); ask(1) })
				<-g.begun
				asking.Go(func() { ask(2) })
				for g.Waiting(1) == 0 {
					runtime.Gosched()
				}
				close(g.goOn)
				asking.Wait()
				if errors.Join(errs...) != nil {
					t.Error(errs)
				}
			})
			if want := []int{1, 2}; !slices.Equal(g.sizes, want) {
				t.Errorf("the transactions held %v works, want %v", g.sizes, want)
			}
		})
		t.Run("one that cannot be done spoils no other", func(t *testing.T) {
			c := rows.Creditor(t, db)
			g := newGrouped(db, c, 10)
			errs := g.all(t, "1", "2", "1", "3")
			if errs[0] != nil || errs[1] != nil || models.KindOf(errs[2]) != models.KindConflict || errs[3] != nil {
				t.Error(errs)
			}
			if want := []int{1, 3, 1, 1, 1}; !slices.Equal(g.sizes, want) {
				t.Errorf("the transactions held %v works, want %v", g.sizes, want)
			}
		})
		t.Run("a panic is its caller's, the others learn of it, and the line goes on", func(t *testing.T) {
			c := rows.Creditor(t, db)
			g := newGrouped(db, c, 2)
			errs := g.all(t, "1", "panic", "2", "3")
			if errs[0] != nil || errs[1] == nil || errs[2] == nil || errs[3] != nil {
				t.Error(errs)
			}
		})
		t.Run("a work whose caller is gone is broken off, where no other is with it", func(t *testing.T) {
			c := rows.Creditor(t, db)
			g := newGrouped(db, c, 2)
			ctx, leave := context.WithCancel(t.Context())
			go func() {
				<-g.begun
				leave()
				close(g.goOn)
			}()
			if err := g.Do(ctx, 1, &wish{"1"}); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want that it was cancelled", err)
			}
			if err := g.Do(t.Context(), 1, &wish{"1"}); err != nil {
				t.Errorf("the next is hindered by %v", err)
			}
		})
	})
}
