package foreign

import (
	"fmt"

	"purr/audit/reckoning"
	"purr/audit/report"
	"purr/models"
)

// Forms are the forms of the answer, by name.
var Forms = report.Forms

// Judge asks every question of each letter, and returns the answer with its sentences in a language: nb, nn or en. What cannot be known is
// counted and is no finding: a rate or a cap of a day for which no figure is known. Findings stand in the order of the invoices in their
// file, and of the letters as they left. They are made anew each time they are ranged over, so that any number of them takes no memory.
func (s *Set) Judge(l *reckoning.Law, language string) report.Report {
	var last judge
	found := report.New(report.Counts{}, func(yield func(report.Finding) bool) {
		last = judge{law: l, set: s, language: language, asked: make(map[Code]int), yield: yield}
		for i := range s.invoices {
			if s.invoices[i].letter != none {
				last.invoice(&s.invoices[i])
			}
			if last.stopped {
				return
			}
		}
	})
	found.Counts = report.Counts{Letters: len(s.letters), Kinds: len(last.asked), Unknown: last.unknown}
	for _, n := range last.asked {
		found.Checks += n
	}
	return found
}

// judge asks the questions of all letters.
type judge struct {
	law      *reckoning.Law
	set      *Set
	language string
	yield    func(report.Finding) bool
	stopped  bool // whoever ranges over the findings wants no more
	asked    map[Code]int
	unknown  int

	entries []models.Entry // of the invoice, used again for the next one
	letters []*letter
}

// claim is an invoice while its letters are judged.
type claim struct {
	*invoice
	principal []reckoning.Step
	before    []reckoning.Letter // with what they charged lawfully
	fees      models.Amount      // lawful ones so far
	charges   models.Amount      // lawful fees, compensation and interest so far
	isComp    bool               // standard compensation was charged lawfully
	warned    models.Date        // the last day of the last warning's deadline
	chargedTo models.Date        // the last day for which interest was charged
	carried   models.Amount      // lawful interest of earlier letters that they did not charge
}

func (j *judge) invoice(i *invoice) {
	j.entries = j.set.entriesOf(i, j.entries)
	j.letters = j.set.lettersOf(i, j.letters)
	c := claim{invoice: i, principal: reckoning.Principal(j.entries)}
	for _, l := range j.letters {
		one := verdict{judge: j, claim: &c, letter: l, waived: l.waived}
		one.owed()
		one.time()
		fee := one.fee()
		compensation := one.compensation()
		interest := one.interest()
		c.fees += fee
		c.charges += fee + compensation + interest
		c.isComp = c.isComp || compensation > 0 && c.trader
		c.before = append(c.before, reckoning.Letter{Kind: l.kind, Left: l.sent, Deadline: l.deadline, Fee: max(fee, one.asFee)})
		if l.kind == reckoning.Warning {
			c.warned = max(c.warned, l.deadline, l.sent)
		}
	}
}

// received returns what had come in before a day.
func (c *claim) received(entries []models.Entry, day models.Date) (sum models.Amount) {
	for _, e := range entries {
		if e.Type == models.EntryOCR && e.TransactionDate < day {
			sum -= e.Amount
		}
	}
	return sum
}

// verdict is what is found of one letter.
type verdict struct {
	*judge
	*claim
	letter *letter

	nothing bool          // nothing was owed
	asFee   models.Amount // what of a compensation stands as a fee
	waived  models.Amount // what was let off, and is not yet taken from what is to be paid back
}

// ask notes that a question was asked and answered.
func (v *verdict) ask(codes ...Code) {
	for _, code := range codes {
		v.asked[code]++
	}
}

// find adds a finding. back is what exceeds the lawful sum; what was let off counts first against it.
func (v *verdict) find(code Code, found, expected string, back models.Amount, working ...string) {
	if v.stopped {
		return
	}
	off := min(back, v.waived)
	v.waived -= off
	q := questions[code]
	rows := []string{"invoices.csv line " + lineText(v.line), "notices.csv line " + lineText(v.letter.line)}
	for at := v.payment; at != none && len(rows) < maxRows; at = v.set.payments[at].next {
		rows = append(rows, "payments.csv line "+lineText(v.set.payments[at].line))
	}
	v.stopped = v.stopped || !v.yield(report.Finding{
		Class: q.class, Code: string(code), Customer: report.Name(v.set.customers[v.customer]), Invoice: report.Name(v.number), Notice: report.Name(v.letter.number),
		Rows: rows, Expected: expected, Found: found, Back: back - off, Law: q.law, Text: q.text(v.language, found, expected), Working: working, Timeline: v.timeline(v.claim.invoice),
	})
}

// maxRows is how many rows a finding names.
const maxRows = 40

// owed asks whether anything was owed on the day on which the letter left. Money counts that came before that day.
func (v *verdict) owed() {
	l := v.letter
	v.ask(NothingOwed, OnlyCharges, ClaimLapsed)
	if reckoning.UnpaidOn(v.principal, l.sent) == 0 {
		accrued, _ := v.lawfulInterest(v.due, l.sent)
		left := v.charges + max(0, accrued.Amount+v.carried) - max(0, v.received(v.entries, l.sent)-v.gross)
		if v.nothing = left <= 0; !v.nothing {
			v.find(OnlyCharges, left.String(), "", 0)
		}
	}
	paid := models.Date(0)
	for _, e := range v.entries {
		if e.Type == models.EntryOCR && e.Amount < 0 && e.TransactionDate < l.sent {
			paid = max(paid, e.TransactionDate)
		}
	}
	if lapses := reckoning.Lapses(v.due, paid); l.sent > lapses && !v.nothing {
		v.find(ClaimLapsed, l.sent.String(), lapses.String(), 0)
	}
	if v.nothing {
		charged := l.fee + l.compensation
		v.find(NothingOwed, (charged + l.interest).String(), models.Amount(0).String(), charged)
	}
}

// time asks whether a warning and a demand came in time, and gave enough days.
func (v *verdict) time() {
	l := v.letter
	switch days := reckoning.DaysToPay(l.sent, l.deadline); l.kind {
	case reckoning.Warning:
		v.ask(WarningEarly, WarningOwn)
		if l.sent <= v.due {
			v.find(WarningEarly, l.sent.String(), (v.due + 1).String(), 0)
		}
		if !v.law.OwnWarning(l.sent) {
			v.find(WarningOwn, l.sent.String(), "", 0)
		}
		v.days(WarningDays, days)
	case reckoning.Demand:
		v.ask(DemandEarly)
		if l.sent <= v.warned || v.warned == 0 {
			v.find(DemandEarly, l.sent.String(), v.warned.String(), 0)
		}
		v.days(DemandDays, days)
	case reckoning.Reminder: // may come at any time, and set any deadline
	}
}

func (v *verdict) days(code Code, days int) {
	if v.letter.deadline == 0 {
		v.unknown++
		return
	}
	v.ask(code)
	if days < reckoning.LeastDays {
		v.find(code, fmt.Sprint(days), fmt.Sprint(reckoning.LeastDays), 0, fmt.Sprintf("%s – %s", v.letter.sent, v.letter.deadline))
	}
}
