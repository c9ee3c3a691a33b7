package audit

import (
	"encoding/json"

	"purr/models"
)

// sheet is the calculation behind a notice's amounts, as its row keeps it (rule E6c): read here as a document, not as the program's value.
type sheet struct {
	Charge struct {
		Amount       models.Amount `json:"amount"`
		Maximum      models.Amount `json:"maximum"`
		Compensation bool          `json:"compensation"`
		Outdated     bool          `json:"outdated"`
	} `json:"overdue_charge"`
	Interest struct {
		Amount   models.Amount `json:"amount"`
		Segments []segment     `json:"segments"`
	} `json:"interest"`
	Floor   *floor `json:"floor"`
	Adopted bool   `json:"adopted"`
}

// floor is for how little a policy lets automatic dunning take no step (rule L7).
type floor struct {
	Minimum   models.Amount    `json:"minimum_balance"`
	Remainder models.Remainder `json:"remainder"`
}

// segment is one of the sheet's periods with one principal and one rate.
type segment struct {
	From      models.Date    `json:"from"`
	To        models.Date    `json:"to"`
	Days      int64          `json:"days"`
	YearDays  int64          `json:"year_days"`
	Principal models.Amount  `json:"principal"`
	Rate      models.Percent `json:"rate"`
	Amount    models.Amount  `json:"amount"`
	Outdated  bool           `json:"outdated"`
}

// readSheets reads the notice's first sheet and its latest.
func (n *Notice) readSheets() {
	if json.Unmarshal([]byte(n.Sheet), &n.sheet) != nil {
		return
	}
	n.last, n.plain = n.sheet, true
	if len(n.Again) > 0 {
		var last sheet
		n.plain = json.Unmarshal([]byte(n.Again[len(n.Again)-1].Sheet), &last) == nil
		n.last = last
	}
}
