package e2e_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/test/testkit"
)

// TestE2DebtCollectionThroughTheCommandLine holds, releases, closes, reopens and hands over while the server runs,
// whose collector has an SFTP server that is away at first (rules E2, R5a).
func TestE2DebtCollectionThroughTheCommandLine(t *testing.T) {
	t.Parallel()
	collector, folder := testkit.SFTPServer(t), t.TempDir()
	in := install(t, func(_ testing.TB, c *app.Settings) {
		c.Collector.URL, c.Collector.KeyFile, c.Collector.HostKey = collector.Folder(folder), collector.KeyFile, collector.HostKey
		c.Reports = 24 * time.Hour // the clock runs through a month
	})
	in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Kari Nordmann"), days: 0, net: "1000.00"})
	where := in.where()
	says := func(want string, arguments ...string) {
		t.Helper()
		equal(t, "purr dunning "+strings.Join(arguments, " "), ok(t, where, append([]string{"dunning"}, arguments...)...), want+"\n")
	}
	refused := func(want string, arguments ...string) {
		t.Helper()
		r := run(t, where, append([]string{"dunning"}, arguments...)...)
		if !r.refused() || !strings.Contains(r.stderr, want) {
			t.Errorf("purr dunning %s: exit code %d, says %s, want %q in it", strings.Join(arguments, " "), r.code, r.stderr, want)
		}
	}
	refused("the invoice is not overdue", "hand-over", "1")
	in.at("2026-02-02 12:00")
	says("invoice 1 is on hold through 2026-02-10", "hold", "1", "--until", "2026-02-10", "--comment", "lovet betaling")
	says("invoice 1 is on hold until it is released\nthe claim is disputed: no fee can be charged", "hold", "1", "--reason", "dispute")
	equal(t, "reason of the hold", in.api.Get("/api/v1/invoice/1").Shown().At("dunning_hold/reason"), "dispute")
	refused("must be dispute, says_paid or other", "hold", "1", "--reason", "reklamasjon")
	refused("--until: \"tomorrow\" is not a date", "hold", "1", "--until", "tomorrow")
	says("invoice 1 is not on hold", "release", "--invoice", "1")
	says("invoice 1 is closed (lost) with 1250.00 owed", "close", "1", "--reason", "lost")
	says("invoice 1 is open with 1250.00 owed", "reopen", "1")
	refused("purr dunning hand-over 1", "bundle", "1", "-o", filepath.Join(folder, "x"))
	refused("no such invoice: 9", "hand-over", "--invoice", "9")
	refused("name one invoice", "hand-over")
	refused("name one invoice", "hand-over", "1", "--invoice", "1")
	refused("is not the number of an invoice", "hand-over", "first")

	collector.Kill()
	says("invoice 1 is handed over to debt collection with 1250.00 owed", "hand-over", "1")
	in.at("2026-02-02 12:01")
	mine := filepath.Join(t.TempDir(), "claim.zip")
	if said := ok(t, where, "dunning", "bundle", "1", "-o", mine); !strings.Contains(said, "invoice-1-hand-over-1.zip, handed over on 2026-02-02, not delivered yet: ") {
		t.Errorf("purr dunning bundle says %s", said)
	}
	collector.Start()
	in.at("2026-02-02 13:30")
	says(mine+" is invoice-1-hand-over-1.zip, handed over on 2026-02-02, delivered", "bundle", "1", "-o", mine)
	content, err := os.ReadFile(mine)
	must(t, err)
	delivered := readFolder(t, folder)
	if len(delivered) != 1 || !bytes.Equal(delivered["invoice-1-hand-over-1.zip"], content) {
		t.Errorf("the collector has %d files", len(delivered))
	}
	must(t, checkBundle(content))
	says("invoice 1 is open with 1250.00 owed", "reopen", "1")
	in.at("2026-02-02 13:31")
	if got := readFolder(t, folder); len(got) != 2 || got["invoice-1-hand-over-1-taken-back.xml"] == nil {
		t.Errorf("the collector has %d files", len(got))
	}
	in.api.Post("/api/v1/invoice/1/overdue_notices", "<overdue_notice><is_incasso_notice>1</is_incasso_notice></overdue_notice>").Created()
	in.at("2026-02-02 13:32")
	refused("can be paid until 2026-02-16", "hand-over", "1")
	says("invoice 1 is handed over to debt collection with 1250.00 owed\n"+
		"its debt-collection warning can be paid until 2026-02-16: what is paid by then bears no costs of collection (inkassoloven § 17)",
		"hand-over", "1", "--force")
	in.another("Fremmed AS")
	refused("--creditor", "hand-over", "1")
}

// checkBundle fails where a collection bundle is not what its manifest says.
func checkBundle(content []byte) error {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return err
	}
	sums := map[string]string{}
	var manifest [][]string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return err
		}
		inside, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(inside)
		sums[f.Name] = hex.EncodeToString(sum[:])
		if f.Name == "manifest.csv" {
			if manifest, err = csv.NewReader(bytes.NewReader(inside)).ReadAll(); err != nil {
				return err
			}
		}
	}
	if len(manifest) == 0 || len(manifest)-1+2 != len(sums) { // its heading; and manifests do not list themselves
		return fmt.Errorf("the manifest lists %d files, there are %d", len(manifest)-1, len(sums))
	}
	for _, row := range manifest[1:] {
		if sums[row[0]] != row[2] {
			return fmt.Errorf("%s has the SHA-256 %s, the manifest says %s", row[0], sums[row[0]], row[2])
		}
	}
	return nil
}

// checkCollection expects that each hand-over was delivered, once, as what it is, and that nothing else was.
func (b books) checkCollection() {
	b.t.Helper()
	if undelivered := query(b.t, b.db, "SELECT id FROM hand_overs WHERE state <> 'delivered'"); len(undelivered) > 0 {
		b.t.Errorf("hand-overs %v are not delivered", undelivered)
	}
	want := query(b.t, b.db, "SELECT 'invoice-' || i.number || '-hand-over-' || h.id || '.zip' FROM hand_overs h JOIN invoices i ON i.id = h.invoice_id")
	files := readFolder(b.t, filepath.Join(b.data, "outbox", "collection"))
	var got []string
	for name, content := range files {
		got = append(got, name)
		if err := checkBundle(content); err != nil {
			b.t.Errorf("%s: %v", name, err)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	equal(b.t, "collection bundles", strings.Join(got, " "), strings.Join(want, " "))
	if told := query(b.t, b.db, "SELECT id FROM events WHERE type = 'collection_bundle.delivered' UNION ALL SELECT id FROM new_events WHERE type = 'collection_bundle.delivered'"); len(told) != len(want) {
		b.t.Errorf("%d deliveries are told of %d", len(told), len(want))
	}
	b.t.Logf("%d collection bundles", len(want))
}
