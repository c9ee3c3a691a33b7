package models

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query is what a person who searches may mean by what was typed (rule N3). What is empty or zero is not meant.
type Query struct {
	Text           string    // as it was typed, on one line
	Kinds          []HitKind // what a word before it says is sought; none for all kinds
	Number         int64     // of a document
	KID            string
	Account        string // of a payer, as banks write it: digits, or an IBAN
	Organisation   string // the number of a business
	CustomerNumber string // all of it in digits
	CustomerID     int64  // what "customer 17" means where no customer has the number 17
	Sum            Amount // above zero; of money that came in or went out
	Figures        string // all digits, as a word of a payment's text has them
	Words          []string
	Named          []string // the words with the one that Kinds comes from: a name may begin with it
	Whole          string   // folded: the beginning of a customer's number or e-mail address
}

// MaxQuery is how long what is searched for may be, in letters.
const MaxQuery = 100

// ReadQuery reads what was typed into a search.
func ReadQuery(text string) Query {
	q := Query{Text: strings.Join(strings.Fields(OneLine(text)), " ")}
	meant, rest := sought(q.Text)
	if q.Kinds = meant.kinds; !q.readNumber(meant, rest) {
		q.readName(q.Text, rest)
	}
	return q
}

// Wants reports whether hits of the kind are sought.
func (q Query) Wants(kind HitKind) bool { return len(q.Kinds) == 0 || slices.Contains(q.Kinds, kind) }

// meaning is what a word before a number says: which kinds of hits are sought, and what the number may be.
type meaning struct {
	kinds []HitKind
	as    numberAs
}

// numberAs says what a number may be.
type numberAs int

const (
	asNumber       numberAs = 1 << iota // of a document or a customer
	asKID                               // of a document or a payment
	asAccount                           // of a payer
	asOrganisation                      // of a business
	asSum

	asAnything = asNumber | asKID | asAccount | asOrganisation | asSum
)

var (
	ofInvoice    = meaning{[]HitKind{HitInvoice}, asNumber | asKID}
	ofCustomer   = meaning{[]HitKind{HitCustomer}, asNumber | asOrganisation}
	ofCreditNote = meaning{[]HitKind{HitCreditNote}, asNumber | asKID}
	ofNotice     = meaning{[]HitKind{HitNotice}, asNumber | asKID}
	ofPayment    = meaning{[]HitKind{HitUnmatched, HitPayment}, asAnything &^ asOrganisation}
	ofLetter     = meaning{[]HitKind{HitLetter}, asNumber | asKID}
)

// meanings are the words that may stand before a number or a name, folded and without blanks: in nb, nn and en.
var meanings = byWord(map[string]meaning{
	"faktura fakturaen fakturanr fakturanummer fakturanummeret faktnr invoice invoices inv":                       ofInvoice,
	"kunde kunden kundenr kundenummer kundenummeret skyldner skyldnar customer customers":                         ofCustomer,
	"kreditnota kreditnotaen kreditnotanr kreditnotanummer creditnote creditnotes":                                ofCreditNote,
	"purring purringa purringen betalingspaminnelse betalingspaminning paminnelse paminning inkassovarsel varsel": ofNotice,
	"reminder notice overduenotice warning debtcollectionwarning":                                                 ofNotice,
	"betaling betalinga betalingen innbetaling innbetalinga innbetalingen payment payments":                       ofPayment,
	"brev brevet utsending utsendinga utsendelse utsendelsen letter letters shipment":                             ofLetter,
	"kid kidnr kidnummer": {as: asKID},
	"konto kontonr kontonummer bankkonto account accountnumber iban":             {as: asAccount},
	"org orgnr orgnummer organisasjonsnummer organisasjonsnr organisationnumber": {as: asOrganisation},
	"kr nok belop sum amount": {as: asSum},
})

func byWord(of map[string]meaning) map[string]meaning {
	each := map[string]meaning{}
	for words, m := range of {
		for word := range strings.FieldsSeq(words) {
			each[word] = m
		}
	}
	return each
}

// joining may stand between such a word and its number.
var joining = []string{"nr", "no", "num", "number", "nummer", "id"}

// sought returns what the word at the beginning of the text says, and the rest of the text. Without such a word anything may be meant.
func sought(text string) (m meaning, rest string) {
	words := strings.Fields(text)
	for n := min(3, len(words)); n > 0; n-- { // "debt-collection warning 5"
		word, digits := head(strings.Join(words[:n], ""))
		m, known := meanings[word]
		if rest := words[n:]; known && (digits == "" || n == 1) && (len(rest) > 0 || digits != "") {
			for digits == "" && len(rest) > 1 && slices.Contains(joining, letters(rest[0])) {
				rest = rest[1:]
			}
			return m, strings.TrimLeft(strings.Join(append([]string{digits}, rest...), " "), " #:.")
		}
	}
	return meaning{as: asAnything}, strings.TrimPrefix(text, "#")
}

// head cuts a word before its first digit: "faktura20744" is "faktura" and "20744". It returns the letters folded.
func head(word string) (before, digits string) {
	if at := strings.IndexFunc(word, unicode.IsDigit); at >= 0 {
		return letters(word[:at]), word[at:]
	}
	return letters(word), ""
}

// letters returns the letters of a word, folded.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, Fold(word))
}

var (
	plainDigits = regexp.MustCompile(`^[0-9](?:[ .]?[0-9])*$`)
	sumOfMoney  = regexp.MustCompile(`^([-+−]?)([0-9]{1,3}(?:[ .'][0-9]{3})+|[0-9]+)(?:[.,]([0-9]{1,2}|[-–]))?$`)
	withMoney   = regexp.MustCompile(`(?i)^(?:(?:kr|nok)\.? ?(.*[0-9].*)|(.*[0-9].*?) ?(?:kr|nok)\.?)$`)
	business    = regexp.MustCompile(`(?i)^(?:NO ?)?([0-9]{3}) ?([0-9]{3}) ?([0-9]{3}) ?MVA$`)
	iban        = regexp.MustCompile(`(?i)^[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}$`)
)

// readNumber reads a text that is a number, a sum or an account, and reports false of any other.
func (q *Query) readNumber(m meaning, text string) bool {
	if n := business.FindStringSubmatch(text); n != nil && m.as&asOrganisation != 0 {
		q.Organisation = n[1] + n[2] + n[3]
		return true
	}
	if iban.MatchString(text) && m.as&asAccount != 0 && strings.ContainsFunc(text, unicode.IsDigit) {
		q.Account = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
		if q.Figures = strings.ToLower(q.Account); strings.HasPrefix(q.Account, "NO") {
			q.Figures = q.Account[4:]
			q.Account = q.Figures
		}
		return true
	}
	if money := withMoney.FindStringSubmatch(text); money != nil && m.as&asSum != 0 {
		m.as, text = asSum, money[1]+money[2]
	}
	read := q.readSum(m, text)
	if m.as != asSum && grouped(text) {
		q.readDigits(m, strings.NewReplacer(" ", "", ".", "").Replace(text))
		read = true
	}
	return read
}

// grouped reports whether a text is digits with points between, and no sum with decimals: an account, or thousands.
func grouped(text string) bool {
	if !plainDigits.MatchString(text) {
		return false
	}
	sum := sumOfMoney.FindStringSubmatch(text)
	return sum == nil || sum[3] == ""
}

// readSum reads a sum: "4980", "4 980,00", "4980.00", "4.980,-". It reports whether the text is one.
func (q *Query) readSum(m meaning, text string) bool {
	sum := sumOfMoney.FindStringSubmatch(text)
	if sum == nil || m.as&asSum == 0 && (m.as&asNumber == 0 || sum[3] == "") {
		return false
	}
	kroner := strings.NewReplacer(" ", "", ".", "", "'", "").Replace(sum[2])
	if sum[1] == "" && sum[3] == "" && len(kroner) > 1 && kroner[0] == '0' { // a KID
		return false
	}
	if sum[3] != "" && sum[3] != "-" && sum[3] != "–" {
		kroner += "." + sum[3]
	}
	a, err := ParseAmount(kroner)
	if err != nil || a <= 0 {
		return false
	}
	q.Sum = a
	return true
}

// readDigits reads what digits may be, by how many there are.
func (q *Query) readDigits(m meaning, digits string) {
	n, err := strconv.ParseInt(digits, 10, 64)
	if m.as&asNumber != 0 {
		q.CustomerNumber = digits
		if err == nil && digits[0] != '0' {
			q.Number = n
		}
		if slices.Equal(q.Kinds, ofCustomer.kinds) {
			q.CustomerID, q.Number = q.Number, 0
		}
	}
	if m.as&asKID != 0 && len(digits) > 1 && len(digits) <= maxKID {
		q.KID = digits
	}
	if m.as&asAccount != 0 && len(digits) == accountDigits {
		q.Account = digits
	}
	if m.as&asOrganisation != 0 && len(digits) == organisationDigits {
		q.Organisation = digits
	}
	if m.as&asAccount != 0 { // what a payment's text has
		q.Figures = digits
	}
}

// How many digits numbers have.
const (
	maxKID             = 25
	accountDigits      = 11
	organisationDigits = 9
)

// mostQueryWords is how many words of a query are sought.
const mostQueryWords = 8

// readName reads a text that is no number: words of a name or a place, an e-mail address, a customer's number.
func (q *Query) readName(text, rest string) {
	q.Whole = strings.ReplaceAll(Fold(rest), "\x00", "")
	if strings.Contains(rest, "@") {
		return
	}
	q.Words = nameWords(rest)
	if rest != text {
		q.Named = nameWords(text)
	}
	if len(q.Words) == 0 && !strings.ContainsFunc(q.Whole, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		q.Whole = ""
	}
}

// nameWords returns the words by which a name is sought. Those for a kind of company are sought only where there are no others.
func nameWords(text string) []string {
	words := Words(text)
	if named := NameOf(text).Words(); len(named) > 0 {
		words = named
	}
	return words[:min(len(words), mostQueryWords)]
}

// slipLetters are those with which a slip may have taken the place of another.
const slipLetters = "abcdefghijklmnopqrstuvwxyz"

// leastSlip is how many letters a word has at least in which a slip is looked for.
const leastSlip = 5

// Slips returns the words that a folded word may be meant for if one letter of it is wrong, missing, too many, or swapped with its
// neighbour: where the one or the other has at least five letters (rule N3).
func Slips(word string) []string {
	is := []rune(word)
	if len(is) < leastSlip-1 || len(is) > mostSlip {
		return nil
	}
	slips := map[string]bool{}
	add := func(parts ...[]rune) {
		meant := string(slices.Concat(parts...))
		if meant != word && max(len(is), utf8.RuneCountInString(meant)) >= leastSlip {
			slips[meant] = true
		}
	}
	for n := range len(is) + 1 {
		for _, r := range slipLetters {
			add(is[:n], []rune{r}, is[n:])
			if n < len(is) {
				add(is[:n], []rune{r}, is[n+1:])
			}
		}
		if n < len(is) {
			add(is[:n], is[n+1:])
		}
		if n+1 < len(is) {
			add(is[:n], []rune{is[n+1], is[n]}, is[n+2:])
		}
	}
	all := make([]string, 0, len(slips))
	for meant := range slips {
		all = append(all, meant)
	}
	slices.Sort(all)
	return all
}

// mostSlip is how many letters a word has at most in which a slip is looked for: names have no more.
const mostSlip = 25
