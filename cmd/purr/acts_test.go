package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/billing"
	"purr/billing/openitems"
	"purr/internal/clock"
	"purr/jobs"
	"purr/law"
	"purr/ledger/receivables"
	"purr/mailer/shipments"
	"purr/models"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// act is a command that changes something.
type act struct {
	command   string // its path, without purr
	arguments string
	event     models.EventType // the one that it must write; empty for one that is refused
}

// acts are done one after the other on an installation with one creditor, five invoices that are overdue, the first
// invoice's shipment, which failed while the others left, and the bank's files of makeFiles.
var acts = []act{
	{"creditor set", "1 --dunning --dunning-ceiling 0", models.EventCreditorChanged},
	{"creditor way", "1 set sender faktura@fjord.example", models.EventWayChanged},
	{"keys create", "--name shop", models.EventKeyCreated},
	{"keys revoke", "1", models.EventKeyRevoked},
	{"ocr import", "first.txt", models.EventFileImported},
	{"ocr import", "second.txt", models.EventFileImported},
	{"ocr import", "second.txt", models.EventFileDuplicate},
	{"ocr import", "fourth.txt", models.EventFileImported},
	{"ocr gaps dismiss", "1", models.EventTransmissionDismissed},
	{"ocr fetch", "", models.EventFileImported},
	{"ocr confirm-none", "", models.EventBankConfirmed},
	{"ocr unmatched match", "1 --invoice 1", models.EventPaymentMatched},
	{"ocr unmatched unmatch", "1", models.EventPaymentReopened},
	{"ocr unmatched dismiss", "1 --comment repaid", models.EventPaymentDismissed},
	{"ocr unmatched reopen", "1", models.EventPaymentReopened},
	{"ocr unmatched dismiss", "1 --comment repaid", models.EventPaymentDismissed},
	{"dunning rules set", "inkassosats 2027-01-01 800 --source x", models.EventRulesChanged},
	{"dunning rules remove", "inkassosats 2027-01-01", models.EventRulesChanged},
	{"dunning hold", "2 --reason dispute", models.EventHoldSet},
	{"dunning release", "2", models.EventHoldRemoved},
	{"dunning close", "2 --reason lost", models.EventInvoiceClosed},
	{"dunning reopen", "2", models.EventInvoiceReopened},
	{"dunning hand-over", "3", models.EventInvoiceHandedOver},
	{"collection report", "lists/reports.csv", models.EventCollectionReported},
	{"dunning run", "", ""},
	{"dunning approve", "", models.EventRunApproved},
	{"dunning run", "", models.EventDunningRun},
	{"shipments retry", "1", models.EventShipmentRetried},
	{"shipments report", "1 returned --reason moved", models.EventShipmentReturned},
	{"shipments retry", "invoice-1-shipment-1 --method EMAIL --email ny@example.no", models.EventShipmentRetried},
	{"mail report", "", models.EventShipmentFailed},
	{"avtalegiro receipt", "lists/KV.GODKJENT.F0000001.D260302.T130000.K12345678.html", models.EventClaimFileAccepted},
	{"accounts export", "--creditor 1 --last-month -o journal.txt", models.EventAccountsExported},
	{"ways folder", "EMAIL", models.EventWayFolder},
	{"restore accept", "--last-number 100", models.EventHeldAccepted},
	{"restore accept", "", ""},
	{"creditor create", "Fremmed", models.EventCreditorCreated},
	{"creditor accounts approve", "1", models.EventAccountApproved},
	{"creditor set", "name:Fremmed --bank-account 97104133219", models.EventCreditorChanged},
	{"creditor accounts release", "97104133219", models.EventAccountReleased},
	{"adopt", "--creditor name:Fremmed lists/open.csv", models.EventInvoiceAdopted},
	{"adopt", "--creditor name:Fremmed --sync --force lists/none.csv", models.EventBalanceAdopted},
	{"customers forget", "--creditor name:Fremmed --before 2030-01-01 --yes", ""},
	{"customers forget", "--creditor name:Fremmed --before 2030-01-01 --yes --despite-bookkeeping", models.EventCustomerForgotten},
}

// readings are the commands that change nothing that anybody else sees, with arguments for those that are run here.
var readings = map[string]string{
	"version":                "",
	"man":                    "pages",
	"report month":           "--creditor 1",
	"audit foreign":          "letters",
	"accounts list":          "--creditor 1",
	"accounts plan":          "--creditor 1",
	"creditor list":          "",
	"creditor accounts list": "",
	"creditor show":          "1",
	"keys list":              "--creditor 1",
	"ocr checks":             "",
	"ocr diff":               "--all first.txt second.txt",
	"ocr generate":           "--list-faults",
	"ocr get":                "1 -o copy.txt",
	"ocr inspect":            "first.txt",
	"ocr lint":               "first.txt",
	"ocr anonymise":          "first.txt -o anonymous.txt",
	"avtalegiro list":        "--creditor 1",
	"avtalegiro inspect":     "claims.txt",
	"avtalegiro lint":        "claims.txt",
	"ehf show":               "invoice.xml",
	"ehf check":              "invoice.xml",
	"ocr statement":          "--creditor 1",
	"ocr unassigned":         "",
	"ocr unmatched list":     "--creditor 1 --all",
	"ocr unmatched show":     "--creditor 1 2",
	"dunning plan":           "--creditor 1 --reasons",
	"dunning forecast":       "--creditor 1",
	"dunning bundle":         "--creditor 1 3 -o bundle.zip",
	"customers export":       "1 --out customer.zip",
	"dunning rules list":     "",
	"dunning rules check":    ".",
	"shipments list":         "",
	"shipments show":         "1",
	"ways list":              "",
	"ways test":              "bank",
	"mail test":              "kari@example.no --mail-from f@example.no",
	"config example":         "",
	"parts":                  "",
	"verify":                 "--deep",
	"audit":                  "--creditor 1",
	"audit explain":          "invoice 4",
	"audit start":            "--creditor 1",
	"archive repair":         "",
	"storage check":          "",
}

// notRun are the commands that make, run, copy or ask a running installation, or a DNS server, or try servers, and one that needs a kept audit (test/audit has it).
var notRun = []string{"serve", "demo", "api", "worker", "scheduler", "migrate", "health", "status", "audit repay", "backup check", "mail check", "config check", "storage copy"}

// withoutJSON are the readings that write a file, or say only whether something is right.
var withoutJSON = []string{"man", "audit explain", "ocr get", "ocr anonymise", "dunning bundle", "customers export", "dunning rules check", "accounts plan", "config example"}

// TestO8EveryActOfTheCommandLineHasOneEventWithItsActor walks all commands: each is an act or a reading. An act writes
// exactly one event of the person who gives the command, a reading none. What lists or shows prints JSON (rule O4).
func TestO8EveryActOfTheCommandLineHasOneEventWithItsActor(t *testing.T) {
	eachCommand(rootCommand(), func(c *cobra.Command) {
		name := nameOf(c)
		_, reads := readings[name]
		isAct := slices.ContainsFunc(acts, func(a act) bool { return a.command == name })
		if !c.HasSubCommands() && !reads && !isAct && !slices.Contains(notRun, name) {
			t.Errorf("purr %s is neither among the acts nor among the readings", name)
		}
		if wants := reads && !slices.Contains(withoutJSON, name); wants && c.Flags().Lookup("json") == nil {
			t.Errorf("purr %s has no --json", name)
		}
	})
	in := newInstallation(t)
	for _, a := range acts {
		code := 0
		if a.event == "" {
			code = 1
		}
		if a.event == models.EventHeldAccepted {
			rows.Write(t, in.db, func(tx *store.Tx) error { return tx.SetHold(t.Context(), "it was restored") })
		}
		if a.command == "ways folder" {
			rows.Write(t, in.db, func(tx *store.Tx) error { return shipments.NoteLeft(t.Context(), tx, models.ByEmail, models.WaySMTP) })
		}
		if a.command == "adopt" {
			in.makeLists(t)
		}
		if a.command == "collection report" {
			in.makeReports(t)
		}
		if a.command == "avtalegiro receipt" {
			in.makeReceipt(t, a.arguments)
		}
		if a.command == "mail report" {
			in.pipe(t, in.bounced(t))
		}
		in.purr(t, code, a.command+" "+a.arguments)
		in.wantEvent(t, a)
	}
	for name, arguments := range readings {
		if !slices.Contains(withoutJSON, name) {
			arguments += " --json"
		}
		code := 0
		if name == "ocr diff" || name == "audit foreign" {
			code = 1 // they differ, and are unlawful
		}
		said := in.purr(t, code, name+" "+arguments)
		if strings.HasSuffix(arguments, "--json") && !json.Valid([]byte(said)) {
			t.Errorf("purr %s %s says no JSON: %s", name, arguments, said)
		}
		if told := in.told(t); len(told) > 0 {
			t.Errorf("purr %s wrote the events %v", name, told)
		}
	}
}

// makeReceipt makes a receipt of the bank's, of a file of claims that it has.
func (in *installation) makeReceipt(t *testing.T, path string) {
	t.Helper()
	rows.Write(t, in.db, func(tx *store.Tx) error {
		f := models.ClaimFile{CreditorID: 1, SenderID: "12345678", Day: rows.Today, DeliverBy: rows.Today}
		if err := tx.CreateClaimFile(t.Context(), &f); err != nil {
			return err
		}
		f.State, f.DeliveredAt, f.Attempts = models.ClaimFileDelivered, &tx.Now, 1
		return tx.UpdateClaimFile(t.Context(), f)
	})
	testkit.Must(t, os.WriteFile(path, []byte("<html>GODKJENT</html>"), 0o600))
}

func nameOf(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), "purr ") }

// installation is a data folder on SQLite with a test clock, and a bank with an SFTP server.
type installation struct {
	db   *store.DB
	seen int64 // the last event that was looked at
}

func newInstallation(t *testing.T) *installation {
	t.Helper()
	document, err := os.ReadFile(filepath.Join("..", "..", "documents", "ehf", "testdata", "invoice.xml"))
	testkit.Must(t, err)
	t.Chdir(t.TempDir())
	testkit.Must(t, os.WriteFile("invoice.xml", document, 0o600))
	now := rows.Start.AddDate(0, 0, 43)
	data := t.TempDir()
	t.Setenv("PURR_DATA", data)
	in := &installation{db: rows.OpenWith(t, "sqlite://"+filepath.Join(data, "purr.db"), clock.NewTest(now))}
	creditor := rows.Creditor(t, in.db, func(c *models.Creditor) { c.Name = "Fjord AS" })
	for range 5 {
		rows.Invoice(t, rows.On(in.db, rows.Today), creditor)
	}
	rows.Write(t, in.db, func(tx *store.Tx) error {
		taken, err := shipments.TakeAll(t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, []int64{1}, "a worker")
		if err != nil {
			return err
		}
		_, err = shipments.Record(t.Context(), tx, taken[0], "", models.Refuse(models.BlameRecipient, nil, "the printer is gone"))
		return err
	})
	rows.Send(t, in.db, creditor)
	rows.Write(t, in.db, func(tx *store.Tx) error { return jobs.SaveTestClock(t.Context(), tx, now) })
	in.makeFiles(t, creditor.BankAccount)
	in.told(t)
	return in
}

// TestL16AStatementIsShownBelowItsCustomer asks for the shipment of a statement.
func TestL16AStatementIsShownBelowItsCustomer(t *testing.T) {
	in := newInstallation(t)
	creditors, err := in.db.Creditors(t.Context())
	testkit.Must(t, err)
	invoice := rows.Invoice(t, in.db, creditors[0])
	var sent models.Shipment
	rows.Write(t, in.db, func(tx *store.Tx) error {
		sent, err = receivables.Send(t.Context(), tx, creditors[0], invoice.CustomerID, store.Dates{}, "kari@example.no", "a person")
		return err
	})
	want := fmt.Sprintf("/api/v1/customer/%d/statement\n", invoice.CustomerID)
	if said := in.purr(t, 0, fmt.Sprintf("shipments show %d", sent.ID)); !strings.Contains(said, want) {
		t.Errorf("the document of a statement's shipment is not at %s: %s", want, said)
	}
}

// makeFiles makes three bank files, of whose transmissions the third number is left out, and one in the bank's folder.
func (in *installation) makeFiles(t *testing.T, account string) {
	t.Helper()
	in.purr(t, 0, "audit foreign --template letters")
	bank, folder := testkit.SFTPServer(t), t.TempDir()
	t.Setenv("PURR_SFTP_URL", bank.Folder(folder))
	t.Setenv("PURR_SFTP_KEY_FILE", bank.KeyFile)
	t.Setenv("PURR_SFTP_HOST_KEY", bank.HostKey)
	for number, path := range map[string]string{"1": "first.txt", "2": "second.txt", "4": "fourth.txt", "5": filepath.Join(folder, "fifth.txt")} {
		in.purr(t, 0, "ocr generate --seed "+number+" --transactions 2 --date 2026-04-13 --account "+account+" --number 500000"+number+" -o "+path)
		past := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	claims := giro.ClaimFile{Sender: "10101010", Number: 1, Assignments: []giro.ClaimAssignment{{
		Number: 1, Account: account, Claims: []giro.Claim{{Type: giro.ClaimOwnNotice, Due: today() + 20, Amount: 100, KID: "0000000018"}},
	}}}
	var file bytes.Buffer
	testkit.Must(t, claims.Write(&file))
	testkit.Must(t, os.WriteFile("claims.txt", file.Bytes(), 0o600))
}

// makeLists makes the lists of another system, and room for its numbers below the second creditor's series.
// makeReports makes a file of the debt collector's, who has the invoice 3.
func (in *installation) makeReports(t *testing.T) {
	t.Helper()
	i, err := in.db.InvoiceByNumber(t.Context(), 1, 3)
	testkit.Must(t, err)
	testkit.Must(t, os.MkdirAll("lists", 0o700))
	testkit.Must(t, os.WriteFile("lists/reports.csv", []byte("invoice;state;at\n3;received;"+i.HandedOver.String()+"\n"), 0o600))
}

func (in *installation) makeLists(t *testing.T) {
	t.Helper()
	testkit.Must(t, os.MkdirAll("lists", 0o700))
	testkit.Must(t, os.WriteFile("lists/open.csv", []byte(openitems.Template), 0o600))
	head, _, _ := strings.Cut(openitems.Template, "\n")
	testkit.Must(t, os.WriteFile("lists/none.csv", []byte(head+"\n"), 0o600))
	rows.Write(t, in.db, func(tx *store.Tx) error {
		c, err := tx.Creditor(t.Context(), 2)
		if err != nil || c.FirstNumber > 1 {
			return err
		}
		if err := tx.SetFirstNumber(t.Context(), c.ID, 100_000); err != nil {
			return err
		}
		c.FirstNumber = 100_000
		customer := models.Customer{CreditorID: c.ID, Recipient: models.Recipient{Name1: "Ola Nordmann", CountryCode: "NO", CustomerNumber: "K-17"}}
		if err := tx.CreateCustomer(t.Context(), &customer); err != nil {
			return err
		}
		return tx.UpdateCreditor(t.Context(), &c)
	})
}

// purr runs the program and returns what it said on standard output.
func (in *installation) purr(t *testing.T, code int, commandLine string) string {
	t.Helper()
	stdout, stderr := capture(t, &os.Stdout), capture(t, &os.Stderr)
	got := run(strings.Fields(commandLine))
	said, complained := stdout(), stderr()
	if got != code {
		t.Errorf("purr %s: exit code %d, want %d; it says %s%s", commandLine, got, code, said, complained)
	}
	return said
}

// capture has what is written to a stream kept, until the function that it returns is called.
func capture(t *testing.T, stream **os.File) func() string {
	t.Helper()
	before := *stream
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	*stream = file
	return func() string {
		*stream = before
		_, err := file.Seek(0, io.SeekStart)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		_ = file.Close()
		return string(text)
	}
}

// pipe gives the program a text on standard input, until the test ends.
func (in *installation) pipe(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stdin")
	testkit.Must(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := os.Open(path)
	testkit.Must(t, err)
	before := os.Stdin
	os.Stdin = file
	t.Cleanup(func() {
		os.Stdin = before
		_ = file.Close()
	})
}

// bounced returns a delivery report on an e-mail that has left.
func (in *installation) bounced(t *testing.T) string {
	t.Helper()
	creditors, err := in.db.Creditors(t.Context())
	testkit.Must(t, err)
	to := rows.Customer(t, in.db, creditors[0], func(c *models.Customer) { c.Recipient.Email = "kari@kunde.example" })
	i := rows.Invoice(t, in.db, creditors[0], rows.To(to), func(r *billing.InvoiceRequest) { r.Method = models.ByEmail })
	rows.Send(t, in.db, creditors[0])
	of, err := in.db.ShipmentsOf(t.Context(), i.Document())
	testkit.Must(t, err)
	key, err := in.db.BounceKey(t.Context())
	testkit.Must(t, err)
	return "To: bounce+" + shipments.Tag(key, of[0]) + "@example.no\nContent-Type: multipart/report; boundary=b\n\n" +
		"--b\nContent-Type: message/delivery-status\n\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
}

// told returns the new events of the person at the command line.
func (in *installation) told(t *testing.T) []models.Event {
	t.Helper()
	creditors, err := in.db.Creditors(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var told []models.Event
	last := in.seen
	for _, c := range append(creditors, models.Creditor{}) {
		events, err := in.db.Events(t.Context(), c.ID, in.seen, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			last = max(last, e.ID)
			if e.Actor == operator.CommandLine() {
				told = append(told, e)
			}
		}
	}
	in.seen = last
	return told
}

func (in *installation) wantEvent(t *testing.T, a act) {
	t.Helper()
	told := in.told(t)
	if a.event == "" && len(told) == 0 {
		return
	}
	if len(told) != 1 || told[0].Type != a.event {
		t.Errorf("purr %s %s wrote the events %+v of its actor, want one of type %s", a.command, a.arguments, told, a.event)
	}
}

// TestO2OnlySomeCommandsMakeAnInstallation walks all commands: each that works on an installation fails where there is
// none, and makes nothing there.
func TestO2OnlySomeCommandsMakeAnInstallation(t *testing.T) {
	makers, needNone := []string{"serve", "migrate", "demo", "restore"}, []string{"config check", "mail test", "ways test"}
	t.Setenv("PURR_REDIS_URL", "redis://127.0.0.1:1/0")
	for _, database := range []string{"", testkit.MySQL(t)} {
		t.Setenv("PURR_DATABASE_URL", database)
		if database == "" {
			testkit.Must(t, os.Unsetenv("PURR_DATABASE_URL"))
		}
		eachCommand(rootCommand(), func(c *cobra.Command) {
			if c.Flags().Lookup("data") == nil || slices.Contains(makers, nameOf(c)) {
				return
			}
			data := filepath.Join(t.TempDir(), "none")
			testkit.Must(t, c.Flags().Set("data", data))
			c.SetContext(t.Context())
			err := c.RunE(c, []string{"1", "1", "1"})
			if want := "no installation in " + data + ": --data or PURR_DATA names it"; !slices.Contains(needNone, nameOf(c)) && (err == nil || !strings.HasPrefix(err.Error(), want)) {
				t.Errorf("purr %s on %q says %v, want %s", nameOf(c), database, err, want)
			}
			if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("purr %s has made %s", nameOf(c), data)
			}
		})
	}
}

// TestO4EveryHelpTeaches walks all commands: each has examples, whose flags and arguments the named commands take.
func TestO4EveryHelpTeaches(t *testing.T) {
	eachCommand(rootCommand(), func(c *cobra.Command) {
		if c.HasSubCommands() && c.Example == "" {
			return
		}
		if !strings.Contains(c.Example, "  "+c.CommandPath()) {
			t.Errorf("%s has no example of itself", c.CommandPath())
		}
		for _, line := range strings.Split(c.Example, "\n") {
			for _, part := range regexp.MustCompile(`(\||&&) `).Split(line, -1) {
				if words := shellWords(part); len(words) > 0 && words[0] == "purr" {
					if err := understood(words[1:]); err != nil {
						t.Errorf("%s --help shows %q: %v", c.CommandPath(), strings.TrimSpace(line), err)
					}
				}
			}
		}
	})
}

// understood returns what is wrong with a command line, which it does not run.
func understood(words []string) error {
	c, rest, err := rootCommand().Find(words)
	if err != nil {
		return err
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	return errors.Join(c.ValidateArgs(c.Flags().Args()), c.ValidateRequiredFlags())
}

// shellWords splits a line as a shell does, as far as the examples need it, and leaves redirections out.
func shellWords(line string) []string {
	var words []string
	for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		if !strings.HasPrefix(word, ">") && !strings.HasPrefix(word, "<") {
			words = append(words, strings.Trim(word, "'"))
		}
	}
	return words
}
