package audit

// orderKinds are the questions of order.
var orderKinds = [codes]kind{
	notOverdue: {"not_overdue", Law, "inkassoloven § 9, forsinkelsesrenteloven § 2", map[string]words{
		"nb": {"Var fakturaen forfalt?", "Varselet er av {found}, og fakturaen var ikke forfalt før {expected}."},
		"nn": {"Var fakturaen forfallen?", "Varselet er av {found}, og fakturaen var ikkje forfallen før {expected}."},
		"en": {"Was the invoice overdue?", "The notice is of {found}, and the invoice was not overdue before {expected}."},
	}},
	notOverdueNow: {"not_overdue_known", Law, "L1, D98", map[string]words{
		"nb": {"Var fakturaen forfalt, slik det er kjent nå?", "Varselet er av {found}; fakturaen gikk sent og var ikke forfalt før {expected}, og kravene står."},
		"nn": {"Var fakturaen forfallen, slik det er kjent no?", "Varselet er av {found}; fakturaen gjekk seint og var ikkje forfallen før {expected}, og krava står."},
		"en": {"Was the invoice overdue, as is known now?", "The notice is of {found}; the invoice left late and was not overdue before {expected}, and the charges stand."},
	}},
	deadlineRuns: {"deadline_running", Rule, "D27, E6g", map[string]words{
		"nb": {"Var fristen i forrige varsel ute?", "Varselet er av {found}, og forrige frist løp til dagen før {expected}."},
		"nn": {"Var fristen i førre varsel ute?", "Varselet er av {found}, og førre frist løp til dagen før {expected}."},
		"en": {"Had the deadline of the notice before run out?", "The notice is of {found}, and the deadline before it ran until the day before {expected}."},
	}},
	invoiceNotLeft: {"invoice_not_left", Rule, "L1", map[string]words{
		"nb": {"Hadde fakturaen gått ut?", "Fakturaen hadde ikke gått ut, eller var kommet i retur."},
		"nn": {"Hadde fakturaen gått ut?", "Fakturaen hadde ikkje gått ut, eller var komen i retur."},
		"en": {"Had the invoice left?", "The invoice had not left, or had come back."},
	}},
	invoiceNotLeftNow: {"invoice_not_left_known", Law, "D98, forsinkelsesrenteloven § 2", map[string]words{
		"nb": {"Hadde fakturaen gått ut, slik det er kjent nå?", "Slik det er kjent nå, hadde fakturaen ikke gått ut, og kravene står."},
		"nn": {"Hadde fakturaen gått ut, slik det er kjent no?", "Slik det er kjent no, hadde fakturaen ikkje gått ut, og krava står."},
		"en": {"Had the invoice left, as is known now?", "As is known now the invoice had not left, and the charges stand."},
	}},
	lastNotLeft: {"last_letter_not_left", Rule, "L1", map[string]words{
		"nb": {"Hadde brevet med forrige varsel gått ut?", "Brevet med forrige varsel er {found}."},
		"nn": {"Hadde brevet med førre varsel gått ut?", "Brevet med førre varsel er {found}."},
		"en": {"Had the letter of the notice before left?", "The letter of the notice before is {found}."},
	}},
	sequence: {"sequence_wrong", Rule, "D27", map[string]words{
		"nb": {"Har varselet nummeret etter forrige?", "Varselet er nummer {found}, og skulle vært {expected}."},
		"nn": {"Har varselet nummeret etter førre?", "Varselet er nummer {found}, og skulle vore {expected}."},
		"en": {"Has the notice the number after the last one?", "The notice is number {found}, and should be {expected}."},
	}},
	tooMany: {"too_many_notices", Rule, "D27, inkassoforskriften § 1-3", map[string]words{
		"nb": {"Er det høyst to varsler?", "Varselet er nummer {found}."},
		"nn": {"Er det høgst to varsel?", "Varselet er nummer {found}."},
		"en": {"Are there at most two notices?", "The notice is number {found}."},
	}},
	afterWarning: {"after_warning", Rule, "D27", map[string]words{
		"nb": {"Kom varselet før inkassovarselet?", "Inkassovarsel var alt sendt."},
		"nn": {"Kom varselet før inkassovarselet?", "Inkassovarsel var alt sendt."},
		"en": {"Did the notice come before any debt-collection warning?", "A debt-collection warning had been sent before."},
	}},
	tooEarly: {"step_too_early", Rule, "E6a", map[string]words{
		"nb": {"Var dagen kommet etter kreditors regler?", "Varselet er av {found}, og dagen var {expected}."},
		"nn": {"Var dagen komen etter reglane til kreditor?", "Varselet er av {found}, og dagen var {expected}."},
		"en": {"Had the day come by the creditor's policy?", "The notice is of {found}, and its day was {expected}."},
	}},
	fewerDays: {"days_below_policy", Rule, "D28, L2, D94", map[string]words{
		"nb": {"Gir varselet dagene som kreditors regler gir?", "Fristen er {found}, og reglene gir {expected}."},
		"nn": {"Gir varselet dagane som reglane til kreditor gir?", "Fristen er {found}, og reglane gir {expected}."},
		"en": {"Does the notice give the days of the creditor's policy?", "The deadline is {found}, and the policy gives {expected}."},
	}},
	notASendingDay: {"not_a_sending_day", Rule, "E6a", map[string]words{
		"nb": {"Er varselet av en virkedag?", "Varselet er av {found}, som ikke er en virkedag."},
		"nn": {"Er varselet av ein verkedag?", "Varselet er av {found}, som ikkje er ein verkedag."},
		"en": {"Is the notice of a sending day?", "The notice is of {found}, which is no sending day."},
	}},
	filesLate: {"bank_files_late", Rule, "E6b", map[string]words{
		"nb": {"Var bankens filer kommet fram til siste bankdag?", "Ingen av bankens filer rakk til {expected}, siste bankdag før varselet, og kreditors regler krever det."},
		"nn": {"Var filene frå banken komne fram til siste bankdag?", "Ingen av filene frå banken rakk til {expected}, siste bankdag før varselet, og reglane til kreditor krev det."},
		"en": {"Had the bank's files reached the last bank day?", "No file of the bank reached {expected}, the last bank day before the notice, and the creditor's policy asks for that."},
	}},
	fewDays: {"reminder_days_short", Rule, "D28, inkassoforskriften § 1-3", map[string]words{
		"nb": {"Gir purringen minst 14 dager?", "Purringen gir {found} dager, og {expected} er det minste."},
		"nn": {"Gir purringa minst 14 dagar?", "Purringa gir {found} dagar, og {expected} er det minste."},
		"en": {"Does the reminder give at least 14 days?", "The reminder gives {found} days, and {expected} is the least."},
	}},
	warningDays: {"warning_days_short", Law, "inkassoloven § 9", map[string]words{
		"nb": {"Gir inkassovarselet minst 14 dager?", "Inkassovarselet gir {found} dager, og loven krever {expected}."},
		"nn": {"Gir inkassovarselet minst 14 dagar?", "Inkassovarselet gir {found} dagar, og lova krev {expected}."},
		"en": {"Does the warning give at least 14 days?", "The warning gives {found} days, and the act asks for {expected}."},
	}},
	fewDaysNow: {"reminder_left_late", Rule, "D94, inkassoforskriften § 1-3", map[string]words{
		"nb": {"Var det minst 14 dager igjen da purringen gikk?", "{found} dager var igjen da purringen gikk, og den står."},
		"nn": {"Var det minst 14 dagar att då purringa gjekk?", "{found} dagar var att då purringa gjekk, og ho står."},
		"en": {"Were at least 14 days left when the reminder left?", "{found} days were left when the reminder left, and it stands."},
	}},
	warningDaysNow: {"warning_left_late", Law, "inkassoloven § 9, D94", map[string]words{
		"nb": {"Var det minst 14 dager igjen da inkassovarselet gikk?", "{found} dager var igjen da inkassovarselet gikk, og det står."},
		"nn": {"Var det minst 14 dagar att då inkassovarselet gjekk?", "{found} dagar var att då inkassovarselet gjekk, og det står."},
		"en": {"Were at least 14 days left when the warning left?", "{found} days were left when the warning left, and it stands."},
	}},
	leftBefore: {"left_before_its_day", Rule, "L2", map[string]words{
		"nb": {"Gikk brevet på sin dag eller senere?", "Brevet gikk {found}, og varselet er av {expected}."},
		"nn": {"Gjekk brevet på dagen sin eller seinare?", "Brevet gjekk {found}, og varselet er av {expected}."},
		"en": {"Did the letter leave on its day or later?", "The letter left on {found}, and the notice is of {expected}."},
	}},
	countsUntil: {"counts_until_wrong", Rule, "D94", map[string]words{
		"nb": {"Løper fristen fra dagen brevet gikk?", "Fristen regnes til {found}, og skulle vært {expected}."},
		"nn": {"Løper fristen frå dagen brevet gjekk?", "Fristen blir rekna til {found}, og skulle vore {expected}."},
		"en": {"Does the deadline run from the day on which the letter left?", "The deadline counts until {found}, and should until {expected}."},
	}},
	lapsed: {"lapsed", Law, "foreldelsesloven § 2, L26", map[string]words{
		"nb": {"Var kravet ikke foreldet?", "Varselet er av {found}, og kravet var foreldet {expected}."},
		"nn": {"Var kravet ikkje forelda?", "Varselet er av {found}, og kravet var forelda {expected}."},
		"en": {"Had the claim not lapsed?", "The notice is of {found}, and the claim lapsed on {expected}."},
	}},
	ownWarning: {"own_warning", Law, "LOV-2026-05-22-19 § 20", map[string]words{
		"nb": {"Kunne kreditor selv sende inkassovarsel?", "Inkassovarselet er av {found}, da bare inkassoselskap kunne sende det."},
		"nn": {"Kunne kreditor sjølv sende inkassovarsel?", "Inkassovarselet er av {found}, då berre inkassoselskap kunne sende det."},
		"en": {"Might the creditor send a warning of its own?", "The warning is of {found}, when only agencies might send one."},
	}},
}
