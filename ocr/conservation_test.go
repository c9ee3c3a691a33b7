package ocr

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// Hundreds of files of both formats come, for several creditors and for nobody: again, repackaged, damaged, posted with a
// key; two importers work at once and die now and then, and a creditor gets an account that was nobody's. In the end
// every payment that the bank told of is there once, files = entries + unmatched + duplicates + ignored, and every line
// is in exactly one place (rules E4, E5).
func TestE4NothingIsLostAndNothingIsTwice(t *testing.T) {
	t.Parallel()
	for _, database := range []struct {
		name  string
		url   func(t testing.TB) string
		files int
	}{{"sqlite", testkit.SQLite, 500}, {"mysql", testkit.MySQL, 40}} {
		t.Run(database.name, func(t *testing.T) {
			t.Parallel()
			w := newBankWorld(t, openBooks(t, database.url(t)))
			w.draw(t, database.files)
			w.deliverAll(t)
			w.check(t)
		})
	}
}

// bankWorld is what a bank has told of, and in which files.
type bankWorld struct {
	*books
	random    *rand.Rand
	creditors []models.Creditor
	invoices  map[int64][]models.Invoice
	later     string // an account that is nobody's at first, and then the last creditor's
	payments  []*bankPayment
	files     []*delivery
}

// bankPayment is a payment as it is in the world, whatever files tell of it. Its amount is its own.
type bankPayment struct {
	account string
	kid     string
	amount  models.Amount
	times   int // payments that are equal in all that the bank says
	serial  string
	typ     giro.Type
	toldOf  map[int64]bool // by who posted the file, zero for those that came for all
}

// delivery is a file on its way.
type delivery struct {
	ownerID  int64
	arrival  string
	raw      []byte
	payments []*bankPayment
	rejected bool
	batch    int
	dies     int // after so many transactions of the database
}

func newBankWorld(t *testing.T, b *books) *bankWorld {
	w := &bankWorld{books: b, random: rand.New(rand.NewPCG(54, 9)), invoices: map[int64][]models.Invoice{}, later: "97104133219"}
	for range 3 {
		c := rows.Creditor(t, b.DB)
		w.creditors = append(w.creditors, c)
		for range 4 {
			w.invoices[c.ID] = append(w.invoices[c.ID], rows.Invoice(t, b.DB, c))
		}
	}
	return w
}

// draw makes files: new ones, and those that tell of what others told.
func (w *bankWorld) draw(t *testing.T, n int) {
	for len(w.files) < n {
		told := w.some(w.payments)
		if len(told) == 0 || w.random.IntN(3) > 0 {
			for range 1 + w.random.IntN(4) {
				told = append(told, w.payment())
			}
		}
		d := &delivery{payments: told, batch: 1 + w.random.IntN(3), dies: w.random.IntN(40)}
		d.raw = w.file(t, told, len(w.files))
		if w.random.IntN(15) == 0 {
			d.rejected, d.raw = true, d.raw[:len(d.raw)-5]
		}
		if w.random.IntN(4) == 0 {
			d.ownerID = w.poster(told)
		}
		for range 1 + max(0, w.random.IntN(6)-3) { // the same again, perhaps at the same time
			again := *d
			again.arrival, again.dies = fmt.Sprint(len(w.files)), w.random.IntN(40)
			w.files = append(w.files, &again)
		}
	}
}

// poster returns a creditor who posts the payments with a key. What is posted for an account that the creditor does not
// have yet stays in its queue, for a person.
func (w *bankWorld) poster(payments []*bankPayment) int64 {
	c := w.creditors[w.random.IntN(3)]
	if c.ID == w.creditors[2].ID && slices.ContainsFunc(payments, func(p *bankPayment) bool { return p.account == w.later }) {
		return 0
	}
	return c.ID
}

// some returns some of the payments, in another order.
func (w *bankWorld) some(all []*bankPayment) []*bankPayment {
	some := slices.Clone(all)
	w.random.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
	return some[:min(len(some), w.random.IntN(4))]
}

func (w *bankWorld) payment() *bankPayment {
	c := w.random.IntN(3)
	accounts := []string{w.creditors[0].BankAccount, w.creditors[1].BankAccount, w.creditors[2].BankAccount, w.later, nobodys}
	kid := w.invoices[w.creditors[c].ID][w.random.IntN(4)].KID // the other creditors have the same
	kid = []string{kid, kid, kid, kid, otherKID(10, 10), mistyped(kid), ""}[w.random.IntN(7)]
	p := &bankPayment{
		account: accounts[w.random.IntN(5)], kid: kid, amount: 1_00 + models.Amount(len(w.payments)), times: 1 + w.random.IntN(5)/4,
		serial: fmt.Sprint(w.random.IntN(3)), typ: giro.TypeCorporateGiro, toldOf: map[int64]bool{},
	}
	if w.random.IntN(9) == 0 {
		p.typ = giro.TypeCardReversal
	}
	w.payments = append(w.payments, p)
	return p
}

// file writes the payments in one of the formats. What only OCR giro can tell, or what nothing tells to be the same in
// both, is told in OCR giro alone.
func (w *bankWorld) file(t *testing.T, payments []*bankPayment, number int) []byte {
	byAccount := map[string][]*bankPayment{}
	inBoth := true
	for _, p := range payments {
		byAccount[p.account] = append(byAccount[p.account], p)
		inBoth = inBoth && p.kid != "" && p.typ != giro.TypeCardReversal
	}
	var f bankFile
	var m message
	for _, account := range slices.Sorted(maps.Keys(byAccount)) {
		a, n := assignment{Account: account}, notification{account: account}
		for _, p := range byAccount[account] {
			var lumped []camt.Payment
			for range p.times {
				line := paid(p.kid, p.amount)
				line.Type, line.Serial = p.typ, p.serial
				a.Payments = append(a.Payments, line)
				lumped = append(lumped, credited(p.kid, p.amount))
			}
			n.entries = append(n.entries, lump(lumped...))
		}
		f.Assignments, m.notifications = append(f.Assignments, a), append(m.notifications, n)
	}
	if inBoth && w.random.IntN(2) == 0 {
		m.id = fmt.Sprint("MSG-", number)
		return m.Bytes(t)
	}
	if w.random.IntN(5) == 0 {
		f.Assignments = append(f.Assignments, assignment{Account: w.creditors[0].BankAccount, Mandates: 2})
	}
	f.Number = fmt.Sprint(number)
	return f.Bytes(t)
}

// deliverAll has two importers bring the files. What one leaves behind when it dies, whoever comes by goes on with.
func (w *bankWorld) deliverAll(t *testing.T) {
	half := len(w.files) / 2
	w.deliver(t, w.files[:half])
	w.getsAccount(t, &w.creditors[2], w.later)
	w.deliver(t, w.files[half:])
	must(t, w.sweep(t.Context()))
	if left, err := w.DB.UnfinishedFiles(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("%d files are unfinished, %v", len(left), err)
	}
}

func (w *bankWorld) deliver(t *testing.T, files []*delivery) {
	queue := make(chan *delivery, 2*len(files))
	var coming, importers sync.WaitGroup
	coming.Add(len(files))
	for _, d := range files {
		queue <- d
	}
	for range 2 {
		importers.Go(func() {
			for d := range queue {
				if w.bring(t, d) {
					coming.Done()
					continue
				}
				again := *d
				again.dies = 1000
				queue <- &again
			}
		})
	}
	coming.Wait()
	close(queue)
	importers.Wait()
}

// bring imports a file, and reports false where the importer died over it.
func (w *bankWorld) bring(t *testing.T, d *delivery) bool {
	mine := *w.books
	mine.im = NewImporter(w.im.db, w.im.archive, w.im.log)
	mine.im.batch, mine.im.stalled = d.batch, w.im.stalled
	var got models.PaymentFile
	died := mine.until(t, d.dies, func(ctx context.Context, im *Importer) (err error) {
		got, err = im.Import(ctx, bytes.NewReader(d.raw), Source{OwnerID: d.ownerID, Kind: FromInbox, Arrival: d.arrival})
		return err
	})
	if !died && (got.State == models.FileRejected) != d.rejected {
		t.Errorf("file %d is %s: %v", got.ID, got.State, got.Faults)
	}
	return !died
}

// check holds the books against what the bank told of.
func (w *bankWorld) check(t *testing.T) {
	for _, d := range w.files {
		for _, p := range d.payments {
			p.toldOf[d.ownerID] = p.toldOf[d.ownerID] || !d.rejected
		}
	}
	accounts, err := w.DB.AccountOwners(t.Context())
	must(t, err)
	paid, lines := map[string]models.Amount{}, map[int64]int{} // by creditor and KID, by creditor
	for _, p := range w.payments {
		owner := accounts[p.account]
		if !p.toldOf[0] && (owner == 0 || !p.toldOf[owner]) {
			continue
		}
		lines[owner] += p.times
		if p.typ != giro.TypeCardReversal {
			paid[fmt.Sprint(owner, p.kid)] += models.Amount(p.times) * p.amount
		}
	}
	for _, c := range w.creditors {
		for _, invoice := range w.invoices[c.ID] {
			if got, want := w.Balance(t, invoice), invoice.Gross-paid[fmt.Sprint(c.ID, invoice.KID)]; got != want {
				t.Errorf("on invoice %d of creditor %d %s is owed, want %s", invoice.Number, c.ID, got, want)
			}
		}
		entries := w.posted(t, c)
		queue := slices.DeleteFunc(w.Queue(t, c), func(u models.UnmatchedPayment) bool { return accounts[u.Account] != c.ID })
		if n := len(entries) + len(queue); n != lines[c.ID] {
			t.Errorf("creditor %d has %d payments, the bank told of %d", c.ID, n, lines[c.ID])
		}
		w.Prove(t, c)
	}
	w.checkSums(t)
	w.proveFiles(t)
}

// posted returns the creditor's entries out of files.
func (w *bankWorld) posted(t *testing.T, c models.Creditor) []models.Entry {
	entries, _, err := w.DB.Entries(t.Context(), c.ID, store.EntryFilter{Type: models.EntryOCR}, store.Page{Number: 1, Size: 1_000_000})
	must(t, err)
	return entries
}

// checkSums holds that files = entries + unmatched + duplicates + ignored, in number and in øre, and that the bank's
// statement comes to the same.
func (w *bankWorld) checkSums(t *testing.T) {
	files, err := w.DB.FinishedFiles(t.Context(), 0, 1_000_000)
	must(t, err)
	var all models.PaymentFilePart
	var onStatement models.StatementLine
	for _, f := range files {
		parts, err := w.DB.FileParts(t.Context(), f.ID)
		must(t, err)
		var of models.PaymentFilePart
		for _, p := range parts {
			addPart(&of, p)
			all.Matched += p.Matched
			all.MatchedAmount += p.MatchedAmount
			all.Unmatched += p.Unmatched
			all.UnmatchedAmount += p.UnmatchedAmount
		}
		addPart(&all, of)
		lines, err := w.DB.StatementLinesOfFiles(t.Context(), []int64{f.ID})
		must(t, err)
		for _, l := range lines[f.ID] {
			onStatement.Transactions += l.Transactions - l.Duplicates
			onStatement.FileAmount += l.FileAmount - l.DuplicatesAmount
		}
	}
	var entries, queue int
	var posted models.Amount
	for _, c := range append(w.creditors, models.Creditor{}) {
		for _, e := range w.posted(t, c) {
			entries, posted = entries+1, posted-e.Amount
		}
		queue += len(w.Queue(t, c))
	}
	if all.Matched != entries || all.MatchedAmount != posted || all.Unmatched != queue {
		t.Errorf("matched are %d of %s and unmatched %d; the ledger has %d of %s and the queue %d",
			all.Matched, all.MatchedAmount, all.Unmatched, entries, posted, queue)
	}
	if n := entries + queue + all.Duplicates + all.Ignored; n != all.Transactions {
		t.Errorf("the files hold %d transactions, of which %d are somewhere", all.Transactions, n)
	}
	if a := posted + all.UnmatchedAmount + all.DuplicatesAmount + all.IgnoredAmount; a != all.Amount {
		t.Errorf("the files hold %s, of which %s are somewhere", all.Amount, a)
	}
	if onStatement.Transactions != entries+queue || onStatement.FileAmount != posted+all.UnmatchedAmount {
		t.Errorf("the statement shows %d of %s, the books %d of %s",
			onStatement.Transactions, onStatement.FileAmount, entries+queue, posted+all.UnmatchedAmount)
	}
	t.Logf("%d files, %d transactions: %d entries, %d unmatched, %d duplicates, %d ignored",
		len(files), all.Transactions, entries, queue, all.Duplicates, all.Ignored)
}

func addPart(sum *models.PaymentFilePart, p models.PaymentFilePart) {
	sum.Transactions += p.Transactions
	sum.Amount += p.Amount
	sum.Duplicates += p.Duplicates
	sum.DuplicatesAmount += p.DuplicatesAmount
	sum.Ignored += p.Ignored
	sum.IgnoredAmount += p.IgnoredAmount
}
