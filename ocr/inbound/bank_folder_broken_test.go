package inbound

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/internal/remote"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestABankThatIsAwayIsTriedAgainWithGrowingPauses(t *testing.T) {
	eachBank(t, AfterLeave, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		f := b.open(t)
		b.put(t, "file", unknown(t, c, 1_00), time.Hour)
		b.server.Kill()
		var pauses []time.Duration
		for range 10 {
			due, err := f.Due(t.Context())
			must(t, err)
			if due.IsZero() {
				due = b.clock.Now()
			}
			b.clock.Set(due)
			must(t, f.PollIfDue(t.Context()))
			next, err := f.Due(t.Context())
			must(t, err)
			pauses = append(pauses, next.Sub(due))
			must(t, f.PollIfDue(t.Context())) // too early: it changes nothing
		}
		want := []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 900, 900}
		for i := range want {
			want[i] *= time.Second
		}
		if !slices.Equal(pauses, want) {
			t.Errorf("the pauses are %v, want %v", pauses, want)
		}
		checks, err := b.DB.BankPolls(t.Context(), 100)
		must(t, err)
		if len(checks) != 10 || checks[0].OK || !strings.Contains(checks[0].Failure, "SFTP server 127.0.0.1") {
			t.Errorf("the checks are %+v", checks)
		}
		if got := b.Events(t, c, models.EventBankUnreachable); len(got) != 0 {
			t.Errorf("after less than a day the creditor was told %q", got)
		}
		for range 2 { // once
			b.clock.Set(rows.Start.Add(longUnreachable).Add(time.Duration(len(checks)) * time.Hour))
			must(t, f.PollIfDue(t.Context()))
		}
		got := b.Events(t, c, models.EventBankUnreachable)
		if len(got) != 1 || !strings.HasPrefix(got[0], "No files could be fetched from "+f.Name()+" since 2026-03-02 12:00: ") {
			t.Errorf("after a day the creditor was told %q", got)
		}

		b.server.Start()
		b.clock.Set(b.clock.Now().Add(time.Hour))
		must(t, f.PollIfDue(t.Context()))
		folders, err := b.DB.BankFolders(t.Context())
		must(t, err)
		folder := folders[f.Name()]
		if folder.Failures != 0 || folder.FailingSince != nil || folder.Told || !folder.LastSuccess.Equal(b.clock.Now()) ||
			!folder.NextPoll.Equal(b.clock.Now().Add(15*time.Minute)) || folder.LeasedUntil != nil || len(b.arrived(t)) != 1 {
			t.Errorf("back again, the folder is %+v, and %d files came", folder, len(b.arrived(t)))
		}
	})
}

func TestABankThatRefusesUsIsNotPressed(t *testing.T) {
	eachBank(t, AfterLeave, func(t *testing.T, b *bank) {
		for name, change := range map[string]func(*remote.Access){
			"another host key": func(a *remote.Access) { a.HostKey = "SHA256:" + strings.Repeat("A", 43) },
			"no host key":      func(a *remote.Access) { a.HostKey = "" },
			"a wrong password": func(a *remote.Access) { a.KeyFile, a.Password = "", "guessed" },
			"no such folder":   func(a *remote.Access) { a.URL += "/nowhere" },
		} {
			t.Run(name, func(t *testing.T) {
				f := b.open(t, change)
				check, files, err := f.Poll(t.Context())
				must(t, err)
				due, err := f.Due(t.Context())
				must(t, err)
				if check.OK || len(files) != 0 || !due.Equal(rows.Start.Add(15*time.Minute)) {
					t.Errorf("the check is %+v, and the next is due at %s", check, due)
				}
			})
		}
	})
}

// A poll is killed after each number of transactions. The next poll continues it: every payment is posted once, and the
// files are deleted.
func TestAPollThatIsKilledAnywhereIsContinued(t *testing.T) {
	eachBank(t, AfterDelete, func(t *testing.T, b *bank) {
		for died, after := true, 0; died; after++ {
			c := rows.Creditor(t, b.DB)
			invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
			age := time.Duration(after) * time.Second
			b.put(t, "first", fileOf(c.BankAccount, paid(invoice.KID, 100_00)).Bytes(t), 2*time.Hour-age)
			b.put(t, "second", fileOf(c.BankAccount, paid(invoice.KID, 200_00)).Bytes(t), time.Hour-age)
			died = b.until(t, after, func(ctx context.Context, db *store.DB, im *ocr.Importer) error {
				f := b.open(t)
				f.db, f.importer = db, im
				check, err := f.lease(ctx, true)
				if err != nil {
					return errors.Join(err, ctx.Err())
				}
				p := poll{BankFolder: f}
				if err := p.run(ctx); ctx.Err() != nil {
					return ctx.Err() // dead: nobody notes anything
				} else if err != nil {
					return err
				}
				check.OK = true
				return f.update(ctx, func(ctx context.Context, tx *store.Tx, folder *models.BankFolder) error {
					folder.LeasedUntil, check.EndedAt = nil, &tx.Now
					return tx.UpdateBankPoll(ctx, check)
				})
			})
			b.clock.Set(b.clock.Now().Add(leaseTime)) // of the dead
			check, _ := b.poll(t)
			if !check.OK {
				t.Fatalf("killed after %d transactions, the next check is %+v", after, check)
			}
			b.holds(t)
			if owed := b.Balance(t, invoice); owed != 700_00 {
				t.Errorf("killed after %d transactions, %s is owed, want 700.00", after, owed)
			}
			b.Prove(t, c)
		}
	})
}

func TestAPollThatIsStoppedReturnsTheLease(t *testing.T) {
	eachBank(t, AfterLeave, func(t *testing.T, b *bank) {
		b.put(t, "file", unknown(t, rows.Creditor(t, b.DB), 1_00), time.Hour)
		ctx, stop := context.WithCancel(t.Context())
		b.between = stop
		check, _, err := b.open(t).Poll(ctx)
		if !errors.Is(err, context.Canceled) || check.OK || check.EndedAt == nil {
			t.Errorf("the check is %+v, %v", check, err)
		}
		b.between = func() {}
		must(t, b.open(t).PollIfDue(t.Context()))
		if n := len(b.arrived(t)); n != 1 {
			t.Errorf("%d files came then", n)
		}
	})
}

func TestOfTwoPollsAtOnceOneIsMade(t *testing.T) {
	eachBank(t, AfterMove, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		for n := range 5 {
			b.put(t, string(rune('a'+n)), unknown(t, c, models.Amount(100+n)), time.Hour)
		}
		within, free := make(chan struct{}), make(chan struct{})
		b.between = func() { close(within); <-free }
		first := b.open(t)
		var both sync.WaitGroup
		both.Go(func() {
			if check, _, err := first.Poll(t.Context()); err != nil || check.Files != 5 {
				t.Errorf("the first takes %d files: %v", check.Files, err)
			}
		})
		<-within
		if _, _, err := b.open(t).Poll(t.Context()); !errors.Is(err, ErrPolling) {
			t.Errorf("the second fails with %v", err)
		}
		must(t, b.open(t).PollIfDue(t.Context()))
		close(free)
		both.Wait()
		if checks, err := b.DB.BankPolls(t.Context(), 10); err != nil || len(checks) != 1 {
			t.Errorf("%d checks were made: %v", len(checks), err)
		}
	})
}

// Two polls go on at once, as if the lease of the first had run out while it was alive.
func TestTwoPollsAtOnceDoNoHarm(t *testing.T) {
	eachBank(t, AfterMove, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
		for n := range 5 {
			b.put(t, string(rune('a'+n)), fileOf(c.BankAccount, paid(invoice.KID, models.Amount(100_00+n))).Bytes(t), time.Hour)
		}
		visits := []*poll{{BankFolder: b.open(t)}, {BankFolder: b.open(t)}}
		var both sync.WaitGroup
		for _, v := range visits {
			both.Go(func() {
				if err := v.run(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if owed := b.Balance(t, invoice); owed != 1000_00-500_10 {
			t.Errorf("%s is owed", owed)
		}
		b.holds(t, "fetched/a", "fetched/b", "fetched/c", "fetched/d", "fetched/e")
		b.Prove(t, c)
	})
}
