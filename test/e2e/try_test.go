package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/smtpserver"
)

// TestQ1MailTestSaysWhatHappened sends a test mail into the outbox, to a server that takes it, and to servers that do not.
func TestQ1MailTestSaysWhatHappened(t *testing.T) {
	t.Parallel()
	data := migrated(t)
	where := []string{"PURR_DATA=" + data}
	refused(t, 64, where, "mail test kari@example.no", "mail-from", "PURR_MAIL_FROM")
	refused(t, 64, where, "mail test nobody", "ADDRESS")
	ok(t, where, "creditor", "create", "--name", "A", "--email", "post@a.example.no")
	ok(t, where, "creditor", "create", "--name", "B", "--email", "post@b.example.no")

	said := ok(t, where, "mail", "test", "kari@example.no")
	files, err := filepath.Glob(filepath.Join(data, "outbox", "email", "*.eml"))
	if err != nil || len(files) != 1 || !strings.Contains(said, files[0]) || !strings.Contains(said, "no mail server is set") || !strings.Contains(said, "post@a.example.no") {
		t.Errorf("there are %v (%v), it says %s", files, err, said)
	}

	server := smtpserver.Start(t, smtpserver.WithLogin("kari", "hemmelig"))
	where = append(where, "PURR_SMTP_URL="+server.URL())
	if r := run(t, where, "mail", "test", "kari@example.no"); r.code != 1 || !strings.Contains(r.stdout+r.stderr, "smtp-plain") {
		t.Errorf("a password without encryption: exit code %d, says %s%s", r.code, r.stdout, r.stderr)
	}
	where = append(where, "PURR_SMTP_PLAIN=1")
	var facts map[string]string
	must(t, json.Unmarshal([]byte(ok(t, where, "mail", "test", "kari@example.no", "--creditor", "B", "--json")), &facts))
	if facts["from"] != "post@b.example.no" || facts["tls"] != "none" || facts["sign_in"] != "kari" || facts["dkim"] != "no" || !strings.HasPrefix(facts["answer"], "250 ") {
		t.Errorf("it says %v", facts)
	}
	mails := server.Wait(1)
	if raw := string(mails[0].Data); !strings.Contains(raw, "Subject: Test of purr") || server.Connections() != 1 {
		t.Errorf("the server has %s by %d connections", raw, server.Connections())
	}
	ok(t, []string{"PURR_SMTP_URL=" + server.URL()}, "mail", "test", "--smtp-plain", "on", "--mail-from", "f@example.no", "--data", filepath.Join(data, "none"), "kari@example.no")

	server.Reject(smtpserver.Rcpt, 550, "no such user", 1)
	if r := run(t, where, "mail", "test", "kari@example.no"); r.code != 1 || !strings.Contains(r.stdout, "550") || !strings.Contains(r.stdout, "no such user") {
		t.Errorf("a refused mail: exit code %d, says %s%s", r.code, r.stdout, r.stderr)
	}
	server.Down()
	if r := run(t, where, "mail", "test", "kari@example.no"); r.code != 1 || !strings.Contains(r.stdout, "refused") || strings.Contains(r.stdout+r.stderr, "hemmelig") {
		t.Errorf("a server that is away: exit code %d, says %s%s", r.code, r.stdout, r.stderr)
	}
}

// TestQ1WaysTestTriesWhatIsSet tries servers that answer, servers that do not, and ways that are not set.
func TestQ1WaysTestTriesWhatIsSet(t *testing.T) {
	t.Parallel()
	where := []string{"PURR_DATA=" + filepath.Join(t.TempDir(), "none")}
	if said := ok(t, where, "ways", "test"); !strings.Contains(said, "no way is set") {
		t.Errorf("without a way it says %s", said)
	}
	for name, setting := range map[string]string{
		"smtp": "smtp-url", "print": "letters-url", "ehf": "ehf-url", "efaktura": "efaktura-url", "collector": "collection-sftp-url", "avtalegiro": "avtalegiro-url", "bank": "sftp-url", "sftp": "sftp-url",
	} {
		refused(t, 64, where, "ways test "+name, setting+" is not set", "PURR_")
	}
	refused(t, 64, where, "ways test pigeon", "WAY")

	server, bank, folder := smtpserver.Start(t), testkit.SFTPServer(t), t.TempDir()
	where = append(where, "PURR_SMTP_URL="+server.URL())
	for _, prefix := range []string{"SFTP", "COLLECTION_SFTP", "LETTERS", "EHF", "AVTALEGIRO"} {
		where = append(where, "PURR_"+prefix+"_URL="+bank.Folder(folder), "PURR_"+prefix+"_KEY_FILE="+bank.KeyFile, "PURR_"+prefix+"_HOST_KEY="+bank.HostKey)
	}
	var tried []map[string]string
	must(t, json.Unmarshal([]byte(ok(t, where, "ways", "test", "--json")), &tried))
	names := ""
	for _, w := range tried {
		names += w["way"] + "=" + w["result"] + " "
	}
	equal(t, "what was tried", names, "smtp=ok print=ok ehf=ok collector=ok avtalegiro=ok bank=ok ")
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 || len(server.Messages()) > 0 {
		t.Errorf("left are %v (%v), and %d e-mails", left, err, len(server.Messages()))
	}
	ok(t, where, "ways", "test", "smtp", "collector")

	must(t, os.Remove(folder))
	server.Down()
	r := run(t, where, "ways", "test")
	if r.code != 1 || strings.Count(r.stdout, " ok\n") != 0 || strings.Count(r.stdout, "there is no such file or folder") != 5 || !strings.Contains(r.stdout, "connection refused") {
		t.Errorf("exit code %d, says %s%s", r.code, r.stdout, r.stderr)
	}
}
