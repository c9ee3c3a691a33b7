package ocr

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// Files come one after the other, "ocr" and "camt" in turn as the test says. The invoice is of 1000 kroner.
func TestE4ALineOfBothFormatsIsOnePayment(t *testing.T) {
	type files func(account, kid string) [][]byte
	ocr := func(account, number string, ps ...giro.Payment) []byte {
		return bankFile{Number: number, Assignments: []assignment{{Account: account, Payments: ps}}}.Bytes(t)
	}
	xml := func(account, id string, ps ...camt.Payment) []byte {
		m := messageOf(account, lump(ps...))
		m.id = id
		return m.Bytes(t)
	}
	other := otherKID(10, 10)
	tests := []struct {
		name  string
		files files
		last  sums // of the last file
		owed  models.Amount
		queue string
	}{
		{"camt after OCR", func(a, kid string) [][]byte {
			return [][]byte{ocr(a, "1", paid(kid, 100_00)), xml(a, "1", credited(kid, 100_00))}
		}, sums{1, 0, 0, 1, 0}, 900_00, ""},
		{"OCR after camt", func(a, kid string) [][]byte {
			return [][]byte{xml(a, "1", credited(kid, 100_00)), ocr(a, "1", paid(kid, 100_00))}
		}, sums{1, 0, 0, 1, 0}, 900_00, ""},
		{"two and two are two", func(a, kid string) [][]byte {
			return [][]byte{ocr(a, "1", paid(kid, 100_00), paid(kid, 100_00)), xml(a, "1", credited(kid, 100_00), credited(kid, 100_00))}
		}, sums{2, 0, 0, 2, 0}, 800_00, ""},
		{"one and two are two", func(a, kid string) [][]byte {
			return [][]byte{ocr(a, "1", paid(kid, 100_00)), xml(a, "1", credited(kid, 100_00), credited(kid, 100_00))}
		}, sums{2, 1, 0, 1, 0}, 800_00, ""},
		{"the copy of a twin takes no other one's place", func(a, kid string) [][]byte {
			return [][]byte{
				ocr(a, "1", paid(kid, 100_00), paid(kid, 100_00)), xml(a, "1", credited(kid, 100_00)), xml(a, "2", credited(kid, 100_00)),
				xml(a, "3", credited(kid, 100_00), credited(kid, 100_00), credited(kid, 100_00)),
			}
		}, sums{3, 1, 0, 2, 0}, 700_00, ""},
		{"back and forth", func(a, kid string) [][]byte {
			return [][]byte{
				ocr(a, "1", paid(kid, 100_00)), xml(a, "1", credited(kid, 100_00), credited(kid, 100_00)),
				ocr(a, "2", paid(kid, 100_00), paid(kid, 100_00)),
			}
		}, sums{2, 0, 0, 2, 0}, 800_00, ""},
		{"the KID is filled with zeros in one", func(a, kid string) [][]byte {
			return [][]byte{ocr(a, "1", paid(filledTo(25)(kid), 100_00)), xml(a, "1", credited(kid, 100_00))}
		}, sums{1, 0, 0, 1, 0}, 900_00, ""},
		{"what waits has a twin too", func(a, _ string) [][]byte {
			return [][]byte{ocr(a, "1", paid(other, 100_00)), xml(a, "1", credited(other, 100_00))}
		}, sums{1, 0, 0, 1, 0}, 1000_00, "unknown_kid 100.00"},
		{"without a KID they are not known to be one", func(a, _ string) [][]byte {
			return [][]byte{ocr(a, "1", paid("", 100_00)), xml(a, "1", credited("", 100_00))}
		}, sums{1, 0, 1, 0, 0}, 1000_00, "no_kid 100.00, no_kid 100.00"},
		{"another amount is another payment", func(a, kid string) [][]byte {
			return [][]byte{ocr(a, "1", paid(kid, 100_00)), xml(a, "1", credited(kid, 100_01))}
		}, sums{1, 1, 0, 0, 0}, 799_99, ""},
		{"another payer is another payment", func(a, kid string) [][]byte {
			p := credited(kid, 100_00)
			p.DebitAccount = ""
			return [][]byte{ocr(a, "1", paid(kid, 100_00)), xml(a, "1", p)}
		}, sums{1, 1, 0, 0, 0}, 800_00, ""},
		{"another day is another payment", func(a, kid string) [][]byte {
			return [][]byte{ocr(a, "1", with(paid(kid, 100_00), func(p *giro.Payment) { p.NetsDate-- })), xml(a, "1", credited(kid, 100_00))}
		}, sums{1, 1, 0, 0, 0}, 800_00, ""},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, batch := range []int{1, 1000} {
			b.im.batch = batch
			for _, tt := range tests {
				t.Run(tt.name, func(t *testing.T) {
					c := rows.Creditor(t, b.DB)
					invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
					var f models.PaymentFile
					for _, file := range tt.files(c.BankAccount, invoice.KID) {
						f = b.take(t, file)
					}
					if got := b.sums(t, f, c.ID); f.State != models.FileImported || got != tt.last {
						t.Errorf("the last file is %s, its sums are %+v, want %+v", f.State, got, tt.last)
					}
					if owed := b.Balance(t, invoice); owed != tt.owed {
						t.Errorf("%s is owed, want %s", owed, tt.owed)
					}
					if got := queued(b.Queue(t, c)); got != tt.queue {
						t.Errorf("the queue holds %q, want %q", got, tt.queue)
					}
					b.Prove(t, c)
				})
			}
		}
	})
}

// What waited as unknown finds its invoice later: the same line in the other format is still the same.
func TestE4ATwinThatWaitsForItsInvoice(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		before := rows.Invoice(t, b.DB, c)
		next := models.NewKID("000000002", models.Modulus10)
		b.take(t, fileOf(c.BankAccount, paid(next, 100_00)).Bytes(t))
		invoice := rows.Invoice(t, b.DB, c)
		if invoice.KID != next {
			t.Fatalf("the KIDs are %s and %s", before.KID, invoice.KID)
		}
		f := b.take(t, messageOf(c.BankAccount, lump(credited(next, 100_00))).Bytes(t))
		if got := b.sums(t, f, c.ID); got != (sums{1, 0, 0, 1, 0}) || b.Balance(t, invoice) != 1000_00 {
			t.Errorf("its sums are %+v, %s is owed", got, b.Balance(t, invoice))
		}
	})
}

// Whatever files of both formats come, in whatever order and how often: of the lines that are alike as many are
// posted as came in the format in which more of them came.
func TestE4WhateverComesInBothFormatsIsPostedOnce(t *testing.T) {
	testkit.Tries(t, 12, 0)
	eachBooks(t, func(t *testing.T, b *books) {
		n := 0
		rapid.Check(t, func(rt *rapid.T) {
			c := rows.Creditor(t, b.DB)
			invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
			came := cameInBoth{giro.Format: {}, camt.Format: {}}
			for range rapid.IntRange(1, 6).Draw(rt, "files") {
				format := rapid.SampledFrom([]string{giro.Format, camt.Format}).Draw(rt, "format")
				lines := rapid.SliceOfN(drawAlike(invoice.KID), 1, 5).Draw(rt, "lines")
				came.add(format, lines)
				n++
				b.im.batch = rapid.SampledFrom([]int{1, 2, 1000}).Draw(rt, "batch")
				b.take(rt, alikeFile(rt, format, c.BankAccount, fmt.Sprint(n), lines))
			}
			owed := 1000_00 - came.posted(alike{invoice.KID, 1, ""}) - 2*came.posted(alike{invoice.KID, 2, ""})
			waiting := came.posted(alike{otherKID(10, 10), 1, ""}) + came.posted(alike{otherKID(10, 10), 2, ""})
			if got := b.Balance(rt, invoice); got != models.Amount(owed) || len(b.Queue(rt, c)) != waiting {
				rt.Errorf("%s is owed, want %s; %d wait, want %d", got, models.Amount(owed), len(b.Queue(rt, c)), waiting)
			}
			b.Prove(rt, c)
		})
	})
}

// alike is a line of which there are many like it: the reference is all that tells them apart.
type alike struct {
	kid       string
	amount    models.Amount
	reference string
}

func drawAlike(kid string) *rapid.Generator[alike] {
	return rapid.Custom(func(t *rapid.T) alike {
		return alike{
			rapid.SampledFrom([]string{kid, otherKID(10, 10)}).Draw(t, "KID"),
			models.Amount(rapid.IntRange(1, 2).Draw(t, "amount")),
			rapid.SampledFrom([]string{"600200001", "600200002"}).Draw(t, "reference"),
		}
	})
}

func alikeFile(t tester, format, account, number string, lines []alike) []byte {
	var ps []giro.Payment
	var xs []camt.Payment
	for _, l := range lines {
		p, x := paid(l.kid, l.amount), credited(l.kid, l.amount)
		p.ArchiveReference, x.BankReference = l.reference, l.reference
		ps, xs = append(ps, p), append(xs, x)
	}
	if format == giro.Format {
		return bankFile{Number: number, Assignments: []assignment{{Account: account, Payments: ps}}}.Bytes(t)
	}
	m := messageOf(account, lump(xs...))
	m.id = number
	return m.Bytes(t)
}

// cameInBoth is, by format, how often a line came in one file at most: equal ones in one file are several.
type cameInBoth map[string]map[alike]int

func (c cameInBoth) add(format string, lines []alike) {
	now := map[alike]int{}
	for _, l := range lines {
		now[l]++
		c[format][l] = max(c[format][l], now[l])
	}
}

// posted returns how many lines like this, whatever their reference, are posted.
func (c cameInBoth) posted(like alike) (most int) {
	for _, lines := range c {
		n := 0
		for l, times := range lines {
			if l.kid == like.kid && l.amount == like.amount {
				n += times
			}
		}
		most = max(most, n)
	}
	return most
}

func TestAnImportOfTwinsIsBrokenOffAndFilesComeAtOnce(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		b.im.batch = 1
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
		lineOf := func(n models.Amount) (giro.Payment, camt.Payment) {
			return paid(invoice.KID, 10_00+n), credited(invoice.KID, 10_00+n)
		}
		var ps []giro.Payment
		var xs []camt.Payment
		for n := range models.Amount(4) {
			p, x := lineOf(n)
			ps, xs = append(ps, p, p), append(xs, x, x)
		}
		m := messageOf(c.BankAccount, lump(xs...))
		importFrom := func(file []byte, arrival string) func() error {
			return func() error {
				_, err := b.im.Import(t.Context(), bytes.NewReader(file), Source{Kind: FromInbox, Arrival: arrival})
				return err
			}
		}
		atOnce(t, importFrom(fileOf(c.BankAccount, ps...).Bytes(t), "ocr"), importFrom(m.Bytes(t), "camt"))
		m.id = "again"
		b.stepByStep(t, func(ctx context.Context, im *Importer) error {
			_, err := im.Import(ctx, bytes.NewReader(m.Bytes(t)), Source{Kind: FromInbox, Arrival: "again"})
			return err
		})
		if owed := b.Balance(t, invoice); owed != 1000_00-2*(40_00+6) {
			t.Errorf("%s is owed", owed)
		}
		b.Prove(t, c)
	})
}
