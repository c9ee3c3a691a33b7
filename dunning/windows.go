package dunning

import "purr/models"

// Windows returns where to look for invoices that a step of automatic dunning may be due on, on a day, under
// a policy. Every invoice that Decide does something to is inside, most that it leaves alone are not, and the
// windows do not overlap.
func Windows(on models.Date, p models.Policy) []models.Window {
	if !p.Enabled {
		return nil
	}
	// Up to the latest deadline for each stage. Moving a due date off a weekend only makes a step come later.
	windows := []models.Window{{Stage: models.StageOpen, To: on - models.Date(p.FirstNoticeDays)}}
	if p.MaxNotices() > 1 {
		windows = append(windows, models.Window{Stage: models.StageReminded, To: on - models.Date(p.SecondNoticeDays)})
	}
	if p.HandOverDays != nil {
		windows = append(windows, models.Window{Stage: models.StageWarned, To: on - models.Date(*p.HandOverDays)})
	}
	return windows
}
