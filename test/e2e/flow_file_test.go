package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit/house"
)

// sampleFolder holds the bank's files that package giro is tested with.
var sampleFolder = filepath.Join(root, "ocr", "giro", "testdata")

// TestBankFileThroughTheAPI posts a file with all that a bank sends: what fits is posted, what does not is
// queued with its reason, and the same file posted again changes nothing (rules E4, E5).
func TestBankFileThroughTheAPI(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		kari := in.api.customer(t, "Kari Nordmann")
		exact := in.api.invoice(t, invoiceOf{customer: kari, days: 14, net: "1000.00"})
		twice := in.api.invoice(t, invoiceOf{customer: kari, days: 14, net: "2000.00"})
		credited := in.api.invoice(t, invoiceOf{customer: kari, days: 14, net: "400.00"})
		in.api.pay(t, credited.At("@uri"), "-500.00", "2026-01-05")
		credit := in.api.Post(credited.At("@uri")+"/credit_notes", creditBody("PAPER")).Created()
		in.at("2026-01-13 09:00")

		const kid = "ocr_kid_number"
		equalOnes := nextReference()
		raw, err := bankFile{number: 7, date: "2026-01-12", lines: []bankLine{
			{kid: exact.At(kid), amount: "1250.00"},
			{kid: twice.At(kid), amount: "300.00", reference: equalOnes},
			{kid: twice.At(kid), amount: "300.00", reference: equalOnes},
			{kid: credit.At(kid), amount: "-500.00"},
			{kid: models.NewKID("700000001", models.Modulus10), amount: "749.00"},
			{kid: "7000000110", amount: "12.50"},
			{text: "Gave til kattene, hilsen Åse", amount: "99.00"},
		}}.bytes()
		must(t, err)
		file := in.api.sendFile(t, raw).Is(http.StatusCreated).Root()
		equal(t, "file", summary(file), "imported ocr_giro from 00008080 number 0000007: 7 of 2210.50; matched 4 of 1350.00, unmatched 3 of 860.50, duplicates 0 of 0.00, ignored 0 of 0.00")

		equal(t, "status of what was paid exactly", in.api.Get(exact.At("@uri")).Shown().At("@status"), "invoice_paid")
		equal(t, "balance after two equal payments", in.api.Get(twice.At("@uri")).Shown().At("ar_transactions/@balance"), "1900.00")
		equal(t, "credit note after the payout", in.api.Get(credit.At("@uri")).Shown().At("@status"), "paid")
		entry := in.api.Get(exact.At("@uri")).Shown().All("ar_transactions/ar_transaction")[1]
		equal(t, "entry", entry.At("transaction_type")+" "+entry.At("transaction_date")+" "+entry.At("from_account_number"), "OCR 2026-01-12 97104133219")
		var queued []string
		for _, u := range in.api.List("/api/v1/unmatched_payments?status=open") {
			queued = append(queued, fmt.Sprintf("%s %s %q", u.At("reason"), u.At("amount"), u.At("text")))
		}
		equal(t, "queue", strings.Join(queued, ", "), `unknown_kid 749.00 "", invalid_kid 12.50 "", no_kid 99.00 "Gave til kattene, hilsen Åse"`)

		again := in.api.sendFile(t, raw).Is(http.StatusConflict)
		equal(t, "Location of the first", again.Header.Get("Location"), file.At("@uri"))
		withOther, err := bankFile{number: 8, date: "2026-01-12", lines: []bankLine{
			{kid: twice.At(kid), amount: "300.00", reference: equalOnes}, {kid: twice.At(kid), amount: "1900.00"},
		}}.bytes()
		must(t, err)
		equal(t, "file with a line that came before", summary(in.api.sendFile(t, withOther).Is(http.StatusCreated).Root()),
			"imported ocr_giro from 00008080 number 0000008: 2 of 2200.00; matched 1 of 1900.00, unmatched 0 of 0.00, duplicates 1 of 300.00, ignored 0 of 0.00")
		equal(t, "status after the rest", in.api.Get(twice.At("@uri")).Shown().At("@status"), "invoice_paid")
		in.checkBooks()
	})
}

// TestBankFileForTwoCreditors: a file from the inbox goes to whom the accounts belong; posted with a key, the
// other's assignment waits in the poster's queue (rules D2, E4).
func TestBankFileForTwoCreditors(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		other := in.another("Fremmed AS")
		in.SetAccount(t, "Fremmed AS", otherAccount)
		theirs := other.invoice(t, invoiceOf{customer: other.customer(t, "Ola Nordmann"), days: 14, net: "80.00"})
		toOther := bankFile{number: 1, account: otherAccount, date: "2026-01-05", lines: []bankLine{{kid: theirs.At("ocr_kid_number"), amount: "100.00"}}}
		raw, err := toOther.bytes()
		must(t, err)
		in.putIntoInbox("theirs.txt", raw)
		in.awaitInbox("done/theirs.txt")
		equal(t, "status of the other's invoice", other.Get(theirs.At("@uri")).Shown().At("@status"), "invoice_paid")
		equal(t, "files that the first creditor sees", len(in.api.List("/api/v1/payment_files")), 0)

		toOther.number = 2
		file := in.postFile(t, bankFile{number: 2, account: otherAccount, date: "2026-01-05", lines: []bankLine{{kid: theirs.At("ocr_kid_number"), amount: "5.00"}}})
		equal(t, "file posted with a key that is not the account's", file.At("unmatched/@transactions"), "1")
		equal(t, "reason", in.api.List("/api/v1/unmatched_payments")[0].At("reason"), "other_account")
		in.checkBooks()
	})
}

// TestBankFileThroughTheInbox puts files into the folder: each ends up in done, duplicate or rejected with
// its report beside it (rule R5).
func TestBankFileThroughTheInbox(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		invoice := in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00"})
		raw, err := bankFile{number: 1, date: "2026-01-05", lines: []bankLine{{kid: invoice.At("ocr_kid_number"), amount: "1250.00"}}}.bytes()
		must(t, err)
		in.putIntoInbox("ocr.txt", raw)
		in.awaitInbox("done/ocr.txt")
		equal(t, "status of the invoice", in.api.Get(invoice.At("@uri")).Shown().At("@status"), "invoice_paid")
		in.putIntoInbox("ocr.txt", raw)
		in.awaitInbox("duplicate/ocr.txt")
		in.putIntoInbox("ocr.txt", raw[:len(raw)-1-81*2])
		in.awaitInbox("rejected/ocr.txt")

		report := func(of string) node {
			raw, err := os.ReadFile(in.Path("inbox", of+".report.xml"))
			must(t, err)
			return house.Parse(t, raw)
		}
		equal(t, "report of the good one", report("done/ocr.txt").At("creditor/matched/@amount"), "1250.00")
		equal(t, "report of the second", report("duplicate/ocr.txt").At("creditor/duplicates/@transactions"), "1")
		equal(t, "report of the broken one", report("rejected/ocr.txt").At("fault/@code"), "missing_end")
		equal(t, "files left in the inbox", len(readFolder(t, in.Path("inbox")))+len(readFolder(t, in.Path("inbox", "processing"))), 0)
		equal(t, "entries of the invoice", len(in.api.Get(invoice.At("@uri")).Shown().All("ar_transactions/ar_transaction")), 2)
		in.checkBooks()
	})
}

// TestBankFileThroughTheCommandLine imports files while the server runs (rules R5, R5a).
func TestBankFileThroughTheCommandLine(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		invoice := in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00"})
		raw, err := bankFile{number: 1, date: "2026-01-05", lines: []bankLine{{kid: invoice.At("ocr_kid_number"), amount: "1250.00"}}}.bytes()
		must(t, err)
		folder := t.TempDir()
		good, broken := filepath.Join(folder, "good.txt"), filepath.Join(folder, "broken.txt")
		must(t, os.WriteFile(good, raw, 0o600))
		must(t, os.WriteFile(broken, slices.Concat(raw[:81*2], raw[81*3:]), 0o600))
		where := in.where()

		first := ok(t, where, "ocr", "import", good)
		if !strings.Contains(first, "imported") || !strings.Contains(first, "1250.00") {
			t.Errorf("the import says: %s", first)
		}
		equal(t, "status of the invoice", in.api.Get(invoice.At("@uri")).Shown().At("@status"), "invoice_paid")
		both := run(t, where, "ocr", "import", good, broken)
		equal(t, "exit code with a file that is rejected", both.code, 1)
		for _, word := range []string{"duplicate", "rejected"} {
			if !strings.Contains(both.stdout, word) {
				t.Errorf("the import of a duplicate and a broken file does not say %s: %s", word, both.stdout)
			}
		}
		if !strings.Contains(both.stderr, broken+": line 3: ") {
			t.Errorf("the fault of the broken file is not on standard error: %s", both.stderr)
		}
		equal(t, "entries of the invoice", len(in.api.Get(invoice.At("@uri")).Shown().All("ar_transactions/ar_transaction")), 2)
		if said := ok(t, where, "verify"); !strings.Contains(said, "add up") {
			t.Errorf("purr verify says: %s", said)
		}
	})
}

// TestInspectOfTheSamples prints the bank's sample files as JSON, needing no installation, and names every
// fault of a file that is not right by its line (rule R5).
func TestInspectOfTheSamples(t *testing.T) {
	t.Chdir(t.TempDir()) // nothing may be made where it runs
	for _, name := range []string{"ocr-basic", "ocr-edge"} {
		sample := filepath.Join(sampleFolder, name)
		var got, want any
		must(t, json.Unmarshal([]byte(ok(t, nil, "ocr", "inspect", "--json", sample+".txt")), &got))
		golden, err := os.ReadFile(sample + ".json")
		must(t, err)
		must(t, json.Unmarshal(golden, &want))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("purr ocr inspect --json %s.txt is not %s.json", name, name)
		}
	}
	for _, v := range vectors(t) {
		r := run(t, nil, "ocr", "inspect", v.path)
		var lines []string
		for _, said := range strings.Split(strings.TrimSpace(r.stderr), "\n") {
			line, _, _ := strings.Cut(said, ": ")
			lines = append(lines, strings.TrimPrefix(line, "line "))
		}
		if r.code != 1 || !slices.Equal(lines, v.lines) {
			t.Errorf("inspect of %s: exit code %d, faults in lines %v, want 1 and %v", filepath.Base(v.path), r.code, lines, v.lines)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("inspect left %v behind (%v)", left, err)
	}
}

// vector is a file with faults. Its name tells them: what it is, then code and line of each.
type vector struct {
	path         string
	codes, lines []string
}

// vectors returns package giro's files with faults. Those whose names tell warnings only are left out.
func vectors(t *testing.T) []vector {
	t.Helper()
	warnings := []string{
		giro.CodeUnknownSender, giro.CodeBadAccount, giro.CodeFiller, giro.CodeKIDAlignment, giro.CodeKIDNotExpected, giro.CodeTransactionOrder,
		giro.CodeDateRange, giro.CodeReversalsAdded, giro.CodeBadMandate,
	}
	paths, err := filepath.Glob(filepath.Join(sampleFolder, "vectors", "*.line*.txt"))
	must(t, err)
	var found []vector
	for _, path := range paths {
		v := vector{path: path}
		told := strings.Split(filepath.Base(path), ".")
		for i := 1; i+1 < len(told); i += 2 {
			v.codes, v.lines = append(v.codes, told[i]), append(v.lines, strings.TrimPrefix(told[i+1], "line"))
		}
		if !slices.Contains(warnings, v.codes[0]) {
			found = append(found, v)
		}
	}
	if len(found) < 50 {
		t.Fatalf("only %d files with faults were found", len(found))
	}
	return found
}

// summary says what became of a payment file.
func summary(f node) string {
	part := func(name string) string {
		return name + " " + f.At(name+"/@transactions") + " of " + f.At(name+"/@amount")
	}
	return fmt.Sprintf("%s %s from %s number %s: %s of %s; %s, %s, %s, %s", f.At("status"), f.At("format"), f.At("sender"), f.At("transmission_number"),
		f.At("transactions"), f.At("amount"), part("matched"), part("unmatched"), part("duplicates"), part("ignored"))
}

// putIntoInbox renames a complete file into the inbox. It was written long ago, as far as can be seen.
func (in *installation) putIntoInbox(name string, raw []byte) {
	in.t.Helper()
	must(in.t, putFile(in.Path("inbox"), name, raw))
}

func putFile(folder, name string, raw []byte) error {
	hidden := filepath.Join(folder, "."+name)
	if err := os.WriteFile(hidden, raw, 0o600); err != nil {
		return err
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(hidden, long, long); err != nil {
		return err
	}
	return os.Rename(hidden, filepath.Join(folder, name))
}

func (in *installation) awaitInbox(path string) {
	in.t.Helper()
	eventually(in.t, path+" in the inbox", func() (bool, any) {
		_, err := os.Stat(in.Path("inbox", path))
		return err == nil, err
	})
}
