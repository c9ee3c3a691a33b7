package shipments

import (
	"context"
	"crypto/hmac"
	"fmt"
	"strings"
	"time"

	"purr/mailer/bounce"
	"purr/models"
	"purr/store"
)

// Bounced is what a delivery report told of one recipient. Nothing of it is believed if there is no shipment.
type Bounced struct {
	ShipmentID int64
	Told       string // the action, the status and the server's words; or why the report is ignored
}

// String returns a line such as "shipment 7: failed 5.1.1 550 no such user".
func (b Bounced) String() string {
	if b.ShipmentID == 0 {
		return "ignored: " + b.Told
	}
	return fmt.Sprintf("shipment %d: %s", b.ShipmentID, b.Told)
}

// Bounce takes in a delivery report, and returns what it told of each recipient (rule S3a). If it has the tag of a
// shipment, the shipment failed where the report says so; whatever else it tells is kept as a note. Any other changes
// nothing: whoever has the tag had the e-mail in hand, and whoever only knows its number or its Message-ID may be anybody.
// The same report once more changes nothing.
func Bounce(ctx context.Context, db *store.DB, report bounce.Report, actor string) ([]Bounced, error) {
	if len(report.Recipients) == 0 {
		return []Bounced{{Told: "this is no delivery report"}}, nil
	}
	key, err := db.BounceKey(ctx)
	if err != nil {
		return nil, err
	}
	var told []Bounced
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		told, err = hear(ctx, tx, key, report, actor)
		return err
	})
	return told, err
}

// hear keeps what a delivery report tells of each recipient.
func hear(ctx context.Context, tx *store.Tx, key string, report bounce.Report, actor string) (told []Bounced, err error) {
	s, known, err := tagged(ctx, tx, key, report.Tags)
	if err != nil {
		return nil, err
	}
	for _, r := range report.Recipients {
		words := models.Foreign(r.Action+" "+r.Status+" "+r.Diagnostic, models.MaxReason)
		if !known {
			told = append(told, Bounced{Told: "it has no shipment's tag: " + words})
			continue
		}
		state, reason := models.ReportedDelayed, words
		if r.Action == string(models.ShipmentFailed) {
			state, reason = models.ShipmentFailed, strings.TrimSpace(strings.TrimPrefix(words, r.Action))
		}
		kept, err := newReport(string(state), reason, momentOf(s, report, r))
		if err != nil {
			return nil, err
		}
		kept.ShipmentID = s.ID
		if err := takeIn(ctx, tx, s, kept, models.BlameOfReport(r.Status, r.Diagnostic), actor); err != nil {
			return nil, err
		}
		told = append(told, Bounced{s.ID, words})
	}
	return told, nil
}

// takeIn keeps what a delivery report tells. A failure for a fault of the settings, such as a policy that the sender's domain does
// not meet, makes no letter of the e-mail: it is owed again, and a person is told, who sets it right (rule D107).
func takeIn(ctx context.Context, tx *store.Tx, s models.Shipment, kept models.ShipmentReport, blame models.Blame, actor string) error {
	ours := kept.State == models.ShipmentFailed && blame == models.BlameSettings
	if ours {
		w, err := tx.LockWayOut(ctx, s.CreditorID, s.Method)
		if err != nil {
			return err
		}
		if w.Tell(string(models.EventWayRefused)+" "+models.RefusalWords(kept.Reason), tx.Now) {
			if err := tx.UpdateWayOut(ctx, w); err != nil {
				return err
			}
			if err := tellRefusal(ctx, tx, models.EventWayRefused, s, kept.Reason); err != nil {
				return err
			}
		}
	}
	_, err := report(ctx, tx, kept, actor, ours)
	return err
}

// tagged returns the e-mail with the first of the tags that is one. A tag of before the shipment was sent again is none.
func tagged(ctx context.Context, tx *store.Tx, key string, tags []string) (s models.Shipment, known bool, err error) {
	for _, tag := range tags {
		number, _, _ := strings.Cut(tag, "-")
		id, err := idOf(number)
		if err != nil {
			continue
		}
		s, err := tx.Shipment(ctx, id)
		if models.KindOf(err) == models.KindNotFound {
			continue
		}
		if err != nil {
			return models.Shipment{}, false, err
		}
		if s.Method == models.ByEmail && hmac.Equal([]byte(Tag(key, s)), []byte(tag)) {
			return s, true, nil
		}
	}
	return models.Shipment{}, false, nil
}

// momentOf returns the moment that a report tells of: when the recipient was last tried, or else when the report was
// written, or when the e-mail had come to the server. Clocks differ, but what has a shipment's tag was told after the
// shipment left.
func momentOf(s models.Shipment, report bounce.Report, r bounce.Recipient) time.Time {
	at := time.Time{}
	for _, candidate := range []time.Time{r.Attempted, report.Sent, report.Arrived} {
		if at.IsZero() {
			at = candidate
		}
	}
	for _, left := range []*time.Time{&s.CreatedAt, s.RetriedAt, s.FirstAttempt} {
		if left != nil && at.Before(*left) {
			at = *left
		}
	}
	return at
}
