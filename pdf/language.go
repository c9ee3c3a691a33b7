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
	stillNotPaid      string // the same, for a second notice
	payBy             string // the new deadline
	follows           string // what follows after a reminder
	announces         string // what follows after a reminder in place of a warning: the new deadline
	warns             string // the new deadline
	interestBasis     string // the periods
	interestRate      string // percent, first day, last day
	compensationBasis string
	objection         string // where to send an objection
	alreadyPaid       string
}

// languageOf returns the words of a language by its code, bokmål for an empty or unknown code.
func languageOf(code string) *language {
	switch code {
	case "nn":
		return &nynorsk
	case "en":
		return &english
	}
	return &bokmaal
}

var bokmaal = language{
	tag: "nb", dateLayout: "02.01.2006", decimal: ",", group: "\u00A0",

	invoiceTitle:    "Faktura",
	creditNoteTitle: "Kreditnota",
	reminderTitle:   "Purring",
	freeTitle:       "Betalingspåminnelse",
	warningTitle:    "Inkassovarsel",

	organisationNumber: "Org.nr.",
	page:               "Side %d av %d",

	invoiceNumber:    "Fakturanummer",
	invoiceDate:      "Fakturadato",
	dueDate:          "Forfallsdato",
	creditNoteNumber: "Kreditnotanummer",
	date:             "Dato",
	creditedInvoice:  "Gjelder faktura",
	customerNumber:   "Kundenummer",
	originalDueDate:  "Opprinnelig forfall",
	deadline:         "Betalingsfrist",

	description: "Beskrivelse",
	quantity:    "Antall",
	unitPrice:   "Pris",
	discount:    "Rabatt",
	vat:         "Mva",
	netAmount:   "Beløp u/mva",
	amount:      "Beløp",
	vatRate:     "Mva-sats",
	vatBase:     "Grunnlag",
	netTotal:    "Sum uten mva",
	toPay:       "Å betale",
	credited:    "Kreditert",

	principal:    "Hovedstol",
	interest:     "Forsinkelsesrente",
	fees:         "Gebyr",
	compensation: "Standardkompensasjon",

	bankAccount: "Til konto",
	kid:         "KID",

	lateInvoice: "Ved forsinket betaling kan det påløpe forsinkelsesrente og purregebyr etter loven.",
	creditsInvoice: "Kreditnotaen gjelder hele faktura %[1]d av %[2]s. Det som var ubetalt på fakturaen, er gjort opp mot " +
		"kreditnotaen, og det som alt var betalt, er til gode.",

	notPaid: "Vi kan ikke se at faktura %[1]d av %[2]s, med forfall %[3]s, er fullt betalt.",
	stillNotPaid: "Vi viser til det vi har skrevet tidligere, og kan fremdeles ikke se at faktura %[1]d av %[2]s, med forfall " +
		"%[3]s, er fullt betalt.",
	payBy:   "Vi ber om at beløpet blir betalt innen %s.",
	follows: "Blir ikke kravet betalt innen fristen, kan det påløpe mer forsinkelsesrente og ytterligere kostnader etter loven.",
	announces: "Blir ikke kravet betalt innen %s, kan det bli overlatt til et inkassoforetak. Det kan føre til ytterligere " +
		"kostnader.",
	warns: "Blir ikke kravet betalt innen %s, vil inkasso bli satt i gang; kravet kan da bli overlatt til inkasso uten flere " +
		"varsler. Dette kan føre til ytterligere kostnader.",
	interestBasis:     "Renten er regnet av ubetalt hovedstol: %s.",
	interestRate:      "%[1]s per år fra og med %[2]s til og med %[3]s",
	compensationBasis: "Kompensasjonen for kostnader ved inndrivelse kreves etter forsinkelsesrenteloven § 3 a i stedet for gebyr.",
	objection: "Har du innvendinger mot kravet, ber vi om en begrunnet tilbakemelding så snart som mulig, helst innen fristen, " +
		"til %s.",
	alreadyPaid: "Har du alt betalt, kan du se bort fra dette brevet.",
}

// nynorsk has the words of bokmål where the two agree.
var nynorsk = func() language {
	l := bokmaal
	l.tag = "nn"
	l.freeTitle = "Betalingspåminning"
	l.creditedInvoice = "Gjeld faktura"
	l.originalDueDate = "Opphavleg forfall"
	l.description = "Skildring"
	l.quantity = "Mengd"
	l.netTotal = "Sum utan mva"
	l.principal = "Hovudstol"
	l.interest = "Forseinkingsrente"
	l.lateInvoice = "Ved forseinka betaling kan det kome til forseinkingsrente og purregebyr etter lova."
	l.creditsInvoice = "Kreditnotaen gjeld heile faktura %[1]d av %[2]s. Det som ikkje var betalt på fakturaen, er gjort opp mot " +
		"kreditnotaen, og det som alt var betalt, er til gode."
	l.notPaid = "Vi kan ikkje sjå at faktura %[1]d av %[2]s, med forfall %[3]s, er fullt betalt."
	l.stillNotPaid = "Vi viser til det vi har skrive tidlegare, og kan framleis ikkje sjå at faktura %[1]d av %[2]s, med forfall " +
		"%[3]s, er fullt betalt."
	l.payBy = "Vi bed om at beløpet blir betalt innan %s."
	l.follows = "Blir ikkje kravet betalt innan fristen, kan det kome meir forseinkingsrente og ytterlegare kostnader etter lova."
	l.announces = "Blir ikkje kravet betalt innan %s, kan det bli overlate til eit inkassoføretak. Det kan føre til ytterlegare " +
		"kostnader."
	l.warns = "Blir ikkje kravet betalt innan %s, vil inkasso bli sett i gang; kravet kan då bli overlate til inkasso utan fleire " +
		"varsel. Dette kan føre til ytterlegare kostnader."
	l.interestBasis = "Renta er rekna av ubetalt hovudstol: %s."
	l.interestRate = "%[1]s per år frå og med %[2]s til og med %[3]s"
	l.compensationBasis = "Kompensasjonen for kostnader ved inndriving blir kravd etter forseinkingsrentelova § 3 a i staden for gebyr."
	l.objection = "Har du innvendingar mot kravet, bed vi om ei grunngjeven tilbakemelding så snart som råd, helst innan fristen, " +
		"til %s."
	l.alreadyPaid = "Har du alt betalt, kan du sjå bort frå dette brevet."
	return l
}()

var english = language{
	tag: "en", dateLayout: "2\u00A0January\u00A02006", decimal: ".", group: ",",

	invoiceTitle:    "Invoice",
	creditNoteTitle: "Credit note",
	reminderTitle:   "Payment reminder",
	freeTitle:       "Payment reminder",
	warningTitle:    "Debt-collection warning",

	organisationNumber: "Org. no.",
	page:               "Page %d of %d",

	invoiceNumber:    "Invoice number",
	invoiceDate:      "Invoice date",
	dueDate:          "Due date",
	creditNoteNumber: "Credit note number",
	date:             "Date",
	creditedInvoice:  "Credits invoice",
	customerNumber:   "Customer number",
	originalDueDate:  "Original due date",
	deadline:         "Pay by",

	description: "Description",
	quantity:    "Quantity",
	unitPrice:   "Unit price",
	discount:    "Discount",
	vat:         "VAT",
	netAmount:   "Excl. VAT",
	amount:      "Amount",
	vatRate:     "VAT rate",
	vatBase:     "Base",
	netTotal:    "Total excl. VAT",
	toPay:       "To pay",
	credited:    "Credited",

	principal:    "Principal",
	interest:     "Late-payment interest",
	fees:         "Fees",
	compensation: "Standard compensation",

	bankAccount: "To account",
	kid:         "Payment reference (KID)",

	lateInvoice: "Late payment can bring late-payment interest and reminder fees under Norwegian law.",
	creditsInvoice: "This credit note credits the whole of invoice %[1]d of %[2]s. What was unpaid on the invoice is settled " +
		"against it, and what was already paid is to your credit.",

	notPaid: "We cannot see that invoice %[1]d of %[2]s, due on %[3]s, has been paid in full.",
	stillNotPaid: "We have written to you before, and still cannot see that invoice %[1]d of %[2]s, due on %[3]s, has been " +
		"paid in full.",
	payBy:   "Please pay the amount by %s.",
	follows: "If the claim is not paid by then, further late-payment interest and costs can be added under Norwegian law.",
	announces: "If the claim is not paid by %s, it can be handed over to a licensed debt-collection agency. That can bring further " +
		"costs.",
	warns: "If the claim is not paid by %s, debt collection will be started; the claim can then be handed over to debt " +
		"collection without further warning. This can bring further costs.",
	interestBasis: "Interest is counted on the unpaid principal: %s.",
	interestRate:  "%[1]s a year from %[2]s to %[3]s, both inclusive",
	compensationBasis: "The compensation for the costs of recovery is claimed under section 3 a of the Norwegian Act on Interest on " +
		"Overdue Payments, in place of a fee.",
	objection: "If you object to the claim, please write to us as soon as possible, before the deadline if you can, and say " +
		"why: %s.",
	alreadyPaid: "If you have already paid, please disregard this letter.",
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
