package models

import (
	"database/sql/driver"
	"fmt"
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

// SecretOverlap is how long a webhook's old secret signs besides the new one.
const SecretOverlap = 24 * time.Hour

// Webhook is an address to which a creditor's events are posted as they happen (rule E7).
//
// Its secrets lie in the database in clear, unlike API keys: who signs needs the secret itself.
type Webhook struct {
	ID             int64
	CreditorID     int64
	URL            string
	Description    string
	Enabled        bool
	EventTypes     EventTypes // those that are posted; none is all
	Secret         Secret
	OldSecret      Secret     // the one before, empty where there was none
	OldSecretUntil *time.Time // until when, exclusive, the old one signs too
	CreatedAt      time.Time
}

// Validate returns every fault of the webhook's fields, nil where there is none.
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

// Renew replaces the secret. The one that it replaces signs too for SecretOverlap, an older one no more.
func (w *Webhook) Renew(secret Secret, now time.Time) {
	until := now.Add(SecretOverlap)
	w.OldSecret, w.OldSecretUntil, w.Secret = w.Secret, &until, secret
}

// Secrets returns what a delivery at the moment is signed with, the newest first.
func (w Webhook) Secrets(now time.Time) []Secret {
	if w.OldSecretUntil != nil && now.Before(*w.OldSecretUntil) {
		return []Secret{w.Secret, w.OldSecret}
	}
	return []Secret{w.Secret}
}

// Secret is what deliveries are signed with, whsec_ and base64. No form of printing shows it.
type Secret string

// String hides the secret.
func (Secret) String() string { return "(secret)" }

// GoString hides the secret.
func (s Secret) GoString() string { return s.String() }

// EventTypes are kept in the database as one text, with blanks between them.
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
	var text string
	switch v := src.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return fmt.Errorf("a %T is not a list of event types", src)
	}
	for _, name := range strings.Fields(text) {
		*ts = append(*ts, EventType(name))
	}
	return nil
}
