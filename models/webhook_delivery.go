package models

import "time"

// DeliveryState is what is owed on a delivery.
type DeliveryState string

// The states of a delivery. Only a pending one is ever posted.
const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed" // for good: it waits for a person
)

// ParseDeliveryStates reads a filter value: states, and all. It reports false where one is unknown.
func ParseDeliveryStates(values []string) ([]DeliveryState, bool) {
	var states []DeliveryState
	for _, value := range values {
		switch s := DeliveryState(value); s {
		case DeliveryPending, DeliveryDelivered, DeliveryFailed:
			states = append(states, s)
		case "all":
			states = append(states, DeliveryPending, DeliveryDelivered, DeliveryFailed)
		default:
			return nil, false
		}
	}
	return states, true
}

// WebhookDelivery is one event on its way to one webhook (rule E7). The row is what is owed; the queue
// only hints at it.
type WebhookDelivery struct {
	ID             int64
	CreditorID     int64
	WebhookID      int64
	EventID        int64
	EventType      EventType
	State          DeliveryState
	Attempts       int       // since it was last owed anew
	NextAttempt    time.Time // not before this moment
	DeliveredAt    *time.Time
	ResponseStatus int    // of HTTP, at the last attempt; 0 where no answer came
	Failure        string // why the last attempt failed
	Body           string // what is posted, the same at every attempt; empty before the first
	CreatedAt      time.Time
}

// Redeliver has the delivery posted once more, at once. One that was pending goes on with the pauses
// that it has come to, any other begins anew.
func (d *WebhookDelivery) Redeliver(now time.Time) {
	if d.State != DeliveryPending {
		d.State, d.Attempts = DeliveryPending, 0
	}
	d.NextAttempt = now
}

// deliveryPauses are how long to wait after the first failed attempt, the second, and so on: the schedule
// that the Standard Webhooks specification suggests.
var deliveryPauses = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// DeliveryPause returns how long to wait after the given number of failed attempts, at least one, and
// false where there is no further attempt.
func DeliveryPause(attempts int) (time.Duration, bool) {
	if attempts > len(deliveryPauses) {
		return 0, false
	}
	return deliveryPauses[attempts-1], true
}
