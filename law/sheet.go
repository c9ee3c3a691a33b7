package law

import (
	"encoding/json"
	"fmt"

	"purr/models"
)

// Sheet is the calculation behind a notice's amounts (rule E6c). The notice keeps it as JSON.
type Sheet struct {
	OverdueCharge Charge   `json:"overdue_charge"`
	Interest      Interest `json:"interest"`
	Adopted       bool     `json:"adopted,omitempty"`   // another system charged the amounts, and nobody knows how (rule L17)
	Floor         *Floor   `json:"floor,omitempty"`     // of the policy, when automatic dunning took the step; nil in older sheets
	NotTaken      Spared   `json:"not_taken,omitempty"` // why the step would not have been taken by what is known since (rule D97)

	// BearsFrom is the first day that bears interest, since the invoice turned out to have left late (rule L1). LeftLate is the day on
	// which it, or the letter of the notice before, turned out to have left, if the sheet was reckoned again for that. Both are else zero.
	BearsFrom models.Date `json:"bears_from,omitempty"`
	LeftLate  models.Date `json:"left_late,omitempty"`
}

// JSON returns the sheet as the database keeps it.
func (s Sheet) JSON() (string, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("keep the calculation of a notice: %w", err)
	}
	return string(text), nil
}

// ReadSheet returns the sheet that a notice, or a recalculation of one, keeps as JSON.
func ReadSheet(text string) (Sheet, error) {
	var s Sheet
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return Sheet{}, fmt.Errorf("read the calculation of a notice: %w", err)
	}
	return s, nil
}
