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
	amount      string
	vatRate     string
	vatBase     string
	netTotal    string
	vatExempt   string // why lines have no VAT: outside the law's scope
	vatZero     string // or within it, at a rate of zero
	toPay       string
	credited    string

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
	nothingOpen    string

	lateInvoice    string
	creditsInvoice string // invoice number, its date
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
	statementTitle:  "Kontoutdrag",

	organisationNumber: "Org.nr.",
	telephone:          "telefon",
	page:               "Side %d av %d",

	invoiceNumber:    "Fakturanummer",
	invoiceDate:      "Fakturadato",
	dueDate:          "Forfallsdato",
	creditNoteNumber: "Kreditnotanummer",
	date:             "Dato",
	creditedInvoice:  "Gjelder faktura",
	deliveryDate:     "Leveringsdato",
	deliveryPlace:    "Leveringssted",
	customerNumber:   "Kundenummer",
	buyerNumber:      "Kundens org.nr.",
	yourReference:    "Deres referanse",
	orderNumber:      "Ordrenummer",
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
	vatExempt:   "Det som er ført uten merverdiavgift, er unntatt fra merverdiavgift (merverdiavgiftsloven kapittel 3).",
	vatZero:     "Det som er ført uten merverdiavgift, er fritatt for merverdiavgift (merverdiavgiftsloven kapittel 6).",
	toPay:       "Å betale",
	credited:    "Kreditert",

	principal:    "Hovedstol",
	interest:     "Forsinkelsesrente",
	fees:         "Gebyr",
	compensation: "Standardkompensasjon",

	bankAccount: "Til konto",
	kid:         "KID",

	periodFrom:     "Fra og med",
	periodTo:       "Til og med",
	openingBalance: "Inngående saldo",
	closingBalance: "Utgående saldo",
	balance:        "Saldo",
	payment:        "Innbetaling",
	payout:         "Utbetaling",
	openItems:      "Åpne poster",
	repaymentOwed:  "Herav skyldig tilbakebetaling",
	nothingOpen:    "Ingen poster står åpne.",

	lateInvoice:    "Ved forsinket betaling kan det påløpe forsinkelsesrente og purregebyr etter loven.",
	creditsInvoice: "Kreditnotaen gjelder hele faktura %[1]d av %[2]s.",
	creditSettles:  "Hele beløpet, NOK %s, er gjort opp mot det som var ubetalt på fakturaen. Du har ikke noe til gode.",
	creditSetOff:   "NOK %s er gjort opp mot det som var ubetalt på fakturaen.",
	creditFree:     "NOK %s var betalt fra før, og det har du til gode.",
	paidBack: "Vi betaler det tilbake til den kontoen du oppgir til oss, eller trekker det fra på andre fakturaer som du skylder oss " +
		"for. Kontakt oss: %s.",

	notPaid: "Vi kan ikke se at faktura %[1]d av %[2]s, med forfall %[3]s, er fullt betalt.",
	stillNotPaid: "Vi viser til det vi har skrevet tidligere, og kan fremdeles ikke se at faktura %[1]d av %[2]s, med forfall " +
		"%[3]s, er fullt betalt.",
	payBy:               "Vi ber om at beløpet blir betalt innen %s.",
	claimFor:            "Kravet gjelder: %s",
	andMore:             "m.m.",
	follows:             "Blir ikke kravet betalt innen fristen, kan det påløpe kostnader etter loven.",
	followsWithInterest: "Blir ikke kravet betalt innen fristen, kan det påløpe mer forsinkelsesrente og ytterligere kostnader etter loven.",
	announces: "Blir ikke kravet betalt innen %s, kan det bli overlatt til et inkassoforetak. Det kan føre til ytterligere " +
		"kostnader.",
	warns: "Dette er et varsel etter inkassoloven § 9: Blir ikke kravet betalt innen %s, vil det bli sendt til inkasso uten flere " +
		"varsler. Det kan føre til ytterligere kostnader.",
	interestBasis: "Renten er regnet av ubetalt hovedstol: %s.",
	interestRate:  "%[1]s per år fra og med %[2]s til og med %[3]s",
	interestAhead: "Fra og med %[1]s kommer det til NOK %[2]s i rente for hver dag, etter dagens sats på %[3]s per år, til hovedstolen er " +
		"betalt. Det gjelder ikke dersom hele beløpet blir betalt innen fristen.",
	compensationBasis: "Kompensasjonen for kostnader ved inndrivelse kreves etter forsinkelsesrenteloven § 3 a i stedet for gebyr.",
	cannotPay:         "Kan du ikke betale innen fristen, ber vi deg ta kontakt med oss så snart som mulig.",
	objection:         "Har du innvendinger mot kravet, ber vi om en begrunnet tilbakemelding, helst innen fristen.",
	reachUs:           "Kontakt oss: %s.",
	alreadyPaid:       "Har du alt betalt, kan du se bort fra dette brevet.",
}

// nynorsk has the words of bokmål where the two agree.
var nynorsk = func() language {
	l := bokmaal
	l.tag = "nn"
	l.freeTitle = "Betalingspåminning"
	l.creditedInvoice = "Gjeld faktura"
	l.deliveryPlace = "Leveringsstad"
	l.buyerNumber = "Org.nr. til kunden"
	l.yourReference = "Dykkar referanse"
	l.originalDueDate = "Opphavleg forfall"
	l.description = "Skildring"
	l.quantity = "Mengd"
	l.netTotal = "Sum utan mva"
	l.vatExempt = "Det som er ført utan meirverdiavgift, er unnateke frå meirverdiavgift (meirverdiavgiftslova kapittel 3)."
	l.vatZero = "Det som er ført utan meirverdiavgift, er friteke for meirverdiavgift (meirverdiavgiftslova kapittel 6)."
	l.principal = "Hovudstol"
	l.interest = "Forseinkingsrente"
	l.periodFrom, l.periodTo = "Frå og med", "Til og med"
	l.openingBalance, l.closingBalance = "Inngåande saldo", "Utgåande saldo"
	l.openItems, l.nothingOpen = "Opne postar", "Ingen postar står opne."
	l.repaymentOwed = "Av dette skuldig tilbakebetaling"
	l.lateInvoice = "Ved forseinka betaling kan det kome til forseinkingsrente og purregebyr etter lova."
	l.creditsInvoice = "Kreditnotaen gjeld heile faktura %[1]d av %[2]s."
	l.creditSettles = "Heile beløpet, NOK %s, er gjort opp mot det som var ubetalt på fakturaen. Du har ikkje noko til gode."
	l.creditSetOff = "NOK %s er gjort opp mot det som var ubetalt på fakturaen."
	l.creditFree = "NOK %s var betalt frå før, og det har du til gode."
	l.paidBack = "Vi betaler det tilbake til den kontoen du gjev oss, eller trekkjer det frå på andre fakturaer som du skuldar oss for. " +
		"Kontakt oss: %s."
	l.notPaid = "Vi kan ikkje sjå at faktura %[1]d av %[2]s, med forfall %[3]s, er fullt betalt."
	l.stillNotPaid = "Vi viser til det vi har skrive tidlegare, og kan framleis ikkje sjå at faktura %[1]d av %[2]s, med forfall " +
		"%[3]s, er fullt betalt."
	l.payBy = "Vi bed om at beløpet blir betalt innan %s."
	l.claimFor = "Kravet gjeld: %s"
	l.follows = "Blir ikkje kravet betalt innan fristen, kan det kome til kostnader etter lova."
	l.followsWithInterest = "Blir ikkje kravet betalt innan fristen, kan det kome meir forseinkingsrente og ytterlegare kostnader etter lova."
	l.announces = "Blir ikkje kravet betalt innan %s, kan det bli overlate til eit inkassoføretak. Det kan føre til ytterlegare " +
		"kostnader."
	l.warns = "Dette er eit varsel etter inkassolova § 9: Blir ikkje kravet betalt innan %s, vil det bli sendt til inkasso utan fleire " +
		"varsel. Det kan føre til ytterlegare kostnader."
	l.interestBasis = "Renta er rekna av ubetalt hovudstol: %s."
	l.interestRate = "%[1]s per år frå og med %[2]s til og med %[3]s"
	l.compensationBasis = "Kompensasjonen for kostnader ved inndriving blir kravd etter forseinkingsrentelova § 3 a i staden for gebyr."
	l.interestAhead = "Frå og med %[1]s kjem det til NOK %[2]s i rente for kvar dag, etter satsen i dag på %[3]s per år, til hovudstolen er " +
		"betalt. Det gjeld ikkje dersom heile beløpet blir betalt innan fristen."
	l.cannotPay = "Kan du ikkje betale innan fristen, bed vi deg ta kontakt med oss så snart som råd."
	l.objection = "Har du innvendingar mot kravet, bed vi om ei grunngjeven tilbakemelding, helst innan fristen."
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
	statementTitle:  "Statement",

	organisationNumber: "Org. no.",
	telephone:          "telephone",
	page:               "Page %d of %d",

	invoiceNumber:    "Invoice number",
	invoiceDate:      "Invoice date",
	dueDate:          "Due date",
	creditNoteNumber: "Credit note number",
	date:             "Date",
	creditedInvoice:  "Credits invoice",
	deliveryDate:     "Delivery date",
	deliveryPlace:    "Place of delivery",
	customerNumber:   "Customer number",
	buyerNumber:      "Customer's org. no.",
	yourReference:    "Your reference",
	orderNumber:      "Order number",
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
	vatExempt:   "What bears no VAT is exempt from VAT (Norwegian VAT Act, chapter 3).",
	vatZero:     "What bears no VAT is zero-rated (Norwegian VAT Act, chapter 6).",
	toPay:       "To pay",
	credited:    "Credited",

	principal:    "Principal",
	interest:     "Late-payment interest",
	fees:         "Fees",
	compensation: "Standard compensation",

	bankAccount: "To account",
	kid:         "Payment reference (KID)",

	periodFrom:     "From",
	periodTo:       "To",
	openingBalance: "Opening balance",
	closingBalance: "Closing balance",
	balance:        "Balance",
	payment:        "Payment",
	payout:         "Payout",
	openItems:      "Open items",
	repaymentOwed:  "Of that a repayment owed",
	nothingOpen:    "Nothing is open.",

	lateInvoice:    "Late payment can bring late-payment interest and reminder fees under Norwegian law.",
	creditsInvoice: "This credit note credits the whole of invoice %[1]d of %[2]s.",
	creditSettles:  "The whole amount, NOK %s, is settled against what was unpaid on the invoice. Nothing is owed to you.",
	creditSetOff:   "NOK %s is settled against what was unpaid on the invoice.",
	creditFree:     "NOK %s had been paid already, and is owed to you.",
	paidBack: "We pay it back to the account that you give us, or deduct it from other invoices that you owe us. " +
		"Contact us: %s.",

	notPaid: "We cannot see that invoice %[1]d of %[2]s, due on %[3]s, has been paid in full.",
	stillNotPaid: "We have written to you before, and still cannot see that invoice %[1]d of %[2]s, due on %[3]s, has been " +
		"paid in full.",
	payBy:               "Please pay the amount by %s.",
	claimFor:            "The claim is for: %s",
	andMore:             "and more",
	follows:             "If the claim is not paid by then, costs can be added under Norwegian law.",
	followsWithInterest: "If the claim is not paid by then, further late-payment interest and costs can be added under Norwegian law.",
	announces: "If the claim is not paid by %s, it can be handed over to a licensed debt-collection agency. That can bring further " +
		"costs.",
	warns: "This is a warning under section 9 of the Norwegian Debt Collection Act: if the claim is not paid by %s, it will be sent " +
		"to debt collection without further warning. This can mean further costs.",
	interestBasis: "Interest is counted on the unpaid principal: %s.",
	interestRate:  "%[1]s a year from %[2]s to %[3]s, both inclusive",
	interestAhead: "From %[1]s, NOK %[2]s of interest is added each day, at today's rate of %[3]s a year, until the principal is paid. " +
		"This does not apply if you pay the whole amount by the deadline.",
	compensationBasis: "The compensation for the costs of recovery is claimed under section 3 a of the Norwegian Act on Interest on " +
		"Overdue Payments, in place of a fee.",
	cannotPay:   "If you cannot pay by the deadline, please get in touch with us as soon as you can.",
	objection:   "If you object to the claim, please tell us why, before the deadline if you can.",
	reachUs:     "Contact us: %s.",
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
