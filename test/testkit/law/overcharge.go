package law

import (
	"fmt"

	"purr/models"
)

// Charged is what a letter has charged in the end: less where it was reckoned again (rule L4).
type Charged struct {
	Letter
	OwnRate       *models.Percent // the policy's own rate when it was issued, nil for the legal one
	Fee, Interest models.Amount   // by its last sheet
}

// Overcharged returns what the letters of an invoice have charged too much, reckoned from all entries that are there
// now by their transaction dates (rule L4). What was reversed besides, by a person or with a credit note, counts first
// against what is too much. The standing's own letters are not looked at.
func (s Standing) Overcharged(letters []Charged) (wrong []string) {
	chargedTo, before := models.Date(0), models.Amount(0)
	reversedFees, reversedInterest := -s.sum(models.EntryOverdueCharge), -s.sum(models.EntryInterest)
	for _, l := range letters {
		reversedFees += l.Fee
		reversedInterest += l.Interest
	}
	for _, l := range letters {
		c := Claim{Due: s.Due + models.Date(s.Late), ChargedTo: chargedTo, Unpaid: s.principal, Rate: s.rate(l.OwnRate)}
		right := c.Interest(l.Issued)
		if reversedInterest -= max(0, l.Interest-right); l.Interest > right && reversedInterest < 0 {
			wrong = append(wrong, fmt.Sprintf("notice %d of %s charges interest of %s, and %s is right", l.Sequence, l.Issued, l.Interest, right))
		}
		if owed := s.principal(l.Issued) + before; owed <= 0 && l.Fee > 0 {
			if reversedFees -= l.Fee; reversedFees < 0 {
				wrong = append(wrong, fmt.Sprintf("notice %d of %s charges a fee of %s, and nothing was owed (%s)", l.Sequence, l.Issued, l.Fee, owed))
			}
		}
		before += l.Fee + l.Interest
		if l.Letter.Interest > 0 {
			chargedTo = l.Issued
		}
	}
	if fees, interest := s.sum(models.EntryOverdueCharge), s.sum(models.EntryInterest); fees < 0 || interest < 0 {
		wrong = append(wrong, fmt.Sprintf("more was taken back than was charged: fees of %s, interest of %s", fees, interest))
	}
	return wrong
}

// sum adds up the entries of a type.
func (s Standing) sum(t models.EntryType) (sum models.Amount) {
	for _, e := range s.Entries {
		if e.Type == t {
			sum += e.Amount
		}
	}
	return sum
}

// Uncharged returns what is wrong with fees and interest on an invoice by its letters: what no letter charges is not
// owed (rules L2, L4). A person may take back, so that less is owed than the letters charge.
func (s Standing) Uncharged(letters []Charged) (wrong []string) {
	var fees, interest models.Amount
	for _, l := range letters {
		fees += l.Fee
		interest += l.Interest
	}
	return found([]fault{
		{s.sum(models.EntryOverdueCharge) > fees, fmt.Sprintf("fees of %s are owed or paid, and the letters charge %s", s.sum(models.EntryOverdueCharge), fees)},
		{s.sum(models.EntryInterest) > interest, fmt.Sprintf("interest of %s is owed or paid, and the letters charge %s", s.sum(models.EntryInterest), interest)},
	})
}

// LeftWrong returns what is wrong with a letter in force that has left, given the days that the policy of its issue gives,
// and until when the program says that it counts, zero where it says nothing. A letter that left on its day gives the policy's days.
// One that is told to have left later counts for as many days more, and leaves at least 14, unless all was settled when that was
// told (rules L2, D94).
func (l Letter) LeftWrong(days int, counts models.Date, settled bool) []string {
	want := models.Date(0)
	if l.Left > l.Issued {
		want = l.Runs()
	}
	return found([]fault{
		{l.Left < l.Issued, fmt.Sprintf("notice %d of %s left on %s", l.Sequence, l.Issued, l.Left)},
		{l.Due < l.Issued+models.Date(days), fmt.Sprintf("notice %d of %s is due on %s", l.Sequence, l.Issued, l.Due)},
		{l.TooShort() && !settled, fmt.Sprintf("notice %d is due on %s, left on %s, and stands", l.Sequence, l.Due, l.Left)},
		{counts != want, fmt.Sprintf("notice %d of %s left on %s, is due on %s, and counts until %s", l.Sequence, l.Issued, l.Left, l.Due, counts)},
	})
}
