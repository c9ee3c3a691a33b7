package ocr

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit/rows"
)

// world is what two creditors' books should hold, worked out beside the program. Each creditor has an
// invoice of 1000 kroner, and one that was paid and credited. Their numbers and so their KIDs are the same.
type world struct {
	*books
	*past
	creditors []models.Creditor
	invoices  map[int64][]models.Invoice
	notes     map[int64]models.CreditNote
	drawn     []bankFile

	lines  map[int64]map[string]bool // by creditor: what has come
	owed   map[int64]models.Amount   // by invoice
	credit map[int64]models.Amount   // by credit note: what is outstanding
	waits  map[int64][]string        // by creditor: the queue
}

// past is what has come in all worlds of one database.
type past struct {
	worlds  int
	live    map[string]map[int64]bool // by owner and content of a file that was taken: who has a part in it
	nobodys map[string]bool           // lines for an account that nobody has
	numbers map[string][]string       // by sender, number, recipient, creditor and account: the contents that came
}

func newWorld(t *testing.T, b *books, all *past) *world {
	all.worlds++
	w := &world{
		books: b, past: all, invoices: map[int64][]models.Invoice{}, notes: map[int64]models.CreditNote{},
		lines: map[int64]map[string]bool{0: all.nobodys},
		owed:  map[int64]models.Amount{}, credit: map[int64]models.Amount{}, waits: map[int64][]string{},
	}
	for range 2 {
		c := rows.Creditor(t, b.DB)
		invoice, credited := rows.Invoice(t, b.DB, c), rows.Invoice(t, b.DB, c)
		must(t, b.Pay(t.Context(), credited, 1000_00))
		note := rows.CreditNote(t, b.DB, c, credited)
		w.creditors, w.lines[c.ID] = append(w.creditors, c), map[string]bool{}
		w.invoices[c.ID], w.notes[c.ID] = []models.Invoice{invoice, credited}, note
		w.owed[invoice.ID], w.owed[credited.ID], w.credit[note.ID] = 1000_00, 0, 1000_00
	}
	return w
}

// outcome of a file as it should be.
type expectation struct {
	state models.FileState
	parts map[int64]models.PaymentFilePart
}

// expect works out what becomes of a file, and takes it into the world.
func (w *world) expect(t tester, ownerID int64, acceptConflict bool, file []byte) expectation {
	t.Helper()
	reader := giro.NewReader(bytes.NewReader(file), today)
	var transactions []giro.Transaction
	for tx, err := reader.Next(); !errors.Is(err, io.EOF); tx, err = reader.Next() {
		var faults models.FileFaults
		if errors.As(err, &faults) {
			return expectation{state: models.FileRejected}
		}
		must(t, err)
		transactions = append(transactions, *tx)
	}
	parsed := reader.Summary()
	e := expectation{models.FileImported, map[int64]models.PaymentFilePart{}}
	for _, transmission := range parsed.Transmissions {
		for _, a := range transmission.Assignments {
			id := w.recipient(ownerID, a.Account)
			part := e.parts[id]
			part.Transactions += a.Ignored
			part.Ignored += a.Ignored
			e.parts[id] = part
		}
	}
	content := strings.TrimRight(strings.ReplaceAll(string(file), "\r", ""), "\n")
	if w.live[fmt.Sprint(ownerID, content)] != nil || w.live[fmt.Sprint(0, content)][ownerID] || ownerID == 0 && w.postedByEach(parsed, content) {
		e.state = models.FileDuplicate
	} else {
		if !w.number(ownerID, acceptConflict, parsed, content) {
			return expectation{state: models.FileRejected}
		}
		w.live[fmt.Sprint(ownerID, content)] = map[int64]bool{}
		for id := range e.parts {
			w.live[fmt.Sprint(ownerID, content)][id] = true
		}
	}
	equal := map[string]int{}
	for i := range transactions {
		tx := &transactions[i]
		fingerprint := fmt.Sprintf("%x", tx.Fingerprint())
		line := fmt.Sprint(fingerprint, " ", equal[fingerprint])
		equal[fingerprint]++
		id := w.recipient(ownerID, tx.Assignment.Account)
		part := e.parts[id]
		w.place(&part, tx, id, line, e.state)
		e.parts[id] = part
	}
	return e
}

// postedByEach reports whether each creditor whose account a file names has posted its content (rule L21).
func (w *world) postedByEach(file *giro.Summary, content string) bool {
	accounts := 0
	for _, t := range file.Transmissions {
		for _, a := range t.Assignments {
			if w.live[fmt.Sprint(w.recipient(0, a.Account), content)] == nil {
				return false
			}
			accounts++
		}
	}
	return accounts > 0
}

// number takes the numbers of a file's transmissions into the world, and reports false, taking none, where one came
// for an account with other content, and that is not accepted.
func (w *world) number(ownerID int64, acceptConflict bool, file *giro.Summary, content string) bool {
	var used []string
	for _, t := range file.Transmissions {
		for _, a := range t.Assignments {
			key := fmt.Sprint(t.Sender, " ", t.Number, " ", t.Recipient, " ", w.recipient(ownerID, a.Account), " ", a.Account)
			contents := w.numbers[key]
			if len(contents) > 0 && !slices.Contains(contents, content) && !acceptConflict {
				return false
			}
			used = append(used, key)
		}
	}
	for _, key := range used {
		w.numbers[key] = append(w.numbers[key], content)
	}
	return true
}

func (w *world) recipient(ownerID int64, account string) int64 {
	if ownerID != 0 {
		return ownerID
	}
	for _, c := range w.creditors {
		if c.BankAccount == account {
			return c.ID
		}
	}
	return 0
}

// place puts one transaction where it belongs, in the world and in the creditor's part.
func (w *world) place(part *models.PaymentFilePart, tx *giro.Transaction, id int64, line string, state models.FileState) {
	counted := tx.Assignment.Counted(tx)
	part.Transactions++
	part.Amount += counted
	if state == models.FileDuplicate || w.lines[id][line] {
		part.Duplicates++
		part.DuplicatesAmount += counted
		return
	}
	w.lines[id][line] = true
	amount := tx.Amount
	if tx.Negative || tx.Type == 18 || tx.Type == 20 {
		amount = -amount
	}
	reason := w.post(id, tx, amount)
	if reason == "" {
		part.Matched++
		part.MatchedAmount += counted
		return
	}
	part.Unmatched++
	part.UnmatchedAmount += counted
	w.waits[id] = append(w.waits[id], fmt.Sprint(reason, " ", amount))
}

// post changes what is owed, or returns why the payment waits.
func (w *world) post(id int64, tx *giro.Transaction, amount models.Amount) models.UnmatchedReason {
	kid := strings.TrimLeft(tx.KID(), "0")
	note := w.notes[id]
	switch {
	case id == 0 || w.recipient(0, tx.Assignment.Account) != id:
		return models.ReasonOtherAccount
	case amount < 0 && tx.Type != 18 && tx.Type != 20 && kid == strings.TrimLeft(note.KID, "0") && -amount <= w.credit[note.ID]:
		w.credit[note.ID] += amount
		return ""
	case amount < 0, tx.Type == 18, tx.Type == 20:
		return models.ReasonReversal
	case kid == "":
		return models.ReasonNoKID
	}
	for _, invoice := range w.invoices[id] {
		if kid == strings.TrimLeft(invoice.KID, "0") {
			w.owed[invoice.ID] -= amount
			return ""
		}
	}
	if filledTo10 := tx.KID()[max(0, len(tx.KID())-10):]; len(kid) <= 10 && len(tx.KID()) >= 10 && models.ValidKID(filledTo10, 10) {
		return models.ReasonUnknownKID
	}
	return models.ReasonInvalidKID
}

// compare expects the program's books to be the world's.
func (w *world) compare(t tester, got models.PaymentFile, want expectation) {
	t.Helper()
	if got.State != want.state {
		t.Fatalf("the file is %s, want %s: %v", got.State, want.state, got.Faults)
	}
	parts, err := w.DB.FileParts(t.Context(), got.ID)
	must(t, err)
	for _, p := range parts {
		id := p.CreditorID
		p.ID, p.PaymentFileID, p.CreditorID, p.LatestDate = 0, 0, 0, 0
		if p != want.parts[id] {
			t.Errorf("creditor %d's part is\n%+v, want\n%+v", id, p, want.parts[id])
		}
	}
	if len(parts) != len(want.parts) {
		t.Errorf("%d creditors have a part, want %d", len(parts), len(want.parts))
	}
	for _, c := range w.creditors {
		w.compareBooks(t, c)
	}
	w.proveFile(t, got)
}

func (w *world) compareBooks(t tester, c models.Creditor) {
	t.Helper()
	for _, invoice := range w.invoices[c.ID] {
		if owed := w.Balance(t, invoice); owed != w.owed[invoice.ID] {
			t.Errorf("%s is owed on invoice %d of creditor %d, want %s", owed, invoice.Number, c.ID, w.owed[invoice.ID])
		}
	}
	note, err := w.DB.CreditNote(t.Context(), c.ID, w.notes[c.ID].ID)
	must(t, err)
	if -note.Balance != w.credit[note.ID] {
		t.Errorf("%s of creditor %d's credit is outstanding, want %s", -note.Balance, c.ID, w.credit[note.ID])
	}
	waiting := w.Queue(t, c)
	if got, want := queued(waiting), strings.Join(w.waits[c.ID], ", "); got != want {
		t.Errorf("creditor %d's queue holds\n%s, want\n%s", c.ID, got, want)
	}
	entries, _, err := w.DB.Entries(t.Context(), c.ID, store.EntryFilter{Type: models.EntryOCR}, store.Page{Number: 1, Size: 10_000})
	must(t, err)
	if len(entries)+len(waiting) != len(w.lines[c.ID]) {
		t.Errorf("%d lines are in the ledger and %d wait, of %d", len(entries), len(waiting), len(w.lines[c.ID]))
	}
	if i := slices.IndexFunc(entries, func(e models.Entry) bool { return e.PaymentFileID == 0 || e.CustomerID == 0 || len(e.LineKey) != 32 }); i >= 0 {
		t.Errorf("an entry says too little: %+v", entries[i])
	}
	w.Prove(t, c)
}
