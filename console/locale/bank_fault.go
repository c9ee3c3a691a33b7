package locale

import (
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"purr/models"
)

// Finding is what is wrong or unusual in a line of a bank file, in the reader's language.
type Finding struct {
	Line int
	Text template.HTML
	Raw  string // what was found, in the English of the log, where Text does not say all of it
}

// bankFault is one way in which package ocr and its readers say in English what they found.
type bankFault struct {
	name    string // of the text that says the same in each language
	pattern *regexp.Regexp
	values  []string // the names of what stands in the text: a, b and so on
}

// The kinds of names of the catalogue that are about bank files.
const (
	bankFaultOf = "bank_fault."
	bankWordOf  = "bank_word."
)

// inEntry begins what is found in an entry of camt.054.
var inEntry = regexp.MustCompile(`^entry (\d+): (.*)$`)

// bankFaults are the ways of saying what was found, by its code. A bank file keeps what was found in English alone, as the API and the log
// say it; the catalogue has each sentence in English too, and so the facts are found in it again. It says in Norwegian what was found in
// files that came before it could. A test holds that it knows each sentence.
var bankFaults = sync.OnceValue(func() map[string][]bankFault {
	english, all := Catalogue()["en"], map[string][]bankFault{}
	for _, name := range slices.Sorted(maps.Keys(english.texts)) {
		code, _, exact := strings.Cut(strings.TrimPrefix(name, bankFaultOf), ".")
		if !strings.HasPrefix(name, bankFaultOf) || !exact {
			continue
		}
		said := english.texts[name].Other
		f := bankFault{name: name, values: nameInText.FindAllString(said, -1)}
		f.pattern = regexp.MustCompile("(?s)^" + valueInPattern.ReplaceAllString(regexp.QuoteMeta(said), "(.*)") + "$")
		all[code] = append(all[code], f)
	}
	for _, of := range all { // what says more comes first
		slices.SortStableFunc(of, func(a, b bankFault) int { return len(b.pattern.String()) - len(a.pattern.String()) })
	}
	return all
})

var (
	nameInText     = regexp.MustCompile(`\{[a-z]\}`)
	valueInPattern = regexp.MustCompile(`\\\{[a-z]\\\}`)
)

// bankWords are the names of the words that stand in what was found, by the English word.
var bankWords = sync.OnceValue(func() map[string]string {
	english, all := Catalogue()["en"], map[string]string{}
	for name, said := range english.texts {
		if strings.HasPrefix(name, bankWordOf) {
			all[said.Other] = name
		}
	}
	return all
})

// Finding returns what is wrong or unusual in a line of a bank file. What the catalogue does not know it shows in English.
func (w *Words) Finding(found models.FileFinding) Finding {
	text, entry := found.Text, ""
	if parts := inEntry.FindStringSubmatch(text); parts != nil {
		entry, text = parts[1], parts[2]
	}
	shown := Finding{Line: found.Line}
	switch said, known := w.bankFault(found.Code, text); {
	case known:
		shown.Text = said
	case w.Knows(bankFaultOf + found.Code):
		shown.Text, shown.Raw = w.SayHTML(bankFaultOf+found.Code), found.Text
	default:
		shown.Text = inEnglish(text)
	}
	if entry != "" {
		shown.Text = w.SayHTML("bank_fault.in_entry", "entry", entry, "fault", shown.Text)
	}
	return shown
}

// bankFault says what was found with a code. It reports false if the catalogue has no such sentence.
func (w *Words) bankFault(code, text string) (template.HTML, bool) {
	for _, f := range bankFaults()[code] {
		facts := f.pattern.FindStringSubmatch(text)
		if facts == nil {
			continue
		}
		var values []any
		for n, name := range f.values {
			values = append(values, strings.Trim(name, "{}"), w.bankValue(facts[n+1]))
		}
		return w.SayHTML(f.name, values...), true
	}
	return "", false
}

// kroner and øre as what was found says them.
var bankAmount = regexp.MustCompile(`^-?\d+\.\d\d$`)

// bankValue writes a fact of what was found as the reader's language does.
func (w *Words) bankValue(fact string) any {
	if name, known := bankWords()[fact]; known {
		return w.Say(name)
	}
	if bankAmount.MatchString(fact) {
		return Number(fact)
	}
	if day, err := models.ParseDate(fact); err == nil {
		return TimeElement(day.String(), ShortDate(day))
	}
	if text, err := strconv.Unquote(fact); err == nil && strings.HasPrefix(fact, `"`) {
		return w.Say("layout.quoted", "text", text)
	}
	return fact
}
