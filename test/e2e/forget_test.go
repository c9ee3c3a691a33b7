package e2e_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/register/privacy"
)

// forgotten is how many customers are to be forgotten: so many that a kill comes before the last of them.
const forgotten = 40

// ofForgotten are words that nobody but these customers has, and that the program must lose.
var ofForgotten = []string{"Zebulon", "Hemmeligveien", "Plughtekst"}

// TestO14ForgettingThatIsKilledIsTakenUpAgain kills purr customers forget when the first customers are forgotten, and purr serve after
// it. What was forgotten is removed by the next part that runs; said again, the command forgets the others; each of them once (rule O14).
func TestO14ForgettingThatIsKilledIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	data, where := withCustomers(t, forgotten)
	if len(filesWith(t, data)) < forgotten {
		t.Fatal("the words were nowhere before")
	}
	forget := []string{"customers", "forget", "--creditor", "Fjord Rør AS", "--before", "2100-01-01", "--despite-bookkeeping", "--yes"}
	p := begin(t, where, forget...)
	eventually(t, "some are forgotten", func() (bool, any) { return strings.Count(p.stdout.String(), "is forgotten") >= 2, p.stderr })
	p.kill()
	db := openDatabase(t, "sqlite:"+filepath.Join(data, "purr.db"))
	done := len(query(t, db, "SELECT id FROM customers WHERE forgotten_at IS NOT NULL"))
	if owed := len(query(t, db, "SELECT id FROM removals")); done < 2 || done >= forgotten || owed == 0 {
		t.Fatalf("the kill hit too late or too early: %d of %d forgotten, %d removals owed", done, forgotten, owed)
	}
	must(t, db.Close())

	serve := func() *process { return begin(t, where, "serve", "--listen", "127.0.0.1:0") }
	p = serve()
	p.listening()
	p.kill() // perhaps while it removes
	p = serve()
	p.listening()
	db = openDatabase(t, "sqlite:"+filepath.Join(data, "purr.db"))
	eventually(t, "what is owed since is removed", func() (bool, any) {
		owed := query(t, db, "SELECT kind FROM removals")
		return len(owed) == 0, owed
	})
	if said := ok(t, where, forget...); !strings.Contains(said, fmt.Sprintf("%d customers forgotten, 0 stay", forgotten-done)) {
		t.Errorf("said again, the command says %s", said)
	}
	equal(t, "customers of whose end an event tells, and how often", strings.Join(query(t, db,
		`SELECT COUNT(*), COUNT(DISTINCT subject_id) FROM (SELECT type, subject_id FROM events UNION ALL SELECT type, subject_id FROM new_events)
			WHERE type = 'customer.forgotten'`), ""), fmt.Sprintf("%d %[1]d", forgotten))
	must(t, db.Close())
	equal(t, "exit code of the server", p.terminate(), 0)
	for _, left := range filesWith(t, data) {
		t.Error("left in " + left)
	}
	list, err := privacy.ReadListFile(filepath.Join(data, privacy.ListName))
	must(t, err)
	equal(t, "customers on the list", len(list), forgotten)
	ok(t, where, "verify", "--deep")
}

// TestO14RestoredWithNoListItIsDegradedUntilAPersonHasSpoken restores a backup of before with no list: readyz says so, with 200, until a
// person names the list of the lost folder, which forgets again, or says that there was none.
func TestO14RestoredWithNoListItIsDegradedUntilAPersonHasSpoken(t *testing.T) {
	t.Parallel()
	data, where := withCustomers(t, 1)
	before := t.TempDir()
	ok(t, where, "backup", before)
	ok(t, where, "customers", "forget", "--creditor", "Fjord Rør AS", "--before", "2100-01-01", "--despite-bookkeeping", "--yes")
	for speaks, back := range map[string]bool{"--again " + filepath.Join(data, privacy.ListName): false, "--none": true} {
		restored := filepath.Join(t.TempDir(), "data")
		said := run(t, nil, "restore", before, "--data", restored)
		if said.code != 0 || !strings.Contains(said.stdout+said.stderr, "purr customers forget --again") {
			t.Fatalf("purr restore: exit code %d: %s%s", said.code, said.stdout, said.stderr)
		}
		there := []string{"PURR_DATA=" + restored}
		p := begin(t, there, "serve", "--listen", "127.0.0.1:0")
		api := newClient(t, p.listening, "")
		if ready := api.Get("//readyz"); ready.Status != http.StatusOK || !bytes.Contains(ready.Body, []byte("degraded: restored from the backup of")) {
			t.Errorf("restored with no list, readyz says %d %s", ready.Status, ready.Body)
		}
		ok(t, there, append([]string{"customers", "forget"}, strings.Fields(speaks)...)...)
		eventually(t, "readyz is as ever", func() (bool, any) {
			ready := api.Get("//readyz")
			return ready.Status == http.StatusOK && !bytes.Contains(ready.Body, []byte("degraded")), string(ready.Body)
		})
		equal(t, "exit code of the server", p.terminate(), 0)
		equal(t, "words that are back after "+speaks, len(filesWith(t, restored)) > 0, back)
	}
}

// withCustomers returns the data folder of an installation that nothing runs on, with so many customers, each with an invoice that was
// sent and paid, and the variables that name it.
func withCustomers(t *testing.T, n int) (data string, where []string) {
	t.Helper()
	data = t.TempDir()
	where = []string{"PURR_DATA=" + data}
	ok(t, where, "migrate")
	ok(t, where, "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", account, "--email", "post@fjord-ror.example",
		"--organisation-number", "974760673", "--address1", "Kaigaten 1", "--postal-code", "5003", "--postal-name", "Bergen")
	key := strings.TrimSpace(ok(t, where, "keys", "create", "--creditor", "Fjord Rør AS", "--scope", "admin"))
	p := begin(t, where, "serve", "--listen", "127.0.0.1:0")
	api := newClient(t, p.listening, key)
	for i := range n {
		made := api.Post("/api/v1/invoices", fmt.Sprintf(`<invoice><num_due_days>14</num_due_days><recipient><name1>Zebulon %d</name1><address1>Hemmeligveien %[1]d</address1>`+
			`<postal_code>5003</postal_code><postal_name>Bergen</postal_name></recipient><lines><line><line_text>Plughtekst</line_text><unit_price>100.00</unit_price>`+
			`<num_items>1</num_items><vat_rate>NONE</vat_rate></line></lines><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></invoice>`, i)).Created()
		api.Post(made.URI()+"/ar_transactions", `<ar_transaction><amount>-100.00</amount><transaction_date>`+made.At("issue_date")+`</transaction_date></ar_transaction>`).Created()
	}
	eventually(t, "each letter has left", func() (bool, any) {
		letters, err := filepath.Glob(filepath.Join(data, "outbox", "*", "*.pdf"))
		return len(letters) == n, fmt.Sprint(len(letters), err)
	})
	equal(t, "exit code of the server", p.terminate(), 0)
	return data, where
}

// filesWith returns the files of a folder that have one of the words, or are PDFs.
func filesWith(t *testing.T, folder string) (found []string) {
	t.Helper()
	must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		has := bytes.HasPrefix(content, []byte("%PDF"))
		for _, word := range ofForgotten {
			has = has || bytes.Contains(bytes.ToLower(content), []byte(strings.ToLower(word)))
		}
		if has {
			found = append(found, path)
		}
		return nil
	}))
	return found
}
