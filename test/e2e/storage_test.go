package e2e_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"purr/test/testkit"
)

// TestK2PartsOnFoldersOfTheirOwnShareABucket runs an API, two workers and a scheduler, each with a data folder of its own, on an S3 server
// that dies and comes back: while it is away, kept files and new ones wait (503), invoices are taken, and afterwards nothing is lost or there
// twice. Then the files move to a folder, byte for byte (rules K2, K2a, K2b, K9).
func TestK2PartsOnFoldersOfTheirOwnShareABucket(t *testing.T) {
	t.Parallel()
	s3 := testkit.S3(t)
	database, queue, url := testkit.MySQL(t), testkit.Redis(t), s3.URL("purr/fjord")
	where := func() []string {
		return []string{"PURR_DATA=" + t.TempDir(), "PURR_DATABASE_URL=" + database, "PURR_REDIS_URL=" + queue, "PURR_STORAGE_URL=" + url}
	}
	ok(t, where(), "migrate")
	ok(t, where(), "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account, "--email", "post@fjord-ror.example")
	key := ok(t, where(), "keys", "create", "--creditor", "Fjord Rør AS")
	server := begin(t, where(), "api", "--listen", "127.0.0.1:0")
	for _, part := range []string{"worker", "worker", "scheduler"} {
		begin(t, where(), part)
	}
	api := newClient(t, server.listening, key[:len(key)-1])
	at := func(path string) string { return filepath.Join(s3.Folder(), "purr", "fjord", path) }
	has := func(folder string, want int) map[string][]byte {
		t.Helper()
		var found map[string][]byte
		eventually(t, fmt.Sprintf("%d files in %s", want, folder), func() (bool, any) {
			found = map[string][]byte{}
			if _, err := os.Stat(at(folder)); err == nil {
				found = readFolder(t, at(folder))
			}
			return len(found) == want, len(found)
		})
		return found
	}

	kari := api.customer(t, "Kari Nordmann")
	first := api.invoice(t, invoiceOf{customer: kari, days: 14, net: "1000.00", method: "EMAIL"})
	has("outbox/email", 1)
	pdf := api.Get(first.At("@uri") + "/pdf").PDF()
	file := func(number int, of node, amount string) []byte {
		t.Helper()
		raw, err := bankFile{number: number, date: "2026-01-05", lines: []bankLine{{kid: of.At("ocr_kid_number"), amount: amount}}}.bytes()
		must(t, err)
		return raw
	}
	paid := func(of node, want string) {
		t.Helper()
		eventually(t, "the payment is booked", func() (bool, any) {
			balance := api.Get(of.At("@uri")).Shown().At("ar_transactions/@balance")
			return balance == want, balance
		})
	}
	bank := file(1, first, "250.00")
	must(t, os.WriteFile(at("inbox/OCR.D050126"), bank, 0o600))
	paid(first, "1000.00")
	if done := has("inbox/done", 2); !bytes.Equal(done["OCR.D050126"], bank) || !bytes.Contains(done["OCR.D050126.report.xml"], []byte("imported")) {
		t.Errorf("done holds %q", done)
	}

	s3.Kill()
	api.Get("//healthz").Is(http.StatusOK)
	for _, waits := range []*answer{api.Get(first.At("@uri") + "/pdf"), api.sendFile(t, file(2, first, "250.00")), api.Get("//readyz")} {
		if waits.Is(http.StatusServiceUnavailable).Header.Get("Retry-After") == "" {
			t.Errorf("%s says not when to ask again: %s", waits.Asked, waits.Body)
		}
	}
	second := api.invoice(t, invoiceOf{customer: kari, days: 14, net: "2000.00", method: "EMAIL"})
	third := api.invoice(t, invoiceOf{customer: kari, days: 14, net: "3000.00"})
	s3.Start()
	eventually(t, "ready again", func() (bool, any) {
		got := api.Get("//readyz")
		return got.Status == http.StatusOK, string(got.Body)
	})
	api.sendFile(t, file(2, first, "250.00")).Is(http.StatusCreated)
	must(t, os.WriteFile(at("inbox/OCR.D060126"), file(3, second, "2500.00"), 0o600))
	paid(first, "750.00")
	paid(second, "0.00")
	has("outbox/email", 2)
	has("outbox/paper", 1)
	has("inbox", 0) // a file is in both places until its removal, which comes last
	has("inbox/done", 4)
	if !bytes.Equal(api.Get(first.At("@uri")+"/pdf").PDF(), pdf) || len(api.Get(third.At("@uri")+"/pdf").PDF()) == 0 {
		t.Error("the PDF is another one now")
	}
	equal(t, "purr storage check", ok(t, where(), "storage", "check"), "6 kept files, 0 lost or damaged\n")
	ok(t, where(), "verify", "--deep")

	folder := t.TempDir()
	if said := ok(t, where(), "storage", "copy", url, "file://"+folder); !strings.Contains(said, " 0 left") {
		t.Errorf("storage copy says %s", said)
	}
	for _, name := range []string{"outbox/email", "outbox/paper", "inbox/done"} {
		here, there := readFolder(t, filepath.Join(folder, name)), readFolder(t, at(name))
		if len(here) != len(there) {
			t.Errorf("%s holds %d files, want %d", name, len(here), len(there))
		}
		for of, content := range there {
			if !bytes.Equal(here[of], content) {
				t.Errorf("%s/%s differs", name, of)
			}
		}
	}
	inFolder := append(where(), "PURR_STORAGE_URL=file://"+folder)
	equal(t, "purr storage check there", ok(t, inFolder, "storage", "check"), "6 kept files, 0 lost or damaged\n")
	kept, err := filepath.Glob(filepath.Join(folder, "archive", "*", "*"))
	must(t, err)
	must(t, os.WriteFile(kept[0], []byte("rotten"), 0o600))
	must(t, os.Remove(kept[1]))
	if r := run(t, inFolder, "storage", "check"); r.code != 1 || !strings.Contains(r.stdout, "lost") || !strings.Contains(r.stdout, "damaged") || !strings.Contains(r.stdout, "2 lost or damaged") {
		t.Errorf("of a lost and a damaged file: %+v", r)
	}
}

// TestK9ARefusalAtStartNamesWhatIsWrong starts on a wrong bucket, region, key and endpoint, on another installation's storage, and on one that
// does not hold what the database names. It ends with 78 within 60 s each time.
func TestK9ARefusalAtStartNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	s3 := testkit.S3(t)
	url := s3.URL("purr")
	data := t.TempDir()
	where := []string{"PURR_DATA=" + data, "PURR_STORAGE_URL=" + url, "PURR_LISTEN=127.0.0.1:0"}
	first := begin(t, where, "serve")
	first.listening()
	key := ok(t, where, "keys", "create", "--creditor", "default")
	api := newClient(t, first.listening, key[:len(key)-1])
	invoice := api.invoice(t, invoiceOf{customer: api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00"}).At("@uri")
	pdf := api.Get(invoice + "/pdf").PDF()
	s3.Lie(testkit.S3Lies["silence"])
	begun := time.Now()
	api.Get(invoice + "/pdf").Is(http.StatusServiceUnavailable)
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("of a silent server a caller hears after %s", took)
	}
	for _, status := range []int{http.StatusConflict, http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusInsufficientStorage} {
		s3.Lie(testkit.S3Status(status))
		api.Get(invoice + "/pdf").Is(http.StatusServiceUnavailable)
		api.Get("//readyz").Is(http.StatusServiceUnavailable)
	}
	late := api.invoice(t, invoiceOf{customer: api.customer(t, "Ola Nordmann"), days: 14, net: "1000.00"}).At("@uri")
	s3.Lie(nil)
	if !bytes.Equal(api.Get(invoice+"/pdf").PDF(), pdf) {
		t.Error("the PDF is another one now")
	}
	eventually(t, "the letter leaves", func() (bool, any) {
		sent := texts(api.Get(late).Shown().All("shipments/shipment"), "sent_at")
		return len(sent) == 1 && sent[0] != "", sent
	})
	first.kill()
	if r := run(t, []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0"}, "serve"); r.code != 78 || !strings.Contains(r.stderr, "nothing is kept at "+data) || !strings.Contains(r.stderr, "which lay at s3://bilag/purr") {
		t.Errorf("without the setting: %+v", r)
	}
	for what, tt := range map[string]struct {
		url  string
		more []string
		want []string
	}{
		"a wrong bucket":   {strings.Replace(url, "bilag", "regnskap", 1), nil, []string{"storage-url", "no bucket regnskap", s3.Endpoint()}},
		"a wrong region":   {strings.Replace(url, "us-east-1", "eu-north-1", 1), nil, []string{"storage-url", "region eu-north-1"}},
		"an unknown key":   {url, []string{"AWS_ACCESS_KEY_ID=AKIAWRONG"}, []string{"storage-url", "AWS_ACCESS_KEY_ID", "bilag"}},
		"a wrong secret":   {url, []string{"AWS_SECRET_ACCESS_KEY=hemmelig"}, []string{"storage-url", "AWS_SECRET_ACCESS_KEY", "bilag"}},
		"no key":           {url, []string{"AWS_ACCESS_KEY_ID=", "AWS_SECRET_ACCESS_KEY=", "HOME=" + t.TempDir()}, []string{"storage-url", "no key", "bilag"}},
		"nobody there":     {"s3://bilag/purr?endpoint=http://127.0.0.1:1", nil, []string{"storage-url", "http://127.0.0.1:1 does not answer"}},
		"another's bucket": {url, nil, []string{"storage-url", "another installation"}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			r := run(t, append([]string{"PURR_DATA=" + t.TempDir(), "PURR_STORAGE_URL=" + tt.url, "PURR_LISTEN=127.0.0.1:0"}, tt.more...), "serve")
			if took := time.Since(begun); r.code != 78 || took > time.Minute {
				t.Errorf("it ends with %d after %s", r.code, took)
			}
			for _, want := range tt.want {
				if !strings.Contains(r.stderr, want) {
					t.Errorf("it says %s, want %q", r.stderr, want)
				}
			}
			if strings.Contains(r.stderr, "hemmelig") {
				t.Errorf("it shows a secret: %s", r.stderr)
			}
		})
	}
	if r := run(t, []string{"PURR_DATA=" + data, "PURR_STORAGE_URL=s3://bilag/purr?secret=hemmelig"}, "serve"); r.code != 78 || strings.Contains(r.stderr+r.stdout, "hemmelig") || !strings.Contains(r.stderr, "a key never stands in the URL") {
		t.Errorf("a secret in the URL: %+v", r)
	}
}
