package models

import "time"

// DeliveryState says whether a delivery must still be posted.
type DeliveryState string

// The states of a delivery. Only a pending one is ever posted.
const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed" // permanently; it waits for a person
)

// ParseDeliveryStates reads a filter value: states, and all. It reports false if one is unknown.
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

// WebhookDelivery is one event on its way to one webhook (rule E7). The row says what is owed; the queue is only a
// hint.
type WebhookDelivery struct {
	ID             int64
	CreditorID     int64
	WebhookID      int64
	EventID        int64
	EventType      EventType
	State          DeliveryState
	Attempts       int       // since it was last redelivered
	Spared         int       // of these, those that do not count, because nothing had run for a while before them
	NextAttempt    time.Time // not before this moment, in common time
	TakenBy        string    // the worker that has it in hand; empty if none has
	DeliveredAt    *time.Time
	ResponseStatus int    // HTTP status of the last attempt; 0 if there was no answer
	Failure        string // why the last attempt failed
	Body           string // the same at every attempt in the same form; empty before the first
	CreatedAt      time.Time
}

// Redeliver makes the delivery due at once. A pending delivery keeps its count of attempts, which sets its next
// pause. Any other delivery starts again from zero attempts.
func (d *WebhookDelivery) Redeliver(now time.Time) {
	if d.State != DeliveryPending {
		d.State, d.Attempts, d.Spared = DeliveryPending, 0, 0
	}
	d.NextAttempt = now
}

// deliveryPauses are the pauses after the first failed attempt, the second, and so on, as the Standard Webhooks
// specification suggests.
var deliveryPauses = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// Begin counts an attempt that begins, in common time. If nothing has run for a while before it, two more follow at least (rule D118).
func (d *WebhookDelivery) Begin(common time.Time) {
	d.Attempts++
	if most := len(deliveryPauses) - 1; d.Attempts > 1 && common.Sub(d.NextAttempt) > asleep && d.Attempts-d.Spared > most {
		d.Spared = d.Attempts - most
	}
}

// Pause returns how long to wait after the last attempt has failed. It reports false if there is no further attempt.
func (d *WebhookDelivery) Pause() (time.Duration, bool) { return DeliveryPause(d.Attempts - d.Spared) }

// DeliveryPause returns how long to wait after the given number of failed attempts, which is at least one. It reports
// false if there is no further attempt.
func DeliveryPause(attempts int) (time.Duration, bool) {
	if attempts > len(deliveryPauses) {
		return 0, false
	}
	return deliveryPauses[attempts-1], true
}
