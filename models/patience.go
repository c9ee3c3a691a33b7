package models

import "time"

// What fails for good after a span of trying has been tried for that span: the time in which nothing ran, because the program stood
// still, the machine slept or a clock jumped, is no time tried (rule D118).

const (
	// asleep is how much later than planned an attempt begins if nothing has run before it.
	asleep = 30 * time.Minute
	// afterSleep is how long it is tried on at least after nothing has run: at the longest pause these are three attempts.
	afterSleep = 2 * longestRetryPause
	// ClockSlack is how far the clocks of machines may be apart without harm.
	ClockSlack = time.Minute
)

// patienceFrom returns from when on the patience with something is reckoned that was first tried, or was reckoned from, at a moment. An
// attempt begins now that was due late ago.
func patienceFrom(since, now time.Time, late, patience time.Duration) time.Time {
	if late > 0 {
		since = since.Add(late)
	}
	if least := now.Add(afterSleep - patience); late > asleep && since.Before(least) {
		since = least
	}
	if since.After(now) { // a clock was ahead at the first attempt
		return now
	}
	return since
}
