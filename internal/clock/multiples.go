package clock

import "time"

// Multiples are the moments that are multiples of a period. What happens every few seconds happens at such moments, so that the
// idle program is woken once for all of it.
type Multiples time.Duration

// Next returns the first of the moments after t.
func (m Multiples) Next(t time.Time) time.Time {
	every := time.Duration(m)
	return t.Truncate(every).Add(every)
}

// Until returns how long it is until the next of the moments, by the system's clock.
func (m Multiples) Until() time.Duration {
	now := System{}.Now()
	return m.Next(now).Sub(now)
}
