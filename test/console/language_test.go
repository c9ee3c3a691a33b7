package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/browser"
)

// norwegian looks at pages in Bokmål and Nynorsk, which differ from one another.
func norwegian(t *testing.T, d *desk) {
	for _, language := range []struct{ accept, lang, today, bank string }{
		{"nb", "nb", "I dag", "Betalinger å koble"},
		{"nn", "nn", "I dag", "Betalingar å kople"},
		{"no", "nb", "I dag", "Betalinger å koble"},
		{"de", "nb", "I dag", "Betalinger å koble"},
		{"nn-NO,nb,en", "nn", "I dag", "Betalingar å kople"},
		{"en-GB", "en", "Today", "Payments to match"},
	} {
		d.Look(browser.Language(language.accept))
		d.show("today")
		if lang := browser.Evaluate[string](d.Page, "document.documentElement.lang"); lang != language.lang {
			t.Errorf("for %s the page is in %s", language.accept, lang)
		}
		if h1 := browser.Evaluate[string](d.Page, "document.querySelector('h1').innerText"); h1 != language.today {
			t.Errorf("for %s the heading is %q", language.accept, h1)
		}
		d.show("bank")
		if h1 := browser.Evaluate[string](d.Page, "document.querySelector('h1').innerText"); h1 != language.bank {
			t.Errorf("for %s the heading of Bank is %q", language.accept, h1)
		}
	}
	d.Look(browser.Language("nb"))
	d.show("invoices")
	text := d.Text()
	for _, want := range []string{"05.01.2026", "1\u00a0000,00", "123\u00a0456\u00a0789,00"} {
		if !strings.Contains(text, want) {
			t.Errorf("Fakturaer does not say %q:\n%s", want, text)
		}
	}
	if none := d.Ask(http.MethodGet, d.base+"/today", nil, "Accept-Language", ""); !strings.Contains(none.Body, `<html lang="nb">`) {
		t.Errorf("without Accept-Language the page begins %.60s", none.Body)
	}
}

// nothingIsLeftInEnglish asks for each kind of page, and each list in CSV, in Norwegian. None says a word that only the English
// catalogue has, nor a code in snake_case, but where one copies it (rule N13).
func nothingIsLeftInEnglish(t *testing.T, pages *crawl) {
	for _, language := range []string{"nb", "nn"} {
		english := wordsOf(t, "en")
		for word := range wordsOf(t, language) {
			delete(english, word)
		}
		for _, v := range pages.examples() {
			page := pages.d.Ask(http.MethodGet, v.url, nil, "Accept-Language", language)
			if page.Status != http.StatusOK || !strings.Contains(page.Body, `<html lang="`+language+`">`) {
				t.Errorf("%s answers %d, not in %s", v.url, page.Status, language)
			}
			mustBeIn(t, language, v.url, tags.ReplaceAllString(inEnglish.ReplaceAllString(page.Body, " "), " "), english)
		}
		lists := map[string]bool{}
		for _, v := range pages.found {
			if strings.HasSuffix(v.path, ".csv") && !lists[v.path] {
				lists[v.path] = true
				list := pages.d.Ask(http.MethodGet, v.url, nil, "Accept-Language", language)
				mustBeIn(t, language, v.url, serverSays.ReplaceAllString(list.Body, ""), english)
			}
		}
		if len(lists) < 10 {
			t.Errorf("only %d lists in CSV were looked at", len(lists))
		}
	}
}

// mustBeIn fails the test if a text says a word of the English ones, or a code.
func mustBeIn(t *testing.T, language, at, text string, english map[string]bool) {
	t.Helper()
	text = names.ReplaceAllString(html.UnescapeString(text), " ")
	shown := 0
	for _, found := range word.FindAllStringIndex(text, -1) {
		said := text[found[0]:found[1]]
		if isCode := strings.Contains(said, "_"); (isCode || english[strings.ToLower(said)]) && shown < 5 {
			shown++
			t.Errorf("in %s %s says %q: … %s …", language, at, said, strings.Join(strings.Fields(text[max(0, found[0]-40):min(len(text), found[1]+40)]), " "))
		}
	}
}

// wordsOf returns the words of the console's texts in a language.
func wordsOf(t *testing.T, language string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "console", "locale", "*.json"))
	must(t, err)
	words := map[string]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		var texts map[string]map[string]any
		must(t, json.Unmarshal(content, &texts))
		for _, in := range texts {
			for _, said := range word.FindAllString(placeholders.ReplaceAllString(fmt.Sprint(in[language]), " "), -1) {
				words[strings.ToLower(said)] = true
			}
		}
	}
	if len(words) < 500 {
		t.Fatalf("there are only %d words in %s", len(words), language)
	}
	return words
}

var (
	tags         = regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>|<[^>]*>`)
	inEnglish    = regexp.MustCompile(`(?s)<(\w+)[^>]* lang="en"[^>]*>.*?</\w+>|<code.*?</code>|<pre.*?</pre>|<kbd.*?</kbd>|<option[^>]* lang="[^"]*"[^>]*>.*?</option>`)
	word         = regexp.MustCompile(`[\p{L}][\p{L}\d_]{2,}`)
	names        = regexp.MustCompile(`\S+@\S+|\b\w+(\.\w+)+|\b\w+(loven|forskriften)\b`) // of addresses, types of events, hosts, files and acts
	serverSays   = regexp.MustCompile(`the mail server refused[^\n]*`)                    // what a server said, which a list shows as it came
	placeholders = regexp.MustCompile(`\{\w+\}`)
)

// TestConsole30TheTestClock moves the clock a day from its page.
func TestConsole30TheTestClock(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeAdmin)
	for _, area := range areas {
		d.Visit(d.base + "/" + strings.ToLower(area))
		if !strings.Contains(d.Text(), "Simulated time") {
			t.Errorf("%s does not say that time is simulated", area)
		}
	}
	before := d.in.Today()
	d.show("clock")
	d.Find("button", "One day on").Follow()
	testkit.Eventually(t, "the clock has moved", func() (bool, any) {
		return d.in.Today() == before+1, d.in.Today()
	})
}

func TestConsole30WithoutATestClockThereIsNone(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeAdmin, live)
	for _, area := range areas {
		d.Visit(d.base + "/" + strings.ToLower(area))
		if strings.Contains(d.Text(), "Simulated time") {
			t.Errorf("%s says that time is simulated", area)
		}
	}
	if got := d.Ask(http.MethodGet, d.base+"/clock", nil); got.Status != http.StatusNotFound {
		t.Errorf("the clock's page answers %d", got.Status)
	}
}
