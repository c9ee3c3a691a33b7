package foreign

import "purr/audit/report"

// maxEvents is how much of what happened on an invoice is told.
const maxEvents = 60

// timeline tells what happened on the invoice whose letters are judged.
func (j *judge) timeline(i *invoice) []string {
	events := []report.Event{{Day: i.due, What: "due"}}
	if i.issued != 0 {
		events = append(events, report.Event{Day: i.issued, What: "invoice", Name: i.number, Sums: []report.Sum{{Amount: i.gross}}})
	}
	for at := i.payment; at != none && len(events) < maxEvents; at = j.set.payments[at].next {
		p := j.set.payments[at]
		what, sum := "payment", p.amount
		switch {
		case p.credit:
			what = "credit"
		case sum < 0:
			what, sum = "taken_back", -sum
		}
		events = append(events, report.Event{Day: p.date, What: what, Sums: []report.Sum{{Amount: sum}}})
	}
	for _, l := range j.letters {
		if len(events) >= maxEvents {
			break
		}
		events = append(events, report.Event{
			Day: l.sent, What: string(l.kind), Name: l.number, Till: l.deadline,
			Sums: []report.Sum{{What: "fee", Amount: l.fee}, {What: "compensation", Amount: l.compensation}, {What: "interest", Amount: l.interest}},
		})
	}
	return report.Timeline(j.language, events)
}
