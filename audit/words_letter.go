package audit

// letterKinds are the questions of letter.
var letterKinds = [codes]kind{
	otherCustomer: {"other_customer", Law, "L6", map[string]words{
		"nb": {"Er varselet til fakturaens kunde?", "Varselet er til kunde {found}, og fakturaen er til {expected}."},
		"nn": {"Er varselet til kunden på fakturaen?", "Varselet er til kunde {found}, og fakturaen er til {expected}."},
		"en": {"Is the notice to the invoice's customer?", "The notice is to customer {found}, and the invoice to {expected}."},
	}},
	otherRecipient: {"recipient_wrong", Rule, "L6", map[string]words{
		"nb": {"Er varselet til kundens navn og adresse på den dagen?", "Varselet er til {found}; kunden er {expected}."},
		"nn": {"Er varselet til namnet og adressa til kunden på den dagen?", "Varselet er til {found}; kunden er {expected}."},
		"en": {"Is the notice to the customer's name and address of its day?", "The notice is to {found}; the customer is {expected}."},
	}},
	otherAddress: {"address_wrong", Rule, "L6", map[string]words{
		"nb": {"Gikk brevet til varselets adresse?", "Brevet gikk til {found}, og varselet er til {expected}."},
		"nn": {"Gjekk brevet til adressa i varselet?", "Brevet gjekk til {found}, og varselet er til {expected}."},
		"en": {"Did the letter go to the notice's address?", "The letter went to {found}, and the notice is to {expected}."},
	}},
	otherKID: {"kid_wrong", Rule, "D20", map[string]words{
		"nb": {"Er KID fakturaens?", "KID er {found}, og fakturaens er {expected}."},
		"nn": {"Er KID den på fakturaen?", "KID er {found}, og fakturaen sin er {expected}."},
		"en": {"Is the KID the invoice's?", "The KID is {found}, and the invoice's is {expected}."},
	}},
	neverLeft: {"letter_never_left", Law, "inkassoforskriften § 1-2, L2", map[string]words{
		"nb": {"Har brevet gått ut, eller skal det?", "Brevet er {found}, og varselet står."},
		"nn": {"Har brevet gått ut, eller skal det?", "Brevet er {found}, og varselet står."},
		"en": {"Has the letter left, or will it?", "The letter is {found}, and the notice stands."},
	}},
	cameBack: {"letter_came_back", Doubt, "S1", map[string]words{
		"nb": {"Kom brevet fram?", "Brevet kom i retur."},
		"nn": {"Kom brevet fram?", "Brevet kom i retur."},
		"en": {"Did the letter arrive?", "The letter came back."},
	}},
	shaMalformed: {"sha_malformed", Rule, "D35", map[string]words{
		"nb": {"Har brevet en kjent fil?", "Filens SHA-256 er {found}."},
		"nn": {"Har brevet ei kjend fil?", "SHA-256 for fila er {found}."},
		"en": {"Has the letter a kept file?", "The file's SHA-256 is {found}."},
	}},
	linesSum: {"lines_sum", Rule, "D28", map[string]words{
		"nb": {"Er linjene summen?", "Varselet ber om {found}, og linjene er {expected}."},
		"nn": {"Er linjene summen?", "Varselet ber om {found}, og linjene er {expected}."},
		"en": {"Do the lines add up to the sum?", "The notice asks for {found}, and its lines are {expected}."},
	}},
	lineNotBooked: {"line_not_booked", Rule, "D28", map[string]words{
		"nb": {"Er hver linje en postering?", "Linjen {found} er ingen postering."},
		"nn": {"Er kvar linje ei postering?", "Linja {found} er inga postering."},
		"en": {"Is each line an entry?", "The line {found} is no entry."},
	}},
	asksAboveGross: {"asks_above_gross", Law, "D96", map[string]words{
		"nb": {"Er hovedstolen i brevet ikke over fakturabeløpet?", "Brevet viser {found}, og fakturaen er på {expected}."},
		"nn": {"Er hovudstolen i brevet ikkje over fakturabeløpet?", "Brevet viser {found}, og fakturaen er på {expected}."},
		"en": {"Is the letter's principal not above the invoice?", "The letter shows {found}, and the invoice is of {expected}."},
	}},
	asksTooMuch: {"asks_too_much", Law, "D28", map[string]words{
		"nb": {"Ber brevet ikke om mer enn det som var skyldig?", "Brevet ber om {found}, og {expected} var skyldig."},
		"nn": {"Ber brevet ikkje om meir enn det som var skyldig?", "Brevet ber om {found}, og {expected} var skyldig."},
		"en": {"Does the letter ask for no more than was owed?", "The letter asks for {found}, and {expected} was owed."},
	}},
	asksTooLittle: {"asks_too_little", Rule, "D28", map[string]words{
		"nb": {"Ber brevet om det som var skyldig?", "Brevet ber om {found}, og {expected} var skyldig."},
		"nn": {"Ber brevet om det som var skyldig?", "Brevet ber om {found}, og {expected} var skyldig."},
		"en": {"Does the letter ask for what was owed?", "The letter asks for {found}, and {expected} was owed."},
	}},
	jointSum: {"joint_sum", Rule, "L23", map[string]words{
		"nb": {"Er felles brev summen av varslene?", "Brevet ber om {found}, og varslene er {expected}."},
		"nn": {"Er felles brev summen av varsla?", "Brevet ber om {found}, og varsla er {expected}."},
		"en": {"Is the shared letter the sum of its notices?", "The letter asks for {found}, and its notices are {expected}."},
	}},
	jointUnlike: {"joint_unlike", Rule, "L23", map[string]words{
		"nb": {"Er varslene i felles brev like?", "Varslene i brevet har ulik kunde, dag, frist eller slag."},
		"nn": {"Er varsla i felles brev like?", "Varsla i brevet har ulik kunde, dag, frist eller slag."},
		"en": {"Are the notices of the shared letter alike?", "The letter's notices differ in customer, day, deadline or kind."},
	}},
	jointAddress: {"joint_address", Rule, "L23, L6", map[string]words{
		"nb": {"Er felles brev til varselets adresse?", "Brevet er til {found}, og varselet til {expected}."},
		"nn": {"Er felles brev til adressa i varselet?", "Brevet er til {found}, og varselet til {expected}."},
		"en": {"Is the shared letter to the notice's address?", "The letter is to {found}, and the notice to {expected}."},
	}},
}
