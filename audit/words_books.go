package audit

// booksKinds are the questions of books.
var booksKinds = [codes]kind{
	balanceWrong: {"balance_wrong", Rule, "D33", map[string]words{
		"nb": {"Er saldoen summen av posteringene?", "Saldoen er {found}, og posteringene er {expected}."},
		"nn": {"Er saldoen summen av posteringane?", "Saldoen er {found}, og posteringane er {expected}."},
		"en": {"Is the balance the sum of the entries?", "The balance is {found}, and the entries are {expected}."},
	}},
	entryOwner: {"entry_of_other", Rule, "D33", map[string]words{
		"nb": {"Er alle posteringer kundens?", "Posteringen {found} er en annens."},
		"nn": {"Er alle posteringar kunden sine?", "Posteringa {found} er ein annan sin."},
		"en": {"Are all entries the customer's?", "The entry {found} is somebody else's."},
	}},
	creditBalance: {"credit_note_balance", Rule, "D33", map[string]words{
		"nb": {"Er kreditnotaens saldo summen av posteringene?", "Saldoen er {found}, og posteringene er {expected}."},
		"nn": {"Er saldoen på kreditnotaen summen av posteringane?", "Saldoen er {found}, og posteringane er {expected}."},
		"en": {"Is the credit note's balance the sum of its entries?", "The balance is {found}, and the entries are {expected}."},
	}},
	creditedTooMuch: {"credited_too_much", Rule, "D21, L27", map[string]words{
		"nb": {"Er ikke mer kreditert enn fakturert?", "{found} er kreditert, og {expected} fakturert."},
		"nn": {"Er ikkje meir kreditert enn fakturert?", "{found} er kreditert, og {expected} fakturert."},
		"en": {"Is no more credited than invoiced?", "{found} is credited, and {expected} invoiced."},
	}},
	invoiceEntry: {"invoice_entry", Rule, "D33", map[string]words{
		"nb": {"Er fakturabeløpet bokført?", "{found} er bokført, og fakturaen er på {expected}."},
		"nn": {"Er fakturabeløpet bokført?", "{found} er bokført, og fakturaen er på {expected}."},
		"en": {"Is the invoice's amount booked?", "{found} is booked, and the invoice is of {expected}."},
	}},
	principalAboveGross: {"principal_above_gross", Law, "D96", map[string]words{
		"nb": {"Er hovedstolen ikke over fakturabeløpet?", "Hovedstolen er {found}, og høyst {expected} kan være skyldig."},
		"nn": {"Er hovudstolen ikkje over fakturabeløpet?", "Hovudstolen er {found}, og høgst {expected} kan vere skyldig."},
		"en": {"Is the principal not above the invoice?", "The principal is {found}, and at most {expected} can be owed."},
	}},
	repaymentOwed: {"repayment_owed", Rule, "D96", map[string]words{
		"nb": {"Er tilbakebetalingen som skyldes, riktig?", "Fakturaen sier {found}, og posteringene {expected}."},
		"nn": {"Er tilbakebetalinga som er skyldig, rett?", "Fakturaen seier {found}, og posteringane {expected}."},
		"en": {"Is the repayment that is owed right?", "The invoice says {found}, and its entries {expected}."},
	}},
	movePair: {"move_pair", Rule, "L5", map[string]words{
		"nb": {"Har flyttet kreditt to halvdeler?", "{found} ble tatt, og {expected} kom."},
		"nn": {"Har flytta kreditt to halvdelar?", "{found} vart teke, og {expected} kom."},
		"en": {"Has moved credit both halves?", "{found} was taken away, and {expected} came."},
	}},
	moveUncovered: {"move_uncovered", Rule, "L5, D96", map[string]words{
		"nb": {"Er det som ble flyttet hit, fortsatt til gode der det kom fra?", "{found} ble flyttet hit fra en faktura som selv skylder {expected}."},
		"nn": {"Er det som vart flytta hit, framleis til gode der det kom frå?", "{found} vart flytta hit frå ein faktura som sjølv skuldar {expected}."},
		"en": {"Is the credit that was moved here still there where it came from?", "{found} was moved here from an invoice that itself owes {expected}."},
	}},
	withdrawnStands: {"withdrawn_charges", Law, "L2", map[string]words{
		"nb": {"Er et trukket varsels krav tilbakeført?", "{found} av et trukket varsel står."},
		"nn": {"Er kravet i eit trekt varsel tilbakeført?", "{found} av eit trekt varsel står."},
		"en": {"Are a withdrawn notice's charges reversed?", "{found} of a withdrawn notice stands."},
	}},
	chargesNotAsSheet: {"charges_not_as_sheet", Rule, "E6c", map[string]words{
		"nb": {"Er det som står, det siste utregning sier?", "{found} står, og utregningen sier {expected}."},
		"nn": {"Er det som står, det siste utrekning seier?", "{found} står, og utrekninga seier {expected}."},
		"en": {"Are the charges that stand those of the last calculation?", "{found} stands, and the calculation says {expected}."},
	}},
	chargeOfOther: {"charge_of_other", Law, "D28", map[string]words{
		"nb": {"Er alle krav av fakturaens egne varsler?", "{found} er krevd av en annen fakturas varsel."},
		"nn": {"Er alle krav av fakturaen sine eigne varsel?", "{found} er kravd av varsel på ein annan faktura."},
		"en": {"Are all charges of the invoice's own notices?", "{found} is charged by another invoice's notice."},
	}},
	chargeWithoutNotice: {"charge_without_notice", Law, "D28, inkassoforskriften § 1-2", map[string]words{
		"nb": {"Er alle krav krevd med et varsel?", "{found} er krevd uten varsel."},
		"nn": {"Er alle krav kravde med eit varsel?", "{found} er kravd utan varsel."},
		"en": {"Are all charges made by a notice?", "{found} is charged without a notice."},
	}},
	takenBackTooMuch: {"taken_back_too_much", Rule, "L4", map[string]words{
		"nb": {"Er ikke mer tilbakeført enn krevd?", "Det står {found}."},
		"nn": {"Er ikkje meir tilbakeført enn kravd?", "Det står {found}."},
		"en": {"Is no more taken back than was charged?", "{found} stands."},
	}},
	invoiceSteps: {"invoice_steps", Rule, "D27", map[string]words{
		"nb": {"Sier fakturaen hvor mange varsler den har?", "Fakturaen sier {found}, og varslene {expected}."},
		"nn": {"Seier fakturaen kor mange varsel han har?", "Fakturaen seier {found}, og varsla {expected}."},
		"en": {"Does the invoice say how many notices it has?", "The invoice says {found}, and its notices {expected}."},
	}},
	invoiceDeadline: {"invoice_deadline", Rule, "D26", map[string]words{
		"nb": {"Sier fakturaen når siste frist er ute?", "Fakturaen sier {found}, og skulle sagt {expected}."},
		"nn": {"Seier fakturaen når siste frist er ute?", "Fakturaen seier {found}, og skulle sagt {expected}."},
		"en": {"Does the invoice say until when its last document runs?", "The invoice says {found}, and should {expected}."},
	}},
	stepSkipped: {"step_skipped", Rule, "D27", map[string]words{
		"nb": {"Er intet varsel hoppet over?", "Varsel {found} finnes ikke."},
		"nn": {"Er ikkje noko varsel hoppa over?", "Varsel {found} finst ikkje."},
		"en": {"Is no notice skipped?", "There is no notice {found}."},
	}},
}
