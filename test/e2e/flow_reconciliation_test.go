package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestE4ReconciliationThroughTheCommandLine lists the lines of the bank's statement, keeps aside what was paid to an account
// that nobody has until a creditor gets it, by the API and by the command line, and has purr verify prove it all from
// the raw bytes, which it must have (rules E4, R5a, R6).
func TestE4ReconciliationThroughTheCommandLine(t *testing.T) {
	t.Parallel()
	in := install(t)
	where := in.where()
	says := func(command, form string) {
		t.Helper()
		if said := ok(t, where, strings.Fields(command)...); !regexp.MustCompile(form).MatchString(said) {
			t.Errorf("purr %s says\n%s, want something like %s", command, said, form)
		}
	}
	invoice := in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00"})
	kid := invoice.At("ocr_kid_number")
	dir := t.TempDir()
	for n, account := range []string{account, "86011117947", "97104133219"} {
		raw, err := bankFile{number: n + 1, account: account, date: "2026-01-05", lines: []bankLine{{kid: kid, amount: "100.00"}, {amount: "5.00", text: "kaffe"}}}.bytes()
		must(t, err)
		path := filepath.Join(dir, account)
		must(t, os.WriteFile(path, raw, 0o600))
		says("ocr import "+path, `imported +2 +105\.00`)
	}
	says("ocr statement", `^DATE +ACCOUNT .*\n2026-01-05 +`+account+` +ocr_giro +00 00 0 00000 +1 +2 +105\.00 +1 +1 +0\n$`)
	says("ocr statement --from 2026-01-06", `^DATE .*\n$`)
	says("ocr statement --csv --to 2026-01-05 --account "+account, `^account,transaction_date,.*\n`+account+`,2026-01-05,ocr_giro,00,00,0,00000,,1,2,105\.00,105\.00,1,100\.00,1,5\.00,0,0\.00\n$`)
	if r := run(t, where, "ocr", "statement", "--to", "5. januar"); r.code != 64 || !strings.Contains(r.stderr, "--to: ") {
		t.Errorf("a wrong date: exit code %d, says %s", r.code, r.stderr)
	}
	says("ocr unassigned", `^ACCOUNT .*\n86011117947 +2 +105\.00 +2026-01-05 +2026-01-05 +2 +86011117947\n97104133219 +2 .*\n$`)

	// By the API the server does it soon, by the command line it is done at once.
	in.api.Put("/api/v1/creditor", `<creditor><bank_account>86011117947</bank_account></creditor>`).Shown()
	for deadline := time.Now().Add(time.Minute); strings.Contains(ok(t, where, "ocr", "unassigned"), "86011117947"); {
		if time.Now().After(deadline) {
			t.Fatal("what was kept aside is not posted")
		}
	}
	equal(t, "balance of the invoice", in.api.Get(invoice.At("@uri")).Shown().At("ar_transactions/@balance"), "1050.00")
	says("creditor set 1 --bank-account 97104133219", `(?m)^bank account +97104133219$`)
	says("ocr unassigned", `^ACCOUNT .*\n$`)
	equal(t, "balance of the invoice", in.api.Get(invoice.At("@uri")).Shown().At("ar_transactions/@balance"), "950.00")
	says("ocr statement --account 97104133219", `\n2026-01-05 +97104133219 +ocr_giro +00 00 0 00000 +3 +2 +105\.00 +1 +1 +0\n$`)

	says("verify", `^the books add up\nseen: creditors 1, invoices 1, entries 4, payment files 3, documents 1, newest change 20.*\n$`)
	spoil(t, filepath.Join(in.Config.Data, "archive"))
	for _, command := range []string{"verify", "verify --no-files", "archive repair"} {
		r := run(t, where, strings.Fields(command)...)
		if r.code != 1 || strings.Count(r.stdout, ": its raw bytes are damaged") != 3 || !strings.HasPrefix(r.stderr, "purr: 3 ") {
			t.Errorf("with other bytes in the archive purr %s: exit code %d, says %s%s", command, r.code, r.stdout, r.stderr)
		}
	}
}

// spoil writes something else into every OCR giro file of an archive.
func spoil(t *testing.T, archive string) {
	t.Helper()
	must(t, filepath.WalkDir(archive, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(raw), "NY000010") {
			return err
		}
		return os.WriteFile(path, []byte("something else"), 0o600)
	}))
}
