package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/internal/testkit"
)

// TestS3aMailReportNeverSendsAReportBack gives it what is none, and what it cannot take in now.
func TestS3aMailReportNeverSendsAReportBack(t *testing.T) {
	in := newInstallation(t)
	for what, text := range map[string]string{"nothing": "", "garbage": "\x00\xff\n", "a newsletter": "To: bounce@example.no\n\nBuy!\n", "much": strings.Repeat("x", 5<<20)} {
		in.pipe(t, text)
		if said := in.purr(t, 0, "mail report"); said != "ignored: this is no delivery report\n" {
			t.Errorf("of %s it says %q", what, said)
		}
	}
	report := in.bounced(t)
	in.pipe(t, report)
	if said := in.purr(t, 0, "mail report"); !strings.HasPrefix(said, "shipment ") || !strings.HasSuffix(said, ": failed 5.1.1\n") {
		t.Errorf("it says %q", said)
	}

	data := os.Getenv("PURR_DATA")
	t.Setenv("PURR_DATABASE_URL", "mysql://purr@127.0.0.1:1/purr")
	in.pipe(t, report)
	in.purr(t, exitTempFail, "mail report") // there is no folder to keep it in
	testkit.Must(t, os.MkdirAll(filepath.Join(data, "reports"), 0o700))
	in.pipe(t, report)
	if said := in.purr(t, 0, "mail report"); !strings.HasPrefix(said, "later: ") {
		t.Errorf("it says %q", said)
	}
	kept, err := filepath.Glob(filepath.Join(data, "reports", "*.eml"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %v, %v", kept, err)
	}
	if content, err := os.ReadFile(kept[0]); err != nil || string(content) != report {
		t.Errorf("kept is %q, %v", content, err)
	}
	in.pipe(t, report)
	in.purr(t, exitTempFail, "mail report --data "+filepath.Join(data, "none"))
	in.purr(t, exitTempFail, "mail report --log-level nonsense")
}
