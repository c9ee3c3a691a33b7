package audit

import (
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// sending is one attempt to bring a document to its recipient that the rows tell of.
type sending struct {
	models.Shipment

	left      models.Date // the creditor's day on which it left; zero if it has not
	vague     bool        // it left on a day that the rows do not say any more: it was sent again since
	leftKnown time.Time   // when that day was told; zero for at once
	back      time.Time   // when it came back; zero if it did not
	failed    bool        // it turned out not to have left
	badKnown  time.Time   // when it was told that it had come back or failed; zero for at once
}

// sendings returns what became of a document's originals, oldest first. What was sent again has one of each time that was told of. An
// invoice that asks to be paid since AvtaleGiro does not draw it counts from then on (rule G3a).
func (c *Case) sendings(d models.Document, issued models.Date, rows store.AuditRows) (all []sending) {
	of := rows.Shipments[d]
	if at := slices.IndexFunc(of, func(s models.Shipment) bool { return s.Ordinary != 0 }); at >= 0 {
		of = of[at:]
	}
	for _, s := range of {
		reports := rows.Reports[s.ID]
		for _, r := range reports {
			if s.RetriedAt == nil || !r.At.Before(*s.RetriedAt) {
				continue
			}
			switch r.State { //nolint:exhaustive // the others end no sending
			case models.ShipmentReturned:
				all = append(all, sending{Shipment: s, left: issued, vague: true, back: r.At, badKnown: r.CreatedAt})
			case models.ShipmentFailed:
				all = append(all, sending{Shipment: s, failed: true, badKnown: r.CreatedAt})
			}
		}
		all = append(all, c.sendingOf(s, reports))
	}
	return all
}

func (c *Case) sendingOf(s models.Shipment, reports []models.ShipmentReport) sending {
	now := sending{Shipment: s}
	told := func(state models.ShipmentState, at *time.Time) time.Time {
		for _, r := range reports {
			if at != nil && r.State == state && r.At.Sub(*at).Abs() < time.Second {
				return r.CreatedAt
			}
		}
		return time.Time{}
	}
	if s.SentAt != nil && s.State != models.ShipmentOwed && s.State != models.ShipmentWithdrawn {
		now.left, now.leftKnown = c.Of.day(*s.SentAt), told(models.ShipmentSent, s.SentAt)
	}
	switch s.State { //nolint:exhaustive // the others say no more
	case models.ShipmentReturned:
		if now.badKnown = told(models.ShipmentReturned, s.ReportedAt); s.ReportedAt != nil {
			now.back = *s.ReportedAt
		}
		if now.left == 0 {
			now.left, now.vague = c.Of.day(s.CreatedAt), true
		}
	case models.ShipmentFailed:
		now.failed, now.badKnown = true, told(models.ShipmentFailed, s.ReportedAt)
	}
	return now
}

// leftFirst returns the day on which the first of the sendings left that stand today, and false if none does.
func leftFirst(all []sending) (*sending, bool) {
	for i := range all {
		if s := &all[i]; s.left != 0 && !s.failed && s.back.IsZero() && (s.State == models.ShipmentSent || s.State == models.ShipmentDelivered) && !s.vague {
			return s, true
		}
	}
	return nil, false
}

// firstSent returns the first of the sendings that left, whether or not it came back later, and false if none did.
func firstSent(all []sending) (*sending, bool) {
	for i := range all {
		if s := &all[i]; s.left != 0 && !s.failed {
			return s, true
		}
	}
	return nil, false
}

// lateNow returns by how many days a letter left late, as is known now; zero if it has not left.
func lateNow(all []sending, issued models.Date) models.Date {
	if s, left := firstSent(all); left {
		return max(0, s.left-issued)
	}
	return 0
}

// lateFor returns by how many days the invoice had left late for a notice, as is known now: by the sending that stood then. What came back after the
// notice, and was sent again, is another.
func (c *Case) lateFor(n *Notice) models.Date {
	for _, s := range slices.Backward(c.Originals) {
		if !s.failed && s.left != 0 && s.left <= n.IssueDate && (s.back.IsZero() || !surelyBefore(s.back, n.CreatedAt)) {
			return max(0, s.left-c.Invoice.IssueDate)
		}
	}
	return lateNow(c.Originals, c.Invoice.IssueDate)
}

// lateThen returns what lateNow would have said at a moment, as far as the rows tell: of a day that was told later they do not, and it
// is taken to have been none.
func lateThen(all []sending, issued models.Date, at time.Time) models.Date {
	s, left := leftFirst(all)
	if !left || !surelyBefore(s.leftKnown, at) || !surelyBefore(*s.SentAt, at) {
		return 0
	}
	return max(0, s.left-issued)
}

// hadLeft reports whether a document had left at a moment and not come back, by what is known now.
func hadLeft(all []sending, at time.Time, on models.Date) bool {
	return slices.ContainsFunc(all, func(s sending) bool {
		return !s.failed && s.left != 0 && s.left <= on && (s.back.IsZero() || !surelyBefore(s.back, at))
	})
}

// seemedLeft reports the same by what was known at the moment.
func seemedLeft(all []sending, at time.Time, on models.Date) bool {
	return slices.ContainsFunc(all, func(s sending) bool {
		if s.left != 0 && s.left > on && !surelyBefore(s.leftKnown, at) {
			return true // until that was told it counted as of its own day
		}
		if s.left == 0 && !s.failed || s.left > on {
			return false
		}
		bad := s.failed || !s.back.IsZero()
		return !bad || !surelyBefore(s.badKnown, at)
	})
}
