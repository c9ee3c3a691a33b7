package law

import (
	"fmt"
	"math/big"
	"time"

	"purr/models"
)

// Claim is what late-payment interest runs on.
type Claim struct {
	Due       models.Date                             // as printed on the invoice
	ChargedTo models.Date                             // the last day that was charged for before, zero where none was
	Unpaid    func(morning models.Date) models.Amount // the principal that is unpaid in the morning of a day
	Rate      func(on models.Date) models.Percent     // per year
}

// Interest calculates late-payment interest through a day as a person would with a diary (rule D29,
// forsinkelsesrenteloven §§ 2 and 3). It notes for each day the principal that is unpaid in the morning and the rate.
// Days in a row that are alike, within one half-year, make a sum, which is rounded to øre, half up.
func (c Claim) Interest(through models.Date) (sum models.Amount) {
	type alike struct {
		principal models.Amount
		rate      models.Percent
		half      string
	}
	var row alike
	days, yearDays := int64(0), int64(0)
	settle := func() {
		if days == 0 {
			return
		}
		exact := big.NewRat(int64(row.principal)*int64(row.rate)*days, 10_000*yearDays)
		exact.Add(exact, big.NewRat(1, 2))
		sum += models.Amount(new(big.Int).Quo(exact.Num(), exact.Denom()).Int64())
		days = 0
	}
	for d := max(Moved(c.Due), c.ChargedTo) + 1; d <= through; d++ {
		today := alike{c.Unpaid(d), c.Rate(d), fmt.Sprint(d.Year(), d.Time().Month() >= time.July)}
		if today != row {
			settle()
			row = today
		}
		if today.principal <= 0 {
			continue
		}
		days++
		yearDays = int64(time.Date(d.Year(), time.December, 31, 0, 0, 0, 0, time.UTC).YearDay())
	}
	settle()
	return sum
}
