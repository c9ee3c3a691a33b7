package locale

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/models"
)

// TestN13WhatIsFoundInABankFileIsSaidInNorwegian shows sentences of the readers as a Norwegian reads them.
func TestN13WhatIsFoundInABankFileIsSaidInNorwegian(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ code, text, nb, nn string }{
		{"sum_mismatch", "the end of assignment says 1250.00, the transactions add up to 98765.50", "sluttrecorden for oppdraget sier 1\u00a0250,00, men transaksjonene blir 98\u00a0765,50 til sammen", "sluttrecorden for oppdraget seier 1\u00a0250,00, men transaksjonane blir 98\u00a0765,50 til saman"},
		{"count_mismatch", "the end of transmission says 3 records, there are 4", "sluttrecorden for forsendelsen sier 3 linjer, men det er 4", "sluttrecorden for forsendinga seier 3 liner, men det er 4"},
		{"bad_number", `the bank date is "12<b>", which is no number`, "oppdragsdatoen er «12&lt;b&gt;», som ikke er et tall", "oppdragsdatoen er «12&lt;b&gt;», som ikkje er eit tal"},
		{"no_booking_date", "entry 2: there is no booking date: 2026-11-24 is taken for it", `post 2: bokføringsdatoen mangler: <time datetime="2026-11-24">24.11.2026</time> er brukt`, `post 2: bokføringsdatoen manglar: <time datetime="2026-11-24">24.11.2026</time> er brukt`},
		{"date_range", "the end of assignment says no date to 2026-11-24, the transactions are of no date to no date", `sluttrecorden for oppdraget sier ingen dato til <time datetime="2026-11-24">24.11.2026</time>, men transaksjonene er fra ingen dato til ingen dato`, `sluttrecorden for oppdraget seier ingen dato til <time datetime="2026-11-24">24.11.2026</time>, men transaksjonane er frå ingen dato til ingen dato`},
		{"bad_length", `the record is 12 characters long instead of 80, and begins with "Kari" instead of NY`, "linjen er på 12 tegn, ikke 80, og begynner med «Kari», ikke NY", "lina er på 12 teikn, ikkje 80, og byrjar med «Kari», ikkje NY"},
		{"bad_length", "the file is a ZIP archive: unpack it first", "filen er et ZIP-arkiv: pakk det ut først", "fila er eit ZIP-arkiv: pakk det ut først"},
		{"transmission_conflict", "transmission 0000007 from 00008080 came before with other content, in payment file 3 (ocr.txt) of 2026-11-24; that was accepted, and only new lines are posted", `forsendelse 0000007 fra 00008080 er kommet før med annet innhold, i bankfil 3 (ocr.txt) fra <time datetime="2026-11-24">24.11.2026</time>; det er godtatt, og bare nye linjer er postert`, `forsending 0000007 frå 00008080 er komen før med anna innhald, i bankfil 3 (ocr.txt) frå <time datetime="2026-11-24">24.11.2026</time>; det er godteke, og berre nye liner er posterte`},
		{"transmission_gap", "transmissions 0000003 to 0000005 from A to B are missing before transmission 0000006: 3 files", "forsendelsene 0000003 til 0000005 fra A til B mangler før forsendelse 0000006: 3 filer", "forsendingane 0000003 til 0000005 frå A til B manglar før forsending 0000006: 3 filer"},
		{"transmission_gap", "transmission 0000003 from A to B is missing before transmission 0000004", "forsendelse 0000003 fra A til B mangler før forsendelse 0000004", "forsending 0000003 frå A til B manglar før forsending 0000004"},
		{"more_warnings", "and 7 more warnings", "og 7 advarsler til", "og 7 åtvaringar til"},
		{"unassigned_account", "no creditor has the account 12345678903", "ingen kreditor har kontoen 12345678903", "ingen kreditor har kontoen 12345678903"},
		{"too_large", "the file has more than 1000 bytes, and nothing of it is taken", "filen er på mer enn 1000 byte, og ingenting av den er lest inn", "fila er på meir enn 1000 byte, og ingenting av henne er lese inn"},
		{"tomorrow's code", "something <new>", `<span lang="en">something &lt;new&gt;</span>`, `<span lang="en">something &lt;new&gt;</span>`},
	} {
		for language, want := range map[string]string{"nb": tt.nb, "nn": tt.nn} {
			if got := Catalogue()[language].Finding(models.FileFinding{Line: 3, Code: tt.code, Text: tt.text}); string(got.Text) != want || got.Line != 3 || got.Raw != "" {
				t.Errorf("in %s %s is said as %+v, want %s", language, tt.code, got, want)
			}
		}
	}
	got := Catalogue()["nb"].Finding(models.FileFinding{Code: "malformed_xml", Text: "entry 1: element <a> closed by </b>"})
	if got.Text != "post 1: filen er ikke gyldig XML" || got.Raw != "entry 1: element <a> closed by </b>" {
		t.Errorf("what a library says is said as %+v", got)
	}
}

// says are the functions by which the readers of bank files say what they found, with a form of fmt.
var says = []string{"fault", "faultAt", "stop", "warn", "warnAt", "doubt"}

// TestN13EachFindingOfABankFileHasItsWords reads the forms in the code of the readers, and the texts that stand for themselves.
func TestN13EachFindingOfABankFileHasItsWords(t *testing.T) {
	t.Parallel()
	found := 0
	for _, pattern := range []string{"ocr/giro/*.go", "ocr/camt/*.go", "ocr/*.go", "models/file_dates.go"} {
		files, err := filepath.Glob("../../" + pattern)
		must(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.Base(file), "claim") { // no page shows a file of claims
				continue
			}
			source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			must(t, err)
			ast.Inspect(source, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				if called, is := call.Fun.(*ast.SelectorExpr); is && slices.Contains(says, called.Sel.Name) {
					for _, arg := range call.Args {
						form, is := arg.(*ast.BasicLit)
						if !is || form.Kind != token.STRING {
							continue
						}
						text, err := strconv.Unquote(form.Value)
						must(t, err)
						if text != "%s" {
							found++
							knowsForm(t, filepath.Base(file), text)
						}
						break
					}
				}
				return true
			})
		}
	}
	if found < 60 {
		t.Errorf("only %d sentences were found", found)
	}
	for _, file := range []string{"ocr/giro/line.go", "ocr/camt/source.go", "ocr/camt/reader.go"} { // whose texts come as %s
		source, err := os.ReadFile("../../" + file)
		must(t, err)
		for _, m := range wholeTexts.FindAllStringSubmatch(string(source), -1) {
			knowsForm(t, file, strings.ReplaceAll(m[1], `\"`, `"`))
		}
	}
}

// wholeTexts are texts that a function returns, or an error's, for a form of %s.
var wholeTexts = regexp.MustCompile(`(?:return |return fmt\.Sprintf\(|said := fmt\.Sprintf\(|fmt\.Errorf\(|errors\.New\()"((?:a|the|this) [^"]*)"`)

// knowsForm holds that the console says the sentence that a form of fmt makes.
func knowsForm(t *testing.T, where, form string) {
	t.Helper()
	text := verbs.ReplaceAllStringFunc(form, func(verb string) string {
		return map[string]string{"%q": `"X"`, "%d": "7"}[verb] + map[bool]string{true: "X"}[verb == "%s" || verb == "%v"]
	})
	for code := range bankFaults() {
		for _, prefix := range []string{"", "transmission 7 from 8 "} {
			if _, known := Catalogue()["nb"].bankFault(code, prefix+text); known {
				return
			}
		}
	}
	if form != "%s: %s" && !strings.HasPrefix(form, "came before") { // a library's words have the sentence of their code; where a transmission came before stands above
		t.Errorf("%s: %q is not said in Norwegian", where, form)
	}
}

var verbs = regexp.MustCompile(`%[a-z]`)
