package shipments_test

import (
	"regexp"
	"testing"
	"time"

	"purr/mailer/shipments"
	"purr/models"
)

func TestS3aEachSendingHasATagOfItsOwn(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	first := models.Shipment{ID: 999_999_999_999_999_999, CreatedAt: at}
	tag := shipments.Tag("key", first)
	if !regexp.MustCompile(`^999999999999999999-[0-9a-z]{8,40}$`).MatchString(tag) || len("bounce+"+tag) > 64 {
		t.Errorf("the tag is %q", tag)
	}
	attempted := first
	attempted.Attempts, attempted.State, attempted.FirstAttempt = 7, models.ShipmentSent, &at
	if again := shipments.Tag("key", attempted); again != tag {
		t.Errorf("a later attempt has the tag %s, and not %s", again, tag)
	}
	other, created, retried := first, first, first
	other.ID = 7
	created.CreatedAt = at.Add(time.Second) // in the database that a backup has brought back
	retried.RetriedAt = &at
	for what, differs := range map[string]string{
		"another shipment": shipments.Tag("key", other), "one of another installation": shipments.Tag("other key", first),
		"one of the same ID": shipments.Tag("key", created), "one that is sent again": shipments.Tag("key", retried),
	} {
		if differs == tag {
			t.Errorf("%s has the same tag", what)
		}
	}
}
