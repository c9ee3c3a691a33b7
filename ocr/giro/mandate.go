package giro

import "bytes"

// MandateChange says what a record tells of a mandate of AvtaleGiro.
type MandateChange byte

// The changes (AvtaleGiro's system specification, record 70).
const (
	MandateListed MandateChange = '0' // one of all: the listing takes the place of what was known of the account
	MandateKept   MandateChange = '1' // it is new, or its wish for a notice has changed
	MandateEnded  MandateChange = '2'
)

// Mandate is a payer's standing consent to claims, as a record of the bank's tells of it.
type Mandate struct {
	Change MandateChange
	KID    string // digits
	Notice bool   // the payer wants a written notice
}

// mandate is record 70.
type mandate record

func (m *mandate) change() byte { return m[15] }
func (m *mandate) kid() []byte  { return m[16:41] }
func (m *mandate) notice() byte { return m[41] }

// keepMandate keeps what a record tells. One that cannot be read is left out with a warning: it keeps no payment of the file out.
func (r *Reader) keepMandate(rec *mandate) {
	a := r.assignment
	kid := bytes.Trim(rec.kid(), " ")
	known := rec.change() >= byte(MandateListed) && rec.change() <= byte(MandateEnded)
	if !known || len(kid) == 0 || !digits(kid) || rec.notice() != 'J' && rec.notice() != 'N' {
		r.warn(CodeBadMandate, "the mandate has the change %q, the KID %q and the wish for a notice %q, and is left out",
			latin1([]byte{rec.change()}), latin1(kid), latin1([]byte{rec.notice()}))
		return
	}
	a.Mandates = append(a.Mandates, Mandate{MandateChange(rec.change()), string(kid), rec.notice() == 'J'})
}
