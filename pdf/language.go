package pdf

// language is the words of the documents in one language. A text with verbs says in its comment what
// they stand for.
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

	organisationNumber string
	page               string // page, pages

	invoiceNumber    string
	invoiceDate      string
	dueDate          string
	creditNoteNumber string
	date             string
	creditedInvoice  string
	customerNumber   string
	originalDueDate  string
	deadline         string

	description string
	quantity    string
	unitPrice   string
	discount    string
	vat         string
	netAmount   string
	amount      string
	vatRate     string
	vatBase     string
	netTotal    string
	toPay       string
	credited    string

	principal    string
	interest     string
	fees         string
	compensation string

	bankAccount string
	kid         string

	lateInvoice    string
	creditsInvoice string // invoice number, its date

	notPaid           string // invoice number, its date, its due date
	stillNotPaid      string // the same, on a second notice
	payBy             string // the new deadline
	follows           string // after a reminder
	announces         string // after one in the place of a warning: the new deadline
	warns             string // the new deadline
	interestBasis     string // the periods
	interestRate      string // percent, first day, last day
	compensationBasis string
	objection         string // where to write to
	alreadyPaid       string
}

// languageOf returns the words of a language by its code; bokmål for none and for one that is not known.
func languageOf(code string) *language {
	switch code {
	case "nn":
		return &nynorsk
	case "en":
		return &english
	}
	return &bokmaal
}
