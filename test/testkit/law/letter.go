package law

import (
	"slices"

	"purr/models"
)

// Letter is an overdue notice as it was issued.
type Letter struct {
	Sequence     int // among those of its invoice
	Warning      bool
	Issued, Due  models.Date
	Fee          models.Amount
	Compensation bool // the fee is standard compensation (forsinkelsesrenteloven § 3a)
	Interest     models.Amount
	Unsent       bool        // it has not left, or it came back (rule L13a)
	Left         models.Date // the day on which it really left, where it has; zero counts as the day of its issue
}

// Runs returns the last day of the letter's deadline: its due date, and as many days more as the letter left late (rule D94).
func (l Letter) Runs() models.Date {
	if l.Left > l.Issued {
		return l.Due + l.Left - l.Issued
	}
	return l.Due
}

// TooShort reports whether the printed due date leaves fewer than 14 days from the letter's real leaving (inkassoloven § 9,
// inkassoforskriften § 1-3): such a letter is withdrawn (rule D94).
func (l Letter) TooShort() bool { return l.Left > l.Issued && l.Due < l.Left+14 }

// Standing is an invoice as it is before a letter.
type Standing struct {
	Due       models.Date    // of the invoice, as printed
	Late      int            // by how many days the invoice left after its issue date (rule L1)
	Unsent    bool           // the invoice has not left, or it came back (rule L13a)
	Failed    bool           // the letter of a withdrawn notice failed, and waits for its channel or a person: the step is taken anew then (rule L2)
	Balance   models.Amount  // the sum of all entries
	Ended     bool           // it is closed, or handed over to debt collection
	Held      bool           // it, or its customer, is on hold
	Disputed  bool           // the hold is because of an objection to the claim
	Entries   []models.Entry // the invoice's
	Letters   []Letter       // the earlier ones that were not withdrawn, in order
	Business  bool           // the customer has an organisation number
	NoAddress bool           // the customer has no address1
	NoLetters bool           // a letter to the customer came back: further ones wait (rule S1b)
	Shielded  bool           // a payment in the queue is likely the customer's
	NewAct    models.Date    // from which the act of 2026 is in force (LOV-2026-05-22-19), zero where that is far off
	InCredit  bool           // the customer owes nothing in all: the ledger balance is zero or below
	Credit    models.Amount  // the customer's free credit: what is overpaid, and credit notes outstanding
	KeptOpen  bool           // a person has opened it again: no run closes it for a small remainder (rule L25)
}

// due returns the day from which automatic dunning and interest count: the invoice's due date, moved by as many days as
// the invoice left late, and off weekends and holidays (rules D29, E6d, L1).
func (s Standing) due() models.Date { return Moved(s.Due + models.Date(s.Late)) }

// last returns until when the last document runs, not moved off weekends.
func (s Standing) last() models.Date {
	if len(s.Letters) > 0 {
		return s.Letters[len(s.Letters)-1].Runs()
	}
	return s.Due
}

// deadline returns the last day of the last document's deadline, as automatic dunning counts it. It never ends before the
// invoice is due: an invoice that came back and was sent anew may leave after its notices (rule L1).
func (s Standing) deadline() models.Date {
	if len(s.Letters) > 0 {
		return max(Moved(s.last()), s.due())
	}
	return s.due()
}

// taken returns how many steps of the ladder are taken. An earlier notice of two may be withdrawn.
func (s Standing) taken() int {
	if len(s.Letters) > 0 {
		return s.Letters[len(s.Letters)-1].Sequence
	}
	return 0
}

// warning returns the debt-collection warning, and whether there is one.
func (s Standing) warning() (Letter, bool) {
	i := slices.IndexFunc(s.Letters, func(l Letter) bool { return l.Warning })
	if i < 0 {
		return Letter{}, false
	}
	return s.Letters[i], true
}

// warned reports whether a debt-collection warning was issued.
func (s Standing) warned() bool {
	_, is := s.warning()
	return is
}

// unsent reports whether the invoice, or its last letter, has not left (rule L1).
func (s Standing) unsent() bool {
	return s.Unsent || len(s.Letters) > 0 && s.Letters[len(s.Letters)-1].Unsent
}

// waits reports whether the ladder waits for a letter: that of the invoice, of the last notice, or of the step that is to be
// taken anew (rules L1, L2).
func (s Standing) waits() bool { return s.unsent() || s.Failed }

// Principal returns what is unpaid of the invoice itself: payments and credits go to it first (rule D29).
func (s Standing) Principal() models.Amount { return s.principal(1 << 30) }

// principal returns what was unpaid of the invoice itself in the morning of a day.
func (s Standing) principal(morning models.Date) (sum models.Amount) {
	for _, e := range s.Entries {
		if !charges(e) && e.TransactionDate < morning {
			sum += e.Amount
		}
	}
	return sum
}

// charges reports whether an entry charges a fee or interest, or takes it back.
func charges(e models.Entry) bool {
	return e.Type == models.EntryInterest || e.Type == models.EntryOverdueCharge
}

// underNewAct reports whether the act of 2026 is in force on a day.
func (s Standing) underNewAct(on models.Date) bool { return s.NewAct != 0 && on >= s.NewAct }

// maximumFee returns the maximum of the fee on a day. No fee is set under the act of 2026 yet (its § 19).
func (s Standing) maximumFee(on models.Date) models.Amount {
	if s.underNewAct(on) {
		return 0
	}
	return MaximumFee(on)
}

// fault is something that may be wrong, and whether it is.
type fault struct {
	is   bool
	what string
}

// found returns the faults that are there.
func found(all []fault) (wrong []string) {
	for _, f := range all {
		if f.is {
			wrong = append(wrong, f.what)
		}
	}
	return wrong
}

// Unlawful returns what is wrong with a letter by law, whoever asked for it (rules D27 to D29, inkassoforskriften §§ 1-2 and 1-3,
// inkassoloven §§ 9 and 17).
func (s Standing) Unlawful(l Letter) []string {
	return found([]fault{
		{s.Balance <= 0, "nothing is owed"},
		{s.Ended, "the invoice is closed or handed over"},
		{s.taken() >= 2, "it is one notice too many"},
		{l.Sequence != s.taken()+1, "its number is wrong"},
		{s.warned(), "a warning was sent"},
		{l.Issued <= s.Due, "the invoice is not overdue"},
		{l.Due < l.Issued+14, "it leaves less than 14 days to pay"},
		{l.Fee > 0 && !l.Compensation && l.Issued < s.last()+14, "it has a fee before its day"},
		{l.Fee > s.maximumFee(l.Issued) && !l.Compensation, "its fee is above the maximum"},
		{l.Warning && s.underNewAct(l.Issued), "only a licensed agency may warn"},
		{l.Compensation && !s.Business, "a consumer is to compensate"},
		{l.Compensation && l.Fee > min(Compensation(s.due()+1), Compensation(l.Issued)), "it is more than the standard compensation"},
		{s.compensated() && l.Fee > 0, "it charges something besides the standard compensation"},
		{l.Fee > 0 && s.Disputed, "it has a fee while the claim is disputed"},
	})
}

// AgainstPolicy returns what is wrong with a letter that automatic dunning sent under a policy, besides what is unlawful
// (rules D29, E2, E6a, E6d, L1, L2, L5 to L7).
func (s Standing) AgainstPolicy(l Letter, p models.Policy) []string {
	wait := map[int]int{1: p.FirstNoticeDays, 2: p.SecondNoticeDays}[l.Sequence]
	interest := models.Amount(0)
	if p.AddInterest {
		interest = s.Interest(p, l.Issued)
	}
	return append(s.heldBack(p), found([]fault{
		{l.Issued <= s.deadline(), "the last deadline runs"},
		{l.Issued < s.deadline()+models.Date(wait), "its day is not reached"},
		{l.Due < l.Issued+models.Date(p.DaysToPay+p.PostalDays+p.PrintDays), "it leaves less time to pay than the policy"},
		{p.WeekdaysOnly && !IsWeekday(l.Issued), "it is no sending day"},
		{l.Sequence > 1 && p.DebtCollectionNotice == models.WarningFirst, "a reminder was in the place of the only notice"},
		{l.Warning != (p.DebtCollectionNotice == models.WarningStep(map[int]string{1: "first", 2: "second"}[l.Sequence])), "it is no warning, or one"},
		{l.Fee > 0 && !l.Compensation && l.Issued < s.deadline()+14, "it has a fee before its day"},
		{p.Fee != nil && l.Fee > *p.Fee && !l.Compensation, "its fee is above the policy's"},
		{l.Compensation && !p.Compensation, "it is compensation, which the policy does not charge"},
		{l.Interest != interest, "its interest is not " + interest.String()},
	})...)
}

// heldBack returns what should have held every step of automatic dunning back, notices and hand-overs.
func (s Standing) heldBack(p models.Policy) []string {
	return found([]fault{
		{!p.Enabled, "dunning is off"},
		{s.Held, "it is on hold"},
		{s.Shielded, "the customer's payment waits in the queue"},
		{s.owesTheCustomer(), "the creditor owes the customer"},
		{s.belowMinimum(p), "less than the minimum is owed"},
		{s.onlyCharges(p), "only fees and interest are left"},
		{s.waits(), "the invoice or its last letter has not left"},
		{s.NoLetters, "letters to the customer come back"},
		{s.NoAddress, "the customer has no address"},
	})
}

// owesTheCustomer reports whether the customer owes nothing in all, or the creditor holds as much of the customer's as
// the invoice owes (rule L5).
func (s Standing) owesTheCustomer() bool {
	return s.InCredit || s.Credit > 0 && s.Credit >= s.Balance
}

// belowMinimum reports whether less than the policy's minimum is owed: of the principal, and where it is paid and the rest
// is chased, in all (rules L7, L13a).
func (s Standing) belowMinimum(p models.Policy) bool {
	if principal := s.Principal(); principal > 0 {
		return principal < p.MinimumBalance
	}
	return p.Remainder == models.RemainderChase && s.Balance < p.MinimumBalance
}

// small reports whether so little principal is left that a run closes the invoice once it is overdue (rule L25).
func (s Standing) small(p models.Policy) bool {
	left := s.Principal()
	return 0 < left && left < p.CloseBelow && s.Credit < left && !s.KeptOpen
}

// onlyCharges reports whether the principal is paid and the rest is not chased (rule L7).
func (s Standing) onlyCharges(p models.Policy) bool {
	return s.Principal() <= 0 && p.Remainder != models.RemainderChase
}

// Interest returns the interest that a letter of a day charges under a policy. The policy's own rate is used where it is
// lower than the legal rate, and always towards a business (rule E6a, forsinkelsesrenteloven § 4).
func (s Standing) Interest(p models.Policy, on models.Date) models.Amount {
	c := Claim{Due: s.Due + models.Date(s.Late), Unpaid: s.principal, Rate: s.rate(p.InterestRate)}
	for _, l := range s.Letters {
		if l.Interest > 0 {
			c.ChargedTo = l.Issued
		}
	}
	return c.Interest(on)
}

// rate returns the rates that hold for the customer, given the policy's own rate, which may be nil.
func (s Standing) rate(own *models.Percent) func(on models.Date) models.Percent {
	return func(on models.Date) models.Percent {
		if own != nil && (*own < Rate(on) || s.Business) {
			return *own
		}
		return Rate(on)
	}
}

// NotToHandOver returns what is wrong with a hand-over of the invoice to debt collection, made by automatic dunning on a
// day under a policy (rules E6a, L1, L10).
func (s Standing) NotToHandOver(on models.Date, p models.Policy) []string {
	wait := 0
	if p.HandOverDays != nil {
		wait = *p.HandOverDays
	}
	warning, warned := s.warning()
	return append(s.heldBack(p), found([]fault{
		{p.HandOverDays == nil, "the policy hands nothing over"},
		{!warned, "it was not warned of"},
		{s.Ended, "the invoice is closed or handed over"},
		{s.Balance <= 0, "nothing is owed"},
		{p.WeekdaysOnly && !IsWeekday(on), "it is no sending day"},
		{on <= s.deadline() || on < s.deadline()+models.Date(wait), "its day is not reached"},
		{warned && on > warning.Issued+MaximumAge, "the warning is too old"},
	})...)
}

// MaximumAge is how many days old a warning may be at an automatic hand-over (rule L10).
const MaximumAge = 180

// NotToHandOverByHand returns what is wrong with a hand-over that a person has asked for (rules L1, L10). A notice that was
// withdrawn counts for nothing: a person may hand over without any.
func (s Standing) NotToHandOverByHand(on models.Date, forced bool) []string {
	_, warned := s.warning()
	return found([]fault{
		{s.Ended, "the invoice is closed or handed over"},
		{s.unsent(), "the invoice or its last letter has not left"},
		{warned && on <= s.last() && !forced, "the warning's deadline runs"},
	})
}
