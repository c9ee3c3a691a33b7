package store_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// deadlock is what MySQL says when it has ended a transaction for another.
var deadlock = &mysql.MySQLError{Number: 1213, Message: "Deadlock found when trying to get lock; try restarting transaction"}

// TestInTxBeginsAgainAfterADeadlock has two transactions lock the same two invoices in opposite order.
func TestInTxBeginsAgainAfterADeadlock(t *testing.T) {
	db := rows.Open(t, testkit.MySQL(t))
	c := rows.Creditor(t, db)
	ids := [2]int64{rows.Invoice(t, db, c).ID, rows.Invoice(t, db, c).ID}

	var begun atomic.Int32
	var both, done sync.WaitGroup
	both.Add(2)
	for first := range 2 {
		done.Go(func() {
			var once sync.Once
			err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				begun.Add(1)
				if _, err := tx.LockInvoice(t.Context(), c.ID, ids[first]); err != nil {
					return err
				}
				once.Do(func() { both.Done(); both.Wait() })
				invoice, err := tx.LockInvoice(t.Context(), c.ID, ids[1-first])
				if err != nil {
					return err
				}
				invoice.Notices++
				return tx.UpdateInvoice(t.Context(), invoice)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if begun.Load() < 3 {
		t.Errorf("begun %d times: there was no deadlock", begun.Load())
	}
	for _, id := range ids {
		if i, err := db.Invoice(t.Context(), c.ID, id); err != nil || i.Notices != 1 {
			t.Errorf("invoice %d was changed %d times, %v", id, i.Notices, err)
		}
	}
}

func TestInTxBeginsAgainAfterALockTimeOut(t *testing.T) {
	db := rows.Open(t, testkit.MySQL(t))
	c := rows.Creditor(t, db)
	invoice := rows.Invoice(t, db, c)

	held, release := make(chan struct{}), make(chan struct{})
	var holder sync.WaitGroup
	holder.Go(func() {
		err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := tx.LockInvoice(t.Context(), c.ID, invoice.ID)
			close(held)
			<-release
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-held
	attempts := 0
	err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
		if attempts++; attempts == 2 {
			close(release)
			holder.Wait()
		}
		must(t, tx.Exec(t.Context(), "SET SESSION innodb_lock_wait_timeout = 1"))
		defer func() { must(t, tx.Exec(t.Context(), "SET SESSION innodb_lock_wait_timeout = DEFAULT")) }()
		_, err := tx.LockInvoice(t.Context(), c.ID, invoice.ID)
		return err
	})
	if err != nil || attempts != 2 {
		t.Errorf("after %d attempts: %v", attempts, err)
	}
}

func TestInTxGivesUp(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		attempts := 0
		err := db.InTx(t.Context(), func(context.Context, *store.Tx) error { attempts++; return deadlock })
		if attempts != 8 || !errors.Is(err, deadlock) {
			t.Errorf("after %d attempts: %v", attempts, err)
		}
		wantKind(t, err, models.KindUnavailable) // trying again later helps

		ctx, cancel := context.WithCancel(t.Context())
		attempts = 0
		err = db.InTx(ctx, func(context.Context, *store.Tx) error { attempts++; cancel(); return deadlock })
		if attempts != 1 || !errors.Is(err, context.Canceled) || !errors.Is(err, deadlock) {
			t.Errorf("cancelled, after %d attempts: %v", attempts, err)
		}
	})
}

func TestInTxMakesNoOtherErrorGood(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		for _, failure := range []error{errors.New("a fault"), models.Conflict("no", "no"), store.ErrDuplicate, &mysql.MySQLError{Number: 1064}} {
			attempts := 0
			if err := db.InTx(t.Context(), func(context.Context, *store.Tx) error { attempts++; return failure }); attempts != 1 || !errors.Is(err, failure) {
				t.Errorf("after %d attempts: %v, want %v at once", attempts, err, failure)
			}
		}
	})
}

// TestASecondWriterWaits checks that on SQLite, which has one writer at a time, another process waits and then
// sees what the first wrote.
func TestASecondWriterWaits(t *testing.T) {
	databaseURL := testkit.SQLite(t)
	one, other := rows.Open(t, databaseURL), rows.Open(t, databaseURL)
	writing := make(chan struct{})
	var second sync.WaitGroup
	second.Go(func() {
		<-writing
		err := other.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			if got, err := tx.Setting(t.Context(), "word"); got != "first" {
				t.Errorf("the second sees %q, %v", got, err)
			}
			return tx.SetSetting(t.Context(), "word", "second")
		})
		if err != nil {
			t.Error(err)
		}
	})
	rows.Write(t, one, func(tx *store.Tx) error {
		close(writing)
		return tx.SetSetting(t.Context(), "word", "first")
	})
	second.Wait()
	if got, err := one.Setting(t.Context(), "word"); got != "second" || err != nil {
		t.Errorf("in the end it is %q, %v", got, err)
	}
}

func TestSQLiteThatStaysLockedIsUnavailable(t *testing.T) {
	databaseURL := testkit.SQLite(t)
	one, other := rows.Open(t, databaseURL), rows.Open(t, databaseURL)
	must(t, other.Exec(t.Context(), "PRAGMA busy_timeout = 0"))
	rows.Write(t, one, func(*store.Tx) error {
		wantKind(t, other.InTx(t.Context(), func(context.Context, *store.Tx) error { return nil }), models.KindUnavailable)
		return nil
	})
}
