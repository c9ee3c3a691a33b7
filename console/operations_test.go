package console_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"purr/console"
	"purr/mailer/webhook"
	"purr/models"
	"purr/store"
)

var madeKey = regexp.MustCompile(`purr_[A-Z2-7]{26}`)

// TestE10AKeyIsShownOnce makes a key, sends the form again, and revokes the key that the reader is signed in with.
func TestE10AKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	page := b.get("operations/keys").is(200).says("Kari 1 may administer")
	b.post(b.base+"/operations/keys", "once", page.once(), "name", "", "scope", "all").is(422)
	made := b.post(b.base+"/operations/keys", "once", page.once(), "name", "Ola <b>", "scope", "write").is(200).says("It is shown this once", "Ola <b>")
	secret := madeKey.FindString(made.body)
	if secret == "" || strings.Contains(made.body, `name="name" value="Ola`) {
		t.Errorf("the page shows no key, or the form as it was sent:\n%s", made.body)
	}
	b.post(b.base+"/operations/keys", "once", page.once(), "name", "Ola <b>", "scope", "write").leads(b.base + "/operations/keys")
	if again := b.get("operations/keys").says("The key Ola <b> is made"); madeKey.MatchString(again.body) {
		t.Error("the key is shown again")
	}
	keys, err := b.db.Keys(t.Context(), b.creditor.ID)
	must(t, err)
	if len(keys) != 2 {
		t.Errorf("there are %d keys", len(keys))
	}
	b.get("operations/keys/1/revoke").is(200).says("You are signed in with this key")
	b.get("operations/keys/9/revoke").is(404)
	b.signIn(secret)
	b.get("operations/keys").is(200)
	b.post(b.base+"/operations/keys/1/revoke", "once", "a").is(403)
	b.signIn(b.key)
	b.post(b.base+"/operations/keys/1/revoke", "once", "b").leads(b.base + "/operations/keys")
	b.get("operations/keys").leads("/sign-in")
}

// TestE10OperationsTellWhatIsTheCreditorsOwn opens the health page, confirms that no file comes, and redelivers.
func TestE10OperationsTellWhatIsTheCreditorsOwn(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, func(c *console.Config) {
		c.Depth = func(context.Context) (console.QueueDepth, error) { return console.QueueDepth{Waiting: 3}, nil }
	})
	b.get("operations").is(200).says("Waiting 3", "Not proven yet", "The files are in time", "No run yet")
	b.post(b.base+"/operations/confirm-none", "once", "a", "date", "2026-02-28").is(422).says("no bank day")
	b.post(b.base+"/operations/confirm-none", "once", "b", "date", "2026-02-27").leads(b.base + "/operations")
	b.get("operations").says("no file comes for 27 February 2026", "Confirmed that none comes for")

	b.post(b.base+"/operations/webhooks", "once", "c", "url", "ftp://x").is(422).says("Must be an absolute http or https address")
	b.post(b.base+"/operations/webhooks", "once", "d", "url", "https://shop.example.no/purr").is(200).says("The secret that signs")
	hook := b.base + "/operations/webhooks/1"
	b.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.Log(ctx, models.Event{CreditorID: b.creditor.ID, Type: models.EventCreditorChanged, SubjectID: b.creditor.ID, Text: "x"})
	})
	must(t, b.db.NumberEvents(t.Context()))
	b.write(func(ctx context.Context, tx *store.Tx) error { return tx.FailDeliveries(ctx, 1, "refused") })
	b.get(hook).is(200).says("Redeliver 2", "creditor.changed", "refused")
	b.get(hook + "?state=delivered").says("No deliveries")
	change := b.get(hook+"/change").is(200).says("Events that are posted", "Payment registered")
	_, rest, _ := strings.Cut(change.body, `name="seen" value="`)
	seen, _, _ := strings.Cut(rest, `"`)
	b.post(hook+"/change", "seen", "x", "url", "https://shop.example.no/purr").is(http.StatusConflict)
	b.post(hook+"/change", "seen", seen, "url", "https://shop.example.no/purr", "event_type", "webhook.created").is(http.StatusBadRequest)
	kept := b.post(hook+"/change", "seen", seen, "url", "shop", "event_type", "invoice.closed").is(422).says("Must be an absolute http or https address")
	if !strings.Contains(kept.body, `value="invoice.closed" checked`) || strings.Contains(kept.body, `value="hold.set" checked`) {
		t.Error("the chosen types are not kept")
	}
	b.post(hook+"/change", "once", "change", "seen", seen, "url", "https://shop.example.no/other", "format", "json", "event_type", "invoice.closed", "event_type", "hold.set").leads(hook)
	w, err := b.db.Webhook(t.Context(), b.creditor.ID, 1)
	if must(t, err); w.URL != "https://shop.example.no/other" || len(w.EventTypes) != 2 || !w.AsJSON {
		t.Errorf("the webhook is %+v", w)
	}
	old := w.Secret
	b.post(hook+"/secret", "once", "renew").is(200).says("The secret that signs", "The old one signs too")
	b.post(hook+"/secret", "once", "renew").leads(hook)
	if w, err = b.db.Webhook(t.Context(), b.creditor.ID, 1); err != nil || w.Secret == old {
		t.Errorf("the secret is the old one, %v", err)
	}
	b.post(hook+"/switch", "once", "e", "enabled", "0").leads(b.base + "/operations/webhooks")
	b.get("operations/webhooks").says("The webhook is switched off", "Undo")
	b.post(hook+"/redeliver", "once", "f").is(http.StatusConflict)
	b.post(hook+"/switch", "once", "g", "enabled", "1").leads(b.base + "/operations/webhooks")
	b.post(hook+"/redeliver", "once", "h").leads(b.base + "/operations/webhooks")
	b.get("operations/webhooks").says("2 deliveries are posted again")
	counts, err := b.db.UndeliveredCounts(t.Context(), b.creditor.ID)
	must(t, err)
	if fmt.Sprint(counts) != "map[1:{2 0}]" {
		t.Errorf("not delivered are %v", counts)
	}

	other := b.newCreditor("Andre")
	b.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.CreateWebhook(ctx, &models.Webhook{CreditorID: other.ID, URL: "https://other.example.no", Enabled: true, Secret: webhook.NewSecret()})
	})
	b.get("operations/webhooks/2").is(404)
	b.post(b.base+"/operations/webhooks/2/switch", "once", "i", "enabled", "0").is(404)
	b.post(b.base+"/operations/webhooks/2/delete", "once", "j").is(404)
	b.get(hook + "/delete").is(200).says("This cannot be undone")
	b.post(hook+"/delete", "once", "delete").leads(b.base + "/operations/webhooks")
	b.get(hook).is(http.StatusNotFound)
	b.signIn(b.newKey(b.creditor, models.ScopeRead))
	b.get("operations/webhooks").is(403)
	b.get("operations/keys").is(200)
}
