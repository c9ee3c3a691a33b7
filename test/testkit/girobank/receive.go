package girobank

import (
	"slices"
	"time"

	"purr/models"
	"purr/models/calendar"
)

// verdict is what the bank says to a claim, with the code of a receipt. Its words are those of the receipt.
type verdict struct {
	code    string
	words   string
	warning bool // the claim is taken
}

// The verdicts. The codes are ours: those of the real receipt are not public.
var (
	wrongAssignment  = verdict{"10", "Oppdraget er avvist", false}
	wrongClaim       = verdict{"11", "Feil i transaksjonen", false}
	noMandate        = verdict{"20", "FBO finnes ikke", false}
	aboveLimit       = verdict{"21", "Beløp over beløpsgrense", false}
	duplicate        = verdict{"22", "Kravet finnes fra før", false}
	duePassed        = verdict{"30", "Forfallsdato er passert", false}
	tooLate          = verdict{"31", "Kravet er mottatt for sent", false}
	tooFar           = verdict{"32", "Forfallsdato er mer enn 12 måneder frem", false}
	movedDue         = verdict{"33", "Forfallsdato er ikke bankdag, belastes neste bankdag", true}
	nothingToCancel  = verdict{"40", "Kravet som slettes finnes ikke", false}
	cancelledTooLate = verdict{"41", "Slettingen er mottatt for sent", false}
	cancelledAtOnce  = verdict{"42", "Sletting i samme forsendelse som kravet", false}
)

// row is a claim that a receipt tells of.
type row struct {
	file  *file
	claim *claim
	verdict
}

// Receive takes a file at a moment, judges it, and returns the receipts that are ready by then: those of this file if receipts are not
// delayed, and those of files before.
func (b *Bank) Receive(name string, content []byte, at time.Time) []Receipt {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := read(name, content, at)
	if b.loseNext {
		b.loseNext = false
		b.keep(f, Lost)
		return b.ready(f.at)
	}
	b.frame(f)
	if len(f.faults) > 0 {
		b.complainOfAll(f)
		b.keep(f, Refused)
		b.answer(f, nil)
		return b.ready(f.at)
	}
	switch {
	case !calendar.IsBankDay(models.DateOf(f.at)):
		b.complain(f, "it came on %s, which is no bank day", models.DateOf(f.at))
	case f.at.Hour() >= cutOff:
		b.complain(f, "it came after 14:00")
	}
	b.answer(f, b.judge(f))
	return b.ready(f.at)
}

// Receipts returns the receipts that are ready by the moment and were not given before.
func (b *Bank) Receipts(at time.Time) []Receipt {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ready(at)
}

// complainOfAll complains of all that is wrong with the form of a file.
func (b *Bank) complainOfAll(f *file) {
	faults := f.faults
	for _, a := range f.assignments {
		faults = append(faults, a.faults...)
		for _, c := range a.claims {
			faults = append(faults, c.faults...)
		}
	}
	for _, fault := range faults {
		b.complain(f, "%s", fault)
	}
}

// keep keeps the claims of a file that is not judged.
func (b *Bank) keep(f *file, state State) {
	for _, a := range f.assignments {
		for _, c := range a.claims {
			c.File, c.Transmission, c.State, c.Why = f.name, f.number, state, "the file was "+string(state)
			b.remember(c)
		}
	}
}

// frame judges who sent the file, and its number.
func (b *Bank) frame(f *file) {
	if f.sender == "" {
		return // the file cannot be read
	}
	switch f.sender {
	case b.settings.Sender:
	case nets:
		f.fault("the sender is the bank itself, %s", nets)
	default:
		f.fault("the sender %q is unknown", f.sender)
	}
	if b.numbers[f.number] {
		f.fault("the transmission number %s was given before", f.number)
	}
	b.numbers[f.number] = true
}

// judge judges the claims of a file: cancellations first, so that a claim can be changed by one file.
func (b *Bank) judge(f *file) (rows []row) {
	for _, cancellations := range []bool{true, false} {
		for _, a := range f.assignments {
			if a.cancellations == cancellations {
				rows = append(rows, b.judgeAssignment(f, a)...)
			}
		}
	}
	return rows
}

func (b *Bank) judgeAssignment(f *file, a *assignment) (rows []row) {
	b.assignmentNumber(f, a)
	for _, fault := range a.faults {
		b.complain(f, "assignment %s: %s", a.number, fault)
	}
	for _, c := range a.claims {
		c.File, c.Transmission, c.State = f.name, f.number, Waiting
		for _, fault := range c.faults {
			b.complain(f, "%s", fault)
		}
		var verdicts []verdict
		switch {
		case len(a.faults) > 0:
			verdicts = []verdict{wrongAssignment}
		case len(c.faults) > 0:
			verdicts = []verdict{wrongClaim}
		case a.cancellations:
			verdicts = b.cancel(f, c)
		default:
			verdicts = b.take(f, c)
		}
		for _, v := range verdicts {
			rows = append(rows, row{f, c, v})
			if !v.warning {
				c.State, c.Why = Refused, v.words
			}
		}
		b.remember(c)
	}
	return rows
}

// assignmentNumber judges the account of an assignment, and its number: it may come again after 12 months and a day.
func (b *Bank) assignmentNumber(f *file, a *assignment) {
	if !slices.Contains(b.agreements, a.account) {
		a.fault("the account %s has no agreement", a.account)
		return
	}
	t := f.day.Time()
	for _, g := range b.given {
		if g.account == a.account && g.number == a.number && g.on >= models.NewDate(t.Year()-1, t.Month(), t.Day()-1) {
			a.fault("the number was given on %s for the account %s", g.on, a.account)
			return
		}
	}
	b.given = append(b.given, givenNumber{a.account, a.number, f.day})
}

// take judges a claim.
func (b *Bank) take(f *file, c *claim) []verdict {
	if refused, is := b.dueOutside(f, c); is {
		return []verdict{refused}
	}
	for _, other := range b.sameAs(c) {
		if !other.Cancellation && (other.State == Waiting || other.State == Paid || other.State == Unpaid) {
			b.complain(f, "line %d: a second claim for KID %s due on %s", c.line, c.KID, c.Due)
			return []verdict{duplicate}
		}
	}
	m := b.mandate(c.Account, c.KID)
	if m == nil {
		b.complain(f, "line %d: nobody ever gave a mandate that covers the KID %s", c.line, c.KID)
		return []verdict{noMandate}
	}
	if !m.holds(f.day) {
		return []verdict{noMandate}
	}
	if limit, is := b.limits[b.payer(c.KID)]; is && c.Amount > limit {
		return []verdict{aboveLimit}
	}
	if !calendar.IsBankDay(c.Due) {
		return []verdict{movedDue}
	}
	return nil
}

// dueOutside judges whether the due date of a claim can be kept.
func (b *Bank) dueOutside(f *file, c *claim) (verdict, bool) {
	t := f.day.Time()
	switch last, latest := models.NewDate(t.Year()+1, t.Month(), t.Day()), b.latest(c); {
	case c.Due < f.day:
		b.complain(f, "line %d: the claim is due on %s, which is past", c.line, c.Due)
		return duePassed, true
	case c.Due > last:
		b.complain(f, "line %d: the claim is due on %s, more than 12 months ahead", c.line, c.Due)
		return tooFar, true
	case f.day > latest:
		b.complain(f, "line %d: the claim due on %s is too late: it counts as of %s, the last day was %s", c.line, c.Due, f.day, latest)
		return tooLate, true
	}
	return verdict{}, false
}

// remember keeps a claim.
func (b *Bank) remember(c *claim) {
	b.claims = append(b.claims, c)
	key := c.key()
	b.same[key] = append(b.same[key], c)
}

// sameAs returns what the bank has of a claim's KID and due date, the oldest first.
func (b *Bank) sameAs(c *claim) []*claim { return b.same[c.key()] }

func (c *claim) key() string { return c.Account + " " + c.KID + " " + c.Due.String() }

// sameAs reports whether two claims are for one KID of an account and one due date.
func (c *claim) sameAs(d *claim) bool {
	return c.Account == d.Account && c.KID == d.KID && c.Due == d.Due
}

// latest returns the last day as of which a claim may count. Where the bank tells the payer, that is the last bank day of a month, for
// what is due from the 15th of the next month to the 14th of the one after.
func (b *Bank) latest(c *claim) models.Date {
	if !c.Notice {
		return c.Due - models.Date(b.settings.LeadDays)
	}
	t := c.Due.Time()
	month := t.Month() // its first day follows the day that is looked for
	if t.Day() < 15 {
		month--
	}
	return calendar.LastBankDayBefore(models.NewDate(t.Year(), month, 1))
}

// cancel judges a cancellation, and takes its claim back: by 14:00 of the day before the due date. What comes on a day on which banks
// rest is handled on the next bank day.
func (b *Bank) cancel(f *file, c *claim) []verdict {
	var crossing bool // it is of a claim that was refused or lost, which the creditor may not know yet
	for _, other := range slices.Backward(b.sameAs(c)) {
		if other.Cancellation || other.Amount != c.Amount {
			continue
		}
		switch {
		case (other.State == Waiting || other.State == Paid || other.State == Unpaid) && f.day >= c.Due:
			b.complain(f, "line %d: KID %s is due on %s, it is too late to cancel", c.line, c.KID, c.Due)
			return []verdict{cancelledTooLate}
		case other.State == Waiting:
			other.State, c.State = Cancelled, Cancelled
			return nil
		case other.State == Refused || other.State == Lost:
			crossing = true
		}
	}
	for _, a := range f.assignments {
		for _, other := range a.claims {
			if !other.Cancellation && other.sameAs(c) {
				b.complain(f, "line %d: the cancellation of KID %s is in the file of its claim", c.line, c.KID)
				return []verdict{cancelledAtOnce}
			}
		}
	}
	if !crossing {
		b.complain(f, "line %d: the cancellation of KID %s, due on %s, over %s, is of no claim", c.line, c.KID, c.Due, c.Amount)
	}
	return []verdict{nothingToCancel}
}
