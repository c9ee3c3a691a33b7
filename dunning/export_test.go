package dunning

import "purr/models"

// CustomersWindows returns the windows under a creditor's policy and those of customers.
func CustomersWindows(on models.Date, creditors models.Policy, own map[int64]models.Policy) []models.Window {
	return policies{creditors, own}.windows(func(p models.Policy) []models.Window { return Windows(on, p) })
}

// TellingOfEach makes runs tell of each batch of notices while do runs.
func TellingOfEach(do func()) {
	defer func(together int) { toldTogether = together }(toldTogether)
	toldTogether = 1
	do()
}
