package law

import (
	"slices"

	"purr/models"
)

// TooMuch is what a notice still charges too much, as earlier releases left it, in øre. What was reversed since is not counted.
type TooMuch struct {
	Notice    models.Notice
	Fee       models.Amount // a fee or standard compensation
	Interest  models.Amount
	Principal models.Amount // the largest on which the notice's latest sheet reckons interest
	Most      models.Amount // of principal when it was issued: the gross amount, less what was credited by then
	NotTaken  Spared        // why automatic dunning would not have issued it by what is known now (rule D97); empty if the principal is why
}

// LeftAbove returns the notices whose interest is on a principal above the invoice's gross amount less its credit notes, as
// releases before rule D96 reckoned it where money was taken back that had been paid out. Of the fee nothing is right if nothing was
// claimed. entries are those of the invoice and of its credit note, oldest first, notices and earlier as Recalculate has them.
func LeftAbove(entries []models.Entry, notices []models.Notice, earlier []models.Recalculation) ([]TooMuch, error) {
	var found []Excess
	var left []TooMuch
	for _, n := range notices {
		if n.Adopted {
			continue
		}
		sheet, err := latestSheet(n, earlier)
		if err != nil {
			return nil, err
		}
		wrong := TooMuch{Notice: n, Most: mostBefore(n, entries)}
		var right Interest
		for _, s := range sheet.Interest.Segments {
			wrong.Principal = max(wrong.Principal, s.Principal)
			if s.Principal = min(s.Principal, wrong.Most); s.Principal > 0 {
				right.add(Segment{From: s.From, To: s.To, Principal: s.Principal, Rate: s.Rate, Outdated: s.Outdated})
			}
		}
		if wrong.Principal <= wrong.Most {
			continue
		}
		charged := chargesOf(entries, n)
		x := Excess{Notice: n, Interest: max(charged.interest-right.Amount, 0)}
		if owedBefore(n, entries, charges{}).Claimed() <= 0 {
			x.Fee = max(charged.fee, 0)
		}
		found, left = append(found, x), append(left, wrong)
	}
	for i, x := range withoutReversed(found, entries) {
		left[i].Fee, left[i].Interest = x.Fee, x.Interest
	}
	return slices.DeleteFunc(left, func(l TooMuch) bool { return l.Fee == 0 && l.Interest == 0 }), nil
}

// mostBefore returns the most that the principal of an invoice was when a notice was issued.
func mostBefore(n models.Notice, entries []models.Entry) (most models.Amount) {
	for _, e := range entries[:max(firstOf(n, entries), 0)] {
		if e.Type == models.EntryInvoice || e.CreditNoteID != 0 && e.Type == models.EntryCreditNote && e.Amount < 0 {
			most += e.Amount
		}
	}
	return max(most, 0)
}

// LeftTaken returns the notices that were reckoned again and keep charges, although automatic dunning would not have issued them by
// what is known now, as recalculations before rule D97 left them. entries are the invoice's own, the rest is as Recalculate has it.
// Of a notice that was never reckoned again nothing came to be known.
func LeftTaken(entries []models.Entry, notices []models.Notice, earlier []models.Recalculation, known Known) ([]TooMuch, error) {
	found, err := Recalculate(entries, notices, earlier, 0, &known)
	if err != nil {
		return nil, err
	}
	var left []TooMuch
	for _, x := range found {
		again := slices.ContainsFunc(earlier, func(r models.Recalculation) bool { return r.NoticeID == x.Notice.ID })
		if again && x.Sheet.NotTaken != "" {
			left = append(left, TooMuch{Notice: x.Notice, Fee: x.Fee, Interest: x.Interest, NotTaken: x.Sheet.NotTaken})
		}
	}
	return left, nil
}
