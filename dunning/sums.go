package dunning

import "purr/models"

// Sums are what some steps add up to. Amounts are in øre.
type Sums struct {
	Reminders  int           `json:"reminders"`
	Warnings   int           `json:"warnings"` // debt-collection warnings
	HandOvers  int           `json:"hand_overs"`
	Fees       models.Amount `json:"fees"`
	Interest   models.Amount `json:"interest"`
	HandedOver models.Amount `json:"handed_over"` // what is owed on the invoices that are handed over
}

// Add adds a step. One that leaves its invoice alone adds nothing.
func (s *Sums) Add(step Step) {
	switch step.Action {
	case Remind:
		s.Reminders++
	case Warn:
		s.Warnings++
	case HandOver:
		s.HandOvers++
		s.HandedOver += step.Invoice.Balance
	case Nothing:
	}
	s.Fees += step.Notice.Fee
	s.Interest += step.Notice.Interest
}
