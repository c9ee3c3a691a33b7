package camt

import (
	"strings"

	"purr/models"
)

// editing is the second reading, in which the texts are changed.
type editing struct {
	editor  Editor
	plan    *plan // nil where the amounts are only shown
	amounts int   // that were passed
	sums    int   // directions of sums that were passed
	code    string
	issuer  string // of the creditor's reference that is being read
}

func (e *editing) start(at *place) {
	if at.name() == "CdtrRefInf" {
		e.code, e.issuer = "", ""
	}
}

func (e *editing) end(*place) {}

func (e *editing) failure() error { return nil }

func (e *editing) words(text string) string {
	if strings.TrimSpace(text) == "" {
		return text
	}
	return e.editor.Text(text)
}

// leaf decides by an element's name what its text is. What has no name here is taken for text of somebody's.
func (e *editing) leaf(at *place, text string) string {
	switch {
	case isAmount(at):
		return e.amount(text)
	case at.is("TxsSummry/TtlNtries/CdtDbtInd"), at.is("TxsSummry/TtlNtries/TtlNetNtry/CdtDbtInd"):
		return e.direction(text)
	case at.is("CdtrRefInf/Ref"):
		return e.creditorReference(text)
	case isAccount(at):
		return e.account(text)
	case at.is("CdtrRefInf/Tp/CdOrPrtry/Cd"):
		e.code = text
		return text
	case at.is("CdtrRefInf/Tp/Issr"):
		e.issuer = text
		return text
	case isKept(at), text == "NOTPROVIDED":
		return text
	case at.is("BirthDt"):
		return "1970-01-01"
	case isReference(at):
		return e.editor.Reference(text)
	}
	return e.editor.Text(text)
}

// creditorReference takes a KID, or what else the code says that it is, as Reader.endReference does.
func (e *editing) creditorReference(text string) string {
	switch rest, iso := strings.CutPrefix(text, "RF"); {
	case iso:
		return "RF" + e.editor.Reference(rest)
	case e.code != "SCOR" || e.issuer == "ISO":
		return e.editor.Reference(text)
	case strings.Trim(text, "0") == "":
		return text
	}
	return e.editor.KID(text)
}

// isAccount reports whether the text identifies an account.
func isAccount(at *place) bool {
	return at.is("Id/IBAN") || at.is("Id/Othr/Id") && strings.HasSuffix(at.up(3), "Acct")
}

// isReference reports whether the text identifies something.
func isReference(at *place) bool {
	name := at.name()
	return strings.HasSuffix(name, "Ref") || strings.HasSuffix(name, "Id") || name == "UETR" || at.is("RfrdDocInf/Nb")
}

// keptNames are elements of codes and counts.
var keptNames = map[string]bool{
	"Cd": true, "SubFmlyCd": true, "BIC": true, "BICFI": true, "AnyBIC": true, "BICOrBEI": true, "Ccy": true, "Ctry": true, "CtryOfRes": true,
	"Sts": true, "PgNb": true, "NbOfNtries": true, "NbOfTxs": true, "XchgRate": true, "SeqNb": true,
}

// isKept reports whether the text is of nobody: a date, a code, a count, a yes or no.
func isKept(at *place) bool {
	name := at.name()
	switch {
	case keptNames[name], at.is("BkTxCd/Prtry/Issr"), at.is("Ntry/Sts/Prtry"), at.is("CdOrPrtry/Prtry"), at.is("NtryRef"):
		return true
	case name == "BirthDt":
		return false
	}
	for _, end := range []string{"Dt", "DtTm", "Ccy", "Ind"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// account takes an IBAN or another identification. A Norwegian account stays one, with right or wrong check digits
// as before, and is written as it was.
func (e *editing) account(text string) string {
	bare := bareNumber.Replace(text)
	switch bban, is := strings.CutPrefix(strings.ToUpper(bare), "NO"); {
	case is && len(bban) == 13 && digits(bban):
		fresh := e.editor.Account(bban[2:])
		check := ibanCheck(fresh)
		if right := bban[:2] == ibanCheck(bban[2:]); !right {
			check = bban[:2]
			if check == ibanCheck(fresh) {
				check = "00" // is right for none
			}
		}
		return intoForm(text, bare[:2]+check+fresh)
	case len(bare) == 11 && digits(bare):
		return intoForm(text, e.editor.Account(bare))
	case len(bare) > 2 && !digits(bare[:1]):
		return text[:2] + e.editor.Reference(text[2:]) // the country stays
	}
	return e.editor.Reference(text)
}

// intoForm returns the characters with the blanks and points that the form has.
func intoForm(form, characters string) string {
	var out strings.Builder
	for _, c := range []byte(form) {
		if c == ' ' || c == '.' {
			out.WriteByte(c)
			continue
		}
		out.WriteByte(characters[0])
		characters = characters[1:]
	}
	return out.String()
}

// amount takes the next amount of the plan.
func (e *editing) amount(text string) string {
	old, err := parseAmount(text)
	switch {
	case err != nil:
		return e.editor.Text(text) // in parts of an øre
	case e.plan == nil:
		if old != 0 {
			e.editor.Amount(old, false)
		}
		return text
	}
	e.amounts++
	if fresh := e.plan.amounts[e.amounts-1]; fresh != old {
		return likeAmount(text, fresh)
	}
	return text
}

// direction takes the direction of a sum, which may have turned.
func (e *editing) direction(text string) string {
	if e.plan == nil {
		return text
	}
	e.sums++
	return e.plan.directions[e.sums-1]
}

// likeAmount writes an amount with as many decimals as another, and more where it needs them.
func likeAmount(form string, amount models.Amount) string {
	text := amount.String()
	whole, fraction := text[:len(text)-3], strings.TrimRight(text[len(text)-2:], "0")
	_, decimals, point := strings.Cut(form, ".")
	for len(fraction) < len(decimals) {
		fraction += "0"
	}
	if form[0] == '+' {
		whole = "+" + whole
	}
	if fraction == "" && !point {
		return whole
	}
	return whole + "." + fraction
}
