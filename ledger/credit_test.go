package ledger_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestL5WhereCreditGoes(t *testing.T) {
	t.Parallel()
	invoice := func(id int64, balance models.Amount, due string, changes ...func(*models.Invoice)) models.Invoice {
		i := models.Invoice{ID: id, Number: id, Balance: balance * 100, DueDate: day(due)}
		for _, change := range changes {
			change(&i)
		}
		return i
	}
	closed := func(i *models.Invoice) { i.Closed = models.ClosedLost }
	handedOver := func(i *models.Invoice) { i.HandedOver = day("2026-03-01") }
	note := func(id int64, balance models.Amount) models.CreditNote {
		return models.CreditNote{ID: id, InvoiceID: 1, Number: id, Balance: balance * 100}
	}
	overpaid, open, later := invoice(1, -500, "2026-01-15"), invoice(2, 300, "2026-02-01"), invoice(3, 400, "2026-02-02")
	tests := []struct {
		why      string
		invoices []models.Invoice
		notes    []models.CreditNote
		want     string
	}{
		{"nobody owes: nothing moves", []models.Invoice{overpaid}, nil, ""},
		{"nothing is free: nothing moves", []models.Invoice{open, later}, nil, ""},
		{"no more than is owed", []models.Invoice{overpaid, open}, nil, "invoice 1 > 2: 300"},
		{"no more than is free", []models.Invoice{invoice(1, -500, "2026-01-15"), invoice(2, 900, "2026-02-01")}, nil, "invoice 1 > 2: 500"},
		{"the oldest due date comes first, whatever the number", []models.Invoice{overpaid, invoice(2, 300, "2026-02-03"), later}, nil, "invoice 1 > 3: 400, invoice 1 > 2: 100"},
		{"of one due date the older invoice", []models.Invoice{overpaid, invoice(2, 300, "2026-02-02"), later}, nil, "invoice 1 > 2: 300, invoice 1 > 3: 200"},
		{"from a credit note", []models.Invoice{open}, []models.CreditNote{note(9, -250)}, "credit note 9 > 2: 250"},
		{"what was overpaid goes before credit notes", []models.Invoice{overpaid, open, later}, []models.CreditNote{note(9, -250)}, "invoice 1 > 2: 300, invoice 1 > 3: 200, credit note 9 > 3: 200"},
		{"several small credits pay one invoice", []models.Invoice{invoice(1, -100, "2026-01-15"), open, invoice(4, -50, "2026-01-15")}, nil, "invoice 1 > 2: 100, invoice 4 > 2: 50"},
		{"a credit note that was paid out gives nothing", []models.Invoice{open}, []models.CreditNote{note(9, 0)}, ""},
		{"a closed invoice gets nothing", []models.Invoice{overpaid, invoice(2, 300, "2026-02-01", closed), later}, nil, "invoice 1 > 3: 400"},
		{"nor one that the debt collector has", []models.Invoice{overpaid, invoice(2, 300, "2026-02-01", handedOver)}, nil, ""},
		{"but what is overpaid on one is the customer's", []models.Invoice{invoice(1, -500, "2026-01-15", handedOver), open}, nil, "invoice 1 > 2: 300"},
		{"an invoice that is not yet due gets credit too, last", []models.Invoice{overpaid, invoice(2, 300, "2027-02-01"), later}, nil, "invoice 1 > 3: 400, invoice 1 > 2: 100"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			given := slices.Clone(tt.invoices)
			var got []string
			for _, m := range ledger.Moves(tt.invoices, tt.notes, 0) {
				got = append(got, fmt.Sprintf("%s > %d: %s", m.From, m.To.ID, kroner(m.Amount)))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("it is %q, want %q", strings.Join(got, ", "), tt.want)
			}
			if !reflect.DeepEqual(given, tt.invoices) {
				t.Error("the invoices that were given are changed")
			}
		})
	}
}

// TestD96CreditCoversClaimsBeforeRepayments moves the credit of customers at random: as runs do, and as persons do. No run covers a
// repayment, and nobody covers one while something is claimed on an open invoice.
func TestD96CreditCoversClaimsBeforeRepayments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var invoices []models.Invoice
		var claimed, repayments models.Amount
		for n := range rapid.IntRange(1, 6).Draw(rt, "invoices") {
			i := models.Invoice{ID: int64(n) + 1, DueDate: models.Date(rapid.IntRange(0, 3).Draw(rt, "due"))}
			i.Balance = models.Amount(rapid.IntRange(-9, 9).Draw(rt, "balance"))
			i.RepaymentOwed = models.Amount(rapid.IntRange(0, int(max(i.Balance, 0))).Draw(rt, "repayment"))
			if i.Balance > 0 {
				claimed, repayments = claimed+i.Claimed(), repayments+i.RepaymentOwed
			}
			invoices = append(invoices, i)
		}
		free := ledger.FreeCredit(invoices, nil)
		for _, moves := range []struct {
			of              []ledger.Move
			claims, handled models.Amount // what the moves cover of claims, and of repayments
		}{
			{ledger.Moves(invoices, nil, 0), min(free, claimed), 0},
			{ledger.MovesByHand(invoices, nil, 0), min(free, claimed), min(max(free-claimed, 0), repayments)},
		} {
			after := map[int64]models.Invoice{}
			for _, i := range invoices {
				after[i.ID] = i
			}
			for _, m := range moves.of {
				to, from := after[m.To.ID], after[m.From.InvoiceID]
				to.Balance, from.Balance = to.Balance-m.Amount, from.Balance+m.Amount
				to.RepaymentOwed = min(to.RepaymentOwed, to.Balance)
				after[m.To.ID], after[m.From.InvoiceID] = to, from
			}
			var stillClaimed, stillRepayments models.Amount
			for _, i := range after {
				stillClaimed, stillRepayments = stillClaimed+max(i.Claimed(), 0), stillRepayments+i.RepaymentOwed
			}
			if stillClaimed != claimed-moves.claims || stillRepayments != repayments-moves.handled {
				rt.Fatalf("after %+v %s is claimed and %s is owed as repayments", moves.of, stillClaimed, stillRepayments)
			}
		}
	})
}

// customer is a customer with invoices of 1000 kroner each, due one after the other.
type customer struct {
	t        *testing.T
	db       *store.DB
	creditor models.Creditor
	id       int64
	invoices []*account
}

func newCustomer(t *testing.T, db *store.DB, invoices int) *customer {
	t.Helper()
	c := &customer{t: t, db: db, creditor: rows.Creditor(t, db)}
	customers := rows.Customer(t, db, c.creditor)
	c.id = customers.ID
	for n := range invoices {
		i := rows.Invoice(t, db, c.creditor, rows.To(customers), rows.DueIn(10+n))
		c.invoices = append(c.invoices, &account{t: t, db: db, creditor: c.creditor, id: i.ID})
	}
	return c
}

// settle moves the customer's credit as a person, and returns how many moves it made.
func (c *customer) settle() (moves int, err error) {
	err = c.db.InTx(c.t.Context(), func(_ context.Context, tx *store.Tx) error {
		made, err := ledger.MoveCredit(c.t.Context(), tx, c.creditor.ID, c.id, rows.Today, "key 7", nil)
		if err != nil {
			return err
		}
		moves = len(made)
		return nil
	})
	return moves, err
}

// books returns the entries of all invoices, a line each.
func (c *customer) books() string {
	var all []string
	for _, a := range c.invoices {
		all = append(all, a.books())
	}
	return strings.Join(all, "\n")
}

// proved expects the books to add up, and the customer to owe the amount.
func (c *customer) proved(balance string) {
	c.t.Helper()
	differences, err := ledger.Verify(c.t.Context(), c.db, c.creditor)
	if err != nil || len(differences) > 0 {
		c.t.Errorf("the books: %v, %v", differences, err)
	}
	entries, _, err := c.db.Entries(c.t.Context(), c.creditor.ID, store.EntryFilter{CustomerID: c.id}, store.Page{Number: 1, Size: 1000})
	must(c.t, err)
	if got := ledger.TotalsOf(entries).Balance; kroner(got) != balance {
		c.t.Errorf("the customer owes %s, want %s", got, balance)
	}
}

func TestL5CreditMovesByPairs(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := newCustomer(t, db, 4)
		c.invoices[0].do("pay 1200")
		c.invoices[3].do("pay 700, credit") // 700 is outstanding on the credit note
		c.proved("1100")
		for try, want := range []int{2, 0} {
			if moves, err := c.settle(); err != nil || moves != want {
				t.Errorf("try %d makes %d moves, %v, want %d", try, moves, err, want)
			}
		}
		if got, want := c.books(), `invoice invoiced 1000 paid -1200 paid 200 = 0
invoice invoiced 1000 paid -200 credited -700 = 100
invoice invoiced 1000 = 1000
invoice invoiced 1000 paid -700 credited -300 = 0, note credited -1000 credited 300 credited 700 = 0`; got != want {
			t.Errorf("the books are\n%s\nwant\n%s", got, want)
		}
		c.proved("1100")
		var comments []string
		for _, a := range c.invoices {
			entries, err := db.EntriesOfInvoiceAndCreditNote(t.Context(), a.id)
			must(t, err)
			for _, e := range entries {
				if e.Comment != "" {
					comments = append(comments, fmt.Sprintf("%s of %s: %s", e.Type, e.TransactionDate, e.Comment))
				}
			}
		}
		if want := []string{
			"PAYMENT of 2026-03-02: moved to invoice 2", "PAYMENT of 2026-03-02: moved from invoice 1",
			"CREDIT_NOTE of 2026-03-02: moved from credit note 5", "CREDIT_NOTE of 2026-03-02: moved to invoice 2",
		}; !slices.Equal(comments, want) {
			t.Errorf("the comments are %q, want %q", comments, want)
		}
		events, err := db.Events(t.Context(), c.creditor.ID, 0, 1000)
		must(t, err)
		events = slices.DeleteFunc(events, func(e models.Event) bool { return e.Type != models.EventCreditMoved })
		if len(events) != 1 || events[0].Actor != "key 7" || events[0].CustomerID != c.id || events[0].SubjectID != c.id ||
			events[0].Text != "900.00 of the customer's credit moved to invoice 2" ||
			events[0].Data != `{"amount":"900.00","moves":[{"from":"invoice 1","to":"invoice 2","amount":"200.00"},{"from":"credit note 5","to":"invoice 2","amount":"700.00"}]}` {
			t.Errorf("the events are %+v", events)
		}
	})
}

// TestL5CreditIsMovedOnce lets several persons settle at once, while others pay: each krone is moved once.
func TestL5CreditIsMovedOnce(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := newCustomer(t, db, 4)
		c.invoices[3].do("pay 1500")
		var all sync.WaitGroup
		for n := range 4 {
			all.Go(func() {
				if _, err := c.settle(); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() {
				if _, err := c.invoices[n].register(ledger.Payment{Amount: -400_00, Date: rows.Today}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if _, err := c.settle(); err != nil {
			t.Error(err)
		}
		c.proved("900")
		credit, err := db.FreeCredit(t.Context(), c.creditor.ID, []int64{c.id})
		if err != nil || len(credit) > 0 {
			t.Errorf("there is credit left: %v, %v", credit, err)
		}
	})
}

// TestL5DeletingHalfOfAMoveDeletesTheOther deletes either entry of a move: no money appears, and none is lost.
func TestL5DeletingHalfOfAMoveDeletesTheOther(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for half := range 2 {
			c := newCustomer(t, db, 2)
			c.invoices[1].do("pay 1600")
			if moves, err := c.settle(); err != nil || moves != 1 {
				t.Fatal(moves, err)
			}
			entries, err := db.EntriesOfInvoice(t.Context(), c.invoices[half].id)
			must(t, err)
			must(t, c.invoices[half].remove(entries[len(entries)-1].ID))
			if got, want := c.books(), "invoice invoiced 1000 = 1000\ninvoice invoiced 1000 paid -1600 = -600"; got != want {
				t.Errorf("the books are\n%s\nwant\n%s", got, want)
			}
			c.proved("400")
			if err := c.invoices[half].remove(entries[len(entries)-1].ID); models.KindOf(err) != models.KindNotFound {
				t.Errorf("the second time: %v", err)
			}
			// The payment that the credit came of goes too: the customer owes all of it.
			if moves, err := c.settle(); err != nil || moves != 1 {
				t.Fatal(moves, err)
			}
			if entries, err = db.EntriesOfInvoice(t.Context(), c.invoices[1].id); err != nil {
				t.Fatal(err)
			}
			must(t, c.invoices[1].remove(entries[1].ID))
			c.proved("2000")
		}
	})
}
