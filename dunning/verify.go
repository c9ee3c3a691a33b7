package dunning

import (
	"context"
	"fmt"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// LeftWrong calls found with what is wrong of notices whose letters left late (rule D94) or whose invoices have not left (rule D98), of
// any creditor, and with what a person can do about it: a hand-over or a fee that came before the deadline had run, counted from the
// real leaving, a notice of an earlier release that gives too few days and still runs, and one that charges something although its
// invoice failed, or had come back. Of the creditor found gets the ID and the name. A creditor whose days cannot be reckoned is left out
// of what counts days (rule D102). It changes nothing.
func LeftWrong(ctx context.Context, db *store.DB, found func(c models.Creditor, text string)) error {
	if err := leftLateWrong(ctx, db, found); err != nil {
		return err
	}
	var all []store.Unfounded
	err := db.UnfoundedNotices(ctx, func(u store.Unfounded) error {
		all = append(all, u)
		return nil
	})
	if err != nil {
		return err
	}
	for _, u := range all {
		text, err := unfounded(ctx, db, u)
		if err != nil {
			return err
		}
		if text != "" {
			found(u.Creditor, text)
		}
	}
	return nil
}

// unfounded returns what is wrong with a notice whose invoice has not left, and what to do; nothing if it charges nothing any more.
func unfounded(ctx context.Context, db *store.DB, u store.Unfounded) (string, error) {
	entries, err := db.EntriesOfInvoice(ctx, u.InvoiceID)
	if err != nil {
		return "", err
	}
	charged := chargedBy(entries, models.Notice{ID: u.NoticeID})
	if charged.Fees == 0 && charged.Interest == 0 {
		return "", nil
	}
	became, again := "failed", "failed"
	if u.State == models.ShipmentReturned {
		became, again = "had come back", "returned"
	}
	when := ""
	if u.ReportedAt != nil {
		when = " --at " + u.ReportedAt.Add(time.Second).UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf("%s %d on invoice %d, of %s, charges a fee of %s and interest of %s, and the invoice %s. To have it withdrawn, tell of the invoice again (purr shipments report %d %s%s)",
		Title(models.Notice{Warning: u.Warning}), u.Sequence, u.Number, u.IssueDate, charged.Fees, charged.Interest, became, u.ShipmentID, again, when), nil
}

// leftLateWrong does what LeftWrong does of notices whose letters left late.
func leftLateWrong(ctx context.Context, db *store.DB, found func(c models.Creditor, text string)) error {
	var late []lateLetter
	err := db.LateLetters(ctx, func(l store.LateLetter) error {
		if day, err := l.Creditor.Today(l.SentAt); err == nil && day > l.IssueDate {
			late = append(late, lateLetter{l, day})
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, l := range late {
		text, err := l.wrong(ctx, db)
		if err != nil {
			return err
		}
		if text != "" {
			found(l.Creditor, text)
		}
	}
	return nil
}

// lateLetter is a notice whose letter left on a later day.
type lateLetter struct {
	store.LateLetter
	left models.Date
}

// wrong returns what is wrong with what followed the letter, and what to do. It returns nothing if all is right.
func (l lateLetter) wrong(ctx context.Context, db *store.DB) (string, error) {
	n := models.Notice{IssueDate: l.IssueDate, DueDate: l.DueDate, Warning: l.Warning, Sequence: l.Sequence}
	until, keeps := n.LeftOn(l.left)
	until = max(until, l.Counts)
	says := fmt.Sprintf("%s %d on invoice %d, due %s, left on %s only and ran until %s", Title(n), n.Sequence, l.Number, n.DueDate, l.left, until)
	last := l.Sequence == l.Notices
	switch {
	case last && l.HandedOver != 0:
		forced, err := l.forced(ctx, db)
		if err != nil || forced || l.HandedOver > until {
			return "", err
		}
		return fmt.Sprintf("%s: it was handed over too early, on %s. Tell the debt collector that no costs are due for what was paid by then, or take the claim back (purr dunning reopen %d)",
			says, l.HandedOver, l.Number), nil
	case last:
		open := l.Stage == models.StageReminded || l.Stage == models.StageWarned
		if keeps || !open || l.Counts != 0 { // if it says until when it counts, all was settled by then
			return "", nil
		}
		return fmt.Sprintf("%s: it leaves fewer than %d days to pay. To have it withdrawn and issued anew, tell of its leaving again, a moment later (purr shipments report %d sent --at %s)",
			says, models.MinNoticeDays, l.ShipmentID, l.SentAt.Add(time.Second).UTC().Format(time.RFC3339)), nil
	}
	fee, issued, err := l.nextFee(ctx, db)
	if err != nil || fee == 0 || issued >= until+models.ChargeableDays {
		return "", err
	}
	return fmt.Sprintf("%s: the fee of the next notice, of %s, came too early. Reverse its %s on invoice %d", says, issued, fee, l.Number), nil
}

// forced reports whether a person insisted on the invoice's hand-over.
func (l lateLetter) forced(ctx context.Context, db *store.DB) (bool, error) {
	h, _, err := db.LastHandOver(ctx, l.InvoiceID)
	return err == nil && h.Forced, err
}

// nextFee returns what the next notice still charges as a fee, and when it was issued.
func (l lateLetter) nextFee(ctx context.Context, db *store.DB) (models.Amount, models.Date, error) {
	notices, err := db.NoticesOf(ctx, l.InvoiceID)
	if err != nil {
		return 0, 0, err
	}
	i := slices.IndexFunc(notices, func(n models.Notice) bool { return n.Sequence > l.Sequence })
	if i < 0 {
		return 0, 0, nil
	}
	entries, err := db.EntriesOfInvoice(ctx, l.InvoiceID)
	if err != nil {
		return 0, 0, err
	}
	return chargedBy(entries, notices[i]).Fees, notices[i].IssueDate, nil
}
