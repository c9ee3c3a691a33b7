package giro

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"purr/models"
)

func sample(t *testing.T, name string) string {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(file)
}

func TestCheckSamples(t *testing.T) {
	tests := []struct {
		name        string
		want        Totals
		assignments []Totals
	}{
		{"ocr-basic.txt", Totals{Transactions: 3, Records: 10, Amount: 182450}, []Totals{
			{Transactions: 3, Records: 8, Amount: 182450},
		}},
		{"ocr-edge.txt", Totals{Transactions: 8, Ignored: 1, Records: 25, Amount: 239000}, []Totals{
			{Transactions: 3, Records: 8, Amount: 175000},
			{Transactions: 4, Records: 12, Amount: 64000},
			{Transactions: 1, Ignored: 1, Records: 3},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			summary, err := Check(strings.NewReader(sample(t, tt.name)), testToday)
			if err != nil {
				t.Fatal(err)
			}
			if summary.Totals != tt.want || len(summary.Warnings) > 0 {
				t.Errorf("got %+v, warnings %v", summary.Totals, summary.Warnings)
			}
			transmission := summary.Transmissions[0]
			if transmission.Totals != tt.want || len(transmission.Assignments) != len(tt.assignments) {
				t.Fatalf("the transmission has %+v", transmission)
			}
			for i, a := range transmission.Assignments {
				if a.Totals != tt.assignments[i] {
					t.Errorf("assignment %d has %+v", i, a.Totals)
				}
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	summary, err := Check(strings.NewReader(sample(t, "ocr-edge.txt")), testToday)
	if err != nil {
		t.Fatal(err)
	}
	transmission := summary.Transmissions[0]
	created := day(t, "2026-03-02")
	if want := (TransmissionHeader{Sender: NetsSender, Number: "0000124", Recipient: "00012345", Created: created}); transmission.TransmissionHeader != want {
		t.Errorf("the transmission is %+v", transmission.TransmissionHeader)
	}
	first, skipped := transmission.Assignments[0], transmission.Assignments[2]
	if want := (AssignmentHeader{AgreementID: "001234567", Number: "0000041", Account: "12345678903", Created: created}); first.AssignmentHeader != want {
		t.Errorf("the assignment is %+v", first.AssignmentHeader)
	}
	if first.Transmission != transmission || first.Line != 2 || first.Skipped() ||
		first.Earliest != day(t, "2026-02-27") || first.Latest != created {
		t.Errorf("the assignment is %+v", first)
	}
	if !skipped.Skipped() || skipped.Service != "21" || skipped.Number != "0000043" || skipped.Account != testAccount {
		t.Errorf("the mandates are %+v", skipped)
	}
}

func day(t testing.TB, s string) models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestNextTellsWhereATransactionIs(t *testing.T) {
	r := NewReader(strings.NewReader(sample(t, "ocr-edge.txt")), testToday)
	var got []int
	want := []int{3, 5, 7, 11, 13, 15, 18}
	accounts := map[string]int{}
	for {
		tx, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, tx.Line)
		accounts[tx.Assignment.Account]++
		if tx.Assignment.Transmission.Number != "0000124" {
			t.Errorf("line %d is of transmission %q", tx.Line, tx.Assignment.Transmission.Number)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("lines are %v, want %v", got, want)
	}
	if accounts[testAccount] != 3 || accounts[otherAccount] != 4 {
		t.Errorf("accounts are %v", accounts)
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the end Next says %v", err)
	}
}

func TestNextReturnsNothingAfterAFault(t *testing.T) {
	file := edited(plainFile(), set(6, 41, "990226")) // the bank date of the second of three transactions
	r := NewReader(strings.NewReader(file), testToday)
	if tx, err := r.Next(); err != nil || tx.Line != 3 {
		t.Fatalf("the first transaction is %v, %v", tx, err)
	}
	for range 2 {
		tx, err := r.Next()
		var faults models.FileFaults
		if tx != nil || !errors.As(err, &faults) || len(faults) != 1 || faults[0].Line != 6 {
			t.Fatalf("got %v, %v", tx, err)
		}
	}
}

func TestFaultsReachCallersAsErrorsOfTheirLinesE4(t *testing.T) {
	file := edited(plainFile(), set(3, 31, "+"), set(10, 8, "00000004"))
	_, err := Check(strings.NewReader(file), testToday)
	if got, want := err.Error(), "line 3: the sign is \"+\" instead of 0 or \"-\"\nline 10: the end of assignment says 4 transactions, there are 3"; got != want {
		t.Errorf("the error is\n%s\nwant\n%s", got, want)
	}
	if models.KindOf(err) != models.KindInvalid {
		t.Errorf("its kind is %v", models.KindOf(err))
	}
	var all models.Errors
	if !errors.As(err, &all) || len(all) != 2 || all[1].Place.String() != "line[10]" || all[1].Code != CodeCountMismatch {
		t.Errorf("got %v", all)
	}
}

func TestNoMoreThanAHundredFaultsAreReported(t *testing.T) {
	if got := faultsOf(t, strings.Repeat("<Ntry>1250.00</Ntry>\n", 1000)); len(got) != MaxFaults || got[99].Line != 100 {
		t.Errorf("there are %d, the last %v", len(got), got[len(got)-1])
	}
}

func TestNoMoreThanAHundredWarningsOfACodeAreKept(t *testing.T) {
	file := written(slices.Repeat([]Payment{payment(100)}, 150)...)
	file = strings.ReplaceAll(file, "600200001"+"0000000", "600200001"+"0160000")
	file = edited(file, set(1, 8, "12345678"))
	summary, err := Check(strings.NewReader(file), testToday)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(summary.Warnings); n != MaxWarnings+1 || summary.Warnings[0].Code != CodeUnknownSender {
		t.Errorf("there are %d, the first %v", n, summary.Warnings[0])
	}
	if got, want := summary.Warnings[1].String(), `line 4: a filler is "0160000" instead of zeros`; got != want {
		t.Errorf("the second is %q, want %q", got, want)
	}
}

func TestTheSummaryOfAWrongFileIsWhatCouldBeRead(t *testing.T) {
	summary, err := Check(strings.NewReader(edited(plainFile(), set(11, 24, "9"))), testToday)
	if err == nil || summary.Transmissions[0].Number != "0000123" || summary.Amount != 108000 {
		t.Errorf("got %+v, %v", summary, err)
	}
}

func TestAnErrorOfTheDiskIsNoFault(t *testing.T) {
	disk := errors.New("the disk is gone")
	for _, begin := range []string{"", plainFile()[:40], plainFile()[:81], plainFile()[:400], strings.Repeat("0", bufferSize+1)} {
		file := io.MultiReader(strings.NewReader(begin), iotest.ErrReader(disk))
		_, err := Check(file, testToday)
		var faults models.FileFaults
		if !errors.Is(err, disk) || errors.As(err, &faults) {
			t.Errorf("after %d bytes the error is %v", len(begin), err)
		}
	}
}

func TestItDoesNotMatterHowTheBytesCome(t *testing.T) {
	for name, r := range map[string]io.Reader{
		"one at a time": iotest.OneByteReader(strings.NewReader(plainFile())),
		"half":          iotest.HalfReader(strings.NewReader(plainFile())),
		"with the end":  iotest.DataErrReader(strings.NewReader(plainFile())),
	} {
		if summary, err := Check(r, testToday); err != nil || summary.Amount != 108000 {
			t.Errorf("%s: %v, %v", name, summary, err)
		}
	}
}

// TestNoOverflowMakesASumRight adds amounts up to exactly 2^64 øre, and has the ends say 0.
func TestNoOverflowMakesASumRight(t *testing.T) {
	lines := strings.SplitAfter(written(slices.Repeat([]Payment{payment(0)}, 185)...), "\n")
	for i := range 184 {
		lines = set(3+2*i, 32, "99999999999999999")(lines)
	}
	lines = set(3+2*184, 32, "46744073709551800")(lines)
	faults := faultsOf(t, strings.Join(lines, ""))
	if len(faults) != 1 || faults[0].Code != CodeSumTooLarge {
		t.Errorf("got %v", faults)
	}
}

// TestNoOverflowMakesATotalRight does the same with assignments, each of which is right.
func TestNoOverflowMakesATotalRight(t *testing.T) {
	var out strings.Builder
	w := NewWriter(&out)
	must(w.StartTransmission(testTransmission))
	for i := range 185 {
		must(w.StartAssignment(testAssignment))
		amount := MaxAmount
		if i == 184 {
			amount = 46744073709551800
		}
		must(w.Write(payment(amount)))
	}
	if err := w.Close(); err == nil {
		t.Error("the writer takes what the end of transmission cannot say")
	}
	must(w.w.Flush())
	file := out.String() + "NY0000890000018500000742" + strings.Repeat("0", 56) + "\n"
	if faults := faultsOf(t, file); len(faults) != 1 || faults[0].Code != CodeSumTooLarge {
		t.Errorf("got %v", faults)
	}
}

// TestForeignFilesAreCalledByTheirName lets a person know what to do with them.
func TestForeignFilesAreCalledByTheirName(t *testing.T) {
	for begin, want := range map[string]string{
		"\x1f\x8b\x08":         "line 1: the file is compressed with gzip: unpack it first",
		"PK\x03\x04":           "line 1: the file is a ZIP archive: unpack it first",
		"%PDF-1.7":             "line 1: the file is a PDF: the bank has the same as a file of OCR giro or camt.054",
		"\xff\xfeN\x00Y\x00":   "line 1: the file is in UTF-16 instead of ISO-8859-1",
		"\n\n{":                "line 3: the file is JSON instead of OCR giro or camt.054",
		"MZ\x90\x00\x03":       "line 1: the file is no text",
		"Konto;Dato;Beløp;KID": `line 1: the record is 21 characters long instead of 80, and begins with "Konto;Dato" instead of NY`,
	} {
		if faults := faultsOf(t, begin+"\n"); len(faults) != 1 || faults[0].Code != CodeBadLength || faults[0].String() != want {
			t.Errorf("%q: %v, want %s", begin, faults, want)
		}
	}
}

// TestAFileThatIsMadeToFillTheMemoryIsRefused shows what no vector does, which would be of 16 MB.
func TestAFileThatIsMadeToFillTheMemoryIsRefused(t *testing.T) {
	empty := edited(plainFile(), keepFrame, set(2, 8, "0000000000000002"), set(2, 24, strings.Repeat("0", 17)))
	for name, file := range map[string]string{
		"assignments":   lineOf(empty, 1) + strings.Repeat(mandates[0]+edited(mandates[2], set(1, 8, "0000000000000002")), maxParts+10),
		"transmissions": strings.Repeat(empty, maxParts+10),
	} {
		faults := faultsOf(t, file)
		if line := 2 * maxParts; len(faults) != 1 || faults[0].Code != CodeTooMany || faults[0].Line < line || faults[0].Line > line+1 {
			t.Errorf("%s: %v", name, faults)
		}
	}
	if faults := faultsOf(t, strings.Repeat(empty, maxParts)); len(faults) > 0 {
		t.Errorf("as many as are read: %v", faults)
	}
}

func TestContentHash(t *testing.T) {
	plain := plainFile()
	hash := func(file string) [32]byte {
		summary, err := Check(strings.NewReader(file), testToday)
		if err != nil {
			t.Fatal(err)
		}
		return summary.Transmissions[len(summary.Transmissions)-1].ContentHash
	}
	want := hash(plain)
	for _, tt := range []struct {
		what, file string
		same       bool
	}{
		{"with CR LF", strings.ReplaceAll(plain, "\n", "\r\n"), true},
		{"with a byte order mark and blank lines", "\xef\xbb\xbf" + strings.ReplaceAll(plain, "\n", "\n\n") + "\x1a", true},
		{"without the last line end", strings.TrimSuffix(plain, "\n"), true},
		{"after another transmission", allTypesFile() + plain, true},
		{"with one digit of a reference changed", edited(plain, set(4, 33, "9")), false},
		{"with a filler changed", edited(plain, set(11, 79, "9")), false},
		{"another file", allTypesFile(), false},
	} {
		if got := hash(tt.file); (got == want) != tt.same {
			t.Errorf("%s the hash is the same: %v", tt.what, !tt.same)
		}
	}
}

// TestReaderTakesWhatIsBuffered reads from a buffer that somebody has looked into.
func TestReaderTakesWhatIsBuffered(t *testing.T) {
	file := largeFile(2000) // more than the buffer holds
	for _, looked := range []int{0, 1, 81, 100, bufferSize} {
		buffered := bufio.NewReaderSize(bytes.NewReader(file), bufferSize)
		_, err := buffered.Peek(looked)
		must(err)
		if n, err := readAll(buffered); n != 2000 || err != nil {
			t.Errorf("after a look at %d bytes there are %d transactions, %v", looked, n, err)
		}
	}
}
