package giro

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/vectors"
)

// faultyClaims are what can be wrong with a file of claims: the line of the good file, where in it, what stands there instead, and what
// the reader says of it.
var faultyClaims = []struct {
	name       string
	line, from int
	instead    string
	codes      string // of all faults, in order
}{
	{"the sender is Nets", 1, 8, "00008080", CodeWrongParty},
	{"no sender", 1, 8, "00000000", CodeWrongParty},
	{"letters in the sender", 1, 8, "ABCDEFGH", CodeBadNumber + " " + CodeWrongParty},
	{"another recipient", 1, 23, "00008081", CodeWrongParty},
	{"transmission 0", 1, 16, "0000000", CodeBadNumber},
	{"filler of the start", 1, 79, "1", CodeFillerNotZero},
	{"assignment 0", 2, 17, "0000000", CodeBadNumber},
	{"agreement number", 2, 8, "000000001", CodeFillerNotZero},
	{"wrong account", 2, 24, "12345678901", CodeAccountCheck},
	{"type of another service", 3, 4, "15", CodeUnknownType},
	{"cancellation among claims", 3, 4, "93", CodeMixedAssignment + " " + CodeUnpairedItem + " " + CodeBadSpecification + " " + CodeBadSpecification + " " + CodeBadSpecification},
	{"transaction 0", 3, 8, "0000000", CodeBadNumber + " " + CodeUnpairedItem + strings.Repeat(" "+CodeUnpairedItem, 3)},
	{"no such day", 3, 15, "310227", CodeBadDate + " " + CodeRangeMismatch + " " + CodeRangeMismatch + " " + CodeRangeMismatch},
	{"no due date", 3, 15, "000000", CodeBadDate + " " + CodeRangeMismatch + " " + CodeRangeMismatch + " " + CodeRangeMismatch},
	{"no blanks", 3, 21, "0", CodeBadText},
	{"another amount", 3, 48, "7", CodeSumMismatch + " " + CodeSumMismatch},
	{"no amount", 3, 43, "000000", CodeNoAmount + " " + CodeSumMismatch + " " + CodeSumMismatch},
	{"letters in the amount", 3, 40, "X", CodeBadNumber + " " + CodeSumMismatch + " " + CodeSumMismatch},
	{"KID of MOD11", 3, 73, "-", CodeBadKID},
	{"KID at the left", 3, 49, "0000000018               ", CodeBadKID},
	{"no KID", 3, 49, strings.Repeat(" ", 25), CodeBadKID},
	{"wrong KID", 3, 73, "7", CodeKIDCheck},
	{"filler of item 1", 3, 79, "1", CodeFillerNotZero},
	{"item 2 of another type", 4, 4, "02", CodeUnpairedItem},
	{"item 2 of another claim", 4, 14, "2", CodeUnpairedItem},
	{"control sign in a name", 4, 15, "\x07", CodeBadText},
	{"text in a blank field", 4, 30, "x", CodeBadText},
	{"filler of item 2", 4, 79, "1", CodeFillerNotZero},
	{"line 43", 5, 16, "043", CodeBadSpecification},
	{"line 0", 5, 16, "000", CodeBadSpecification},
	{"column 3", 5, 19, "3", CodeBadSpecification},
	{"no mark", 5, 15, "0", CodeBadSpecification},
	{"line twice", 7, 16, "001", CodeBadSpecification},
	{"blank line", 7, 20, strings.Repeat(" ", 40), CodeBadSpecification},
	{"specification of another claim", 5, 14, "9", CodeUnpairedItem},
	{"unknown record", 5, 6, "50", CodeUnexpectedRecord},
	{"end counts 2", 8, 15, "2", CodeCountMismatch},
	{"end counts 8 records", 8, 23, "8", CodeCountMismatch},
	{"end of another sum", 8, 40, "9", CodeSumMismatch},
	{"end of another day", 8, 41, "110227", CodeRangeMismatch},
	{"last day wrong", 8, 47, "110227", CodeRangeMismatch},
	{"filler of the end", 8, 79, "1", CodeFillerNotZero},
	{"end of cancellations", 8, 4, "36", CodeMixedAssignment},
	{"transmission counts 2", 9, 15, "2", CodeCountMismatch},
	{"transmission counts 8", 9, 23, "8", CodeCountMismatch},
	{"transmission of another sum", 9, 40, "9", CodeSumMismatch},
	{"transmission of another day", 9, 41, "000000", CodeRangeMismatch},
	{"not NY", 4, 0, "XX", CodeNotNY},
}

func TestFaultsOfClaims(t *testing.T) {
	good := fileOf(t, claimed())
	for _, tt := range faultyClaims {
		at := (tt.line-1)*82 + tt.from
		file := good[:at] + tt.instead + good[at+len(tt.instead):]
		if got := codesOf(t, file); !strings.HasPrefix(got, tt.codes) || tt.codes == "" {
			t.Errorf("%s: the codes are %q, want %q", tt.name, got, tt.codes)
		}
	}
}

func TestLinesOfClaimsThatLackOrComeTwice(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(fileOf(t, claimed()), "\r\n"), "\r\n")
	joined := func(parts ...[]string) string {
		var out strings.Builder
		for _, p := range parts {
			out.WriteString(strings.Join(p, ""))
		}
		return out.String()
	}
	two := claimed()
	two.Assignments = append(two.Assignments, two.Assignments[0])
	for name, tt := range map[string]struct{ file, code string }{
		"nothing":              {"", CodeEmptyFile},
		"blank lines":          {"\r\n\r\n", CodeEmptyFile},
		"a PDF":                {"%PDF-1.7\n", CodeBadLength},
		"UTF-8":                {strings.Replace(fileOf(t, claimed()), "BRYGGEDRIF", "BRYGGEDRÆØ", 1), CodeBadLength},
		"no start":             {joined(lines[1:]), CodeUnexpectedRecord},
		"no end":               {joined(lines[:8]), CodeMissingEnd},
		"no end of claims":     {joined(lines[:7], lines[8:]), CodeMissingEnd},
		"no item 2":            {joined(lines[:3], lines[4:]), CodeUnpairedItem},
		"item 2 twice":         {joined(lines[:4], lines[3:]), CodeUnpairedItem},
		"item 1 twice":         {joined(lines[:4], lines[2:]), CodeNumberNotAbove},
		"no claim":             {joined(lines[:2], lines[7:]), CodeNoClaim},
		"no assignment":        {joined(lines[:1], lines[8:]), CodeNoClaim},
		"claim outside":        {joined(lines[:1], lines[2:]), CodeUnexpectedRecord},
		"file twice":           {fileOf(t, claimed()) + fileOf(t, claimed()), CodeSeveralFiles},
		"cut in the middle":    {fileOf(t, claimed())[:300], CodeBadLength},
		"number of assignment": {fileOf(t, two), CodeAssignmentTwice},
	} {
		if got := codesOf(t, tt.file); !strings.Contains(got, tt.code) {
			t.Errorf("%s: the codes are %q, want %q", name, got, tt.code)
		}
	}
}

func TestClaimsOfOtherYearsAreWarnedOf(t *testing.T) {
	due := claimed().Assignments[0].Claims[0].Due
	for today, want := range map[models.Date]int{due - 365: 0, due - 366: 1, due: 0, due + 1: 1} {
		if found := claimed().DueTooFar(today); len(found) != want {
			t.Errorf("on %s: %v", today, found)
		}
	}
}

func codesOf(t testing.TB, file string) string {
	t.Helper()
	_, err := ReadClaims(strings.NewReader(file), claimToday)
	var faults models.FileFaults
	if err != nil && !errors.As(err, &faults) {
		t.Fatal(err)
	}
	codes := make([]string, len(faults))
	for i, f := range faults {
		codes[i] = f.Code
	}
	return strings.Join(codes, " ")
}

// FuzzClaims reads anything: what is taken is written again as it was read.
func FuzzClaims(f *testing.F) {
	f.Add([]byte(fileOf(f, claimed())))
	f.Fuzz(func(t *testing.T, file []byte) {
		read, err := ReadClaims(strings.NewReader(string(file)), claimToday)
		if err != nil {
			vectors.Faults(t, err, MaxFaults)
			return
		}
		again, err := ReadClaims(strings.NewReader(fileOf(t, read)), claimToday)
		if err != nil {
			t.Fatal("written again:", err)
		}
		n, sum := read.Totals()
		if m, of := again.Totals(); m != n || of != sum {
			t.Fatal(fmt.Sprint(n, sum, m, of))
		}
	})
}
