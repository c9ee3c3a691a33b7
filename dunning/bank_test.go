package dunning_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestE6bWhenTheBanksFilesAreLate(t *testing.T) {
	t.Parallel()
	// Friday 13 March 2026 is the last bank day before the run of Monday the 16th.
	for _, tt := range []struct {
		reached, confirmed, checked, rejected string
		date                                  string
		late                                  bool
		why                                   string
	}{
		{"", "", "", "", "2026-03-16", false, "a creditor who never had a file waits for none"},
		{"", "", "", "2026-03-13", "2026-03-16", false, "nor for one that was rejected"},
		{"2026-03-13", "", "", "", "2026-03-16", false, "a file that reaches the Friday is in time on Monday"},
		{"2026-03-13", "", "", "", "2026-03-14", false, "and on Saturday"},
		{"2026-03-12", "", "", "", "2026-03-16", true, "one that reaches the Thursday is not"},
		{"2026-03-12", "", "", "", "2026-03-13", false, "but was on Friday"},
		{"2026-03-16", "", "", "", "2026-03-16", false, "a file may reach further"},
		{"2026-03-12", "2026-03-13", "", "", "2026-03-16", false, "a person's word for the Friday counts as a file"},
		{"2026-03-12", "2026-03-12", "", "", "2026-03-16", true, "one for the Thursday does not"},
		{"2026-03-12", "", "2026-03-14", "", "2026-03-16", false, "a look on Saturday that found nothing new counts as a file"},
		{"2026-03-12", "", "2026-03-16", "", "2026-03-16", false, "one on the morning of the run too"},
		{"2026-03-12", "", "2026-03-13", "", "2026-03-16", true, "one on the Friday itself came before its end"},
		{"2026-03-12", "", "2026-03-16", "", "2026-03-17", true, "one on Monday says nothing of Monday"},
		{"2026-03-12", "", "2026-03-16", "2026-03-13", "2026-03-16", true, "a file of Friday's that was rejected may hold its payments"},
		{"2026-03-12", "", "2026-03-16", "2026-03-16", "2026-03-16", true, "so may one of Monday's"},
		{"2026-03-12", "", "2026-03-16", "2026-03-12", "2026-03-16", false, "one of Thursday's is another day's matter"},
		{"2026-03-12", "2026-03-13", "2026-03-16", "2026-03-16", "2026-03-16", false, "a person's word counts in spite of it"},
		{"2026-03-13", "", "", "2026-03-16", "2026-03-16", false, "and so does a file"},
		{"2025-12-23", "", "", "", "2025-12-28", false, "Christmas has no bank days, nor has Christmas Eve"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			news := dunning.BankNews{Reached: day(tt.reached), Confirmed: day(tt.confirmed), Polled: day(tt.checked), Rejected: day(tt.rejected)}
			if got := news.Late(day(tt.date)); got != tt.late {
				t.Errorf("the files are late: %t, want %t", got, tt.late)
			}
		})
	}
}

func TestE6bHowManyBankDaysAreMissing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why                string
		reached, confirmed string
		date               string
		want               int
	}{
		{"a file that reaches the day before", "2026-03-12", "", "2026-03-13", 0},
		{"Friday is missing on Monday", "2026-03-12", "", "2026-03-16", 1},
		{"Thursday, Friday and Monday on Tuesday", "2026-03-11", "", "2026-03-17", 3},
		{"a person's word for Thursday takes it away", "2026-03-11", "2026-03-12", "2026-03-17", 2},
		{"holidays are no bank days", "2026-03-31", "", "2026-04-08", 2}, // Wednesday the 1st, Tuesday the 7th
		{"who never had a file misses none", "", "", "2026-03-17", 0},
	} {
		news := dunning.BankNews{Reached: day(tt.reached), Confirmed: day(tt.confirmed)}
		if got := news.Missing(day(tt.date)); got != tt.want {
			t.Errorf("%s: %d are missing, want %d", tt.why, got, tt.want)
		}
	}
}

func TestE6bNewsAreOfTheCreditorsOwnDays(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		oslo := rows.Creditor(t, db)
		newYork := rows.Creditor(t, db, func(c *models.Creditor) { c.TimeZone = "America/New_York" })
		write := func(at time.Time, do func(tx *store.Tx) error) {
			t.Helper()
			rows.Write(t, db.WithClock(clock.NewTest(at)), do)
		}
		night := time.Date(2026, time.March, 16, 3, 0, 0, 0, time.UTC)
		write(night, func(tx *store.Tx) error {
			for _, c := range []models.BankPoll{{OK: true}, {OK: true, Found: 1}, {}} {
				if err := tx.BeginBankPoll(t.Context(), &c); err != nil {
					return err
				}
				tx.Now = tx.Now.Add(24 * time.Hour) // the polls that found nothing came later
			}
			return nil
		})
		write(night.Add(-7*24*time.Hour), func(tx *store.Tx) error { return reject(t.Context(), tx, models.SourceSFTP) })
		write(night, func(tx *store.Tx) error { return reject(t.Context(), tx, "api") })
		write(rows.Start, func(tx *store.Tx) error {
			part := models.PaymentFilePart{CreditorID: oslo.ID, LatestDate: day("2026-02-27")}
			return tx.SaveFilePart(t.Context(), &part)
		})
		write(rows.Start, func(tx *store.Tx) error {
			_, err := dunning.ConfirmNone(t.Context(), tx, newYork, 0, "Kari")
			return err
		})
		for _, tt := range []struct {
			creditor models.Creditor
			want     dunning.BankNews
		}{
			{oslo, dunning.BankNews{Reached: day("2026-02-27"), Polled: day("2026-03-16"), Rejected: day("2026-03-09")}},
			{newYork, dunning.BankNews{Confirmed: day("2026-02-27"), Polled: day("2026-03-15"), Rejected: day("2026-03-08")}},
		} {
			got, err := dunning.ReadBankNews(t.Context(), db, tt.creditor)
			if err != nil || got != tt.want {
				t.Errorf("the news of %s are %+v, %v; want %+v", tt.creditor.TimeZone, got, err, tt.want)
			}
		}
		for at, want := range map[time.Time]int{night: 0, night.Add(-7 * 24 * time.Hour): 1, night.Add(7 * 24 * time.Hour): 1} {
			if n, err := dunning.CountLate(t.Context(), db, at); n != want || err != nil {
				t.Errorf("at %s the files of %d are late, %v; want %d", at, n, err, want)
			}
		}
	})
}

// TestD110ADateAheadOfItsFileCountsAsTheDayItCame has parts of files as releases before the rule have kept them: what they reach is
// bounded when it is read.
func TestD110ADateAheadOfItsFileCountsAsTheDayItCame(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ill, well, first := rows.Creditor(t, db), rows.Creditor(t, db), rows.Creditor(t, db)
		came := func(at time.Time, latest map[int64]string) {
			t.Helper()
			rows.Write(t, db.WithClock(clock.NewTest(at)), func(tx *store.Tx) error {
				var f models.PaymentFile
				testkit.Must(t, tx.CreatePaymentFile(t.Context(), &f))
				for id, date := range latest {
					part := models.PaymentFilePart{PaymentFileID: f.ID, CreditorID: id, LatestDate: day(date)}
					testkit.Must(t, tx.SaveFilePart(t.Context(), &part))
				}
				return nil
			})
		}
		at := func(date string) time.Time { return day(date).Time().Add(6 * time.Hour) }
		midnight := day("2026-03-10").Time().Add(23*time.Hour + 30*time.Minute) // on the 11th in Oslo
		came(at("2026-03-02"), map[int64]string{ill.ID: "2026-02-27", well.ID: "2026-02-27"})
		came(at("2026-03-05"), map[int64]string{ill.ID: "2036-03-05"})
		came(at("2026-03-06"), map[int64]string{ill.ID: "2026-03-05", first.ID: "2036-03-06"})
		came(at("2026-03-03"), map[int64]string{ill.ID: "2036-06-05"})
		came(midnight, map[int64]string{well.ID: "2026-03-11"})
		want := map[int64]models.Date{ill.ID: day("2026-03-05"), well.ID: day("2026-03-11"), first.ID: day("2026-03-06")}
		for _, c := range []models.Creditor{ill, well, first} {
			news, err := dunning.ReadBankNews(t.Context(), db, c)
			if err != nil || news.Reached != want[c.ID] {
				t.Errorf("the files of creditor %d reach %s, %v, want %s", c.ID, news.Reached, err, want[c.ID])
			}
			late, err := dunning.FilesLate(t.Context(), db, c, day("2026-03-12"))
			if err != nil || late != (c.ID != well.ID) {
				t.Errorf("the files of creditor %d are late: %t, %v", c.ID, late, err)
			}
		}
		reached, err := db.LatestBankDates(t.Context())
		if err != nil || !maps.Equal(reached, want) {
			t.Errorf("the files reach %v, %v, want %v", reached, err, want)
		}
		if n, err := dunning.CountLate(t.Context(), db, at("2026-03-12")); n != 2 || err != nil {
			t.Errorf("the files of %d are late, %v", n, err)
		}
		i := rows.Invoice(t, db, ill)
		standing, err := db.StandingOf(t.Context(), ill.ID, i.ID, rows.Today)
		if err != nil || standing.BankNews.Reached != want[ill.ID] {
			t.Errorf("an invoice's standing has files that reach %s, %v", standing.BankNews.Reached, err)
		}
	})
}

// reject writes a file that was rejected.
func reject(ctx context.Context, tx *store.Tx, source string) error {
	f := models.PaymentFile{Source: source}
	if err := tx.CreatePaymentFile(ctx, &f); err != nil {
		return err
	}
	f.State = models.FileRejected
	return tx.UpdatePaymentFile(ctx, f)
}

func TestE6bAPersonsWord(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		confirm := func(day models.Date) (said models.Date, err error) {
			err = db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				said, err = dunning.ConfirmNone(t.Context(), tx, c, day, "Kari")
				return err
			})
			return said, err
		}
		for wrong, want := range map[string]string{
			"2026-02-28": "2026-02-28 is no bank day; the last one before it is 2026-02-27",
			"2026-03-03": "2026-03-03 has not come yet: today is 2026-03-02",
		} {
			if _, err := confirm(day(wrong)); models.KindOf(err) != models.KindInvalid || !strings.Contains(err.Error(), want) {
				t.Errorf("of %s: %v", wrong, err)
			}
		}
		for range 2 { // the second time changes nothing
			if said, err := confirm(0); said != day("2026-02-27") || err != nil {
				t.Errorf("it is the word for %s, %v", said, err)
			}
		}
		if said, err := confirm(rows.Today); said != rows.Today || err != nil {
			t.Errorf("it is the word for %s, %v", said, err)
		}
		events, err := db.Events(t.Context(), c.ID, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, e := range events {
			if e.Type == models.EventBankConfirmed {
				told = append(told, e.Text+" "+e.Data)
			}
		}
		if got, want := strings.Join(told, "\n"), `No file comes from the bank for 2026-02-27, by Kari {"actor":"Kari","bank_day":"2026-02-27"}
No file comes from the bank for 2026-03-02, by Kari {"actor":"Kari","bank_day":"2026-03-02"}`; got != want {
			t.Errorf("the events are\n%s\nwant\n%s", got, want)
		}
	})
}
