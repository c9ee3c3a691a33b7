package ocr

import (
	"slices"
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit/rows"
)

// A file has been imported: two equal payments of 100 kroner, one without a KID, and a mandate. It comes
// again in one shape or another (rule E4; the identities of transmissions and lines).
func TestE4WhatComesAgain(t *testing.T) {
	tests := []struct {
		name  string
		again func(f *bankFile, kid string)
		state models.FileState
		want  sums
		owed  models.Amount // of 1000 kroner
	}{
		{"the same file", func(*bankFile, string) {}, models.FileDuplicate, sums{4, 0, 0, 3, 1}, 800_00},
		{"with its lines ended by CR LF", func(f *bankFile, _ string) { f.CRLF = true }, models.FileDuplicate, sums{4, 0, 0, 3, 1}, 800_00},
		{"in another transmission", func(f *bankFile, _ string) { f.Number = "8" }, models.FileImported, sums{4, 0, 0, 3, 1}, 800_00},
		{"in another assignment", func(f *bankFile, _ string) {
			f.Number, f.Assignments[0].Number = "8", "77"
		}, models.FileImported, sums{4, 0, 0, 3, 1}, 800_00},
		{"in another order", func(f *bankFile, _ string) {
			f.Number = "8"
			slices.Reverse(f.Assignments[0].Payments)
		}, models.FileImported, sums{4, 0, 0, 3, 1}, 800_00},
		{"one of the two equal payments", func(f *bankFile, kid string) { only(f, paid(kid, 100_00)) }, models.FileImported, sums{2, 0, 0, 1, 1}, 800_00},
		{"three equal payments, of which one is new", func(f *bankFile, kid string) {
			only(f, paid(kid, 100_00), paid(kid, 100_00), paid(kid, 100_00))
		}, models.FileImported, sums{4, 1, 0, 2, 1}, 700_00},
		{"a payment of another day", func(f *bankFile, kid string) {
			only(f, with(paid(kid, 100_00), func(p *giro.Payment) { p.NetsDate-- }))
		}, models.FileImported, sums{2, 1, 0, 0, 1}, 700_00},
		{"a payment from another payer", func(f *bankFile, kid string) {
			only(f, with(paid(kid, 100_00), func(p *giro.Payment) { p.DebitAccount = "98765432111" }))
		}, models.FileImported, sums{2, 1, 0, 0, 1}, 700_00},
		{"a payment with another reference", func(f *bankFile, kid string) {
			only(f, with(paid(kid, 100_00), func(p *giro.Payment) { p.ArchiveReference = "600200002" }))
		}, models.FileImported, sums{2, 1, 0, 0, 1}, 700_00},
		{"a payment of another amount", func(f *bankFile, kid string) { only(f, paid(kid, 100_01)) }, models.FileImported, sums{2, 1, 0, 0, 1}, 699_99},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB)
				invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
				f := bankFile{Number: "7", Assignments: []assignment{
					{Account: c.BankAccount, Payments: lines(paid(invoice.KID, 100_00), paid("", 5_00), paid(invoice.KID, 100_00))},
					{Account: c.BankAccount, Mandates: 1},
				}}
				first := b.take(t, f.Bytes(t))
				tt.again(&f, invoice.KID)
				again := b.take(t, f.Bytes(t))
				if again.State != tt.state || (again.DuplicateOf == first.ID) != (tt.state == models.FileDuplicate) {
					t.Errorf("it is %s, of %d", again.State, again.DuplicateOf)
				}
				if got := b.sums(t, again, c.ID); got != tt.want {
					t.Errorf("its sums are %+v, want %+v", got, tt.want)
				}
				if owed := b.Balance(t, invoice); owed != tt.owed {
					t.Errorf("%s is owed, want %s", owed, tt.owed)
				}
				if got := queued(b.Queue(t, c)); got != "no_kid 5.00" {
					t.Errorf("the queue holds %q", got)
				}
				b.Prove(t, c)
			})
		}
	})
}

// only puts other payments into the file's first assignment, in another transmission.
func only(f *bankFile, ps ...giro.Payment) { f.Number, f.Assignments[0].Payments = "8", ps }

func with(p giro.Payment, change func(*giro.Payment)) giro.Payment {
	change(&p)
	return p
}

func TestE4L21AFileFromTheInboxAndFromTheCreditorIsOne(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		kari, ola := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		karis := rows.Invoice(t, b.DB, kari)
		ofKari := func() bankFile { return fileOf(kari.BankAccount, paid(karis.KID, 100_00)) }

		all := b.take(t, ofKari().Bytes(t))
		if f := b.takeFor(t, kari.ID, ofKari().Bytes(t)); f.State != models.FileDuplicate || f.DuplicateOf != all.ID {
			t.Errorf("posted after it came to the inbox it is %s of %d", f.State, f.DuplicateOf)
		}
		// To the other creditor, who has no part in it, it is not known: what is in it waits for a person.
		if f := b.takeFor(t, ola.ID, ofKari().Bytes(t)); f.State != models.FileImported || b.sums(t, f, ola.ID) != (sums{1, 0, 1, 0, 0}) {
			t.Errorf("posted by another creditor it is %s with %+v", f.State, b.sums(t, f, ola.ID))
		}

		// L21: it comes to the inbox after each creditor with an account in it has posted it.
		later := bankFile{Number: "8", Assignments: fileOf(kari.BankAccount, paid(karis.KID, 200_00)).Assignments}
		posted := b.takeFor(t, kari.ID, later.Bytes(t))
		if f := b.take(t, later.Bytes(t)); f.State != models.FileDuplicate || f.DuplicateOf != posted.ID || b.sums(t, f, kari.ID) != (sums{1, 0, 0, 1, 0}) {
			t.Errorf("in the inbox after it was posted it is %s of %d with %+v", f.State, f.DuplicateOf, b.sums(t, f, kari.ID))
		}
		olas := rows.Invoice(t, b.DB, ola)
		both := bankFile{Number: "9", Assignments: append(
			fileOf(kari.BankAccount, paid(karis.KID, 50_00)).Assignments, fileOf(ola.BankAccount, paid(olas.KID, 50_00)).Assignments...)}
		b.takeFor(t, kari.ID, both.Bytes(t))
		if f := b.take(t, both.Bytes(t)); f.State != models.FileImported || b.sums(t, f, ola.ID) != (sums{1, 1, 0, 0, 0}) {
			t.Errorf("in the inbox after one of two creditors has posted it, it is %s with %+v", f.State, b.sums(t, f, ola.ID))
		}
		if owed := b.Balance(t, karis); owed != 650_00 {
			t.Errorf("%s is owed", owed)
		}
		b.Prove(t, kari)
		b.Prove(t, ola)
	})
}
