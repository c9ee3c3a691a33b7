package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestN10MayNotIsSaid: what a key may not do is there, disabled, with who may. A press that arrives anyway says the same in the same
// words. Keys that were revoked, that may too little, or that are another creditor's are not named.
func TestN10MayNotIsSaid(t *testing.T) {
	b := open(t, models.ScopeRead, nil)
	invoice := rows.Invoice(t, b.db, b.creditor)
	page := fmt.Sprintf("invoices/%d/pay", invoice.Number)
	const alone = "This needs a key that may write. Nobody has such a key yet. Whoever runs purr makes one."
	mustSay(t, b.get(page), alone)

	at, other := b.clock.Now(), rows.Creditor(t, b.db)
	keys := []models.Key{
		{Name: "Nina <regnskap>", Scope: models.ScopeWrite}, {Name: "Ola", Scope: models.ScopeAdmin}, {Name: "Ola", Scope: models.ScopeWrite},
		{Name: "Per", Scope: models.ScopeRead}, {Name: "Fremmed", CreditorID: other.ID, Scope: models.ScopeAdmin}, {Name: "Sluttet", Scope: models.ScopeWrite, RevokedAt: &at},
	}
	b.write(func(ctx context.Context, tx *store.Tx) error { return createKeys(ctx, tx, b.creditor, keys) })
	const named = "This needs a key that may write. Such keys have: Nina <regnskap>, Ola"
	shown := b.get(page)
	mustSay(t, shown, named)
	if !strings.Contains(shown.body, `aria-disabled="true" aria-describedby="needs-write"`) || strings.Contains(shown.body, `id="needs-admin"`) {
		t.Error("the button is not disabled with the sentence of its scope")
	}
	mustSay(t, b.post(page, "amount", "1,00").is(http.StatusForbidden), named)
	mustSay(t, b.get("operations/webhooks").is(http.StatusForbidden), named)
	mustSay(t, b.get("settings/policy"), "This needs a key that may administer. Such keys have: Ola")
	if text := b.get("today").text(); strings.Contains(text, "needs a key") {
		t.Errorf("Today, which has no button, says %s", text)
	}
	b.owes(invoice, invoice.Gross)

	many := make([]models.Key, 7)
	for n := range many {
		many[n] = models.Key{Name: fmt.Sprintf("Kollega %d", n), Scope: models.ScopeWrite}
	}
	b.write(func(ctx context.Context, tx *store.Tx) error { return createKeys(ctx, tx, b.creditor, many) })
	mustSay(t, b.get(page), "Such keys have: Nina <regnskap>, Ola, Kollega 0, Kollega 1, Kollega 2, …")

	writer := open(t, models.ScopeWrite, nil)
	if text := writer.get("bank").text(); strings.Contains(text, "needs a key") {
		t.Errorf("a key that may write is told %s", text)
	}
}

func createKeys(ctx context.Context, tx *store.Tx, c models.Creditor, keys []models.Key) error {
	for n, k := range keys {
		if k.CreditorID == 0 {
			k.CreditorID = c.ID
		}
		k.Hash = models.HashKey(fmt.Sprint(k.Name, n))
		if err := tx.CreateKey(ctx, &k); err != nil {
			return err
		}
	}
	return nil
}

func mustSay(t *testing.T, page *shown, sentence string) {
	t.Helper()
	if text := page.text(); !strings.Contains(text, sentence) {
		t.Errorf("the page does not say %q:\n%s", sentence, text)
	}
}
