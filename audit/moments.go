package audit

import (
	"time"

	"purr/audit/reckoning"
	"purr/models"
)

// clocksApart is how far the clocks of two machines may be apart that write rows. What was written by one within this time of what another has
// written may have come before it or after it: the rows do not tell, and nothing is found where the one would be right.
const clocksApart = 10 * time.Minute

// surelyBefore reports whether something came before something else, whatever clocks wrote the moments down.
func surelyBefore(moment, other time.Time) bool { return moment.Before(other.Add(-clocksApart)) }

// near reports whether clocks that are apart may hide which of two moments came first.
func near(moment, other time.Time) bool { return other.Sub(moment).Abs() <= clocksApart }

// bookedBefore returns what was booked on the invoice and its credit notes before a notice was issued, deleted entries included. It reports false
// where the rows do not tell what came first. Of what was booked about the time of the notice the order of the entries tells it, since all of an
// invoice is booked under its lock; a notice that charged nothing has no entry, but its own sum says how much came before it. It is sought once, so
// nobody may change what it returns.
func (c *Case) bookedBefore(n *Notice) (entries []models.Entry, sure bool) {
	if !n.sought {
		n.booked, n.sure = c.seekBooked(n)
		n.sought = true
	}
	return n.booked, n.sure
}

func (c *Case) seekBooked(n *Notice) (entries []models.Entry, sure bool) {
	first := c.firstOf(n)
	perhaps := 0
	ever := c.everBooked(n.CreatedAt)
	entries = make([]models.Entry, 0, len(ever))
	for _, e := range ever {
		switch about := near(e.CreatedAt, n.CreatedAt); {
		case about && first != 0 && e.ID >= first, !about && e.CreatedAt.After(n.CreatedAt):
		case about && first == 0:
			perhaps++
			entries = append(entries, e)
		default:
			entries = append(entries, e)
		}
	}
	for _, d := range c.Deleted {
		if near(d.DeletedAt, n.CreatedAt) {
			return entries, false // whether it was deleted before the notice, or after, the rows do not say
		}
	}
	if perhaps == 0 {
		return entries, true
	}
	for ; perhaps >= 0; perhaps-- {
		if claimed(reckoning.Allocate(entries, 0)) == n.Gross-n.Fee-n.Interest {
			return entries, true
		}
		if perhaps > 0 {
			entries = entries[:len(entries)-1]
		}
	}
	return entries, false
}

// firstOf returns the ID of the first entry that a notice posted, or zero if it charged nothing.
func (c *Case) firstOf(n *Notice) int64 {
	for i := range c.Entries {
		if e := &c.Entries[i]; e.NoticeID == n.ID && e.CreditNoteID == 0 {
			return e.ID
		}
	}
	return 0
}

// cameFirst reports whether an entry on any document was booked before a notice was issued, and whether the rows tell it. Of what was booked in
// the very moment of the notice the order of the entries tells it, if the notice charged something.
func (c *Case) cameFirst(n *Notice, entryID int64, bookedAt time.Time) (is, sure bool) {
	if bookedAt.Equal(n.CreatedAt) {
		first := c.firstOf(n)
		return entryID < first, first != 0
	}
	return bookedAt.Before(n.CreatedAt), !near(bookedAt, n.CreatedAt)
}
