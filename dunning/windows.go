package dunning

import "purr/models"

// Windows returns where to look for invoices that a step of automatic dunning may be due on, on a day, under
// any of the policies: the creditor's and those of its customers. Every invoice that Decide does something
// to is inside, most that it leaves alone are not, and the windows do not overlap.
func Windows(on models.Date, policies ...models.Policy) []models.Window {
	// The latest deadline for each stage. Moving a due date off a weekend only makes a step come later.
	var open, reminded, warned models.Date
	for _, p := range policies {
		if !p.Enabled {
			continue
		}
		open = max(open, on-models.Date(p.FirstNoticeDays))
		if p.MaxNotices() > 1 {
			reminded = max(reminded, on-models.Date(p.SecondNoticeDays))
		}
		if p.HandOverDays != nil {
			warned = max(warned, on-models.Date(*p.HandOverDays))
		}
	}
	var windows []models.Window
	for _, w := range []models.Window{
		{Stage: models.StageOpen, To: open},
		{Stage: models.StageReminded, To: reminded},
		{Stage: models.StageWarned, To: warned},
	} {
		if w.To != 0 {
			windows = append(windows, w)
		}
	}
	return windows
}
