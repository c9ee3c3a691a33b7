package audit

// owedKinds are the questions of owed.
var owedKinds = [codes]kind{
	nothingOwed: {"nothing_owed", Law, "inkassoloven § 8, D27", map[string]words{
		"nb": {"Var noe skyldig da varselet ble laget?", "Det var {found} å kreve da varselet ble laget."},
		"nn": {"Var noko skyldig då varselet vart laga?", "Det var {found} å krevje då varselet vart laga."},
		"en": {"Was anything owed when the notice was issued?", "{found} was claimed when the notice was issued."},
	}},
	nothingOwedNow: {"nothing_owed_known", Law, "inkassoloven § 8, L4", map[string]words{
		"nb": {"Var noe skyldig, slik det er kjent nå?", "Slik det er kjent nå, var det {found} å kreve, og kravet på gebyr og renter står."},
		"nn": {"Var noko skyldig, slik det er kjent no?", "Slik det er kjent no, var det {found} å krevje, og kravet på gebyr og renter står."},
		"en": {"Was anything owed, as is known now?", "As is known now {found} was claimed, and its charges stand."},
	}},
	belowMinimum: {"below_minimum", Rule, "L7", map[string]words{
		"nb": {"Var hovedstolen minst minstebeløpet?", "Hovedstolen var {found}, og minstebeløpet er {expected}."},
		"nn": {"Var hovudstolen minst minstebeløpet?", "Hovudstolen var {found}, og minstebeløpet er {expected}."},
		"en": {"Was the principal at least the minimum?", "The principal was {found}, and the minimum is {expected}."},
	}},
	belowMinimumNow: {"below_minimum_known", Rule, "L7, D97", map[string]words{
		"nb": {"Var hovedstolen minst minstebeløpet, slik det er kjent nå?", "Slik det er kjent nå, var hovedstolen {found}, under {expected}, og gebyr og renter står."},
		"nn": {"Var hovudstolen minst minstebeløpet, slik det er kjent no?", "Slik det er kjent no, var hovudstolen {found}, under {expected}, og gebyr og renter står."},
		"en": {"Was the principal at least the minimum, as is known now?", "As is known now the principal was {found}, below {expected}, and the charges stand."},
	}},
	onlyCharges: {"only_charges", Rule, "L7", map[string]words{
		"nb": {"Var noe av hovedstolen skyldig?", "Bare gebyr og renter var skyldige."},
		"nn": {"Var noko av hovudstolen skyldig?", "Berre gebyr og renter var skyldige."},
		"en": {"Was any principal owed?", "Only fees and interest were owed."},
	}},
	onlyChargesNow: {"only_charges_known", Rule, "L7, D97", map[string]words{
		"nb": {"Var noe av hovedstolen skyldig, slik det er kjent nå?", "Slik det er kjent nå, var bare gebyr og renter skyldige, og kravene står."},
		"nn": {"Var noko av hovudstolen skyldig, slik det er kjent no?", "Slik det er kjent no, var berre gebyr og renter skyldige, og krava står."},
		"en": {"Was any principal owed, as is known now?", "As is known now only fees and interest were owed, and the charges stand."},
	}},
	creditElsewhere: {"credit_elsewhere", Rule, "L5", map[string]words{
		"nb": {"Hadde kunden mindre til gode enn kravet?", "Kunden hadde {found} til gode, og kravet var {expected}."},
		"nn": {"Hadde kunden mindre til gode enn kravet?", "Kunden hadde {found} til gode, og kravet var {expected}."},
		"en": {"Was the customer's free credit less than the claim?", "The customer had free credit of {found}, and the claim was {expected}."},
	}},
	creditElsewhereNow: {"credit_elsewhere_known", Rule, "L5, D97", map[string]words{
		"nb": {"Hadde kunden mindre til gode enn kravet, slik det er kjent nå?", "Slik det er kjent nå, hadde kunden {found} til gode, og kravet var {expected}; gebyr og renter står."},
		"nn": {"Hadde kunden mindre til gode enn kravet, slik det er kjent no?", "Slik det er kjent no, hadde kunden {found} til gode, og kravet var {expected}; gebyr og renter står."},
		"en": {"Was the customer's free credit less than the claim, as is known now?", "As is known now the customer had free credit of {found}, and the claim was {expected}; the charges stand."},
	}},
	onHold: {"on_hold", Rule, "E2", map[string]words{
		"nb": {"Var saken uten stans?", "Saken sto stille ({found})."},
		"nn": {"Var saka utan stans?", "Saka stod stille ({found})."},
		"en": {"Was nothing on hold?", "The case was on hold ({found})."},
	}},
	onPlan: {"on_plan", Rule, "L15", map[string]words{
		"nb": {"Løp det ingen betalingsplan?", "En betalingsplan løp ({found})."},
		"nn": {"Løp det ingen betalingsplan?", "Ein betalingsplan løp ({found})."},
		"en": {"Did no payment plan run?", "A payment plan ran ({found})."},
	}},
	inQueue: {"payment_in_queue", Doubt, "E6g, D95", map[string]words{
		"nb": {"Pekte ingen betaling i køen på kunden?", "En betaling i køen peker på kunden ({found})."},
		"nn": {"Peika ingen betaling i køen på kunden?", "Ei betaling i køen peikar på kunden ({found})."},
		"en": {"Did no payment in the queue point at the customer?", "A payment in the queue points at the customer ({found})."},
	}},
	paymentWaited: {"payment_waited", Rule, "E6g, D95", map[string]words{
		"nb": {"Ventet ingen betaling i køen av akkurat det som bare denne fakturaen skyldte?", "En betaling på {found} ventet i køen, og bare denne fakturaen skyldte akkurat det."},
		"nn": {"Venta inga betaling i køen av akkurat det som berre denne fakturaen skulda?", "Ei betaling på {found} venta i køen, og berre denne fakturaen skulda akkurat det."},
		"en": {"Did no payment wait in the queue of just what this invoice alone owed?", "A payment of {found} waited in the queue, and this invoice alone owed just that."},
	}},
	afterClosing: {"after_closing", Rule, "D27", map[string]words{
		"nb": {"Var fakturaen åpen?", "Fakturaen var lukket ({found})."},
		"nn": {"Var fakturaen open?", "Fakturaen var lukka ({found})."},
		"en": {"Was the invoice open?", "The invoice was closed ({found})."},
	}},
	afterHandOver: {"after_hand_over", Rule, "D27", map[string]words{
		"nb": {"Var saken fortsatt hos kreditor?", "Saken var hos inkassoselskapet ({found})."},
		"nn": {"Var saka framleis hos kreditor?", "Saka var hos inkassoselskapet ({found})."},
		"en": {"Was the claim still with the creditor?", "The claim was with the debt collector ({found})."},
	}},
	notReady: {"creditor_not_ready", Rule, "L8", map[string]words{
		"nb": {"Hadde kreditor alt et varsel må vise?", "Kreditor manglet {found}."},
		"nn": {"Hadde kreditor alt eit varsel må vise?", "Kreditor mangla {found}."},
		"en": {"Had the creditor all that a notice must show?", "The creditor lacked {found}."},
	}},
	policyOff: {"policy_off", Rule, "E6a", map[string]words{
		"nb": {"Var automatisk purring slått på?", "Automatisk purring var slått av."},
		"nn": {"Var automatisk purring slått på?", "Automatisk purring var slått av."},
		"en": {"Was automatic dunning on?", "Automatic dunning was off."},
	}},
	beforeStart: {"before_start", Rule, "E6a", map[string]words{
		"nb": {"Følger purringen fakturaer med denne forfallsdatoen?", "Fakturaen forfalt {found}, og purringen følger bare dem etter {expected}."},
		"nn": {"Følgjer purringa fakturaer med denne forfallsdatoen?", "Fakturaen forfall {found}, og purringa følgjer berre dei etter {expected}."},
		"en": {"Does dunning follow invoices of this due date?", "The invoice was due on {found}, and dunning follows only those after {expected}."},
	}},
	illegalPolicy: {"illegal_policy", Rule, "E6a, inkassoloven § 9", map[string]words{
		"nb": {"Var reglene kreditor hadde satt, lovlige?", "Reglene gir {found} dager å betale på, og loven krever {expected}."},
		"nn": {"Var reglane kreditor hadde sett, lovlege?", "Reglane gir {found} dagar å betale på, og lova krev {expected}."},
		"en": {"Was the creditor's policy lawful?", "The policy gives {found} days to pay, and the act asks for {expected}."},
	}},
}
