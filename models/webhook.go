package models

import (
	"database/sql/driver"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The limits of webhooks (rule E7).
const (
	MaxWebhooks   = 20  // of one creditor
	MaxWebhookURL = 500 // characters
)

// SecretOverlap is how long a webhook's old secret still signs beside the new one.
const SecretOverlap = 24 * time.Hour

// Webhook is an address to which a creditor's events are posted as they happen (rule E7). Unlike API keys, its secrets
// are in the database in clear text, because signing needs them.
type Webhook struct {
	ID             int64
	CreditorID     int64
	URL            string
	Description    string
	Enabled        bool
	EventTypes     EventTypes // the types that are posted; empty means all
	AsJSON         bool       // they are posted in JSON, and otherwise in XML (rule J4)
	Secret         Secret
	OldSecret      Secret     // the replaced secret, or empty
	OldSecretUntil *time.Time // the old secret signs too until then, exclusive
	CreatedAt      time.Time
}

// Validate returns every fault of the webhook's fields, or nil.
func (w Webhook) Validate() error {
	var faults Errors
	if !validWebhookURL(w.URL) {
		faults.Add("invalid_url", "url", "must be an absolute http or https URL of at most %d characters, without user or password", MaxWebhookURL)
	}
	faults.text("description", w.Description, MaxComment)
	return faults.ErrorOrNil()
}

func validWebhookURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		utf8.RuneCountInString(s) <= MaxWebhookURL
}

// Wants reports whether events of the type are posted to the webhook.
func (w Webhook) Wants(t EventType) bool {
	return w.Enabled && t.Posted() && (len(w.EventTypes) == 0 || slices.Contains(w.EventTypes, t))
}

// Renew replaces the secret. The replaced secret still signs for SecretOverlap; an even older one stops at once.
func (w *Webhook) Renew(secret Secret, now time.Time) {
	until := now.Add(SecretOverlap)
	w.OldSecret, w.OldSecretUntil, w.Secret = w.Secret, &until, secret
}

// Secrets returns the secrets that sign a delivery at the moment, the newest first.
func (w Webhook) Secrets(now time.Time) []Secret {
	if w.OldSecretUntil != nil && now.Before(*w.OldSecretUntil) {
		return []Secret{w.Secret, w.OldSecret}
	}
	return []Secret{w.Secret}
}

// Secret signs deliveries: whsec_ and base64. No form of printing shows it.
type Secret string

// String hides the secret.
func (Secret) String() string { return "(secret)" }

// GoString hides the secret.
func (s Secret) GoString() string { return s.String() }

// EventTypes are types of events. The database keeps them as one text, separated by blanks.
type EventTypes []EventType

// Value gives the types to a database.
func (ts EventTypes) Value() (driver.Value, error) {
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = string(t)
	}
	return strings.Join(names, " "), nil
}

// Scan takes the types from a database.
func (ts *EventTypes) Scan(src any) error {
	*ts = nil
	text, err := textOf(src)
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(text) {
		*ts = append(*ts, EventType(name))
	}
	return nil
}
