package audit

import "strings"

// Code names a kind of question, and the finding where it is answered with no.
type Code int

// kind is what there is to say of a question.
type kind struct {
	name   string // as findings show it
	class  Class
	source string           // the law, or the rule of purr's
	words  map[string]words // by language
}

// words are a question, and the sentence of the finding. In it {found} stands for what is, and {expected} for what should have been.
type words struct{ question, finding string }

// filled returns a sentence with what is and what should have been.
func filled(sentence, found, expected string) string {
	return strings.NewReplacer("{found}", found, "{expected}", expected).Replace(sentence)
}

// of returns what there is to say of the question.
func (c Code) of() kind { return kinds[c] }

// String returns the name.
func (c Code) String() string { return kinds[c].name }

// Kinds returns all kinds of questions, in the order of what they are about.
func Kinds() []Code {
	all := make([]Code, codes)
	for i := range all {
		all[i] = Code(i)
	}
	return all
}

// Named returns the kind of question with a name, and false if there is none: an audit of an older release may have asked others.
func Named(name string) (Code, bool) {
	for i := range kinds {
		if kinds[i].name == name {
			return Code(i), true
		}
	}
	return 0, false
}

// Class returns how grave it is when the question is answered with no.
func (c Code) Class() Class { return c.of().class }

// Source returns the law or the rule that the question comes from.
func (c Code) Source() string { return c.of().source }

// Personal reports whether what is told of such a finding is a name and an address.
func (c Code) Personal() bool { return c == otherRecipient || c == otherAddress || c == jointAddress }

// Question returns the question in a language.
func (c Code) Question(language string) string { return c.of().words[language].question }

// The kinds of questions.
const (
	// Of owed.
	nothingOwed Code = iota
	nothingOwedNow
	belowMinimum
	belowMinimumNow
	onlyCharges
	onlyChargesNow
	creditElsewhere
	creditElsewhereNow
	onHold
	onPlan
	inQueue
	paymentWaited
	afterClosing
	afterHandOver
	notReady
	policyOff
	beforeStart
	illegalPolicy
	// Of order.
	notOverdue
	notOverdueNow
	deadlineRuns
	invoiceNotLeft
	invoiceNotLeftNow
	lastNotLeft
	sequence
	tooMany
	afterWarning
	tooEarly
	fewerDays
	notASendingDay
	filesLate
	fewDays
	warningDays
	fewDaysNow
	warningDaysNow
	leftBefore
	countsUntil
	lapsed
	ownWarning
	// Of fee.
	feeAsSheet
	feeBooked
	feeBelowZero
	feeNotAsked
	feeAboveCap
	sheetMaximum
	feeTooEarly
	feeTooEarlyNow
	secondFeeTooEarly
	thirdFee
	secondWarningFee
	feeNoDeadline
	feeDeadlineRuns
	feeBesideCompensation
	feeInDispute
	feeNow
	feeAbovePolicy
	compensationToPerson
	compensationTwice
	compensationAbove
	compensationDoubt
	jointFeeTwice
	// Of interest.
	interestAsSheet
	interestBooked
	interestNotAsked
	interestOff
	segmentWrong
	segmentsSum
	interestTooHigh
	interestTooLow
	interestTooHighNow
	rateAboveLegal
	rateAboveAgreed
	rateNotLegal
	rateNotKnownThen
	interestBeforeDue
	interestAfterIssue
	interestTwice
	interestWaived
	// Of letter.
	otherCustomer
	otherRecipient
	otherAddress
	otherKID
	neverLeft
	cameBack
	shaMalformed
	linesSum
	lineNotBooked
	asksAboveGross
	asksTooMuch
	asksTooLittle
	jointSum
	jointUnlike
	jointAddress
	// Of kept bytes.
	keptChanged
	keptSum
	keptDate
	keptKID
	keptAccount
	keptVAT
	// Of hand-over.
	noWarning
	handOverTooEarly
	handOverNotTold
	handOverPaid
	handOverBeforeDue
	handOverNotLeft
	warningTooOld
	handOverOnHold
	bundleSum
	handOverRow
	notTold
	// Of books.
	balanceWrong
	entryOwner
	creditBalance
	creditedTooMuch
	invoiceEntry
	principalAboveGross
	repaymentOwed
	movePair
	moveUncovered
	withdrawnStands
	chargesNotAsSheet
	chargeOfOther
	chargeWithoutNotice
	takenBackTooMuch
	invoiceSteps
	invoiceDeadline
	stepSkipped

	codes = iota // how many there are
)

var kinds = func() (all [codes]kind) {
	for _, some := range [][codes]kind{owedKinds, orderKinds, feeKinds, interestKinds, letterKinds, keptKinds, handOverKinds, booksKinds} {
		for c, k := range some {
			if k.name != "" {
				all[c] = k
			}
		}
	}
	return all
}()
