package audit

import (
	"slices"
	"strings"
	"time"

	"purr/audit/reckoning"
	"purr/models"
	"purr/store"
)

// maxWarningDays is how old a warning may be where automatic dunning hands over (rule L10).
const maxWarningDays = 180

// handOver asks whether a claim might go to the debt collector, with the sum of that moment, and whether the collector heard what came
// after (rules L1, L10, C2).
func (j *judge) handOver(h *models.HandOver) {
	before := len(j.found)
	j.claim(h)
	automatic, known := j.handedByRun(h)
	if !known {
		j.unknown(noWarning)
	} else {
		j.warned(h, automatic)
	}
	if automatic {
		var stop named
		for _, s := range j.Stops {
			if stopped(s, &Notice{Notice: models.Notice{CreatedAt: h.CreatedAt, IssueDate: h.HandedOver}}) {
				stop = row("standstills", s.ID)
			}
		}
		j.ask(handOverOnHold, stop == named{}, stop, "", row("hand_overs", h.ID))
	}
	j.toldSince(h)
	for i := range j.found[before:] {
		j.found[before+i].HandOverID = h.ID
	}
}

// claim asks whether the bundle has what was owed in its moment.
func (j *judge) claim(h *models.HandOver) {
	rows := []named{row("hand_overs", h.ID)}
	var within []models.Entry
	left := int64(0)
	for _, e := range j.everBooked(h.CreatedAt) {
		switch {
		case e.ID <= h.LastEntryID:
			within = append(within, e)
		case surelyBefore(e.CreatedAt, h.CreatedAt):
			left = e.ID
		}
	}
	j.ask(bundleSum, left == 0, h.LastEntryID, left, rows...)
	owed := claimed(reckoning.Allocate(within, 0))
	j.ask(handOverPaid, owed > 0, owed, "> 0.00", rows...)
	j.ask(handOverBeforeDue, h.HandedOver > j.Invoice.DueDate, h.HandedOver, j.Invoice.DueDate+1, rows...)
	last := h.ID == j.HandOvers[len(j.HandOvers)-1].ID
	if last {
		want := models.Date(0)
		if h.TakenBack == 0 {
			want = h.HandedOver
		}
		j.ask(handOverRow, j.Invoice.HandedOver == want, j.Invoice.HandedOver, want, append(rows, row("invoices", j.Invoice.ID))...)
	}
}

// handedByRun reports whether automatic dunning handed the invoice over, and whether the log says so.
func (j *judge) handedByRun(h *models.HandOver) (automatic, known bool) {
	for _, e := range j.Events {
		if e.Type == models.EventInvoiceHandedOver && e.At.Sub(h.CreatedAt).Abs() < time.Second {
			return e.Actor == models.ActorProgram || e.Actor == "", true
		}
	}
	return false, false
}

// warned asks for the debt-collection warning, and whether its days had run out (inkassoloven § 9).
func (j *judge) warned(h *models.HandOver, automatic bool) {
	var warning, last *Notice
	for i := range j.Notices {
		n := &j.Notices[i]
		stood := n.Withdrawn == 0 || n.Withdrawn > h.HandedOver || n.Withdrawn == h.HandedOver && j.wasTold(n.ID)
		if !n.CreatedAt.Before(h.CreatedAt) || !stood {
			continue
		}
		if last = n; n.Warning {
			warning = n
		}
	}
	rows := []named{row("hand_overs", h.ID)}
	if automatic {
		j.ask(noWarning, warning != nil, "", "", rows...)
	}
	if last != nil && len(last.Sent) > 0 {
		j.ask(handOverNotLeft, seemedLeft(last.Sent, h.CreatedAt, h.HandedOver), "", "", append(rows, row("overdue_notices", last.ID))...)
	}
	if warning == nil {
		return
	}
	rows = append(rows, row("overdue_notices", warning.ID))
	runs := warning.DueDate + lateThen(warning.Sent, warning.IssueDate, h.CreatedAt)
	if automatic {
		runs = reckoning.Shift(runs)
		j.ask(warningTooOld, h.HandedOver <= warning.IssueDate+maxWarningDays, h.HandedOver, warning.IssueDate+maxWarningDays, rows...)
	}
	early := h.HandedOver <= runs
	j.ask(handOverTooEarly, !early || h.Forced, h.HandedOver, runs+1, rows...)
	if early || h.TakenBack != 0 {
		return
	}
	late := h.HandedOver <= runsNow(warning) || warning.Withdrawn != 0
	j.ask(handOverNotTold, !late || j.wasTold(warning.ID), h.HandedOver, runsNow(warning)+1, rows...)
}

// wasTold reports whether an event tells, while the claim was with the debt collector, that a notice left late or was withdrawn: then
// a person puts it right with the collector.
func (j *judge) wasTold(noticeID int64) bool {
	return slices.ContainsFunc(j.Events, func(e models.Event) bool {
		return e.SubjectID == noticeID && (e.Type == models.EventNoticeLeftLate || e.Type == models.EventNoticeWithdrawn) && strings.Contains(e.Data, "handed_over")
	})
}

// toldSince asks whether the debt collector heard of all money and credit that came since, but for what the collector itself brought (rule C2).
func (j *judge) toldSince(h *models.HandOver) {
	if h.TakenBack != 0 || h.ID != j.HandOvers[len(j.HandOvers)-1].ID {
		return
	}
	for _, e := range j.Entries {
		if e.ID <= h.LastEntryID || e.CreditNoteID != 0 || e.HandOverID != 0 || e.Amount == 0 || e.Type == models.EntryInvoice || isCharge(e) && e.Amount > 0 {
			continue
		}
		if j.replaces(e) {
			continue
		}
		j.ask(notTold, j.Told[e.ID], e.Amount, "", row("hand_overs", h.ID), row("entries", e.ID))
	}
}

// replaces reports whether an entry is what was left of credit that was moved here, after a part was taken back: the collector was told of
// that part alone.
func (j *judge) replaces(e models.Entry) bool {
	return slices.ContainsFunc(j.Deleted, func(d store.DeletedEntry) bool {
		return d.DeletedAt.Equal(e.CreatedAt) && d.Type == e.Type && d.TransactionDate == e.TransactionDate && (d.Amount < 0) == (e.Amount < 0)
	})
}
