package girobank

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"purr/models"
	"purr/models/calendar"
	"purr/ocr/giro"
)

// agreementID is the number of all the agreements of OCR giro.
const agreementID = "001234567"

// Draw draws what is to be drawn by a bank day, and returns the payments as a file of OCR giro: nil if there are none. A claim is drawn on
// its due date, or on the next bank day where banks rest. What was not drawn on its day, because Draw was not called, is drawn now.
func (b *Bank) Draw(day models.Date) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !calendar.IsBankDay(day) {
		return nil
	}
	var now []Drawn
	for _, c := range b.claims {
		if c.State != Waiting || c.Cancellation || b.drawnOn(c) > day {
			continue
		}
		if c.Why = b.unpaid(c); c.Why != "" {
			c.State = Unpaid
			continue
		}
		c.State = Paid
		now = append(now, Drawn{c.Account, c.KID, c.Amount, c.Due, day})
	}
	b.drawn = append(b.drawn, now...)
	if len(now) == 0 {
		return nil
	}
	return b.payments(day, now)
}

// drawnOn returns the bank day on which a claim is drawn.
func (b *Bank) drawnOn(c *claim) models.Date {
	day := calendar.NextBankDay(c.Due)
	for range of(b, b.late, c.KID) {
		day = calendar.NextBankDay(day + 1)
	}
	return day
}

// unpaid returns why a claim is not drawn, and an empty text if it is.
func (b *Bank) unpaid(c *claim) string {
	switch {
	case of(b, b.noCover, c.KID):
		return "no cover"
	case b.stopped[c.KID+" "+c.Due.String()]:
		return "stopped by the payer"
	}
	if m := b.mandate(c.Account, c.KID); m == nil || !m.holds(c.Due) {
		return "the mandate has ended"
	}
	return ""
}

// payments writes what was drawn on a day, an assignment an account.
func (b *Bank) payments(day models.Date, drawn []Drawn) []byte {
	var out bytes.Buffer
	w := giro.NewWriter(&out)
	w.UseCRLF = true
	b.files++
	must(w.StartTransmission(giro.TransmissionHeader{Number: strconv.Itoa(b.files), Recipient: b.settings.Sender, Created: day}))
	for _, account := range b.agreements {
		started := false
		for i, d := range drawn {
			if d.Account != account {
				continue
			}
			if !started {
				started = true
				b.assignments++
				must(w.StartAssignment(giro.AssignmentHeader{
					AgreementID: agreementID, Number: strconv.Itoa(b.assignments), Account: account, Created: day,
				}))
			}
			must(w.Write(giro.Payment{
				Type: giro.TypeAvtaleGiro, NetsDate: day, BankDate: day, Amount: d.Amount, KID: d.KID, Centre: "26",
				DayCode: fmt.Sprintf("%02d", day.Time().Day()), PartialSettlement: "1", Serial: strconv.Itoa(b.files % 100000),
				ArchiveReference: fmt.Sprintf("%09d", len(b.drawn)-len(drawn)+i+1),
			}))
		}
	}
	must(w.Close())
	return out.Bytes()
}

// Due returns the claims that wait for their due date, the earliest first.
func (b *Bank) Due() []Claim {
	var waiting []Claim
	for _, c := range b.Claims() {
		if c.State == Waiting && !c.Cancellation {
			waiting = append(waiting, c)
		}
	}
	slices.SortStableFunc(waiting, func(a, c Claim) int { return int(a.Due - c.Due) })
	return waiting
}

func must(err error) {
	if err != nil {
		panic("girobank: " + err.Error())
	}
}
