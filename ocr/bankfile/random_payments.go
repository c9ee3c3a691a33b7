package bankfile

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"

	"purr/models"
	"purr/ocr/giro"
)

// Each purpose has its own random numbers.
const (
	forAccounts = iota
	forPayments
	forTexts
)

// Payments makes payments up one by one, without keeping them. The same seed makes the same payments for each format.
func (r Random) Payments(seed uint64, date models.Date) (iter.Seq2[Payment, error], error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return func(yield func(Payment, error) bool) {
		rng := func(purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }
		m := maker{Random: r, date: date, rng: rng(forPayments), texts: rng(forTexts)}
		accounts := r.accounts(rng(forAccounts))
		for i, account := range accounts {
			n := r.Transactions / len(accounts)
			if i < r.Transactions%len(accounts) {
				n++
			}
			m.start(account)
			for range n {
				if !yield(m.payment(), nil) {
					return
				}
			}
		}
	}, nil
}

func (r Random) check() error {
	switch {
	case r.KIDLength < models.MinKIDLength || r.KIDLength > models.MaxKIDLength:
		return fmt.Errorf("a KID has %d to %d characters, not %d", models.MinKIDLength, models.MaxKIDLength, r.KIDLength)
	case r.KIDModulus != models.Modulus10 && r.KIDModulus != models.Modulus11:
		return fmt.Errorf("the modulus of a KID is 10 or 11, not %d", r.KIDModulus)
	case r.Transactions < 1 || r.Assignments < 1 || r.Assignments > r.Transactions:
		return fmt.Errorf("a file has at least one transaction, and no more assignments than that, not %d in %d", r.Transactions, r.Assignments)
	case r.WithoutKID < 0 || r.WithoutKID > 100:
		return fmt.Errorf("%d is no percentage", r.WithoutKID)
	}
	for _, account := range r.Accounts {
		if !models.ValidBankAccount(account) {
			return fmt.Errorf("%q is not a bank account number", account)
		}
	}
	return nil
}

// accounts returns the account of each assignment.
func (r Random) accounts(rng *rand.Rand) []string {
	accounts := make([]string, max(r.Assignments, min(len(r.Accounts), r.Transactions)))
	for i := range accounts {
		if i < len(r.Accounts) {
			accounts[i] = r.Accounts[i]
		} else {
			accounts[i] = newAccount(rng, "9999")
		}
	}
	return accounts
}

// newAccount returns a valid account number that begins with the register number of a bank.
func newAccount(rng *rand.Rand, register string) string {
	for {
		base := register + digitsOf(rng, 6)
		if c := models.CheckDigit11(base); c != '-' {
			return base + string(c)
		}
	}
}

// maker makes payments up, one after the other.
type maker struct {
	Random
	date       models.Date
	rng, texts *rand.Rand
	account    string
	number     int           // of the payment in the file, from 1
	lump, left int           // number of the statement line, and the number of payments still to come in it
	sum        models.Amount // of the assignment
}

func (m *maker) start(account string) {
	m.account, m.sum, m.left = account, 0, 0
}

// payment makes the next payment up. It draws the same random numbers for each format.
func (m *maker) payment() Payment {
	m.number++
	if m.left == 0 {
		m.lump++
		m.left = 1 + m.rng.IntN(30)
	}
	m.left--
	p := Payment{
		Account: m.account, Date: m.date, Type: m.typ(), Amount: m.amount(), KID: m.kid(), lump: m.lump,
		Reference: fmt.Sprintf("%09d", 600_100_000+m.number), BankDate: m.date - models.Date(m.rng.IntN(2)),
		FromAccount: newAccount(m.rng, []string{"1503", "3624", "6018", "8601", "9710"}[m.rng.IntN(5)]),
	}
	p.Name = nameOf(p.FromAccount)
	if p.Type == giro.TypeAvtaleGiro || p.Type == giro.TypeCounterGiro {
		p.FromAccount = "" // the bank does not name the payer's account
	}
	if m.rng.IntN(250) == 0 && m.sum > p.Amount {
		p.Amount = -p.Amount
	}
	m.sum += p.Amount
	if m.texts.IntN(100) < m.WithoutKID && p.Amount > 0 {
		p.Text = fmt.Sprintf([]string{"Faktura %d", "faktura nr %d", "Betaling av regning %d", "Vedr. %d", "%d"}[m.texts.IntN(5)], 100_000+m.number)
		p.KID = ""
	}
	return p
}

// typ returns a transaction type, most often that of an online bank.
func (m *maker) typ() giro.Type {
	switch n := m.rng.IntN(100); {
	case n < 60:
		return giro.TypeCorporateGiro
	case n < 80:
		return giro.TypeAvtaleGiro
	case n < 94:
		return giro.TypeGiroDebited
	case n < 98:
		return giro.TypeStandingOrder
	}
	return giro.TypeCounterGiro
}

// amount returns many small amounts and a few large ones.
func (m *maker) amount() models.Amount {
	switch n := m.rng.IntN(100); {
	case n < 55:
		return 100 * models.Amount(49+m.rng.IntN(2000))
	case n < 90:
		return models.Amount(5000 + m.rng.IntN(500_000))
	}
	return 1000 * models.Amount(100+m.rng.IntN(20_000))
}

// kid returns a KID made of a customer number and an invoice number, cut to the KID's length.
func (m *maker) kid() string {
	customer := 1 + m.rng.IntN(9999)
	base := fmt.Sprintf("%0*d", m.KIDLength-1, customer) + strconv.Itoa(100_000+m.number)
	kid := models.NewKID(base[len(base)-(m.KIDLength-1):], m.KIDModulus)
	if !models.ValidKID(kid, m.KIDModulus) { // a short KID of zeros only
		kid = models.NewKID(kid[1:len(kid)-1]+"1", m.KIDModulus)
	}
	return kid
}

// nameOf returns a name for the holder of an account.
func nameOf(account string) string {
	first := []string{"Kari", "Ola", "Ingrid", "Lars", "Åse", "Bjørn", "Solveig", "Håkon", "Mari", "Per"}
	last := []string{"Nordmann", "Hansen", "Bjørnstad", "Ødegård", "Lie", "Næss", "Haugen", "Strand", "Moen", "Aas"}
	n, _ := strconv.Atoi(account[4:10]) // the account has only digits
	return first[n%10] + " " + last[n/10%10]
}

func digitsOf(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + rng.IntN(10))
	}
	return string(b)
}
