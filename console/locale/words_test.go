package locale

import (
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// TestE10EachTextIsThereInEachLanguage holds that no text is missing in a language, and that all forms of a text take the
// same values.
func TestE10EachTextIsThereInEachLanguage(t *testing.T) {
	t.Parallel()
	values := func(s string) []string {
		found := placeholder.FindAllString(s, -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for name := range Catalogue()["en"].texts {
		want := values(Catalogue()["en"].texts[name].Other)
		for _, l := range languages {
			text := Catalogue()[l].texts[name]
			if text.Other == "" {
				t.Errorf("%s is missing in %s", name, l)
			}
			if !slices.Equal(values(text.Other), want) {
				t.Errorf("%s: %s has the values %v, en has %v", name, l, values(text.Other), want)
			}
		}
	}
}

// quoted is a text in Go or in a template that may be a name of the catalogue.
var quoted = regexp.MustCompile("[\"`=]([a-z_0-9]+(?:\\.[a-z_0-9]+)+)[\"`]")

// TestE10TheCatalogueIsWhatIsSaid holds that the catalogue has every name that code and templates use, and no other. Names
// that are put together, such as status.invoice_paid, are those of a family.
func TestE10TheCatalogueIsWhatIsSaid(t *testing.T) {
	t.Parallel()
	families := []string{"bank_fault.", "bank_word.", "month.", "movement.", "weekday.", "status.", "scope.", "area.", "keys.", "fault.", "told.", "preset.", "dunning.step.", "dunning.reason.", "run.state.", "forecast.chart.", "rules.kind.", "rules.by.", "start.", "event.", "fact.", "kind.", "reason.", "entry.", "webhooks.state.", "customer.tab.", "customer.rows.", "customer.document.", "customer.way.", "customer.receives.", "customer.state.", "own_policy.", "money.age.", "hint.", "unmatched.", "file_state.", "letter_method.", "send.", "letter_kept.", "sending_fault.", "letter_state.", "letter_of.", "letters_lead.", "found.", "found_state.", "repayments.lead.", "needs.", "format.", "repayments.state.", "repayments.file_state.", "claim_reason.", "claim_state.", "accounts.format.", "accounts.kind.", "accounts.sales.", "accounts.vat.", "forget.item.", "forget.why.", "audits.class.", "audits.means.", "audits.state.", "operations.part.", "ways.setting."}
	areas := map[string]bool{}
	for name := range Catalogue()["en"].texts {
		area, _, _ := strings.Cut(name, ".")
		areas[area] = true
	}
	used := map[string]bool{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".html") {
			return err
		}
		source, err := os.ReadFile("../" + path)
		if err != nil {
			return err
		}
		for _, m := range quoted.FindAllStringSubmatch(string(source), -1) {
			if area, _, _ := strings.Cut(m[1], "."); areas[area] && !strings.HasSuffix(m[1], ".html") {
				used[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ofFamily := func(name string) bool {
		return slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(name, f) })
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if !Catalogue()["en"].Knows(name) {
			t.Errorf("the catalogue has no %s", name)
		}
	}
	for name := range Catalogue()["en"].texts {
		if !used[name] && !ofFamily(name) {
			t.Errorf("nothing says %s", name)
		}
	}
}

// coded are calls that make a fault with a code.
var coded = regexp.MustCompile(`(?:Conflict|Invalid|Malformed|\.Add|\.Fault)\(\s*"([a-z_]+)"`)

// TestN13EachFaultHasItsWords: what the console can be refused for, and what is wrong with a form, is said in Norwegian.
func TestN13EachFaultHasItsWords(t *testing.T) {
	t.Parallel()
	words, found := Catalogue()["nb"], 0
	for _, room := range []string{"models", "law", "store", "ledger", "billing", "register", "dunning", "documents", "mailer/shipments", "ocr/unmatched", "console"} {
		must(t, fs.WalkDir(os.DirFS("../.."), room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "documents/ehf") {
				return err
			}
			source, err := os.ReadFile("../../" + path)
			for _, m := range coded.FindAllStringSubmatch(string(source), -1) {
				if found++; !words.Knows("fault."+m[1]) && !words.Knows("told."+m[1]) && m[1] != "illegal_policy" { // which each field of the policy says
					t.Errorf("%s: %s is not said in Norwegian", path, m[1])
				}
			}
			return err
		}))
	}
	if found < 150 {
		t.Errorf("only %d faults were found", found)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
