package law

import (
	"fmt"
	"slices"

	"purr/models"
)

// Excess is what a notice has charged too much, in øre (rule L4). No part is negative.
type Excess struct {
	Notice   models.Notice
	Fee      models.Amount // a fee or standard compensation
	Interest models.Amount
	Sheet    Sheet // the calculation without the excess; NotTaken says if nothing is left because the step was none
}

// Recalculate reckons again what the notices charged that were issued after a day, because money of that day was
// booked after them (rule L4). It returns the notices that charged too much, in order. entries are the invoice's
// own, oldest first. notices are all its notices, in order, and earlier are their recalculations, oldest first.
//
// The interest is reckoned for the days and at the rates of the notice's first sheet. So a figure of the law that
// was set later changes nothing, and a day that bore no interest bears none now. There is no fee if nothing was owed
// when the notice was issued, or too few days had passed since the last document's due date, as is known now (rules L1, D94). An
// invoice that turns out to have left late bears interest from its moved due date. There is neither fee nor interest if automatic
// dunning would not have issued the notice by what is known now (rule D97); a nil known asks for none of that. Nothing is ever charged
// again: a recalculation only lowers what the one before it left. What another system charged stays as it is (rule L17).
func Recalculate(entries []models.Entry, notices []models.Notice, earlier []models.Recalculation, after models.Date, known *Known) ([]Excess, error) {
	principal := principalHistory(entries)
	var found []Excess
	var right charges      // of the notices so far
	var before models.Date // until when the last of them runs
	for _, n := range notices {
		charged := chargesOf(entries, n)
		x := Excess{Notice: n}
		if n.IssueDate > after && !n.Adopted {
			first, err := ReadSheet(n.Sheet)
			if err != nil {
				return nil, err
			}
			if x.Sheet, err = latestSheet(n, earlier); err != nil {
				return nil, err
			}
			x.reckon(charged, first, owedBefore(n, entries, right), principal, known)
			x.reckonFee(charged, known, before)
			found = append(found, x)
		}
		right.fee += charged.fee - x.Fee
		right.interest += charged.interest - x.Interest
		before = n.RunsUntil()
	}
	found = withoutReversed(found, entries)
	return slices.DeleteFunc(found, func(x Excess) bool { return x.Fee == 0 && x.Interest == 0 }), nil
}

// reckon sets what of a notice's charges is too much, given its first sheet and what was owed without them when it was issued.
func (x *Excess) reckon(charged charges, first Sheet, owed Allocation, principal timeline[models.Amount], known *Known) {
	if x.Sheet.LeftLate = 0; known != nil {
		x.Sheet.LeftLate, x.Sheet.BearsFrom = known.Late.Left, max(x.Sheet.BearsFrom, known.Late.bearsFrom())
	}
	if why := known.sparedNow(x.Notice, first, owed); why != "" {
		x.Fee, x.Interest = max(charged.fee, 0), max(charged.interest, 0)
		x.Sheet.OverdueCharge, x.Sheet.Interest, x.Sheet.NotTaken = notTaken(x.Notice, why), Interest{}, why
		return
	}
	if again := first.Interest.since(x.Sheet.BearsFrom).again(principal); again.Amount < charged.interest {
		x.Sheet.Interest, x.Interest = again, charged.interest-again.Amount
	}
	if charged.fee > 0 && owed.Claimed() <= 0 {
		x.Sheet.OverdueCharge = Charge{Rule: fmt.Sprintf("no fee, because nothing was owed on %s", x.Notice.IssueDate)}
		x.Fee = charged.fee
	}
}

// reckonFee sets a notice's fee as too much if the notice came too early to have one, by what is known now. before is until when the
// notice before it runs, or zero. Standard compensation needs no wait.
func (x *Excess) reckonFee(charged charges, known *Known, before models.Date) {
	if x.Fee > 0 || charged.fee <= 0 || x.Notice.Compensation {
		return
	}
	if rule := known.noFee(x.Notice, before); rule != "" {
		x.Fee, x.Sheet.OverdueCharge = charged.fee, Charge{Rule: rule}
	}
}

// charges are fees and interest that were charged, without what was reversed.
type charges struct{ fee, interest models.Amount }

// isCharge reports whether entries of the type are fees or interest.
func isCharge(t models.EntryType) bool {
	return t == models.EntryOverdueCharge || t == models.EntryInterest
}

// add adds an entry that is a charge.
func (c *charges) add(e models.Entry) {
	if e.Type == models.EntryInterest {
		c.interest += e.Amount
	} else {
		c.fee += e.Amount
	}
}

// chargesOf returns what the entries that name a notice add up to.
func chargesOf(entries []models.Entry, n models.Notice) (c charges) {
	for _, e := range entries {
		if e.NoticeID == n.ID && isCharge(e.Type) {
			c.add(e)
		}
	}
	return c
}

// latestSheet returns the sheet of a notice's latest recalculation, or its first sheet if it has none.
func latestSheet(n models.Notice, earlier []models.Recalculation) (Sheet, error) {
	latest := n.Sheet
	for _, r := range earlier {
		if r.NoticeID == n.ID {
			latest = r.Sheet
		}
	}
	return ReadSheet(latest)
}

// again returns the interest for the same days at the same rates, on the principal that is now known.
func (i Interest) again(principal timeline[models.Amount]) Interest {
	var sum Interest
	for _, period := range i.periods() {
		for from := period.From; from <= period.To; {
			to := period.To
			if day, ok := principal.next(from); ok {
				to = min(to, day-1)
			}
			if unpaid, _ := principal.at(from); unpaid.value > 0 {
				sum.add(Segment{From: from, To: to, Principal: unpaid.value, Rate: period.Rate, Outdated: period.Outdated})
			}
			from = to + 1
		}
	}
	return sum
}

// since returns the interest of a day and the days after it. The amounts of a segment that it cuts mean nothing.
func (i Interest) since(day models.Date) (later Interest) {
	for _, s := range i.Segments {
		if s.From = max(s.From, day); s.From <= s.To {
			later.Segments = append(later.Segments, s)
		}
	}
	return later
}

// periods returns the segments. It joins those that only a change of the principal divides, because the principal may
// have changed on other days. The principal of a joined segment means nothing.
func (i Interest) periods() []Segment {
	var joined []Segment
	for _, s := range i.Segments {
		if last := len(joined) - 1; last >= 0 && joined[last].To+1 == s.From && joined[last].Rate == s.Rate && halfYear(joined[last].From) == halfYear(s.From) {
			joined[last].To = s.To
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

// owedBefore returns what was owed when a notice was issued, without its own charges. Money counts that was booked by
// then, and money that came earlier and was booked later. Of the charges of earlier notices counts what was right.
func owedBefore(n models.Notice, entries []models.Entry, right charges) Allocation {
	own := firstOf(n, entries)
	var known []models.Entry
	var booked charges
	for i, e := range entries {
		switch {
		case i < own && isCharge(e.Type):
			booked.add(e)
		case !isCharge(e.Type) && (i < own || e.TransactionDate < n.IssueDate):
			known = append(known, e)
		}
	}
	return Allocate(append(known,
		models.Entry{Type: models.EntryOverdueCharge, Amount: max(min(booked.fee, right.fee), 0)},
		models.Entry{Type: models.EntryInterest, Amount: max(min(booked.interest, right.interest), 0)}))
}

// reversalsLeft returns, by the index of each reversal that names no notice, how much of it was not taken back since. What takes it back
// is an entry that names no notice either; the last reversal is taken back first.
func reversalsLeft(entries []models.Entry) map[int]models.Amount {
	left := map[int]models.Amount{}
	for i, e := range entries {
		if e.NoticeID != 0 || !isCharge(e.Type) {
			continue
		}
		left[i] = max(-e.Amount, 0)
		for k, again := i-1, e.Amount; k >= 0 && again > 0; k-- {
			if entries[k].Type == e.Type && left[k] > 0 {
				back := min(left[k], again)
				left[k], again = left[k]-back, again-back
			}
		}
	}
	return left
}

// firstOf returns the index of the first entry that names a notice.
func firstOf(n models.Notice, entries []models.Entry) int {
	return slices.IndexFunc(entries, func(e models.Entry) bool { return e.NoticeID == n.ID })
}

// withoutReversed lowers each excess by the reversals that name no notice: those of a person (rule E3) and of a credit
// note (D21). Such a reversal is of what was charged before it. It counts first against what was charged too much.
// One that was taken back counts no more (rule N9).
func withoutReversed(found []Excess, entries []models.Entry) []Excess {
	reversals := reversalsLeft(entries)
	for i, e := range entries {
		left := reversals[i]
		if left == 0 {
			continue
		}
		for k := range found {
			x := &found[k]
			if firstOf(x.Notice, entries) > i {
				break
			}
			part := &x.Fee
			if e.Type == models.EntryInterest {
				part = &x.Interest
			}
			reversed := min(left, *part)
			*part -= reversed
			left -= reversed
		}
	}
	return found
}
