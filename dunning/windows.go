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

// handOverWindows returns where to look for invoices that automatic dunning may hand over until a day, that day
// included, under a policy. Every invoice that it hands over is inside.
func handOverWindows(until models.Date, p models.Policy) []models.Window {
	if !p.Enabled || p.HandOverDays == nil {
		return nil
	}
	latest := until - models.Date(*p.HandOverDays) // the last deadline of a warning
	windows := []models.Window{{Stage: models.StageWarned, To: latest}}
	toPay := NoticeDueDate(p, 0)
	if p.WarningIs(2) {
		latest -= toPay + models.Date(p.SecondNoticeDays)
		windows = append(windows, models.Window{Stage: models.StageReminded, To: latest})
	}
	if p.DebtCollectionNotice != models.WarningNever {
		windows = append(windows, models.Window{Stage: models.StageOpen, To: latest - toPay - models.Date(p.FirstNoticeDays)})
	}
	return windows
}
