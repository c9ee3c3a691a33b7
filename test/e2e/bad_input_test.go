package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bad is a request that cannot be done, and how it is refused: the status and the faults, each as code or
// code@field. In request and body [NAME] stands for the path of what the estate has by that name.
type bad struct{ what, request, body, want string }

// TestBadInputIsRefusedAndChangesNothing makes every kind of wrong request there is. Each is refused with the
// errors of rule D5, all of them at once, and the database holds the same, row by row, as before.
func TestBadInputIsRefusedAndChangesNothing(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		names := in.estate()
		in.api.List("/api/v1/events") // every event has its ID
		before := in.rows()
		mark, last := in.marks(), "" // so the first check compares all
		check := func(b bad, header map[string]string) {
			in.refused(b, header, names)
			now := mark()
			if now == last {
				return
			}
			last = now
			if after := in.rows(); !maps.Equal(after, before) {
				t.Errorf("%s: refused, and yet the database changed in %v", b.what, changed(before, after))
				before = after
			}
		}
		for _, b := range slices.Concat(badForms, badInvoices, badCreditNotes, badNotices, badEntries, badCustomers, badCreditors, badClocks, badQueries) {
			check(b, nil)
		}
		for _, b := range badHeaders {
			check(b.bad, map[string]string{b.name: b.value})
		}
		in.checkBooks()
	})
}

// TestBadFilesAreRefusedAndPostNothing posts each of package giro's files with faults: every fault is named by its
// line, and nothing is posted (rule E4). The raw bytes are kept, with what became of them.
func TestBadFilesAreRefusedAndPostNothing(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		in.estate()
		in.api.MoveClock(moment("2026-04-01 08:00")) // the files are of March
		before := in.rows("payment_files", "events", "new_events", "event_turns")
		for _, v := range vectors(t) {
			raw, err := os.ReadFile(v.path)
			must(t, err)
			var want []string
			for i := range v.codes {
				want = append(want, v.codes[i]+" line["+v.lines[i]+"]")
			}
			faults := in.api.sendFile(t, raw).Is(http.StatusUnprocessableEntity).Faults()
			if !slices.Equal(faults, want) {
				t.Errorf("%s: refused with %v, want %v", filepath.Base(v.path), faults, want)
			}
		}
		if after := in.rows("payment_files", "events", "new_events", "event_turns"); !maps.Equal(after, before) {
			t.Errorf("refused files changed %v", changed(before, after))
		}
		files := in.api.List("/api/v1/payment_files")
		equal(t, "files that are kept", len(files), len(vectors(t)))
		for _, f := range files {
			equal(t, "status of "+f.At("@uri"), f.At("status"), "rejected")
		}
		in.checkBooks()
	})
}

// estate makes what bad requests are made on, and returns the paths by name.
func (in *installation) estate() *strings.Replacer {
	t, api := in.t, in.api
	t.Helper()
	other := in.another("Fremmed AS")
	foreign := other.invoice(t, invoiceOf{customer: other.customer(t, "Ola Nordmann"), days: 14, net: "80.00"})
	kari := api.customer(t, "Kari Nordmann")
	noEmail := api.Post("/api/v1/customers", `<customer><name1>Nils</name1><postal_code>0155</postal_code><postal_name>Oslo</postal_name><customer_number>K1</customer_number></customer>`).Created()
	send := func(days int) string {
		return api.invoice(t, invoiceOf{customer: kari, days: days, net: "1000.00"}).At("@uri")
	}
	warned, credited, paid := send(0), send(14), send(14)
	credit := api.Post(credited+"/credit_notes", creditBody("PAPER")).Created().At("@uri")
	payment := api.pay(t, paid, "-1250.00", "2026-01-05").At("@uri")
	in.at("2026-01-06 12:00")
	notice := api.Post(warned+"/overdue_notices", "<overdue_notice/>").Created().At("@uri")
	in.at("2026-01-20 12:00")
	overdue := send(0)
	in.at("2026-01-21 12:00")
	api.Post(warned+"/overdue_notices", "<overdue_notice><is_incasso_notice>1</is_incasso_notice></overdue_notice>").Created()
	fresh := send(14)
	in.at("2026-01-21 12:01") // until nothing is owed any more
	return strings.NewReplacer(
		"[kari]", pathOf(kari), "[no email]", pathOf(noEmail.At("@uri")), "[foreign customer]", pathOf(foreign.At("recipient/parent_recipient/@uri")),
		"[foreign]", pathOf(foreign.At("@uri")), "[warned]", pathOf(warned), "[credited]", pathOf(credited), "[paid]", pathOf(paid),
		"[credit]", pathOf(credit), "[payment]", pathOf(payment), "[notice]", pathOf(notice), "[overdue]", pathOf(overdue), "[fresh]", pathOf(fresh),
		"[invoice entry]", pathOf(api.Get(fresh).Shown().All("ar_transactions/ar_transaction")[0].At("@uri")),
	)
}

// refused makes the request.
func (in *installation) refused(b bad, header map[string]string, names *strings.Replacer) {
	in.t.Helper()
	method, path, _ := strings.Cut(names.Replace(b.request), " ")
	if !strings.HasPrefix(path, "/api/v1") {
		path = "/api/v1" + path
	}
	r := in.api.send(in.t, call{method: method, path: path, body: names.Replace(b.body), header: header})
	got := fmt.Sprint(r.Status)
	for _, f := range r.Faults() {
		got += " " + strings.Replace(f, " ", "@", 1)
	}
	equal(in.t, b.what+": "+b.request+" answers", got, b.want)
}

// rows returns what each table holds, but for those that are left out, the last use of keys and the beats of workers.
func (in *installation) rows(leftOut ...string) map[string]string {
	in.t.Helper()
	if in.db == nil {
		in.db = openDatabase(in.t, in.Config.Database.URL)
	}
	tables := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if !in.Config.Database.Embedded() {
		tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
	}
	held := map[string]string{}
	for _, table := range query(in.t, in.db, tables) {
		if !slices.Contains(append(leftOut, "api_keys", "workers", "parts", "sqlite_sequence"), table) {
			held[table] = strings.Join(query(in.t, in.db, "SELECT * FROM "+table+" ORDER BY 1"), "\n")
		}
	}
	if len(held) < 15 {
		in.t.Fatalf("only %d tables were found", len(held))
	}
	return held
}

// marks returns a function whose result differs whenever the database has changed: on SQLite the connection's count of what others
// have changed, on MySQL the sum over each table. It costs one statement, where rows takes one for each table.
func (in *installation) marks() func() string {
	in.t.Helper()
	statement := "PRAGMA data_version"
	if in.Config.Database.Embedded() {
		in.db.SetMaxOpenConns(1)
	} else {
		tables := query(in.t, in.db, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")
		statement = "CHECKSUM TABLE " + strings.Join(tables, ", ")
	}
	return func() string { return strings.Join(query(in.t, in.db, statement), "\n") }
}

// changed returns the tables that differ.
func changed(before, after map[string]string) []string {
	var tables []string
	for table := range after {
		if before[table] != after[table] {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}
