package audit

// handOverKinds are the questions of hand-over.
var handOverKinds = [codes]kind{
	noWarning: {"hand_over_unwarned", Law, "inkassoloven § 9", map[string]words{
		"nb": {"Var det sendt inkassovarsel?", "Saken ble gitt til inkasso uten inkassovarsel."},
		"nn": {"Var det sendt inkassovarsel?", "Saka vart gjeven til inkasso utan inkassovarsel."},
		"en": {"Had a debt-collection warning been sent?", "The claim was handed over without a warning."},
	}},
	handOverTooEarly: {"hand_over_too_early", Law, "inkassoloven § 9", map[string]words{
		"nb": {"Var varselets frist ute?", "Saken ble gitt til inkasso {found}, og kunne først {expected}."},
		"nn": {"Var fristen i varselet ute?", "Saka vart gjeven til inkasso {found}, og kunne først {expected}."},
		"en": {"Had the warning's deadline run out?", "It was handed over on {found}, and might not be before {expected}."},
	}},
	handOverNotTold: {"hand_over_not_told", Rule, "D94, D98", map[string]words{
		"nb": {"Ble det fortalt at varselet gikk sent eller ble trukket?", "Saken er gitt til inkasso {found}, etter det som nå er kjent for tidlig, og ingen hendelse sier det."},
		"nn": {"Vart det fortalt at varselet gjekk seint eller vart trekt?", "Saka er gjeven til inkasso {found}, etter det som no er kjent for tidleg, og inga hending seier det."},
		"en": {"Was it told that the warning left late or was withdrawn?", "It was handed over on {found}, too early as is known now, and no event tells of it."},
	}},
	handOverPaid: {"hand_over_nothing_owed", Law, "inkassoloven § 8", map[string]words{
		"nb": {"Var noe skyldig ved overføringen?", "{found} var å kreve."},
		"nn": {"Var noko skyldig ved overføringa?", "{found} var å krevje."},
		"en": {"Was anything owed at the hand-over?", "{found} was claimed."},
	}},
	handOverBeforeDue: {"hand_over_not_overdue", Law, "inkassoloven § 9", map[string]words{
		"nb": {"Var fakturaen forfalt ved overføringen?", "Saken ble gitt til inkasso {found}, før {expected}."},
		"nn": {"Var fakturaen forfallen ved overføringa?", "Saka vart gjeven til inkasso {found}, før {expected}."},
		"en": {"Was the invoice overdue at the hand-over?", "It was handed over on {found}, before {expected}."},
	}},
	handOverNotLeft: {"hand_over_letter_not_left", Rule, "L1", map[string]words{
		"nb": {"Hadde siste varsel gått ut?", "Siste varsel hadde ikke gått ut, eller var kommet i retur."},
		"nn": {"Hadde siste varsel gått ut?", "Siste varsel hadde ikkje gått ut, eller var kome i retur."},
		"en": {"Had the last notice left?", "The last notice had not left, or had come back."},
	}},
	warningTooOld: {"warning_too_old", Rule, "L10", map[string]words{
		"nb": {"Var varselet høyst 180 dager gammelt?", "Saken ble gitt til inkasso {found}, og varselet gjaldt til {expected}."},
		"nn": {"Var varselet høgst 180 dagar gammalt?", "Saka vart gjeven til inkasso {found}, og varselet gjaldt til {expected}."},
		"en": {"Was the warning at most 180 days old?", "It was handed over on {found}, and the warning was good until {expected}."},
	}},
	handOverOnHold: {"hand_over_on_hold", Rule, "E2", map[string]words{
		"nb": {"Var saken uten stans ved overføringen?", "Saken sto stille ({found})."},
		"nn": {"Var saka utan stans ved overføringa?", "Saka stod stille ({found})."},
		"en": {"Was nothing on hold at the hand-over?", "The case was on hold ({found})."},
	}},
	bundleSum: {"bundle_sum", Rule, "E2", map[string]words{
		"nb": {"Har inkassosaken alt som var bokført?", "Saken går til postering {found}, og {expected} var bokført."},
		"nn": {"Har inkassosaka alt som var bokført?", "Saka går til postering {found}, og {expected} var bokført."},
		"en": {"Has the bundle all that was booked in its moment?", "The bundle goes to entry {found}, and {expected} was booked."},
	}},
	handOverRow: {"hand_over_row", Rule, "E2", map[string]words{
		"nb": {"Sier fakturaen det samme som overføringen?", "Fakturaen sier {found}, og overføringen {expected}."},
		"nn": {"Seier fakturaen det same som overføringa?", "Fakturaen seier {found}, og overføringa {expected}."},
		"en": {"Does the invoice say what its hand-over says?", "The invoice says {found}, and the hand-over {expected}."},
	}},
	notTold: {"collector_not_told", Rule, "C2", map[string]words{
		"nb": {"Er inkassoselskapet fortalt om alt som kom etterpå?", "Posteringen på {found} er ikke fortalt."},
		"nn": {"Er inkassoselskapet fortalt om alt som kom etterpå?", "Posteringa på {found} er ikkje fortalt."},
		"en": {"Was the collector told of all that came since?", "The entry of {found} was not told."},
	}},
}
