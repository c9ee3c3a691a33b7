// Package girobank is a simulated bank for AvtaleGiro: the side of Mastercard Payment Services, which keeps the mandates, judges files of
// claims, answers with receipts, and draws on the due dates (rule G4).
//
// It is written from the description of the format (AvtaleGiro systemspesifikasjon 3.3) and not from package giro, which it is to judge: a
// file that it takes is right by another reading of the same pages. Only the payments that it draws are written by giro, which is judged
// elsewhere. What the description leaves open is judged strictly.
//
// Begin with Bank.Receive. What a bank would refuse and purr must never do is in Bank.Complaints: a test ends by asking for none.
package girobank

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"purr/models"
	"purr/models/calendar"
	"purr/models/zone"
)

// nets is the bank's own number, the recipient of claims.
const nets = "00008080"

// cutOff is the hour, in Oslo, from which a file counts as one of the next bank day.
const cutOff = 14

// Settings are what the bank has agreed with the creditor.
type Settings struct {
	Sender      string // the creditor's customer unit, 8 digits
	FixedDigits int    // so many leading digits of a KID name the payer; 0: the whole KID does
	LeadDays    int    // calendar days from a claim's arrival to its due date, where the bank tells nobody; 0: 9
}

// Bank is the bank. Its methods may be called at the same time.
type Bank struct {
	// RepeatReceipts gives each receipt once more, an hour later.
	RepeatReceipts bool

	mu         sync.Mutex
	settings   Settings
	agreements []string // accounts, as they were added
	mandates   []*mandate
	changes    []change            // that no mandate file has told
	claims     []*claim            // all that a file asked for, refused ones too
	same       map[string][]*claim // by key
	numbers    map[string]bool
	given      []givenNumber
	drawn      []Drawn
	complaints []string

	noCover  map[string]bool
	late     map[string]int
	limits   map[string]models.Amount
	stopped  map[string]bool
	loseNext bool
	delay    time.Duration

	receipts     []waitingReceipt
	receiptNames map[string]bool
	files        int // transmissions of the bank's own so far
	assignments  int // and assignments in them
}

// givenNumber is an assignment number that an account has used.
type givenNumber struct {
	account, number string
	on              models.Date
}

// Drawn is an amount that was drawn.
type Drawn struct {
	Account, KID string
	Amount       models.Amount // øre
	Due          models.Date   // of the claim
	On           models.Date   // the bank day on which it was drawn
}

// New returns a bank that knows one creditor and none of its accounts.
func New(s Settings) *Bank {
	if s.LeadDays == 0 {
		s.LeadDays = 9
	}
	return &Bank{
		settings: s, numbers: map[string]bool{}, noCover: map[string]bool{}, late: map[string]int{}, limits: map[string]models.Amount{},
		same: map[string][]*claim{}, stopped: map[string]bool{}, receiptNames: map[string]bool{},
	}
}

// Agreement adds an account that has an agreement of AvtaleGiro.
func (b *Bank) Agreement(account string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.agreements, account) {
		b.agreements = append(b.agreements, account)
	}
}

// NoCover lets a payer's account be empty from now on: nothing of it is drawn, and nobody is told. A KID as long as the payer's part
// means all that the payer is asked for, a longer one that claim alone.
func (b *Bank) NoCover(kid string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.noCover[kid] = true
}

// Late lets what is asked for under the KID be drawn so many bank days late. The KID is as in NoCover.
func (b *Bank) Late(kid string, bankDays int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.late[kid] = bankDays
}

// Limit sets the largest amount of one claim on the mandate that the KID is of, in øre, inclusive. A claim above it is refused.
func (b *Bank) Limit(kid string, amount models.Amount) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limits[b.payer(kid)] = amount
}

// StopByPayer lets the payer stop the claim with this KID and due date: it is not drawn, and nobody is told.
func (b *Bank) StopByPayer(kid string, due models.Date) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped[kid+" "+due.String()] = true
}

// LoseNextFile lets the next file be lost: it has no effect and no receipt.
func (b *Bank) LoseNextFile() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.loseNext = true
}

// DelayReceipts lets receipts come so much later than their file. Receipts has them then.
func (b *Bank) DelayReceipts(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.delay = d
}

// Complaints returns what the creditor did and must never do, in the order in which it was done.
func (b *Bank) Complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.complaints)
}

// Drawn returns all that was drawn, in the order in which it was.
func (b *Bank) Drawn() []Drawn {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.drawn)
}

// Claims returns all that files have asked for, in the order of their arrival.
func (b *Bank) Claims() []Claim {
	b.mu.Lock()
	defer b.mu.Unlock()
	claims := make([]Claim, len(b.claims))
	for i, c := range b.claims {
		claims[i] = c.Claim
	}
	return claims
}

// complain keeps a complaint about a file.
func (b *Bank) complain(f *file, format string, args ...any) {
	b.complaints = append(b.complaints, f.at.Format("2006-01-02 15:04")+" "+f.name+": "+fmt.Sprintf(format, args...))
}

// payer returns the part of a KID that names the payer.
func (b *Bank) payer(kid string) string {
	if n := b.settings.FixedDigits; n > 0 && len(kid) > n {
		return kid[:n]
	}
	return kid
}

// of returns what is set for a claim's KID, or else for its payer.
func of[V any](b *Bank, set map[string]V, kid string) V {
	if v, is := set[kid]; is {
		return v
	}
	return set[b.payer(kid)]
}

// oslo returns the moment in the bank's own zone.
func oslo(at time.Time) time.Time {
	loc, err := zone.Load("Europe/Oslo")
	if err != nil {
		panic("girobank: " + err.Error())
	}
	return at.In(loc)
}

// handledOn returns the bank day as of which a file counts that arrives at the moment.
func handledOn(at time.Time) models.Date {
	day := models.DateOf(at)
	if at.Hour() >= cutOff {
		day++
	}
	return calendar.NextBankDay(day)
}

// digits reports whether a text is digits and nothing else.
func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
