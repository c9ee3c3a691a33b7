package ocr

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/camt"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestE4WhereAPaymentOfCamtGoes(t *testing.T) {
	pending := func(e *entry) { e.Status = "PDNG" }
	inEuro := func(e *entry) { e.Currency = "EUR" }
	reversal := func(e *entry) { e.Reversal = true }
	booked := func(amount models.Amount) func(e *entry) { return func(e *entry) { e.Amount = amount } }
	several := func(invoices ...camt.Invoice) camt.Payment {
		p := credited("", 300_00)
		p.Invoices = invoices
		return p
	}
	text := func(amount models.Amount) camt.Payment {
		p := credited("", amount)
		p.Text = "Faktura 17"
		return p
	}
	other := otherKID(10, 10)
	tests := []struct {
		name    string
		entries func(kid string) []entry
		owed    models.Amount // on an invoice of 1000 kroner
		queue   string
		sums    sums
	}{
		{"the exact amount pays it", func(kid string) []entry { return []entry{lump(credited(kid, 1000_00))} }, 0, "", sums{1, 1, 0, 0, 0}},
		{"in a lump sum with others", func(kid string) []entry { return []entry{lump(credited(kid, 400_00), text(5_00))} }, 600_00, "no_kid 5.00", sums{2, 1, 1, 0, 0}},
		{"two equal ones are two", func(kid string) []entry { return []entry{lump(credited(kid, 400_00), credited(kid, 400_00))} }, 200_00, "", sums{2, 2, 0, 0, 0}},
		{"a KID filled with zeros pays", func(kid string) []entry { return []entry{lump(credited(filledTo(25)(kid), 1000_00))} }, 0, "", sums{1, 1, 0, 0, 0}},
		{"a KID that nobody has", func(string) []entry { return []entry{lump(credited(other, 70_00))} }, 1000_00, "unknown_kid 70.00", sums{1, 0, 1, 0, 0}},
		{"a wrong check digit", func(kid string) []entry { return []entry{lump(credited(mistyped(kid), 70_00))} }, 1000_00, "invalid_kid 70.00", sums{1, 0, 1, 0, 0}},
		{"no details", func(string) []entry { return []entry{lump().changed(booked(70_00))} }, 1000_00, "no_kid 70.00", sums{1, 0, 1, 0, 0}},

		{"a debit", func(kid string) []entry { return []entry{lump(credited(kid, 70_00)).debited()} }, 1000_00, "reversal -70.00", sums{1, 0, 1, 0, 0}},
		{"a debit that is a reversal", func(string) []entry { return []entry{lump(text(70_00)).debited().changed(reversal)} }, 1000_00, "reversal -70.00", sums{1, 0, 1, 0, 0}},
		{"a credit that is a reversal", func(kid string) []entry { return []entry{lump(credited(kid, 70_00)).changed(reversal)} }, 1000_00, "reversal 70.00", sums{1, 0, 1, 0, 0}},
		{
			"a payment and its reversal, with the same reference",
			func(kid string) []entry {
				return []entry{lump(credited(kid, 70_00)), lump(credited("", 70_00)).debited()}
			},
			930_00, "reversal -70.00",
			sums{2, 1, 1, 0, 0},
		},
		{"what is pending is ignored", func(kid string) []entry { return []entry{lump(credited(kid, 70_00), text(5_00)).changed(pending)} }, 1000_00, "", sums{2, 0, 0, 0, 2}},
		{"so is what is in euro", func(kid string) []entry { return []entry{lump(credited(kid, 70_00)).changed(inEuro)} }, 1000_00, "", sums{1, 0, 0, 0, 1}},

		{
			"several invoices with amounts are paid each",
			func(kid string) []entry {
				return []entry{lump(several(camt.Invoice{KID: kid, Amount: 200_00}, camt.Invoice{KID: other, Amount: 70_00}, camt.Invoice{Number: "17", Amount: 30_00}))}
			}, 800_00, "unknown_kid 70.00, no_kid 30.00",
			sums{3, 1, 2, 0, 0},
		},
		{
			"several invoices without amounts wait",
			func(kid string) []entry {
				return []entry{lump(several(camt.Invoice{KID: kid, NoAmount: true}, camt.Invoice{KID: other, NoAmount: true}))}
			}, 1000_00, "no_kid 300.00",
			sums{1, 0, 1, 0, 0},
		},
		{
			"an entry that does not add up waits, with what it lacks",
			func(kid string) []entry {
				return []entry{lump(credited(kid, 70_00), text(5_00)).changed(booked(80_00))}
			},
			1000_00, "no_kid 70.00, no_kid 5.00, no_kid 5.00",
			sums{3, 0, 3, 0, 0},
		},
		{
			"or has too much",
			func(kid string) []entry {
				return []entry{lump(credited(kid, 70_00), text(5_00)).changed(booked(60_00))}
			},
			1000_00, "no_kid 70.00, no_kid 5.00, reversal -15.00",
			sums{3, 0, 3, 0, 0},
		},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			for _, version := range []camt.Version{camt.Version02, camt.Version08} {
				t.Run(tt.name+", "+string(version), func(t *testing.T) {
					c := rows.Creditor(t, b.DB)
					invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
					m := messageOf(c.BankAccount, tt.entries(invoice.KID)...)
					m.version = version
					f := b.take(t, m.Bytes(t))
					if f.State != models.FileImported || f.Format != "camt.054" {
						t.Fatalf("the file is %s, of format %q: %v", f.State, f.Format, f.Faults)
					}
					if owed := b.Balance(t, invoice); owed != tt.owed {
						t.Errorf("%s is owed, want %s", owed, tt.owed)
					}
					if got := queued(b.Queue(t, c)); got != tt.queue {
						t.Errorf("the queue holds %q, want %q", got, tt.queue)
					}
					if got := b.sums(t, f, c.ID); got != tt.sums {
						t.Errorf("its sums are %+v, want %+v", got, tt.sums)
					}
					b.Prove(t, c)
				})
			}
		}
	})
}

func TestE4ACreditNoteIsPaidOutByADeductionAndNotByADebit(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice, credited1 := rows.Invoice(t, b.DB, c, rows.Of(1000_00)), rows.Invoice(t, b.DB, c, rows.Of(1000_00))
		must(t, b.Pay(t.Context(), credited1, 1000_00))
		note := rows.CreditNote(t, b.DB, c, credited1)
		net := credited("", 700_00)
		net.Invoices = []camt.Invoice{{KID: invoice.KID, Amount: 1000_00}, {KID: note.KID, Amount: -300_00}}
		b.take(t, messageOf(c.BankAccount, lump(net), lump(credited(note.KID, 100_00)).debited()).Bytes(t))
		now, err := b.DB.CreditNote(t.Context(), c.ID, note.ID)
		must(t, err)
		if owed := b.Balance(t, invoice); owed != 0 || -now.Balance != 700_00 {
			t.Errorf("%s is owed on the invoice, %s of the credit are left", owed, -now.Balance)
		}
		if got := queued(b.Queue(t, c)); got != "reversal -100.00" {
			t.Errorf("the queue holds %q", got)
		}
		b.Prove(t, c)
	})
}

func TestE4WhatIsKeptOfACamtFile(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB, func(c *models.Creditor) { c.BankAccount = "12345678903" })
		for _, name := range []string{"camt054-v02.xml", "camt054-v08.xml"} {
			raw, err := os.ReadFile("camt/testdata/" + name)
			must(t, err)
			f := b.take(t, raw)
			if want := strings.Replace(f.TransmissionNumber, "DEMO-2026030", "", 1); f.State != models.FileImported || len(want) != 3 {
				t.Errorf("%s is %s with number %q: %v", name, f.State, f.TransmissionNumber, f.Faults)
			}
		}
		var got []string
		for _, u := range b.Queue(t, c) {
			got = append(got, strings.Join([]string{
				string(u.Reason), u.Amount.String(), u.TransactionDate.String(), u.KID, u.FromAccountNumber, u.ArchiveReference, u.Text, u.Account,
			}, "|"))
		}
		want := `unknown_kid|1250.00|2026-03-02|0000421003179|98765432103|600100001||12345678903
no_kid|499.50|2026-03-02|||600100002|Faktura 100318, uten KID|12345678903
unknown_kid|1250.00|2026-03-03|0000421003179|98765432103|600100003||12345678903
reversal|-1250.00|2026-03-03|||600100003|Tilbakeføring|12345678903`
		if strings.Join(got, "\n") != want {
			t.Errorf("the queue holds\n%s, want\n%s", strings.Join(got, "\n"), want)
		}
		if news, err := b.DB.BankNews(t.Context(), c.ID, models.SourceSFTP); err != nil || news.Reached != today {
			t.Errorf("the files reach to %s, %v", news.Reached, err)
		}
	})
}

func TestE4AnEntryOfTheLedgerSaysWhatCamtSays(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		f := b.take(t, messageOf(c.BankAccount, lump(credited(invoice.KID, 70_00))).Bytes(t))
		if f.Sender != "DNBANOKK" || f.RecipientUnit != "12345" || !strings.HasPrefix(f.TransmissionNumber, "MSG-") || f.LatestDate != today-1 {
			t.Errorf("the file is %+v", f)
		}
		entries, _, err := b.DB.Entries(t.Context(), c.ID, store.EntryFilter{Type: models.EntryOCR}, store.Page{Number: 1, Size: 10})
		must(t, err)
		if e := entries[0]; e.Amount != -70_00 || e.TransactionDate != today-1 || e.BankDate != today-2 || e.FromAccountNumber != "98765432103" || e.PaymentFileID != f.ID {
			t.Errorf("the entry is %+v", e)
		}
	})
}

// The lines of a message have been imported: two equal payments of 100 kroner, and one without a KID. They come
// again in one shape or another (rule E4; the identities of messages and transactions).
func TestE4WhatComesAgainInCamt(t *testing.T) {
	tests := []struct {
		name  string
		again func(m *message, kid string)
		state models.FileState
		want  sums
		owed  models.Amount // of 1000 kroner
	}{
		{"the same file", func(*message, string) {}, models.FileDuplicate, sums{4, 0, 0, 3, 1}, 800_00},
		{"in another message", func(m *message, _ string) { m.id = "MSG-X" }, models.FileImported, sums{4, 0, 0, 3, 1}, 800_00},
		{"as a copy", func(m *message, _ string) { m.id, m.notifications[0].copy = "MSG-X", "COPY" }, models.FileImported, sums{4, 0, 0, 3, 1}, 800_00},
		{"in the other version", func(m *message, _ string) { m.version = camt.Version08 }, models.FileImported, sums{4, 0, 0, 3, 1}, 800_00},
		{"one of the two equal payments", func(m *message, kid string) { m.only(lump(credited(kid, 100_00))) }, models.FileImported, sums{1, 0, 0, 1, 0}, 800_00},
		{"three equal payments, of which one is new", func(m *message, kid string) {
			m.only(lump(credited(kid, 100_00), credited(kid, 100_00), credited(kid, 100_00)))
		}, models.FileImported, sums{3, 1, 0, 2, 0}, 700_00},
		{"a payment in another lump sum", func(m *message, kid string) {
			m.only(lump(credited(kid, 100_00)).changed(func(e *entry) { e.BankReference = "LUMP-2" }))
		}, models.FileImported, sums{1, 1, 0, 0, 0}, 700_00},
		{"a payment of another day", func(m *message, kid string) {
			m.only(lump(credited(kid, 100_00)).changed(func(e *entry) { e.Booked-- }))
		}, models.FileImported, sums{1, 1, 0, 0, 0}, 700_00},
		{"what was pending is booked", func(m *message, _ string) {
			m.notifications[0].entries[1].Status = camt.StatusBooked
		}, models.FileImported, sums{4, 0, 1, 3, 0}, 800_00},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB)
				invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
				pending := lump(credited("", 7_00)).changed(func(e *entry) { e.Status = "PDNG" })
				m := messageOf(c.BankAccount, lump(credited(invoice.KID, 100_00), credited("", 5_00), credited(invoice.KID, 100_00)), pending)
				first := b.take(t, m.Bytes(t))
				tt.again(&m, invoice.KID)
				again := b.take(t, m.Bytes(t))
				if again.State != tt.state || (again.DuplicateOf == first.ID) != (tt.state == models.FileDuplicate) {
					t.Errorf("it is %s, of %d", again.State, again.DuplicateOf)
				}
				if got := b.sums(t, again, c.ID); got != tt.want {
					t.Errorf("its sums are %+v, want %+v", got, tt.want)
				}
				if owed := b.Balance(t, invoice); owed != tt.owed {
					t.Errorf("%s is owed, want %s", owed, tt.owed)
				}
				b.Prove(t, c)
			})
		}
	})
}

// only puts another entry into the message's first notification, in another message.
func (m *message) only(e entry) { m.id, m.notifications[0].entries = "MSG-X", []entry{e} }

func TestE4EachCreditorGetsItsOwnOfAMessage(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		kari, ola := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		karis, olas := rows.Invoice(t, b.DB, kari), rows.Invoice(t, b.DB, ola)
		m := message{notifications: []notification{
			{account: kari.BankAccount, entries: []entry{lump(credited(karis.KID, 400_00))}},
			{account: ola.BankAccount, entries: []entry{lump(credited(olas.KID, 300_00), credited("", 20_00))}},
			{account: nobodys, entries: []entry{lump(credited("", 1_00))}},
		}}
		f := b.take(t, m.Bytes(t))
		if k, o, n := b.sums(t, f, kari.ID), b.sums(t, f, ola.ID), b.sums(t, f, 0); k != (sums{1, 1, 0, 0, 0}) || o != (sums{2, 1, 1, 0, 0}) || n != (sums{1, 0, 1, 0, 0}) {
			t.Errorf("the parts are %+v, %+v and nobody's %+v", k, o, n)
		}
		if len(f.Warnings) != 1 || f.Warnings[0].Code != codeUnassigned {
			t.Errorf("the warnings are %+v", f.Warnings)
		}
		posted := b.takeFor(t, kari.ID, message{id: "X", notifications: m.notifications}.Bytes(t))
		if got := queued(b.Queue(t, kari)); got != "other_account 300.00, other_account 20.00, other_account 1.00" || b.sums(t, posted, kari.ID) != (sums{4, 0, 3, 1, 0}) {
			t.Errorf("posted with a key the queue holds %q, the part is %+v", got, b.sums(t, posted, kari.ID))
		}
	})
}

func TestACamtImportBrokenOffAtAnyPointGoesOn(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		b.im.batch = 1
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
		pending := lump(credited("", 7_00)).changed(func(e *entry) { e.Status = "PDNG" })
		file := messageOf(c.BankAccount, lump(credited(invoice.KID, 100_00), credited("", 5_00), credited(invoice.KID, 100_00)), pending).Bytes(t)
		var got models.PaymentFile
		b.stepByStep(t, func(ctx context.Context, im *Importer) (err error) {
			got, err = im.Import(ctx, bytes.NewReader(file), Source{Kind: FromInbox, Arrival: "camt"})
			return err
		})
		part := b.Part(t, got, c.ID)
		if b.sums(t, got, c.ID) != (sums{4, 2, 1, 0, 1}) || part.Amount != 212_00 || part.IgnoredAmount != 7_00 || b.Balance(t, invoice) != 800_00 {
			t.Errorf("the part is %+v", part)
		}
		b.Prove(t, c)
	})
}

func TestE4ARejectedCamtFileChangesNothing(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c)
		good := string(messageOf(c.BankAccount, lump(credited(invoice.KID, 100_00), credited("", 5_00))).Bytes(t))
		for name, tt := range map[string]struct{ file, code string }{
			"cut off":        {good[:len(good)-40], camt.CodeMalformed},
			"an entity":      {strings.Replace(good, "<Document", "<!DOCTYPE x [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><Document", 1), camt.CodeDoctype},
			"a wrong amount": {strings.Replace(good, ">5.00<", ">5,00<", 1), camt.CodeBadAmount},
			"two messages":   {good + good, camt.CodeMalformed},
		} {
			f := b.takeFor(t, c.ID, []byte(tt.file))
			if f.State != models.FileRejected || f.Faults[0].Code != tt.code {
				t.Errorf("%s: it is %s: %v", name, f.State, f.Faults)
			}
			if owed := b.Balance(t, invoice); owed != 1000_00 || len(b.Queue(t, c)) != 0 {
				t.Errorf("%s: %s is owed, the queue holds %s", name, owed, queued(b.Queue(t, c)))
			}
		}
		if f := b.takeFor(t, c.ID, []byte(good)); f.State != models.FileImported {
			t.Errorf("the right file is %s: %v", f.State, f.Faults)
		}
		b.Prove(t, c)
	})
}
