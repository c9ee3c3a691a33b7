package audit

// keptKinds are the questions of what a letter's kept bytes say (rule U3); they are asked with --deep.
var keptKinds = [codes]kind{
	keptChanged: {"kept_changed", Rule, "D35, O7", map[string]words{
		"nb": {"Er den oppbevarte filen den som ble sendt?", "Filen som er oppbevart, er {found}; SHA-256 skulle være {expected}."},
		"nn": {"Er fila som er teken vare på, den som vart send?", "Fila som er teken vare på, er {found}; SHA-256 skulle vere {expected}."},
		"en": {"Is the kept file the one that was sent?", "The kept file is {found}; its SHA-256 should be {expected}."},
	}},
	keptSum: {"kept_sum", Law, "inkassoforskriften § 1-2, U3", map[string]words{
		"nb": {"Står beløpene i brevet slik som i varselet?", "I brevet står «{found}», og etter varselet skulle det stå «{expected}»."},
		"nn": {"Står beløpa i brevet slik som i varselet?", "I brevet står «{found}», og etter varselet skulle det stå «{expected}»."},
		"en": {"Are the sums in the letter those of the notice?", "The letter says “{found}”, and by the notice it should say “{expected}”."},
	}},
	keptDate: {"kept_date", Law, "inkassoloven § 9, U3", map[string]words{
		"nb": {"Står datoene i brevet slik som i varselet?", "I brevet står «{found}», og etter varselet skulle det stå «{expected}»."},
		"nn": {"Står datoane i brevet slik som i varselet?", "I brevet står «{found}», og etter varselet skulle det stå «{expected}»."},
		"en": {"Are the dates in the letter those of the notice?", "The letter says “{found}”, and by the notice it should say “{expected}”."},
	}},
	keptKID: {"kept_kid", Rule, "D20, U3", map[string]words{
		"nb": {"Er KID i brevet varselets?", "KID i brevet er «{found}», og varselets er {expected}."},
		"nn": {"Er KID i brevet den i varselet?", "KID i brevet er «{found}», og varselet sin er {expected}."},
		"en": {"Is the KID in the letter the notice's?", "The KID in the letter is “{found}”, and the notice's is {expected}."},
	}},
	keptAccount: {"kept_account", Law, "D101, U3", map[string]words{
		"nb": {"Er kontoen i brevet fakturaens?", "Kontoen i brevet er «{found}», og fakturaens er {expected}."},
		"nn": {"Er kontoen i brevet den på fakturaen?", "Kontoen i brevet er «{found}», og fakturaen sin er {expected}."},
		"en": {"Is the account in the letter the invoice's?", "The account in the letter is “{found}”, and the invoice's is {expected}."},
	}},
	keptVAT: {"kept_vat", Law, "merverdiavgiftsloven § 4-1, U3", map[string]words{
		"nb": {"Er gebyr og renter i brevet uten merverdiavgift?", "Brevet regner {found} % merverdiavgift av gebyr eller renter, som ikke har noen."},
		"nn": {"Er gebyr og renter i brevet utan meirverdiavgift?", "Brevet reknar {found} % meirverdiavgift av gebyr eller renter, som ikkje har noka."},
		"en": {"Are fee and interest in the letter without VAT?", "The letter charges {found} % VAT on the fee or the interest, which bear none."},
	}},
}
