package models_test

import (
	"testing"
	"time"

	"purr/models"
)

// TestD118ADeliveryIsTriedAgainAfterSleep: attempts after a sleep are followed by two more at least, and others count as they did.
func TestD118ADeliveryIsTriedAgainAfterSleep(t *testing.T) {
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		attempts int
		late     time.Duration
		more     int // attempts that follow this one
	}{{0, 25 * time.Hour, 9}, {3, 25 * time.Hour, 6}, {9, 0, 0}, {9, time.Minute, 0}, {9, 25 * time.Hour, 2}, {8, 25 * time.Hour, 2}} {
		d := models.WebhookDelivery{Attempts: tt.attempts, NextAttempt: at}
		d.Begin(at.Add(tt.late))
		more := 0
		for pause, is := d.Pause(); is; pause, is = d.Pause() {
			d.NextAttempt = at.Add(tt.late + pause)
			d.Begin(d.NextAttempt)
			more++
		}
		if more != tt.more {
			t.Errorf("after %d attempts, %s late: %d more, want %d", tt.attempts, tt.late, more, tt.more)
		}
	}
}
