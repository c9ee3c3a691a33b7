package dunning

import (
	"fmt"
	"slices"

	"purr/models"
)

// Sheet is the calculation behind a notice's amounts (rule E6c). The notice keeps it as JSON.
type Sheet struct {
	OverdueCharge Charge   `json:"overdue_charge"`
	Interest      Interest `json:"interest"`
}

// Outdated reports whether the sheet builds on a rate or maximum that was not known for its day (rule E6h).
func (s Sheet) Outdated() bool {
	return s.OverdueCharge.Outdated || slices.ContainsFunc(s.Interest.Segments, func(segment Segment) bool { return segment.Outdated })
}

// Check reckons the sheet again from its own figures. It fails where a sum is wrong, the fee is above its
// maximum, or the sheet does not add up to the notice's fee and interest to the øre.
func (s Sheet) Check(n models.Notice) error {
	var sum models.Amount
	for _, segment := range s.Interest.Segments {
		if want := segment.interest(); segment.Amount != want {
			return fmt.Errorf("the interest from %s to %s is %s, not %s", segment.From, segment.To, segment.Amount, want)
		}
		sum += segment.Amount
	}
	switch {
	case s.Interest.Amount != sum:
		return fmt.Errorf("the interest is %s, its segments add up to %s", s.Interest.Amount, sum)
	case s.Interest.Amount != n.Interest:
		return fmt.Errorf("the sheet's interest is %s, the notice's %s", s.Interest.Amount, n.Interest)
	case s.OverdueCharge.Amount != n.Fee:
		return fmt.Errorf("the sheet's fee is %s, the notice's %s", s.OverdueCharge.Amount, n.Fee)
	case s.OverdueCharge.Amount > s.OverdueCharge.Maximum:
		return fmt.Errorf("the fee %s is above its maximum %s", s.OverdueCharge.Amount, s.OverdueCharge.Maximum)
	}
	return nil
}
