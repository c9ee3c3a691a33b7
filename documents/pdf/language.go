package pdf

import "purr/models"

// language is the words of the documents in one language. The comment of a text with verbs says what they stand for.
type language struct {
	tag        string // BCP 47
	dateLayout string
	decimal    string
	group      string // between thousands

	invoiceTitle    string
	creditNoteTitle string
	reminderTitle   string
	freeTitle       string // the heading of a reminder without a fee
	warningTitle    string // the heading of a debt-collection warning, alone (inkassoloven § 9)
	statementTitle  string

	organisationNumber string
	telephone          string
	page               string // page, pages

	invoiceNumber    string
	invoiceDate      string
	dueDate          string
	creditNoteNumber string
	date             string
	creditedInvoice  string
	deliveryDate     string
	deliveryPlace    string
	customerNumber   string
	buyerNumber      string // organisation number
	yourReference    string
	orderNumber      string
	originalDueDate  string
	deadline         string

	description string
	quantity    string
	unitPrice   string
	discount    string
	vat         string
	netAmount   string

	preview string // of what was not sent

	carriedForward, broughtForward string // of sums that go on over pages

	amount    string
	vatRate   string
	vatBase   string
	netTotal  string
	vatExempt string // why lines have no VAT: outside the law's scope
	vatZero   string // or within it, at a rate of zero
	toPay     string
	credited  string

	principal    string
	interest     string
	fees         string
	compensation string

	bankAccount string
	kid         string

	periodFrom     string // of a statement
	periodTo       string
	openingBalance string
	closingBalance string
	balance        string
	payment        string
	payout         string
	openItems      string
	repaymentOwed  string // of a balance
	writtenOff     string // of an invoice that is closed
	nothingOpen    string

	lateInvoice    string
	creditsInvoice string // invoice number, its date
	creditsPart    string // likewise, where a part of it is credited
	creditSettles  string // the amount, all of which was owed
	creditSetOff   string // the part that was owed
	creditFree     string // the customer's part
	paidBack       string // where to give an account

	notPaid             string // invoice number, its date, its due date
	stillNotPaid        string // the same, for a second notice
	payBy               string // the new deadline
	claimFor            string // what the claim is for
	andMore             string // more than the first line
	follows             string // what follows after a reminder
	followsWithInterest string // the same, where interest is charged
	announces           string // what follows after a reminder in place of a warning: the new deadline
	warns               string // the new deadline
	interestBasis       string // the periods
	interestRate        string // percent, first day, last day
	interestAhead       string // first day, amount each day, percent
	compensationBasis   string
	cannotPay           string
	objection           string
	reachUs             string // where
	alreadyPaid         string

	letterNumber   string // of a letter for several invoices (rule L23): its number
	letterInterest string // the title of a narrow column
	letterOfMany   letterWords
	letterOfOne    letterWords // one that lost its other invoices before it left

	copyTitle  string // of the sheet before a copy (rule N4)
	copyOf     string // the document
	copyNoMore string // of what nothing is claimed by
	enclosed   string // the document, behind a sheet with another address

	timeTitle    string // of the letter of more time (rule N11)
	timeUntil    string // the last day of the time
	timeGiven    string // invoice number, last day
	timeOwed     string // the day on which it was given, the amount
	timeInterest string // where interest runs
	timeWaived   string // where none does: first and last day
	timeNoClaim  string

	correctionTitle     string // of the letter that tells of charges that were wrong (rule U6)
	correctionBack      string // the name of what comes back
	corrected           string // invoice number
	correctedFee        string // what comes back of a fee
	correctedInterest   string // what comes back of interest
	correctedWarning    string // the date of a debt-collection warning that does not hold any more
	correctedCollection string
	correctedOwed       string // the day, what is owed after it
	correctedCredit     string // what the customer has to his credit
	correctionNoClaim   string

	drawn         string // of an invoice that AvtaleGiro draws: amount, due date
	ordinaryTitle string // of the page before one that it does not draw after all (rule G3a)
	ordinary      string // invoice number, amount, day
	ordinaryMore  string

	invoicePage pageOffer // of the debtor's page (rule W1), on an invoice
	noticePage  pageOffer // on reminders and warnings, also those for several invoices

	adopted      string // another system issued the document
	planTitle    string // of the letter that confirms a payment plan (rule L15)
	planMade     string // invoice number, its date, the sum
	planNumber   string // of an instalment
	planTotal    string
	planPay      string
	planMissed   string
	planInterest string
}

// languageOf returns the words of a language by its name of two letters, bokmål for an empty or unknown one.
func languageOf(name string) *language {
	switch name {
	case "nn":
		return &nynorsk
	case "en":
		return &english
	}
	return &bokmaal
}

// number writes a decimal number as the language does.
func (l *language) number(s string) string { return models.GroupDigits(s, l.group, l.decimal) }

func (l *language) money(a models.Amount) string { return l.number(a.String()) }

func (l *language) rate(p models.Percent) string { return l.number(p.String()) + "\u00A0%" }

func (l *language) day(d models.Date) string {
	if d == 0 {
		return ""
	}
	return d.Time().Format(l.dateLayout)
}

func account(s string) string { return models.GroupAccount(s, "\u00A0") }

// organisation writes an organisation number of 9 digits in groups of 3; anything else as it is.
func organisation(s string) string {
	if len(s) != 9 {
		return s
	}
	return s[:3] + "\u00A0" + s[3:6] + "\u00A0" + s[6:]
}

// letterWords are what a letter says of its invoices.
type letterWords struct {
	invoices      string // how many there are
	notPaid       string
	stillNotPaid  string // the same, for a second notice
	kid           string // how to pay with the letter's KID
	kids          string // or without one
	interestBasis string // the last day of interest
}

// wordsOf returns what a letter for so many invoices says of them.
func (l *language) wordsOf(invoices int) letterWords {
	if invoices == 1 {
		return l.letterOfOne
	}
	return l.letterOfMany
}
