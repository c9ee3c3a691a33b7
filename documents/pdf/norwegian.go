package pdf

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

	preview: "FORHÅNDSVISNING – IKKE SENDT",

	carriedForward: "Overføres", broughtForward: "Overført",

	amount:    "Beløp",
	vatRate:   "Mva-sats",
	vatBase:   "Grunnlag",
	netTotal:  "Sum uten mva",
	vatExempt: "Det som er ført uten merverdiavgift, er unntatt fra merverdiavgift (merverdiavgiftsloven kapittel 3).",
	vatZero:   "Det som er ført uten merverdiavgift, er fritatt for merverdiavgift (merverdiavgiftsloven kapittel 6).",
	toPay:     "Å betale",
	credited:  "Kreditert",

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
	writtenOff:     "Avskrevet, kreves ikke",
	nothingOpen:    "Ingen poster står åpne.",

	lateInvoice:    "Ved forsinket betaling kan det påløpe forsinkelsesrente og purregebyr etter loven.",
	creditsPart:    "Kreditnotaen gjelder en del av faktura %[1]d av %[2]s.",
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

	letterNumber:   "brev %d",
	letterInterest: "Renter",
	letterOfMany: letterWords{
		invoices:      "Fakturaer",
		notPaid:       "Vi kan ikke se at fakturaene nedenfor er fullt betalt.",
		stillNotPaid:  "Vi viser til det vi har skrevet tidligere, og kan fremdeles ikke se at fakturaene nedenfor er fullt betalt.",
		kid:           "Du kan betale alt på én gang med KID i feltet nederst på siden, eller hver faktura for seg med dens egen KID.",
		kids:          "Betal hver faktura for seg med dens egen KID.",
		interestBasis: "Renten er regnet av ubetalt hovedstol på hver faktura, til og med %s.",
	},
	letterOfOne: letterWords{
		invoices:      "Faktura",
		notPaid:       "Vi kan ikke se at fakturaen nedenfor er fullt betalt.",
		stillNotPaid:  "Vi viser til det vi har skrevet tidligere, og kan fremdeles ikke se at fakturaen nedenfor er fullt betalt.",
		kid:           "Betal med KID i feltet nederst på siden, eller med fakturaens egen KID.",
		kids:          "Betal med fakturaens KID.",
		interestBasis: "Renten er regnet av ubetalt hovedstol, til og med %s.",
	},

	copyTitle:  "Kopi",
	copyOf:     "Dette er en kopi av %s. Den er vedlagt slik den ble sendt.",
	copyNoMore: "Kopien er ikke et nytt krav, og den gir ingen ny frist. Er beløpet betalt, skal du ikke betale det en gang til.",
	enclosed:   "Vedlagt er %s. Adressen der er den vi hadde da dokumentet ble laget.",

	timeTitle:    "Utsatt betaling",
	timeUntil:    "Utsatt til",
	timeGiven:    "Du har fått utsettelse med å betale faktura %d, til og med %s. Vi sender ingen flere krav om den før den dagen er over.",
	timeOwed:     "Den %s var kr %s av fakturaen ubetalt.",
	timeInterest: "Forsinkelsesrenten løper også i denne tiden.",
	timeWaived:   "Vi krever ikke forsinkelsesrente for dagene fra og med %s til og med %s.",
	adopted:      "Dokumentet er utstedt av et annet system. Her vises det så langt det er kjent, og det er ikke originalen.",

	timeNoClaim: "Fakturaen er vedlagt slik den ble sendt. Dette brevet er ikke et nytt krav, og det endrer ikke forfallsdatoen. Er beløpet betalt, kan du se bort fra brevet.",

	correctionTitle:     "Retting",
	correctionBack:      "Du får tilbake",
	corrected:           "Vi har gått gjennom det vi har krevd på faktura %d, og det var ikke riktig. Vi beklager, og har rettet det:",
	correctedFee:        "Du får tilbake kr %s i gebyr.",
	correctedInterest:   "Du får tilbake kr %s i forsinkelsesrente.",
	correctedWarning:    "Inkassovarselet av %s gjelder ikke lenger.",
	correctedCollection: "Saken er ikke lenger hos inkassoselskapet, og de har fått beskjed.",
	correctedOwed:       "Den %s, etter rettingen, er kr %s av fakturaen ubetalt.",
	correctedCredit:     "Du har kr %s til gode hos oss. Beløpet går til neste faktura, eller vi betaler det ut: fortell oss til hvilken konto.",
	correctionNoClaim:   "Fakturaen er vedlagt slik den ble sendt. Dette brevet er ikke et nytt krav, og det gir ingen ny frist.",

	drawn:         "Kr %s trekkes fra kontoen din med AvtaleGiro %s. Du trenger ikke å betale noe selv.",
	ordinaryTitle: "Til betaling",
	ordinary:      "Faktura %d blir likevel ikke trukket med AvtaleGiro. Betal kr %s innen %s, med kontonummeret og KID-nummeret i feltet nederst på siden.",
	ordinaryMore:  "Fakturaen er vedlagt slik den ble sendt. Er beløpet betalt, kan du se bort fra brevet.",

	invoicePage: pageOffer{"Spørsmål om fakturaen?", "Se hva som er ubetalt, si fra om noe er feil, eller be om mer tid."},
	noticePage:  pageOffer{"Har du betalt, er noe feil, eller trenger du mer tid?", "Si fra her, der du også ser hva som er ubetalt."},

	planTitle:    "Betalingsplan",
	planMade:     "Vi har avtalt at du betaler faktura %[1]d av %[2]s i avdrag. Til sammen er det NOK %[3]s.",
	planNumber:   "Avdrag %d",
	planTotal:    "Sum",
	planPay:      "Bruk samme kontonummer og KID til alle avdragene. Så lenge hvert avdrag blir betalt til rett tid, sender vi ingen purringer.",
	planMissed:   "Uteblir et avdrag, faller planen bort, og vi kan kreve hele beløpet.",
	planInterest: "Forsinkelsesrenten løper også mens planen gjelder, og er ikke med i avdragene.",
}

// nynorsk has the words of bokmål where the two agree.
var nynorsk = func() language {
	l := bokmaal
	l.tag = "nn"
	l.carriedForward = "Overførast"
	l.preview = "FØREHANDSVISING – IKKJE SEND"
	l.letterOfMany = letterWords{
		invoices:      "Fakturaer",
		notPaid:       "Vi kan ikkje sjå at fakturaene nedanfor er fullt betalte.",
		stillNotPaid:  "Vi viser til det vi har skrive tidlegare, og kan framleis ikkje sjå at fakturaene nedanfor er fullt betalte.",
		kid:           "Du kan betale alt på éin gong med KID i feltet nedst på sida, eller kvar faktura for seg med sin eigen KID.",
		kids:          "Betal kvar faktura for seg med sin eigen KID.",
		interestBasis: "Renta er rekna av ubetalt hovudstol på kvar faktura, til og med %s.",
	}
	l.letterOfOne = letterWords{
		invoices:      "Faktura",
		notPaid:       "Vi kan ikkje sjå at fakturaen nedanfor er fullt betalt.",
		stillNotPaid:  "Vi viser til det vi har skrive tidlegare, og kan framleis ikkje sjå at fakturaen nedanfor er fullt betalt.",
		kid:           "Betal med KID i feltet nedst på sida, eller med KID for fakturaen.",
		kids:          "Betal med KID for fakturaen.",
		interestBasis: "Renta er rekna av ubetalt hovudstol, til og med %s.",
	}
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
	l.writtenOff = "Avskrive, blir ikkje kravd"
	l.lateInvoice = "Ved forseinka betaling kan det kome til forseinkingsrente og purregebyr etter lova."
	l.creditsPart = "Kreditnotaen gjeld ein del av faktura %[1]d av %[2]s."
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
	l.copyOf = "Dette er ein kopi av %s. Han er lagd ved slik han vart send."
	l.copyNoMore = "Kopien er ikkje eit nytt krav, og han gir ingen ny frist. Er beløpet betalt, skal du ikkje betale det ein gong til."
	l.enclosed = "Vedlagt er %s. Adressa der er den vi hadde då dokumentet vart laga."
	l.timeTitle = "Utsett betaling"
	l.timeUntil = "Utsett til"
	l.timeGiven = "Du har fått utsetjing med å betale faktura %d, til og med %s. Vi sender ingen fleire krav om han før den dagen er over."
	l.timeOwed = "Den %s var kr %s av fakturaen ubetalt."
	l.timeInterest = "Forseinkingsrenta løper også i denne tida."
	l.timeWaived = "Vi krev ikkje forseinkingsrente for dagane frå og med %s til og med %s."
	l.adopted = "Dokumentet er skrive ut av eit anna system. Her blir det vist så langt det er kjent, og det er ikkje originalen."
	l.correctionBack = "Du får tilbake"
	l.corrected = "Vi har gått gjennom det vi har kravd på faktura %d, og det var ikkje rett. Vi orsakar, og har retta det:"
	l.correctedInterest = "Du får tilbake kr %s i forseinkingsrente."
	l.correctedWarning = "Inkassovarselet av %s gjeld ikkje lenger."
	l.correctedCollection = "Saka er ikkje lenger hos inkassoselskapet, og dei har fått beskjed."
	l.correctedOwed = "Den %s, etter rettinga, er kr %s av fakturaen ubetalt."
	l.correctedCredit = "Du har kr %s til gode hos oss. Beløpet går til neste faktura, eller vi betaler det ut: fortel oss til kva konto."
	l.correctionNoClaim = "Fakturaen er lagd ved slik han vart send. Dette brevet er ikkje eit nytt krav, og det gir ingen ny frist."
	l.invoicePage = pageOffer{"Spørsmål om fakturaen?", "Sjå kva som er ubetalt, sei frå om noko er feil, eller be om meir tid."}
	l.noticePage = pageOffer{"Har du betalt, er noko feil, eller treng du meir tid?", "Sei frå her, der du òg ser kva som er ubetalt."}
	l.drawn = "Kr %s blir trekte frå kontoen din med AvtaleGiro %s. Du treng ikkje å betale noko sjølv."
	l.ordinary = "Faktura %d blir likevel ikkje trekt med AvtaleGiro. Betal kr %s innan %s, med kontonummeret og KID-nummeret i feltet nedst på sida."
	l.ordinaryMore = "Fakturaen er lagd ved slik han vart send. Er beløpet betalt, kan du sjå bort frå brevet."
	l.timeNoClaim = "Fakturaen er lagd ved slik han vart send. Dette brevet er ikkje eit nytt krav, og det endrar ikkje forfallsdatoen. Er beløpet betalt, kan du sjå bort frå brevet."
	l.planMade = "Vi har avtalt at du betaler faktura %[1]d av %[2]s i avdrag. Til saman er det NOK %[3]s."
	l.planPay = "Bruk same kontonummer og KID til alle avdraga. Så lenge kvart avdrag blir betalt til rett tid, sender vi ingen purringar."
	l.planMissed = "Uteblir eit avdrag, fell planen bort, og vi kan krevje heile beløpet."
	l.planInterest = "Forseinkingsrenta løper også medan planen gjeld, og er ikkje med i avdraga."
	return l
}()
