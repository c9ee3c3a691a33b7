package audit

// feeKinds are the questions of fee.
var feeKinds = [codes]kind{
	feeAsSheet: {"fee_not_as_sheet", Rule, "E6c", map[string]words{
		"nb": {"Er gebyret det som er regnet ut?", "Gebyret er {found}, og det er regnet ut til {expected}."},
		"nn": {"Er gebyret det som er rekna ut?", "Gebyret er {found}, og det er rekna ut til {expected}."},
		"en": {"Is the fee the one that was calculated?", "The fee is {found}, and its calculation says {expected}."},
	}},
	feeBooked: {"fee_not_as_booked", Rule, "D28", map[string]words{
		"nb": {"Er gebyret bokført som varselet sier?", "Bokført gebyr er {found}, og varselet sier {expected}."},
		"nn": {"Er gebyret bokført som varselet seier?", "Bokført gebyr er {found}, og varselet seier {expected}."},
		"en": {"Is the fee booked as the notice says?", "The fee that was booked is {found}, and the notice says {expected}."},
	}},
	feeBelowZero: {"fee_below_zero", Rule, "D28", map[string]words{
		"nb": {"Er gebyret ikke under null?", "Gebyret er {found}."},
		"nn": {"Er gebyret ikkje under null?", "Gebyret er {found}."},
		"en": {"Is the fee not below zero?", "The fee is {found}."},
	}},
	feeNotAsked: {"fee_not_asked", Rule, "D27", map[string]words{
		"nb": {"Ba noen om gebyret?", "Gebyret på {found} ba ingen om."},
		"nn": {"Bad nokon om gebyret?", "Gebyret på {found} bad ingen om."},
		"en": {"Was the fee asked for?", "Nobody asked for the fee of {found}."},
	}},
	feeAboveCap: {"fee_above_cap", Law, "inkassoforskriften § 1-2", map[string]words{
		"nb": {"Er gebyret innenfor høyeste sats?", "Gebyret er {found}, og høyeste sats er {expected}."},
		"nn": {"Er gebyret innanfor høgste sats?", "Gebyret er {found}, og høgste sats er {expected}."},
		"en": {"Is the fee within the cap of its day?", "The fee is {found}, and the cap is {expected}."},
	}},
	sheetMaximum: {"maximum_wrong", Rule, "E6c", map[string]words{
		"nb": {"Viser utregningen riktig høyeste sats?", "Utregningen viser {found}, og høyeste sats er {expected}."},
		"nn": {"Viser utrekninga rett høgste sats?", "Utrekninga viser {found}, og høgste sats er {expected}."},
		"en": {"Does the calculation show the right cap?", "The calculation shows {found}, and the cap is {expected}."},
	}},
	feeTooEarly: {"fee_too_early", Law, "inkassoforskriften § 1-2", map[string]words{
		"nb": {"Er det gått 14 dager siden forfall?", "Gebyr på {found} ble krevd før 14 dager var gått."},
		"nn": {"Er det gått 14 dagar sidan forfall?", "Gebyr på {found} vart kravd før 14 dagar var gått."},
		"en": {"Are 14 days past since the due date?", "A fee of {found} was charged before 14 days were past."},
	}},
	feeTooEarlyNow: {"fee_too_early_known", Law, "inkassoforskriften § 1-2, D94", map[string]words{
		"nb": {"Var dagen for gebyr kommet, slik det er kjent nå?", "Varselet er av {found}; slik det er kjent nå, var dagen {expected}, og gebyret står."},
		"nn": {"Var dagen for gebyr komen, slik det er kjent no?", "Varselet er av {found}; slik det er kjent no, var dagen {expected}, og gebyret står."},
		"en": {"Had the day of the fee come, as is known now?", "The notice is of {found}; as is known now the day was {expected}, and the fee stands."},
	}},
	secondFeeTooEarly: {"second_fee_too_early", Law, "inkassoforskriften § 1-2, D27", map[string]words{
		"nb": {"Er det gått 14 dager siden forrige frist?", "Varselet er av {found}, og gebyret kunne kreves fra {expected}."},
		"nn": {"Er det gått 14 dagar sidan førre frist?", "Varselet er av {found}, og gebyret kunne krevjast frå {expected}."},
		"en": {"Are 14 days past since the last deadline?", "The notice is of {found}, and a fee might be charged from {expected} on."},
	}},
	thirdFee: {"third_fee", Law, "inkassoforskriften § 1-3", map[string]words{
		"nb": {"Er det høyst to gebyr?", "Gebyret på {found} er det tredje."},
		"nn": {"Er det høgst to gebyr?", "Gebyret på {found} er det tredje."},
		"en": {"Are there at most two fees?", "The fee of {found} is the third."},
	}},
	secondWarningFee: {"second_warning_fee", Law, "inkassoforskriften § 1-3", map[string]words{
		"nb": {"Er det høyst ett gebyr for inkassovarsel?", "Gebyret på {found} er det andre for inkassovarsel."},
		"nn": {"Er det høgst eitt gebyr for inkassovarsel?", "Gebyret på {found} er det andre for inkassovarsel."},
		"en": {"Is there at most one fee for a warning?", "The fee of {found} is the second one for a warning."},
	}},
	feeNoDeadline: {"fee_without_deadline", Law, "inkassoforskriften § 1-3", map[string]words{
		"nb": {"Ga brevet med første gebyr 14 dager?", "Gebyret på {found} er det andre, og brevet med det første ga ikke 14 dager."},
		"nn": {"Gav brevet med første gebyr 14 dagar?", "Gebyret på {found} er det andre, og brevet med det første gav ikkje 14 dagar."},
		"en": {"Did the letter with the first fee give 14 days?", "The fee of {found} is the second, and the letter with the first gave fewer than 14 days."},
	}},
	feeDeadlineRuns: {"fee_while_deadline_runs", Law, "inkassoforskriften § 1-3", map[string]words{
		"nb": {"Var fristen i brevet med første gebyr ute?", "Gebyret på {found} kom mens første frist løp."},
		"nn": {"Var fristen i brevet med første gebyr ute?", "Gebyret på {found} kom medan første frist løp."},
		"en": {"Had the deadline of the letter with the first fee run out?", "The fee of {found} came while the first deadline ran."},
	}},
	feeBesideCompensation: {"fee_beside_compensation", Law, "inkassoforskriften § 1-5", map[string]words{
		"nb": {"Er det ikke krevd kompensasjon ved siden av?", "Gebyret på {found} kommer ved siden av standardkompensasjon."},
		"nn": {"Er det ikkje kravd kompensasjon ved sida av?", "Gebyret på {found} kjem ved sida av standardkompensasjon."},
		"en": {"Is no compensation charged beside it?", "The fee of {found} is charged beside standard compensation."},
	}},
	feeInDispute: {"fee_in_dispute", Law, "inkassoloven § 17", map[string]words{
		"nb": {"Var kravet ikke omtvistet?", "Gebyret på {found} ble krevd mens kravet var omtvistet."},
		"nn": {"Var kravet ikkje omtvista?", "Gebyret på {found} vart kravd medan kravet var omtvista."},
		"en": {"Was the claim not disputed?", "The fee of {found} was charged while the claim was disputed."},
	}},
	feeNow: {"fee_unlawful_known", Law, "inkassoforskriften § 1-3, D94", map[string]words{
		"nb": {"Er gebyret lovlig, slik det er kjent nå?", "Slik det er kjent nå, kunne gebyret ikke kreves ({found}), og det står."},
		"nn": {"Er gebyret lovleg, slik det er kjent no?", "Slik det er kjent no, kunne gebyret ikkje krevjast ({found}), og det står."},
		"en": {"Is the fee lawful, as is known now?", "As is known now no fee might be charged ({found}), and it stands."},
	}},
	feeAbovePolicy: {"fee_above_policy", Rule, "D29", map[string]words{
		"nb": {"Er gebyret det kreditor har bestemt?", "Gebyret er {found}, og kreditors er {expected}."},
		"nn": {"Er gebyret det kreditor har fastsett?", "Gebyret er {found}, og kreditor sitt er {expected}."},
		"en": {"Is the fee within the creditor's policy?", "The fee is {found}, and the policy's is {expected}."},
	}},
	compensationToPerson: {"compensation_to_person", Law, "forsinkelsesrenteloven §§ 3a, 4", map[string]words{
		"nb": {"Er kompensasjonen krevd av en næringsdrivende?", "Kompensasjon på {found} er krevd av en forbruker; gebyret kunne vært {expected}."},
		"nn": {"Er kompensasjonen kravd av ein næringsdrivande?", "Kompensasjon på {found} er kravd av ein forbrukar; gebyret kunne vore {expected}."},
		"en": {"Is the compensation charged to a trader?", "Compensation of {found} is charged to a person; a fee might have been {expected}."},
	}},
	compensationTwice: {"compensation_twice", Law, "forsinkelsesrenteloven § 3a", map[string]words{
		"nb": {"Er kompensasjonen krevd én gang?", "Kompensasjon på {found} er krevd for andre gang."},
		"nn": {"Er kompensasjonen kravd éin gong?", "Kompensasjon på {found} er kravd for andre gong."},
		"en": {"Is the compensation charged once?", "Compensation of {found} is charged a second time."},
	}},
	compensationAbove: {"compensation_above", Law, "forsinkelsesrenteloven § 3a", map[string]words{
		"nb": {"Er kompensasjonen innenfor satsen?", "Kompensasjonen er {found}, og lovlig er {expected}."},
		"nn": {"Er kompensasjonen innanfor satsen?", "Kompensasjonen er {found}, og lovleg er {expected}."},
		"en": {"Is the compensation within its figure?", "The compensation is {found}, and {expected} is lawful."},
	}},
	compensationDoubt: {"compensation_doubtful", Doubt, "forsinkelsesrenteloven § 3a", map[string]words{
		"nb": {"Er kompensasjonen den laveste av satsene det kan være?", "Kompensasjonen er {found}, og den laveste satsen er {expected}."},
		"nn": {"Er kompensasjonen den lågaste av satsane det kan vere?", "Kompensasjonen er {found}, og den lågaste satsen er {expected}."},
		"en": {"Is the compensation the lower of the figures that may be meant?", "The compensation is {found}, and the lower figure is {expected}."},
	}},
	jointFeeTwice: {"joint_fee_twice", Law, "inkassoforskriften § 1-2, L23", map[string]words{
		"nb": {"Har brevet ett gebyr?", "Gebyret på {found} er ett til for samme brev."},
		"nn": {"Har brevet eitt gebyr?", "Gebyret på {found} er eitt til for same brev."},
		"en": {"Has the letter one fee?", "The fee of {found} is one more for the same letter."},
	}},
}
