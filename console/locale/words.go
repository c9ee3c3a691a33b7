// Package locale holds what the console says in bokmål, nynorsk and English: its texts, events in words, and how Norwegians
// write and type amounts, numbers and dates. It reads nothing but the values that it is given.
package locale

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"purr/models"
)

//go:embed *.json
var localeFiles embed.FS

// languages are those of the console. The first is for a reader who asks for none of them.
var languages = []string{"nb", "nn", "en"}

// text is what the console says under one name, in one language. One is for a count of exactly one, and empty where the
// count makes no difference. {name} stands for a value.
type text struct{ One, Other string }

// UnmarshalJSON reads a text, or an object with its two forms.
func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &t.Other)
	}
	type forms text
	return json.Unmarshal(b, (*forms)(t))
}

// Words are the texts of one language.
type Words struct {
	Language string
	texts    map[string]text
}

// Catalogue returns the words by language. It reads them when it is first asked: most commands say nothing of it.
var Catalogue = sync.OnceValue(readCatalogue)

// readCatalogue reads locale/*.json: each file an object of names, each name an object of languages. A file that cannot be
// read is a fault of the program.
func readCatalogue() map[string]*Words {
	all := map[string]*Words{}
	for _, l := range languages {
		all[l] = &Words{l, map[string]text{}}
	}
	files, err := localeFiles.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		raw, err := localeFiles.ReadFile(f.Name())
		if err != nil {
			panic(err)
		}
		var names map[string]map[string]text
		if err := json.Unmarshal(raw, &names); err != nil {
			panic(fmt.Sprintf("%s: %v", f.Name(), err))
		}
		for name, texts := range names {
			if all["en"].Knows(name) {
				panic(fmt.Sprintf("%s: %s is in another file too", f.Name(), name))
			}
			for _, l := range languages {
				all[l].texts[name] = texts[l]
			}
		}
	}
	return all
}

var matcher = language.NewMatcher([]language.Tag{language.MustParse("nb"), language.MustParse("nn"), language.English})

// Cookie keeps the language that a reader has chosen in the settings.
const Cookie = "purr_language"

// Of returns the words of the language that the reader has chosen, or else of one that his browser asks for.
func Of(r *http.Request) *Words {
	if c, err := r.Cookie(Cookie); err == nil && Catalogue()[c.Value] != nil {
		return Catalogue()[c.Value]
	}
	asked, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		return Catalogue()[languages[0]]
	}
	_, i, sure := matcher.Match(asked...)
	if sure == language.No {
		i = 0
	}
	return Catalogue()[languages[i]]
}

// Knows reports whether there is a text of the name.
func (w *Words) Knows(name string) bool { return w.texts[name].Other != "" }

// Say returns a text as plain text. values are pairs of a name in the text and its value; a value n that is 1 asks for the
// form of one.
func (w *Words) Say(name string, values ...any) string {
	return w.fill(name, values, func(v any) string { return w.plain(v) })
}

// SayHTML returns a text as HTML: dates are in time elements, a template.HTML stays as it is, all else is escaped.
func (w *Words) SayHTML(name string, values ...any) template.HTML {
	return template.HTML(w.fill(name, values, func(v any) string { return string(w.html(v)) })) //nolint:gosec // the catalogue is ours
}

// fill puts values into a text. A name that the catalogue lacks shows itself; a test finds all of these.
func (w *Words) fill(name string, values []any, show func(any) string) string {
	t, known := w.texts[name]
	if !known {
		return name
	}
	form := t.Other
	pairs := make([]string, 0, len(values))
	for i := 0; i+1 < len(values); i += 2 {
		key := fmt.Sprint(values[i])
		if key == "n" && t.One != "" && fmt.Sprint(values[i+1]) == "1" {
			form = t.One
		}
		pairs = append(pairs, "{"+key+"}", show(values[i+1]))
	}
	return strings.NewReplacer(pairs...).Replace(form)
}

// plain writes a value as the reader's language does.
func (w *Words) plain(v any) string {
	switch v := v.(type) {
	case models.Amount:
		return Amount(v)
	case models.Date:
		return w.LongDate(v)
	case models.Percent:
		return Number(v.String()) + "\u00A0%"
	case int, int64:
		return Number(fmt.Sprint(v))
	}
	return fmt.Sprint(v)
}

// html writes a value as plain does, for a page.
func (w *Words) html(v any) template.HTML {
	switch v := v.(type) {
	case template.HTML:
		return v
	case models.Date:
		return TimeElement(v.String(), w.LongDate(v))
	}
	return template.HTML(template.HTMLEscapeString(w.plain(v))) //nolint:gosec // it was escaped
}
