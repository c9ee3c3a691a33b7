package models

// MinNoticeDays is the least number of days from a notice's issue to its due date (rule D28;
// inkassoloven § 9 for the debt-collection warning, inkassoforskriften § 1-3 for a second fee).
const MinNoticeDays = 14

// MaxPostalDays is the most days that a policy adds for a letter's way to the mailbox (rule L2).
const MaxPostalDays = 10

// MaxPrintDays is the most days that a policy adds for the printer or the print shop (rule D94).
const MaxPrintDays = 10

// WarningStep says which notice is the debt-collection warning.
type WarningStep string

// The positions of the debt-collection warning in the ladder (rule E6a).
const (
	WarningSecond WarningStep = "second"
	WarningFirst  WarningStep = "first"
	WarningNever  WarningStep = "never"
)

// Remainder says what becomes of the fees and interest that are left when an invoice's principal is paid.
type Remainder string

// What becomes of fees and interest that are left (rule L7).
const (
	RemainderLeave Remainder = "leave" // they stay owed, and no step is taken
	RemainderWaive Remainder = "waive" // the next run reverses them
	RemainderChase Remainder = "chase" // the ladder goes on
)

// MaxCloseBelow is the most of which a policy may have runs close invoices with less unpaid principal, in øre (rule L25).
const MaxCloseBelow = 100_00

// DefaultMinimumBalance is the least unpaid principal that is dunned unless the policy says otherwise, in øre (rule L7).
const DefaultMinimumBalance = 50_00

// Policy is how a creditor's overdue invoices are dunned (rule E6a).
type Policy struct {
	Enabled              bool
	DueAfter             Date    // only invoices that are due after this day are dunned; zero for all
	FirstNoticeDays      int     // after the invoice's due date
	SecondNoticeDays     int     // after the first notice's due date
	Fee                  *Amount // øre; nil is the legal maximum of the issue date
	Compensation         bool    // businesses are charged standard compensation in place of fees (forsinkelsesrenteloven § 3a)
	AddInterest          bool
	InterestRate         *Percent // nil is the legal rate
	DaysToPay            int      // from a notice's issue date to its due date
	PostalDays           int      // added to DaysToPay for the letter's way to the mailbox (rule L2)
	PrintDays            int      `gorm:"column:handover_days"` // added to DaysToPay for the printer or the print shop (rule D94); handover_days in the interface
	DebtCollectionNotice WarningStep
	ReminderMethod       ShipmentMethod // by which reminders go: ByPaper, ByEmail or Auto (rule L22)
	HandOverDays         *int           // after the warning's due date; nil if only a person hands over
	MinimumBalance       Amount         // øre; an invoice with less unpaid principal is not dunned (rule L7)
	Remainder            Remainder
	CloseBelow           Amount  // øre; a run closes an overdue invoice of which less principal is left (rule L25); 0 closes none
	FriendlyReminderDays DayList // counted from the due date: the e-mails that remind of an invoice before a notice is due (rule L14)
	EHFReminder          bool    // a notice to a business that receives EHF Reminder goes by it besides paper (rule H1)
	JointLetters         bool    // invoices of a customer that take the same step on the same day share one letter (rule L23)
	SettleCredit         bool    // each run first moves customers' free credit to their open invoices (rule L5)
	WeekdaysOnly         bool
	RequirePaymentFile   bool
}

// DefaultPolicy returns the defaults of rule E6a. They are switched off.
func DefaultPolicy() Policy {
	return Policy{
		FirstNoticeDays: 14, SecondNoticeDays: 14, AddInterest: true, DaysToPay: MinNoticeDays,
		DebtCollectionNotice: WarningSecond, ReminderMethod: ByPaper, MinimumBalance: DefaultMinimumBalance, Remainder: RemainderLeave, WeekdaysOnly: true, RequirePaymentFile: true,
	}
}

// MaxNotices returns how many notices the ladder has.
func (p Policy) MaxNotices() int {
	if p.DebtCollectionNotice == WarningFirst {
		return 1
	}
	return 2
}

// illegalPolicy returns the fault of a policy's field that is against the law or good sense.
func illegalPolicy(field, format string, args ...any) *Error {
	return Invalid("illegal_policy", field, format, args...).Under(At("dunning_policy"))
}

// WarningIs reports whether the notice with the given sequence number is the debt-collection warning.
func (p Policy) WarningIs(sequence int) bool {
	return p.DebtCollectionNotice == WarningFirst && sequence == 1 || p.DebtCollectionNotice == WarningSecond && sequence == 2
}

// Validate returns every value that the law or good sense forbids, or nil (rule E6a). maxFee is today's legal maximum
// fee, in øre.
func (p Policy) Validate(maxFee Amount) error {
	var faults Errors
	illegal := func(field, format string, args ...any) {
		faults = append(faults, illegalPolicy(field, format, args...))
	}
	if p.FirstNoticeDays < 1 || p.FirstNoticeDays > 365 {
		illegal("first_notice_days", "must be from 1 to 365: a claim is not overdue before the day after its due date (inkassoloven § 9)")
	}
	if p.SecondNoticeDays < 1 || p.SecondNoticeDays > 365 {
		illegal("second_notice_days", "must be from 1 to 365: the first notice's deadline must have run out (inkassoforskriften § 1-3)")
	}
	if p.DaysToPay < MinNoticeDays || p.DaysToPay > 365 {
		illegal("days_to_pay", "must be from %d to 365 (inkassoloven § 9)", MinNoticeDays)
	}
	if p.PostalDays < 0 || p.PostalDays > MaxPostalDays {
		illegal("postal_days", "must be from 0 to %d", MaxPostalDays)
	}
	if p.PrintDays < 0 || p.PrintDays > MaxPrintDays {
		illegal("handover_days", "must be from 0 to %d", MaxPrintDays)
	}
	if p.Fee != nil && (*p.Fee < 0 || *p.Fee > maxFee) {
		illegal("fee", "must be from 0 to %s, the legal maximum today (inkassoforskriften § 1-2)", maxFee)
	}
	if p.InterestRate != nil && (*p.InterestRate < 0 || *p.InterestRate > 100*100) {
		illegal("interest_rate", "must be from 0 to 100 percent (forsinkelsesrenteloven § 3)")
	}
	if p.HandOverDays != nil && (*p.HandOverDays < 1 || *p.HandOverDays > 365) {
		illegal("hand_over_days", "must be from 1 to 365: the warning's deadline must have run out (inkassoloven § 9)")
	}
	switch p.DebtCollectionNotice {
	case WarningSecond, WarningFirst, WarningNever:
	default:
		illegal("debt_collection_notice", "must be second, first or never")
	}
	switch p.Remainder {
	case RemainderLeave, RemainderWaive, RemainderChase:
	default:
		illegal("remainder", "must be leave, waive or chase")
	}
	switch p.ReminderMethod {
	case ByPaper, ByEmail, Auto:
	default:
		illegal("reminder_method", "must be PAPER, EMAIL or AUTO")
	}
	faults = append(faults, p.FriendlyFaults()...)
	if p.MinimumBalance < 0 {
		illegal("minimum_balance", "must not be negative")
	}
	if p.CloseBelow < 0 || p.CloseBelow > MaxCloseBelow {
		illegal("close_below", "must be from 0.00 to %s", Amount(MaxCloseBelow))
	}
	return faults.ErrorOrNil()
}
