package giro

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/models"
)

// claimToday is the day on which the files of claims are made.
var claimToday = models.NewDate(2027, time.January, 15)

// claimed is the file of the sample: one claim with a specification.
func claimed() *ClaimFile {
	return &ClaimFile{Sender: "10101010", Number: 1, Assignments: []ClaimAssignment{{
		Number: 1, Account: testAccount, Claims: []Claim{{
			Type: ClaimBankNotice, Due: models.NewDate(2027, time.February, 10), Amount: 300436, KID: "0000000018",
			ShortName: "BRYGGEDRIF", Reference: "Faktura 1",
			Specification: []string{"Faktura 1  Arbeid 2,555 a 950,33 - rabatt 7,25 %", "Sum 3 004,36"},
		}},
	}}}
}

// anotherClaim is a claim of which the creditor's invoice tells.
func anotherClaim(kid string, amount models.Amount) Claim {
	return Claim{Type: ClaimOwnNotice, Due: claimToday + 20, Amount: amount, KID: kid, ShortName: "OLA", Reference: "Faktura 2"}
}

func fileOf(t testing.TB, f *ClaimFile) string {
	t.Helper()
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestSampleOfClaimsG4 writes the file that another reader of the format accepted, byte for byte.
func TestSampleOfClaimsG4(t *testing.T) {
	sample, err := os.ReadFile("testdata/claims/sample.txt")
	must(err)
	got := fileOf(t, claimed())
	if got != string(sample) {
		t.Errorf("the file is\n%s, want\n%s", got, sample)
	}
	if strings.Count(got, "\r\n")*82 != len(got) {
		t.Error("a record does not have 80 characters and CR LF")
	}
}

func TestClaimsAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawClaims(t)
		var out bytes.Buffer
		must(f.Write(&out))
		read, err := ReadClaims(&out, claimToday)
		if err != nil {
			t.Fatalf("%v", err)
		}
		for i := range read.Assignments {
			for j := range read.Assignments[i].Claims {
				read.Assignments[i].Claims[j].Line = 0
			}
		}
		if fmt.Sprintf("%+v", read) != fmt.Sprintf("%+v", f) {
			t.Fatalf("read\n%+v, written\n%+v", read, f)
		}
	})
}

func drawClaims(t *rapid.T) *ClaimFile {
	f := &ClaimFile{Sender: "0" + rapid.StringMatching("[1-9][0-9]{6}").Draw(t, "sender"), Number: rapid.IntRange(1, MaxClaimNumber).Draw(t, "number")}
	if f.Sender == NetsSender {
		f.Sender = "00008081"
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "assignments") {
		a := ClaimAssignment{
			Number: i + 1, Account: rapid.SampledFrom([]string{testAccount, otherAccount}).Draw(t, "account"),
			Cancellations: rapid.Bool().Draw(t, "cancellations"),
		}
		for range rapid.IntRange(1, 5).Draw(t, "claims") {
			a.Claims = append(a.Claims, drawClaim(t, a.Cancellations))
		}
		f.Assignments = append(f.Assignments, a)
	}
	return f
}

func drawClaim(t *rapid.T, cancellation bool) Claim {
	text := func(most int, name string) string {
		return strings.TrimRight(rapid.StringMatching(fmt.Sprintf(`([!-~¡-¬®-ÿ][ -~¡-¬®-ÿ]{0,%d})?`, most-1)).Draw(t, name), " ")
	}
	c := Claim{
		Type: ClaimCancellation, Due: claimToday + models.Date(rapid.IntRange(0, 365).Draw(t, "days")),
		Amount:    models.Amount(rapid.Int64Range(1, 1e12).Draw(t, "amount")),
		KID:       models.NewKID(rapid.StringMatching("[0-9]{2,23}[1-9]").Draw(t, "KID"), models.Modulus10),
		ShortName: text(MaxShortName, "short name"), Reference: text(MaxClaimReference, "reference"),
	}
	if cancellation {
		return c
	}
	c.Type = rapid.SampledFrom([]ClaimType{ClaimOwnNotice, ClaimBankNotice}).Draw(t, "type")
	if c.Type == ClaimBankNotice {
		for range rapid.IntRange(0, MaxSpecificationLines).Draw(t, "lines") {
			c.Specification = append(c.Specification, text(MaxSpecificationLine, "line"))
		}
		for n := len(c.Specification); n > 0 && c.Specification[n-1] == ""; n-- { // a blank line at the end is not sent
			c.Specification = c.Specification[:n-1]
		}
		if len(c.Specification) == 0 {
			c.Specification = nil
		}
	}
	return c
}

func TestWrongClaimsAreNotWritten(t *testing.T) {
	long := make([]string, MaxSpecificationLines+1)
	for name, change := range map[string]func(*ClaimFile, *ClaimAssignment, *Claim){
		"the sender is":             func(f *ClaimFile, _ *ClaimAssignment, _ *Claim) { f.Sender = NetsSender },
		"8 digits":                  func(f *ClaimFile, _ *ClaimAssignment, _ *Claim) { f.Sender = "123" },
		"transmission number is 0":  func(f *ClaimFile, _ *ClaimAssignment, _ *Claim) { f.Number = 0 },
		"must be 1 to 9999999":      func(f *ClaimFile, _ *ClaimAssignment, _ *Claim) { f.Number = MaxClaimNumber + 1 },
		"needs an assignment":       func(f *ClaimFile, _ *ClaimAssignment, _ *Claim) { f.Assignments = nil },
		"assignment number":         func(_ *ClaimFile, a *ClaimAssignment, _ *Claim) { a.Number = 0 },
		"not a bank account":        func(_ *ClaimFile, a *ClaimAssignment, _ *Claim) { a.Account = "12345678901" },
		"needs a claim":             func(_ *ClaimFile, a *ClaimAssignment, _ *Claim) { a.Claims = nil },
		"share no assignment":       func(_ *ClaimFile, a *ClaimAssignment, _ *Claim) { a.Cancellations = true },
		"no claim of type 15":       func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.Type = 15 },
		"due date":                  func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.Due = 0 },
		"0.00 cannot be drawn":      func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.Amount = 0 },
		"only digits":               func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.KID = "123-" },
		"the KID is":                func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.KID = strings.Repeat("1", 26) },
		"at most 10 printable":      func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.ShortName = "ELEVENSIGNS" },
		"at most 25 printable":      func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.Reference = "Łódź" },
		"43 lines":                  func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.Specification = long },
		"more than 80":              func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.Specification = []string{strings.Repeat("x", 81)} },
		"only a claim of which the": func(_ *ClaimFile, _ *ClaimAssignment, c *Claim) { c.Type = ClaimOwnNotice },
	} {
		f := claimed()
		change(f, &f.Assignments[0], &f.Assignments[0].Claims[0])
		if err := f.Write(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %q, got %v", name, err)
		}
	}
}

// TestCancellationsHaveAnAssignmentOfTheirOwnG3a shows a claim of another day taken back beside a new one.
func TestCancellationsHaveAnAssignmentOfTheirOwnG3a(t *testing.T) {
	back := anotherClaim("0000000026", 5000)
	back.Type = ClaimCancellation
	f := claimed()
	f.Assignments = append(f.Assignments, ClaimAssignment{Number: 2, Account: testAccount, Cancellations: true, Claims: []Claim{back}})
	lines := strings.Split(fileOf(t, f), "\r\n")
	for _, want := range []string{
		"NY213620000000000000000212345678903" + strings.Repeat("0", 45),
		"NY2193300000001040227           00000000000005000               0000000026000000",
		"NY219331" + "0000001" + "OLA       " + strings.Repeat(" ", 25) + "Faktura 2" + strings.Repeat(" ", 16) + "00000",
		"NY213688" + "00000001" + "00000004" + "00000000000005000" + "040227" + "040227" + strings.Repeat("0", 27),
		"NY000089" + "00000002" + "00000013" + "00000000000305436" + "040227" + strings.Repeat("0", 33),
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

func TestTextsBecomeISO8859(t *testing.T) {
	for text, want := range map[string]string{
		"Bjørn Ærlig Å": "Bjørn Ærlig Å", "Łukasz Šimić": "Lukasz Simic", "A\u030a": "Å", "“Ja” – nei…": `"Ja" - nei...`,
		"10 €": "10 EUR", "日本": "??", "to\nlinjer\x01": "to linjer", "ﬁn": "fin", "to  ": "to",
	} {
		if got := ClaimText(text, 80); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := ClaimText("Æøå Æøå", 5); got != "Æøå Æ" {
		t.Error(got)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := ClaimText(rapid.String().Draw(t, "text"), MaxClaimReference)
		var f fieldWriter
		if f.text(make([]byte, MaxClaimReference), text); f.err != nil {
			t.Fatal(f.err)
		}
	})
}
