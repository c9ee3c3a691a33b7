package audit

// interestKinds are the questions of interest.
var interestKinds = [codes]kind{
	interestAsSheet: {"interest_not_as_sheet", Rule, "E6c", map[string]words{
		"nb": {"Er renten den som er regnet ut?", "Renten er {found}, og den er regnet ut til {expected}."},
		"nn": {"Er renta den som er rekna ut?", "Renta er {found}, og ho er rekna ut til {expected}."},
		"en": {"Is the interest the one that was calculated?", "The interest is {found}, and its calculation says {expected}."},
	}},
	interestBooked: {"interest_not_as_booked", Rule, "D28", map[string]words{
		"nb": {"Er renten bokført som varselet sier?", "Bokført rente er {found}, og varselet sier {expected}."},
		"nn": {"Er renta bokført som varselet seier?", "Bokført rente er {found}, og varselet seier {expected}."},
		"en": {"Is the interest booked as the notice says?", "The interest that was booked is {found}, and the notice says {expected}."},
	}},
	interestNotAsked: {"interest_not_asked", Rule, "D27", map[string]words{
		"nb": {"Ba noen om renten?", "Renten på {found} ba ingen om."},
		"nn": {"Bad nokon om renta?", "Renta på {found} bad ingen om."},
		"en": {"Was the interest asked for?", "Nobody asked for the interest of {found}."},
	}},
	interestOff: {"interest_off", Rule, "E6a", map[string]words{
		"nb": {"Krever kreditors regler rente?", "Renten på {found} er krevd, og reglene krever ingen."},
		"nn": {"Krev reglane til kreditor rente?", "Renta på {found} er kravd, og reglane krev inga."},
		"en": {"Does the policy charge interest?", "Interest of {found} is charged, and the policy charges none."},
	}},
	segmentWrong: {"interest_arithmetic", Law, "forsinkelsesrenteloven § 3, D29", map[string]words{
		"nb": {"Stemmer hver periode: hovedstol × sats × dager ÷ årets dager?", "Periodene er {found}, og de skulle vært {expected}."},
		"nn": {"Stemmer kvar periode: hovudstol × sats × dagar ÷ dagane i året?", "Periodane er {found}, og dei skulle vore {expected}."},
		"en": {"Is each period principal × rate × days ÷ days of the year?", "The periods come to {found}, and should to {expected}."},
	}},
	segmentsSum: {"interest_sum", Rule, "E6c", map[string]words{
		"nb": {"Er renten summen av periodene?", "Renten er {found}, og periodene er {expected}."},
		"nn": {"Er renta summen av periodane?", "Renta er {found}, og periodane er {expected}."},
		"en": {"Is the interest the sum of its periods?", "The interest is {found}, and its periods are {expected}."},
	}},
	interestTooHigh: {"interest_too_high", Law, "forsinkelsesrenteloven §§ 2, 3", map[string]words{
		"nb": {"Er renten ikke mer enn det som er påløpt?", "Renten er {found}, og {expected} er påløpt."},
		"nn": {"Er renta ikkje meir enn det som er påløpt?", "Renta er {found}, og {expected} er påløpt."},
		"en": {"Is the interest no more than has accrued?", "The interest is {found}, and {expected} has accrued."},
	}},
	interestTooLow: {"interest_too_low", Doubt, "D29", map[string]words{
		"nb": {"Er renten det som er påløpt?", "Renten er {found}, og {expected} er påløpt."},
		"nn": {"Er renta det som er påløpt?", "Renta er {found}, og {expected} er påløpt."},
		"en": {"Is the interest what has accrued?", "The interest is {found}, and {expected} has accrued."},
	}},
	interestTooHighNow: {"interest_too_high_known", Law, "forsinkelsesrenteloven § 2, L4", map[string]words{
		"nb": {"Er renten som står, påløpt, slik det er kjent nå?", "Renten som står, er {found}; slik det er kjent nå, er {expected} påløpt."},
		"nn": {"Er renta som står, påløpt, slik det er kjent no?", "Renta som står, er {found}; slik det er kjent no, er {expected} påløpt."},
		"en": {"Has the interest that stands accrued, as is known now?", "The interest that stands is {found}; as is known now {expected} has accrued."},
	}},
	rateAboveLegal: {"rate_above_legal", Law, "forsinkelsesrenteloven §§ 3, 4", map[string]words{
		"nb": {"Er satsen ikke over den lovbestemte?", "Satsen er {found}, og den lovbestemte er {expected}."},
		"nn": {"Er satsen ikkje over den lovfeste?", "Satsen er {found}, og den lovfeste er {expected}."},
		"en": {"Is the rate not above the legal one?", "The rate is {found}, and the legal one is {expected}."},
	}},
	rateAboveAgreed: {"rate_above_agreed", Law, "forsinkelsesrenteloven § 4", map[string]words{
		"nb": {"Er satsen avtalt?", "Satsen er {found} uten avtale; den lovbestemte er {expected}."},
		"nn": {"Er satsen avtalt?", "Satsen er {found} utan avtale; den lovfeste er {expected}."},
		"en": {"Is the rate the agreed one?", "The rate is {found} without agreement; the legal one is {expected}."},
	}},
	rateNotLegal: {"rate_not_legal", Rule, "D29", map[string]words{
		"nb": {"Er satsen den lovbestemte, eller kreditors egen?", "Satsen er {found}, og den lovbestemte er {expected}."},
		"nn": {"Er satsen den lovfeste, eller kreditor sin eigen?", "Satsen er {found}, og den lovfeste er {expected}."},
		"en": {"Is the rate the legal one, or the creditor's own?", "The rate is {found}, and the legal one is {expected}."},
	}},
	rateNotKnownThen: {"rate_not_known_then", Doubt, "E6h", map[string]words{
		"nb": {"Er satsen den som ble fastsatt senere?", "Satsen var {found} da den gjeldende ikke var kjent; den ble {expected}."},
		"nn": {"Er satsen den som vart fastsett seinare?", "Satsen var {found} då den gjeldande ikkje var kjend; han vart {expected}."},
		"en": {"Is the rate the one that was set later?", "The rate was {found} while the one of that time was not known; it became {expected}."},
	}},
	interestBeforeDue: {"interest_before_due", Law, "forsinkelsesrenteloven § 2", map[string]words{
		"nb": {"Løper renten fra dagen etter forfall?", "{found} er rente for dager før."},
		"nn": {"Løper renta frå dagen etter forfall?", "{found} er rente for dagar før."},
		"en": {"Does the interest run from the day after the due date?", "{found} is interest of days before."},
	}},
	interestAfterIssue: {"interest_after_issue", Law, "D29", map[string]words{
		"nb": {"Løper renten til varselets dag?", "{found} er rente for dager etter."},
		"nn": {"Løper renta til dagen for varselet?", "{found} er rente for dagar etter."},
		"en": {"Does the interest run through the day of the notice?", "{found} is interest of later days."},
	}},
	interestTwice: {"interest_twice", Law, "D29", map[string]words{
		"nb": {"Er ingen dag regnet to ganger?", "{found} er rente for dager som er regnet før."},
		"nn": {"Er ingen dag rekna to gonger?", "{found} er rente for dagar som er rekna før."},
		"en": {"Is no day counted twice?", "{found} is interest of days that were charged before."},
	}},
	interestWaived: {"interest_on_free_days", Rule, "N11", map[string]words{
		"nb": {"Er dager uten rente holdt utenfor?", "{found} er rente for dager da renten var ettergitt."},
		"nn": {"Er dagar utan rente haldne utanfor?", "{found} er rente for dagar då renta var ettergjeven."},
		"en": {"Are days without interest left out?", "{found} is interest of days on which it was waived."},
	}},
}
