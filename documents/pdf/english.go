package pdf

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

	preview: "PREVIEW – NOT SENT",

	carriedForward: "Carried forward", broughtForward: "Brought forward",

	amount:    "Amount",
	vatRate:   "VAT rate",
	vatBase:   "Base",
	netTotal:  "Total excl. VAT",
	vatExempt: "What bears no VAT is exempt from VAT (Norwegian VAT Act, chapter 3).",
	vatZero:   "What bears no VAT is zero-rated (Norwegian VAT Act, chapter 6).",
	toPay:     "To pay",
	credited:  "Credited",

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
	writtenOff:     "Written off, not asked for",
	nothingOpen:    "Nothing is open.",

	lateInvoice:    "Late payment can bring late-payment interest and reminder fees under Norwegian law.",
	creditsPart:    "This credit note credits a part of invoice %[1]d of %[2]s.",
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

	letterNumber:   "letter %d",
	letterInterest: "Interest",
	letterOfMany: letterWords{
		invoices:      "Invoices",
		notPaid:       "We cannot see that the invoices below have been paid in full.",
		stillNotPaid:  "We have written to you before, and still cannot see that the invoices below have been paid in full.",
		kid:           "You can pay all of it at once with the KID in the box at the foot of the page, or each invoice by itself with its own KID.",
		kids:          "Please pay each invoice by itself with its own KID.",
		interestBasis: "Interest is counted on the unpaid principal of each invoice, until %s, that day included.",
	},
	letterOfOne: letterWords{
		invoices:      "Invoice",
		notPaid:       "We cannot see that the invoice below has been paid in full.",
		stillNotPaid:  "We have written to you before, and still cannot see that the invoice below has been paid in full.",
		kid:           "Please pay with the KID in the box at the foot of the page, or with the invoice's own KID.",
		kids:          "Please pay with the invoice's KID.",
		interestBasis: "Interest is counted on the unpaid principal, until %s, that day included.",
	},

	copyTitle:  "Copy",
	copyOf:     "This is a copy of %s, enclosed as it was sent.",
	copyNoMore: "The copy is no new claim, and gives no new deadline. If the amount has been paid, it is not to be paid again.",
	enclosed:   "Enclosed is %s. The address on it is the one that we had when it was made.",

	timeTitle:    "More time to pay",
	timeUntil:    "Time until",
	timeGiven:    "You have more time to pay invoice %d: until %s, that day included. We send no further demand for it before that day is over.",
	timeOwed:     "On %s, NOK %s of the invoice was unpaid.",
	timeInterest: "Late-payment interest runs in this time too.",
	timeWaived:   "We charge no late-payment interest for the days from %s to %s, both included.",
	adopted:      "Another system has issued this document. It is shown here as far as it is known, and is not the original.",

	timeNoClaim: "The invoice is enclosed as it was sent. This letter is no new claim, and does not change the due date. If the amount has been paid, please disregard the letter.",

	correctionTitle:     "Correction",
	correctionBack:      "Comes back",
	corrected:           "We have gone through what we charged on invoice %d, and it was not right. We apologise, and have corrected it:",
	correctedFee:        "NOK %s of fees comes back.",
	correctedInterest:   "NOK %s of late-payment interest comes back.",
	correctedWarning:    "The debt-collection warning of %s does not hold any more.",
	correctedCollection: "The claim is no longer with the debt collector, who has been told so.",
	correctedOwed:       "On %s, after the correction, NOK %s of the invoice is unpaid.",
	correctedCredit:     "You have NOK %s to your credit with us. It counts towards your next invoice, or is paid out to you: tell us to which account.",
	correctionNoClaim:   "The invoice is enclosed as it was sent. This letter is no new claim, and gives no new deadline.",

	drawn:         "NOK %s is drawn from your account by AvtaleGiro on %s. You need not pay anything yourself.",
	ordinaryTitle: "Please pay",
	ordinary:      "Invoice %d is not drawn by AvtaleGiro after all. Please pay NOK %s by %s, with the account and the KID in the box at the foot of the page.",
	ordinaryMore:  "The invoice is enclosed as it was sent. If the amount has been paid, please disregard the letter.",

	invoicePage: pageOffer{"Questions about this invoice?", "See what is owed, say if something is wrong, or ask for more time."},
	noticePage:  pageOffer{"Have you paid, is something wrong, or do you need more time?", "Tell us here, where you also see what is owed."},

	planTitle:    "Payment plan",
	planMade:     "We have agreed that you pay invoice %[1]d of %[2]s by instalments. Together they are NOK %[3]s.",
	planNumber:   "Instalment %d",
	planTotal:    "Total",
	planPay:      "Use the same account and payment reference for all instalments. As long as each is paid in time, we send no reminders.",
	planMissed:   "If an instalment is not paid, the plan ends, and we may claim the whole amount.",
	planInterest: "Late-payment interest runs while the plan lasts too, and is not part of the instalments.",
}
