package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// payToday registers a payment on an invoice, and returns its entry.
func (o *office) payToday(t *testing.T, c models.Creditor, i models.Invoice, amount models.Amount) (e models.Entry) {
	t.Helper()
	today, err := c.Today(o.clock.Now())
	must(t, err)
	rows.Write(t, o.db, func(tx *store.Tx) (err error) {
		e, err = ledger.RegisterOnInvoice(t.Context(), tx, c.ID, i.ID, ledger.Payment{Amount: -amount, Date: today, Actor: "a test"}, today)
		return err
	})
	return e
}

// told is what files have told the collector, each "number: date kind amount balance".
func (o *office) told(t *testing.T) (all []string) {
	t.Helper()
	entry := regexp.MustCompile(`<entry .*?bundle="(.*?)" date="(.*?)" kind="(.*?)" amount="(.*?)" balance="(.*?)">`)
	files := o.collected(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		number, is := strings.CutPrefix(strings.TrimSuffix(name, ".xml"), "direct-")
		if !is || !strings.HasSuffix(name, ".xml") {
			continue
		}
		found := entry.FindAllStringSubmatch(files[name], -1)
		for _, e := range found {
			all = append(all, number+": "+strings.Join(e[2:], " "))
		}
		if lines := strings.Count(files["direct-"+number+".csv"], "\r\n"); lines != len(found)+1 {
			t.Errorf("direct-%s.csv has %d lines, and the XML %d entries", number, lines, len(found))
		}
	}
	return all
}

// at moves the clock to a moment in Oslo.
func (o *office) at(t *testing.T, moment string) {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Oslo")
	must(t, err)
	to, err := time.ParseInLocation("2006-01-02 15:04", moment, zone)
	must(t, err)
	o.advance(t, to.Sub(o.clock.Now()))
}

// TestC2TheCollectorIsToldAtFourOfABankDay: the invoice of 1000.00 was handed over on Sunday, 22 March. Easter begins on 2 April.
func TestC2TheCollectorIsToldAtFourOfABankDay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice, _ := o.handedOver(t, c)
		o.work(t, 2)
		o.at(t, "2026-03-23 15:00")
		first := o.payToday(t, c, invoice, 100_00)
		rows.Write(t, o.db, func(tx *store.Tx) error { // each øre has one owner
			_, err := dunning.ReportCollection(t.Context(), tx, c, []models.CollectorTold{{Invoice: "1", State: "paid", At: "2026-03-23", Amount: "300", Reference: "K"}}, "a test")
			return err
		})
		mistaken := o.payToday(t, c, invoice, 50_00)
		rows.Write(t, o.db, func(tx *store.Tx) error { // before anybody was told
			return ledger.DeletePayment(t.Context(), tx, c.ID, mistaken.ID, 0, "a test")
		})
		o.at(t, "2026-03-23 15:59")
		wantLines(t, o.told(t))
		o.at(t, "2026-03-23 16:00")
		one := []string{"1: 2026-03-23 payment 100.00 900.00"}
		wantLines(t, o.told(t), one...)
		o.at(t, "2026-03-27 16:30") // nothing came in the week
		wantLines(t, o.told(t), one...)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			return ledger.DeletePayment(t.Context(), tx, c.ID, first.ID, rows.Day("2026-03-27"), "a test")
		})
		o.at(t, "2026-03-30 15:59") // over the weekend
		wantLines(t, o.told(t), one...)
		o.at(t, "2026-03-30 16:00")
		two := slices.Concat(one, []string{"2: 2026-03-23 taken_back -100.00 700.00"})
		wantLines(t, o.told(t), two...)
		o.at(t, "2026-04-01 17:00")
		o.payToday(t, c, invoice, 200_00)
		o.at(t, "2026-04-07 15:59") // Easter
		wantLines(t, o.told(t), two...)
		rows.CreditNote(t, o.db, c, invoice)
		o.at(t, "2026-04-07 16:00")
		got := o.told(t)
		if len(got) != 4 || got[2] != "3: 2026-04-01 payment 200.00 500.00" || !strings.HasPrefix(got[3], "3: 2026-04-07 credit_note 500.00 0.00") {
			t.Errorf("after Easter the collector was told %q", got)
		}
		differences, err := ledger.Verify(t.Context(), o.db, c)
		if err != nil || len(differences) > 0 {
			t.Errorf("the books: %v, %v", differences, err)
		}
	})
}

// TestC2AFileIsMadeOnce though several make it at once, of two creditors whose files are one series. A collector who is away gets it later.
func TestC2AFileIsMadeOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		away := true
		collector := &channel{take: func(_ context.Context, name string) error {
			if away && strings.HasPrefix(name, "direct") {
				return errors.New("no route to host")
			}
			return nil
		}}
		o.worker.Bundles.Collector = collector
		c, d := rows.Creditor(t, o.db), rows.Creditor(t, o.db)
		invoice, h := o.handedOver(t, c)
		theirs, g := o.handedOver(t, d)
		for _, one := range []models.HandOver{h, g} {
			must(t, o.worker.collect(t.Context(), collectPayload{one.CreditorID, one.ID}))
		}
		o.payToday(t, c, invoice, 1_00)
		o.payToday(t, d, theirs, 2_00)
		o.clock.Set(o.clock.Now().Add(7 * 24 * time.Hour))
		direct := func(c models.Creditor) func() error {
			return func() error { return o.worker.direct(t.Context(), directPayload{c.ID}) }
		}
		testkit.AtOnce(t, direct(c), direct(c), direct(d), direct(c), direct(d))
		var numbers []string
		var files []models.CollectorFile
		for _, one := range []models.Creditor{c, d} {
			found, err := o.db.CollectorFiles(t.Context(), one.ID, 10)
			must(t, err)
			files = append(files, found...)
			for _, f := range found {
				numbers = append(numbers, fmt.Sprint(f.Number))
			}
		}
		slices.Sort(numbers)
		wantLines(t, numbers, "1", "2")
		tell := func(f models.CollectorFile) func() error {
			return func() error { return o.worker.tellCollector(t.Context(), tellPayload{f.CreditorID, f.ID}) }
		}
		testkit.AtOnce(t, tell(files[0]), tell(files[0]))
		counts, err := o.db.WaitingForPerson(t.Context())
		must(t, err)
		if counts["undelivered_collector_files"] != 1 {
			t.Errorf("waiting for a person are %v", counts)
		}
		away = false
		o.clock.Set(o.clock.Now().Add(time.Hour))
		testkit.AtOnce(t, tell(files[0]), tell(files[0]), tell(files[1]))
		must(t, tell(files[0])())
		sent := slices.DeleteFunc(collector.all(), func(name string) bool { return !strings.HasPrefix(name, "direct") })
		slices.Sort(sent)
		wantLines(t, sent, "direct-1.csv", "direct-1.xml", "direct-2.csv", "direct-2.xml")
	})
}

// TestC2OfAClaimThatNeverLeftNothingIsTold: the hand-over was taken back before its bundle was delivered.
func TestC2OfAClaimThatNeverLeftNothingIsTold(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		invoice, _ := o.handedOver(t, c)
		o.payToday(t, c, invoice, 1_00)
		o.reopen(t, c, invoice)
		o.work(t, 2)
		o.at(t, "2026-03-24 17:00")
		wantLines(t, o.told(t))
		if left, err := o.db.Untold(t.Context()); err != nil || len(left) > 0 {
			t.Errorf("to be told are %v (%v)", left, err)
		}
	})
}
