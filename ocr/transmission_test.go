package ocr

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"purr/models"
	"purr/test/testkit/rows"
)

// transmissionOf returns the file of one account's payments, with a number.
func transmissionOf(number, account string, amounts ...models.Amount) bankFile {
	f := bankFile{Number: number, Assignments: []assignment{{Account: account}}}
	for _, amount := range amounts {
		f.Assignments[0].Payments = append(f.Assignments[0].Payments, paid("", amount))
	}
	return f
}

// From the inbox came transmission 7 with a payment of 10 kroner. Then another file comes with what it says of 20 kroner.
func TestE4TheNumberOfATransmissionIsUsedOnce(t *testing.T) {
	const rejected, imported, duplicate = models.FileRejected, models.FileImported, models.FileDuplicate
	tests := []struct {
		name   string
		change func(f *bankFile)
		accept bool
		want   models.FileState
		queue  string // of the creditor, whom nobody owes
	}{
		{"with other content it is rejected", nil, false, rejected, "no_kid 10.00"},
		{"with other content that is accepted its new line is posted", nil, true, imported, "no_kid 10.00, no_kid 20.00"},
		{"of accepted content only new lines are posted", func(f *bankFile) { pays(f, 10_00, 20_00) }, true, imported, "no_kid 10.00, no_kid 20.00"},
		{"with less content it is rejected too", func(f *bankFile) { pays(f) }, false, rejected, "no_kid 10.00"},
		{"with the same content it is a duplicate", func(f *bankFile) { pays(f, 10_00) }, false, duplicate, "no_kid 10.00"},
		{"it still is when a conflict is accepted", func(f *bankFile) { pays(f, 10_00) }, true, duplicate, "no_kid 10.00"},
		{"another number is another one", func(f *bankFile) { f.Number = "8" }, false, imported, "no_kid 10.00, no_kid 20.00"},
		{"another sender's is another one", func(f *bankFile) { f.Sender = "00001234" }, false, imported, "no_kid 10.00, no_kid 20.00"},
		{"another recipient's is another one", func(f *bankFile) { f.Recipient = "54321" }, false, imported, "no_kid 10.00, no_kid 20.00"},
		{"one to another account is another one", func(f *bankFile) { f.Assignments[0].Account = nobodys }, false, imported, "no_kid 10.00"},
		{"one to the account and another is not", func(f *bankFile) {
			f.Assignments = append(f.Assignments, transmissionOf("", "98765432103", 1_00).Assignments...)
		}, false, rejected, "no_kid 10.00"},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB)
				first := b.take(t, transmissionOf("7", c.BankAccount, 10_00).Bytes(t))
				f := transmissionOf("7", c.BankAccount, 20_00)
				if tt.change != nil {
					tt.change(&f)
				}
				got := b.takeAnyway(t, Source{AcceptConflict: tt.accept}, f.Bytes(t))
				if got.State != tt.want {
					t.Errorf("it is %s: %v", got.State, got.Faults)
				}
				if tt.want == rejected {
					wantConflict(t, got, first)
				}
				if queue := queued(b.Queue(t, c)); queue != tt.queue {
					t.Errorf("the queue holds %q, want %q", queue, tt.queue)
				}
				b.Prove(t, c)
			})
		}
	})
}

// pays puts other payments into the file's first assignment.
func pays(f *bankFile, amounts ...models.Amount) {
	f.Assignments[0].Payments = transmissionOf("", "", append(amounts, 0)...).Assignments[0].Payments[:len(amounts)]
}

// takeAnyway imports a file from a source.
func (b *books) takeAnyway(t tester, src Source, file []byte) models.PaymentFile {
	t.Helper()
	src.Filename, src.Kind = "OCR.txt", FromCommand
	f, err := b.im.Import(t.Context(), bytes.NewReader(file), src)
	must(t, err)
	return f
}

// wantConflict expects a file to be rejected for what came in an earlier one, which it names.
func wantConflict(t *testing.T, got, first models.PaymentFile) {
	t.Helper()
	if len(got.Faults) != 1 || got.Faults[0].Line != 1 || got.Faults[0].Code != CodeTransmissionConflict {
		t.Fatalf("the faults are %v", got.Faults)
	}
	for _, named := range []string{"0000007", fmt.Sprintf("payment file %d (OCR.txt) of 2026-03-02", first.ID), "accept_conflict=1", "--accept-conflict"} {
		if !strings.Contains(got.Faults[0].Text, named) {
			t.Errorf("the fault does not name %q: %s", named, got.Faults[0].Text)
		}
	}
}

// TestE4EachVersionOfATransmissionIsKnown has two contents of one number accepted: both are known then, a third is not.
func TestE4EachVersionOfATransmissionIsKnown(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		file := func(amount models.Amount) []byte { return transmissionOf("7", c.BankAccount, amount).Bytes(t) }
		b.take(t, file(10_00))
		second := b.takeAnyway(t, Source{AcceptConflict: true}, file(20_00))
		if len(second.Warnings) != 1 || second.Warnings[0].Code != CodeTransmissionConflict || !strings.Contains(second.Warnings[0].Text, "accepted") {
			t.Errorf("the accepted file is warned of with %v", second.Warnings)
		}
		if again := b.take(t, file(20_00)); again.State != models.FileDuplicate || again.DuplicateOf != second.ID {
			t.Errorf("come again it is %s of %d", again.State, again.DuplicateOf)
		}
		wantConflict(t, b.take(t, file(30_00)), second)
		// Joined with another one, what is known is no conflict, and its line comes no second time.
		joined := append(file(20_00), transmissionOf("8", c.BankAccount, 40_00).Bytes(t)...)
		if f := b.take(t, joined); f.State != models.FileImported || b.sums(t, f, c.ID) != (sums{2, 0, 1, 1, 0}) {
			t.Errorf("joined with another it is %s with %+v: %v", f.State, b.sums(t, f, c.ID), f.Faults)
		}
		b.Prove(t, c)
	})
}

// TestE4OneFileOfATransmissionTwice is about files that people have joined.
func TestE4OneFileOfATransmissionTwice(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		seven, other := transmissionOf("7", c.BankAccount, 10_00).Bytes(t), transmissionOf("7", c.BankAccount, 20_00).Bytes(t)
		both := bytes.Join([][]byte{seven, other}, nil)
		for _, accept := range []bool{false, true} {
			f := b.takeAnyway(t, Source{AcceptConflict: accept}, append(bytes.Clone(seven), seven...))
			if f.State != models.FileRejected || len(f.Faults) != 1 || f.Faults[0].Code != CodeRepeatedTransmission || f.Faults[0].Line != 7 {
				t.Errorf("twice in one file it is %s: %v", f.State, f.Faults)
			}
		}
		f := b.take(t, both)
		if f.State != models.FileRejected || len(f.Faults) != 1 || f.Faults[0].Line != 7 || !strings.Contains(f.Faults[0].Text, "in this file itself") {
			t.Errorf("with two contents in one file it is %s: %v", f.State, f.Faults)
		}
		if f = b.takeAnyway(t, Source{AcceptConflict: true}, both); f.State != models.FileImported || b.sums(t, f, c.ID) != (sums{2, 0, 2, 0, 0}) {
			t.Errorf("accepted it is %s with %+v", f.State, b.sums(t, f, c.ID))
		}
		b.Prove(t, c)
	})
}

// TestE4OneCreditorUsesUpNoNumberOfAnother: what one posts does not bind another, not for the other's own account either.
func TestE4OneCreditorUsesUpNoNumberOfAnother(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		kari, ola := rows.Creditor(t, b.DB), rows.Creditor(t, b.DB)
		file := func(amount models.Amount) []byte { return transmissionOf("7", kari.BankAccount, amount).Bytes(t) }
		b.takeFor(t, ola.ID, file(10_00))
		first := b.takeFor(t, kari.ID, file(20_00))
		if first.State != models.FileImported {
			t.Errorf("after another creditor posted its number it is %s: %v", first.State, first.Faults)
		}
		wantConflict(t, b.take(t, file(30_00)), first) // for all, and so for Kari
	})
}

// TestE4ANumberOfNobodysAccountIsTheCreditorsWhoGetsIt has the conflict seen although the account changed hands.
func TestE4ANumberOfNobodysAccountIsTheCreditorsWhoGetsIt(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		file := func(amount models.Amount) []byte { return transmissionOf("7", nobodys, amount).Bytes(t) }
		accepted := Source{OwnerID: c.ID, AcceptConflict: true}
		b.takeFor(t, c.ID, file(10_00)) // the creditor's before it has the account
		b.takeAnyway(t, accepted, file(20_00))
		first := b.take(t, file(30_00))
		b.getsAccount(t, &c, nobodys)
		wantConflict(t, b.takeFor(t, c.ID, file(40_00)), first)
		if f := b.takeAnyway(t, accepted, file(40_00)); f.State != models.FileImported {
			t.Errorf("accepted it is %s: %v", f.State, f.Faults)
		}
	})
}

// TestE4OfContentsThatComeAtOnceOneWins posts different contents of one transmission at the same time.
func TestE4OfContentsThatComeAtOnceOneWins(t *testing.T) {
	const rounds, contents = 3, 6
	eachBooks(t, func(t *testing.T, b *books) {
		for round := range rounds {
			c := rows.Creditor(t, b.DB)
			for _, accept := range []bool{false, true} {
				number := fmt.Sprint(10*round + 7)
				if accept {
					number = fmt.Sprint(10*round + 8)
				}
				var states sync.Map
				var all sync.WaitGroup
				for n := range contents {
					file := transmissionOf(number, c.BankAccount, models.Amount(n+1)).Bytes(t)
					all.Go(func() {
						f, err := b.im.Import(t.Context(), bytes.NewReader(file), Source{OwnerID: c.ID, Kind: FromAPI, AcceptConflict: accept})
						if err != nil {
							t.Error(err)
						}
						states.Store(n, f.State)
					})
				}
				all.Wait()
				imported := 0
				states.Range(func(_, state any) bool {
					if state == models.FileImported {
						imported++
					}
					return true
				})
				if want := map[bool]int{false: 1, true: contents}[accept]; imported != want {
					t.Errorf("%d of %d contents are imported where accepting is %v", imported, contents, accept)
				}
			}
			b.Prove(t, c)
		}
	})
}

// TestE4AnAcceptedConflictBrokenOffAtAnyPointGoesOn: whoever goes on knows what was accepted.
func TestE4AnAcceptedConflictBrokenOffAtAnyPointGoesOn(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		b.im.batch = 1
		broken := true
		for after := 1; broken; after++ { // at 0 nothing is known of it
			c := rows.Creditor(t, b.DB)
			b.take(t, transmissionOf("7", c.BankAccount, 10_00).Bytes(t))
			file := transmissionOf("7", c.BankAccount, 10_00, 20_00, 30_00).Bytes(t)
			broken = b.until(t, after, func(ctx context.Context, im *Importer) error {
				_, err := im.Import(ctx, bytes.NewReader(file), Source{OwnerID: c.ID, Kind: FromAPI, AcceptConflict: true})
				return err
			})
			must(t, b.sweep(t.Context()))
			if got := queued(b.Queue(t, c)); got != "no_kid 10.00, no_kid 20.00, no_kid 30.00" {
				t.Fatalf("broken off after %d transactions of the database the queue holds %q", after, got)
			}
			b.Prove(t, c)
		}
	})
}

func TestE4MessagesOfCamtAreTransmissionsToo(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		of := func(id string, amount models.Amount) message {
			m := messageOf(c.BankAccount, lump(credited("", amount)))
			m.id, m.notifications[0].id = id, "NTF-1"
			return m
		}
		first := b.take(t, of("0000007", 10_00).Bytes(t))
		wantConflict(t, b.take(t, of("0000007", 20_00).Bytes(t)), first)

		ordered := of("MSG-2", 10_00)
		ordered.notifications[0].copy = "COPY"
		if f := b.take(t, ordered.Bytes(t)); f.State != models.FileDuplicate || f.DuplicateOf != first.ID {
			t.Errorf("a copy that was ordered is %s of %d", f.State, f.DuplicateOf)
		}
		one, two := of("MSG-3", 30_00), of("MSG-3", 40_00)
		one.page.Number, two.page.Number, two.page.Last = 1, 2, true
		for _, page := range []message{one, two} {
			if f := b.take(t, page.Bytes(t)); f.State != models.FileImported {
				t.Errorf("a page of a message is %s: %v", f.State, f.Faults)
			}
		}
		b.Prove(t, c)
	})
}
