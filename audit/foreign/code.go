package foreign

import (
	"strings"

	"purr/audit/reckoning"
	"purr/audit/report"
)

// Code names a question that is asked of letters.
type Code string

// The questions.
const (
	NothingOwed   Code = "nothing_owed"
	OnlyCharges   Code = "only_charges_owed"
	ClaimLapsed   Code = "claim_lapsed"
	WarningEarly  Code = "warning_before_due"
	WarningDays   Code = "warning_days"
	WarningOwn    Code = "warning_own_2026"
	DemandEarly   Code = "demand_before_warning"
	DemandDays    Code = "demand_days"
	FeeAboveCap   Code = "fee_above_cap"
	FeeTooEarly   Code = "fee_too_early"
	FeeWeekend    Code = "fee_weekend"
	FeeThird      Code = "fee_third"
	FeeWarning    Code = "fee_second_warning"
	FeeDeadline   Code = "fee_after_short_deadline"
	FeeRuns       Code = "fee_in_deadline"
	FeeBeside     Code = "fee_beside_compensation"
	FeeDisputed   Code = "fee_disputed"
	FeeNotSet     Code = "fee_not_set_2026"
	FeeJoint      Code = "fee_joint_letter"
	CompPrivate   Code = "compensation_private"
	CompTwice     Code = "compensation_twice"
	CompEarly     Code = "compensation_before_due"
	CompAbove     Code = "compensation_above"
	CompHalfYear  Code = "compensation_half_year"
	InterestAbove Code = "interest_above"
	InterestShift Code = "interest_weekend"
	InterestAhead Code = "interest_in_advance"
)

// codeOfRule is the question of each rule on fees.
var codeOfRule = map[reckoning.FeeRule]Code{
	reckoning.FeeCap: FeeAboveCap, reckoning.FeeTooEarly: FeeTooEarly, reckoning.FeeThird: FeeThird, reckoning.FeeSecondWarning: FeeWarning,
	reckoning.FeeNoDeadline: FeeDeadline, reckoning.FeeDeadlineRuns: FeeRuns, reckoning.FeeCompensated: FeeBeside, reckoning.FeeDisputed: FeeDisputed,
	reckoning.FeeOwnWarning: FeeNotSet, reckoning.FeeNotSet: FeeNotSet,
}

// feeCodes are the questions that are asked of each fee.
var feeCodes = []Code{FeeAboveCap, FeeTooEarly, FeeWeekend, FeeThird, FeeWarning, FeeDeadline, FeeRuns, FeeBeside, FeeDisputed, FeeNotSet, FeeJoint}

// question is what is said of a question that was answered with no. In the words {found} is what is, and {expected} what should have been.
type question struct {
	class, law string
	words      map[string]string // by language
}

// Languages are those in which a finding is told.
var Languages = []string{"nb", "nn", "en"}

func words(nb, nn, en string) map[string]string {
	return map[string]string{"nb": nb, "nn": nn, "en": en}
}

var questions = map[Code]question{
	NothingOwed: {report.Law, "inkassoloven §§ 8, 17", words(
		"Brevet krevde {found}, og ingenting var skyldig da det ble sendt.",
		"Brevet kravde {found}, og ingenting var uteståande då det vart sendt.",
		"The letter charged {found}, and nothing was owed when it was sent.")},
	OnlyCharges: {report.Doubt, "inkassoloven § 17", words(
		"Hovedstolen var betalt da brevet ble sendt; bare gebyr og renter sto igjen ({found}).",
		"Hovudstolen var betalt då brevet vart sendt; berre gebyr og renter stod att ({found}).",
		"The principal was paid when the letter was sent; only fees and interest were left ({found}).")},
	ClaimLapsed: {report.Doubt, "foreldelsesloven §§ 2, 3, 14", words(
		"Kravet ble foreldet {expected} om ingenting avbrøt fristen, og brevet ble sendt {found}.",
		"Kravet vart forelda {expected} om ingenting braut fristen, og brevet vart sendt {found}.",
		"The claim lapsed on {expected} unless something interrupted it, and the letter was sent on {found}.")},
	WarningEarly: {report.Law, "inkassoloven § 9", words(
		"Inkassovarselet ble sendt {found}, før kravet var forfalt; det kunne sendes tidligst {expected}.",
		"Inkassovarselet vart sendt {found}, før kravet var forfalle; det kunne sendast tidlegast {expected}.",
		"The debt-collection warning was sent on {found}, before the claim was overdue; it could be sent on {expected} at the earliest.")},
	WarningDays: {report.Law, "inkassoloven § 9", words(
		"Inkassovarselet ga {found} dager fra det ble sendt; det skal gi minst {expected}.",
		"Inkassovarselet gav {found} dagar frå det vart sendt; det skal gje minst {expected}.",
		"The debt-collection warning gave {found} days from when it was sent; it must give at least {expected}.")},
	WarningOwn: {report.Law, "LOV-2026-05-22-19 § 20", words(
		"Kreditor sendte et inkassovarsel {found}; etter loven av 2026 gjør bare inkassoforetak det.",
		"Kreditor sende eit inkassovarsel {found}; etter lova av 2026 gjer berre inkassoføretak det.",
		"The creditor sent a debt-collection warning on {found}; by the act of 2026 only licensed agencies do.")},
	DemandEarly: {report.Law, "inkassoloven § 10", words(
		"Betalingsoppfordringen ble sendt {found}; det må være varslet først, og fristen i varselet må være ute ({expected}).",
		"Betalingsoppmodinga vart send {found}; det må vere varsla først, og fristen i varselet må vere ute ({expected}).",
		"The demand for payment was sent on {found}; a warning must come first, and its deadline must have passed ({expected}).")},
	DemandDays: {report.Law, "inkassoloven § 10", words(
		"Betalingsoppfordringen ga {found} dager fra den ble sendt; den skal gi minst {expected}.",
		"Betalingsoppmodinga gav {found} dagar frå ho vart send; ho skal gje minst {expected}.",
		"The demand for payment gave {found} days from when it was sent; it must give at least {expected}.")},
	FeeAboveCap: {report.Law, "inkassoforskriften § 1-2", words(
		"Gebyret var {found}; det høyeste som kunne kreves, var {expected}.",
		"Gebyret var {found}; det høgaste som kunne krevjast, var {expected}.",
		"The fee was {found}; the most that could be charged was {expected}.")},
	FeeTooEarly: {report.Law, "inkassoforskriften § 1-2", words(
		"Brevet med gebyr ble sendt {found}; gebyr kunne tidligst kreves i et brev sendt {expected}, 14 dager etter forfall.",
		"Brevet med gebyr vart sendt {found}; gebyr kunne tidlegast krevjast i eit brev sendt {expected}, 14 dagar etter forfall.",
		"The letter with a fee was sent on {found}; a fee could be charged at the earliest in a letter sent on {expected}, 14 days after the due date.")},
	FeeWeekend: {report.Doubt, "inkassoforskriften § 1-2, gjeldsbrevloven § 5", words(
		"Forfallsdagen var ingen hverdag. Regnes den som neste hverdag, kunne gebyr tidligst kreves {expected}, og brevet ble sendt {found}.",
		"Forfallsdagen var ingen kvardag. Blir han rekna som neste kvardag, kunne gebyr tidlegast krevjast {expected}, og brevet vart sendt {found}.",
		"The due date was no weekday. If it counts as the next one, a fee could be charged on {expected} at the earliest, and the letter was sent on {found}.")},
	FeeThird: {report.Law, "inkassoforskriften § 1-3", words(
		"Brevet krevde et gebyr på {found} etter at de brevene som kan ha gebyr, var sendt, og før seks måneder var gått.",
		"Brevet kravde eit gebyr på {found} etter at dei breva som kan ha gebyr, var sende, og før seks månader var gått.",
		"The letter charged a fee of {found} after the letters that may have one were sent, and before six months had passed.")},
	FeeWarning: {report.Law, "inkassoforskriften § 1-3", words(
		"Et inkassovarsel nummer to krevde et gebyr på {found}; bare ett varsel kan ha gebyr.",
		"Eit inkassovarsel nummer to kravde eit gebyr på {found}; berre eitt varsel kan ha gebyr.",
		"A second debt-collection warning charged a fee of {found}; only one warning may have one.")},
	FeeDeadline: {report.Law, "inkassoforskriften § 1-3", words(
		"Brevet krevde et gebyr på {found}, men brevet med det første gebyret ga ikke en frist på 14 dager fra det ble sendt.",
		"Brevet kravde eit gebyr på {found}, men brevet med det første gebyret gav ikkje ein frist på 14 dagar frå det vart sendt.",
		"The letter charged a fee of {found}, but the letter with the first fee did not give 14 days from when it was sent.")},
	FeeRuns: {report.Law, "inkassoforskriften § 1-3", words(
		"Brevet med et nytt gebyr ble sendt {found}; fristen i det forrige brevet gikk ut {expected}.",
		"Brevet med eit nytt gebyr vart sendt {found}; fristen i det førre brevet gjekk ut {expected}.",
		"The letter with another fee was sent on {found}; the deadline of the letter before ended on {expected}.")},
	FeeBeside: {report.Law, "inkassoforskriften § 1-5, forsinkelsesrenteloven § 3a", words(
		"Brevet krevde et gebyr på {found} ved siden av standardkompensasjon; de trekkes fra hverandre.",
		"Brevet kravde eit gebyr på {found} ved sida av standardkompensasjon; dei blir trekte frå kvarandre.",
		"The letter charged a fee of {found} beside standard compensation; each is deducted from the other.")},
	FeeDisputed: {report.Law, "inkassoloven § 17 (2)", words(
		"Brevet krevde et gebyr på {found} mens skyldneren hadde en innvending som det var rimelig å få prøvd.",
		"Brevet kravde eit gebyr på {found} medan skuldnaren hadde ei innvending som det var rimeleg å få prøvd.",
		"The letter charged a fee of {found} while the debtor had an objection that deserved an answer.")},
	FeeNotSet: {report.Law, "LOV-2026-05-22-19 § 19", words(
		"Brevet krevde et gebyr på {found}; etter loven av 2026 er det ikke fastsatt noe gebyr for det.",
		"Brevet kravde eit gebyr på {found}; etter lova av 2026 er det ikkje fastsett noko gebyr for det.",
		"The letter charged a fee of {found}; under the act of 2026 none is set for it.")},
	FeeJoint: {report.Doubt, "inkassoloven § 17", words(
		"Ett brev om flere krav krevde et gebyr på {found} også for dette kravet.",
		"Eitt brev om fleire krav kravde eit gebyr på {found} også for dette kravet.",
		"One letter on several claims charged a fee of {found} for this claim too.")},
	CompPrivate: {report.Law, "forsinkelsesrenteloven § 4", words(
		"En privatperson ble krevd for standardkompensasjon på {found}; gebyret som kunne kreves i stedet, var {expected}.",
		"Ein privatperson vart kravd for standardkompensasjon på {found}; gebyret som kunne krevjast i staden, var {expected}.",
		"A private person was charged standard compensation of {found}; the fee that could be charged instead was {expected}.")},
	CompTwice: {report.Law, "forsinkelsesrenteloven § 3a", words(
		"Standardkompensasjon ble krevd én gang til ({found}) for samme krav.",
		"Standardkompensasjon vart kravd éin gong til ({found}) for same krav.",
		"Standard compensation was charged once more ({found}) on the same claim.")},
	CompEarly: {report.Law, "forsinkelsesrenteloven § 3a", words(
		"Standardkompensasjon ble krevd {found}, før kravet var forfalt; den kunne tidligst kreves {expected}.",
		"Standardkompensasjon vart kravd {found}, før kravet var forfalle; han kunne tidlegast krevjast {expected}.",
		"Standard compensation was charged on {found}, before the claim was overdue; it could be charged on {expected} at the earliest.")},
	CompAbove: {report.Law, "forsinkelsesrenteloven § 3a, inkassoforskriften § 1-5", words(
		"Standardkompensasjonen var {found}; det høyeste som kunne kreves ved siden av gebyrene, var {expected}.",
		"Standardkompensasjonen var {found}; det høgaste som kunne krevjast ved sida av gebyra, var {expected}.",
		"The standard compensation was {found}; the most that could be charged beside the fees was {expected}.")},
	CompHalfYear: {report.Doubt, "forsinkelsesrenteloven § 3a", words(
		"Standardkompensasjonen var {found}; satsen i det andre halvåret som kan være ment, gir {expected}.",
		"Standardkompensasjonen var {found}; satsen i det andre halvåret som kan vere meint, gjev {expected}.",
		"The standard compensation was {found}; the figure of the other half-year that may be meant gives {expected}.")},
	InterestAbove: {report.Law, "forsinkelsesrenteloven §§ 2, 3", words(
		"Brevet krevde {found} i forsinkelsesrente; etter loven var det {expected}.",
		"Brevet kravde {found} i forseinkingsrente; etter lova var det {expected}.",
		"The letter charged {found} of late-payment interest; by law it was {expected}.")},
	InterestShift: {report.Doubt, "forsinkelsesrenteloven § 2, gjeldsbrevloven § 5", words(
		"Renten på {found} er regnet fra en forfallsdag som ikke var hverdag; fra neste hverdag er den {expected}.",
		"Renta på {found} er rekna frå ein forfallsdag som ikkje var kvardag; frå neste kvardag er ho {expected}.",
		"The interest of {found} is reckoned from a due date that was no weekday; from the next weekday it is {expected}.")},
	InterestAhead: {report.Doubt, "forsinkelsesrenteloven § 2", words(
		"Brevet ble sendt {expected} og krevde rente til {found}, for dager som ikke var gått.",
		"Brevet vart sendt {expected} og kravde rente til {found}, for dagar som ikkje var gått.",
		"The letter was sent on {expected} and charged interest through {found}, for days that had not passed.")},
}

// text returns a finding's sentence in a language.
func (q question) text(language, found, expected string) string {
	return strings.NewReplacer("{found}", found, "{expected}", expected).Replace(q.words[language])
}
