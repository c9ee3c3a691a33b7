package ocr

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit"
)

// Whatever files come, in whatever order, how often, how damaged, and however their import is broken off:
// every line of those that are taken is in exactly one place, the sums add up, the books hold, and files
// that are rejected change nothing; a number of a transmission is used once, but where that is accepted (rules E4, E5).
func TestE4WhateverComesAddsUp(t *testing.T) {
	testkit.Tries(t, 12, 0) // a try is many transactions of a database
	eachBooks(t, func(t *testing.T, b *books) {
		all := &past{live: map[string]map[int64]bool{}, nobodys: map[string]bool{}, numbers: map[string][]string{}}
		rapid.Check(t, func(rt *rapid.T) {
			w := newWorld(t, b, all)
			for n := range rapid.IntRange(1, 4).Draw(rt, "files") {
				ownerID := rapid.SampledFrom([]int64{0, 0, w.creditors[0].ID, w.creditors[1].ID}).Draw(rt, "owner")
				file := w.draw(rt)
				accept := rapid.Bool().Draw(rt, "accept a conflict")
				got := w.bring(t, rt, Source{OwnerID: ownerID, Kind: FromInbox, Arrival: fmt.Sprint(all.worlds, " ", n), AcceptConflict: accept}, file)
				w.compare(rt, got, w.expect(rt, ownerID, accept, file))
			}
		})
	})
}

// bring imports a file, which may be broken off and then goes on.
func (w *world) bring(t *testing.T, rt *rapid.T, src Source, file []byte) models.PaymentFile {
	w.im.batch = rapid.SampledFrom([]int{1, 2, 5, 1000}).Draw(rt, "batch")
	after := rapid.IntRange(0, 9).Draw(rt, "broken off after")
	var got models.PaymentFile
	bring := func(ctx context.Context, im *Importer) (err error) {
		got, err = im.Import(ctx, bytes.NewReader(file), src)
		return err
	}
	if w.until(t, after, bring) {
		must(rt, bring(rt.Context(), w.im))
	}
	return got
}

// draw makes a file: a new one, or one that came before in another shape, right or damaged.
func (w *world) draw(rt *rapid.T) []byte {
	var f bankFile
	if len(w.drawn) > 0 && rapid.Bool().Draw(rt, "again") {
		f = w.again(rt)
	} else {
		for range rapid.IntRange(1, 3).Draw(rt, "assignments") {
			f.Assignments = append(f.Assignments, w.assignment(rt))
		}
	}
	f.Number = fmt.Sprint(rapid.IntRange(1, 3).Draw(rt, "transmission"))
	f.CRLF = rapid.Bool().Draw(rt, "CR LF")
	w.drawn = append(w.drawn, f)
	return damaged(rt, f.Bytes(rt))
}

func (w *world) again(rt *rapid.T) bankFile {
	f := rapid.SampledFrom(w.drawn).Draw(rt, "the file")
	f.Assignments = slices.Clone(f.Assignments)
	if rapid.Bool().Draw(rt, "other assignment numbers") {
		for i := range f.Assignments {
			f.Assignments[i].Number = fmt.Sprint(i + 5)
		}
	}
	if rapid.Bool().Draw(rt, "other order") {
		slices.Reverse(f.Assignments)
		for i := range f.Assignments {
			f.Assignments[i].Payments = slices.Clone(f.Assignments[i].Payments)
			slices.Reverse(f.Assignments[i].Payments)
		}
	}
	return f
}

func (w *world) assignment(rt *rapid.T) assignment {
	a := assignment{Account: rapid.SampledFrom([]string{w.creditors[0].BankAccount, w.creditors[1].BankAccount, nobodys}).Draw(rt, "account")}
	if rapid.IntRange(0, 5).Draw(rt, "service") == 0 {
		a.Mandates = 2
		return a
	}
	var sum models.Amount
	for range rapid.IntRange(1, 5).Draw(rt, "payments") {
		p := w.payment(rt)
		a.Payments = append(a.Payments, p)
		if p.Negative {
			p.Amount = -p.Amount
		}
		sum += p.Amount
	}
	if sum < 0 { // which no file can say
		a.Payments = append(a.Payments, paid(otherKID(10, 10), -sum))
	}
	return a
}

func (w *world) payment(rt *rapid.T) giro.Payment {
	c := w.creditors[0].ID // the other's are the same
	invoice, credited, note := w.invoices[c][0].KID, w.invoices[c][1].KID, w.notes[c].KID
	kids := []string{invoice, invoice, filledTo(25)(invoice), credited, note, note, otherKID(10, 10), mistyped(invoice), ""}
	amounts := []models.Amount{0, 1, 100_00, 300_00, 700_00}
	p := paid(rapid.SampledFrom(kids).Draw(rt, "KID"), rapid.SampledFrom(amounts).Draw(rt, "amount"))
	p.Type = giro.Type(rapid.SampledFrom([]int{13, 13, 13, 13, 10, 15, 18, 19, 20, 21}).Draw(rt, "type"))
	p.Negative = rapid.IntRange(0, 2).Draw(rt, "sign") == 0
	p.NetsDate -= models.Date(rapid.IntRange(0, 1).Draw(rt, "days before"))
	if p.Type.HasText() {
		p.KID, p.Text = "", "Takk for sist"
	}
	return p
}

// damaged returns the file as it is, mostly, or with something wrong, which may still make a right file.
func damaged(rt *rapid.T, file []byte) []byte {
	at := func(size int) int { return rapid.IntRange(0, size-1).Draw(rt, "at") }
	records := bytes.SplitAfter(file, []byte("\n"))
	records = records[:len(records)-1]
	switch rapid.SampledFrom([]string{"", "", "", "", "", "byte", "cut", "gone", "twice", "swapped"}).Draw(rt, "damage") {
	case "byte":
		file[at(len(file))] = rapid.SampledFrom([]byte("0123456789 -N\x00\xe6")).Draw(rt, "byte")
	case "cut":
		return file[:at(len(file))]
	case "gone":
		i := at(len(records))
		return bytes.Join(slices.Delete(records, i, i+1), nil)
	case "twice":
		i := at(len(records))
		return bytes.Join(slices.Insert(records, i, records[i]), nil)
	case "swapped":
		i, k := at(len(records)), at(len(records))
		records[i], records[k] = records[k], records[i]
		return bytes.Join(records, nil)
	}
	return file
}
