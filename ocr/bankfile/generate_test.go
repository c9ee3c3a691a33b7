package bankfile

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit"
)

func usualRecipe(format string) Recipe {
	return Recipe{Format: format, Date: testToday - 1, Number: 7, Recipient: "12345"}
}

func usualRandom() Random {
	return Random{Transactions: 40, Assignments: 2, KIDLength: 13, KIDModulus: models.Modulus10}
}

// generated returns a file of payments that are made up.
func generated(t testing.TB, recipe Recipe, random Random, seed uint64) []byte {
	t.Helper()
	payments, err := random.Payments(seed, recipe.Date)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Generate(&out, recipe, payments); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestGeneratedFilesAreRight makes files of all kinds up, in which Lint finds nothing.
func TestGeneratedFilesAreRight(t *testing.T) {
	testkit.Share(t)
	rapid.Check(t, func(rt *rapid.T) {
		recipe := usualRecipe(rapid.SampledFrom(Formats()).Draw(rt, "format"))
		recipe.UseCRLF = rapid.Bool().Draw(rt, "CRLF")
		random := Random{
			Transactions: rapid.IntRange(1, 100).Draw(rt, "transactions"),
			KIDLength:    rapid.IntRange(models.MinKIDLength, models.MaxKIDLength).Draw(rt, "length"),
			KIDModulus:   rapid.SampledFrom([]int{models.Modulus10, models.Modulus11}).Draw(rt, "modulus"),
		}
		random.Assignments = rapid.IntRange(1, random.Transactions).Draw(rt, "assignments")
		if recipe.Format != giro.Format {
			random.WithoutKID = rapid.IntRange(0, 100).Draw(rt, "without KID")
		}
		seed := rapid.Uint64().Draw(rt, "seed")
		file := generated(t, recipe, random, seed)
		report := lint(t, file)
		if len(report.Faults) > 0 || len(report.Warnings) > 0 || report.Transactions != random.Transactions {
			rt.Fatalf("Lint finds %v %v in\n%s", report.Faults, report.Warnings, file)
		}
		if again := generated(t, recipe, random, seed); !bytes.Equal(file, again) {
			rt.Fatal("the same seed makes another file")
		}
		after := anonymised(t, file, KeyOf(seed))
		if r := lint(t, after); codes(r) != codes(report) || r.Transactions != report.Transactions || shape(r.Format, file) != shape(r.Format, after) {
			rt.Fatalf("made over, Lint finds %v %v in\n%s", r.Faults, r.Warnings, after)
		}
	})
}

// TestGeneratedSamples shows what files are made up, byte for byte.
func TestGeneratedSamples(t *testing.T) {
	random := usualRandom()
	random.Transactions = 5
	for _, format := range Formats() {
		testkit.Golden(t, "testdata/generated/"+format+".golden", string(generated(t, usualRecipe(format), random, 1)))
	}
}

// TestFaultsAreWhatLintFinds makes a file with each fault, and has Lint find that one and no other.
func TestFaultsAreWhatLintFinds(t *testing.T) {
	for _, format := range Formats() {
		for _, fault := range Faults(format) {
			for _, crlf := range []bool{false, true} {
				if crlf && format != giro.Format {
					continue
				}
				t.Run(fmt.Sprint(format, "/", fault.Name, "/", crlf), func(t *testing.T) {
					recipe := usualRecipe(format)
					recipe.Fault, recipe.UseCRLF = fault.Name, crlf
					file := generated(t, recipe, usualRandom(), 1)
					report := lint(t, file)
					found, others := []models.FileFinding(report.Faults), report.Warnings
					if fault.Warning {
						found, others = others, found
					}
					if len(found) == 0 || len(others) > 0 || slices.ContainsFunc(found, func(n models.FileFinding) bool { return n.Code != fault.Code }) {
						t.Errorf("want %s, Lint finds %v %v in\n%.3000s", fault.Code, report.Faults, report.Warnings, file)
					}
				})
			}
		}
	}
}

// TestFaultThatDoesNotFit asks for what a file is too small for, and for what there is not.
func TestFaultThatDoesNotFit(t *testing.T) {
	for _, tt := range []struct{ format, fault, want string }{
		{giro.Format, "number_twice", "more transactions"},
		{giro.Format, "deep_nesting", "--list-faults"},
		{"camt.054.001.08", "short_line", "--list-faults"},
	} {
		recipe := usualRecipe(tt.format)
		recipe.Fault = tt.fault
		random := usualRandom()
		random.Transactions, random.Assignments = 1, 1
		payments, err := random.Payments(1, recipe.Date)
		if err != nil {
			t.Fatal(err)
		}
		if err := Generate(io.Discard, recipe, payments); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s of %s: %v", tt.fault, tt.format, err)
		}
	}
}

// TestGenerateFromAList writes a list of payments in each format.
func TestGenerateFromAList(t *testing.T) {
	const list = `# what came in on 2 March
account,kid,amount,date,from_account,name,text,type
12345678903,0000421003179,1250.00,,98765432103,Ærlig Kunde AS,,
12345678903,0000431003185,499.50,2026-03-01,86011117947,Kari Nordmann,,10
12345678903,0000451003206,-250.00,,98765432103,Ærlig Kunde AS,,

86011117947,,80.00,,,Per Lie,"Blåbær, 2 kg",
`
	for _, format := range Formats() {
		recipe := usualRecipe(format)
		var out bytes.Buffer
		if err := Generate(&out, recipe, ReadPayments(strings.NewReader(list), Payment{Date: recipe.Date})); err != nil {
			t.Fatal(err)
		}
		report := lint(t, out.Bytes())
		if len(report.Faults) > 0 || report.Transactions != 4 || report.Amount != 157950 {
			t.Errorf("%s: %+v", format, report)
		}
		testkit.Golden(t, "testdata/listed/"+format+".golden", out.String())
	}
}

func TestWrongLists(t *testing.T) {
	for _, tt := range []struct{ list, want string }{
		{"12345678901,1230,1.00", `line 1: account: "12345678901" is not a bank account number`},
		{"account,amount\n12345678903,1.00\n12345678903,1.005", "line 3: amount: "},
		{"account,amount\n12345678903,", "line 2: amount: there is none"},
		{"account,amount\n,1.00", "line 2: account: there is none; give one in the line, or --account for all"},
		{"account,sum\n12345678903,1.00", "line 2: sum: there is no such column; there are account, kid, amount"},
		{"account,amount\n12345678903,1.00,5", "line 2: there are 3 values instead of 2"},
		{"account,amount,date\n12345678903,1.00,1.3.2026", "line 2: date: "},
		{"account,amount,type\n12345678903,1.00,22", `line 2: type: "22" is not a transaction type; they are 10 to 21`},
		{"account,amount\n\"12345678903,1.00", "quote"},
	} {
		err := Generate(io.Discard, usualRecipe(giro.Format), ReadPayments(strings.NewReader(tt.list), Payment{Date: testToday}))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.list, err, tt.want)
		}
	}
}

func TestWrongRecipes(t *testing.T) {
	for _, tt := range []struct {
		change func(*Recipe, *Random)
		want   string
	}{
		{func(r *Recipe, _ *Random) { r.Format = "camt.053" }, "there is no format"},
		{func(r *Recipe, _ *Random) { r.Date = 0 }, "needs a date"},
		{func(r *Recipe, _ *Random) { r.Recipient = "kunde" }, "recipient"},
		{func(_ *Recipe, r *Random) { r.KIDLength = 3 }, "4 to 25"},
		{func(_ *Recipe, r *Random) { r.KIDModulus = 12 }, "10 or 11"},
		{func(_ *Recipe, r *Random) { r.Transactions = 0 }, "at least one"},
		{func(_ *Recipe, r *Random) { r.Assignments = 41 }, "no more assignments"},
		{func(_ *Recipe, r *Random) { r.WithoutKID = 101 }, "percentage"},
		{func(_ *Recipe, r *Random) { r.Accounts = []string{"12345678901"} }, "12345678901"},
	} {
		recipe, random := usualRecipe(giro.Format), usualRandom()
		tt.change(&recipe, &random)
		payments, err := random.Payments(1, recipe.Date)
		if err == nil {
			err = Generate(io.Discard, recipe, payments)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
