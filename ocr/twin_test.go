package ocr

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"purr/internal/testkit/rows"
	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// Files come one after the other, "ocr" and "camt" in turn as the test says. The invoice is of 1000 kroner.
func TestE4ALineOfBothFormatsIsOnePayment(t *testing.T) {
	type files func(account, kid string) [][]byte
	ocr := func(account, number string, ps ...giro.Payment) []byte {
		return bankFile{number: number, assignments: []assignment{{account: account, payments: ps}}}.bytes(t)
	}
	xml := func(account, id string, ps ...camt.Payment) []byte {
		m := messageOf(account, lump(ps...))
		m.id = id
		return m.bytes(t)
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
					c := rows.Creditor(t, b.db)
					invoice := rows.Invoice(t, b.db, c, rows.Of(1000_00))
					var f models.PaymentFile
					for _, file := range tt.files(c.BankAccount, invoice.KID) {
						f = b.take(t, file)
					}
					if got := b.sums(t, f, c.ID); f.State != models.FileImported || got != tt.last {
						t.Errorf("the last file is %s, its sums are %+v, want %+v", f.State, got, tt.last)
					}
					if owed := b.balance(t, invoice); owed != tt.owed {
						t.Errorf("%s is owed, want %s", owed, tt.owed)
					}
					if got := queued(b.queue(t, c)); got != tt.queue {
						t.Errorf("the queue holds %q, want %q", got, tt.queue)
					}
					b.prove(t, c)
				})
			}
		}
	})
}

// What waited as unknown finds its invoice later: the same line in the other format is still the same.
func TestE4ATwinThatWaitsForItsInvoice(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.db)
		before := rows.Invoice(t, b.db, c)
		next := models.NewKID("000000002", models.Modulus10)
		b.take(t, fileOf(c.BankAccount, paid(next, 100_00)).bytes(t))
		invoice := rows.Invoice(t, b.db, c)
		if invoice.KID != next {
			t.Fatalf("the KIDs are %s and %s", before.KID, invoice.KID)
		}
		f := b.take(t, messageOf(c.BankAccount, lump(credited(next, 100_00))).bytes(t))
		if got := b.sums(t, f, c.ID); got != (sums{1, 0, 0, 1, 0}) || b.balance(t, invoice) != 1000_00 {
			t.Errorf("its sums are %+v, %s is owed", got, b.balance(t, invoice))
		}
	})
}

// Whatever files of both formats come, in whatever order and how often: of the lines that are alike as many are
// posted as came in the format in which more of them came.
func TestE4WhateverComesInBothFormatsIsPostedOnce(t *testing.T) {
	checks(t, 12)
	eachBooks(t, func(t *testing.T, b *books) {
		n := 0
		rapid.Check(t, func(rt *rapid.T) {
			c := rows.Creditor(t, b.db)
			invoice := rows.Invoice(t, b.db, c, rows.Of(1000_00))
			most := map[string]map[string]int{"ocr": {}, "camt": {}} // by format: how often a line came in one file at most
			for range rapid.IntRange(1, 6).Draw(rt, "files") {
				format := rapid.SampledFrom([]string{"ocr", "camt"}).Draw(rt, "format")
				came := map[string]int{}
				var ps []giro.Payment
				var xs []camt.Payment
				for range rapid.IntRange(1, 5).Draw(rt, "lines") {
					kid := rapid.SampledFrom([]string{invoice.KID, otherKID(10, 10)}).Draw(rt, "KID")
					amount := models.Amount(rapid.IntRange(1, 2).Draw(rt, "amount"))
					reference := rapid.SampledFrom([]string{"600200001", "600200002"}).Draw(rt, "reference")
					p, x := paid(kid, amount), credited(kid, amount)
					p.ArchiveReference, x.BankReference = reference, reference
					ps, xs = append(ps, p), append(xs, x)
					came[fmt.Sprint(kid, " ", int(amount), " ", reference)]++
				}
				for line, times := range came {
					most[format][line] = max(most[format][line], times)
				}
				n++
				b.im.batch = rapid.SampledFrom([]int{1, 2, 1000}).Draw(rt, "batch")
				if format == "ocr" {
					b.take(rt, bankFile{number: fmt.Sprint(n), assignments: []assignment{{account: c.BankAccount, payments: ps}}}.bytes(rt))
				} else {
					b.take(rt, message{id: fmt.Sprint("MSG-", n), notifications: []notification{{account: c.BankAccount, entries: []entry{lump(xs...)}}}}.bytes(rt))
				}
			}
			owed, waiting := models.Amount(1000_00), 0
			for _, kid := range []string{invoice.KID, otherKID(10, 10)} {
				for _, amount := range []int{1, 2} {
					posted := 0
					for _, lines := range most {
						like := fmt.Sprint(kid, " ", amount, " ")
						posted = max(posted, lines[like+"600200001"]+lines[like+"600200002"])
					}
					if kid == invoice.KID {
						owed -= models.Amount(posted * amount)
					} else {
						waiting += posted
					}
				}
			}
			if got := b.balance(rt, invoice); got != owed || len(b.queue(rt, c)) != waiting {
				rt.Errorf("%s is owed, want %s; %d wait, want %d", got, owed, len(b.queue(rt, c)), waiting)
			}
			b.prove(rt, c)
		})
	})
}

func TestAnImportOfTwinsIsBrokenOffAndFilesComeAtOnce(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		b.im.batch = 1
		c := rows.Creditor(t, b.db)
		invoice := rows.Invoice(t, b.db, c, rows.Of(1000_00))
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
		atOnce(t, importFrom(fileOf(c.BankAccount, ps...).bytes(t), "ocr"), importFrom(m.bytes(t), "camt"))
		m.id = "again"
		b.stepByStep(t, func(ctx context.Context, im *Importer) error {
			_, err := im.Import(ctx, bytes.NewReader(m.bytes(t)), Source{Kind: FromInbox, Arrival: "again"})
			return err
		})
		if owed := b.balance(t, invoice); owed != 1000_00-2*(40_00+6) {
			t.Errorf("%s is owed", owed)
		}
		b.prove(t, c)
	})
}
