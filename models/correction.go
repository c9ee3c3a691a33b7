package models

import "database/sql/driver"

// Correction is what a letter says that tells a customer which charges on an invoice were wrong (rule U6): it goes with the invoice, as that was
// made. It names nobody. The zero Correction is none.
type Correction struct {
	Day        Date             `json:"day"` // on which it was put right
	Wrongs     []CorrectedWrong `json:"wrongs"`
	Back       Amount           `json:"back"`                 // that was taken off the invoice, in øre
	Owed       Amount           `json:"owed"`                 // on the invoice after it; below zero what the customer has to his credit
	Withdrawn  Date             `json:"withdrawn,omitzero"`   // of a debt-collection warning that does not hold any more, its date
	Collection bool             `json:"collection,omitempty"` // the claim was with the debt collector, and is taken back
}

// CorrectedWrong is one thing that was wrong.
type CorrectedWrong struct {
	Text     string `json:"text"`         // what was wrong, as a sentence in the invoice's language
	Fee      Amount `json:"fee,omitzero"` // that comes back for it, in øre
	Interest Amount `json:"interest,omitzero"`
}

// Value gives the letter to a database: JSON, NULL if there is none.
func (c Correction) Value() (driver.Value, error) { return jsonValue(c, c.Day == 0) }

// Scan takes the letter from a database.
func (c *Correction) Scan(src any) error {
	*c = Correction{}
	return scanJSON(src, c)
}
