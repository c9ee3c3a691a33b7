package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/test/testkit"
)

// bankFolder is a folder on an OpenSSH server, and the variables that name it.
type bankFolder struct {
	*testkit.SFTPProcess
	dir string
}

func (b bankFolder) variables(t *testing.T, more ...string) []string {
	t.Helper()
	return append(more, "PURR_SFTP_URL="+b.Folder(b.dir), "PURR_SFTP_KEY_FILE="+b.KeyFile)
}

// put lays a bank file of one payment that nobody knows into the folder.
func (b bankFolder) put(t *testing.T, name string, number int) {
	t.Helper()
	content, err := bankFile{number: number, date: "2026-01-05", lines: []bankLine{{amount: "100.00", text: "Vask"}}}.bytes()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(b.dir, name), content, 0o600))
}

// TestFetchByHand sets up the polling of the bank's folder as a person would: the errors say which setting is missing.
func TestFetchByHand(t *testing.T) {
	t.Parallel()
	bank := bankFolder{testkit.SFTPServer(t), t.TempDir()}
	where := []string{"PURR_DATA=" + migrated(t)}
	ok(t, where, "creditor", "create", "--name", "acme", "--bank-account", account)
	bank.put(t, "OCR-1.txt", 1)

	r := run(t, where, "ocr", "fetch")
	if r.code != 1 || !strings.Contains(r.stderr, "sftp-url is not set") {
		t.Errorf("without a URL: exit code %d, %s", r.code, r.stderr)
	}
	where = bank.variables(t, where...)
	r = run(t, where, "ocr", "fetch", "--dry-run")
	_, fingerprint, found := strings.Cut(r.stderr, "set sftp-host-key to ")
	if r.code != 1 || !found {
		t.Fatalf("without a host key: exit code %d, %s", r.code, r.stderr)
	}
	where = append(where, "PURR_SFTP_HOST_KEY="+strings.TrimSpace(fingerprint))
	if said := ok(t, where, "ocr", "fetch", "--dry-run"); !strings.Contains(said, "OCR-1.txt") || !strings.Contains(said, "new") {
		t.Errorf("what lies there: %s", said)
	}
	if said := strings.Fields(ok(t, where, "ocr", "fetch")); strings.Join(said[9:13], " ") != "OCR-1.txt imported 1 100.00" {
		t.Errorf("what came: %q", said)
	}
	if said := ok(t, where, "ocr", "fetch", "--dry-run"); !strings.Contains(said, "imported as file 1") {
		t.Errorf("what lies there then: %s", said)
	}

	must(t, os.WriteFile(filepath.Join(bank.dir, "notes.txt"), []byte("hello\n"), 0o600))
	bank.put(t, "OCR-2.txt", 2)
	r = run(t, where, "ocr", "fetch", "--sftp-after", "delete")
	if r.code != 1 || !strings.Contains(r.stdout, "OCR-2.txt") || !strings.Contains(r.stdout, "rejected") || !strings.Contains(r.stderr, "notes.txt: line 1: ") {
		t.Errorf("with a bad file: exit code %d, %s%s", r.code, r.stdout, r.stderr)
	}
	entries, err := os.ReadDir(bank.dir)
	must(t, err)
	if len(entries) != 1 || entries[0].Name() != "notes.txt" {
		t.Errorf("what is left there: %v", entries)
	}

	bank.Kill()
	r = run(t, where, "ocr", "fetch")
	if r.code != 1 || !strings.Contains(r.stderr, "127.0.0.1") {
		t.Errorf("with the bank away: exit code %d, %s", r.code, r.stderr)
	}
	checks := ok(t, where, "ocr", "checks", "--last", "3")
	if strings.Count(checks, "\n") != 4 || strings.Count(checks, "  ok  ") != 2 || strings.Count(checks, "  failed  ") != 1 {
		t.Errorf("the last looks: %s", checks)
	}
	if said := ok(t, where, "ocr", "confirm-none", "--date", "2026-01-05"); said != "no file comes from the bank for 2026-01-05\n" {
		t.Errorf("a person's word: %s", said)
	}
	for date, want := range map[string]string{"2026-01-04": "no bank day", "2199-01-02": "has not come yet", "4 May": "--date: "} {
		if r := run(t, where, "ocr", "confirm-none", "--creditor", "acme", "--date", date); !r.refused() || !strings.Contains(r.stderr, want) {
			t.Errorf("the word for %s: exit code %d, %s", date, r.code, r.stderr)
		}
	}
}

// TestServeFetchesFromTheBank runs the program, which fetches the bank's files as soon as it starts.
func TestServeFetchesFromTheBank(t *testing.T) {
	t.Parallel()
	bank := bankFolder{testkit.SFTPServer(t), t.TempDir()}
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0"}
	ok(t, where, "creditor", "create", "--name", "acme", "--bank-account", account)
	serving := bank.variables(t, append(where, "PURR_SFTP_HOST_KEY="+bank.HostKey, "PURR_SFTP_AFTER=move")...)
	bank.put(t, "OCR-1.txt", 1)
	p := begin(t, serving, "serve")
	p.listening()
	eventually(t, "the file is fetched", func() (bool, any) {
		_, err := os.Stat(filepath.Join(bank.dir, "fetched", "OCR-1.txt"))
		return err == nil, p.stderr
	})
	equal(t, "exit code", p.terminate(), 0)
	payments := ok(t, where, "ocr", "unmatched", "list")
	equal(t, "lines of the queue", strings.Count(payments, "\n"), 2)
	ok(t, where, "verify")
}
