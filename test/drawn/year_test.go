package drawn_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/ledger"
	acts "purr/ledger/avtalegiro"
	"purr/models"
	"purr/models/calendar"
	"purr/test/testkit"
	"purr/test/testkit/girobank"
	"purr/test/testkit/house"
	"purr/test/testkit/rows"
)

const sender = "10101010"

// year is what is lived.
type year struct {
	*program
	bank    *girobank.Bank
	account string
	payers  []payer
	owed    map[string]int // øre, by KID: of invoices whose claims are drawn in the end
	seen    map[string]bool
	random  *rand.Rand
	lost    models.Date // the day whose file the bank loses
}

// payer is a customer, and what there is to know of him.
type payer struct {
	id  int64
	uri string
	kid string // that names him
}

// TestG4AYearOfDraws: no claim twice, none lost, none after its hour, and each drawn øre once in the ledger, though the program is killed, a
// receipt comes twice or not at all, the bank loses a file, payers pay by hand, have no cover, or end their mandates, and May has holidays.
func TestG4AYearOfDraws(t *testing.T) {
	t.Parallel()
	payers, from, to := 10, rows.Day("2026-04-30"), rows.Day("2026-05-22")
	if testkit.Whole {
		payers, from, to = 200, rows.Day("2026-01-30"), rows.Day("2027-01-29")
	}
	y := begin(t, payers, from, nil)
	for day := from; day <= to; day++ {
		y.live(day)
	}
	y.judge(to)
}

// TestG4ThroughTheBanksServer: the same for three weeks where the bank's folder is reached by SFTP. Its server is away every other day at 13:00.
func TestG4ThroughTheBanksServer(t *testing.T) {
	t.Parallel()
	from, to := rows.Day("2026-04-30"), rows.Day("2026-05-22")
	y := begin(t, 5, from, testkit.SFTPServer(t))
	for day := from; day <= to; day++ {
		y.live(day)
	}
	y.judge(to)
}

// begin makes the creditor, its customers and their mandates.
func begin(t *testing.T, payers int, from models.Date, sftp *testkit.SFTPProcess) *year {
	t.Helper()
	in := house.Start(t, house.Moment(from.String()+" 06:30"))
	creditor := in.NewCreditor(t, "Strøm og Sol AS")
	c, err := in.App.Creditor(t.Context(), creditor)
	testkit.Must(t, err)
	client := in.Client(t, creditor, models.ScopeAdmin)
	client.Put("/api/v1/creditor", `<creditor><kid_length>16</kid_length><kid_customer_digits>7</kid_customer_digits>
		<avtalegiro><enabled>1</enabled><sender_id>`+sender+`</sender_id></avtalegiro></creditor>`).Is(http.StatusOK)
	y := &year{
		bank: girobank.New(girobank.Settings{Sender: sender, FixedDigits: 7}), account: c.BankAccount, owed: map[string]int{}, seen: map[string]bool{},
		random: rand.New(rand.NewPCG(34, 4)), lost: calendar.NextBankDay(rows.Day("2026-10-01")), //nolint:gosec // it need not be secret
	}
	y.bank.Agreement(c.BankAccount)
	y.bank.RepeatReceipts = true
	for n := range payers {
		uri := client.Post("/api/v1/customers", fmt.Sprintf(`<customer><name1>Payer %d</name1><address1>Storgata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name><email>p%d@example.no</email></customer>`, n, n)).Created().URI()
		id, err := strconv.ParseInt(uri[strings.LastIndex(uri, "/")+1:], 10, 64)
		testkit.Must(t, err)
		kid := models.NewKID(fmt.Sprintf("%07d00000000", id), models.Modulus10)
		y.bank.SignUp(c.BankAccount, kid, n%2 == 0, from)
		y.payers = append(y.payers, payer{id, house.PathOf(uri), kid})
	}
	y.program = &program{t: t, cfg: in.Config, key: client.Key, sftp: sftp, bankFolder: filepath.Join(in.Config.Data, "outbox", "avtalegiro")}
	if sftp != nil {
		y.bankFolder = t.TempDir()
	}
	testkit.Must(t, in.Stop())
	y.start()
	t.Cleanup(y.kill)
	y.must(http.MethodPost, "/api/v1/payment_files", "application/octet-stream", string(y.bank.MandateFile(c.BankAccount, true)))
	if got := len(y.must(http.MethodGet, "/api/v1/mandates?per_page=1000", "", "").All("mandate")); got != payers {
		t.Fatalf("%d mandates are known, want %d", got, payers)
	}
	return y
}

// live lives a day.
func (y *year) live(day models.Date) {
	y.t.Helper()
	at := func(clock string) time.Time { return house.Moment(day.String() + " " + clock) }
	after := time.Duration(0)
	if _, _, date := day.Time().Date(); y.random.IntN(8) == 0 || date == 4 {
		after = time.Duration(1+y.random.IntN(20_000)) * time.Microsecond
	}
	y.until(at("09:00"), 0)
	if _, _, date := day.Time().Date(); date == 1 {
		y.invoice(day)
	}
	if y.sftp != nil && day%2 == 0 {
		y.sftp.Kill()
		y.until(at("13:05"), 0)
		y.sftp.Start()
	}
	y.until(at("13:20"), after)
	if day == y.lost {
		y.bank.LoseNextFile()
	}
	y.fetch(at("13:20"))
	y.answers(at("13:21"))
	y.until(at("20:00"), 0)
	y.answers(at("20:00"))
	if drawn := y.bank.Draw(day); drawn != nil {
		y.must(http.MethodPost, "/api/v1/payment_files", "application/octet-stream", string(drawn))
	}
	if changes := y.bank.MandateFile(y.account, false); changes != nil {
		y.must(http.MethodPost, "/api/v1/payment_files", "application/octet-stream", string(changes))
	}
}

// invoice invoices each payer, due on the 20th, and lets some of them do what payers do.
func (y *year) invoice(day models.Date) {
	y.t.Helper()
	for _, p := range y.payers {
		got := y.must(http.MethodPost, "/api/v1/invoices", asXML, fmt.Sprintf(`<invoice><num_due_days>19</num_due_days><shipments><shipment type="original"><shipment_method>EMAIL</shipment_method></shipment></shipments><recipient uri="%s"/>
			<lines><line><line_text>Strøm</line_text><unit_price>%d.%02d</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line></lines></invoice>`, p.uri, 100+y.random.IntN(900), y.random.IntN(100)))
		kid := got.At("ocr_kid_number")
		switch y.random.IntN(40) {
		case 0, 1:
			y.bank.NoCover(kid)
		case 2, 3:
			y.bank.Late(kid, 1)
		case 4, 5, 6:
			if day.Time().Month() != y.lost.Time().Month() {
				y.must(http.MethodPost, house.PathOf(got.URI())+"/ar_transactions", asXML, fmt.Sprintf(`<ar_transaction><amount>-%s</amount><transaction_date>%s</transaction_date></ar_transaction>`, got.At("gross_amount"), day))
			}
		case 7:
			y.bank.End(y.account, p.kid, day)
			y.bank.SignUp(y.account, p.kid, false, day+20)
		}
	}
}

// fetch brings what is new in the folder to the bank. A file that was there before has not changed.
func (y *year) fetch(at time.Time) {
	y.t.Helper()
	folder := y.bankFolder
	entries, err := os.ReadDir(folder)
	testkit.Must(y.t, err)
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || y.seen[e.Name()] {
			continue
		}
		y.seen[e.Name()] = true
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		testkit.Must(y.t, err)
		y.put(y.bank.Receive(e.Name(), content, at))
	}
}

// answers puts the bank's receipts that have become ready into the folder. Every twentieth is lost.
func (y *year) answers(at time.Time) {
	y.t.Helper()
	y.put(y.bank.Receipts(at))
}

func (y *year) put(receipts []girobank.Receipt) {
	y.t.Helper()
	folder := filepath.Join(y.bankFolder, "receipts")
	testkit.Must(y.t, os.MkdirAll(folder, 0o700))
	for _, r := range receipts {
		if strings.HasPrefix(r.Name, "KV.") && y.random.IntN(20) == 0 {
			continue
		}
		testkit.Must(y.t, os.WriteFile(filepath.Join(folder, r.Name), r.Content, 0o600))
	}
}

// judge holds what must be so in the end.
func (y *year) judge(last models.Date) {
	t := y.t
	t.Helper()
	t.Logf("killed %d times; the bank got %d claims and drew %d", y.kills, len(y.bank.Claims()), len(y.bank.Drawn()))
	for _, complaint := range y.bank.Complaints() {
		t.Errorf("the bank complains: %s", complaint)
	}
	if y.kills == 0 {
		t.Error("nothing was killed")
	}
	drawn := map[string]models.Amount{}
	for _, d := range y.bank.Drawn() {
		if drawn[d.KID] != 0 {
			t.Errorf("the KID %s was drawn twice", d.KID)
		}
		drawn[d.KID] += d.Amount
	}
	asked := map[string]int{}
	for _, c := range y.bank.Claims() {
		if !c.Cancellation {
			asked[c.KID]++
		}
	}
	states := map[string]int{}
	for _, listed := range y.invoices() {
		i := y.must(http.MethodGet, house.PathOf(listed.URI()), "", "")
		kid := i.At("ocr_kid_number")
		got := models.Amount(0)
		for _, e := range i.All("ar_transactions/ar_transaction") {
			if e.At("transaction_type") == "OCR" {
				got -= models.Amount(e.Ore("amount"))
			}
		}
		if got != drawn[kid] {
			t.Errorf("invoice %s: the bank drew %s, the ledger has %s", i.At("invoice_number"), drawn[kid], got)
		}
		state, _ := i.Find("avtalegiro/@state")
		states[state]++
		if asked[kid] > 1 || state == "" && asked[kid] > 0 {
			t.Errorf("invoice %s was asked for %d times, and its claim is %q", i.At("invoice_number"), asked[kid], state)
		}
		due := rows.Day(i.At("due_date"))
		if state == string(models.ClaimOwed) && acts.LastDay(due, models.AvtaleGiro{LeadDays: 9}) < last {
			t.Errorf("invoice %s is still owed", i.At("invoice_number"))
		}
		if drawn[kid] > 0 && due < last-3 && state != string(models.ClaimPaid) {
			t.Errorf("invoice %s was drawn, and its claim is %s", i.At("invoice_number"), state)
		}
	}
	t.Logf("the claims are %v", states)
	y.verify()
	for _, state := range []models.ClaimState{models.ClaimPaid, models.ClaimCancelled} {
		if states[string(state)] == 0 && (len(y.payers) >= 100 || state == models.ClaimPaid) {
			t.Errorf("no claim is %s", state)
		}
	}
}

// invoices returns all invoices, as lists show them.
func (y *year) invoices() (all []house.Node) {
	y.t.Helper()
	for page := 1; ; page++ {
		some := y.must(http.MethodGet, fmt.Sprintf("/api/v1/invoices?per_page=1000&page=%d", page), "", "").All("invoice")
		if len(some) == 0 {
			return all
		}
		all = append(all, some...)
	}
}

// verify proves the books, as purr verify does.
func (y *year) verify() {
	y.t.Helper()
	y.kill()
	a, err := app.Start(y.t.Context(), y.cfg, app.Parts{}, slog.New(slog.DiscardHandler))
	testkit.Must(y.t, err)
	defer func() { testkit.Must(y.t, a.Close(y.t.Context())) }()
	testkit.Must(y.t, a.Verify(y.t.Context(), func(_ models.Creditor, d ledger.Difference) {
		y.t.Errorf("purr verify: %+v", d)
	}))
}
