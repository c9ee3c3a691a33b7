package accounts_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

// nothing fails unless no export was noted or told of.
func (l *life) nothing(why string) {
	l.t.Helper()
	exports, err := l.db.AllAccountExports(l.t.Context(), l.creditor.ID)
	must(l.t, err)
	events, err := l.db.NewestEvents(l.t.Context(), l.creditor.ID, store.EventFilter{Type: models.EventAccountsExported}, 0, 10)
	must(l.t, err)
	if len(exports)+len(events) > 0 {
		l.t.Errorf("%s: there are %d exports and %d events", why, len(exports), len(events))
	}
}

// TestA1aAnArchiveThatFailsLeavesNothing has an archive that cannot begin a file, and one that cannot end it. When it can again the export
// is what it would have been.
func TestA1aAnArchiveThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		start := l.today()
		l.months()
		l.pass(1)
		dir := t.TempDir()
		kept, err := archive.Open(dir)
		must(t, err)
		l.kept, l.accounts = kept, accounts.New(l.db, kept, "v1.2.3")
		lack := func(why string, folders ...string) {
			t.Helper()
			for _, folder := range folders {
				must(t, os.Rename(folder, folder+".away"))
				must(t, os.WriteFile(folder, nil, 0o600))
			}
			for _, form := range models.AccountForms {
				if _, err := l.accounts.Make(t.Context(), l.creditor, accounts.Request{From: start, To: start + 29, Form: form}, "a person"); err == nil {
					t.Errorf("%s: %s was made", why, form)
				}
			}
			l.nothing(why)
			for _, folder := range folders {
				must(t, os.Remove(folder))
				must(t, os.Rename(folder+".away", folder))
			}
		}
		lack("no file can begin", filepath.Join(dir, "incoming"))
		var named []string
		for n := range 256 {
			named = append(named, filepath.Join(dir, fmt.Sprintf("%02x", n)))
		}
		lack("no file can end", named...)
		left, err := os.ReadDir(filepath.Join(dir, "incoming"))
		if must(t, err); len(left) > 0 {
			t.Errorf("the archive has kept %v", left)
		}
		for _, form := range models.AccountForms {
			golden(t, "first."+string(form), l.content(l.make(start, start+29, form)))
		}
	})
}

// dying is a context that ends when it has been asked so many times.
type dying struct {
	context.Context
	end  context.CancelFunc
	mu   sync.Mutex
	left int
}

func die(ctx context.Context, after int) *dying {
	ctx, end := context.WithCancel(ctx)
	return &dying{Context: ctx, end: end, left: after}
}

func (d *dying) ask() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left--; d.left < 0 {
		d.end()
	}
}

func (d *dying) Err() error {
	d.ask()
	return d.Context.Err()
}

func (d *dying) Done() <-chan struct{} {
	d.ask()
	return d.Context.Done()
}

// TestA1aWhoeverGoesAwayLeavesNothingOrAll cancels an export ever later, until it gets through. What was not finished left nothing, and
// what was is whole.
func TestA1aWhoeverGoesAwayLeavesNothingOrAll(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		start := l.today()
		l.months()
		l.pass(1)
		r, cancelled := accounts.Request{From: start, To: start + 29, Form: models.FormSAFT}, 0
		for after := 0; ; after += 1 + after/8 {
			ctx := die(t.Context(), after)
			made, err := l.accounts.Make(ctx, l.creditor, r, "a person")
			ctx.end()
			if err == nil {
				golden(t, "first.saft", l.content(made))
				break
			}
			cancelled++
			if exports, err := l.db.AllAccountExports(t.Context(), l.creditor.ID); err != nil || len(exports) > 0 {
				made, err := l.accounts.Make(t.Context(), l.creditor, r, "a person") // it was made, and the answer was lost
				must(t, err)
				golden(t, "first.saft", l.content(made))
				break
			}
			l.nothing(fmt.Sprintf("cancelled after %d questions", after))
		}
		if cancelled < 5 {
			t.Errorf("it was cancelled %d times", cancelled)
		}
	})
}
